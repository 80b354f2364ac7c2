"""A simulated process: one event loop that assemblies share, with the real admission, in simulated time.

Each assembly is steps of processor time, between which it waits for servers. The loop does steps in the order in which
they became ready, as asyncio does. Time is counted, not waited for: twenty seconds take a fraction of one.
"""

import heapq
import itertools
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from remembrancer.usecases.assembly.admission import Admission, Admitted, Extent
from remembrancer.usecases.assembly.plan import OVERLOAD

Steps = Sequence[tuple[float, float]]
"""Milliseconds of the processor, and milliseconds of waiting after it."""
LATE_MS = 0.3
"""To answer at the deadline with what there is."""
UNCHANGED_MS = 0.4
"""To answer with the client's messages."""
LATE = "assembly_timeout"


@dataclass(frozen=True, slots=True)
class Simulated:
    """An answer: milliseconds since its request arrived, and what it lacks."""

    ms: float
    reason: str


@dataclass(slots=True, eq=False)
class _Task:
    arrived_ms: float
    steps: deque[tuple[float, float]] = field(default_factory=deque)
    admitted: Admitted | None = None
    reason: str = ""
    begun: bool = False
    answered: bool = False


class SharedLoop:
    """Serves Clock, for the admission; `run` once."""

    def __init__(
        self, *, whole: Steps, directive: Steps, after: Steps, deadline_ms: float, admits: bool = True
    ) -> None:
        """`after` follows the answer. Without `admits`, every assembly is begun whole."""
        self._steps = {Extent.WHOLE: whole, Extent.DIRECTIVE: directive}
        self._after = after
        self._deadline_ms = deadline_ms
        self._admits = admits
        self._now_ms = 0.0
        self._idle_ms = 0.0
        self._admission = Admission(self, lambda: self._idle_ms / 1000)
        self._ready: deque[_Task] = deque()
        self._later: list[tuple[float, int, _Task]] = []
        self._numbers = itertools.count()
        self._answers: list[Simulated] = []

    @property
    def busy_share(self) -> float:
        """Of the simulated time."""
        return 1 - self._idle_ms / self._now_ms

    def now(self) -> datetime:
        """Some time: nothing depends on it."""
        return datetime.fromtimestamp(0, UTC)

    def monotonic(self) -> float:
        """Simulated seconds."""
        return self._now_ms / 1000

    def run(self, rate: float, seconds: float, *, seed: int = 1) -> list[Simulated]:
        """The answers to requests that arrive at random, `rate` a second."""
        chance = random.Random(seed)
        arrived_ms = 0.0
        while (arrived_ms := arrived_ms + chance.expovariate(rate / 1000)) < seconds * 1000:
            self._at(arrived_ms, _Task(arrived_ms))
        while self._later or self._ready:
            while self._later and self._later[0][0] <= self._now_ms:
                self._ready.append(heapq.heappop(self._later)[2])
            if self._ready:
                self._step(self._ready.popleft())
            else:
                self._idle_ms += self._later[0][0] - self._now_ms
                self._now_ms = self._later[0][0]
        return self._answers

    def _at(self, at_ms: float, task: _Task) -> None:
        heapq.heappush(self._later, (at_ms, next(self._numbers), task))

    def _step(self, task: _Task) -> None:
        if not task.begun:
            self._begin(task)
        is_late = not task.answered and self._now_ms >= task.arrived_ms + self._deadline_ms
        if is_late and task.admitted is not None:
            self._now_ms += LATE_MS
            self._answer(task, ",".join(filter(None, [task.reason, LATE])))
            return
        if task.steps:
            worked_ms, waits_ms = task.steps.popleft()
            self._now_ms += worked_ms
            if not task.steps and not task.answered:
                self._answer(task, task.reason)
            elif task.steps:
                at_ms = self._now_ms + waits_ms
                end_ms = task.arrived_ms + self._deadline_ms
                self._at(at_ms if task.answered else min(at_ms, max(end_ms, self._now_ms)), task)

    def _begin(self, task: _Task) -> None:
        task.begun = True
        left_ms = self._deadline_ms - (self._now_ms - task.arrived_ms)
        task.admitted = self._admission.begin(left_ms if self._admits else float("inf"))
        if task.admitted is None:
            task.reason = OVERLOAD
            task.steps.append((UNCHANGED_MS, 0.0))
            return
        task.reason = "" if task.admitted.extent is Extent.WHOLE else OVERLOAD
        task.steps.extend(self._steps[task.admitted.extent])

    def _answer(self, task: _Task, reason: str) -> None:
        task.answered = True
        self._answers.append(Simulated(self._now_ms - task.arrived_ms, reason))
        if task.admitted is not None:
            self._admission.end(task.admitted, finished=LATE not in reason)
            task.steps = deque(self._after)
            self._at(self._now_ms, task)
