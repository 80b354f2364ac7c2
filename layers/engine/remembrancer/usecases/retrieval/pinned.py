"""The pinned memories of a request's end user: of the agent's map, of the cache, or of the store."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.pins import Pins, owner_of
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.freshness import Verdict, by_additions
from remembrancer.ports.search import MapSource
from remembrancer.usecases.retrieval.deadline import NEVER_RAN, SourceOutcome, abandon, done
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.search import Search
from remembrancer.usecases.retrieval.searcher import State

UNCONFIRMED = "Unconfirmed"
"""The cause of a source's error: it answered, but the answer could not be verified against the store."""

Outcome = SourceOutcome[Pins | None]


@dataclass(frozen=True, slots=True)
class Pinning:
    """Pinned memories on their way: `origin` is `map` or `cache` where they are at hand, else `store`.

    `state` is the agent's in the store. It says whether anything is pinned, so that other agents cost no question.
    """

    search: Search
    source: MapSource
    state: State
    origin: str
    outcome: "asyncio.Future[Outcome]"

    @classmethod
    async def begun(cls, reading: Reading, source: MapSource, state: State) -> "Pinning":
        """From the map or the cache where they have the state that the cache names, else from the store, beside the
        searches. Every pin and every change of a pinned memory counts as a removal: additions leave them as they are.
        """
        search = reading.search
        if reading.snapshot is not None:
            await search.deadline.within(search.bounds.hot_ms).wait(reading.snapshot)
        seen, known = reading.seen, reading.known
        if seen is not None and seen.change is not None:
            if known is not None and by_additions(known.change, seen.change):
                return cls(search, source, state, "map", done(_of_map(known, search)))
            if seen.pinned is not None and by_additions(seen.pinned.as_of, seen.change):
                return cls(search, source, state, "cache", done(_at_hand(seen.pinned, search, "cache")))
        return cls(search, source, state, "store", asyncio.ensure_future(_stored(search, source, state)))

    async def arrived(self, searched: MemoryMap | None) -> "Pinning":
        """The same with its outcome, whose report stands under `pinned`. The map that was searched, which may have come
        meanwhile, spares waiting for the store.
        """
        here = self
        if self.origin == "store" and searched is not None:
            self.abandon()
            here = replace(self, origin="map", outcome=done(_of_map(searched, self.search)))
        self._report(await here.outcome)
        return here

    async def confirmed(self, verdict: Verdict) -> Sequence[Memory]:
        """The memories by the verdict on what was cached: used, read again, or left out."""
        outcome = self.outcome.result()
        if self.origin == "store" or verdict is Verdict.USE:
            return _memories(outcome)
        if verdict is Verdict.LEAVE_OUT:
            if _memories(outcome):
                report = replace(outcome.report, status="error", cause=UNCONFIRMED, count=0)
                self._report(SourceOutcome(None, report))
            return ()
        outcome = await _stored(self.search, self.source, self.state)
        self._report(outcome)
        return _memories(outcome)

    @property
    def uncached(self) -> Pins | None:
        """What the store said, for the cache."""
        return self.outcome.result().value if self.origin == "store" else None

    def abandon(self) -> None:
        """Stops waiting for them."""
        if not self.outcome.done():
            abandon(self.outcome)

    def _report(self, outcome: Outcome) -> None:
        self.search.deadline.account.reports["pinned"] = outcome.report


async def _stored(search: Search, source: MapSource, state: State) -> Outcome:
    assert search.agent_key is not None
    known = await asyncio.shield(state)
    if known.report.status != "ok":
        return SourceOutcome(None, known.report)
    if known.value is None or not known.value.has_pinned:
        return SourceOutcome(None, NEVER_RAN)
    asked = source.pinned(*search.agent_key, owner_of(search.scope.end_user))
    return await search.deadline.within(search.bounds.vector_ms).run("pinned", asked, count=_count)


def _of_map(known: MemoryMap, search: Search) -> Outcome:
    return _at_hand(Pins(known.change, known.pinned(owner_of(search.scope.end_user))), search, "map")


def _at_hand(pins: Pins, search: Search, origin: str) -> Outcome:
    report = SourceReport("ok", search.deadline.elapsed_ms, count=len(pins.memories), origin=origin)
    return SourceOutcome(pins, report)


def _memories(outcome: Outcome) -> Sequence[Memory]:
    return () if outcome.value is None else outcome.value.memories


def _count(pins: Pins | None) -> int:
    return 0 if pins is None else len(pins.memories)
