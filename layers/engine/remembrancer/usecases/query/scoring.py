"""Steps 6, 7 and 9: from evidence to an order, and what relations, person and session add to it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.ranking import fusion, hybrid_ranking, score_boosts
from remembrancer.domain.ranking.hybrid_ranking import Ranges, Ranked, Ranking
from remembrancer.ports.search import Circumstances, Matched
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.query.search import Candidate, Searched
from remembrancer.usecases.query.similarity import cosines
from remembrancer.usecases.query.traversal import Traversed


def rank(
    plan: Plan, candidates: Sequence[Candidate], clusters: Mapping[int, float], *, ranges: Ranges | None = None
) -> Ranking:
    """`clusters` is the cosine of query and centroid; a memory without a cluster is its own."""
    similarity = [one.similarity or 0.0 for one in candidates]
    memories = [one.memory for one in candidates]
    words = [one.words or Matched(one.memory) for one in candidates]
    cluster = [clusters.get(one.memory.id.int, own) for one, own in zip(candidates, similarity, strict=True)]
    return hybrid_ranking.rank(
        memories,
        hybrid_ranking.Evidence(
            semantic=np.array(similarity),
            lexical=_over_best([one.content for one in words]),
            context=_over_best([one.context for one in words]),
            subject=np.array([one.subject for one in words]),
            period=fusion.period_closeness(memories, plan.request.query, plan.now),
            cluster=np.clip(cluster, 0.0, 1.0),
        ),
        weights=hybrid_ranking.weights_of(plan.request.weights),
        half_life_hours=plan.intent.half_life_hours,
        now=plan.now,
        ranges=ranges,
    )


def _over_best(scores: Sequence[float]) -> NDArray[np.float64]:
    values = np.array(scores, dtype=np.float64)
    best = float(values.max(initial=0.0))
    return values / best if best else values


def boosted(
    plan: Plan, searched: Searched, ranked: Ranking, circumstances: Circumstances, traversed: Traversed
) -> Sequence[Ranked]:
    """Candidates and newcomers with what is added to their scores, best first."""
    newcomers = _newcomers(plan, searched, ranked, traversed)
    if not (newcomers or traversed.influences or circumstances.profile or circumstances.returned):
        return ranked.ranked
    organization = searched.words.organization
    table = score_boosts.relation_table(organization.relation_boosts if organization else {})
    everybody = [*ranked.ranked, *newcomers]
    added = [
        score_boosts.boosts(
            one.memory,
            traversed.influences.get(one.memory.id, ()),
            table=table,
            profile=circumstances.profile,
            returned=circumstances.returned,
        )
        for one in everybody
    ]
    lifted = [
        replace(one, boosts=boost) if boost is not score_boosts.NONE else one
        for one, boost in zip(everybody, added, strict=True)
    ]
    return hybrid_ranking.settle(lifted, tiebreak=ranked.tiebreak_applied)


def _newcomers(plan: Plan, searched: Searched, ranked: Ranking, traversed: Traversed) -> Sequence[Ranked]:
    """Neighbours that no search found, on the scale of those that were found."""
    if not traversed.memories:
        return ()
    found = {one.memory.id for one in ranked.ranked}
    memories = [
        memory
        for identifier, memory in traversed.memories.items()
        if identifier not in found and identifier in traversed.expansion.depths
    ]
    similarity = cosines(memories, searched.vectors)
    newcomers = [Candidate(memory, similarity.get(memory.id.int)) for memory in memories]
    return rank(plan, newcomers, {}, ranges=ranked.ranges).ranked
