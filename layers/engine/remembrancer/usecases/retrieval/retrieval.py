"""The one retrieval, of assembly and of the memory query: caches, searches, and the store's word on both."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.context.prefix import Prompt
from remembrancer.domain.context.told import ToldBlock, matched, said_in
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import NO_DIRECTIVE, Change, Directive
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.freshness import Decision, Late, Moment, StoreState, Verdict, compare
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.errors import StoreTimeout
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.identity import AgentStates
from remembrancer.usecases.retrieval.after_response import Afterwards, FollowUp
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import RENEWED_FROM, Confirmations
from remembrancer.usecases.retrieval.deadline import NEVER_RAN, SourceOutcome, abandon, done
from remembrancer.usecases.retrieval.hot_set import HotSets
from remembrancer.usecases.retrieval.known_agents import AgentKey
from remembrancer.usecases.retrieval.pinned import UNCONFIRMED, Pinning
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.search import NOTHING_EARLIER, Earlier, Found, Search, SearchResult
from remembrancer.usecases.retrieval.searcher import Searcher, State

REPEATED = "repeated"
"""The origin of an agent's state that Postgres gave to an earlier request."""
SOURCES = ("directive", "hot", "embed", "vector", "lexical", "told", "pinned")
"""Of which each `Found` has a report."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Finds the memories that help with a question, with the directive of their agent where a prompt is wanted."""

    states: AgentStates
    searcher: Searcher
    confirmations: Confirmations
    hot_sets: HotSets
    renewals: BackgroundReads

    async def find(self, search: Search, afterwards: Afterwards) -> Found:
        """Finds by the search's deadline what arrives in time, each source within its own bound:

        1. The cache is asked for directive, counters, hot memories and the turn; the question is embedded meanwhile.
        2. The store is asked for the agent's counters, unless it has confirmed those of the cache just now.
        3. The search is answered by the turn as it was stored, else by the agent's map if it is current, else by the
           store: by vector, by words and by hypotheses.
        4. Freshness decides whether what was cached is used, read again by id, searched anew in the store or left out.
        5. What the searches and the hot set found is merged, one candidate a memory; what the session was told before
           and what is pinned is read again by the same rules.
        6. The work after the response is named: it fills and mends the caches.
        """
        begun = self.confirmations.now()
        reading = self.searcher.begin(search, afterwards)
        read = await self._read(reading)
        reading, searched = reading.completed(read.searched, read.hot), read.searched
        decision = self._judge(reading, read, begun, afterwards)
        found = await self._corrected(reading, read, decision)
        contradicted = decision.verdict in {Verdict.READ_AGAIN, Verdict.ASK_STORE}
        directive = read.directive
        if contradicted and directive is not None:
            # A deleted agent has no memories.
            directive = NO_DIRECTIVE if read.state.value is None else read.state.value.directive
        work = self._work(reading, read, directive, decision.verdict, lags=_lags(search, searched, read.state.value))
        return replace(
            found,
            earlier=await self._confirmed(search, read.earlier, decision.verdict),
            pinned=() if read.pinning is None else await read.pinning.confirmed(decision.verdict),
            last=reading.seen.prompt if reading.seen is not None else None,
            reports=search.deadline.account.of(*SOURCES),
            directive=directive,
            state=read.state.value,
            unconfirmed=decision.unconfirmed,
            work=list(work),
            remember=self._remember(search),
            tell=self._tell(search),
        )

    def may_begin_early(self, search: Search) -> bool:
        """Whether this retrieval costs nothing but this instance's time, as long as the agent's map is current."""
        key, searcher = search.agent_key, self.searcher
        if key is None or not searcher.embedding.is_free or search.hypotheses is not None or search.filters.metadata:
            return False
        return searcher.maps.find(*key) is not None

    async def _read(self, reading: Reading) -> "_Read":
        """The answers of caches and store while the memories are searched."""
        search, deadline = reading.search, reading.search.deadline
        asked_ms = deadline.elapsed_ms
        state: State | None = None
        searching: asyncio.Future[SearchResult] | None = None
        has_earlier = bool(search.session and search.messages)
        earlier = asyncio.ensure_future(self._earlier(reading)) if has_earlier else done(NOTHING_EARLIER)
        pinning: Pinning | None = None
        try:
            state = await self._begun_state(reading)
            if not (search.for_prompt and state.done()):
                searching = asyncio.ensure_future(self.searcher.run(reading, state))
            directive = await self._directive(reading, state, asked_ms) if search.for_prompt else None
            hot = await self._hot(reading)
            if search.with_pinned and not _is_switched_off(state):
                pinning = await Pinning.begun(reading, self.searcher.source, state)
            if searching is not None and search.for_prompt:
                await deadline.wait(state, searching)
            if search.for_prompt and _is_switched_off(state):
                hot, searched = None, SearchResult()
            else:
                searched = await (searching or self.searcher.run(reading, state))
            pinning = None if pinning is None else await pinning.arrived(searched.map)
            return _Read(directive, hot, searched, await state, await earlier, pinning)
        finally:
            reading.abandon()
            if pinning is not None:
                pinning.abandon()
            for task in (searching, state, earlier):
                if task is not None and not task.done():
                    abandon(task)

    async def _directive(self, reading: Reading, state: State, asked_ms: float) -> Directive | None:
        """The first definite answer wins: the cache's, or the store's, which comes with the agent's state."""
        deadline = reading.search.deadline.within(reading.search.bounds.directive_ms)

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

    async def _hot(self, reading: Reading) -> AgentSnapshot | None:
        """The cached data, if it comes in time; `Reading.completed` counts its hot memories after the searches."""
        search = reading.search
        if "hot" in search.skip or reading.snapshot is None:
            return None
        return (await search.deadline.within(search.bounds.hot_ms).run("hot", reading.snapshot)).value

    async def _earlier(self, reading: Reading) -> Earlier:
        """What the session was told, by the messages of this request; the report stands under `told`."""
        search, searcher = reading.search, self.searcher
        assert reading.snapshot is not None
        deadline = search.deadline.within(search.bounds.vector_ms)
        # Not `run`, which would end what others wait for, too.
        await search.deadline.within(search.bounds.hot_ms).wait(reading.snapshot)
        seen = reading.seen

        async def told() -> Earlier:
            if seen is None:
                raise StoreTimeout("the cache did not answer", cause="Redis")
            organization = searcher.remembered(search.scope.org_id)
            organization = organization or await searcher.directory.organization(search.scope.org_id)
            said = said_in(search.messages, organization.term_key if organization else b"")
            blocks = matched(said, seen.told)
            ids = [memory.memory_id for block in blocks.values() for memory in block.memories]
            return Earlier(said, blocks, await searcher.rows_of(reading, seen, ids) if ids else {})

        found = await deadline.run("told", told(), count=lambda earlier: len(earlier.rows))
        return found.value or NOTHING_EARLIER

    async def _confirmed(self, search: Search, earlier: Earlier, verdict: Verdict) -> Earlier:
        """The same with rows that the store has confirmed, or none."""
        if not earlier.rows or verdict is Verdict.USE:
            return earlier
        reports = search.deadline.account.reports
        if verdict is Verdict.LEAVE_OUT:
            reports["told"] = replace(reports["told"], status="error", count=0, cause=UNCONFIRMED)
            return NOTHING_EARLIER
        assert search.agent_key is not None
        asked = self.searcher.source.rows(*search.agent_key, list(earlier.rows))
        stored = (await search.deadline.run("told", asked, count=len)).value
        return NOTHING_EARLIER if stored is None else replace(earlier, rows={memory.id: memory for memory in stored})

    async def _begun_state(self, reading: Reading) -> State:
        """The agent's state; where a map is searched, a repeated one is there when this returns, since that search
        waits for the cache's answer, too.
        """
        if reading.search.agent_key is None:
            return done(SourceOutcome(None, NEVER_RAN))
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
        search, key = reading.search, reading.search.agent_key
        if key is None or reading.snapshot is None or not self.confirmations.may_repeat(key):
            return None
        await search.deadline.within(search.bounds.turn_ms).wait(reading.snapshot)
        seen = reading.seen
        repeated = self.confirmations.repeated(key, seen) if seen is not None else None
        return None if repeated is None else SourceOutcome(repeated, SourceReport("ok", origin=REPEATED))

    async def _asked(self, reading: Reading) -> SourceOutcome[AgentState | None]:
        """The agent's counters in Postgres, since Redis may have missed a removal."""
        search = reading.search
        assert search.agent_key is not None
        asked = self.states.state(*search.agent_key)
        return await search.deadline.within(search.bounds.vector_ms).run("state", asked)

    def _judge(self, reading: Reading, read: "_Read", begun: Moment, afterwards: Afterwards) -> Decision:
        """The verdict on what was cached, by the store's answer in this request or an earlier one; an answer to this
        request is noted.
        """
        key, seen, state = reading.search.agent_key, reading.seen, read.state
        if key is None:
            return Decision(Verdict.USE)
        if state.report.status != "ok":
            return self.confirmations.judge(key, seen, Late(state.report.reason.rpartition(":")[2]), begun)
        stored = _said(state.value)
        if seen is not None and state.report.origin != REPEATED:
            self.confirmations.note(key, seen, stored, begun, afterwards, state=state.value)
        return self.confirmations.judge(key, seen, stored, begun)

    async def _corrected(self, reading: Reading, read: "_Read", decision: Decision) -> Found:
        """The candidates, as far as the store has confirmed what was cached."""
        search, searched, hot = reading.search, read.searched, read.hot
        reports, verdict = search.deadline.account.reports, decision.verdict
        if verdict is Verdict.LEAVE_OUT:
            searched, hot = _without_caches(searched, reports), None
        elif verdict is Verdict.ASK_STORE:
            assert search.agent_key is not None
            self.searcher.maps.drop(*search.agent_key)
            if "hot" in reports:
                reports["hot"] = replace(reports["hot"], count=0)
            hot = None
        if verdict is Verdict.ASK_STORE or _lags(search, searched, read.state.value):
            searched = await self.searcher.anew(reading, searched)
            reading = replace(reading, known=None)
        evidence = self.searcher.evidence(reading, searched, hot)
        if verdict is Verdict.READ_AGAIN:
            stored = await self._still_there(search, evidence)
            if stored is None:
                searched = _without_caches(searched, reports)
                stored = self.searcher.evidence(reading, searched, None)
            evidence = stored
        return Found(Candidates.of(evidence), searched)

    async def _still_there(self, search: Search, evidence: Sequence[Evidence]) -> Sequence[Evidence] | None:
        """The memories' current rows in the store; None where the store does not answer."""
        ids, key = [item.memory.id for item in evidence], search.agent_key
        assert key is not None

        async def stored() -> Sequence[Evidence]:
            rows = {memory.id.int: memory for memory in (await self.searcher.source.rows(*key, ids) if ids else ())}
            return [replace(item, memory=rows[item.memory.id.int]) for item in evidence if item.memory.id.int in rows]

        return (await search.deadline.run("rows", stored(), count=len)).value

    def _work(
        self, reading: Reading, read: "_Read", directive: Directive | None, verdict: Verdict, *, lags: bool
    ) -> Iterator[FollowUp]:
        """After the response: fills the caches that this request missed, for the next request. Where the store
        contradicted the cache, the cache is told.
        """
        search, seen, hot, stored = reading.search, reading.seen, read.hot, read.state.value
        cache, hot_sets, renewals, key = self.searcher.cache, self.hot_sets, self.renewals, search.agent_key
        if key is None:
            return
        change = seen.change if seen is not None else None
        contradicted = verdict in {Verdict.READ_AGAIN, Verdict.ASK_STORE}
        if directive is not None and (contradicted or seen is None or seen.directive is None):
            yield FollowUp("cache_directive", partial(cache.put_directive, *key, directive))
        if contradicted or lags:
            change = stored.change if stored is not None else change
            if change is not None:
                yield FollowUp("tell_cache", partial(cache.changed, *key, change))
        is_due = read.state.report.origin == REPEATED and not self.confirmations.may_repeat(key, share=RENEWED_FROM)
        if seen is not None and is_due and not renewals.resting:
            yield FollowUp("renew_confirmation", lambda: renewals.read(self._renew(key, seen)), may_wait=False)
        if hot is not None and reading.lacks_hot_memories(hot) and not hot_sets.reads.resting:
            yield FollowUp("refill_hot_set", partial(hot_sets.refill, *key, search.now), of_memories=True)
        if read.pinning is not None and (pins := read.pinning.uncached) is not None:
            put = partial(cache.put_pinned, *key, search.scope.end_user, pins)
            yield FollowUp("cache_pinned", put, of_memories=True)
        if seen is not None or stored is not None:
            yield from self._map_refresh(key, change)

    def _map_refresh(self, key: AgentKey, change: Change | None) -> Iterator[FollowUp]:
        """The work that brings the agent's map closer to `change`, where there is any to do."""
        maps = self.searcher.maps
        if maps.is_due(*key, change):
            refresh = partial(maps.refresh, *key, change)
            yield FollowUp("memory_map", refresh, may_wait=False, of_memories=True)

    async def _renew(self, key: AgentKey, seen: AgentSnapshot) -> None:
        """Asks the store for the agent's state again, by which the requests of the next second may then go, if it still
        agrees with what the cache said, but is soon too old. Raises StoreError.
        """
        begun = self.confirmations.now()
        state = await self.states.state(*key)
        await self.confirmations.renew(key, seen, _said(state), begun, state=state)

    def _tell(
        self, search: Search
    ) -> Callable[[Sequence[ToldBlock], Sequence[ToldBlock], Prompt | None], FollowUp] | None:
        key = search.agent_key
        if key is None or not search.session:
            return None
        put = partial(self.searcher.cache.put_told, *key, search.session)
        # The next call of the turn may follow at once.
        return lambda told, gone, prompt: FollowUp(
            "told", partial(put, told, gone, prompt=prompt), first=True, if_sent=True
        )

    def _remember(self, search: Search) -> Callable[[Turn], FollowUp] | None:
        key = search.agent_key
        if key is None or not search.turn:
            return None
        put = partial(self.searcher.cache.put_turn, *key, search.turn)
        return lambda turn: FollowUp("turn_cache", partial(put, turn), if_sent=True)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read and found, before it is known whether the caches were right; `state` is the store's answer."""

    directive: Directive | None
    hot: AgentSnapshot | None
    searched: SearchResult
    state: SourceOutcome[AgentState | None]
    earlier: Earlier
    pinning: Pinning | None


def _is_switched_off(state: State) -> bool:
    known = state.result().value if state.done() else None
    return known is not None and not known.uses_memories


def _said(state: AgentState | None) -> StoreState:
    return StoreState(None) if state is None else StoreState(state.change, state.directive.version)


def _lags(search: Search, searched: SearchResult, state: AgentState | None) -> bool:
    """Whether the searched map lacks what the store has, although the cache took it for current."""
    if search.for_prompt or searched.map is None or state is None or state.change is None:
        return False
    # A map may have got additions since the store was asked.
    return compare(state.change, searched.map.change) > Verdict.EXTEND


def _without_caches(searched: SearchResult, reports: dict[str, SourceReport]) -> SearchResult:
    """Keeps only what the store itself found, which needs no confirmation; the answer reports that cached data was
    dropped.
    """
    for name in ("hot", "vector", "lexical") if searched.is_cached else ("hot",):
        if name in reports and reports[name].status == "ok":
            reports[name] = replace(reports[name], status="error", count=0, cause=UNCONFIRMED)
    return SearchResult(searched.embedded) if searched.is_cached else searched
