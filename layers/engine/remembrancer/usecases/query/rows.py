"""Step 5: drops candidates that no longer exist and reads the data that ranking needs, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import Circumstances, Live, RecallStore
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.confirmations import Confirmations


@dataclass(frozen=True, slots=True)
class LiveCandidates:
    """Candidates that still exist; `dropped` is the number of the others.

    `memories` are theirs with the store's counts of use, `described` their columns. `unconfirmed` is the reason why the
    store did not confirm candidates that came from a cache.
    """

    candidates: Candidates
    memories: Sequence[Memory]
    described: MemoryColumns
    circumstances: Circumstances
    dropped: int
    unconfirmed: str = ""

    def contradict(self, found: Found) -> bool:
        """Whether the store has a write that the searched map lacks."""
        as_of, stated = found.as_of, self.circumstances.change
        return as_of is not None and stated is not None and stated != as_of


async def read(store: RecallStore, plan: QueryPlan, found: Found, confirmations: Confirmations) -> LiveCandidates:
    """Checks the candidates against the store; the rows themselves came with the searches. The report stands under
    `history`.

    When the store is late or fails, candidates that the store itself returned in this request are kept. Candidates from
    caches are kept while an earlier confirmation is valid.
    """
    scope, embedded = plan.scope, found.searched.embedded
    candidates, described = _visible(Candidates.of(found.evidence), plan)
    memories = list(candidates.memories)
    outcome = await plan.following.run(
        "history",
        store.circumstances(
            scope,
            [one.id for one in memories],
            vector=embedded.vector,
            model=embedded.model,
            session_id=plan.request.session_id,
            now=plan.now,
        ),
        count=lambda answer: len(answer.live),
    )
    circumstances = outcome.value
    if circumstances is None:
        stored = [row for row, one in enumerate(memories) if one.id.int in found.stored]
        kept = range(len(memories)) if _hold(confirmations, plan, found.seen) else stored
        as_kept = Circumstances({memories[row].id.int: _as_kept(memories[row]) for row in kept})
        unconfirmed = "" if len(stored) == len(kept) else outcome.report.reason.rpartition(":")[2]
        live = _of(kept, candidates, [memories[row] for row in kept], described, as_kept)
        return replace(live, dropped=len(found.evidence) - len(kept), unconfirmed=unconfirmed)
    _confirm(confirmations, plan, found.seen, circumstances.change)
    now = ((row, one, circumstances.live.get(one.id.int)) for row, one in enumerate(memories))
    # A cached row may also have an outdated text.
    there = [(row, _used(one, state)) for row, one, state in now if state is not None and state.version == one.version]
    live = _of([row for row, _ in there], candidates, [one for _, one in there], described, circumstances)
    return replace(live, dropped=len(found.evidence) - len(there))


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


def _of(
    rows: Sequence[int],
    candidates: Candidates,
    memories: Sequence[Memory],
    described: MemoryColumns,
    circumstances: Circumstances,
) -> LiveCandidates:
    """Those of these ascending rows, which have these memories."""
    if len(rows) < len(candidates):
        chosen = np.array(rows, np.intp)
        candidates, described = candidates.chosen(chosen), described.at(chosen)
    return LiveCandidates(candidates, memories, described, circumstances, 0)


def _hold(confirmations: Confirmations, plan: QueryPlan, cached: AgentSnapshot | None) -> bool:
    scope = plan.scope
    if cached is None or scope.agent_id is None:
        return False
    return confirmations.hold(scope.org_id, scope.agent_id, cached)


def _confirm(
    confirmations: Confirmations, plan: QueryPlan, cached: AgentSnapshot | None, stored: Change | None
) -> None:
    """Records whether the cache has missed a removal; does nothing where the store returned no state."""
    scope = plan.scope
    if cached is None or stored is None or scope.agent_id is None:
        return
    known = cached.change
    has_missed = (known.removals if known else 0) < stored.removals
    if has_missed or (known is not None and known.is_beyond(stored)):
        confirmations.withdraw(scope.org_id, scope.agent_id)
    else:
        confirmations.note(scope.org_id, scope.agent_id, cached)


def _as_kept(memory: Memory) -> Live:
    return Live(memory.version, memory.usage_count, memory.last_accessed_at)


def _used(memory: Memory, now: Live) -> Memory:
    """Sets current usage counts: maps and the hot set do not receive every use."""
    if (memory.usage_count, memory.last_accessed_at) == (now.usage_count, now.last_accessed_at):
        return memory
    return memory.with_use(now.usage_count, now.last_accessed_at)
