"""Step 5: drops candidates that no longer exist and reads the data that ranking needs, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import Circumstances, Live, RecallStore
from remembrancer.usecases.query.found import Found
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.confirmations import Confirmations


@dataclass(frozen=True, slots=True)
class LiveCandidates:
    """Candidates that still exist; `dropped` is the number of the others.

    `unconfirmed` is the reason why the store did not confirm candidates that came from a cache.
    """

    candidates: Sequence[Evidence]
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
    # The last check of every row, whichever source it came from.
    candidates = [
        one
        for one in found.evidence
        if one.memory.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=plan.now)
        and plan.filters.time.admits(one.memory, now=plan.now)
    ]
    outcome = await plan.following.run(
        "history",
        store.circumstances(
            scope,
            [one.memory.id for one in candidates],
            vector=embedded.vector,
            model=embedded.model,
            session_id=plan.request.session_id,
            now=plan.now,
        ),
        count=lambda answer: len(answer.live),
    )
    circumstances = outcome.value
    if circumstances is None:
        stored = [one for one in candidates if one.memory.id.int in found.stored]
        kept = candidates if _hold(confirmations, plan, found.seen) else stored
        return LiveCandidates(
            kept,
            Circumstances({one.memory.id.int: _as_kept(one.memory) for one in kept}),
            len(found.evidence) - len(kept),
            unconfirmed="" if stored == kept else outcome.report.reason.rpartition(":")[2],
        )
    _confirm(confirmations, plan, found.seen, circumstances.change)
    now = ((one, circumstances.live.get(one.memory.id.int)) for one in candidates)
    # A cached row may also have an outdated text.
    live = [_used(one, state) for one, state in now if state is not None and state.version == one.memory.version]
    return LiveCandidates(live, circumstances, len(found.evidence) - len(live))


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


def _used(one: Evidence, now: Live) -> Evidence:
    """Sets current usage counts: maps and the hot set do not receive every use."""
    memory = one.memory
    if (memory.usage_count, memory.last_accessed_at) == (now.usage_count, now.last_accessed_at):
        return one
    memory = replace(memory, usage_count=now.usage_count, last_accessed_at=now.last_accessed_at)
    return replace(one, memory=memory)
