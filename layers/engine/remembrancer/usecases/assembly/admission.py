"""How much of an assembly this process can do in time: all of it, the directive alone, or nothing.

Lambda gives an instance one request at a time. A container serves many at once, and above what its processor can do,
each takes a share: then all are late, and the work that went into them is lost. So an assembly begins only what it will
finish in time. How long that takes is expected from three numbers, as of a processor that all share:

- what an assembly of its kind lately cost: the time for which the event loop was busy while it ran, divided by how many
  ran. Time in which the loop had nothing to do does not count: a database that is slow refuses nobody, and a neighbour
  on the machine that takes half of the processor doubles the cost.
- the work ahead: assemblies under way have done half of theirs, on average.
- how busy the loop lately was: of the time that is needed, so much goes half to assemblies that arrive meanwhile.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from remembrancer.ports.system import Clock

RECENT = 32
"""Assemblies of a kind that are remembered, and arrivals by which the loop's load is known."""
OUTLIERS = 3
"""Of the assemblies, the longest do not count: one that first reads a map takes ten times as long."""
STARVED = 0.9
"""An unfinished assembly did not get enough of the processor where the loop was busy for this share of its time."""
STARVED_FACTOR = 2.0
"""What it cost so far is not what it would have cost; so half as many begin, until some finish."""


class Extent(Enum):
    """How much of an assembly is done."""

    WHOLE = "whole"
    DIRECTIVE = "directive"


@dataclass(frozen=True, slots=True)
class Admitted:
    """An assembly under way: what clock, event loop and process had counted when it began, in milliseconds."""

    extent: Extent
    began_ms: float
    idle_ms: float
    shared_ms: float


@dataclass(slots=True)
class _Kind:
    """Assemblies of one extent: how many are under way, and what recent ones cost in milliseconds of the loop."""

    under_way: int = 0
    recent: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))

    @property
    def cost_ms(self) -> float:
        """The mean without the longest; 0 where none has ended."""
        usual = sorted(self.recent)[: max(len(self.recent) - OUTLIERS, 1)]
        return sum(usual) / len(usual) if usual else 0.0


class Admission:
    """Admits assemblies of one process; belongs to its event loop."""

    def __init__(self, clock: Clock, idle_seconds: Callable[[], float]) -> None:
        """`idle_seconds` counts the time in which the event loop had nothing to do."""
        self._clock = clock
        self._idle_seconds = idle_seconds
        self._kinds = {extent: _Kind() for extent in Extent}
        self._shared_ms = 0.0
        self._changed_ms = clock.monotonic() * 1000
        self._arrivals: deque[tuple[float, float]] = deque([(self._changed_ms, idle_seconds() * 1000)], maxlen=RECENT)

    def begin(self, left_ms: float) -> Admitted | None:
        """Begins as much of an assembly as can be done in `left_ms`; None where not even the directive can.

        Where no other is under way it is begun whole: less would come no sooner.
        """
        now_ms, idle_ms = self._count(), self._idle_seconds() * 1000
        self._arrivals.append((now_ms, idle_ms))
        for extent in Extent:
            if not self._under_way or self._expected_ms(extent) <= left_ms:
                self._kinds[extent].under_way += 1
                return Admitted(extent, now_ms, idle_ms, self._shared_ms)
        return None

    def end(self, admitted: Admitted, *, finished: bool) -> None:
        """Call it once for each admitted. `finished` is False where the time was too short for something."""
        elapsed_ms = self._count() - admitted.began_ms
        kind = self._kinds[admitted.extent]
        kind.under_way -= 1
        if elapsed_ms <= 0:
            return
        busy_ms = elapsed_ms - (self._idle_seconds() * 1000 - admitted.idle_ms)
        beside = (self._shared_ms - admitted.shared_ms) / elapsed_ms
        was_starved = not finished and busy_ms > STARVED * elapsed_ms
        kind.recent.append(busy_ms / beside * (STARVED_FACTOR if was_starved else 1.0))

    @property
    def _under_way(self) -> int:
        return sum(kind.under_way for kind in self._kinds.values())

    def _expected_ms(self, extent: Extent) -> float:
        ahead_ms = sum(kind.under_way * kind.cost_ms for kind in self._kinds.values())
        return (self._kinds[extent].cost_ms + ahead_ms / 2) / (1 - self._load / 2)

    @property
    def _load(self) -> float:
        """The share of the time since the first of the recent arrivals for which the loop was busy."""
        (first_ms, first_idle_ms), (last_ms, last_idle_ms) = self._arrivals[0], self._arrivals[-1]
        if last_ms <= first_ms:
            return 0.0
        return min(max(1 - (last_idle_ms - first_idle_ms) / (last_ms - first_ms), 0.0), 1.0)

    def _count(self) -> float:
        """Adds to the integral of the assemblies under way over time; the time in ms."""
        now_ms = self._clock.monotonic() * 1000
        self._shared_ms += self._under_way * (now_ms - self._changed_ms)
        self._changed_ms = now_ms
        return now_ms
