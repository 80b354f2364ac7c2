"""The event loop of a warm instance, on its own thread.

The handler's thread waits for results with a time-out, so it can answer even when the loop is stuck. Work after the
response runs on the same loop, so it shares the connections.
"""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

Value = TypeVar("Value")

SWITCH_SECONDS = 0.0005


class LoopThread:
    """A thread that runs coroutines on one event loop; ends with the process."""

    def __init__(self) -> None:
        # A worker thread yields to the loop after half a millisecond instead of Python's default of five.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="event-loop", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Value], *, seconds: float | None = None) -> Value:
        """Runs the coroutine and returns its result. After `seconds` cancels it and raises TimeoutError."""
        # Half of the time of `submit`, whose future can be waited for by any number of threads.
        begun: list[asyncio.Task[Value]] = []
        ended = threading.Lock()
        ended.acquire()

        def begin() -> None:
            begun.append(self._loop.create_task(work))
            begun[0].add_done_callback(finish)

        def finish(task: "asyncio.Task[Value]") -> None:
            if not task.cancelled():
                # Marks it as retrieved, also when the caller has stopped waiting.
                task.exception()
            ended.release()

        def cancel() -> None:
            begun[0].cancel()

        self._loop.call_soon_threadsafe(begin)
        if not ended.acquire(timeout=-1 if seconds is None else max(seconds, 0.0)):
            self._loop.call_soon_threadsafe(cancel)
            raise TimeoutError
        if begun[0].cancelled():
            raise CancelledError
        return begun[0].result()

    def submit(self, work: Coroutine[Any, Any, Value]) -> "Future[Value]":
        """Starts the coroutine and returns immediately."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)
