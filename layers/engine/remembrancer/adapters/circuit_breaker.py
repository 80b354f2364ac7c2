"""Hang detection: after an unanswered call, calls fail at once until the server answers a probe."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, TypeVar

from remembrancer.errors import StoreError, StoreTimeout

PROBE_SECONDS = 0.1
GRACE_SECONDS = 0.005
"""How long a call waits for a probe that is under way: a server that is well needs less."""

Value = TypeVar("Value")


class CircuitBreaker:
    """An unanswered call opens it: calls fail until a probe, repeated beside the requests, is answered."""

    def __init__(
        self,
        probe: Callable[[], Awaitable[Any]],
        *,
        server: str,
        late_seconds: float,
        probe_seconds: float = PROBE_SECONDS,
    ) -> None:
        """A call that ended unanswered counts only if it had waited `late_seconds`; a probe waits `probe_seconds`."""
        self._probe = probe
        self._server = server
        self._late_seconds = late_seconds
        self._probe_seconds = probe_seconds
        self._answered = 0.0
        self._probing: asyncio.Task[None] | None = None
        self._is_stopped = False

    async def call(self, call: Callable[[], Awaitable[Value]]) -> Value:
        """The call's answer; StoreTimeout within `GRACE_SECONDS` while the breaker is open."""
        if not await self._is_closed():
            raise StoreTimeout(f"{self._server} has left a call unanswered", cause="Unanswered")
        started = monotonic()
        try:
            answer = await call()
        except (asyncio.CancelledError, StoreTimeout):
            # Another call's answer since then says that the server is well, and only slow with this one.
            is_late = self._answered < started < monotonic() - self._late_seconds
            if is_late and self._probing is None and not self._is_stopped:
                self._probing = asyncio.create_task(self._until_answered())
            raise
        self._answered = monotonic()
        return answer

    async def stop(self) -> None:
        """Ends a running probe, and waits until it has ended; calls that are under way begin no further one."""
        self._is_stopped = True
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.wait({self._probing})

    async def _is_closed(self) -> bool:
        if self._probing is None:
            return True
        # An instance that was frozen has not read the answer yet, though it may be there.
        done, _ = await asyncio.wait({self._probing}, timeout=GRACE_SECONDS)
        return bool(done)

    async def _until_answered(self) -> None:
        try:
            while True:
                try:
                    async with asyncio.timeout(self._probe_seconds):
                        await self._probe()
                    break
                except (StoreTimeout, TimeoutError):
                    continue
                except StoreError:
                    # It fails at once, and so will every call.
                    break
        finally:
            self._probing = None
