"""Step 5: drops candidates that no longer exist, and adds what ranking needs of the others.

Both come from the store in one round trip after the search. An agent that is asked again without a write in between has
its use, clusters and edges beside its memory map, so that ranking does not wait: for `KEPT_SECONDS` after they were
read, those that workers write meanwhile are missing. Any write makes another map, which has none.
"""

import asyncio
from dataclasses import dataclass, replace

import numpy as np

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import Floats, MemoryColumns
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.ranking.ranking_data import RankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.freshness import Verdict, compare
from remembrancer.errors import StoreError
from remembrancer.ports.search import MOST_EDGES, Circumstances, Live, RecallStore, RequestHistory
from remembrancer.ports.system import Clock
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.deadline import SourceOutcome, let_finish
from remembrancer.usecases.retrieval.known_agents import AgentKey, KnownAgents, moment
from remembrancer.usecases.retrieval.search import Found

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

History = asyncio.Future[SourceOutcome[RequestHistory]]


@dataclass(frozen=True, slots=True)
class LiveCandidates:
    """Candidates that still exist; `dropped` is the number of the others.

    `memories` are theirs as they were found, `described` their columns, `use` how often the store has them used, and
    `clusters` the cosine of query and centroid, NaN without a cluster.
    """

    candidates: Candidates
    memories: list[Memory]
    described: MemoryColumns
    use: UseCounts
    clusters: Floats
    circumstances: Circumstances
    dropped: int


class CandidateRows:
    """Reads what ranking needs of candidates; keeps it beside the maps of `agents`."""

    def __init__(self, store: RecallStore, agents: KnownAgents, clock: Clock) -> None:
        self._store = store
        self._agents = agents
        self._clock = clock
        self._reads = BackgroundReads(clock)

    def begin(self, plan: QueryPlan) -> History | None:
        """Begins to read what does not depend on the candidates, beside the embedding, where nothing else will be
        read; None where there is nothing of that kind.
        """
        agent = None if plan.search.agent_key is None else self._agents.find(plan.search.agent_key)
        if agent is None or not _is_named(plan) or self._kept(plan, agent.mapped.map) is None:
            return None
        asked = self._store.history(plan.scope, session_id=plan.request.session_id)
        history = asyncio.ensure_future(plan.following.run("history", asked))
        let_finish(history)
        return history

    async def read(self, plan: QueryPlan, found: Found, history: History | None, *, anew: bool) -> LiveCandidates:
        """The rows themselves came with the searches, and retrieval has confirmed them; where the store is late or
        fails, all of them stay. The report stands under `history`. With `anew`, the store is read in any case.
        """
        candidates, described = _visible(found.candidates, plan)
        dropped = len(found.candidates) - len(candidates)
        is_of_map = not (candidates.memories.others or found.unconfirmed)
        data = self._kept(plan, found.searched.map) if is_of_map and not anew else None
        if data is not None and data.model == found.searched.embedded.model:
            known = await self._history(plan, history)
            if known is not None:
                return _from_map(plan, found, data, candidates, described, known)
        memories = list(candidates.memories)
        circumstances = await self._circumstances(plan, found, memories)
        if circumstances is None:
            circumstances = Circumstances({one.id.int: _as_found(one) for one in memories})
        live, clusters = circumstances.live, circumstances.clusters
        now = ((row, memory, live.get(memory.id.int)) for row, memory in enumerate(memories))
        # A cached row may also have an outdated text.
        there = [(row, one, state) for row, one, state in now if state is not None and state.version == one.version]
        if len(there) < len(memories):
            dropped += len(memories) - len(there)
            chosen = np.array([row for row, _, _ in there], np.intp)
            candidates, described = candidates.chosen(chosen), described.at(chosen)
        return LiveCandidates(
            candidates,
            [memory for _, memory, _ in there],
            described,
            UseCounts.from_pairs((state.usage_count, state.last_accessed_at) for _, _, state in there),
            np.array([clusters.get(memory.id.int, np.nan) for _, memory, _ in there], np.float64),
            circumstances,
            dropped,
        )

    def follow(self, plan: QueryPlan, found: Found, afterwards: Afterwards) -> None:
        """Schedules a read after the response, for an agent that was asked lately and not written to since."""
        known, key = found.searched.map, plan.search.agent_key
        if known is None or key is None or len(known) > MOST_MEMORIES or found.searched.behind:
            return
        if plan.following.account.of("history")["history"].status != "ok":
            # The store does not answer now.
            return
        agent, now = self._agents.of(key), moment(self._clock)
        before, agent.asked = agent.asked, (known.change, now)
        if before is None or before[0] != known.change or before[1].age_seconds(now) >= KEPT_SECONDS:
            return
        is_fresh = known.ranking is not None and known.ranking.read_at.age_seconds(now) < FRESH_SECONDS
        if not is_fresh and not self._reads.resting:
            afterwards.add("ranking_data", lambda: self._read_all(key, known), may_wait=False)

    async def _read_all(self, key: AgentKey, known: MemoryMap) -> None:
        """Puts the ranking data of all memories beside the map, if both are of one state."""
        begun = moment(self._clock)
        asked = self._store.ranking_data(*key, model=known.model, most=MOST_MEMORIES)
        try:
            stored = await self._reads.read(asked)
        except StoreError:
            return
        fits = stored is not None and compare(known.change, stored.change) is Verdict.USE
        data = RankingData.placed(stored, known.places, len(known.rows), begun) if stored and fits else None
        mapped = self._agents.of(key).mapped
        if mapped.map is known:
            mapped.map = replace(known, ranking=data)
            mapped.nbytes = mapped.map.nbytes

    def _kept(self, plan: QueryPlan, known: MemoryMap | None) -> RankingData | None:
        """The ranking data beside this map; None where it is too old, or the request needs that of now."""
        data = None if known is None else known.ranking
        if data is None or any(name in plan.request.weights for name in _BY_USE):
            return None
        return data if data.read_at.age_seconds(moment(self._clock)) < KEPT_SECONDS else None

    async def _history(self, plan: QueryPlan, history: History | None) -> RequestHistory | None:
        """Of session and end user; empty where the request names neither, None where the store did not answer."""
        if not _is_named(plan):
            plan.following.account.reports["history"] = SourceReport("ok", plan.following.elapsed_ms)
            return RequestHistory()
        return None if history is None else (await history).value

    async def _circumstances(self, plan: QueryPlan, found: Found, memories: list[Memory]) -> Circumstances | None:
        """None where the store is late or fails."""
        embedded = found.searched.embedded
        asked = self._store.circumstances(
            plan.scope,
            [memory.id for memory in memories],
            vector=embedded.vector,
            model=embedded.model,
            session_id=plan.request.session_id,
            now=plan.now,
        )
        return (await plan.following.run("history", asked, count=lambda answer: len(answer.live))).value


def _from_map(
    plan: QueryPlan,
    found: Found,
    data: RankingData,
    candidates: Candidates,
    described: MemoryColumns,
    history: RequestHistory,
) -> LiveCandidates:
    reports, places = plan.following.account.reports, candidates.memories.places
    reports["history"] = replace(reports["history"], count=len(candidates), origin=KEPT)
    return LiveCandidates(
        candidates,
        list(candidates.memories),
        described,
        data.use.at(places),
        data.cosines(places, found.searched.embedded.vector),
        Circumstances({}, {}, data.edges_among(places, MOST_EDGES), history.returned, history.profile),
        len(found.candidates) - len(candidates),
    )


def _is_named(plan: QueryPlan) -> bool:
    """Whether a session or an end user has a history."""
    return plan.request.session_id is not None or plan.scope.end_user.name is not None


def _visible(candidates: Candidates, plan: QueryPlan) -> tuple[Candidates, MemoryColumns]:
    """The last check of every row, whichever source it came from; with the columns of those that pass."""
    scope, moment = plan.scope, plan.now.timestamp()
    described = candidates.memories.columns
    passing = candidates.memories.visible(scope.agent_id, scope.end_user)
    passing &= (described.valid <= moment) & (described.expires > moment)
    passing &= plan.filters.time.passing(described.begins, described.ends, now=plan.now)
    if passing.all():
        return candidates, described
    rows = np.flatnonzero(passing)
    return candidates.chosen(rows), described.at(rows)


def _as_found(memory: Memory) -> Live:
    return Live(memory.version, memory.usage_count, memory.last_accessed_at)
