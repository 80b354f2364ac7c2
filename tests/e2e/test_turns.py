"""The workers serve everybody in turn: nobody waits for the vectors of somebody else's import."""

import time
from collections.abc import Callable

from tests.e2e.conftest import NewTenant, Tenant, forget_waiting

LINES = 1000


def pending(tenant: Tenant) -> int:
    """Memories without a vector, 100 at most."""
    parameters = {"agent_id": tenant.agent_id, "embedding_state": "pending", "limit": "100"}
    return len(tenant.client.get("/v1/memories", params=parameters).json()["memories"])


def imported(tenant: Tenant, lines: int = LINES) -> None:
    for start in range(0, lines, 100):
        tenant.remember(*(f"Guest {number} prefers room {number % 40}." for number in range(start, start + 100)))


def seconds_to_vector(tenant: Tenant) -> float:
    started = time.monotonic()
    tenant.remember("The vault's code has changed.")
    tenant.until_embedded()
    return time.monotonic() - started


def test_one_write_beside_anothers_import_has_its_vector_while_most_of_that_waits(
    new_tenant: NewTenant, record_property: Callable[[str, object], None]
) -> None:
    importer, other = new_tenant(), new_tenant()
    imported(importer)

    seconds = seconds_to_vector(other)

    record_property("seconds", seconds)
    assert pending(importer) == 100
    # Nobody asks for the rest.
    forget_waiting(importer.stack, "EmbedQueue")
