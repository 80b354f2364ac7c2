"""Step 11: builds the answer and its report on how it was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from remembrancer.domain.context.assembly import SourceReport, missing
from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.helpfulness import Judged
from remembrancer.domain.ranking.hybrid_ranking import Ranked, Ranking
from remembrancer.domain.requests.rounding import figure
from remembrancer.domain.retrieval.query import Ending, QueryAnswer, Result
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory
from remembrancer.usecases.query.plan import QueryPlan
from remembrancer.usecases.query.popular import POPULAR, CachedAnswer, CachedResult, Popularity
from remembrancer.usecases.query.rows import LiveCandidates
from remembrancer.usecases.query.texts import Texts
from remembrancer.usecases.retrieval.evidence import vectors_of
from remembrancer.usecases.retrieval.relations import Traversal
from remembrancer.usecases.retrieval.search import Found

TIERS = ("hot", "warm", "cold")
SEARCHES = ("names", "embed", "vector", "lexical", "hot", "hyde")
SOURCES = (*SEARCHES, "history", "graph")

# Missing these does not mark an answer degraded: a replaced embedding is reported by its substitute, and
# a query is embedded as it is when the known names are missing.
UNNAMED = frozenset({"embed", "names"})


@dataclass(frozen=True, slots=True)
class Course:
    """The results of each step of one query; `began_early`: before the state of its scope was read."""

    plan: QueryPlan
    popularity: Popularity
    found: Found
    rows: LiveCandidates
    ranking: Ranking
    judged: Judged | None
    traversed: Traversal
    texts: Texts
    names: Mapping[int, str]
    began_early: bool = False

    @property
    def degraded(self) -> list[str]:
        """The sources that are missing or answered incompletely."""
        reports = {name: report for name, report in self._reports().items() if name not in UNNAMED}
        unconfirmed = [f"unconfirmed:{self.found.unconfirmed}"] if self.found.unconfirmed else []
        return [*self.found.searched.embedded.degraded, *missing(reports), *unconfirmed, *self.texts.reasons]

    @property
    def may_be_kept(self) -> bool:
        """Whether this answer to a popular query is complete and as new as the state of its scope, which was read
        before the searches, or beside a search in a map that the store did not contradict afterwards.
        """
        searched = self.found.searched
        if self.popularity.state is None or not self.is_complete or searched.remembered is not None:
            return False
        if searched.map is None:
            return not self.began_early
        return self.rows.circumstances.change == searched.map.change

    @property
    def is_complete(self) -> bool:
        """Whether no source was late or failed."""
        return not self.degraded

    @property
    def ending(self) -> Ending:
        """Why the answer has no more memories."""
        request, ranked, judged = self.plan.request, self.ranking.ranked, self.judged
        helping = len(hybrid_ranking.helping(ranked, request.line))
        line, need = (None, None) if judged is None else (request.line, judged.need)
        return Ending.of(k=request.k, found=len(ranked), helping=helping, line=line, need=need)

    def turn(self) -> Turn | None:
        """What a repeated request of the turn gets; None when the turn cannot be identified, or a source is missing."""
        model = self.found.searched.embedded.model
        vectors = vectors_of(self.found.searched).get(model)
        if not self.plan.search.turn or not self.is_complete or vectors is None:
            return None
        candidates = self.rows.candidates
        told = tuple(map(TurnMemory.of, candidates))
        return Turn(told, len(candidates), vectors, model=model, information=self.found.information)

    def kept(self) -> CachedAnswer:
        """The answer in the form that is cached for popular queries."""
        paths = self.traversed.expansion.paths if self.plan.depth else {}
        held, memories = self.rows.candidates.terms, self.rows.memories
        matched = {memories[row].id.int: terms for row, terms in held.items()}
        results = [
            CachedResult(one, matched.get(one.memory.id.int, ()), paths.get(one.memory.id, ()))
            for one in self.texts.ranked
        ]
        return CachedAnswer(results, self.ranking.tiebreak_applied, self.ranking.ranges, self.ending)

    def answer(self) -> QueryAnswer:
        """The answer to return to the caller."""
        answer = _answer(self.plan, self.kept(), self.names)
        return replace(answer, routing_info=self._routing_info(), degraded=self.degraded, steps=self._steps())

    def _reports(self) -> Mapping[str, SourceReport]:
        return self.plan.following.account.of(*SOURCES)

    def _routing_info(self) -> dict[str, Any]:
        searched = self.found.searched
        hypothesised = searched.hypothesised
        return {
            "sources": {name: report.as_json() for name, report in self._reports().items()},
            "skipped": self._skipped(),
            "memory_tiers": list(self.plan.filters.tiers),
            "vector_strategy": searched.strategy,
            "candidates": len(self.ranking.ranked),
            "dropped_rows": self.rows.dropped,
            "embedding": searched.embedded.as_json(),
            "hyde": {"origin": hypothesised.origin, "hypotheses": len(hypothesised.vectors)},
            "traversal": {"depth": self.plan.depth, "reached": self._reached()},
            "result_cache": _result_cache(self.plan, self.popularity),
            "factor_ranges": _ranges(self.ranking.ranges),
        }

    def _steps(self) -> list[dict[str, Any]]:
        plan, searched = self.plan, self.found.searched
        reports = plan.following.account.of(*SEARCHES)
        counts = {name: report.count for name, report in reports.items() if report.status == "ok"}
        did: Sequence[tuple[str, dict[str, Any]]] = [
            ("validate", {"adjusted": len(plan.request.adjusted)}),
            ("scope", {"agent": plan.scope.agent_id is not None, "end_user": plan.scope.end_user.name is not None}),
            ("embed", searched.embedded.as_json()),
            ("search", {"candidates": counts}),
            ("rows", {"status": self._reports()["history"].status, "dropped": self.rows.dropped}),
            ("factors", {"candidates": len(self.ranking.ranked), "half_life_hours": plan.intent.half_life_hours}),
            ("tiebreak", {"applied": self.ranking.tiebreak_applied}),
            ("graph", {"depth": plan.depth, "reached": self._reached()}),
            ("boosts", {"boosted": sum(bool(one.boosts.terms) for one in self.texts.ranked)}),
            ("decrypt", {"unreadable": _unreadable(self.texts.ranked)}),
            ("compose", {"memories": len(self.texts.ranked), "left_out": self.ending.left_out}),
            ("side_effects", {"usage": len(self.texts.ranked), "kept": self.may_be_kept}),
        ]
        return [{"step": number, "name": name, **what} for number, (name, what) in enumerate(did, 1)]

    def _reached(self) -> int:
        return len(self.traversed.expansion.paths) if self.plan.depth else 0

    def _skipped(self) -> dict[str, str]:
        plan = self.plan
        why: dict[str, str] = {}
        if plan.scope.agent_id is None:
            why["hot"] = "no agent_id"
        if not plan.hyde:
            why["hyde"] = "not asked for" if plan.has_language_model else "no language model"
        if not plan.depth:
            why["graph"] = "traversal_depth is 1"
        left_out = "filters.tier" if plan.request.filters.tiers else "computation tier"
        return why | {f"{name} memories": left_out for name in TIERS if name not in plan.filters.tiers}


def kept_answer(
    plan: QueryPlan, popularity: Popularity, answer: CachedAnswer, texts: Texts, names: Mapping[int, str]
) -> QueryAnswer:
    """The answer to return for a cached popular query, with its texts."""
    results = [replace(kept, ranked=ranked) for kept, ranked in zip(answer.results, texts.ranked, strict=True)]
    return replace(
        _answer(plan, replace(answer, results=results), names),
        routing_info={
            "sources": {},
            "skipped": {"searches": "result cache"},
            "memory_tiers": list(plan.filters.tiers),
            "vector_strategy": "none",
            "result_cache": _result_cache(plan, popularity),
            "factor_ranges": _ranges(answer.ranges),
        },
        degraded=texts.reasons,
        steps=[
            {"step": 1, "name": "validate", "adjusted": len(plan.request.adjusted)},
            {"step": 2, "name": "scope", "result_cache": True},
            {"step": 12, "name": "side_effects", "usage": len(answer.results), "kept": False},
        ],
    )


def _answer(plan: QueryPlan, answer: CachedAnswer, names: Mapping[int, str]) -> QueryAnswer:
    """The answer before `steps` and reports are added."""
    elapsed_ms = plan.following.elapsed_ms
    return QueryAnswer(
        request=plan.request,
        found=[
            Result(one.ranked, tuple(name for term, name in names.items() if term in one.terms), one.path)
            for one in answer.results
        ],
        intent=plan.intent,
        tier=plan.tier,
        elapsed_ms=elapsed_ms,
        tiebreak_applied=answer.tiebreak_applied,
        ending=answer.ending,
        routing_info={},
        timings_ms={**plan.following.account.timings_ms, "total": elapsed_ms},
        unreadable=_unreadable([one.ranked for one in answer.results]),
    )


def _unreadable(ranked: Sequence[Ranked]) -> int:
    return sum(one.memory.is_unreadable for one in ranked)


def _result_cache(plan: QueryPlan, popularity: Popularity) -> dict[str, Any]:
    if popularity.query_key is None:
        why = "custom weights" if plan.request.weights else "filters.metadata" if plan.filters.metadata else "late"
        return {"hit": False, "skipped": why}
    hit = popularity.answer is not None
    return {"hit": hit, "asked": popularity.asked, "popular": popularity.asked + 1 >= POPULAR}


def _ranges(ranges: Mapping[str, tuple[float, float]]) -> dict[str, list[float]]:
    return {name: [figure(limit) for limit in limits] for name, limits in ranges.items()}
