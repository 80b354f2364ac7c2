"""Reads from the store after responses, bounded so that a hanging store does not block the instance."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.system import Clock

Value = TypeVar("Value")

LONGEST_SECONDS = 1.0
"""Most seconds for one read, unless the caller gives another bound."""
REST = 20
"""Back-off as a multiple of the time that a failed read took: at most a twentieth of the time is lost to each kind of
read.
"""


class BackgroundReads:
    """Reads of one kind on one instance, which receives no further event while it waits here.

    For data that a later request would read again anyway, such as maps and hot sets.
    """

    def __init__(self, clock: Clock, *, longest_seconds: float = LONGEST_SECONDS) -> None:
        self._clock = clock
        self._longest_seconds = longest_seconds
        self._rests_until = 0.0

    @property
    def resting(self) -> bool:
        """Whether to skip reading now, since a read failed lately."""
        return self._clock.monotonic() < self._rests_until

    async def read(self, reading: Awaitable[Value]) -> Value:
        """Returns the result of the read. Raises the StoreError of the store; StoreTimeout after `longest_seconds`."""
        started = self._clock.monotonic()
        try:
            return await asyncio.wait_for(reading, self._longest_seconds)
        except StoreError:
            self._rest(started)
            raise
        except TimeoutError as error:
            self._rest(started)
            raise StoreTimeout("the store did not answer after the response", cause="Background") from error

    def _rest(self, started: float) -> None:
        now = self._clock.monotonic()
        self._rests_until = now + REST * (now - started)
