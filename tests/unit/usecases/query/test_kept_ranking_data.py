"""When kept ranking data serves a query, and when the store is asked."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking.ranking_data import NO_CLUSTER, AgentRankingData, RankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.intents import SLA_TARGET_MS
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import RequestHistory
from remembrancer.runtime.after_response import Work
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.kept_ranking_data import (
    FRESH_SECONDS,
    KEPT_SECONDS,
    KeptForCandidates,
    KeptRankingData,
)
from remembrancer.usecases.query.plan import Abilities, QueryPlan, plan
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.query_embedding import Embedded
from remembrancer.usecases.retrieval.search import Searched
from tests.builders import AGENT_ID, NOW, SetClock, identifier, memory, principal, query_request
from tests.unit.domain.memory_map.maps import made

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
    change: Change
    fails: bool = False
    asked: list[str] = field(default_factory=list)

    async def history(self, *_: Any, **__: Any) -> RequestHistory:
        self.asked.append("history")
        if self.fails:
            raise StoreUnavailable("gone", cause="ConnectionError")
        return RequestHistory(change=self.change)

    async def ranking_data(self, *_: Any, **__: Any) -> AgentRankingData | None:
        self.asked.append("ranking_data")
        return self.says


@dataclass
class Scene:
    """An agent with four memories in a map, of which a query finds two."""

    confirmed_seconds: float = 0.0
    clock: SetClock = field(default_factory=lambda: SetClock(start=None))
    map: MemoryMap = field(default_factory=lambda: made(*MEMORIES))
    server: str = "server"

    def __post_init__(self) -> None:
        self.store = Store(stored(self.map.change), self.map.change)
        agents = KnownAgents()
        self.mapped = agents.of((principal().org_id, AGENT_ID)).mapped
        self.mapped.map = self.map
        confirmations = Confirmations(
            agents,
            None,  # type: ignore[arg-type]
            self.clock,
            seconds=0.0,
            repeat_seconds=self.confirmed_seconds,
        )
        self.kept = KeptRankingData(self.store, agents, confirmations, self.clock)  # type: ignore[arg-type]

    def plan(self, **fields: Any) -> QueryPlan:
        request = query_request(agent_id=AGENT_ID, **fields)
        return plan(request, principal(), Abilities(False, 0, 10, SLA_TARGET_MS), Deadline.begin(self.clock), now=NOW)

    def found(self) -> Found:
        known = self.mapped.map
        assert known is not None
        seen = AgentSnapshot(None, known.change, (), server=self.server)
        return Found(Searched(Embedded(VECTOR, "model", "embedder"), map=known, tier="map"), (), seen)

    async def ask(self, searched: MemoryMap | None = None, **fields: Any) -> KeptForCandidates | None:
        """As a query does, with the work after its response; `searched` replaces the map meanwhile."""
        planned, later = self.plan(**fields), Work()
        kept_data = self.kept.begin(planned)
        self.mapped.map = searched or self.mapped.map
        found = self.found()
        memories = FoundMemories(self.mapped.map, PLACES)
        candidates = Candidates.with_scores(memories, [Evidence(one, 0.5) for one in memories])
        kept = None if kept_data is None else await kept_data.of(planned, found, candidates, later)
        if kept is None:
            await planned.following.run("history", self.store.history())
        self.kept.follow(planned, found, later)
        for _, work in later.items:
            if (begun := work()) is not None:
                await begun
        return kept

    async def warm(self) -> None:
        """Asks until ranking data is kept and confirmed."""
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
    assert scene.store.asked == ["history", "history", "ranking_data", "history"]


async def test_the_store_is_asked_again_once_its_confirmation_is_old() -> None:
    scene = Scene(confirmed_seconds=1.0)
    await scene.warm()

    kept = [await scene.ask() for _ in range(3)]
    asked_before = list(scene.store.asked)
    scene.clock.seconds += 1.1
    later = await scene.ask()

    assert all(kept)
    assert asked_before == []
    assert later is not None
    assert scene.store.asked == ["history"]


async def test_a_confirmation_is_valid_for_its_cache_server_only() -> None:
    scene = Scene(confirmed_seconds=1.0)
    await scene.warm()

    for server in ("another", ""):
        scene.server = server

        assert await scene.ask() is None


async def test_a_named_session_is_read_whatever_was_confirmed() -> None:
    scene = Scene(confirmed_seconds=1.0)
    await scene.warm()

    assert await scene.ask(session_id="s") is not None
    assert scene.store.asked == ["history"]


async def test_nothing_is_kept_where_the_store_has_other_counters() -> None:
    scene = Scene()
    await scene.warm()
    scene.store.change = Change(scene.map.change.version + 1, scene.map.change.removals)

    assert await scene.ask() is None


async def test_nothing_is_kept_where_the_store_does_not_answer() -> None:
    scene = Scene()
    await scene.warm()
    scene.store.fails = True

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
    assert scene.store.asked == ["history", "ranking_data"]
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

    assert RankingData.placed(stored(map_.change, numbers), map_.places, len(map_.rows)) is None


async def test_a_request_that_weighs_use_is_not_served() -> None:
    scene = Scene()
    await scene.warm()

    assert await scene.ask(weights={"decay": 0.1}) is None
    assert await scene.ask(weights={"semantic": 0.1}) is not None
