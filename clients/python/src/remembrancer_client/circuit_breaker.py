"""Stops sending requests to a service that does not answer, and probes separately whether it answers again."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

FAILURES = 5
WINDOW_S = 10.0
PROBE_AFTER_S = 1.0
PROBE_AT_MOST_EVERY_S = 15.0


class CircuitBreaker:
    """Opens after FAILURES failures within WINDOW_S; while open, every call is refused at once.

    `take_probe` hands out the right to one probe at a time, first after PROBE_AFTER_S, then after twice as long each
    time. A probe that succeeds closes the breaker. Not thread-safe: it belongs to one event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._probe_at: float | None = None
        self._wait_s = PROBE_AFTER_S
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether calls must be skipped."""
        return self._probe_at is not None

    def failed(self) -> None:
        """Counts a call without a usable answer; skips calls after the last of `FAILURES` within `WINDOW_S`."""
        now = self._clock()
        self._failures.append(now)
        if not self.is_open and len(self._failures) == FAILURES and now - self._failures[0] <= WINDOW_S:
            self.open_for(PROBE_AFTER_S)

    def succeeded(self) -> None:
        """One call with a usable answer: failures in a row count, scattered ones do not."""
        self._failures.clear()

    def open_for(self, seconds: float) -> None:
        """Refuses calls; the first probe after `seconds`, as `Retry-After` or the breaker itself says."""
        self._wait_s = PROBE_AFTER_S
        self._probe_at = self._clock() + seconds

    def take_probe(self) -> bool:
        """True for one caller when a probe is due; it has to report by `probed`."""
        if self._probing or self._probe_at is None or self._clock() < self._probe_at:
            return False
        self._probing = True
        return True

    def probed(self, succeeded: bool) -> None:
        """Reports the result of the probe."""
        self._probing = False
        self._failures.clear()
        if succeeded:
            self._probe_at = None
            return
        self._wait_s = min(2 * self._wait_s, PROBE_AT_MOST_EVERY_S)
        self._probe_at = self._clock() + self._wait_s
