"""With a server gone the answer still comes, and says what is missing; when it is back, nothing is."""

import time

import pytest

from tests.e2e.conftest import Tenant

pytestmark = pytest.mark.long

QUESTION = "Who delivers the fish?"
PATIENCE_SECONDS = 60.0
CONFIRMED_SECONDS = 1.0
"""Of a deployment."""


def until_cached(tenant: Tenant) -> None:
    """Returns when Redis has the hot set, and the instance that gets the next request has compared it with Postgres.

    The hot set is filled after a response. The next request goes to the instance that became idle last, which is the
    one that answered here: no other is at work any more when it is asked.
    """
    end = time.monotonic() + PATIENCE_SECONDS
    tenant.drain()
    while True:
        metadata = tenant.assemble(QUESTION).json()["metadata"]
        tenant.drain()
        if metadata["sources"]["hot"]["count"] == 1 and not metadata["fallback_reason"]:
            return
        assert time.monotonic() < end, metadata


def test_without_redis_assembly_goes_on_from_postgres_and_says_so(tenant: Tenant) -> None:
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": "Be brief."})
    tenant.remember("Fish is delivered on Thursdays by Kerrera Shellfish")
    tenant.until_embedded()

    tenant.stack.valkey.stop()
    try:
        without = tenant.assemble(QUESTION)
        query = tenant.query(QUESTION)
    finally:
        tenant.stack.valkey.start()
    back = tenant.assemble(QUESTION)

    metadata = without.json()["metadata"]
    assert without.status_code == 200
    assert metadata["fallback_reason"] == "hot_error:ConnectionError"
    assert metadata["directive_injected"]
    assert metadata["memories_injected"] == 1
    assert len(query.json()["memories"]) == 1
    assert back.json()["metadata"]["fallback_reason"] == ""


def test_without_postgres_what_redis_has_is_used_and_the_rest_is_named(tenant: Tenant) -> None:
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": "Be brief."})
    tenant.remember("Fish is delivered on Thursdays by Kerrera Shellfish")
    tenant.until_embedded()
    until_cached(tenant)

    tenant.stack.postgres.stop("immediate")
    try:
        # For so long a request goes by what Postgres told the one before.
        time.sleep(CONFIRMED_SECONDS + 0.1)
        without = tenant.assemble(QUESTION)
    finally:
        tenant.stack.postgres.start()
    back = tenant.assemble(QUESTION)

    metadata = without.json()["metadata"]
    assert without.status_code == 200
    assert metadata["directive_injected"]
    assert metadata["memories_injected"] == 1
    # An answer may have been followed by a map, which lacks nothing.
    missing = [] if metadata["tier"] == "map" else ["cold_error:OperationalError", "lexical_error:OperationalError"]
    assert metadata["fallback_reason"].split(",") == [*missing, "unconfirmed:OperationalError"]
    assert back.json()["metadata"]["fallback_reason"] == ""


def test_without_either_nothing_is_released_and_the_request_goes_on(tenant: Tenant) -> None:
    tenant.remember("Fish is delivered on Thursdays by Kerrera Shellfish")
    tenant.until_embedded()

    tenant.stack.valkey.stop()
    tenant.stack.postgres.stop("immediate")
    try:
        without = tenant.assemble(QUESTION)
    finally:
        tenant.stack.valkey.start()
        tenant.stack.postgres.start()
    back = tenant.assemble(QUESTION)

    assert without.status_code == 200
    assert without.json()["messages"] == [{"role": "user", "content": QUESTION}]
    assert without.json()["metadata"]["fallback_reason"] == "credential_error:OperationalError"
    assert back.json()["metadata"]["memories_injected"] == 1
