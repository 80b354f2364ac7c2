"""Delivers usage events, and counts them even when the queue fails."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from remembrancer.errors import InvalidRequest, StoreError, StoreUnavailable
from remembrancer.ports.system import Clock, Queue
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.usage import usage_events
from remembrancer.usecases.usage.apply_side_effects import SideEffects

MOST_KEPT = 1000
"""Most events that an instance keeps while neither queue nor store accepts them; then the oldest are dropped and
counted.
"""
AT_ONCE = 50

Event = Mapping[str, Any]


class UsageDelivery:
    """Serves the Queue port: sends to the queue; else applies events directly, like the worker; else keeps them for the
    next call.

    An event is counted once however often it is delivered, so events that the queue may have accepted are safely
    applied here as well.
    """

    def __init__(
        self,
        queue: Queue,
        counting: SideEffects,
        reads: BackgroundReads,
        clock: Clock,
        *,
        note: Callable[[str, int], None] = lambda name, number: None,
    ) -> None:
        """`note` receives how many events were applied here (`UsageCountedHere`) or lost (`UsageLost`)."""
        self._queue = queue
        self._counting = counting
        self._reads = reads
        self._clock = clock
        self._note = note
        self._kept: list[Event] = []

    @property
    def kept(self) -> int:
        """The number of events kept for the next call."""
        return len(self._kept)

    async def send(self, messages: Sequence[Event]) -> None:
        """Raises StoreError when some events, new or kept, stay undelivered; they are sent with the next call."""
        left, self._kept = [*self._kept, *messages], []
        try:
            while left:
                await self._deliver(left[:AT_ONCE])
                del left[:AT_ONCE]
        finally:
            self._keep(left)

    async def end(self) -> None:
        """The last try for kept events before the instance ends: undelivered events are lost, and counted."""
        try:
            await self.send([])
        finally:
            if self._kept:
                self._note("UsageLost", len(self._kept))

    async def _deliver(self, events: Sequence[Event]) -> None:
        try:
            await self._queue.send(events)
        except StoreError as refused:
            if self._reads.resting:
                raise refused
            await self._count(events)

    async def _count(self, events: Sequence[Event]) -> None:
        parsed = [event for event in map(self._parsed, events) if event is not None]
        failed = await self._reads.read(self._counting.apply(parsed))
        if failed:
            raise StoreUnavailable("Usage could not be counted", cause=next(iter(failed.values())))
        self._note("UsageCountedHere", len(parsed))

    def _parsed(self, event: Event) -> UsageEvent | None:
        """The parsed event; None for an event that the worker would refuse."""
        try:
            return usage_events.parse(event, now=self._clock.now())
        except InvalidRequest:
            self._note("UsageLost", 1)
            return None

    def _keep(self, events: Sequence[Event]) -> None:
        """Keeps undelivered events, in front of those kept meanwhile."""
        self._kept = [*events, *self._kept]
        if (lost := len(self._kept) - MOST_KEPT) > 0:
            del self._kept[:lost]
            self._note("UsageLost", lost)
