"""Which assemblies search: those that this process can finish in time.

Lambda gives an instance one request at a time. A container serves many at once, and above what its processor can do,
each takes a share: then all are late, and the work that went into them is lost. So an assembly that could not be done
in time does not begin its searches, and is answered with the directive alone.

By Little's law, `n` requests that share a processor take `n` times the processor time of one. That time is measured on
the requests themselves: as long as the event loop was busy while they ran, divided by how many ran. Time in which the
loop had nothing to do does not count, so a database that is slow refuses nobody; a neighbour on the machine that takes
half of the processor doubles it.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from remembrancer.ports.system import Clock

RECENT = 32
"""Assemblies that are remembered."""
OUTLIERS = 3
"""Of these, the longest do not count: one that first reads a map takes ten times as long."""
STARVED = 0.9
"""An unfinished assembly did not get enough of the processor where the loop was busy for this share of its time."""
STARVED_FACTOR = 2.0
"""What it took at least is not what it would have taken; so half as many begin, until some finish."""


@dataclass(slots=True)
class Turn:
    """An assembly that searches: what clock, event loop and process had counted when it began, in milliseconds."""

    began_ms: float
    idle_ms: float
    shared_ms: float


class Admission:
    """Admits assemblies of one process; belongs to its event loop."""

    def __init__(self, clock: Clock, idle_seconds: Callable[[], float]) -> None:
        """`idle_seconds` counts the time in which the event loop had nothing to do."""
        self._clock = clock
        self._idle_seconds = idle_seconds
        self._under_way = 0
        self._shared_ms = 0.0
        self._changed_ms = clock.monotonic() * 1000
        self._recent: deque[float] = deque(maxlen=RECENT)

    @property
    def each_ms(self) -> float:
        """Milliseconds for which an assembly lately kept the event loop busy; 0 where none has ended."""
        known = sorted(self._recent)
        usual = known[: max(len(known) - OUTLIERS, 1)]
        return sum(usual) / len(usual) if usual else 0.0

    def begin(self, left_ms: float) -> Turn | None:
        """Begins an assembly that has to be done in `left_ms`; None where it would be late, as far as is known."""
        if (self._under_way + 1) * self.each_ms > left_ms:
            return None
        now_ms = self._count(1)
        return Turn(now_ms, self._idle_seconds() * 1000, self._shared_ms)

    def end(self, turn: Turn, *, finished: bool) -> None:
        """Call it once for each turn. `finished` is False where the time was too short for something."""
        elapsed_ms = self._count(-1) - turn.began_ms
        busy_ms = elapsed_ms - (self._idle_seconds() * 1000 - turn.idle_ms)
        if elapsed_ms <= 0:
            return
        beside = (self._shared_ms - turn.shared_ms) / elapsed_ms
        was_starved = not finished and busy_ms > STARVED * elapsed_ms
        self._recent.append(busy_ms / beside * (STARVED_FACTOR if was_starved else 1.0))

    def _count(self, change: int) -> float:
        """Adds to the assemblies under way, and to the integral of their number over time; the time in ms."""
        now_ms = self._clock.monotonic() * 1000
        self._shared_ms += self._under_way * (now_ms - self._changed_ms)
        self._changed_ms = now_ms
        self._under_way += change
        return now_ms
