"""Reading the store after responses, so that a store that hangs does not hold the instance as well."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from remembrancer.errors import StoreError, StoreTimeout
from remembrancer.ports.system import Clock

Value = TypeVar("Value")

LONGEST_SECONDS = 1.0
"""One read, where nothing else is said."""
REST = 20
"""What failed is left alone for so many times as long as it took: each kind loses a twentieth of the time at most."""


class BackgroundReads:
    """Of one kind and one instance, which gets no further event while it waits here.

    For what a later request asks for again, as maps and hot sets.
    """

    def __init__(self, clock: Clock, *, longest_seconds: float = LONGEST_SECONDS) -> None:
        self._clock = clock
        self._longest_seconds = longest_seconds
        self._rests_until = 0.0

    @property
    def resting(self) -> bool:
        """Whether nothing should be read now, since the store failed lately."""
        return self._clock.monotonic() < self._rests_until

    async def read(self, reading: Awaitable[Value]) -> Value:
        """What the store says; the StoreError with which it failed, StoreTimeout after `longest_seconds`."""
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
