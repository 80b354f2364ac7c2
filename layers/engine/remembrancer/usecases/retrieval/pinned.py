"""The pinned memories of a request's end user: of the agent's map, of the cache, or of the store."""

import asyncio
from dataclasses import dataclass, replace

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.memories.pins import Pins, owner_of
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.freshness import Verdict, by_additions
from remembrancer.ports.search import MapSource
from remembrancer.usecases.retrieval.deadline import SourceOutcome, abandon, done
from remembrancer.usecases.retrieval.reading import Reading
from remembrancer.usecases.retrieval.search import Search

UNCONFIRMED = "Unconfirmed"
"""The cause of a source's error: it answered, but the answer could not be verified against the store."""

Outcome = SourceOutcome[Pins | None]


@dataclass(frozen=True, slots=True)
class Pinning:
    """Pinned memories on their way: `origin` is `map` or `cache` where they are at hand, else `store`."""

    origin: str
    outcome: "asyncio.Future[Outcome]"

    def abandon(self) -> None:
        """Stops waiting for them."""
        if not self.outcome.done():
            abandon(self.outcome)


async def begun(reading: Reading, source: MapSource) -> Pinning:
    """What this instance or the cache has of the state that the cache names, else a question to the store, beside the
    searches. Every pin and every change of a pinned memory counts as a removal: additions leave them as they are.
    """
    search = reading.search
    if reading.snapshot is not None:
        await search.deadline.within(search.bounds.hot_ms).wait(reading.snapshot)
    seen, known = reading.seen, reading.known
    if seen is not None and seen.change is not None:
        if known is not None and by_additions(known.change, seen.change):
            return Pinning("map", done(_of_map(known, search)))
        if seen.pinned is not None and by_additions(seen.pinned.as_of, seen.change):
            return Pinning("cache", done(_at_hand(seen.pinned, search, "cache")))
    return Pinning("store", asyncio.ensure_future(_stored(search, source)))


async def read(pinning: Pinning, searched: MemoryMap | None, search: Search) -> tuple[str, Pins | None]:
    """Where they came from, and they; None where they are missing, which the report under `pinned` tells.

    The map that was searched, which may have arrived meanwhile, is as good as the store.
    """
    if pinning.origin == "store" and searched is not None:
        pinning.abandon()
        pinning = Pinning("map", done(_of_map(searched, search)))
    outcome = await pinning.outcome
    search.deadline.account.reports["pinned"] = outcome.report
    return pinning.origin, outcome.value


async def confirmed(origin: str, pins: Pins | None, verdict: Verdict, search: Search, source: MapSource) -> Pins | None:
    """The same by the store's word on what was cached: read again, or left out."""
    if pins is None or origin == "store" or verdict is Verdict.USE:
        return pins
    reports = search.deadline.account.reports
    if verdict is Verdict.LEAVE_OUT:
        if pins.memories:
            reports["pinned"] = replace(reports["pinned"], status="error", count=0, cause=UNCONFIRMED)
        return None
    outcome = await _stored(search, source)
    reports["pinned"] = outcome.report
    return outcome.value


async def _stored(search: Search, source: MapSource) -> Outcome:
    assert search.agent_key is not None
    asked = source.pinned(*search.agent_key, owner_of(search.scope.end_user))
    return await search.deadline.within(search.bounds.vector_ms).run("pinned", asked, count=_count)


def _of_map(known: MemoryMap, search: Search) -> Outcome:
    return _at_hand(Pins(known.change, known.pinned(owner_of(search.scope.end_user))), search, "map")


def _at_hand(pins: Pins, search: Search, origin: str) -> Outcome:
    report = SourceReport("ok", search.deadline.elapsed_ms, count=len(pins.memories), origin=origin)
    return SourceOutcome(pins, report)


def _count(pins: Pins | None) -> int:
    return 0 if pins is None else len(pins.memories)
