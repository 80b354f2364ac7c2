"""Vector search: the exact arm against numpy, the approximate arm against the exact, both against the plan."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search import vector_search
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.memories.memory import CATEGORIES, SOURCES, NewMemory, Vector
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.retrieval.asked_time import AskedTime
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.time_periods import Period
from remembrancer.ports.search import VectorHits
from tests.builders import NOW, at_cosine, unit_vector
from tests.integration.engine.tenant import MODEL, Tenant

EXACT_ROWS = 5000
APPROXIMATE = 0

ALL = Filters()

Vectors = NDArray[np.float32]


def random_vectors(rows: int, seed: int) -> Vectors:
    """Unit vectors around twenty centres, as real memories are."""
    generator = np.random.default_rng(seed)
    centres = generator.standard_normal((20, 384))
    points = centres[generator.integers(0, 20, rows)] + 0.8 * generator.standard_normal((rows, 384))
    vectors: Vectors = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    return vectors


async def nearest(
    tenant: Tenant,
    vector: Vector,
    filters: Filters = ALL,
    *,
    scope: Scope | None = None,
    exact_rows: int = EXACT_ROWS,
    limit: int = 50,
    model: str = MODEL,
) -> VectorHits:
    search = PostgresSearch(tenant.database, model=model, exact_rows=exact_rows)
    return await search.nearest(scope or tenant.scope(), vector, filters, model=model, limit=limit, now=NOW)


def ids(answer: VectorHits) -> list[UUID]:
    return [similar.memory.id for similar in answer.found]


async def store(tenant: Tenant, writes: list[MemoryWrite], vectors: Vectors) -> None:
    for start in range(0, len(writes), 100):
        results = await tenant.remember(*writes[start : start + 100])
        assert {result.status for result in results} == {"accepted"}
    await tenant.set_vectors([write.memory_id for write in writes], vectors)


def brute_force(writes: list[MemoryWrite], vectors: Vectors, query: Vector) -> list[tuple[UUID, float]]:
    """Over the half-precision values that are stored; ties by id."""
    stored = vectors.astype(np.float16).astype(np.float32)
    similarity = np.clip(stored @ query.astype(np.float16).astype(np.float32), 0.0, 1.0)
    pairs = [(write.memory_id, float(value)) for write, value in zip(writes, similarity, strict=True)]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize("limit", [1, 7, 200])
async def test_exact_search_is_brute_force(tenant: Tenant, limit: int) -> None:
    writes = [tenant.write(f"Memory {number}.") for number in range(150)]
    vectors = random_vectors(150, seed=1)
    await store(tenant, writes, vectors)

    for seed in range(5):
        query = random_vectors(1, seed=100 + seed)[0]
        answer = await nearest(tenant, query, limit=limit)

        expected = brute_force(writes, vectors, query)[:limit]
        assert answer.strategy == "exact"
        np.testing.assert_allclose(
            [similar.dense or 0.0 for similar in answer.found], [value for _, value in expected], atol=2e-4
        )
        positive = [identifier for identifier, value in expected if value > 0]
        assert ids(answer)[: len(positive)] == positive


async def test_similarity_is_the_cosine_between_nothing_and_one(tenant: Tenant) -> None:
    query = unit_vector(1)
    cosines = [1.0, 0.5, 0.0, -0.5, -1.0]
    writes = [tenant.write(f"Memory {number}.") for number in range(len(cosines))]
    await store(tenant, writes, np.stack([at_cosine(query, cosine, seed=2) for cosine in cosines]))

    for exact_rows in (EXACT_ROWS, APPROXIMATE):
        answer = await nearest(tenant, query, exact_rows=exact_rows)

        found = {similar.memory.id: similar.dense or 0.0 for similar in answer.found}
        assert [found[write.memory_id] for write in writes] == pytest.approx([1.0, 0.5, 0.0, 0.0, 0.0], abs=2e-3)
        assert all(0.0 <= value <= 1.0 for value in found.values())


async def test_an_agent_without_memories_gives_an_empty_answer(tenant: Tenant) -> None:
    for exact_rows in (EXACT_ROWS, APPROXIMATE):
        assert (await nearest(tenant, unit_vector(1), exact_rows=exact_rows)).found == []


def varied(tenant: Tenant, number: int) -> MemoryWrite:
    """Memories that differ in everything that is filtered."""
    return tenant.write(
        f"Memory {number} of many.",
        category=CATEGORIES[number % 5],
        source=SOURCES[number % 4],
        tags=(f"tag{number % 3}", f"tag{number % 7}"),
        confidence=(number % 10) / 10,
        created_at=NOW - timedelta(days=number),
        expires_at=None if number % 6 else NOW + timedelta(seconds=number - 30),
        occurred_from=None if number % 4 else NOW - timedelta(days=3 * number),
        occurred_to=NOW + timedelta(days=7 * (number % 3) - 2 * number) if number % 8 in {1, 4} else None,
        user_id=(None, "ann", "bob")[number % 3],
    )


def passes(write: MemoryWrite, filters: Filters, user_id: str | None) -> bool:
    memory = write.memory
    return (
        memory.confidence >= filters.min_confidence
        and (memory.expires_at is None or memory.expires_at > NOW)
        and (user_id is None or memory.user_id in {None, user_id})
        and (not filters.categories or memory.category in filters.categories)
        and (not filters.sources or memory.source in filters.sources)
        and (not filters.tags or bool(set(filters.tags) & set(memory.tags)))
        and (filters.since is None or memory.created_at >= filters.since)
        and (filters.until is None or memory.created_at < filters.until)
        and in_time(memory, filters.time)
    )


def in_time(memory: NewMemory, time: AskedTime) -> bool:
    """By moments, one by one: whether it was so at the time that is asked about."""

    def is_so(moment: datetime) -> bool:
        is_over = memory.category != "episodic" and memory.occurred_to is not None and memory.occurred_to <= moment
        return not is_over

    if time.as_of is not None:
        return is_so(time.as_of) and (memory.occurred_from is None or memory.occurred_from <= time.as_of)
    days = [period.start + timedelta(hours=12 * half) for period in time.periods for half in range(2 * 400)]
    asked = [day for day in days if any(period.start <= day < period.end for period in time.periods)]
    was_so = any(
        (memory.occurred_from is None or memory.occurred_from <= day)
        and (memory.occurred_to is None or day <= memory.occurred_to)
        for day in asked
    )
    return is_so(NOW) or was_so


FILTERS = {
    "none": Filters(),
    "one category": Filters(categories=("episodic",)),
    "categories": Filters(categories=("factual", "preference")),
    "sources": Filters(sources=("imported", "inferred")),
    "tags": Filters(tags=("tag2", "tag5")),
    "since": Filters(since=NOW - timedelta(days=20)),
    "until": Filters(until=NOW - timedelta(days=20)),
    "a moment": Filters(since=NOW - timedelta(days=20), until=NOW - timedelta(days=19)),
    "everything": Filters(
        ("factual",), ("extracted",), ("tag0",), NOW - timedelta(days=50), NOW - timedelta(days=3), 0.1
    ),
    "nothing": Filters(tags=("unknown",)),
    "as of then": Filters(time=AskedTime(NOW - timedelta(days=30))),
    "as of long ago": Filters(time=AskedTime(NOW - timedelta(days=4000))),
    "as of some day": Filters(time=AskedTime(NOW + timedelta(days=4000))),
    "a period": Filters(time=AskedTime(periods=(Period(NOW - timedelta(days=60), NOW - timedelta(days=40)),))),
    "periods": Filters(
        time=AskedTime(
            periods=(
                Period(NOW - timedelta(days=90), NOW - timedelta(days=80)),
                Period(NOW - timedelta(days=20), NOW - timedelta(days=3)),
                Period(NOW - timedelta(days=85), NOW - timedelta(days=70)),
            )
        )
    ),
} | {f"confidence {tenths / 10}": Filters(min_confidence=tenths / 10) for tenths in range(1, 10)}


@pytest.mark.parametrize("user_id", [None, "ann", "nobody at all"])
async def test_every_filter_is_part_of_both_arms_and_of_the_search_by_words(tenant: Tenant, user_id: str) -> None:
    writes = [varied(tenant, number) for number in range(60)]
    await store(tenant, writes, random_vectors(60, seed=2))
    query = random_vectors(1, seed=3)[0]
    search = PostgresSearch(tenant.database, model=MODEL)
    scope = tenant.scope(user_id=user_id)

    for name, filters in FILTERS.items():
        expected = {write.memory_id for write in writes if passes(write, filters, user_id)}

        exact = await nearest(tenant, query, filters, scope=scope, limit=100)
        approximate = await nearest(tenant, query, filters, scope=scope, limit=100, exact_rows=APPROXIMATE)
        words = await search.matching(scope, tenant.wanted("memory"), filters, limit=100, now=NOW)

        assert (exact.strategy, approximate.strategy) == ("exact", "hnsw")
        assert set(ids(exact)) == expected, name
        assert set(ids(approximate)) == expected, name
        assert {matched.memory.id for matched in words.found} == expected, name


async def test_a_tier_is_a_filter_too(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    writes = [tenant.write(f"Memory {number}.") for number in range(6)]
    await store(tenant, writes, random_vectors(6, seed=2))
    for table in ("memories", "memory_vectors"):
        for write, tier in zip(writes, ("hot", "warm", "cold") * 2, strict=True):
            await observer.execute(f"UPDATE {table} SET tier = %s WHERE memory_id = %s", [tier, write.memory_id])
    search = PostgresSearch(tenant.database, model=MODEL)

    for tiers in (("warm",), ("hot", "cold")):
        filters = Filters(tiers=tiers)
        expected = {
            write.memory_id for write, tier in zip(writes, ("hot", "warm", "cold") * 2, strict=True) if tier in tiers
        }
        words = await search.matching(tenant.scope(), tenant.wanted("memory"), filters, limit=100, now=NOW)

        assert set(ids(await nearest(tenant, unit_vector(1), filters))) == expected
        assert {matched.memory.id for matched in words.found} == expected


async def test_a_filter_that_few_pass_does_not_shorten_the_answer(tenant: Tenant) -> None:
    """The limit counts what passed, not what was looked at."""
    query = unit_vector(1)
    near = [tenant.write(f"Near {number}.", category="episodic") for number in range(50)]
    far = [tenant.write(f"Far {number}.", category="factual") for number in range(5)]
    vectors = [at_cosine(query, 0.9, seed=2 + number) for number in range(50)]
    vectors += [at_cosine(query, 0.1, seed=100 + number) for number in range(5)]
    await store(tenant, near + far, np.stack(vectors))

    for exact_rows in (EXACT_ROWS, APPROXIMATE):
        answer = await nearest(tenant, query, Filters(categories=("factual",)), limit=5, exact_rows=exact_rows)
        assert set(ids(answer)) == {write.memory_id for write in far}


async def test_a_vector_of_another_model_is_never_searched_with_this_one(tenant: Tenant) -> None:
    writes = [tenant.write("One.")]
    await store(tenant, writes, unit_vector(1)[None])

    assert ids(await nearest(tenant, unit_vector(1))) == [writes[0].memory_id]
    for exact_rows in (EXACT_ROWS, APPROXIMATE):
        assert ids(await nearest(tenant, unit_vector(1), model="another", exact_rows=exact_rows)) == []


async def test_a_project_scope_sees_every_agent_of_its_place_and_no_other(tenant: Tenant, stranger: Tenant) -> None:
    second = await tenant.with_agent("second")
    development = await tenant.with_agent("third", environment="development")
    stored = {}
    for name, place in {"first": tenant, "second": second, "development": development, "stranger": stranger}.items():
        (stored[name],) = await place.remember_texts("The office has a coffee machine.")
        await place.set_vectors([stored[name]], unit_vector(1)[None])
    (of_bob,) = await second.remember_texts("The office of Bob has a coffee machine.", user_id="bob")
    await second.set_vectors([of_bob], unit_vector(1)[None])
    search = PostgresSearch(tenant.database, model=MODEL, exact_rows=APPROXIMATE)

    async def seen(scope: Scope) -> set[UUID]:
        answer = await nearest(tenant, unit_vector(1), scope=scope, exact_rows=APPROXIMATE)
        words = await search.matching(scope, tenant.wanted("coffee"), Filters(), limit=100, now=NOW)
        assert {matched.memory.id for matched in words.found} == set(ids(answer))
        return set(ids(answer))

    assert await seen(tenant.project_scope()) == {stored["first"], stored["second"], of_bob}
    assert await seen(tenant.project_scope(end_user=EndUser("ann"))) == {stored["first"], stored["second"]}
    assert await seen(tenant.project_scope(environment="development")) == {stored["development"]}
    assert await seen(tenant.project_scope(project_id="other")) == set()


async def test_an_agent_of_another_organization_gives_nothing(tenant: Tenant, stranger: Tenant) -> None:
    (own,) = await tenant.remember_texts("The office has a coffee machine.")
    await tenant.set_vectors([own], unit_vector(1)[None])
    search = PostgresSearch(tenant.database, model=MODEL)
    crossed = [
        replace(tenant.scope(), org_id=stranger.org_id),
        replace(stranger.scope(), agent_id=tenant.agent_id),
        replace(tenant.scope(), agent_id=stranger.agent_id),
        replace(tenant.scope(), project_id="other", environment="production"),
    ]

    for scope in crossed:
        for exact_rows in (EXACT_ROWS, APPROXIMATE):
            assert ids(await nearest(tenant, unit_vector(1), scope=scope, exact_rows=exact_rows)) == []
        assert (await search.matching(scope, tenant.wanted("coffee"), Filters(), limit=9, now=NOW)).found == []


async def test_the_arm_is_chosen_by_the_agents_number_of_vectors(tenant: Tenant) -> None:
    writes = [tenant.write(f"Memory {number}.") for number in range(4)]
    await store(tenant, writes, random_vectors(4, seed=1))

    assert (await nearest(tenant, unit_vector(1), exact_rows=4)).strategy == "exact"
    assert (await nearest(tenant, unit_vector(1), exact_rows=3)).strategy == "hnsw"


async def test_the_settings_of_the_approximate_arm_end_with_its_search(
    migrated: PostgresServer, tenant: Tenant
) -> None:
    database = Database(migrated.app_url, connections=1)
    only_connection = replace(tenant, database=database)
    settings = vector_search.SETTINGS["hnsw"]
    current = [(f"SELECT current_setting('{name}')", ()) for name in settings]

    await nearest(only_connection, unit_vector(1), exact_rows=APPROXIMATE)
    after = [rows[0][0] for rows in await database.read(None, *current)]
    await database.close()

    assert dict(zip(settings, after, strict=True)) == {
        "hnsw.ef_search": "40",
        "hnsw.iterative_scan": "off",
        "enable_sort": "on",
    }
