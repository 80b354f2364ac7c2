"""What follows from use: counts, sessions, profiles and tiers, each event once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from psycopg import AsyncConnection

from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.cache import HotEntry
from remembrancer.ports.usage import AppliedUsage, UsageEvent
from remembrancer.usecases.memories.embed import EmbedMessage
from tests.builders import NOW, unit_vector
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import memory_embedder, side_effects


@pytest.fixture
def store(tenant: Tenant) -> PostgresEmbeddingStore:
    return PostgresEmbeddingStore(tenant.database)


async def counted_vectors(tenant: Tenant) -> int:
    ((count,),) = await tenant.fetch("SELECT count(*) FROM memory_vectors WHERE agent_id = %s", tenant.agent_id)
    return int(count)


async def stored_vectors(tenant: Tenant) -> list[Any]:
    return await tenant.fetch("SELECT memory_id FROM memory_vectors")


def event(
    tenant: Tenant, *memory_ids: UUID, kind: str = "assembly", at: datetime = NOW, **fields: str | None
) -> UsageEvent:
    return UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, memory_ids, kind, at, **fields)


async def counts(tenant: Tenant, memory_id: UUID) -> tuple[int, int, datetime | None]:
    (row,) = await tenant.fetch(
        "SELECT usage_count, retrieval_count, last_accessed_at FROM memories WHERE memory_id = %s", memory_id
    )
    return (row[0], row[1], row[2])


async def applied(tenant: Tenant, *events: UsageEvent) -> AppliedUsage:
    return await PostgresUsage(tenant.database).apply(tenant.org_id, events)


async def apply(tenant: Tenant, *events: UsageEvent) -> int:
    """How many of the events were new."""
    return len((await applied(tenant, *events)).events)


async def test_an_event_counts_once_within_a_batch_and_across(tenant: Tenant) -> None:
    first, second = await tenant.remember_texts("One.", "Two.")
    one, two = event(tenant, first), event(tenant, first, second, kind="query", at=NOW + timedelta(seconds=1))

    new = [await apply(tenant, one, two, one), await apply(tenant, two, one), await apply(tenant, one)]

    assert new == [2, 0, 0]
    assert await counts(tenant, first) == (2, 1, NOW + timedelta(seconds=1))
    assert await counts(tenant, second) == (1, 0, NOW + timedelta(seconds=1))


async def test_an_empty_batch_and_an_event_of_unknown_memories_are_no_error(tenant: Tenant) -> None:
    assert await apply(tenant) == 0
    assert await apply(tenant, event(tenant, uuid4()), event(tenant)) == 2


async def test_counting_does_not_wait_for_what_is_being_written_about_a_memory(tenant: Tenant) -> None:
    """A relation or version refers to it, in an order of its own: two that waited for each other would both fail."""
    (memory_id,) = await tenant.remember_texts("The office has a coffee machine.")

    async with tenant.database.transaction(tenant.org_id) as writing:
        # What the check of a foreign key does.
        await writing.fetch("SELECT 1 FROM memories WHERE memory_id = %s FOR KEY SHARE", [memory_id])
        new = await apply(tenant, event(tenant, memory_id))

    assert new == 1


async def test_the_last_access_never_goes_back(tenant: Tenant) -> None:
    (identifier,) = await tenant.remember_texts("One.")

    moments = []
    for minutes in (5, 3, 9, 1):
        await apply(tenant, event(tenant, identifier, at=NOW + timedelta(minutes=minutes)))
        moments.append((await counts(tenant, identifier))[2])

    assert moments == [NOW + timedelta(minutes=minutes) for minutes in (5, 5, 9, 9)]


async def test_another_organizations_memories_are_not_counted(tenant: Tenant, stranger: Tenant) -> None:
    (identifier,) = await tenant.remember_texts("One.")

    await apply(stranger, event(stranger, identifier))

    assert await counts(tenant, identifier) == (0, 0, None)


async def test_an_event_counts_only_memories_of_its_agent_that_its_end_user_may_see_and_each_once(
    tenant: Tenant,
) -> None:
    (shared,) = await tenant.remember_texts("Everybody's.")
    (adas,) = await tenant.remember_texts("Ada's.", user_id="ada")
    (bos,) = await tenant.remember_texts("Bo's.", user_id="bo")
    elsewhere = replace(event(tenant, shared, adas), agent_id=uuid4())

    await apply(
        tenant,
        event(tenant, *[shared] * 50, adas, bos, session_id="s", user_id="ada"),
        replace(elsewhere, session_id="t", user_id="ada"),
    )

    uses = [(await counts(tenant, one))[0] for one in (shared, adas, bos)]
    sessions = await tenant.fetch("SELECT session_id, returned FROM sessions")
    assert uses == [1, 1, 0]
    assert [(session, set(returned)) for session, returned in sessions] == [("s", {shared, adas})]


async def test_an_event_of_one_organization_does_not_hide_anothers_of_the_same_id(
    tenant: Tenant, stranger: Tenant
) -> None:
    (own,) = await tenant.remember_texts("One.")
    (foreign,) = await stranger.remember_texts("One.")
    one = event(tenant, own)

    assert await apply(stranger, replace(one, org_id=stranger.org_id, memory_ids=(foreign,))) == 1
    assert await apply(tenant, one) == 1
    assert await counts(tenant, own) == (1, 1, NOW)


async def test_workers_with_the_same_events_at_once_count_each_once(tenant: Tenant) -> None:
    ids = await tenant.remember_texts(*(f"Room {number}." for number in range(40)))
    generator = np.random.default_rng(1)
    events = [event(tenant, *_some(generator, ids)) for _ in range(300)]

    def shuffled() -> Sequence[UsageEvent]:
        return [events[index] for index in generator.permutation(len(events))]

    await tenant.database.warm()
    new = await asyncio.gather(*(apply(tenant, *shuffled()) for _ in range(3)))

    assert sum(new) == len(events)
    expected = {one: sum(one in each.memory_ids for each in events) for one in ids}
    rows = await tenant.fetch("SELECT memory_id, usage_count FROM memories")
    assert dict(rows) == expected


async def test_a_worker_that_waits_for_anothers_event_holds_none_that_the_other_needs(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    """The other worker, played by the observer, has recorded the first of two events and goes on to the second."""
    (identifier,) = await tenant.remember_texts("One.")
    first, second = sorted((event(tenant, identifier), event(tenant, identifier)), key=lambda one: one.event_id)
    record = "INSERT INTO applied_events (org_id, event_id) VALUES (%s, %s)"

    async with observer.transaction():
        await observer.execute(record, [tenant.org_id, first.event_id])
        waiting = asyncio.ensure_future(apply(tenant, second, first))
        async with asyncio.timeout(20):
            while not await _waits_for_lock(observer):
                await asyncio.sleep(0.01)
        await observer.execute(record, [tenant.org_id, second.event_id])

    assert await waiting == 0


async def _waits_for_lock(observer: AsyncConnection[Any]) -> bool:
    cursor = await observer.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
    return await cursor.fetchone() == (True,)


def _some(generator: np.random.Generator, ids: Sequence[UUID]) -> list[UUID]:
    return [ids[index] for index in generator.permutation(len(ids))[:5]]


async def sessions(tenant: Tenant) -> list[tuple[Any, ...]]:
    """(session, end user, returned) of the agent."""
    return await tenant.fetch(
        "SELECT session_id, user_id, returned FROM sessions WHERE agent_id = %s ORDER BY session_id, user_id",
        tenant.agent_id,
    )


async def profile_of(tenant: Tenant, user_id: str) -> tuple[Any, ...]:
    (row,) = await tenant.fetch(
        "SELECT categories, tags, users, updated_at FROM profiles WHERE agent_id = %s AND user_id = %s",
        tenant.agent_id,
        user_id,
    )
    return row


def history(tenant: Tenant, ids: Sequence[UUID]) -> list[UsageEvent]:
    """Two end users, two sessions, a month."""
    return [
        event(
            tenant,
            *ids[number % 3 : number % 3 + 2],
            kind=("query", "assembly")[number % 2],
            at=NOW + timedelta(hours=17 * number),
            session_id=f"session {number % 2}",
            user_id=("ada", "bo")[number // 20],
        )
        for number in range(40)
    ]


async def test_a_session_holds_what_it_returned_newest_first_and_each_memory_once(tenant: Tenant) -> None:
    first, second, third = await tenant.remember_texts("One.", "Two.", "Three.")

    for minutes, memory_id in ((1, first), (2, second), (3, first)):
        at = NOW + timedelta(minutes=minutes)
        await apply(tenant, event(tenant, memory_id, at=at, session_id="s", user_id="ada"))
    await apply(tenant, event(tenant, third, at=NOW, session_id="s"), event(tenant, third, user_id="ada"))

    assert await sessions(tenant) == [("s", "ada", [first, second]), ("s", None, [third])]


async def test_a_profile_counts_what_was_used_and_a_week_later_half_of_it(tenant: Tenant) -> None:
    (own,) = await tenant.remember_texts("Ada likes tea.", category="preference", tags=("tea", "drinks"), user_id="ada")
    (shared,) = await tenant.remember_texts("The kitchen closes at ten.", tags=("kitchen",))
    later = NOW + timedelta(days=7)

    await apply(tenant, event(tenant, own, shared, user_id="ada"))
    await apply(tenant, event(tenant, shared, user_id="ada", at=later))

    categories, tags, users, at = await profile_of(tenant, "ada")
    assert categories == pytest.approx({"preference": 0.5, "factual": 1.5})
    assert tags == pytest.approx({"tea": 0.5, "drinks": 0.5, "kitchen": 1.5})
    assert users == pytest.approx({"ada": 0.5})
    assert at == later


async def test_events_in_any_order_and_more_than_once_leave_the_same(tenant: Tenant, stranger: Tenant) -> None:
    texts = ("One.", "Two.", "Three.", "Four.")
    forwards = history(tenant, await tenant.remember_texts(*texts))
    backwards = list(reversed(history(stranger, await stranger.remember_texts(*texts))))

    await apply(tenant, *forwards)
    for one in backwards:
        await apply(stranger, one)
        await apply(stranger, one, *backwards[:3])

    for user_id in ("ada", "bo"):
        ours, theirs = await profile_of(tenant, user_id), await profile_of(stranger, user_id)
        assert ours[0] == pytest.approx(theirs[0])
        assert ours[3] == theirs[3]

    async def texts_of(one: Tenant) -> list[Any]:
        content = {row[0]: row[1] for row in await one.fetch("SELECT memory_id, content FROM memories")}
        return [(session, user, sorted(content[each] for each in ids)) for session, user, ids in await sessions(one)]

    async def totals(one: Tenant) -> list[Any]:
        return await one.fetch(
            "SELECT content, usage_count, retrieval_count, last_accessed_at FROM memories ORDER BY content"
        )

    assert await texts_of(tenant) == await texts_of(stranger)
    assert await totals(tenant) == await totals(stranger)


async def test_workers_that_open_the_same_session_and_profile_at_once_lose_nothing(tenant: Tenant) -> None:
    ids = await tenant.remember_texts(*(f"Room {number}." for number in range(30)))
    events = [event(tenant, one, session_id="s", user_id="ada") for one in ids]

    await tenant.database.warm()
    await asyncio.gather(*(apply(tenant, *events[start::3]) for start in range(3)))

    assert {one for _, _, returned in await sessions(tenant) for one in returned} == set(ids)
    assert (await profile_of(tenant, "ada"))[0] == pytest.approx({"factual": 30})


async def test_what_is_used_again_becomes_hot_in_every_tier_and_readers_hear_of_it(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    cold, hot = await tenant.remember_texts("One.", "Two.")
    await tenant.embed([cold, hot])
    for table in ("memories", "memory_vectors"):
        await observer.execute(f"UPDATE {table} SET tier = 'cold' WHERE memory_id = %s", [cold])
    (before,) = await tenant.fetch("SELECT version, removals FROM agents WHERE agent_id = %s", tenant.agent_id)

    usage = await applied(tenant, event(tenant, cold, hot))
    again = await applied(tenant, event(tenant, cold, hot))

    assert usage.changes == {tenant.agent_id: Change(before[0] + 1, before[1] + 1)}
    assert again.changes == {}
    assert {key: set(ids) for key, ids in usage.used.items()} == {tenant.agent_id: {cold, hot}}
    tiers = await tenant.fetch("SELECT m.tier, v.tier FROM memories m JOIN memory_vectors v USING (memory_id)")
    assert tiers == [("hot", "hot")] * 2


async def test_use_raises_what_is_in_the_hot_set_and_brings_nothing_into_it(tenant: Tenant, redis: RedisClient) -> None:
    ids = await tenant.remember_texts("One.", "Two.", "Three.")
    cache = RedisAgentCache(redis)
    embedder = memory_embedder(tenant.database, redis)
    await embedder.embed([EmbedMessage(tenant.org_id, one) for one in ids[:2]])
    await tenant.embed(ids[2:])
    effects = side_effects(tenant.database, redis)
    events = [event(tenant, ids[0], ids[2]) for _ in range(8)]

    failed = await effects.apply(events)
    again = await effects.apply(events)

    hot = (await cache.read(tenant.org_id, tenant.agent_id, EVERYBODY, 10)).hot
    assert failed == again == {}
    assert [(memory.id, memory.retrieval_count) for memory in hot] == [(ids[0], 8), (ids[1], 0)]


async def test_a_memory_that_changed_since_it_was_read_is_not_written_back(tenant: Tenant, redis: RedisClient) -> None:
    (one,) = await tenant.remember_texts("One.")
    cache = RedisAgentCache(redis)
    embedder = memory_embedder(tenant.database, redis)
    await embedder.embed([EmbedMessage(tenant.org_id, one)])
    as_of, _ = await PostgresUsage(tenant.database).current(tenant.org_id, tenant.agent_id, [one], NOW)
    hot = (await cache.read(tenant.org_id, tenant.agent_id, EVERYBODY, 10)).hot
    stale = [HotEntry(replace(memory, content="Stale."), 1.0) for memory in hot]

    await cache.changed(tenant.org_id, tenant.agent_id, Change(as_of.version + 1, as_of.removals + 1))
    await cache.rescore(tenant.org_id, tenant.agent_id, stale, as_of)

    after = await cache.read(tenant.org_id, tenant.agent_id, EVERYBODY, 10)
    assert "Stale." not in {memory.content for memory in after.hot}


async def test_all_who_write_the_same_memories_at_once_get_through(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    """Counting, embedding and superseding lock rows of the same memories, each batch in an order of its own."""
    ids = await tenant.remember_texts(*(f"Room {number}." for number in range(60)))
    pending = await tenant.pending(ids)
    vectors = np.stack([unit_vector(number) for number in range(60)])
    backwards = list(range(59, -1, -1))

    async def supersede() -> None:
        writes = [tenant.write(f"New version of {one}.", supersedes=one) for one in reversed(ids)]
        results = await tenant.remember(*writes)
        assert {result.status for result in results} == {"accepted"}

    async def count() -> None:
        for _ in range(10):
            await apply(tenant, event(tenant, *ids))

    await tenant.database.warm()
    await asyncio.gather(
        count(),
        store.store(tenant.org_id, [pending[i] for i in backwards], vectors[backwards], MODEL),
        supersede(),
    )

    rows = await tenant.fetch("SELECT usage_count FROM memories WHERE status = 'superseded'")
    assert rows == [(10,)] * 60
    assert await counted_vectors(tenant) == len(await stored_vectors(tenant)) == 0
