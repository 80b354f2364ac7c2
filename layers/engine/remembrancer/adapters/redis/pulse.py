"""Whether Redis answers at all, so that not each request finds out again that it hangs."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, TypeVar

from remembrancer.errors import StoreError, StoreTimeout

PING_SECONDS = 0.1
GRACE_SECONDS = 0.005
"""How long a call waits for the sign of life: a server that is well needs less."""

Value = TypeVar("Value")


class Pulse:
    """A call that ended without an answer is followed by pings until one is answered; until then calls fail."""

    def __init__(self, ping: Callable[[], Awaitable[Any]], *, late_seconds: float) -> None:
        """`late_seconds` is how long a call has waited at least before its end says anything of the server."""
        self._ping = ping
        self._late_seconds = late_seconds
        self._answered = 0.0
        self._asking: asyncio.Task[None] | None = None

    async def felt(self, call: Callable[[], Awaitable[Value]]) -> Value:
        """The call's answer; StoreTimeout at once, or nearly, while the server gives no sign of life."""
        if not await self._is_there():
            raise StoreTimeout("Redis has left a call unanswered", cause="Unanswered")
        started = monotonic()
        try:
            answer = await call()
        except (asyncio.CancelledError, StoreTimeout):
            # Another call's answer since then says that the server is well, and only slow with this one.
            if self._answered < started < monotonic() - self._late_seconds and self._asking is None:
                self._asking = asyncio.create_task(self._ask())
            raise
        self._answered = monotonic()
        return answer

    async def stop(self) -> None:
        """No more pings."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait({self._asking})

    async def _is_there(self) -> bool:
        if self._asking is None:
            return True
        # An instance that was frozen has not heard the answer yet, though it may be there.
        done, _ = await asyncio.wait({self._asking}, timeout=GRACE_SECONDS)
        return bool(done)

    async def _ask(self) -> None:
        try:
            while True:
                try:
                    async with asyncio.timeout(PING_SECONDS):
                        await self._ping()
                    break
                except (StoreTimeout, TimeoutError):
                    continue
                except StoreError:
                    # It fails at once, and so will every call.
                    break
        finally:
            self._asking = None
