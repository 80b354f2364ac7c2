"""Usage that has been answered with is counted, whether or not the queue takes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from remembrancer.errors import InvalidRequest, StoreError, StoreUnavailable
from remembrancer.ports.system import Clock, Queue
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.usage import usage_events
from remembrancer.usecases.usage.apply_side_effects import SideEffects

MOST_KEPT = 1000
"""Events that an instance keeps while neither queue nor store takes them; then the oldest are lost, and counted."""
AT_ONCE = 50

Event = Mapping[str, Any]


class UsageDelivery:
    """Serves the Queue port: to the queue; else counted here, as the worker would; else kept for the next event.

    An event is counted once however often it is delivered, so what the queue may have taken is counted here all the
    same.
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
        """`note` is told how many events were counted here (`UsageCountedHere`) or lost (`UsageLost`)."""
        self._queue = queue
        self._counting = counting
        self._reads = reads
        self._clock = clock
        self._note = note
        self._kept: list[Event] = []

    @property
    def kept(self) -> int:
        """How many events wait for the next one."""
        return len(self._kept)

    async def send(self, messages: Sequence[Event]) -> None:
        """StoreError when some of these, or of those kept before, are kept; they go out with the next ones."""
        left, self._kept = [*self._kept, *messages], []
        try:
            while left:
                await self._deliver(left[:AT_ONCE])
                del left[:AT_ONCE]
        finally:
            self._keep(left)

    async def end(self) -> None:
        """The last try for what is kept, before the instance ends: what is not delivered now is lost, and counted."""
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
        """None for one that the worker would refuse."""
        try:
            return usage_events.parse(event, now=self._clock.now())
        except InvalidRequest:
            self._note("UsageLost", 1)
            return None

    def _keep(self, events: Sequence[Event]) -> None:
        """What was not delivered, before what was kept meanwhile."""
        self._kept = [*events, *self._kept]
        if (lost := len(self._kept) - MOST_KEPT) > 0:
            del self._kept[:lost]
            self._note("UsageLost", lost)
