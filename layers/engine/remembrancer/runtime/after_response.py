"""Runs work after the response, as an internal Lambda extension.

Lambda freezes an instance when the runtime and every extension have asked for the next event. So a thread registers as
an extension for INVOKE. When the handler has returned, and with it the response is on its way, the thread runs the work
that the handler scheduled, and only then asks for the next event (AWS: "Running code after returning a response").
Where the Extensions API is missing or refuses, the work runs before the handler returns: later, but never lost.
"""

import asyncio
import http.client
import logging
import math
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from remembrancer.errors import StoreError
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.extensions_api import Events, register
from remembrancer.runtime.telemetry import count, described, emit
from remembrancer.usecases.retrieval.after_response import Start

_NAME = "remembrancer-after-response"
# The handler has returned, but the runtime's own thread has yet to post the response.
_HEAD_START_SECONDS = 0.001
LONGEST_SECONDS = 4.0
"""Most seconds for one piece of work, so that a hanging one does not use up the time of all others."""
MARGIN_SECONDS = 1.0
"""Seconds reserved between the end of the work and the invocation's time-out, since Lambda kills an instance
that times out.
"""
END_SECONDS = 0.15
"""Seconds for work at the end, of the 0.3 s that Lambda gives a runtime with an internal extension between SIGTERM
and SIGKILL.
"""
_CANCEL_SECONDS = 0.1
_GRACE_SECONDS = 0.5
"""Extra seconds before work is abandoned from outside the loop, for the case that the loop hangs."""

logger = logging.getLogger(__name__)


_Item = tuple[str, Start]
_Recurring = tuple[str, Start, Callable[[], bool]]


@dataclass(slots=True)
class Work:
    """The work that one request schedules for after its response. Serves the Afterwards protocol.

    `invocation_ends` is when Lambda would end the instance, on `time.monotonic`. `if_sent` waits until the handler says
    that the endpoint's answer is the response: an endpoint may still finish when the handler has answered without it.
    """

    invocation_ends: float = math.inf
    items: list[_Item] = field(default_factory=list)
    idle_only: set[str] = field(default_factory=set)
    if_sent: list[tuple[_Item, bool]] = field(default_factory=list)

    @classmethod
    def of(cls, context: Any) -> "Work":
        """An empty list of work, with the end of the invocation from Lambda's context."""
        return cls(time.monotonic() + float(context.get_remaining_time_in_millis()) / 1000)

    def add(self, name: str, work: Start, *, may_wait: bool = True, first: bool = False, if_sent: bool = False) -> None:
        """Appends work, which returns None where it is done at once; `first` work goes to the front."""
        if not may_wait:
            self.idle_only.add(name)
        if if_sent:
            self.if_sent.append(((name, work), first))
        else:
            self.items.insert(0 if first else len(self.items), (name, work))

    def sent(self) -> None:
        """The endpoint has ended and its answer is the response; without this call, what is only for it is not done."""
        waiting, self.if_sent = self.if_sent, []
        for item, first in waiting:
            self.items.insert(0 if first else len(self.items), item)

    def take(self, other: "Work") -> None:
        """Appends the work of another list."""
        self.items += other.items
        self.idle_only |= other.idle_only
        self.if_sent += other.if_sent


class Finisher(Protocol):
    """Takes over the scheduled work of an event."""

    def finish(self, work: Work) -> None:
        """Call this once for each event, at the very end of the handler, even when no work is scheduled."""
        ...


class WorkAfterResponse(Finisher, Protocol):
    """Takes over work of events, and work that an instance has to do now and then."""

    @property
    def registered(self) -> bool:
        """Whether work can run after a response."""
        ...

    def once(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Adds work to run once, after the first response."""
        ...

    def always(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work to run whenever `when` is true; never before a response."""
        ...

    def at_end(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work to run when the process ends, if `when` is then true."""
        ...


class AfterResponse:
    """Hands work from the handler's thread to the extension's thread.

    All work of one event together takes `seconds` at most and ends before the invocation would; unfinished work is
    abandoned and counted.
    """

    def __init__(self, loop: LoopThread, runtime_api: str | None, *, seconds: float = 8.0) -> None:
        self._loop = loop
        self._seconds = seconds
        self._handed_over = threading.Event()
        self._work = Work()
        self._once = Work()
        self._always: list[_Recurring] = []
        self._at_end: list[_Recurring] = []
        self._registered = bool(runtime_api) and self._register(str(runtime_api))

    @property
    def registered(self) -> bool:
        """Whether the extension is registered, so that work waits until the response was sent."""
        return self._registered

    def once(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Adds work to run once on this instance: after its first response, behind that request's own work."""
        self._once.add(name, work)

    def always(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work to run after every event for which `when` is true; never before a response."""
        self._always.append((name, work, when))

    def at_end(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work to run when Lambda ends the instance, if `when` is then true; all of it has `END_SECONDS`.

        Call from the main thread only. It runs only where Lambda announces the end.
        """
        if self._registered and threading.current_thread() is threading.main_thread():
            self._at_end.append((name, work, when))
            signal.signal(signal.SIGTERM, self._end)

    def finish(self, work: Work) -> None:
        """Call this once for each event, at the very end of the handler, even when no work is scheduled."""
        work.items += self._once.items
        self._once = Work()
        if self._registered:
            work.items += _due(self._always)
            self._work = work
            self._handed_over.set()
        else:
            work.items = [item for item in work.items if item[0] not in work.idle_only]
            self._run(work)

    def _run(self, work: Work) -> None:
        until = min(time.monotonic() + self._seconds, work.invocation_ends - MARGIN_SECONDS)
        try:
            self._loop.run(_do(work, until), seconds=max(until - time.monotonic(), 0.0) + _GRACE_SECONDS)
        except TimeoutError:
            logger.error("after_response_stuck")
            emit(count("AfterResponseAbandoned", len(work.items), work="all"))

    def _end(self, number: int, frame: object) -> None:
        """Handles SIGTERM: runs the work, then ends the process when it is done or out of time."""
        signal.signal(number, signal.SIG_IGN)
        if work := _due(self._at_end):
            with suppress(TimeoutError):
                until = time.monotonic() + END_SECONDS
                self._loop.run(_do(Work(items=work), until), seconds=END_SECONDS + _CANCEL_SECONDS)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    def _register(self, runtime_api: str) -> bool:
        """Registers the extension; True when this process may work between response and next event."""
        try:
            identifier = register(runtime_api, _NAME)
        except (OSError, http.client.HTTPException):
            logger.warning("extension_unavailable")
            return False
        if not identifier:
            logger.warning("extension_refused")
            return False
        events = Events(runtime_api, identifier)
        threading.Thread(target=self._serve, args=(events,), name=_NAME, daemon=True).start()
        return True

    def _serve(self, events: Events) -> None:
        """The extension's loop: asks for an event, waits for its handler to return, runs the work; ends with the
        instance.

        The event itself is there before its handler returns: waiting for it, too, would wake this thread once more.
        """
        try:
            events.ask()
            while True:
                self._handed_over.wait()
                self._handed_over.clear()
                if self._work.items:
                    time.sleep(_HEAD_START_SECONDS)
                    self._run(self._work)
                if not events.wait():
                    break
                events.ask()
        except OSError:
            logger.warning("extension_ended")
        finally:
            events.close()
            self._registered = False


class ServerWork:
    """Work after responses in a process that no one freezes: a request's own at once, recurring work every second."""

    registered = True

    def __init__(self, loop: LoopThread, *, seconds: float = 8.0) -> None:
        """`seconds` bounds the work of one request, and that at the end."""
        self._loop = loop
        self._seconds = seconds
        self._once = Work()
        self._always: list[_Recurring] = []
        self._at_end: list[_Recurring] = []
        self._running: set[Future[None]] = set()

    def once(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Adds work to run once, with that of the next request."""
        self._once.add(name, work)

    def always(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work for `tick`."""
        self._always.append((name, work, when))

    def at_end(self, name: str, work: Start, *, when: Callable[[], bool]) -> None:
        """Adds work for `end`."""
        self._at_end.append((name, work, when))

    def finish(self, work: Work) -> None:
        """Starts the work of a request on the loop; from any thread."""
        work.take(self._once)
        self._once = Work()
        if work.items:
            self._start(work)

    def tick(self) -> None:
        """Runs the recurring work that is due; returns when it is done. Call it every second, not on the loop."""
        if due := _due(self._always):
            self._start(Work(items=due)).result()

    def end(self) -> None:
        """Waits for what is running, and runs the last work; not on the loop."""
        wait(list(self._running), timeout=self._seconds)
        if due := _due(self._at_end):
            self._start(Work(items=due)).result()

    def _start(self, work: Work) -> "Future[None]":
        running = self._loop.submit(_do(work, time.monotonic() + self._seconds))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        return running


def _due(works: Sequence[_Recurring]) -> list[_Item]:
    return [(name, start) for name, start, is_due in works if is_due()]


async def _do(work: Work, until: float) -> None:
    for number, (name, start) in enumerate(work.items):
        left = until - time.monotonic()
        if left <= 0:
            _abandon([name for name, _ in work.items[number:]])
            return
        await _do_one(name, start, min(left, LONGEST_SECONDS))


async def _do_one(name: str, start: Start, seconds: float) -> None:
    """Runs one piece of work; leaves it running without waiting when it ignores cancellation."""
    try:
        begun = start()
    except Exception as failure:  # as one of work that is not done at once
        _note(name, failure)
        return
    if begun is None:
        return
    doing = asyncio.ensure_future(begun)
    done, _ = await asyncio.wait({doing}, timeout=seconds)
    if not done:
        doing.cancel()
        await asyncio.wait({doing}, timeout=_CANCEL_SECONDS)
        doing.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        _abandon([name])
    elif error := doing.exception():
        _note(name, error)


def _note(name: str, error: BaseException) -> None:
    if isinstance(error, StoreError | TimeoutError):
        logger.warning("after_response_failed", extra={"work": name, "cause": getattr(error, "cause", "timeout")})
    else:  # A bug must not stop the loop: the instance still has to ask for its next event.
        logger.error("after_response_bug", extra={"work": name, **described(error)})
    emit(count("AfterResponseFailed", work=name))


def _abandon(names: Sequence[str]) -> None:
    logger.warning("after_response_abandoned", extra={"work": names})
    emit(*(count("AfterResponseAbandoned", work=name) for name in names))
