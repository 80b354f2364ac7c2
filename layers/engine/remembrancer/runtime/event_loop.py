"""The event loop of a warm instance, on its own thread.

The handler's thread waits for results with a time-out, so it can answer even when the loop is stuck. Work after the
response runs on the same loop, so it shares the connections.
"""

import asyncio
import logging
import selectors
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from time import perf_counter
from typing import Any, TypeVar

from remembrancer.runtime.telemetry import described

logger = logging.getLogger(__name__)

Value = TypeVar("Value")

SWITCH_SECONDS = 0.0005


class _Selector(selectors.DefaultSelector):
    """Waits for sockets, and counts for how long there was nothing else to do."""

    idle_seconds = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """With a time-out of 0 the loop has more to do, and only asks."""
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        began = perf_counter()
        ready = super().select(timeout)
        self.idle_seconds += perf_counter() - began
        return ready


class LoopThread:
    """A thread that runs coroutines on one event loop; ends with the process."""

    def __init__(self) -> None:
        # A worker thread yields to the loop after half a millisecond instead of Python's default of five.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._selector = _Selector()
        self._loop = asyncio.SelectorEventLoop(self._selector)
        self._loop.set_exception_handler(_report)
        self._thread = threading.Thread(target=self._loop.run_forever, name="event-loop", daemon=True)
        self._thread.start()

    @property
    def idle_seconds(self) -> float:
        """For how long the loop has had nothing to do, since it was made."""
        return self._selector.idle_seconds

    def run(self, work: Coroutine[Any, Any, Value], *, seconds: float | None = None) -> Value:
        """Runs the coroutine and returns its result. After `seconds` cancels it and raises TimeoutError; what late
        work raises then is logged.
        """
        future = self.submit(work)
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    async def result(self, work: Coroutine[Any, Any, Value], *, seconds: float | None = None) -> Value:
        """As `run`, waiting on the caller's own event loop."""
        return await asyncio.wait_for(asyncio.wrap_future(self.submit(work)), seconds)

    def submit(self, work: Coroutine[Any, Any, Value]) -> "Future[Value]":
        """Starts the coroutine and returns immediately."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)


def _report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs an exception that nothing has retrieved, without its message, which asyncio's own report quotes."""
    error = context.get("exception")
    logger.error("event_loop_bug", extra={"event": context["message"], **(described(error) if error else {})})
