"""Step 5: which of the candidates still are, and what ranking needs to know of them, in one round trip."""

from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.domain.assembly import SourceReport
from remembrancer.ports.recall import Circumstances, RecallStore
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


async def read(store: RecallStore, plan: Plan, searched: Searched, *, watch: Stopwatch) -> Rows:
    """The rows themselves came with the searches; late or failed, all of these are taken to be there still."""
    scope = plan.scope
    # The last check of every row, wherever it came from.
    candidates = [
        one
        for one in searched.candidates
        if one.memory.is_visible(agent_id=scope.agent_id, user_id=scope.user_id, now=plan.now)
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
    circumstances = outcome.value or Circumstances({one.memory.id: one.memory.version for one in candidates})
    # What was cached may also be an older text.
    live = [one for one in candidates if circumstances.live.get(one.memory.id) == one.memory.version]
    return Rows(live, circumstances, outcome.report, len(searched.candidates) - len(live))
