"""A transaction that Postgres aborts to resolve a deadlock runs again, and its caller is told nothing of it."""

import asyncio
from typing import Any

import psycopg
import pytest

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.deadlocks import ABORTED, TIMES, repeated
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.errors import StoreUnavailable
from tests.integration.engine.tenant import Tenant

LOCK = "SELECT 1 FROM memories WHERE memory_id = %s FOR UPDATE"
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
ROUNDS = 5
"""Postgres looks for a deadlock once, a second after a wait began: on a busy machine there may be none yet."""
PATIENCE_SECONDS = 60.0


async def test_the_loser_of_a_deadlock_goes_on(
    tenant: Tenant,
    migrated: PostgresServer,
    observer: psycopg.AsyncConnection[Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = sorted(await tenant.remember_texts("Tea.", "Coffee."))
    store = PostgresEmbeddingStore(tenant.database)

    for _ in range(ROUNDS):
        async with await psycopg.AsyncConnection.connect(migrated.superuser_url) as holder:
            # Looks only after the other one has.
            await holder.execute("SET deadlock_timeout = '3s'")
            await holder.execute(LOCK, [second])
            # Locks the first, and waits for the second.
            failing = asyncio.create_task(store.fail(tenant.org_id, [first, second], "Broken"))
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await (await observer.execute(WAITING)).fetchone()) == (0,):
                    await asyncio.sleep(0.01)
            try:
                await holder.execute(LOCK, [first])
            except psycopg.errors.DeadlockDetected:
                await holder.rollback()
            await holder.commit()
            await failing
        if any(record.message == "deadlock" for record in caplog.records):
            break

    assert [record.__dict__["transaction"] for record in caplog.records if record.message == "deadlock"] == [
        "PostgresEmbeddingStore.fail"
    ]
    assert await tenant.fetch("SELECT embedding_state, embedding_error FROM memories") == [("failed", "Broken")] * 2


@pytest.mark.parametrize(("cause", "times"), [(ABORTED, TIMES), ("OperationalError", 1)])
async def test_it_gives_up_after_some_times_and_at_once_for_another_reason(cause: str, times: int) -> None:
    tried = []

    @repeated
    async def transaction(number: int) -> None:
        tried.append(number)
        raise StoreUnavailable("Postgres is unavailable", cause=cause)

    with pytest.raises(StoreUnavailable):
        await transaction(7)

    assert tried == [7] * times
