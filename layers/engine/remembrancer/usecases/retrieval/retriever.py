"""Retrieval for assembly: directive, hot set and the agent's state beside the searches, each with its own bound."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from remembrancer.domain.context.assembly import SKIPPABLE, AssembleRequest, SourceReport
from remembrancer.domain.context.budget import HOT_ROWS, LEXICAL_ROWS
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Directive
from remembrancer.domain.ranking.assembly_score import MINIMUM_CONFIDENCE
from remembrancer.domain.retrieval import hypotheses
from remembrancer.domain.retrieval.asked_time import asked_anywhere
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.freshness import Decision, Late, StoreState, Verdict
from remembrancer.domain.retrieval.turn_key import Turn, turn_key
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.identity import AgentStates
from remembrancer.ports.search import RelationGraph
from remembrancer.settings import Bounds
from remembrancer.usecases.retrieval.after_response import Afterwards, FollowUp
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import RENEWED_FROM, Confirmations
from remembrancer.usecases.retrieval.deadline import NEVER_RAN, Deadline, SourceOutcome, abandon, done
from remembrancer.usecases.retrieval.hot_set import HotSets
from remembrancer.usecases.retrieval.known_agents import Moment, Place
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.relations import Walk, follow, with_related
from remembrancer.usecases.retrieval.search import Hypotheses, Search, SearchBounds, Searched
from remembrancer.usecases.retrieval.searches import Searches, State

HYPOTHESES_FROM_MS = 980.0
"""The least milliseconds for retrieval in which hypotheses are made: the caller allowed a second."""
HYPOTHESES_MS = 2000.0
"""Most milliseconds for hypotheses in all."""
REPEATED = "repeated"
"""The origin of an agent's state that Postgres gave to an earlier request."""
UNCONFIRMED = "Unconfirmed"
"""The cause of a source's error: it answered, but the answer could not be verified against the store."""
NAMES_MS = 5.0
"""Most milliseconds to wait for the names an agent knows; after that the query is embedded with all its names."""
SOURCES = {"directive": "directive", "hot": "hot", "embed": "embed", "cold": "vector", "lexical": "lexical"}
"""Names of the sources in answers and reports."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The results that arrived in time, and the `work` that belongs after the response: it fills the caches that this
    request missed.

    `tier` tells where the memories came from; `behind` how many of the newest writes a map lacked. `unconfirmed` is the
    reason why the store did not confirm the cache. `is_whole`: neither hypotheses nor relations failed; callers are not
    told about these. `uses_memories` is false where they are switched off, `captures` true where the turns of assembled
    requests are captured; both are None where the store did not say. `information` is how many rare words the query is
    worth.
    """

    directive: Directive | None
    evidence: Sequence[Evidence]
    reports: Mapping[str, SourceReport]
    tier: str = "none"
    behind: int = 0
    remembered: Turn | None = None
    unconfirmed: str = ""
    work: Sequence[FollowUp] = ()
    search: Search | None = None
    is_whole: bool = True
    uses_memories: bool | None = None
    captures: bool | None = None
    information: float = 0.0

    def without_memories(self) -> "Retrieved":
        """The directive alone, as where no memories are looked for: nothing of them is reported or done later."""
        directive = self.reports.get("directive", NEVER_RAN)
        return Retrieved(
            directive=self.directive,
            evidence=(),
            reports=dict.fromkeys(self.reports, NEVER_RAN) | {"directive": directive},
            unconfirmed=self.unconfirmed,
            work=[one for one in self.work if not one.of_memories],
            uses_memories=False,
            captures=self.captures,
        )


@dataclass(frozen=True, slots=True)
class Retriever:
    """Reads directive, hot set and state of one agent while its memories are searched.

    `lexical_rows` bounds the candidates by words. `hops` relations are followed from the `top_k` best results of
    hypotheses. Without `enabled` no memories are searched.
    """

    states: AgentStates
    searches: Searches
    confirmations: Confirmations
    bounds: Bounds
    graph: RelationGraph
    hot_sets: HotSets
    renewals: BackgroundReads
    lexical_rows: int = LEXICAL_ROWS
    hops: int = hypotheses.HOPS
    top_k: int = hypotheses.CANDIDATES
    enabled: bool = True

    async def retrieve(
        self, request: AssembleRequest, deadline: Deadline, now: datetime, afterwards: Afterwards, *, rows: int
    ) -> Retrieved:
        """Retrieves by the deadline; `rows` bounds the candidates of each search."""
        search = self._search(request, deadline, now, rows)
        place, begun = search.place, self.confirmations.now()
        reading = self.searches.begin(search, afterwards)
        answers = await self._read(reading)
        directive, hot, searched, truth = answers.directive, answers.hot, answers.searched, answers.truth
        reports = deadline.account.reports
        seen, reading = reading.seen, reading.completed(searched, hot)
        decision = self._judge(place, seen, truth, begun, afterwards)
        if decision.verdict is Verdict.LEAVE_OUT:
            hot, searched = None, _without_caches(searched, reports)
        contradicted = decision.verdict in {Verdict.READ_AGAIN, Verdict.ASK_STORE}
        if contradicted and directive is not None:
            # A deleted agent has no memories.
            directive = NO_DIRECTIVE if truth.value is None else truth.value.directive
        if decision.verdict is Verdict.ASK_STORE:
            self.searches.maps.drop(*place)
            if "hot" in reports:
                reports["hot"] = replace(reports["hot"], count=0)
            searched = await self.searches.anew(reading, searched)
            evidence = self.searches.evidence(replace(reading, known=None), searched, None)
        else:
            evidence = self.searches.evidence(reading, searched, hot)
            if contradicted and (stored := await self._still_there(search, evidence)) is None:
                searched = _without_caches(searched, reports)
                evidence = self.searches.evidence(reading, searched, None)
            elif contradicted:
                evidence = stored or ()
        evidence = await self._related(search, searched, evidence)
        return Retrieved(
            directive=directive,
            evidence=evidence,
            reports={name: deadline.account.of(source)[source] for name, source in SOURCES.items()},
            tier=searched.tier,
            behind=searched.behind,
            remembered=searched.remembered,
            unconfirmed=decision.unconfirmed,
            work=list(self._work(reading, seen, directive, hot, truth, contradicted=contradicted)),
            search=search,
            information=searched.words.information if searched.words else 0.0,
            uses_memories=self._uses_memories(truth),
            captures=truth.value.capture if truth.value is not None else None,
            is_whole=all(deadline.account.of(name)[name].status in {"ok", "skipped"} for name in ("hyde", "graph")),
        )

    def _work(
        self,
        reading: Reading,
        seen: AgentSnapshot | None,
        directive: Directive | None,
        hot: AgentSnapshot | None,
        truth: SourceOutcome[AgentState | None],
        *,
        contradicted: bool,
    ) -> Iterator[FollowUp]:
        """After the response: fills the caches that this request missed, for the next request. Where the store
        `contradicted` the cache, the cache is told.
        """
        search, cache, hot_sets, renewals = reading.search, self.searches.cache, self.hot_sets, self.renewals
        place = search.place
        change = seen.change if seen is not None else None
        if directive is not None and (contradicted or seen is None or seen.directive is None):
            yield FollowUp("cache_directive", partial(cache.put_directive, *place, directive))
        if contradicted:
            change = truth.value.change if truth.value is not None else change
            if change is not None:
                yield FollowUp("tell_cache", partial(cache.changed, *place, change))
        is_due = truth.report.origin == REPEATED and not self.confirmations.may_repeat(place, share=RENEWED_FROM)
        if seen is not None and is_due and not renewals.resting:
            yield FollowUp("renew_confirmation", lambda: renewals.read(self._renew(place, seen)), may_wait=False)
        if hot is not None and reading.lacks_hot_memories(hot) and not hot_sets.reads.resting:
            yield FollowUp("refill_hot_set", partial(hot_sets.refill, *place, search.now), of_memories=True)
        if seen is not None or truth.value is not None:
            yield from self.searches.map_refresh(search, change)

    async def _renew(self, place: Place, seen: AgentSnapshot) -> None:
        """Asks the store for the agent's state again, by which the requests of the next second may then go, if it still
        agrees with what the cache said, but is soon too old. Raises StoreError.
        """
        begun = self.confirmations.now()
        state = await self.states.state(*place)
        await self.confirmations.renew(place, seen, _said(state), begun, state=state)

    async def _read(self, reading: Reading) -> "_Answers":
        """The answers of caches and store while the memories are searched."""
        deadline = reading.search.deadline
        asked_ms = deadline.elapsed_ms
        state: State | None = None
        searching: asyncio.Future[Searched] | None = None
        try:
            state = await self._begun_state(reading)
            if not state.done():
                searching = asyncio.ensure_future(self.searches.run(reading, state))
            directive = await self._directive(reading, state, asked_ms)
            hot = await self._hot(reading)
            if searching is not None:
                await deadline.wait(state, searching)
            if self._uses_memories(state.result() if state.done() else None) is False:
                hot, searched = None, Searched()
            else:
                searched = await (searching or self.searches.run(reading, state))
            return _Answers(directive, hot, searched, await state)
        finally:
            reading.abandon()
            for task in (searching, state):
                if task is not None and not task.done():
                    abandon(task)

    def _uses_memories(self, truth: SourceOutcome[AgentState | None] | None) -> bool | None:
        """None where the store did not say."""
        if not self.enabled:
            return False
        known = truth.value if truth is not None else None
        return known.uses_memories if known is not None else None

    def _search(self, request: AssembleRequest, deadline: Deadline, now: datetime, rows: int) -> Search:
        query = request.query
        return Search(
            scope=Scope(request.org_id, None, None, request.agent_id, request.end_user),
            query=query if self.enabled else "",
            filters=Filters(
                categories=request.options.categories,
                min_confidence=MINIMUM_CONFIDENCE,
                # Which time zone counts is read meanwhile; each memory is checked again when it is scored.
                time=asked_anywhere(query, as_of=request.options.as_of, now=now),
            ),
            limit=rows,
            lexical_limit=min(rows, self.lexical_rows),
            hot_limit=HOT_ROWS,
            now=now,
            deadline=deadline.within(self.bounds.retrieval_ms),
            bounds=_search_bounds(self.bounds),
            skip=request.options.skip if self.enabled else SKIPPABLE,
            turn=turn_key(request) if rows and self.enabled else "",
            is_asked_again=_is_asked_again(request),
            may_lag=True,
            hypotheses=self._hypotheses(request, deadline),
        )

    def _hypotheses(self, request: AssembleRequest, deadline: Deadline) -> Hypotheses | None:
        """None where none are wanted or the deadline leaves no time for them."""
        if not self.enabled or not request.query or request.options.hyde is False:
            return None
        if deadline.end_ms < HYPOTHESES_FROM_MS:
            return None
        return Hypotheses(
            deadline.within(HYPOTHESES_MS),
            request.messages,
            session_id=request.session_id,
            turn_id=request.turn_id,
            each=self.top_k,
        )

    async def _directive(self, reading: Reading, state: State, asked_ms: float) -> Directive | None:
        """The first definite answer wins: the cache's, or the store's, which comes with the agent's state."""
        deadline = reading.search.deadline.within(self.bounds.directive_ms)

        def known() -> tuple[Directive, str] | None:
            seen = reading.seen
            if seen is not None and seen.directive is not None:
                return seen.directive, "cache"
            if not state.done() or state.result().report.status != "ok":
                return None
            stored = state.result().value
            return (stored.directive if stored else NO_DIRECTIVE), "db"

        found = await deadline.first(known, *((state,) if reading.snapshot is None else (reading.snapshot, state)))
        directive, origin = found or (None, "")
        report = state.result().report if state.done() else SourceReport("timeout")
        if directive is not None:
            exists = directive.version > 0
            report = SourceReport("ok", count=int(exists), origin=origin if exists else "none")
        latency = deadline.elapsed_ms - asked_ms
        deadline.account.reports["directive"] = replace(report, started_ms=asked_ms, latency_ms=latency)
        return directive

    async def _begun_state(self, reading: Reading) -> State:
        """The agent's state; where a map is searched, a repeated one is there when this returns, since that search
        waits for the cache's answer, too.
        """
        if reading.known is None:
            return asyncio.ensure_future(self._state(reading))
        repeated = await self._repeated(reading)
        return done(repeated) if repeated is not None else asyncio.ensure_future(self._asked(reading))

    async def _state(self, reading: Reading) -> SourceOutcome[AgentState | None]:
        return await self._repeated(reading) or await self._asked(reading)

    async def _repeated(self, reading: Reading) -> SourceOutcome[AgentState | None] | None:
        """The answer of Postgres to an earlier request, right after it has confirmed the same counters at the same
        server: a write that Redis did not take is acknowledged only when that time is over.
        """
        search = reading.search
        place = search.place
        if reading.snapshot is None or not self.confirmations.may_repeat(place):
            return None
        await search.deadline.within(search.bounds.turn_ms).wait(reading.snapshot)
        seen = reading.seen
        repeated = self.confirmations.repeated(place, seen) if seen is not None else None
        return None if repeated is None else SourceOutcome(repeated, SourceReport("ok", origin=REPEATED))

    async def _asked(self, reading: Reading) -> SourceOutcome[AgentState | None]:
        """The agent's counters in Postgres, since Redis may have missed a removal.

        Waits as long as for the searches, which take longer: if it is later than they are, the caches stay unconfirmed.
        """
        search = reading.search
        return await search.deadline.within(self.bounds.cold_ms).run("state", self.states.state(*search.place))

    def _judge(
        self,
        place: Place,
        seen: AgentSnapshot | None,
        truth: SourceOutcome[AgentState | None],
        begun: Moment,
        afterwards: Afterwards,
    ) -> Decision:
        """The verdict on what was cached, by the store's answer in this request or an earlier one; an answer to this
        request is noted.
        """
        if truth.report.status != "ok":
            return self.confirmations.judge(place, seen, Late(truth.report.reason.rpartition(":")[2]), begun)
        stored = _said(truth.value)
        if seen is not None and truth.report.origin != REPEATED:
            self.confirmations.note(place, seen, stored, begun, afterwards, state=truth.value)
        return self.confirmations.judge(place, seen, stored, begun)

    async def _still_there(self, search: Search, evidence: Sequence[Evidence]) -> Sequence[Evidence] | None:
        """The memories' current rows in the store; None where the store does not answer."""
        ids = [item.memory.id for item in evidence]

        async def stored() -> Sequence[Evidence]:
            found = await self.searches.source.rows(*search.place, ids) if ids else ()
            rows = {memory.id.int: memory for memory in found}
            return [replace(item, memory=rows[item.memory.id.int]) for item in evidence if item.memory.id.int in rows]

        return (await search.deadline.run("rows", stored(), count=len)).value

    async def _related(self, search: Search, searched: Searched, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        """Adds memories that relations lead to from the best results, where hypotheses were made in this turn."""
        asked = search.hypotheses
        if asked is None or not searched.hypothesised.answers or not self.hops:
            return evidence
        best = sorted(evidence, key=lambda item: (-(item.dense or 0.0), item.memory.id.int))[: self.top_k]
        model = searched.hypothesised.model
        walk = Walk(search.scope, search.filters, self.hops, model, search.now, asked.making)
        traversed = await follow(self.graph, walk, [item.memory.id for item in best])
        return with_related(evidence, traversed)

    async def _hot(self, reading: Reading) -> AgentSnapshot | None:
        """The cached data, if it comes in time; `Reading.completed` counts its hot memories after the searches."""
        search = reading.search
        if "hot" in search.skip or reading.snapshot is None:
            return None
        return (await search.deadline.within(search.bounds.hot_ms).run("hot", reading.snapshot)).value


def _search_bounds(bounds: Bounds) -> SearchBounds:
    return SearchBounds(
        hot_ms=bounds.hot_ms,
        vector_ms=bounds.cold_ms,
        lexical_ms=bounds.lexical_ms,
        turn_ms=bounds.cache_wait_ms,
        state_ms=bounds.hot_ms,
        additions_ms=bounds.additions_ms,
        names_ms=NAMES_MS,
        segment_ms=bounds.segment_ms,
    )


@dataclass(frozen=True, slots=True)
class _Answers:
    """What was read and found, before it is known whether the caches were right; `truth` is the store's answer."""

    directive: Directive | None
    hot: AgentSnapshot | None
    searched: Searched
    truth: SourceOutcome[AgentState | None]


def _is_asked_again(request: AssembleRequest) -> bool:
    """Whether this probably repeats a turn: it has an id, or the agent has acted since the user's last message."""
    position, _ = request.question
    return bool(request.turn_id) or position < len(request.messages) - 1


def _said(state: AgentState | None) -> StoreState:
    return StoreState(None) if state is None else StoreState(state.change, state.directive.version)


def _without_caches(searched: Searched, reports: dict[str, SourceReport]) -> Searched:
    """Keeps only what the store itself found, which needs no confirmation; the answer reports that cached data was
    dropped.
    """
    for name in ("hot", "vector", "lexical") if searched.is_cached else ("hot",):
        if name in reports and reports[name].status == "ok":
            reports[name] = replace(reports[name], status="error", count=0, cause=UNCONFIRMED)
    return Searched(searched.embedded) if searched.is_cached else searched
