"""The machine's own time."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Serves the Clock port."""

    def now(self) -> datetime:
        """Aware UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds of the performance counter."""
        return time.perf_counter()
