"""The deadline of a request: waits with a bound, reports what came of each source, and times each stage.

What is late is abandoned, never awaited. A timer cannot interrupt Python code: whatever computes for longer than a
millisecond is bounded in size, or runs on a thread, before it gets here.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.system import Clock

Value = TypeVar("Value")

NEVER_RAN = SourceReport("skipped")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Value]):
    """What a source gave: a value only when its report says ok."""

    value: Value | None
    report: SourceReport


SKIPPED: Outcome[Any] = Outcome(None, NEVER_RAN)


@dataclass(frozen=True, slots=True)
class Account:
    """What became of each source of one request, by its name, and how many milliseconds each stage took."""

    reports: dict[str, SourceReport] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)

    def of(self, *names: str) -> Mapping[str, SourceReport]:
        """The reports of these sources, in this order; skipped where nothing ran."""
        return {name: self.reports.get(name, NEVER_RAN) for name in names}


@dataclass(frozen=True, slots=True)
class Deadline:
    """`end_ms` after the request's start; all bounds are counted from that start.

    The deadlines that are derived from one share its start and its account.
    """

    clock: Clock
    start: float
    end_ms: float = math.inf
    account: Account = field(default_factory=Account, compare=False)

    @classmethod
    def begin(cls, clock: Clock, end_ms: float = math.inf) -> "Deadline":
        """Of a request that starts now."""
        return cls(clock, clock.monotonic(), end_ms)

    @property
    def elapsed_ms(self) -> float:
        """Since the request's start."""
        return (self.clock.monotonic() - self.start) * 1000

    @property
    def left_ms(self) -> float:
        """Until the end; 0 when it is over."""
        return max(self.end_ms - self.elapsed_ms, 0.0)

    def within(self, ms: float) -> "Deadline":
        """No later than so long after the request's start, and never later than this one."""
        return self if ms >= self.end_ms else replace(self, end_ms=ms)

    def soon(self, ms: float) -> "Deadline":
        """No later than so long from now, and never later than this one."""
        return self.within(self.elapsed_ms + ms)

    def reserving(self, ms: float) -> "Deadline":
        """So much earlier, for what is left to do afterwards."""
        return replace(self, end_ms=self.end_ms - ms)

    async def run(
        self,
        name: str,
        work: Awaitable[Value],
        *,
        count: Callable[[Value], int] = lambda _: 1,
        short: Callable[[Value], bool] = lambda _: False,
    ) -> Outcome[Value]:
        """The outcome of `work`, at the end of the deadline at the latest; the account keeps its report under `name`.

        `count` says how many results a value has, `short` whether some may be missing. Store errors become outcomes;
        unexpected exceptions propagate.
        """
        outcome = await self._outcome(work, count, short)
        self.account.reports[name] = outcome.report
        return outcome

    async def wait(self, *futures: "asyncio.Future[Any]") -> None:
        """Until the first of them is done, or the deadline is over; they go on."""
        await asyncio.wait(futures, timeout=self._left_seconds(), return_when=asyncio.FIRST_COMPLETED)

    async def first(self, found: Callable[[], Value | None], *futures: "asyncio.Future[Any]") -> Value | None:
        """What `found` gives first, asked whenever one of the futures is done; None at the end of the deadline."""
        late: set[asyncio.Future[Any]] = set(futures)
        while (value := found()) is None and late:
            done, late = await asyncio.wait(late, timeout=self._left_seconds(), return_when=asyncio.FIRST_COMPLETED)
            if not done:
                break
        return value

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """The account keeps how long this stage of the request took."""
        started = self.elapsed_ms
        yield
        self.account.timings_ms[stage] = self.elapsed_ms - started

    async def _outcome(
        self, work: Awaitable[Value], count: Callable[[Value], int], short: Callable[[Value], bool]
    ) -> Outcome[Value]:
        started = self.elapsed_ms
        task = asyncio.ensure_future(work)
        if not task.done():
            try:
                await self.wait(task)
            except asyncio.CancelledError:
                abandon(task)
                raise
        latency = self.elapsed_ms - started
        if not task.done():
            abandon(task)
            return Outcome(None, SourceReport("timeout", started, latency))
        try:
            value = task.result()
        except StoreTimeout as error:
            return Outcome(None, SourceReport("timeout", started, latency, cause=error.cause))
        except StoreError as error:
            return Outcome(None, SourceReport("error", started, latency, cause=error.cause))
        return Outcome(value, SourceReport("ok", started, latency, count(value), short=short(value)))

    def _left_seconds(self) -> float | None:
        return None if math.isinf(self.end_ms) else self.left_ms / 1000


def abandon(task: "asyncio.Future[Any]") -> None:
    """Cancels without waiting: a driver may need longer to let go than we have."""
    task.cancel()
    let_finish(task)


def let_finish(task: "asyncio.Future[Any]") -> None:
    """Neither cancels nor waits: what it learns is of use to later requests."""
    _abandoned.add(task)
    task.add_done_callback(_forget)


def _forget(task: "asyncio.Future[Any]") -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        # Reading it marks it as seen; nobody waits for it any more.
        task.exception()


_abandoned: "set[asyncio.Future[Any]]" = set()
