"""Step 10: the best, with their text; what does not open stands below everything that does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.hybrid_ranking import Ranked, Ranking
from remembrancer.ports.encryption import Opener
from remembrancer.usecases.encryption.opening import opened_in_time
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.retrieval.relations import Traversed


@dataclass(frozen=True, slots=True)
class Texts:
    """Results in order, and why some are unreadable."""

    ranked: Sequence[Ranked]
    reasons: Sequence[str] = ()


async def best(opener: Opener, plan: Plan, settled: Sequence[Ranked], found: Ranking, traversed: Traversed) -> Texts:
    """The best k of what was found by searching, and at most k more that were reached from the seeds, in one order."""
    reached = traversed.expansion.paths if plan.depth else {}
    if not reached:
        return await _readable(opener, plan, settled)
    searched = {one.memory.id for one in found.ranked}
    first = await _readable(opener, plan, [one for one in settled if one.memory.id in searched])
    chosen = {one.memory.id for one in first.ranked}
    others = [one for one in settled if one.memory.id in reached and one.memory.id not in chosen]
    second = await _readable(opener, plan, others)
    ranked = hybrid_ranking.settle([*first.ranked, *second.ranked], tiebreak=found.tiebreak_applied)
    return Texts(ranked, tuple(dict.fromkeys([*first.reasons, *second.reasons])))


async def of(opener: Opener, plan: Plan, ranked: Sequence[Ranked]) -> Texts:
    """All of these, in their order."""
    memories = [one.memory for one in ranked]
    found, reasons = await opened_in_time(opener, plan.scope.org_id, memories, plan.opening)
    return Texts([replace(one, memory=memory) for one, memory in zip(ranked, found, strict=True)], reasons)


async def _readable(opener: Opener, plan: Plan, ranked: Sequence[Ranked]) -> Texts:
    """The first k that open; those that do not fill what is left of k."""
    readable: list[Ranked] = []
    unreadable: list[Ranked] = []
    reasons: dict[str, None] = {}
    most = plan.request.k
    for start in range(0, len(ranked), most):
        batch = await of(opener, plan, ranked[start : start + most])
        reasons |= dict.fromkeys(batch.reasons)
        for one in batch.ranked:
            (unreadable if one.memory.is_unreadable else readable).append(one)
        if len(readable) >= most:
            break
    return Texts([*readable, *unreadable][:most], tuple(reasons))
