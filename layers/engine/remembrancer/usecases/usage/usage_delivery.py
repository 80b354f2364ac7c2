"""Delivers usage events, and counts them even when the queue fails."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
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
AT_ONCE = 10
"""Events of one call of the queue: as many as SQS takes."""
TOGETHER_SECONDS = 1.0
"""Longest time for which events wait for others, while requests come."""

Event = Mapping[str, Any]


class UsageDelivery:
    """Serves the Queue port: sends to the queue; else applies events directly, like the worker; else keeps them for the
    next call.

    Events wait until there are `together`, or until nothing was sent for `TOGETHER_SECONDS`: so a rare event is sent at
    once, and of many those of a second share their calls. A frozen instance sends nothing; what waits is sent after its
    next response, or at its end. An instance that is killed without notice loses fewer than `together` events; while
    neither queue nor Postgres accepts any, up to `MOST_KEPT`.

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
        together: int = 1,
    ) -> None:
        """`note` receives how many events were applied here (`UsageCountedHere`) or lost (`UsageLost`)."""
        self._queue = queue
        self._counting = counting
        self._reads = reads
        self._clock = clock
        self._note = note
        self._together = together
        self._kept: list[Event] = []
        self._sent_at: datetime | None = None

    @property
    def kept(self) -> int:
        """The number of events that wait, or that neither queue nor store has taken."""
        return len(self._kept)

    @property
    def due(self) -> bool:
        """Whether the waiting events should be delivered now, by the wall clock, which knows of frozen time."""
        if not self._kept or len(self._kept) >= self._together or self._sent_at is None:
            return bool(self._kept)
        since = self._clock.now() - self._sent_at
        return not timedelta() <= since < timedelta(seconds=TOGETHER_SECONDS)

    async def send(self, messages: Sequence[Event]) -> None:
        """Raises StoreError when some events, new or kept, stay undelivered; they are sent with the next call."""
        self._kept += messages
        if self.due:
            await self.deliver()

    async def deliver(self) -> None:
        """Delivers all events that wait; StoreError as `send`."""
        left, self._kept = self._kept, []
        if left:
            self._sent_at = self._clock.now()
        try:
            while left:
                await self._deliver(left[:AT_ONCE])
                del left[:AT_ONCE]
        finally:
            self._keep(left)

    async def end(self) -> None:
        """The last try for kept events before the instance ends: undelivered events are lost, and counted."""
        try:
            await self.deliver()
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
