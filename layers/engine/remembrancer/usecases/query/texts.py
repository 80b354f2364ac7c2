"""Step 10: the text of the best results; unreadable results are ranked below all readable ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.hybrid_ranking import Ranked, Ranking
from remembrancer.ports.encryption import Cipher
from remembrancer.usecases.encryption.opening import opened_in_time
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.relations import Traversal


@dataclass(frozen=True, slots=True)
class Texts:
    """Results in order, and the reasons why some are unreadable."""

    ranked: Sequence[Ranked]
    reasons: Sequence[str] = ()


async def best(
    opener: Cipher, plan: QueryPlan, ordered: Sequence[Ranked], found: Ranking, traversed: Traversal
) -> Texts:
    """The best k that the searches found and that help, and at most k more that relations led to, in one order."""
    reached, line = traversed.expansion.paths if plan.depth else {}, plan.request.line
    if not reached:
        return await _readable(opener, plan, hybrid_ranking.helping(ordered, line))
    searched = {one.memory.id for one in found.ranked}
    of_searches = [one for one in ordered if one.memory.id in searched]
    first = await _readable(opener, plan, hybrid_ranking.helping(of_searches, line))
    chosen = {one.memory.id for one in first.ranked}
    others = [one for one in ordered if one.memory.id in reached and one.memory.id not in chosen]
    second = await _readable(opener, plan, others)
    ranked = hybrid_ranking.in_final_order([*first.ranked, *second.ranked], tiebreak=found.tiebreak_applied)
    return Texts(ranked, tuple(dict.fromkeys([*first.reasons, *second.reasons])))


async def of(opener: Cipher, plan: QueryPlan, ranked: Sequence[Ranked]) -> Texts:
    """Opens all of these, in their order."""
    memories = [one.memory for one in ranked]
    found, reasons = await opened_in_time(opener, plan.scope.org_id, memories, plan.opening)
    pairs = zip(ranked, found, strict=True)
    return Texts([one if one.memory is memory else replace(one, memory=memory) for one, memory in pairs], reasons)


async def _readable(opener: Cipher, plan: QueryPlan, ranked: Sequence[Ranked]) -> Texts:
    """The first k readable results, filled up to k with unreadable ones."""
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
