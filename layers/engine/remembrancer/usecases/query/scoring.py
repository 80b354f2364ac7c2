"""Steps 6, 7 and 9: scores and orders the evidence, then adds boosts from relations, person, session and owner."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import Floats, MemoryColumns
from remembrancer.domain.ranking import fusion, helpfulness, hybrid_ranking, ownership, score_boosts
from remembrancer.domain.ranking.helpfulness import Judged
from remembrancer.domain.ranking.hybrid_ranking import Ranges, Ranked, Ranking
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.candidates import Candidates, or_zero
from remembrancer.domain.retrieval.evidence import Evidence, cosines
from remembrancer.ports.search import Circumstances
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.retrieval.evidence import vectors_of
from remembrancer.usecases.retrieval.relations import Traversal
from remembrancer.usecases.retrieval.search import SEARCHES, Found, SearchResult


def rank(
    plan: QueryPlan,
    candidates: Candidates,
    memories: Sequence[Memory],
    described: MemoryColumns,
    *,
    clusters: Floats | None = None,
    use: UseCounts | None = None,
    ranges: Ranges | None = None,
    judged: Judged | None = None,
) -> Ranking:
    """Ranks the candidates, which have these memories and columns. `clusters` has the cosine of query and centroid; a
    memory without a cluster (NaN) uses its own cosine. `use` is the memories' current one, None where they have it.
    """
    return hybrid_ranking.rank(
        memories,
        described,
        _signals(plan, candidates, described, clusters),
        weights=hybrid_ranking.weights_of(plan.request.weights),
        half_life_hours=plan.intent.half_life_hours,
        now=plan.now,
        use=use,
        ranges=ranges,
        helps=None if judged is None else judged.helps,
    )


def judge(plan: QueryPlan, found: Found, candidates: Candidates, described: MemoryColumns) -> Judged | None:
    """None where a search is missing, or there are too few candidates to compare."""
    remembered, embedded = found.searched.remembered, found.searched.embedded
    reports = plan.following.account.of(*SEARCHES)
    is_whole = remembered is not None or all(report.status == "ok" for report in reports.values())
    if not is_whole or embedded.degraded or len(candidates) < helpfulness.FEWEST_CANDIDATES:
        return None
    # As assembly compares them, with which the line was fitted: without clusters.
    relative = hybrid_ranking.evidence(
        described, _signals(plan, candidates, described, None), fusion.Sessions.of(described.session)
    )
    if ownership.asks_for_own(plan.request.query) and (own := candidates.memories.owned(plan.scope.end_user)).any():
        relative = ownership.favouring_own(relative, own)
    signals = helpfulness.Signals(
        or_zero(candidates.dense),
        candidates.lexical,
        candidates.subject,
        relative,
        described.tokens.astype(np.float64),
        found.information if remembered is None else remembered.information,
    )
    vector = None if embedded.vectors is None else embedded.vectors[0]
    evidence = signals.evidence(plan.request.query, vector, embedded.model)
    likely = signals.likely(evidence)
    return Judged(evidence.need, helpfulness.in_answer(evidence, likely), likely)


def _signals(
    plan: QueryPlan, candidates: Candidates, described: MemoryColumns, clusters: Floats | None
) -> hybrid_ranking.QuerySignals:
    lexical = hybrid_ranking.over_best(or_zero(candidates.content))
    semantic = hybrid_ranking.expected(candidates.dense, lexical)
    cluster = semantic if clusters is None else np.where(np.isnan(clusters), semantic, clusters)
    return hybrid_ranking.QuerySignals(
        semantic=semantic,
        lexical=lexical,
        context=hybrid_ranking.over_best(or_zero(candidates.context)),
        subject=candidates.subject,
        period=fusion.period_closeness(described, plan.request.query, plan.local_now),
        cluster=np.clip(cluster, 0.0, 1.0),
    )


def boosted(
    plan: QueryPlan,
    searched: SearchResult,
    ranked: Ranking,
    circumstances: Circumstances,
    traversed: Traversal,
    organization: Organization | None,
) -> Sequence[Ranked]:
    """Candidates and related memories with their boosts, best first."""
    newcomers = _newcomers(plan, searched, ranked, traversed)
    owner = plan.scope.end_user.name if ownership.asks_for_own(plan.request.query) else None
    if not (newcomers or traversed.influences or circumstances.profile or circumstances.returned or owner):
        return ranked.ranked
    table = score_boosts.relation_table(organization.relation_boosts if organization else {})
    everybody = [*ranked.ranked, *newcomers]
    added = [
        score_boosts.boosts(
            one.memory,
            traversed.influences.get(one.memory.id, ()),
            table=table,
            profile=circumstances.profile,
            returned=circumstances.returned,
            owner=owner,
        )
        for one in everybody
    ]
    lifted = [
        replace(one, boosts=boost) if boost is not score_boosts.NONE else one
        for one, boost in zip(everybody, added, strict=True)
    ]
    return hybrid_ranking.in_final_order(lifted, tiebreak=ranked.tiebreak_applied)


def _newcomers(plan: QueryPlan, searched: SearchResult, ranked: Ranking, traversed: Traversal) -> Sequence[Ranked]:
    """Neighbours that no search found, scored on the same scale as the found memories."""
    if not traversed.memories:
        return ()
    found = {one.memory.id for one in ranked.ranked}
    memories = [
        memory
        for identifier, memory in traversed.memories.items()
        if identifier not in found and identifier in traversed.expansion.depths
    ]
    similarity = cosines(memories, vectors_of(searched))
    newcomers = Candidates.of([Evidence(memory, similarity.get(memory.id.int)) for memory in memories])
    return rank(plan, newcomers, memories, newcomers.memories.columns, ranges=ranked.ranges).ranked
