"""Fuses evidence into one relevance, by weights chosen by measurement (docs/adr/0004-fusion.md).

Memory query and assembly use the same signals. The query first normalises each over its batch, like its other factors;
assembly uses them as they are, so that its floor means the same for every question.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory_columns import NO_SESSION, MemoryColumns
from remembrancer.domain.retrieval import time_periods

Floats = NDArray[np.float64]

OWN_WEIGHTS: Mapping[str, float] = {"dense": 0.30, "lexical": 0.40, "subject": 0.20}
"""Weights of a memory's own evidence, from which the support of its session is computed."""
WEIGHTS: Mapping[str, float] = {"dense": 0.22, "lexical": 0.62, "session": 0.31, "subject": 0.16, "period": 0.19}
"""Cosines vary more than BM25 shares do, which is why lexical evidence has the greatest weight."""
BONUSES = frozenset({"subject", "period"})
"""Added to the mean of the others, since most queries name neither a person nor a time."""


@dataclass(frozen=True, slots=True)
class Signals:
    """Signals by memory, each in [0, 1] and 0 where there is no evidence.

    `dense` is the clamped cosine, `lexical` BM25 divided by the highest that the query's words could reach; None where
    that search found nothing: the other signal then takes its weight. `subject` is 1 when the query names the memory's
    subject, `period` how near the memory's creation is to the times that the query mentions.
    """

    dense: Floats | None
    lexical: Floats | None
    subject: Floats
    period: Floats


@dataclass(frozen=True, slots=True)
class Sessions:
    """The session of each memory of a batch, as numbers below `count` (n,); a memory without one is alone in one."""

    number: NDArray[np.intp]
    count: int

    @classmethod
    def of(cls, session: NDArray[np.int32]) -> "Sessions":
        """`session` (n,) as in `MemoryColumns`: each NO_SESSION becomes a session of its own."""
        number = session.astype(np.intp)
        alone = np.flatnonzero(session == NO_SESSION)
        count = int(number.max(initial=NO_SESSION)) + 1
        number[alone] = count + np.arange(len(alone))
        return cls(number, count + len(alone))

    def best(self, own: Floats) -> Floats:
        """(n,): the greatest of `own` in each memory's session.

        Memories of one conversation often answer a question together.
        """
        best = np.zeros(self.count)
        np.maximum.at(best, self.number, own)
        return best[self.number]


def fuse(signals: Signals, sessions: Sessions) -> Floats:
    """(n,) in [0, 1], absolute: other memories of the batch affect it only through sessions."""
    columns = {"subject": signals.subject, "period": signals.period}
    columns |= {"dense": signals.dense} if signals.dense is not None else {}
    columns |= {"lexical": signals.lexical} if signals.lexical is not None else {}
    columns["session"] = sessions.best(_weighted(columns, OWN_WEIGHTS))
    return _weighted(columns, WEIGHTS)


def period_closeness(columns: MemoryColumns, query: str, now: datetime) -> Floats:
    """(n,): from the creation time of each memory, or from when it was true or happened, where it says so; 0 for a
    query without a time.
    """
    spoken_of = time_periods.periods(query, now)
    if not spoken_of:
        return np.zeros(len(columns))
    begins, until = columns.begins, columns.until
    has_begun, has_ended = np.isfinite(begins), np.isfinite(until)
    told = np.where(has_begun, begins, np.where(has_ended, until, columns.created))
    met = np.zeros(len(columns), bool)
    for period in spoken_of:
        met |= (until >= period.start.timestamp()) & (begins < period.end.timestamp())
    return np.where(met & (has_begun | has_ended), 1.0, time_periods.closeness(told, spoken_of))


def _weighted(columns: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted mean of the available signals, plus the bonuses on the same scale."""
    known = {name: weight for name, weight in weights.items() if name in columns}
    total = sum(weight for name, weight in known.items() if name not in BONUSES) or 1.0
    sums = sum((columns[name] * (weight / total) for name, weight in known.items()), np.zeros(len(columns["subject"])))
    return np.clip(sums, 0.0, 1.0)
