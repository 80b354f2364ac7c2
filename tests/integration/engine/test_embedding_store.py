"""What the embedding worker stores, and what was lost on its way."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from psycopg import AsyncConnection

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.memories.embedding_store import MOST_REQUEUES, PostgresEmbeddingStore
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.hot_score import hot_score
from remembrancer.ports.memories import StoredVectors
from remembrancer.usecases.memories.embed import EmbedMessage
from tests.builders import NOW, unit_vector
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import consolidation, memory_embedder

COFFEE = "The office has a coffee machine."


@pytest.fixture
def store(tenant: Tenant) -> PostgresEmbeddingStore:
    return PostgresEmbeddingStore(tenant.database)


async def state(tenant: Tenant, memory_id: UUID) -> tuple[str, str | None, str | None]:
    (row,) = await tenant.fetch(
        "SELECT embedding_state, embedding_model, embedding_error FROM memories WHERE memory_id = %s", memory_id
    )
    return (row[0], row[1], row[2])


async def stored_vectors(tenant: Tenant) -> dict[UUID, np.ndarray[Any, Any]]:
    rows = await tenant.fetch("SELECT memory_id, embedding FROM memory_vectors")
    return {row[0]: row[1].to_numpy() for row in rows}


async def counted_vectors(tenant: Tenant) -> int:
    ((count,),) = await tenant.fetch("SELECT vectors FROM agents WHERE agent_id = %s", tenant.agent_id)
    return int(count)


async def test_a_pending_memory_becomes_ready_and_is_searched(tenant: Tenant, store: PostgresEmbeddingStore) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    assert await state(tenant, identifier) == ("pending", None, None)

    pending = await store.pending(tenant.org_id, [identifier], MODEL)
    stored = await store.store(tenant.org_id, pending, unit_vector(1)[None], MODEL)

    assert [(one.memory.id, one.memory.content) for one in pending] == [(identifier, COFFEE)]
    assert (pending[0].project_id, pending[0].environment) == (
        tenant.principal.project_id,
        tenant.principal.environment,
    )
    assert (stored.memory_ids, stored.changes) == ([identifier], {tenant.agent_id: Change(2, 0)})
    assert await state(tenant, identifier) == ("ready", MODEL, None)
    assert await store.pending(tenant.org_id, [identifier], MODEL) == []
    assert await counted_vectors(tenant) == 1


async def test_a_redelivery_changes_nothing(tenant: Tenant, store: PostgresEmbeddingStore) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    pending = await store.pending(tenant.org_id, [identifier], MODEL)

    for _ in range(3):
        await store.store(tenant.org_id, pending, unit_vector(1)[None], MODEL)

    assert await counted_vectors(tenant) == len(await stored_vectors(tenant)) == 1
    assert await state(tenant, identifier) == ("ready", MODEL, None)


async def test_a_redelivery_to_several_workers_at_once_changes_nothing(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    ids = await tenant.remember_texts(*(f"Room {number}." for number in range(10)))
    pending = await tenant.pending(ids)
    vectors = np.stack([unit_vector(number) for number in range(10)])
    order = list(range(9, -1, -1))

    await tenant.database.warm()
    await asyncio.gather(
        *(store.store(tenant.org_id, pending, vectors, MODEL) for _ in range(3)),
        *(store.store(tenant.org_id, [pending[i] for i in order], vectors[order], MODEL) for _ in range(3)),
    )

    assert await counted_vectors(tenant) == 10
    kept = await stored_vectors(tenant)
    np.testing.assert_allclose(np.stack([kept[one] for one in ids]), vectors, atol=1e-3)


async def test_the_vector_of_an_older_version_never_replaces_a_newer_ones(
    tenant: Tenant, store: PostgresEmbeddingStore, observer: AsyncConnection[Any]
) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    (older,) = await store.pending(tenant.org_id, [identifier], MODEL)
    await observer.execute("UPDATE memories SET version = 2 WHERE memory_id = %s", [identifier])
    (newer,) = await store.pending(tenant.org_id, [identifier], MODEL)
    assert newer.memory.version == 2

    early = await store.store(tenant.org_id, [older], unit_vector(1)[None], MODEL)
    before = await state(tenant, identifier)
    right = await store.store(tenant.org_id, [newer], unit_vector(2)[None], MODEL)
    late = await store.store(tenant.org_id, [older], unit_vector(3)[None], MODEL)

    assert [report.memory_ids for report in (early, right, late)] == [[], [identifier], []]
    assert before == ("pending", None, None)
    np.testing.assert_allclose((await stored_vectors(tenant))[identifier], unit_vector(2), atol=1e-3)
    assert await counted_vectors(tenant) == 1


async def test_a_memory_superseded_meanwhile_is_left_out_and_the_others_stored(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    old, other = await tenant.remember_texts(COFFEE, "The lift is out of order.")
    pending = await tenant.pending([old, other])
    await tenant.remember(tenant.write("The office has no coffee.", supersedes=old))

    stored = await store.store(tenant.org_id, pending, np.stack([unit_vector(1), unit_vector(2)]), MODEL)

    assert stored.memory_ids == [other]
    assert set(await stored_vectors(tenant)) == {other}
    assert await state(tenant, old) == ("dropped", None, None)
    assert await counted_vectors(tenant) == 1


async def test_memories_of_several_agents_are_stored_and_counted_for_each(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    second = await tenant.with_agent("second")
    ids = [*await tenant.remember_texts("One.", "Two."), *await second.remember_texts("Three.")]
    pending = await tenant.pending([ids[2], ids[0], ids[1]])

    stored = await store.store(tenant.org_id, pending, np.stack([unit_vector(n) for n in (2, 0, 1)]), MODEL)

    assert set(stored.memory_ids) == set(ids)
    kept = await stored_vectors(tenant)
    np.testing.assert_allclose(np.stack([kept[one] for one in ids]), [unit_vector(n) for n in range(3)], atol=1e-3)
    assert (await counted_vectors(tenant), await counted_vectors(second)) == (2, 1)


async def test_another_model_embeds_again_and_replaces_the_vector(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    await tenant.set_vectors([identifier], unit_vector(1)[None])

    again = await store.pending(tenant.org_id, [identifier], "another")
    await store.store(tenant.org_id, again, unit_vector(2)[None], "another")

    assert [one.memory.id for one in again] == [identifier]
    assert await state(tenant, identifier) == ("ready", "another", None)
    assert await counted_vectors(tenant) == 1


async def test_another_organizations_memories_are_neither_pending_nor_stored_nor_failed(
    tenant: Tenant, stranger: Tenant, store: PostgresEmbeddingStore
) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    pending = await tenant.pending([identifier])

    assert await store.pending(stranger.org_id, [identifier], MODEL) == []
    assert await store.store(stranger.org_id, pending, unit_vector(1)[None], MODEL) == StoredVectors([], {})
    await store.fail(stranger.org_id, [identifier], "reason")

    assert await state(tenant, identifier) == ("pending", None, None)
    assert await stored_vectors(tenant) == {}


async def test_a_failure_is_marked_only_on_what_still_waits_and_can_be_mended(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    waiting, done = await tenant.remember_texts("One.", "Two.")
    await tenant.embed([done])

    await store.fail(tenant.org_id, [waiting, done], "model_broken")

    assert await state(tenant, waiting) == ("failed", None, "model_broken")
    assert await state(tenant, done) == ("ready", MODEL, None)
    await tenant.embed([waiting])
    assert await state(tenant, waiting) == ("ready", MODEL, None)


async def test_hot_candidates_come_in_the_order_of_the_domains_score(
    tenant: Tenant, store: PostgresEmbeddingStore, observer: AsyncConnection[Any]
) -> None:
    generator = np.random.default_rng(1)
    writes = [
        tenant.write(
            f"Memory {number}.",
            confidence=float(generator.random()),
            created_at=NOW - timedelta(hours=float(generator.exponential(48)) - 2),
            expires_at=None if number % 8 else NOW + timedelta(seconds=number - 20),
            valid_from=None if number % 7 else NOW + timedelta(seconds=number - 21),
        )
        for number in range(60)
    ]
    await tenant.remember(*writes)
    await tenant.embed([write.memory_id for write in writes[:50]])
    for write in writes:
        await observer.execute(
            "UPDATE memories SET retrieval_count = %s WHERE memory_id = %s",
            [int(generator.integers(0, 15)), write.memory_id],
        )

    as_of, found = await store.hot_candidates(tenant.org_id, tenant.agent_id, NOW, 100)
    _, best = await store.hot_candidates(tenant.org_id, tenant.agent_id, NOW, 7)

    scores = [
        hot_score(
            confidence=memory.confidence,
            created_at=memory.created_at,
            retrieval_count=memory.retrieval_count,
            now=NOW,
        )
        for memory in found
    ]
    over = {write.memory_id for write in writes if write.memory.expires_at and write.memory.expires_at <= NOW}
    early = {write.memory_id for write in writes if write.memory.valid_from and write.memory.valid_from > NOW}
    assert as_of == Change(2, 0)
    assert scores == sorted(scores, reverse=True)
    assert {memory.id for memory in found} == {write.memory_id for write in writes[:50]} - over - early
    assert [memory.id for memory in best] == [memory.id for memory in found[:7]]
    assert all(memory.vector is not None for memory in found)


async def test_the_embedding_worker_makes_memories_searchable_and_hot(tenant: Tenant, redis: RedisClient) -> None:
    ids = await tenant.remember_texts(COFFEE, "The lift is out of order.")
    cache = RedisAgentCache(redis)
    worker = memory_embedder(tenant.database, redis)
    messages = [EmbedMessage(tenant.org_id, identifier) for identifier in ids]

    failed = await worker.embed([*messages, messages[0], EmbedMessage(tenant.org_id, uuid4())])
    again = await worker.embed(messages)

    assert (failed, again) == ({}, {})
    snapshot = await cache.read(tenant.org_id, tenant.agent_id, EVERYBODY, 10)
    assert {memory.id for memory in snapshot.hot} == set(ids)
    search = PostgresSearch(tenant.database, model=MODEL)
    vector = (await HashEmbedder().embed(["coffee machine"]))[0]
    answer = await search.nearest(tenant.scope(), vector, Filters(), model=MODEL, limit=1, now=NOW)
    assert answer.found[0].memory.id == ids[0]


async def wait(observer: AsyncConnection[Any], minutes: float, *ids: UUID) -> None:
    """The memories' last message was sent so long ago."""
    await observer.execute(
        "UPDATE memories SET queued_at = now() - make_interval(secs => %s) WHERE memory_id = ANY(%s)",
        [minutes * 60, list(ids)],
    )


async def test_an_organization_does_not_wait_for_anothers_agent_in_its_batch(
    tenant: Tenant, stranger: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    """Many workers at one agent take turns, for seconds in an import."""
    busy, other = sorted([tenant, stranger], key=lambda one: one.org_id)
    ids = {one.org_id: (await one.remember_texts(COFFEE))[0] for one in (busy, other)}
    messages = [EmbedMessage(*of) for of in ids.items()]

    async with observer.transaction():
        await observer.execute("SELECT 1 FROM agents WHERE agent_id = %s FOR UPDATE", [busy.agent_id])
        work = asyncio.create_task(memory_embedder(tenant.database, redis).embed(messages))
        async with asyncio.timeout(4):
            while (await state(other, ids[other.org_id]))[0] != "ready":
                await asyncio.sleep(0.01)
        meanwhile = await state(busy, ids[busy.org_id])

    assert meanwhile[0] == "pending"
    assert await work == {}
    assert (await state(busy, ids[busy.org_id]))[0] == "ready"


async def test_what_waits_too_long_is_found_oldest_first_and_once(
    tenant: Tenant, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    oldest, older, fresh, done, superseded = await tenant.remember_texts("One.", "Two.", "Three.", "Four.", "Five.")
    (foreign,) = await stranger.remember_texts("One.")
    await tenant.embed([done])
    await consolidation(tenant.database).consolidate(tenant.org_id, [done], MODEL)
    await tenant.remember(tenant.write("Six.", supersedes=superseded))
    for minutes, identifier in ((9, oldest), (5, older), (7, done), (8, superseded), (9, foreign)):
        await wait(observer, minutes, identifier)
    backlog = PostgresUpkeep(tenant.database)
    now = SystemClock().now()

    found = [await backlog.lost(tenant.org_id, now, limit) for limit in (1, 10, 10)]

    assert [lost.memory_ids for lost in found] == [[oldest], [older], []]
    assert await state(tenant, fresh) == ("pending", None, None)


async def test_what_was_embedded_and_never_compared_is_found_too(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    waiting, compared = await tenant.remember_texts("One.", "Two.")
    await tenant.embed([waiting, compared])
    await consolidation(tenant.database).consolidate(tenant.org_id, [compared], MODEL)
    await wait(observer, 5, waiting, compared)

    lost = await PostgresUpkeep(tenant.database).lost(tenant.org_id, SystemClock().now(), 10)

    assert lost.memory_ids == [waiting]


async def test_each_wait_is_twice_as_long_up_to_an_hour_and_after_the_last_the_row_says_why(
    tenant: Tenant, observer: AsyncConnection[Any]
) -> None:
    (one,) = await tenant.remember_texts("One.")
    backlog = PostgresUpkeep(tenant.database)
    waits = []

    for _ in range(MOST_REQUEUES):
        for minutes in (0.9, 1.1, 2.1, 4.1, 8.1, 16.1, 32.1, 60.1):
            await wait(observer, minutes, one)
            if (await backlog.lost(tenant.org_id, SystemClock().now(), 10)).memory_ids:
                waits.append(int(minutes))
                break
    await wait(observer, 59, one)
    early = await backlog.lost(tenant.org_id, SystemClock().now(), 10)
    await wait(observer, 61, one)
    late = await backlog.lost(tenant.org_id, SystemClock().now(), 10)

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert (early.memory_ids, early.given_up) == ([], 0)
    assert (late.memory_ids, late.given_up) == ([], 1)
    assert await state(tenant, one) == ("failed", None, "NothingHeard")
    await tenant.embed([one])
    assert await state(tenant, one) == ("ready", MODEL, None)


async def test_what_another_run_holds_is_left_to_it(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    held, *free = await tenant.remember_texts(*(f"Room {number}." for number in range(5)))
    await wait(observer, 60, held, *free)
    backlog = PostgresUpkeep(tenant.database)
    now = SystemClock().now()

    async with observer.transaction():
        await observer.execute("SELECT 1 FROM memories WHERE memory_id = %s FOR UPDATE", [held])
        found = await backlog.lost(tenant.org_id, now, 100)
    rest = await backlog.lost(tenant.org_id, now, 100)

    assert set(found.memory_ids) == set(free)
    assert rest.memory_ids == [held]


async def test_another_model_makes_every_vector_and_every_failure_wait_again(
    tenant: Tenant, store: PostgresEmbeddingStore
) -> None:
    ready, failed, waiting = await tenant.remember_texts("One.", "Two.", "Three.")
    await tenant.embed([ready])
    await store.fail(tenant.org_id, [failed], "model_broken")
    backlog = PostgresUpkeep(tenant.database)

    same = await backlog.outdated(tenant.org_id, MODEL, 10)
    await tenant.embed([failed])
    other = [await backlog.outdated(tenant.org_id, "another", limit) for limit in (1, 10, 10)]
    lost = await backlog.lost(tenant.org_id, SystemClock().now(), 10)
    before = await backlog.embedded(tenant.org_id, "another")
    await tenant.embed([ready])

    assert same == 1
    assert before == (0, 3)
    assert await backlog.embedded(tenant.org_id, MODEL) == (1, 3)
    assert other == [1, 1, 0]
    assert set(lost.memory_ids) == {ready, failed}
    assert await state(tenant, waiting) == ("pending", None, None)
