"""With a server gone the answer still comes, and says what is missing; when it is back, nothing is."""

from tests.e2e.conftest import Tenant


def test_without_redis_assembly_goes_on_from_postgres_and_says_so(tenant: Tenant) -> None:
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": "Be brief."})
    tenant.remember("Fish is delivered on Thursdays by Kerrera Shellfish")
    tenant.until_embedded()

    tenant.stack.valkey.stop()
    try:
        without = tenant.assemble("Who delivers the fish?")
        query = tenant.query("Who delivers the fish?")
    finally:
        tenant.stack.valkey.start()
    back = tenant.assemble("Who delivers the fish?")

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
    tenant.assemble("Who delivers the fish?")

    tenant.stack.postgres.stop("immediate")
    try:
        without = tenant.assemble("Who delivers the fish?")
    finally:
        tenant.stack.postgres.start()
    back = tenant.assemble("Who delivers the fish?")

    metadata = without.json()["metadata"]
    assert without.status_code == 200
    assert metadata["directive_injected"]
    assert metadata["memories_injected"] == 1
    # The first answer may have been followed by a map, which lacks nothing.
    missing = [] if metadata["tier"] == "map" else ["cold_error:OperationalError", "lexical_error:OperationalError"]
    assert metadata["fallback_reason"].split(",") == [*missing, "unconfirmed:OperationalError"]
    assert back.json()["metadata"]["fallback_reason"] == ""


def test_without_either_nothing_is_released_and_the_request_goes_on(tenant: Tenant) -> None:
    tenant.remember("Fish is delivered on Thursdays by Kerrera Shellfish")
    tenant.until_embedded()

    tenant.stack.valkey.stop()
    tenant.stack.postgres.stop("immediate")
    try:
        without = tenant.assemble("Who delivers the fish?")
    finally:
        tenant.stack.valkey.start()
        tenant.stack.postgres.start()
    back = tenant.assemble("Who delivers the fish?")

    assert without.status_code == 200
    assert without.json()["messages"] == [{"role": "user", "content": "Who delivers the fish?"}]
    assert without.json()["metadata"]["fallback_reason"] == "credential_error:OperationalError"
    assert back.json()["metadata"]["memories_injected"] == 1
