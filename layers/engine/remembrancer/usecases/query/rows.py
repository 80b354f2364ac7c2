"""Step 5: drops candidates that no longer exist and reads the data that ranking needs, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.memory_columns import Floats, MemoryColumns
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.freshness import USED, Late, StoreState, Verdict, decide
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import Circumstances, Live, RecallStore
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.kept_ranking_data import KeptForQuery
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.confirmations import Confirmations


@dataclass(frozen=True, slots=True)
class LiveCandidates:
    """Candidates that still exist; `dropped` is the number of the others.

    `memories` are theirs as they were found, `described` their columns, `use` how often the store has them used, and
    `clusters` the cosine of query and centroid, NaN without a cluster. `unconfirmed` is the reason why the store did
    not confirm candidates that came from a cache.
    """

    candidates: Candidates
    memories: Sequence[Memory]
    described: MemoryColumns
    use: UseCounts
    clusters: Floats
    circumstances: Circumstances
    dropped: int
    unconfirmed: str = ""

    def contradict(self, found: Found) -> bool:
        """Whether the store has a write that the searched map lacks."""
        as_of, stated = found.as_of, self.circumstances.change
        return as_of is not None and stated is not None and decide(as_of, stored=StoreState(stated)) != USED


async def read(
    store: RecallStore,
    plan: QueryPlan,
    found: Found,
    confirmations: Confirmations,
    afterwards: Afterwards,
    kept_data: KeptForQuery | None = None,
) -> LiveCandidates:
    """Checks the candidates against the store; the rows themselves came with the searches. The report stands under
    `history`.

    With `kept_data`, the store is not read again where it has confirmed the map's counters. When the store is late or
    fails, candidates that the store itself returned in this request are kept. Candidates from caches are kept while an
    earlier confirmation is valid.
    """
    candidates, described = _visible(Candidates.of(found.evidence), plan)
    memories = list(candidates.memories)
    dropped = len(found.evidence) - len(candidates)
    kept = None if kept_data is None else await kept_data.of(plan, found, candidates, afterwards)
    if kept is not None:
        return LiveCandidates(candidates, memories, described, kept.use, kept.clusters, kept.circumstances, dropped)
    circumstances = await _circumstances(store, plan, found, [one.id for one in memories])
    if circumstances is not None:
        _confirm(confirmations, plan, found.seen, circumstances.change, afterwards)
        unconfirmed = ""
    else:
        ids = [one.id.int for one in memories]
        stored = found.stored
        cause = plan.following.account.reports["history"].reason.rpartition(":")[2]
        there = ids if _hold(confirmations, plan, found.seen) else [one for one in ids if one in stored]
        unconfirmed = "" if all(one in stored for one in there) else cause
        by_id = dict(zip(ids, memories, strict=True))
        circumstances = Circumstances({one: _as_kept(by_id[one]) for one in there})
    live, clusters = circumstances.live, circumstances.clusters
    now = ((row, one, live.get(one.id.int)) for row, one in enumerate(memories))
    # A cached row may also have an outdated text.
    there_now = [(row, one, state) for row, one, state in now if state is not None and state.version == one.version]
    if len(there_now) < len(memories):
        chosen = np.array([row for row, _, _ in there_now], np.intp)
        candidates, described = candidates.chosen(chosen), described.at(chosen)
    return LiveCandidates(
        candidates,
        [one for _, one, _ in there_now],
        described,
        UseCounts.from_pairs((state.usage_count, state.last_accessed_at) for _, _, state in there_now),
        np.array([clusters.get(one.id.int, np.nan) for _, one, _ in there_now], np.float64),
        circumstances,
        len(found.evidence) - len(there_now),
        unconfirmed,
    )


async def _circumstances(
    store: RecallStore, plan: QueryPlan, found: Found, memory_ids: Sequence[UUID]
) -> Circumstances | None:
    """None where the store is late or fails."""
    embedded = found.searched.embedded
    asked = store.circumstances(
        plan.scope,
        memory_ids,
        vector=embedded.vector,
        model=embedded.model,
        session_id=plan.request.session_id,
        now=plan.now,
    )
    return (await plan.following.run("history", asked, count=lambda answer: len(answer.live))).value


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


def _hold(confirmations: Confirmations, plan: QueryPlan, seen: AgentSnapshot | None) -> bool:
    """Whether what is cached may be used although the store did not answer."""
    place = plan.place
    return place is not None and confirmations.judge(place, seen, Late(), plan.begun).verdict is Verdict.USE


def _confirm(
    confirmations: Confirmations,
    plan: QueryPlan,
    seen: AgentSnapshot | None,
    stored: Change | None,
    afterwards: Afterwards,
) -> None:
    """Records whether the cache has missed a removal; does nothing where the store returned no state."""
    if plan.place is not None and seen is not None and stored is not None:
        confirmations.note(plan.place, seen, StoreState(stored), plan.begun, afterwards)


def _as_kept(memory: Memory) -> Live:
    return Live(memory.version, memory.usage_count, memory.last_accessed_at)
