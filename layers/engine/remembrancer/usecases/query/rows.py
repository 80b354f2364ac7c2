"""Step 5: which of the candidates still are, and what ranking needs to know of them, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.search import Circumstances, Live, RecallStore
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.query.search import Candidate, Searched
from remembrancer.usecases.retrieval.confirmations import Confirmations


@dataclass(frozen=True, slots=True)
class Rows:
    """Candidates that still are; `dropped` is the number of those that are not.

    `unconfirmed` is the reason why the store did not say whether some of them still are, which came from a cache.
    """

    candidates: Sequence[Candidate]
    circumstances: Circumstances
    report: SourceReport
    dropped: int
    unconfirmed: str = ""

    def contradict(self, searched: Searched) -> bool:
        """Whether the store knows of a write that the map which was searched does not."""
        stated = self.circumstances.change
        return searched.as_of is not None and stated is not None and stated != searched.as_of


async def read(store: RecallStore, plan: Plan, searched: Searched, confirmations: Confirmations) -> Rows:
    """The rows themselves came with the searches.

    Late or failed, those that the store found just now are taken to be there still; and those of caches, as long as an
    earlier confirmation holds.
    """
    scope = plan.scope
    # The last check of every row, wherever it came from.
    candidates = [
        one
        for one in searched.candidates
        if one.memory.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=plan.now)
    ]
    outcome = await plan.following.run(
        "history",
        store.circumstances(
            scope,
            [one.memory.id for one in candidates],
            vector=searched.embedded.vector,
            model=searched.embedded.model,
            session_id=plan.request.session_id,
            now=plan.now,
        ),
        count=lambda found: len(found.live),
    )
    circumstances = outcome.value
    if circumstances is None:
        stored = [one for one in candidates if one.memory.id.int in searched.stored]
        kept = candidates if _hold(confirmations, plan, searched.cached) else stored
        return Rows(
            kept,
            Circumstances({one.memory.id.int: _as_kept(one.memory) for one in kept}),
            outcome.report,
            len(searched.candidates) - len(kept),
            unconfirmed="" if stored == kept else outcome.report.reason.rpartition(":")[2],
        )
    _confirm(confirmations, plan, searched.cached, circumstances.change)
    found = ((one, circumstances.live.get(one.memory.id.int)) for one in candidates)
    # What was kept may also be an older text.
    live = [_used(one, now) for one, now in found if now is not None and now.version == one.memory.version]
    return Rows(live, circumstances, outcome.report, len(searched.candidates) - len(live))


def _hold(confirmations: Confirmations, plan: Plan, cached: AgentSnapshot | None) -> bool:
    scope = plan.scope
    if cached is None or scope.agent_id is None:
        return False
    return confirmations.hold(scope.org_id, scope.agent_id, cached)


def _confirm(confirmations: Confirmations, plan: Plan, cached: AgentSnapshot | None, stored: Change | None) -> None:
    """Notes whether the cache has missed a removal; nothing where the store names no state."""
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


def _used(one: Candidate, now: Live) -> Candidate:
    """Used as often as it is by now: a map and the hot set are not told of every use."""
    memory = one.memory
    if (memory.usage_count, memory.last_accessed_at) == (now.usage_count, now.last_accessed_at):
        return one
    memory = replace(memory, usage_count=now.usage_count, last_accessed_at=now.last_accessed_at)
    return replace(one, memory=memory)
