"""Rows of memories are locked in one order; where that cannot be, a transaction that lost a deadlock is repeated."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.stored_memory import Relation
from tests.builders import ago
from tests.integration.engine.locks import LOCK, LOCK_VECTOR, stopped
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import consolidation

NO_WAIT = f"{LOCK} NOWAIT"


async def two(tenant: Tenant, first: str, second: str) -> tuple[UUID, UUID]:
    """New memories, the lower id first; the higher one is the newer."""
    low, high = sorted((uuid4(), uuid4()))
    writes = [
        replace(tenant.write(text, created_at=ago(days=days)), memory_id=memory_id)
        for memory_id, text, days in ((low, first, 2), (high, second, 1))
    ]
    assert [result.status for result in await tenant.remember(*writes)] == ["accepted", "accepted"]
    return low, high


@pytest.mark.parametrize("kind", ["supports", "may_contradict"])
async def test_a_relation_locks_its_memories_in_the_order_of_their_ids(
    tenant: Tenant, migrated: PostgresServer, observer: AsyncConnection[Any], kind: str
) -> None:
    """Waiting for the lower one it holds nothing of the higher one, though the relation begins there."""
    low, high = await two(tenant, "The lift is out of order.", "The stairs are open.")
    async with stopped(migrated, observer) as other:
        await other.hold(low)
        relating = asyncio.ensure_future(
            PostgresMemoryLife(other.database).relate(tenant.principal, Relation(uuid4(), high, low, kind, 0.5))
        )
        await other.waits()

        await other.hold(high, NO_WAIT)

        await other.holder.commit()
        related = await relating
        assert related is not None
        assert related.new


async def test_the_worker_locks_what_it_compares_in_the_order_of_their_ids(
    tenant: Tenant, migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    low, high = await two(tenant, "The lift is out of order today.", "The lift is out of order today!")
    await tenant.embed([low])
    await consolidation(tenant.database).consolidate(tenant.org_id, [low], MODEL)
    await tenant.embed([high])
    async with stopped(migrated, observer) as other:
        await other.hold(low)
        comparing = asyncio.ensure_future(consolidation(other.database).consolidate(tenant.org_id, [high], MODEL))
        await other.waits()

        await other.hold(high, NO_WAIT)

        await other.holder.commit()
        (done,) = await comparing
        assert (done.clustered, done.related) == (1, 1)


async def test_a_change_that_lost_a_deadlock_is_made_again(
    tenant: Tenant, migrated: PostgresServer, observer: AsyncConnection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The conflict of the changed memory ends, for which the other one is locked after it.

    A gate keeps the change from the second lock until the other side waits for the first one: the change closes the
    circle, and so it is the one that Postgres ends.
    """
    low, high = await two(tenant, "Deliveries come on Tuesdays.", "Deliveries come on Thursdays.")
    await tenant.embed([high])
    relation = Relation(uuid4(), high, low, "may_contradict", 0.5)
    await PostgresMemoryLife(tenant.database).relate(tenant.principal, relation)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, high)
    assert stored is not None
    write = replace(tenant.write("Deliveries have ended."), memory_id=high)
    revision = Revision(stored, write, "active", text_changed=True)
    async with (
        stopped(migrated, observer) as other,
        await psycopg.AsyncConnection.connect(migrated.superuser_url) as gate,
    ):
        await other.hold(low)
        await gate.execute(LOCK_VECTOR.encode(), [high])
        with caplog.at_level(logging.WARNING):
            changing = asyncio.ensure_future(PostgresMemoryLife(other.database).revise(tenant.principal, revision))
            await other.waits()
            holding = asyncio.ensure_future(other.hold(high))
            await other.holder_waits()
            await gate.rollback()
            async with asyncio.timeout(60):
                while not caplog.records:
                    await asyncio.sleep(0.01)
            # The next attempt may lock a row before the other side wakes up, so that side gives up.
            await observer.execute("SELECT pg_cancel_backend(%s)", [other.holder.info.backend_pid])
            with suppress(psycopg.errors.QueryCanceled):
                await holding
            await other.holder.rollback()
            outcome = await changing

    assert outcome.status == "done"
    assert {record.__dict__["transaction"] for record in caplog.records} == {"PostgresMemoryLife.revise"}
    rows = await tenant.fetch("SELECT content, version, contradicts FROM memories WHERE memory_id = %s", high)
    versions = await tenant.fetch("SELECT count(*) FROM memory_versions WHERE memory_id = %s", high)
    assert (rows, versions) == ([("Deliveries have ended.", 2, None)], [(1,)])
