"""Retrieval for assembly: every source at once, each with its own bound, what is late is left."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remembrancer.domain.assembly import AssembleRequest, SourceReport
from remembrancer.domain.filters import Filters
from remembrancer.domain.memory import NO_DIRECTIVE, Change, Directive
from remembrancer.domain.memory_map import MemoryMap
from remembrancer.domain.scope import Scope
from remembrancer.domain.turn import Turn, turn_key
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.identity import AgentState, AgentStates
from remembrancer.settings import Bounds
from remembrancer.usecases.bounded import SKIPPED, Outcome, Stopwatch, abandon, bounded
from remembrancer.usecases.evidence import Evidence, hot_places, merge
from remembrancer.usecases.searches import Search, Searched, Searches, arrived


@dataclass(frozen=True, slots=True)
class Retrieved:
    """All that arrived in time. `hot_is_cold` asks for a refill, `directive_uncached` for a write-back.

    `tier` says where the memories came from; `behind` how many of the newest writes a map did not know. `turn` is the
    key under which the turn is remembered, empty when it cannot be; `change` the state that the cache named, or that of
    the store when the cache was `contradicted` by it.
    """

    directive: Directive | None
    evidence: Sequence[Evidence]
    reports: Mapping[str, SourceReport]
    strategy: str = ""
    tier: str = "none"
    behind: int = 0
    hot_is_cold: bool = False
    directive_uncached: bool = False
    turn: str = ""
    remembered: Turn | None = None
    change: Change | None = None
    contradicted: bool = False
    wants_map: bool = False


@dataclass(frozen=True, slots=True)
class Retriever:
    """Reads directive, hot set and state of one agent beside the searches of its memories."""

    cache: AgentCache
    states: AgentStates
    searches: Searches
    bounds: Bounds
    hot_rows: int = 20
    minimum_confidence: float = 0.3

    async def retrieve(
        self, request: AssembleRequest, *, until_ms: float, watch: Stopwatch, now: datetime, rows: int
    ) -> Retrieved:
        """At `until_ms` on the watch at the latest; `rows` bounds the candidates of each search."""
        search = Search(
            request=request,
            scope=Scope(request.org_id, None, None, request.agent_id, request.end_user),
            filters=Filters(categories=request.options.categories, min_confidence=self.minimum_confidence),
            rows=rows,
            turn=turn_key(request) if rows else "",
            now=now,
            watch=watch,
            bound=min(until_ms, self.bounds.retrieval_ms),
        )
        known = self.searches.maps.find(request.org_id, request.agent_id)
        # First of all, because it takes longest. A turn that is known needs none.
        waits = not request.query or (search.turn and _is_asked_again(request))
        embedding = None if waits else self.searches.embed(search, known)
        snapshot = asyncio.ensure_future(
            self.cache.read(
                request.org_id,
                request.agent_id,
                request.end_user,
                self.hot_rows,
                known=known.change if known else None,
                turn=search.turn,
            )
        )
        state = asyncio.ensure_future(self._state(search))
        searching = asyncio.ensure_future(self.searches.run(search, snapshot, state, known, embedding))
        try:
            directive = await self._directive(search, snapshot, state)
            hot = await self._hot(search, snapshot, known)
            searched = await searching
            truth = await state
        finally:
            for task in (embedding, snapshot, searching, state):
                if task is not None and not task.done():
                    abandon(task)
        seen = arrived(snapshot)
        evidence = self._evidence(search, searched, hot.value, known)
        contradicted = seen is not None and _contradicts(truth, seen)
        if contradicted:
            evidence = await self._still_there(search, evidence)
            directive = _newer(directive, truth.value)
        change = truth.value.change if contradicted and truth.value else seen.change if seen else None
        return Retrieved(
            directive=directive.value,
            evidence=evidence,
            reports={
                "directive": directive.report,
                "hot": hot.report,
                "embed": searched.embedded.report,
                "cold": searched.cold.report,
                "lexical": searched.words.report,
            },
            strategy=searched.strategy,
            tier=searched.tier,
            behind=searched.behind,
            hot_is_cold=hot.value is not None and not hot.value.hot and not hot.value.hot_ids,
            directive_uncached=directive.value is not None and (seen is None or seen.directive is None),
            turn=search.turn,
            remembered=searched.remembered,
            change=change,
            contradicted=contradicted,
            wants_map=seen is not None or truth.value is not None,
        )

    async def _directive(
        self,
        search: Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        state: "asyncio.Future[Outcome[AgentState | None]]",
    ) -> Outcome[Directive]:
        """From whoever has it first: the cache, or the store, which says it with the agent's state."""
        watch = search.watch
        until_ms = min(search.bound, self.bounds.directive_ms)
        started = watch.elapsed_ms()
        report = SourceReport("timeout")
        late: set[asyncio.Future[Any]] = {snapshot, state}
        found: Directive | None = None
        while late and found is None:
            left = max(until_ms - watch.elapsed_ms(), 0.0)
            done, late = await asyncio.wait(late, timeout=left / 1000, return_when=asyncio.FIRST_COMPLETED)
            if (seen := arrived(snapshot)) is not None:
                found = seen.directive
            if state.done() and found is None:
                stored = state.result()
                report = stored.report
                if report.status == "ok":
                    found = stored.value.directive if stored.value else NO_DIRECTIVE
            if not done:
                break
        latency = watch.elapsed_ms() - started
        if found is None:
            return Outcome(None, replace(report, started_ms=started, latency_ms=latency))
        return Outcome(found, SourceReport("ok", started, latency, int(found.version > 0)))

    async def _state(self, search: Search) -> Outcome[AgentState | None]:
        """The store's own word: what is cached may have missed a removal while the cache could not be told."""
        request = search.request
        until_ms = min(search.bound, max(self.bounds.hot_ms, self.bounds.directive_ms))
        return await bounded(self.states.state(request.org_id, request.agent_id), until_ms=until_ms, watch=search.watch)

    async def _still_there(self, search: Search, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        """As the store has them now; nothing when it does not say in time."""
        request = search.request
        ids = [item.memory.id for item in evidence]
        if not ids:
            return evidence
        reading = self.searches.source.rows(request.org_id, request.agent_id, ids)
        stored = await bounded(reading, until_ms=search.bound, watch=search.watch, count=len)
        rows = {memory.id.int: memory for memory in stored.value or ()}
        return [replace(item, memory=rows[item.memory.id.int]) for item in evidence if item.memory.id.int in rows]

    async def _hot(
        self, search: Search, snapshot: "asyncio.Future[AgentSnapshot]", known: MemoryMap | None
    ) -> Outcome[AgentSnapshot]:
        if "hot" in search.request.options.skip:
            return SKIPPED

        def count(found: AgentSnapshot) -> int:
            """Ids are those of every end user: only what this one may read is told."""
            if found.hot or known is None:
                return len(found.hot)
            return len(hot_places(known, found, search.request.end_user, self.hot_rows))

        return await bounded(
            snapshot,
            until_ms=min(search.bound, self.bounds.hot_ms),
            watch=search.watch,
            count=count,
        )

    def _evidence(
        self, search: Search, searched: Searched, hot: AgentSnapshot | None, known: MemoryMap | None
    ) -> Sequence[Evidence]:
        if searched.remembered is not None:
            return searched.evidence
        if searched.found is not None:
            return searched.found.evidence(hot, search.request.end_user, self.hot_rows)
        if hot is not None and hot.hot_ids and known is not None:
            places = hot_places(known, hot, search.request.end_user, self.hot_rows)
            hot = replace(hot, hot=[known.memory(place) for place in places])
        return merge(
            hot, searched.cold.value, searched.words.value, searched.embedded.value, self.searches.embedder.model
        )


def _is_asked_again(request: AssembleRequest) -> bool:
    """Whether the turn is probably known: it has a name, or the agent has done something since the user spoke."""
    position, _ = request.question
    return bool(request.turn_id) or position < len(request.messages) - 1


def _contradicts(truth: Outcome[AgentState | None], seen: AgentSnapshot) -> bool:
    """Whether the cache missed a removal or a directive, or the agent's end; a store that does not say does not."""
    if truth.report.status != "ok":
        return False
    if truth.value is None:
        return True
    known = seen.change.removals if seen.change else 0
    directive = seen.directive.version if seen.directive else truth.value.directive.version
    return known < truth.value.change.removals or directive < truth.value.directive.version


def _newer(cached: Outcome[Directive], state: AgentState | None) -> Outcome[Directive]:
    if cached.value is None or state is None or cached.value.version >= state.directive.version:
        return cached
    return Outcome(state.directive, cached.report)
