"""With a server gone the answer still comes, and says what is missing; when it is back, nothing is."""

from tests.e2e.conftest import SampleTenant


def test_without_redis_assembly_goes_on_from_postgres_and_says_so(sample_tenant: SampleTenant) -> None:
    tenant = sample_tenant.tenant

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
    assert metadata["memories_injected"] > 0
    assert query.status_code == 200
    assert query.json()["memories"]
    assert back.json()["metadata"]["fallback_reason"] == ""


def test_without_postgres_what_redis_has_is_used_and_the_rest_is_named(sample_tenant: SampleTenant) -> None:
    tenant = sample_tenant.tenant
    tenant.assemble("Who delivers the fish?")
    tenant.drain()

    tenant.stack.postgres.stop("immediate")
    try:
        without = tenant.assemble("Who delivers the fish?")
    finally:
        tenant.stack.postgres.start()
    back = tenant.assemble("Who delivers the fish?")

    metadata = without.json()["metadata"]
    assert without.status_code == 200
    assert metadata["directive_injected"]
    assert metadata["fallback_reason"] == "cold_error:OperationalError,lexical_error:OperationalError"
    assert back.json()["metadata"]["fallback_reason"] == ""
