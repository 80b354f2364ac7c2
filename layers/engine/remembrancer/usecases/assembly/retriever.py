"""Retrieval for assembly: what is searched for with a request's question, and the relations of the best results."""

from dataclasses import dataclass, replace

from remembrancer.domain.context.assembly import SKIPPABLE
from remembrancer.domain.context.budget import HOT_ROWS, LEXICAL_ROWS
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.ranking.assembly_score import MINIMUM_CONFIDENCE
from remembrancer.domain.retrieval import hypotheses
from remembrancer.domain.retrieval.asked_time import asked_anywhere
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import is_asked_again, session_key, turn_key
from remembrancer.ports.search import RecallStore
from remembrancer.settings import Bounds
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.relations import Walk, follow, with_related
from remembrancer.usecases.retrieval.retrieval import Retrieval
from remembrancer.usecases.retrieval.search import Found, Hypotheses, Search, SearchBounds

HYPOTHESES_FROM_MS = 980.0
"""The least milliseconds for an answer in which hypotheses are made: the caller allowed a second."""
HYPOTHESES_MS = 2000.0
"""Most milliseconds for hypotheses in all."""


@dataclass(frozen=True, slots=True)
class Retriever:
    """Retrieves for one request; `lexical_rows` bounds the candidates by words.

    `hops` relations are followed from the `top_k` best results of hypotheses. Without `enabled` no memories are
    searched.
    """

    retrieval: Retrieval
    store: RecallStore
    lexical_rows: int = LEXICAL_ROWS
    hops: int = hypotheses.HOPS
    top_k: int = hypotheses.CANDIDATES
    enabled: bool = True

    async def retrieve(self, plan: AssemblyPlan, afterwards: Afterwards, *, rows: int) -> Found:
        """Retrieves by the plan's deadline for searches; `rows` bounds the candidates of each search."""
        search = self._search(plan, rows)
        found = await self.retrieval.find(search, afterwards)
        return replace(found, candidates=await self._with_related(search, found))

    def _search(self, plan: AssemblyPlan, rows: int) -> Search:
        request, enabled = plan.request, self.enabled and plan.searches
        query = request.query if enabled else ""
        return Search(
            scope=Scope(request.org_id, None, None, request.agent_id, request.end_user),
            query=query,
            referred=request.referred,
            filters=Filters(
                categories=request.options.categories,
                min_confidence=MINIMUM_CONFIDENCE,
                # Which time zone counts is read meanwhile; each memory is checked again when it is scored.
                time=asked_anywhere(query, as_of=request.options.as_of, now=plan.now),
            ),
            limit=rows,
            lexical_limit=min(rows, self.lexical_rows),
            hot_limit=HOT_ROWS,
            now=plan.now,
            deadline=plan.retrieving.within(plan.bounds.retrieval_ms),
            bounds=_search_bounds(plan.bounds),
            skip=request.options.skip if enabled else SKIPPABLE,
            turn=turn_key(request) if rows and enabled else "",
            is_asked_again=is_asked_again(request),
            session=session_key(request) if enabled else "",
            with_pinned=self.enabled,
            # With the directive, earlier messages have no blocks.
            messages=() if request.options.placement == "system" else request.messages,
            for_prompt=True,
            hypotheses=self._hypotheses(plan),
        )

    def _hypotheses(self, plan: AssemblyPlan) -> Hypotheses | None:
        """None where none are wanted or the deadline leaves no time for them."""
        request, deadline = plan.request, plan.retrieving
        if not (self.enabled and plan.searches) or not request.query or request.options.hyde is False:
            return None
        if plan.deadline.end_ms < HYPOTHESES_FROM_MS:
            return None
        return Hypotheses(
            deadline.within(HYPOTHESES_MS),
            request.messages,
            session_id=request.session_id,
            turn_id=request.turn_id,
            each=self.top_k,
        )

    async def _with_related(self, search: Search, found: Found) -> Candidates:
        """Adds memories that relations lead to from the best results, where hypotheses were made in this turn."""
        asked, hypothesised = search.hypotheses, found.searched.hypothesised
        if asked is None or not hypothesised.answers or not self.hops:
            return found.candidates
        best = sorted(found.candidates, key=lambda item: (-(item.dense or 0.0), item.memory.id.int))[: self.top_k]
        walk = Walk(search.scope, search.filters, self.hops, hypothesised.model, search.now, asked.making)
        return with_related(found.candidates, await follow(self.store, walk, [item.memory.id for item in best]))


def _search_bounds(bounds: Bounds) -> SearchBounds:
    return SearchBounds(
        hot_ms=bounds.hot_ms,
        vector_ms=bounds.cold_ms,
        lexical_ms=bounds.lexical_ms,
        turn_ms=bounds.cache_wait_ms,
        state_ms=bounds.hot_ms,
        additions_ms=bounds.additions_ms,
        names_ms=bounds.names_ms,
        segment_ms=bounds.segment_ms,
        directive_ms=bounds.directive_ms,
    )
