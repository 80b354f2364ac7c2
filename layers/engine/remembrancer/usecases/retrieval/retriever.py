"""Retrieval for assembly: every source at once, each with its own bound, what is late is left."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remembrancer.domain.context.assembly import AssembleRequest, SourceReport
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Change, Directive
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import Turn, turn_key
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.identity import AgentState, AgentStates
from remembrancer.settings import Bounds
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import SKIPPED, Deadline, Outcome, abandon
from remembrancer.usecases.retrieval.evidence import Evidence, hot_places, merge
from remembrancer.usecases.retrieval.searches import Search, Searched, Searches, arrived

UNCONFIRMED = "Unconfirmed"
"""The cause of a source's error: it answered, and what it said could not be held against the store."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """All that arrived in time. `hot_is_cold` asks for a refill, `directive_uncached` for a write-back.

    `tier` says where the memories came from; `behind` how many of the newest writes a map did not know. `turn` is the
    key under which the turn is remembered, empty when it cannot be; `change` the state that the cache named, or that of
    the store when the cache was `contradicted` by it; `unconfirmed` why the store did not say that the cache is right.
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
    unconfirmed: str = ""
    wants_map: bool = False


@dataclass(frozen=True, slots=True)
class Retriever:
    """Reads directive, hot set and state of one agent beside the searches of its memories."""

    cache: AgentCache
    states: AgentStates
    searches: Searches
    confirmations: Confirmations
    bounds: Bounds
    hot_rows: int = 20
    minimum_confidence: float = 0.3

    async def retrieve(self, request: AssembleRequest, deadline: Deadline, now: datetime, *, rows: int) -> Retrieved:
        """By the deadline; `rows` bounds the candidates of each search."""
        search = Search(
            request=request,
            scope=Scope(request.org_id, None, None, request.agent_id, request.end_user),
            filters=Filters(categories=request.options.categories, min_confidence=self.minimum_confidence),
            rows=rows,
            turn=turn_key(request) if rows else "",
            now=now,
            deadline=deadline.within(self.bounds.retrieval_ms),
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
        if not self._is_believed(request, truth, seen):
            hot, searched = _left_out(hot), _without_caches(searched)
        evidence = self._evidence(search, searched, hot.value, known)
        contradicted = seen is not None and _contradicts(truth, seen)
        if contradicted:
            directive = _stored(directive, truth.value)
        if seen is not None and contradicted and _is_beyond(truth.value, seen):
            # What the store has and the caches lack cannot be told by looking at what is in them.
            self.searches.maps.drop(request.org_id, request.agent_id)
            hot = Outcome(None, replace(hot.report, count=0))
            searched = await self.searches.anew(search, searched)
            evidence = self._evidence(search, searched, None, None)
        elif contradicted:
            checked = await self._still_there(search, evidence)
            if checked.value is None:
                hot, searched = _left_out(hot), _without_caches(searched)
                evidence = self._evidence(search, searched, None, known)
            else:
                evidence = checked.value
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
            unconfirmed="" if seen is None or truth.report.status == "ok" else truth.report.reason.rpartition(":")[2],
            wants_map=seen is not None or truth.value is not None,
        )

    async def _directive(
        self,
        search: Search,
        snapshot: "asyncio.Future[AgentSnapshot]",
        state: "asyncio.Future[Outcome[AgentState | None]]",
    ) -> Outcome[Directive]:
        """From whoever has it first: the cache, or the store, which says it with the agent's state."""
        deadline = search.deadline.within(self.bounds.directive_ms)
        started = deadline.elapsed_ms

        def known() -> Directive | None:
            seen = arrived(snapshot)
            if seen is not None and seen.directive is not None:
                return seen.directive
            if not state.done() or state.result().report.status != "ok":
                return None
            stored = state.result().value
            return stored.directive if stored else NO_DIRECTIVE

        found = await deadline.first(known, snapshot, state)
        latency = deadline.elapsed_ms - started
        if found is None:
            report = state.result().report if state.done() else SourceReport("timeout")
            return Outcome(None, replace(report, started_ms=started, latency_ms=latency))
        return Outcome(found, SourceReport("ok", started, latency, int(found.version > 0)))

    async def _state(self, search: Search) -> Outcome[AgentState | None]:
        """The agent's counters in Postgres, since Redis may have missed a removal.

        As long as for the searches, which take longer: what is late then is not confirmed.
        """
        request = search.request
        reading = self.states.state(request.org_id, request.agent_id)
        return await search.deadline.within(self.bounds.cold_ms).run("state", reading)

    def _is_believed(
        self, request: AssembleRequest, truth: Outcome[AgentState | None], seen: AgentSnapshot | None
    ) -> bool:
        """Whether what is cached may be used: the store says now whether it is true, or has said so lately."""
        place = request.org_id, request.agent_id
        if truth.report.status == "ok":
            if seen is not None and _contradicts(truth, seen):
                self.confirmations.withdraw(*place)
            elif seen is not None:
                self.confirmations.note(*place, seen)
            return True
        return seen is not None and self.confirmations.hold(*place, seen)

    async def _still_there(self, search: Search, evidence: Sequence[Evidence]) -> Outcome[Sequence[Evidence]]:
        """As the store has them now."""
        request = search.request
        ids = [item.memory.id for item in evidence]

        async def stored() -> Sequence[Evidence]:
            found = await self.searches.source.rows(request.org_id, request.agent_id, ids) if ids else ()
            rows = {memory.id.int: memory for memory in found}
            return [replace(item, memory=rows[item.memory.id.int]) for item in evidence if item.memory.id.int in rows]

        return await search.deadline.run("rows", stored(), count=len)

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

        return await search.deadline.within(self.bounds.hot_ms).run("hot", snapshot, count=count)

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
    """Whether the cache missed a removal or a directive, or the agent's end, or knows of what the store does not.

    A store that does not say does not contradict.
    """
    if truth.report.status != "ok":
        return False
    if truth.value is None:
        return True
    known = seen.change.removals if seen.change else 0
    directive = seen.directive.version if seen.directive else truth.value.directive.version
    missed = known < truth.value.change.removals or directive < truth.value.directive.version
    return missed or _is_beyond(truth.value, seen)


def _is_beyond(state: AgentState | None, seen: AgentSnapshot) -> bool:
    """Whether the cache knows of what the store does not: it was restored, or a write came between the two reads."""
    if state is None:
        return False
    directive = seen.directive is not None and seen.directive.version > state.directive.version
    return directive or (seen.change is not None and seen.change.is_beyond(state.change))


def _stored(cached: Outcome[Directive], state: AgentState | None) -> Outcome[Directive]:
    """An agent that is gone has none."""
    stored = NO_DIRECTIVE if state is None else state.directive
    return cached if cached.value is None else Outcome(stored, cached.report)


def _left_out(source: Outcome[Any]) -> Outcome[Any]:
    """What a source gave is not used, and the answer says so."""
    if source.report.status != "ok":
        return source
    return Outcome(None, replace(source.report, status="error", count=0, cause=UNCONFIRMED))


def _without_caches(searched: Searched) -> Searched:
    """What the store itself found needs no confirmation."""
    if searched.tier not in {"map", "turn_cache"}:
        return searched
    return Searched(searched.embedded, _left_out(searched.cold), _left_out(searched.words))
