"""The machine's wall clock and its monotonic clock."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Serves the Clock port with the system's clock and the performance counter."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.perf_counter()
