"""Ranking data that this instance keeps beside an agent's memory map, so that no query waits for the store between
search and ranking.

Kept are use, clusters and edges of all memories of a map, for `KEPT_SECONDS` after they were read: those that workers
write meanwhile are missing. They are read after a response, of agents that are asked again without a write in between.
Another map ends their use, and so does any write by a caller, which changes the agent's counters: then queries read the
store again. The store confirms the counters in every request, beside the embedding, or has confirmed them lately,
as for assembly (ADR 12).
"""

import asyncio
from dataclasses import dataclass, replace
from weakref import ref

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory_columns import Floats
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking.ranking_data import RankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.freshness import USED, StoreState, Verdict, compare
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import MOST_EDGES, Circumstances, RecallStore, RequestHistory
from remembrancer.ports.system import Clock
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import SourceOutcome, abandon, let_finish
from remembrancer.usecases.retrieval.known_agents import KnownAgents, Moment, Ranking

KEPT_SECONDS = 60.0
"""Seconds for which ranking data is used, and within which an agent has to be asked again."""
FRESH_SECONDS = 5.0
"""Least seconds between two reads of an agent's ranking data."""
MOST_MEMORIES = 5_000
"""Of an agent whose ranking data is kept: to read 1,000 takes the store 3 ms, and the event loop 2."""
KEPT = "instance"
"""Origin of the report."""
_BY_USE = ("usage", "decay")
"""Factors for which a request that weighs them itself gets the use as of now."""


@dataclass(frozen=True, slots=True)
class KeptForCandidates:
    """The kept ranking data of one query's candidates, one entry each."""

    use: UseCounts
    clusters: Floats
    circumstances: Circumstances


@dataclass(frozen=True, slots=True)
class KeptForQuery:
    """The kept ranking data of an agent, for one query that began at `begun`; it counts only if the query searches
    `map`, and cache and store have the counters of `data`. `history` is being read from the store to confirm that; None
    where it was confirmed lately.
    """

    confirmations: Confirmations
    map: MemoryMap
    data: RankingData
    begun: Moment
    history: "asyncio.Task[SourceOutcome[RequestHistory]] | None"

    def abandon(self) -> None:
        """Stops the read, without waiting."""
        if self.history is not None and not self.history.done():
            abandon(self.history)

    async def of(
        self, plan: QueryPlan, found: Found, candidates: Candidates, afterwards: Afterwards
    ) -> KeptForCandidates | None:
        """The data of the candidates; None where the store has to be read. The report stands under `history`."""
        seen, data = found.seen, self.data
        is_of_map = found.searched.map is self.map and not candidates.memories.others
        is_current = seen is not None and compare(data.change, seen.change) is Verdict.USE
        if seen is None or not (is_of_map and is_current and found.searched.embedded.model == data.model):
            self.abandon()
            return None
        history = await self._confirmed(plan, seen, afterwards)
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
        )

    async def _confirmed(self, plan: QueryPlan, seen: AgentSnapshot, afterwards: Afterwards) -> RequestHistory | None:
        """What the store answered, empty where it was not asked; None where it has not confirmed the counters."""
        assert plan.place is not None
        history, stored = RequestHistory(), None
        if self.history is not None:
            answer = (await self.history).value
            if answer is None:
                return None
            history, stored = answer, StoreState(answer.change)
            if answer.change is not None:
                self.confirmations.note(plan.place, seen, stored, self.begun, afterwards)
        decision = self.confirmations.judge(plan.place, seen, stored, self.begun, held=self.data.change)
        return history if decision == USED else None


class KeptRankingData:
    """Keeps the ranking data of the agents that this instance was asked about last."""

    def __init__(self, store: RecallStore, agents: KnownAgents, confirmations: Confirmations, clock: Clock) -> None:
        self._store = store
        self._agents = agents
        self._confirmations = confirmations
        self._clock = clock
        self._reads = BackgroundReads(clock)

    def begin(self, plan: QueryPlan) -> KeptForQuery | None:
        """Begins to read what does not depend on the candidates, beside the embedding; None where no data is kept that
        this query may use.
        """
        agent = None if plan.place is None else self._agents.find(plan.place)
        if plan.place is None or agent is None:
            return None
        known, kept = agent.mapped.map, agent.ranking
        if known is None or kept.data is None or kept.read_at is None or kept.map is None or kept.map() is not known:
            return None
        now = Moment.of(self._clock)
        if kept.read_at.age_seconds(now) >= KEPT_SECONDS or any(name in plan.request.weights for name in _BY_USE):
            return None
        history = None
        is_named = plan.request.session_id is not None or plan.scope.end_user.name is not None
        if is_named or not self._confirmations.may_repeat(plan.place):
            history = asyncio.ensure_future(self._history(plan))
            let_finish(history)
        return KeptForQuery(self._confirmations, known, kept.data, now, history)

    def follow(self, plan: QueryPlan, found: Found, afterwards: Afterwards) -> None:
        """Schedules a read after the response, for an agent that was asked lately and not written to since."""
        known = found.searched.map
        if known is None or plan.place is None or len(known) > MOST_MEMORIES:
            return
        if found.seen is None or compare(known.change, found.seen.change) is not Verdict.USE:
            return
        if plan.following.account.of("history")["history"].status != "ok":
            # The store does not answer now.
            return
        kept, now = self._agents.ranked(plan.place), Moment.of(self._clock)
        before, kept.asked = kept.asked, (known.change, now)
        if before is None or before[0] != known.change or before[1].age_seconds(now) >= KEPT_SECONDS:
            return
        is_of_map = kept.map is not None and kept.map() is known
        if is_of_map and kept.read_at is not None and kept.read_at.age_seconds(now) < FRESH_SECONDS:
            return
        if not self._reads.resting:
            afterwards.add("ranking_data", lambda: self._read(kept, known), may_wait=False)

    async def _history(self, plan: QueryPlan) -> SourceOutcome[RequestHistory]:
        asked = self._store.history(plan.scope, session_id=plan.request.session_id)
        return await plan.following.run("history", asked)

    async def _read(self, kept: Ranking, known: MemoryMap) -> None:
        begun = Moment.of(self._clock)
        asked = self._store.ranking_data(known.org_id, known.agent_id, model=known.model, most=MOST_MEMORIES)
        try:
            stored = await self._reads.read(asked)
        except StoreError:
            return
        fits = stored is not None and compare(known.change, stored.change) is Verdict.USE
        kept.data = RankingData.placed(stored, known.places, len(known.rows)) if stored and fits else None
        kept.map, kept.read_at = ref(known), begun
