"""Memory maps over real servers: they answer as Postgres does, and never with what is no longer there."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.asked_time import AskedTime, asked_time
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.system import Clock
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.map_index import MapIndex
from remembrancer.usecases.retrieval.memory_maps import MapUse, MemoryMaps
from tests.builders import SetClock
from tests.integration.engine.tenant import MODEL, Tenant, word_vector
from tests.unit.domain.lexical_index.forms import FORMS

DIMENSIONS = HashEmbedder().dimensions
WORDS = ("fish", "boiler", "goose", "guest", "room", "library", "kitchen", "coffee", "party", "ferry", "storm")
LONG_MS = 20_000.0


@dataclass(frozen=True, slots=True)
class Atlas:
    """The maps of one instance, and what they are made from."""

    tenant: Tenant
    maps: MemoryMaps
    source: PostgresMapSource
    cache: RedisAgentCache
    clock: SetClock

    async def change(self) -> Change:
        change = await self.source.change(self.tenant.org_id, self.tenant.agent_id)
        assert change is not None
        return change

    async def refresh(self, change: Change | None = None) -> MemoryMap | None:
        """As after a response to a request that saw the current state."""
        await self.maps.refresh(self.tenant.org_id, self.tenant.agent_id, change or await self.change())
        return self.maps.find(self.tenant.org_id, self.tenant.agent_id)

    async def refreshed(self) -> MemoryMap:
        found = await self.refresh()
        assert found is not None
        return found

    async def current(self, known: MemoryMap, change: Change | None = None) -> MapUse | None:
        return await self.maps.current(known, change or await self.change(), Deadline.begin(SystemClock(), LONG_MS))


def maps_of(source: PostgresMapSource, redis: RedisClient, clock: Clock, **bounds: Any) -> MemoryMaps:
    """Of an instance that has just begun."""
    return MemoryMaps(source, RedisAgentCache(redis), clock, dimensions=DIMENSIONS, **bounds)


@pytest.fixture
async def atlas(tenant: Tenant, redis: RedisClient) -> AsyncIterator[Atlas]:
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
    clock = SetClock()
    maps = maps_of(source, redis, clock)
    yield Atlas(tenant, maps, source, RedisAgentCache(redis), clock)
    maps.close()


def texts(found: MemoryMap) -> set[str]:
    eligible = found.eligible(Filters(), end_user=EVERYBODY, now=SystemClock().now())
    return {found.memory(int(place)).content for place in np.flatnonzero(eligible)}


async def random_memories(tenant: Tenant, number: int) -> Sequence[UUID]:
    """Some expire, some are not valid yet, some belong to somebody, some have no vector."""
    random = np.random.default_rng(number)
    now = SystemClock().now()
    writes = [
        tenant.write(
            f"{index}: " + " ".join(random.choice(WORDS, 8)),
            context=" ".join(random.choice(WORDS, 3)) if index % 3 else None,
            category=("factual", "episodic")[index % 2],
            confidence=float(np.float32(random.uniform(0.1, 1.0))),
            user_id=(None, "ann", "bob")[index % 3],
            expires_at=now - timedelta(seconds=1) if index % 11 == 0 else None,
            valid_from=now + timedelta(hours=index % 3 - 1) if index % 13 == 0 else None,
            occurred_from=now - timedelta(days=index + 3) if index % 8 == 0 else None,
            occurred_to=now + timedelta(days=index % 5 - 2, hours=1) if index % 6 == 0 else None,
            tags=("a",) if index % 5 else (),
        )
        for index in range(number)
    ]
    ids = [result.memory_id for result in await tenant.remember(*writes)]
    chosen = [identifier for index, identifier in enumerate(ids) if identifier is not None and index % 7]
    await tenant.embed(chosen)
    return chosen


@pytest.mark.parametrize(
    ("filters", "end_user"),
    [
        (Filters(), EVERYBODY),
        (Filters(), NOBODY),
        (Filters(), EndUser("ann")),
        (Filters(min_confidence=0.3), EndUser("ann")),
        (Filters(categories=("factual",), tags=("a",)), NOBODY),
        (Filters(time=AskedTime(datetime(2020, 1, 1, tzinfo=UTC))), EVERYBODY),
        (Filters(time=AskedTime(datetime.now(UTC) - timedelta(days=1))), EVERYBODY),
        (Filters(time=asked_time("What was yesterday?", as_of=None, now=datetime.now(UTC))), EVERYBODY),
        (Filters(sources=("extracted",), tiers=("hot",), min_confidence=0.5), EndUser("bob")),
    ],
)
async def test_map_and_postgres_give_the_same_similarities_scores_and_best_results(
    atlas: Atlas, filters: Filters, end_user: EndUser
) -> None:
    ids = await random_memories(atlas.tenant, 150)
    await atlas.tenant.remember(atlas.tenant.write("The goose left by ferry in a storm.", supersedes=ids[5]))
    search = PostgresSearch(atlas.tenant.database, model=MODEL)
    scope, now = replace(atlas.tenant.scope(), end_user=end_user), SystemClock().now()
    known = await atlas.refreshed()

    for question in ("goose ferry storm", "Which birds has the guest in the library on Saturday?", "nothing of this"):
        vector, terms = await word_vector(question), atlas.tenant.wanted(question)
        stored = await search.nearest(scope, vector, filters, model=MODEL, limit=20, now=now)
        matched = await search.matching(scope, terms, filters, limit=20, now=now)
        eligible = known.eligible(filters, end_user=end_user, now=now)
        near, match = known.nearest(vector, eligible, 20), known.matching(terms, eligible, 20, end_user=end_user)

        similar = {known.memory(place).id: float(near.similarity[place]) for place in near.places.tolist()}
        mapped = await MapIndex(atlas.maps, known).matching(scope, terms, filters, limit=20, now=now)
        scores = [(one.memory.id, one.content, one.context, one.subject) for one in mapped.found]
        assert list(similar.values()) == pytest.approx([one.dense for one in stored.found], abs=1e-5)
        assert scores == [(one.memory.id, one.content, one.context, one.subject) for one in matched.found]
        assert mapped.information == matched.information
        completed = [answer.completed([stored]) for answer in (matched, mapped)]
        rest = [[(one.memory.id, one.content, one.context, one.subject) for one in each.found] for each in completed]
        assert rest[0] == rest[1]
        for one in stored.found:
            assert float(near.similarity[known.place(one.memory.id) or 0]) == pytest.approx(one.dense, abs=1e-5)
        terms_of = {known.memory(place).id: found for place, found in match.terms(match.places).items()}
        for matching in matched.found:
            assert terms_of[matching.memory.id] == tuple(sorted(matching.terms))


async def test_words_of_all_scripts_are_found_in_map_and_postgres_by_their_other_forms(atlas: Atlas) -> None:
    pairs = [pair for pairs in FORMS.values() for pair in pairs]
    contents = list(dict.fromkeys(stored for stored, _ in pairs))
    ids = dict(zip(contents, await atlas.tenant.remember_texts(*contents), strict=True))
    search, known, now = (
        PostgresSearch(atlas.tenant.database, model=MODEL),
        await atlas.refreshed(),
        SystemClock().now(),
    )

    for stored, asked in pairs:
        terms = atlas.tenant.wanted(asked)
        answers = [
            await place.matching(atlas.tenant.scope(), terms, Filters(), limit=50, now=now)
            for place in (search, MapIndex(atlas.maps, known))
        ]
        found = [[(one.memory.id, one.content, one.subject) for one in answer.found] for answer in answers]
        assert found[0] == found[1]
        assert ids[stored] in [one[0] for one in found[0]], (stored, asked)


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("When did anna buy it?", {"anna: the goose is mine": 1.0}),
        ("when did anna buy it?", {"anna: the goose is mine": 1.0}),
        ("When did Ana buy it?", {"anna: the goose is mine": 0.5}),
        ("Where is Muhhamed's ferry?", {"Mohammed likes the ferry": 0.5}),
        ("Where is Mohammed's ferry?", {"Mohammed likes the ferry": 1.0}),
    ],
)
async def test_names_are_read_the_same_way_in_map_and_postgres_and_not_from_what_others_own(
    atlas: Atlas, question: str, subjects: dict[str, float]
) -> None:
    tenant = atlas.tenant
    shared = ["anna: the goose is mine", "Mohammed likes the ferry", "ben: a storm", "The library is closed."]
    await tenant.remember_texts(*shared)
    await tenant.remember_texts("Muhhamed: the ferry left", "Ana: the ferry left", user_id="ann")
    search, known = PostgresSearch(tenant.database, model=MODEL), await atlas.refreshed()

    found = []
    for place in (search, MapIndex(atlas.maps, known)):
        answer = await place.matching(
            replace(tenant.scope(), end_user=EndUser("bob")),
            tenant.wanted(f"{question} goose ferry storm library"),
            Filters(),
            limit=50,
            now=SystemClock().now(),
        )
        found.append({one.memory.content: one.subject for one in answer.found if one.subject})

    assert found == [subjects, subjects]


async def test_a_row_of_the_map_is_the_stored_row(atlas: Atlas) -> None:
    ids = await random_memories(atlas.tenant, 9)
    known = await atlas.refreshed()

    rows = {memory.id: memory for memory in await atlas.source.rows(atlas.tenant.org_id, atlas.tenant.agent_id, ids)}

    assert rows.keys() == set(ids)
    for identifier, stored in rows.items():
        place = known.place(identifier)
        assert place is not None
        mapped = known.memory(place)
        assert known.vector(place) == pytest.approx(stored.vector, abs=1e-6)
        assert [getattr(mapped, name) for name in mapped.__slots__ if name != "vector"] == [
            getattr(stored, name) for name in stored.__slots__ if name != "vector"
        ]


async def test_additions_are_read_and_answer_at_once(atlas: Atlas) -> None:
    await atlas.tenant.remember_texts("The first.")
    known = await atlas.refreshed()
    await atlas.tenant.remember_texts("The second.")

    use = await atlas.current(known)

    assert use is not None
    assert (texts(use.map), use.behind) == ({"The first.", "The second."}, 0)
    assert use.map.change == await atlas.change()


async def test_what_was_removed_is_never_answered_with(atlas: Atlas) -> None:
    (old,) = await atlas.tenant.remember_texts("The fish comes on Thursdays.")
    known = await atlas.refreshed()
    await atlas.tenant.remember(atlas.tenant.write("The fish comes on Fridays.", supersedes=old))

    use = await atlas.current(known)
    after = await atlas.refreshed()

    assert use is None
    assert texts(after) == {"The fish comes on Fridays."}
    assert await atlas.current(after) == MapUse(after)


async def test_what_is_gone_without_a_trace_makes_the_map_anew(atlas: Atlas, observer: AsyncConnection[Any]) -> None:
    (one,) = await atlas.tenant.remember_texts("One.")
    await atlas.tenant.remember_texts("Two.")
    await atlas.refreshed()
    await observer.execute("DELETE FROM memories WHERE memory_id = %s", (one,))
    await observer.execute(
        "UPDATE agents SET version = version + 1, removals = removals + 1 WHERE agent_id = %s",
        (atlas.tenant.agent_id,),
    )

    assert await atlas.refresh() is None
    assert texts(await atlas.refreshed()) == {"Two."}


async def test_what_expires_leaves_by_itself(atlas: Atlas) -> None:
    soon = SystemClock().now() + timedelta(seconds=30)
    await atlas.tenant.remember(atlas.tenant.write("Soon over.", expires_at=soon))
    known = await atlas.refreshed()

    before = known.eligible(Filters(), end_user=EVERYBODY, now=soon - timedelta(seconds=1))
    after = known.eligible(Filters(), end_user=EVERYBODY, now=soon)

    assert (before.tolist(), after.tolist()) == ([True], [False])


async def test_without_a_change_counter_the_store_answers_and_the_counter_is_seeded_anew(
    atlas: Atlas, redis: RedisClient
) -> None:
    await atlas.tenant.remember_texts("One.")
    known = await atlas.refreshed()
    org_id, agent_id = atlas.tenant.org_id, atlas.tenant.agent_id
    await redis.drop(f"{org_id}:change:{{{agent_id}}}")

    snapshot = await atlas.cache.read(org_id, agent_id, EVERYBODY, 1)
    assert snapshot.change is None
    assert await atlas.maps.current(known, None, Deadline.begin(SystemClock(), LONG_MS)) is None
    assert atlas.maps.is_due(org_id, agent_id, None)
    await atlas.maps.refresh(org_id, agent_id, None)

    assert (await atlas.cache.read(org_id, agent_id, EVERYBODY, 1)).change == await atlas.change()


async def test_an_announcement_that_was_lost_is_made_up_for(atlas: Atlas) -> None:
    """A writer may die between its commit and the cache."""
    await atlas.tenant.remember_texts("One.")
    await atlas.refreshed()
    announced = await atlas.change()
    (old,) = await atlas.tenant.remember_texts("Two.")
    await atlas.tenant.remember(atlas.tenant.write("Three.", supersedes=old))
    org_id, agent_id = atlas.tenant.org_id, atlas.tenant.agent_id

    assert not atlas.maps.is_due(org_id, agent_id, announced)
    atlas.clock.seconds += 11
    assert atlas.maps.is_due(org_id, agent_id, announced)
    found = await atlas.refresh(announced)

    assert found is not None
    assert found.change == await atlas.change()
    assert (await atlas.cache.read(org_id, agent_id, EVERYBODY, 1)).change == await atlas.change()


async def test_a_large_map_is_made_over_several_responses_and_swapped_in_whole(
    tenant: Tenant, redis: RedisClient
) -> None:
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
    maps = maps_of(source, redis, SystemClock(), slice_ms=0.0)
    ids = await tenant.remember_texts(*(f"Number {number}." for number in range(600)))
    change = await source.change(tenant.org_id, tenant.agent_id)

    found = []
    for _ in range(3):
        await maps.refresh(tenant.org_id, tenant.agent_id, change)
        found.append(maps.find(tenant.org_id, tenant.agent_id))
        if len(found) == 1:
            # In a part that was read already, and in one that was not.
            await tenant.remember(tenant.write("New.", supersedes=ids[0]), tenant.write("Newer.", supersedes=ids[-1]))

    made = found[-1]
    assert found[:2] == [None, None]
    assert made is not None
    assert texts(made) == {f"Number {number}." for number in range(1, 599)} | {"New.", "Newer."}
    maps.close()


async def test_an_agent_with_too_many_memories_gets_no_map(tenant: Tenant, redis: RedisClient) -> None:
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
    maps = maps_of(source, redis, SystemClock(), most_memories=2)
    await tenant.remember_texts("One.", "Two.")
    counted = [await source.size(tenant.org_id, tenant.agent_id, most=most) for most in (1, 2, 3)]
    await maps.refresh(tenant.org_id, tenant.agent_id, None)
    small = maps.find(tenant.org_id, tenant.agent_id)

    await tenant.remember_texts("Three.")
    await maps.refresh(tenant.org_id, tenant.agent_id, await source.change(tenant.org_id, tenant.agent_id))

    assert counted == [1, 2, 2]
    assert small is not None
    assert maps.find(tenant.org_id, tenant.agent_id) is None
    maps.close()


async def test_the_least_recently_used_map_goes_when_all_take_too_much(tenant: Tenant, redis: RedisClient) -> None:
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
    noted: list[int] = []
    maps = maps_of(source, redis, SystemClock(), most_bytes=1, note=noted.append)
    agents = [tenant, await tenant.with_agent("second")]

    for agent in agents:
        await agent.remember_texts("One.")
        await maps.refresh(agent.org_id, agent.agent_id, None)

    assert [maps.find(agent.org_id, agent.agent_id) is not None for agent in agents] == [False, True]
    assert noted[1] == maps.nbytes
    maps.close()


async def test_the_bytes_of_all_maps_follow_each_that_grows_goes_or_is_evicted(
    tenant: Tenant, redis: RedisClient
) -> None:
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=DIMENSIONS)
    maps = maps_of(source, redis, SystemClock())
    agents = [tenant, await tenant.with_agent("second"), await tenant.with_agent("third")]

    async def counted() -> tuple[int, int]:
        """As the instance counts them, and as they are."""
        found = [maps.find(agent.org_id, agent.agent_id) for agent in agents]
        return maps.nbytes, sum(one.nbytes for one in found if one is not None)

    sums = []
    for number, agent in enumerate([*agents, tenant]):
        await agent.remember_texts(f"One and {number}.", f"Two and {number}.")
        await maps.refresh(agent.org_id, agent.agent_id, await source.change(agent.org_id, agent.agent_id))
        sums.append(await counted())
    maps.drop(agents[1].org_id, agents[1].agent_id)
    maps.drop(agents[1].org_id, agents[1].agent_id)
    sums.append(await counted())
    maps._most_bytes = 1
    await maps.refresh(tenant.org_id, tenant.agent_id, await source.change(tenant.org_id, tenant.agent_id))
    sums.append(await counted())

    assert [here for here, _ in sums] == [there for _, there in sums]
    assert sums[0][0] < sums[1][0] < sums[2][0] < sums[3][0] > sums[4][0] > sums[5][0] > 0
    maps.close()


async def test_a_map_answers_without_the_newest_additions_while_the_store_is_gone_and_says_so(
    atlas: Atlas, stoppable_postgres: PostgresServer
) -> None:
    await atlas.tenant.remember_texts("One.")
    known = await atlas.refreshed()
    ahead = Change(known.change.version + 2, known.change.removals)
    stoppable_postgres.stop()

    use = await atlas.current(known, ahead)
    removed = await atlas.current(known, Change(ahead.version, ahead.removals + 1))
    atlas.clock.seconds += 3
    later = await atlas.current(known, ahead)

    assert use == MapUse(known, behind=2)
    assert removed is None
    assert later is None


async def test_many_readers_at_once_read_the_additions_once(atlas: Atlas) -> None:
    await atlas.tenant.remember_texts("One.")
    known = await atlas.refreshed()
    await atlas.tenant.remember_texts("Two.")

    uses = await asyncio.gather(*(atlas.current(known) for _ in range(8)))

    assert all(use is not None and texts(use.map) == {"One.", "Two."} for use in uses)


async def test_an_old_map_is_made_anew(atlas: Atlas) -> None:
    """Usage counts change no counter."""
    await atlas.tenant.remember_texts("One.")
    first = await atlas.refreshed()
    again = await atlas.refreshed()
    atlas.clock.seconds += 1000

    later = await atlas.refreshed()

    assert again is first
    assert later is not first
    assert texts(later) == {"One."}
