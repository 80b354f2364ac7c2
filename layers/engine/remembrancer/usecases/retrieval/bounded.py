"""Waiting with a bound: what is late is abandoned, never awaited."""

import asyncio
from collections.abc import Awaitable, Callable, Sized
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.system import Clock

Value = TypeVar("Value")


class Stopwatch:
    """Milliseconds since the request arrived."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._start = clock.monotonic()

    def elapsed_ms(self) -> float:
        """Since the start."""
        return (self._clock.monotonic() - self._start) * 1000


class Afterwards(Protocol):
    """Work for after the response; each is done once, a failure is logged and counted, never shown to the caller."""

    def add(
        self, name: str, work: Callable[[], Awaitable[None]], *, may_wait: bool = True, first: bool = False
    ) -> None:
        """`work` is called when the response is on its way.

        With `may_wait` False it is left out where it would have to be done before the response. `first` is what no
        later request makes up for: it does not wait for the rest, in which the instance may run out of time.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Value]):
    """What a source gave: a value only when its report says ok."""

    value: Value | None
    report: SourceReport


SKIPPED: Outcome[Any] = Outcome(None, SourceReport("skipped"))


async def bounded(
    work: Awaitable[Value],
    *,
    until_ms: float,
    watch: Stopwatch,
    count: Callable[[Value], int] = lambda _: 1,
    short: Callable[[Value], bool] = lambda _: False,
) -> Outcome[Value]:
    """The outcome of `work`, at `until_ms` on the watch at the latest; our own store errors are outcomes, bugs fly."""
    started = watch.elapsed_ms()
    task = asyncio.ensure_future(work)
    if not task.done():
        try:
            await asyncio.wait({task}, timeout=max(until_ms - started, 0.0) / 1000)
        except asyncio.CancelledError:
            abandon(task)
            raise
    latency = watch.elapsed_ms() - started
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


class Answer(Protocol):
    """What a search gives."""

    @property
    def found(self) -> Sized:
        """Its results."""
        ...

    @property
    def short(self) -> bool:
        """Whether some may be missing."""
        ...


def found_by(answer: Answer) -> int:
    """How many results: for `count`."""
    return len(answer.found)


def is_short(answer: Answer) -> bool:
    """Whether some may be missing: for `short`."""
    return answer.short


def abandon(task: "asyncio.Future[Any]") -> None:
    """Cancels without waiting: a driver may need longer to let go than we have."""
    task.cancel()
    _abandoned.add(task)
    task.add_done_callback(_forget)


def let_finish(task: "asyncio.Future[Any]") -> None:
    """Neither cancels nor waits: what it learns is of use to those who come later."""
    _abandoned.add(task)
    task.add_done_callback(_forget)


def _forget(task: "asyncio.Future[Any]") -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        # Reading it marks it as seen; nobody waits for it any more.
        task.exception()


_abandoned: "set[asyncio.Future[Any]]" = set()
