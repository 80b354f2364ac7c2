"""One event loop for a warm instance, on a thread of its own.

The handler's thread waits for results with a time-out, so that an answer can be given even when the loop is stuck; work
after the response runs on the same loop, hence over the same connections.
"""

import asyncio
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Value = TypeVar("Value")

SWITCH_SECONDS = 0.0005


class LoopThread:
    """Runs coroutines; ends with the process."""

    def __init__(self) -> None:
        # A worker thread gives way to the loop after half a millisecond instead of Python's five.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="event-loop", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Value], *, seconds: float | None = None) -> Value:
        """The result; TimeoutError after `seconds`, with the work cancelled."""
        future = self.submit(work)
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    def submit(self, work: Coroutine[Any, Any, Value]) -> "Future[Value]":
        """Starts the work and returns at once."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)
