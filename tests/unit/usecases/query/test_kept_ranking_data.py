"""When kept ranking data serves a query, and when the store is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking.ranking_data import NO_CLUSTER, AgentRankingData, RankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.freshness import Moment
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.search import Circumstances, Live, RequestHistory
from remembrancer.runtime.after_response import Work
from remembrancer.usecases.query.plan import Abilities, QueryPlan, plan
from remembrancer.usecases.query.rows import FRESH_SECONDS, KEPT_SECONDS, CandidateRows, LiveCandidates
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.query_embedding import QueryVector
from remembrancer.usecases.retrieval.search import Found, SearchResult
from tests.builders import AGENT_ID, NOW, SetClock, identifier, memory, principal, query_request
from tests.unit.domain.memory_map.maps import made

MOMENT = Moment(0.0, NOW)
MEMORIES = [memory(number, usage_count=number) for number in range(4)]
PLACES = np.array([1, 3])
VECTOR = np.eye(4, dtype=np.float32)[0]
SUPPORTS = Edge(identifier(1), identifier(3), "supports", 0.9)
ELSEWHERE = Edge(identifier(1), identifier(2), "supports", 0.5)


def stored(change: Change, numbers: tuple[int, ...] = (3, 1, 2, 0)) -> AgentRankingData:
    """In another order than the map's; each memory was used ten times its number, the two last are in a cluster."""
    return AgentRankingData(
        change,
        "model",
        [identifier(number).int for number in numbers],
        UseCounts(np.array([10 * number for number in numbers]), np.full(len(numbers), 1_000_000)),
        np.array([NO_CLUSTER if number < 2 else 0 for number in numbers], np.int32),
        np.array([[3.0, 4.0, 0.0, 0.0]], np.float16),
        [SUPPORTS, ELSEWHERE],
    )


@dataclass
class Store:
    """Says what it is set to say, and counts what it was asked."""

    says: AgentRankingData | None
    fails: bool = False
    asked: list[str] = field(default_factory=list)

    async def history(self, *_: Any, **__: Any) -> RequestHistory:
        self.asked.append("history")
        if self.fails:
            raise StoreUnavailable("gone", cause="ConnectionError")
        return RequestHistory()

    async def circumstances(self, _: Any, memory_ids: Sequence[UUID], **__: Any) -> Circumstances:
        self.asked.append("circumstances")
        return Circumstances({one.int: Live(1, 0, None) for one in memory_ids})

    async def ranking_data(self, *_: Any, **__: Any) -> AgentRankingData | None:
        self.asked.append("ranking_data")
        return self.says


@dataclass
class Scene:
    """An agent with four memories in a map, of which a query finds two."""

    clock: SetClock = field(default_factory=lambda: SetClock(start=None))
    map: MemoryMap = field(default_factory=lambda: made(*MEMORIES))
    unconfirmed: str = ""

    def __post_init__(self) -> None:
        self.store = Store(stored(self.map.change))
        agents = KnownAgents()
        self.mapped = agents.of((principal().org_id, AGENT_ID)).mapped
        self.mapped.map = self.map
        self.rows = CandidateRows(self.store, agents, self.clock)  # type: ignore[arg-type]

    def plan(self, **fields: Any) -> QueryPlan:
        request = query_request(agent_id=AGENT_ID, **fields)
        return plan(request, principal(), Abilities(False, 0, 10, SLA_TARGET_MS), Deadline.begin(self.clock), now=NOW)

    async def ask(
        self, searched: MemoryMap | None = None, *, anew: bool = False, **fields: Any
    ) -> LiveCandidates | None:
        """As a query does, with the work after its response; None where the store was read. `searched` replaces the map
        meanwhile.
        """
        planned, later, before = self.plan(**fields), Work(), len(self.store.asked)
        history = self.rows.begin(planned)
        known = self.mapped.map = searched or self.mapped.map
        assert known is not None
        memories = FoundMemories(known, PLACES)
        candidates = Candidates.with_scores(memories, [Evidence(one, 0.5) for one in memories])
        searched_map = SearchResult(QueryVector(VECTOR, "model", "embedder"), map=known, tier="map")
        found = Found(candidates, searched_map, unconfirmed=self.unconfirmed)
        read = await self.rows.read(planned, found, history, anew=anew)
        was_read = "circumstances" in self.store.asked[before:]
        self.rows.follow(planned, found, later)
        for _, work in later.items:
            if (begun := work()) is not None:
                await begun
        return None if was_read else read

    async def warm(self) -> None:
        """Asks until ranking data is kept."""
        assert [await self.ask() for _ in range(2)] == [None, None]
        assert await self.ask() is not None
        self.store.asked.clear()


async def test_the_third_query_has_the_ranking_data_of_its_candidates() -> None:
    scene = Scene()

    first, second, third = [await scene.ask() for _ in range(3)]

    assert (first, second) == (None, None)
    assert third is not None
    assert third.use.counts.tolist() == [10, 30]
    assert third.clusters == pytest.approx([np.nan, 0.6], nan_ok=True, abs=1e-6)
    assert third.circumstances.edges == [SUPPORTS]
    assert scene.store.asked == ["circumstances", "circumstances", "ranking_data"]


async def test_a_named_session_is_read_beside_it() -> None:
    scene = Scene()
    await scene.warm()

    assert await scene.ask(session_id="s") is not None
    assert scene.store.asked == ["history"]


async def test_the_store_is_read_where_that_session_does_not_come() -> None:
    scene = Scene()
    await scene.warm()
    scene.store.fails = True

    assert await scene.ask(session_id="s") is None


async def test_the_store_is_read_where_it_has_not_confirmed_the_map_or_has_to_do_so_now() -> None:
    scene = Scene()
    await scene.warm()

    assert await scene.ask(anew=True) is None
    scene.unconfirmed = "timeout"
    assert await scene.ask() is None


async def test_ranking_data_of_another_map_is_not_used() -> None:
    scene = Scene()
    await scene.warm()

    assert await scene.ask(searched=made(*MEMORIES)) is None
    assert "ranking_data" in scene.store.asked
    assert await scene.ask() is not None


async def test_ranking_data_is_read_again_after_some_seconds_and_not_used_after_a_minute() -> None:
    scene = Scene()
    await scene.warm()

    scene.clock.seconds += FRESH_SECONDS + 0.1
    assert await scene.ask() is not None
    assert scene.store.asked == ["ranking_data"]
    scene.clock.seconds += KEPT_SECONDS + 0.1
    assert await scene.ask() is None


async def test_an_agent_that_is_written_to_between_its_queries_is_not_read() -> None:
    scene = Scene()
    for number in range(3):
        scene.mapped.map = replace(scene.map, change=Change(scene.map.change.version + number, 0))
        await scene.ask()

    assert "ranking_data" not in scene.store.asked


@pytest.mark.parametrize("numbers", [(0, 1, 2), (0, 1, 2, 9), (0, 1, 2, 3, 9)])
def test_ranking_data_of_other_memories_than_the_maps_is_not_kept(numbers: tuple[int, ...]) -> None:
    map_ = made(*MEMORIES)

    assert RankingData.placed(stored(map_.change, numbers), map_.places, len(map_.rows), MOMENT) is None


async def test_a_request_that_weighs_use_is_not_served() -> None:
    scene = Scene()
    await scene.warm()

    assert await scene.ask(weights={"decay": 0.1}) is None
    assert await scene.ask(weights={"semantic": 0.1}) is not None
