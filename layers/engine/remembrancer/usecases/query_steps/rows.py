"""Step 5: which of the candidates still are, and what ranking needs to know of them, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.assembly import SourceReport
from remembrancer.domain.memory import Memory
from remembrancer.ports.recall import Circumstances, Live, RecallStore
from remembrancer.usecases.bounded import Stopwatch, bounded
from remembrancer.usecases.query_steps.plan import Plan
from remembrancer.usecases.query_steps.search import Candidate, Searched


@dataclass(frozen=True, slots=True)
class Rows:
    """Candidates that still are; `dropped` is the number of those that are not."""

    candidates: Sequence[Candidate]
    circumstances: Circumstances
    report: SourceReport
    dropped: int

    def contradict(self, searched: Searched) -> bool:
        """Whether the store knows of a write that the map which was searched does not."""
        stated = self.circumstances.change
        return searched.as_of is not None and stated is not None and stated != searched.as_of


async def read(store: RecallStore, plan: Plan, searched: Searched, *, watch: Stopwatch) -> Rows:
    """The rows themselves came with the searches; late or failed, all of these are taken to be there still."""
    scope = plan.scope
    # The last check of every row, wherever it came from.
    candidates = [
        one
        for one in searched.candidates
        if one.memory.is_visible(agent_id=scope.agent_id, end_user=scope.end_user, now=plan.now)
    ]
    outcome = await bounded(
        store.circumstances(
            scope,
            [one.memory.id for one in candidates],
            vector=searched.embedded.vector,
            model=searched.embedded.model,
            session_id=plan.request.session_id,
            now=plan.now,
        ),
        until_ms=plan.until_ms,
        watch=watch,
        count=lambda found: len(found.live),
    )
    circumstances = outcome.value or Circumstances({one.memory.id.int: _as_kept(one.memory) for one in candidates})
    found = ((one, circumstances.live.get(one.memory.id.int)) for one in candidates)
    # What was kept may also be an older text.
    live = [_used(one, now) for one, now in found if now is not None and now.version == one.memory.version]
    return Rows(live, circumstances, outcome.report, len(searched.candidates) - len(live))


def _as_kept(memory: Memory) -> Live:
    return Live(memory.version, memory.usage_count, memory.last_accessed_at)


def _used(one: Candidate, now: Live) -> Candidate:
    """Used as often as it is by now: a map and the hot set are not told of every use."""
    memory = one.memory
    if (memory.usage_count, memory.last_accessed_at) == (now.usage_count, now.last_accessed_at):
        return one
    memory = replace(memory, usage_count=now.usage_count, last_accessed_at=now.last_accessed_at)
    return replace(one, memory=memory)
