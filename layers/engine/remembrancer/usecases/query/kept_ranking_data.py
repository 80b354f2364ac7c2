"""Ranking data that this instance keeps beside an agent's memory map, so that no query waits for the store between
search and ranking.

Kept are use, clusters and edges of all memories of a map, for `KEPT_SECONDS` after they were read: those that workers
write meanwhile are missing. They are read after a response, of agents that are asked again without a write in between.
Another map ends their use, and so does any write by a caller, which changes the agent's counters: then queries read the
store again. The store confirms the counters in every request, beside the embedding, or has confirmed them within
`confirmed_seconds`, as for assembly (ADR 12).
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from uuid import UUID
from weakref import ReferenceType, ref

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.memory_columns import Floats
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking.ranking_data import RankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import MOST_EDGES, Circumstances, RecallStore, RequestHistory
from remembrancer.ports.system import Clock
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import Moment
from remembrancer.usecases.retrieval.deadline import SourceOutcome, abandon, let_finish
from remembrancer.usecases.retrieval.map_search import MapSearch
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps

KEPT_SECONDS = 60.0
"""Seconds for which ranking data is used, and within which an agent has to be asked again."""
FRESH_SECONDS = 5.0
"""Least seconds between two reads of an agent's ranking data."""
MOST_MEMORIES = 5_000
"""Of an agent whose ranking data is kept: to read 1,000 takes the store 3 ms, and the event loop 2."""
KEPT = "instance"
"""Origin of the report."""
_AGENTS = 64
_BY_USE = ("usage", "decay")
"""Factors for which a request that weighs them itself gets the use as of now."""


@dataclass(slots=True)
class _Agent:
    """What is kept of one agent: `data` of the memories in `map`, as of `read_at`; None before the first read.

    `asked` has the counters and the moment of the previous query; `agreed` the moment before the store last confirmed
    the counters of `data`, and the cache server that had the same. Only the last `_AGENTS` agents are kept.
    """

    asked: tuple[Change, Moment] | None = None
    map: "ReferenceType[MemoryMap] | None" = None
    data: RankingData | None = None
    read_at: Moment | None = None
    agreed: tuple[Moment, str] | None = None


@dataclass(frozen=True, slots=True)
class KeptForCandidates:
    """The kept ranking data of one query's candidates, one entry each. `change` has the counters that the store
    confirmed in this request; None where it was not asked.
    """

    use: UseCounts
    clusters: Floats
    circumstances: Circumstances
    change: Change | None


@dataclass(frozen=True, slots=True)
class KeptForQuery:
    """The kept ranking data of an agent, for one query that began at `begun`; it counts only if the query searches
    `map`, and cache and store have the counters of `data`. `history` is being read from the store to confirm that; None
    where it was confirmed lately.
    """

    agent: _Agent
    map: MemoryMap
    data: RankingData
    begun: Moment
    history: "asyncio.Task[SourceOutcome[RequestHistory]] | None"

    def abandon(self) -> None:
        """Stops the read, without waiting."""
        if self.history is not None and not self.history.done():
            abandon(self.history)

    async def of(self, plan: QueryPlan, found: Found, candidates: Candidates) -> KeptForCandidates | None:
        """The data of the candidates; None where the store has to be read. The report stands under `history`."""
        place, seen, data = found.searched.place, found.seen, self.data
        is_of_map = isinstance(place, MapSearch) and place.map is self.map and not candidates.memories.others
        is_current = seen is not None and seen.change == data.change
        if seen is None or not (is_of_map and is_current and found.searched.embedded.model == data.model):
            self.abandon()
            return None
        history = await self._confirmed(seen)
        if history is None:
            return None
        account, count = plan.following.account, len(candidates)
        report = account.reports["history"] if self.history else SourceReport("ok", plan.following.elapsed_ms)
        account.reports["history"] = replace(report, count=count, origin=KEPT)
        places = candidates.memories.places
        return KeptForCandidates(
            data.use.at(places),
            data.cosines(places, found.searched.embedded.vector),
            Circumstances({}, {}, data.edges_among(places, MOST_EDGES), history.returned, history.profile, data.change),
            history.change,
        )

    async def _confirmed(self, seen: AgentSnapshot) -> RequestHistory | None:
        """What the store answered, empty where it was not asked; None where it has not confirmed the counters."""
        if self.history is None:
            agreed = self.agent.agreed
            return RequestHistory() if agreed and seen.server and seen.server == agreed[1] else None
        history = (await self.history).value
        if history is None or history.change != self.data.change:
            return None
        self.agent.agreed = self.begun, seen.server
        return history


class KeptRankingData:
    """Keeps the ranking data of the agents that this instance was asked about last."""

    def __init__(self, store: RecallStore, maps: MemoryMaps, clock: Clock, *, confirmed_seconds: float = 0.0) -> None:
        self._store = store
        self._maps = maps
        self._clock = clock
        self._confirmed_seconds = confirmed_seconds
        self._reads = BackgroundReads(clock)
        self._agents: OrderedDict[tuple[UUID, UUID], _Agent] = OrderedDict()

    def begin(self, plan: QueryPlan) -> KeptForQuery | None:
        """Begins to read what does not depend on the candidates, beside the embedding; None where no data is kept that
        this query may use.
        """
        scope = plan.scope
        if scope.agent_id is None:
            return None
        known = self._maps.find(scope.org_id, scope.agent_id)
        agent = self._agents.get((scope.org_id, scope.agent_id))
        if known is None or agent is None or agent.data is None or agent.read_at is None or agent.map is None:
            return None
        now = Moment.of(self._clock)
        if agent.map() is not known or not agent.read_at.is_within(KEPT_SECONDS, now):
            return None
        if any(name in plan.request.weights for name in _BY_USE):
            return None
        history = None
        is_named = plan.request.session_id is not None or scope.end_user.name is not None
        if is_named or agent.agreed is None or not agent.agreed[0].is_within(self._confirmed_seconds, now):
            history = asyncio.ensure_future(self._history(plan))
            let_finish(history)
        return KeptForQuery(agent, known, agent.data, now, history)

    def follow(self, plan: QueryPlan, found: Found, afterwards: Afterwards) -> None:
        """Schedules a read after the response, for an agent that was asked lately and not written to since."""
        place, agent_id = found.searched.place, plan.scope.agent_id
        if not isinstance(place, MapSearch) or agent_id is None or len(place.map) > MOST_MEMORIES:
            return
        if found.seen is None or found.seen.change != place.map.change:
            return
        if plan.following.account.of("history")["history"].status != "ok":
            # The store does not answer now.
            return
        agent = self._agents.setdefault((plan.scope.org_id, agent_id), _Agent())
        self._agents.move_to_end((plan.scope.org_id, agent_id))
        if len(self._agents) > _AGENTS:
            self._agents.popitem(last=False)
        now = Moment.of(self._clock)
        before, agent.asked = agent.asked, (place.map.change, now)
        if before is None or before[0] != place.map.change or not before[1].is_within(KEPT_SECONDS, now):
            return
        is_of_map = agent.map is not None and agent.map() is place.map
        if is_of_map and agent.read_at is not None and agent.read_at.is_within(FRESH_SECONDS, now):
            return
        if not self._reads.resting:
            afterwards.add("ranking_data", lambda: self._read(agent, place), may_wait=False)

    async def _history(self, plan: QueryPlan) -> SourceOutcome[RequestHistory]:
        asked = self._store.history(plan.scope, session_id=plan.request.session_id)
        return await plan.following.run("history", asked)

    async def _read(self, agent: _Agent, place: MapSearch) -> None:
        known = place.map
        begun = Moment.of(self._clock)
        asked = self._store.ranking_data(known.org_id, known.agent_id, model=place.model, most=MOST_MEMORIES)
        try:
            stored = await self._reads.read(asked)
        except StoreError:
            return
        fits = stored is not None and stored.change == known.change
        agent.data = RankingData.placed(stored, known.places, len(known.rows)) if stored and fits else None
        agent.map, agent.read_at, agent.agreed = ref(known), begun, None
