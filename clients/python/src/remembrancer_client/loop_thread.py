"""An event loop on a thread of its own, for callers that have none."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")
Owned = TypeVar("Owned")


class LoopThread(Generic[Owned]):
    """Runs what `make` returns on its loop. After a fork both are made anew: threads do not survive one."""

    def __init__(self, make: Callable[[], Owned]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._process = 0
        self._start()

    @property
    def owned(self) -> Owned:
        """What lives on the loop; to be used in `run` only."""
        if self._process != os.getpid():
            with self._lock:
                if self._process != os.getpid():
                    self._start()
        return self._owned

    @property
    def is_running(self) -> bool:
        """Whether it was started in this process, and not before a fork."""
        return self._process == os.getpid() and self._thread.is_alive()

    def call(self, work: Callable[[], object]) -> None:
        """Has the loop call `work` soon, without waiting for it."""
        self._loop.call_soon_threadsafe(work)

    def submit(self, work: Coroutine[Any, Any, Value]) -> Future[Value]:
        """Begins the work; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, Value], *, seconds: float | None = None) -> Value:
        """The result; TimeoutError after `seconds`, and the work is cancelled."""
        future = self.submit(work)
        try:
            return future.result(seconds)
        except concurrent.futures.TimeoutError:
            if future.done():
                raise
            future.cancel()
            raise TimeoutError from None

    def stop(self) -> None:
        """Ends the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        if not self._loop.is_running():
            self._loop.close()

    def _start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="remembrancer-client", daemon=True)
        self._thread.start()
        self._owned = self._make()
        self._process = os.getpid()
