"""The time that a question is about, and whether a memory was true or happened then."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval import time_periods
from remembrancer.domain.retrieval.time_periods import Period


@dataclass(frozen=True, slots=True)
class AskedTime:
    """The moment that the caller names, else the periods that the question names; with neither, the present.

    For a named moment, a memory must have begun and not ended. For the present, a memory must not have ended, or must
    have been true in one of the periods: what is still to come may be told.
    """

    as_of: datetime | None = None
    periods: tuple[Period, ...] = ()

    def admits(self, memory: Memory, *, now: datetime) -> bool:
        """Whether the memory may be part of the answer."""
        if memory.occurred_to is None and self.as_of is None:
            return True
        if self.as_of is not None and memory.occurred_from is not None and memory.occurred_from > self.as_of:
            return False
        end = memory.ends_at
        if end is None or end > (self.as_of or now):
            return True
        return any(period.meets(memory.occurred_from, end) for period in self.periods)

    def passing(self, begins: NDArray[np.float64], ends: NDArray[np.float64], *, now: datetime) -> NDArray[np.bool_]:
        """The same for many memories, (n,): from `occurred_from` and `ends_at` in seconds, −inf and inf where open."""
        if self.as_of is not None:
            moment = self.as_of.timestamp()
            return (begins <= moment) & (ends > moment)
        passing: NDArray[np.bool_] = ends > now.timestamp()
        for period in self.periods:
            passing |= (ends >= period.start.timestamp()) & (begins < period.end.timestamp())
        return passing


PRESENT = AskedTime()


def asked_time(question: str, *, as_of: datetime | None, now: datetime) -> AskedTime:
    """The time in the request; without one, the times that the question mentions, in the time zone of `now`."""
    return AskedTime(as_of) if as_of is not None else AskedTime(None, time_periods.periods(question, now))


def asked_anywhere(question: str, *, as_of: datetime | None, now: datetime) -> AskedTime:
    """The same where the time zone is not known yet: admits what is admitted in any of the world's."""
    return AskedTime(as_of) if as_of is not None else AskedTime(None, time_periods.periods_anywhere(question, now))
