"""The deadline of a request: bounded waits, a report of each source's result, and the time of each stage.

Late work is abandoned, never awaited. A timer cannot interrupt Python code: a computation longer than a millisecond is
bounded in size, or runs on a thread, before it is passed here.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.system import Clock

Value = TypeVar("Value")

_TURNS_TO_READ = 4
"""Turns of the event loop from the bytes of an answer to the end of the task that waits for it."""
NEVER_RAN = SourceReport("skipped")


@dataclass(frozen=True, slots=True)
class SourceOutcome(Generic[Value]):
    """The result of a source; `value` is set only when the report says ok."""

    value: Value | None
    report: SourceReport


@dataclass(frozen=True, slots=True)
class Account:
    """Reports of one request's sources by name, and milliseconds by stage.

    `started_ms` says when each stage began, counted from the request's start.
    """

    reports: dict[str, SourceReport] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)
    started_ms: dict[str, float] = field(default_factory=dict)

    def of(self, *names: str) -> Mapping[str, SourceReport]:
        """The reports of these sources, in this order; `skipped` for a source that did not run."""
        return {name: self.reports.get(name, NEVER_RAN) for name in names}


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline at `end_ms` after the request's start; all bounds are counted from that start.

    Deadlines derived from another share its start and its reports.
    """

    clock: Clock
    start: float
    end_ms: float = math.inf
    account: Account = field(default_factory=Account, compare=False)

    @classmethod
    def begin(cls, clock: Clock, end_ms: float = math.inf) -> "Deadline":
        """The deadline of a request that starts now."""
        return cls(clock, clock.monotonic(), end_ms)

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the start of the request, by the monotonic clock."""
        return (self.clock.monotonic() - self.start) * 1000

    @property
    def left_ms(self) -> float:
        """Milliseconds until the end; 0 when it has passed."""
        return max(self.end_ms - self.elapsed_ms, 0.0)

    def within(self, ms: float) -> "Deadline":
        """A deadline `ms` after the request's start, never later than this one."""
        return self if ms >= self.end_ms else self._ending(ms)

    def soon(self, ms: float) -> "Deadline":
        """A deadline `ms` from now, never later than this one."""
        return self.within(self.elapsed_ms + ms)

    def reserving(self, ms: float) -> "Deadline":
        """A deadline `ms` earlier than this one, to leave time for later steps."""
        return self._ending(self.end_ms - ms)

    async def run(
        self,
        name: str,
        work: Awaitable[Value],
        *,
        count: Callable[[Value], int] = lambda _: 1,
        short: Callable[[Value], bool] = lambda _: False,
        waits: bool = True,
    ) -> SourceOutcome[Value]:
        """Waits for `work` until the deadline at the latest; stores its report under `name`.

        `count` gives the number of results of a value, `short` whether some may be missing. Store errors become
        outcomes; unexpected exceptions propagate. `waits` is False for work that waits for nothing, neither a server
        nor a thread: it needs no task of its own, and nothing can interrupt it.
        """
        outcome = await self._outcome(work, count, short, waits=waits)
        self.account.reports[name] = outcome.report
        return outcome

    async def wait(self, *futures: "asyncio.Future[Any]") -> None:
        """Waits until the first of these is done or the deadline has passed; does not cancel them."""
        if not any(future.done() for future in futures):
            # Where one is done, `asyncio.wait` would still take a turn of the event loop.
            await self._first_done(futures)

    async def first(self, found: Callable[[], Value | None], *futures: "asyncio.Future[Any]") -> Value | None:
        """Calls `found` whenever a future is done and returns its first value; None at the deadline."""
        late: set[asyncio.Future[Any]] = set(futures)
        while (value := found()) is None and late:
            await self._first_done(late)
            if not any(future.done() for future in late):
                break
            late = {future for future in late if not future.done()}
        return value

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Records how long this stage of the request took, unless it fails."""
        started = self.elapsed_ms
        self.account.started_ms[stage] = started
        yield
        self.account.timings_ms[stage] = self.elapsed_ms - started

    async def _outcome(
        self, work: Awaitable[Value], count: Callable[[Value], int], short: Callable[[Value], bool], *, waits: bool
    ) -> SourceOutcome[Value]:
        started = self.elapsed_ms
        try:
            if waits:
                task = await self._ended(work)
                if not task.done():
                    abandon(task)
                    return SourceOutcome(None, SourceReport("timeout", started, self.elapsed_ms - started))
                value = task.result()
            else:
                value = await work
        except StoreTimeout as error:
            report = SourceReport("timeout", started, self.elapsed_ms - started, cause=error.cause)
            return SourceOutcome(None, report)
        except StoreError as error:
            return SourceOutcome(None, SourceReport("error", started, self.elapsed_ms - started, cause=error.cause))
        latency = self.elapsed_ms - started
        return SourceOutcome(value, SourceReport("ok", started, latency, count(value), short=short(value)))

    async def _ended(self, work: Awaitable[Value]) -> "asyncio.Future[Value]":
        """The work's task, done unless the deadline came first."""
        task = asyncio.ensure_future(work)
        if not task.done():
            try:
                # What needs no I/O is done after one turn of the event loop, at a third of the cost of waiting for it.
                await asyncio.sleep(0)
                await self.wait(task)
            except asyncio.CancelledError:
                abandon(task)
                raise
        return task

    async def _first_done(self, futures: "Iterable[asyncio.Future[Any]]") -> None:
        """As `asyncio.wait`; an answer that came in time is taken also where the event loop was late to read it."""
        done, _ = await asyncio.wait(futures, timeout=self._left_seconds(), return_when=asyncio.FIRST_COMPLETED)
        for _ in range(0 if done else _TURNS_TO_READ):
            await asyncio.sleep(0)

    def _ending(self, ms: float) -> "Deadline":
        """The same with another end. A request makes sixteen, and `replace` takes three times as long."""
        return Deadline(self.clock, self.start, ms, self.account)

    def _left_seconds(self) -> float | None:
        return None if math.isinf(self.end_ms) else self.left_ms / 1000


def done(value: Value) -> "asyncio.Future[Value]":
    """A value that is there already, for those that wait for one."""
    future: asyncio.Future[Value] = asyncio.get_running_loop().create_future()
    future.set_result(value)
    return future


def abandon(task: "asyncio.Future[Any]") -> None:
    """Cancels the task without waiting: a driver may need longer to stop than the deadline leaves."""
    task.cancel()
    let_finish(task)


def let_finish(task: "asyncio.Future[Any]") -> None:
    """Lets the task run on without waiting for it: later requests can use its result."""
    _abandoned.add(task)
    task.add_done_callback(_forget)


def _forget(task: "asyncio.Future[Any]") -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        # Reading the exception marks it as retrieved; no caller waits for it any more.
        task.exception()


_abandoned: "set[asyncio.Future[Any]]" = set()
