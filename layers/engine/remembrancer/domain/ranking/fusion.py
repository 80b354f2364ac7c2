"""Evidence fused into one relevance, by weights chosen by measurement (docs/adr/0004-fusion.md).

The same signals serve the memory query and assembly. The query normalises each over its batch first, as it does its
other factors; assembly takes them as they are, so that its floor means the same for every question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval import time_periods

Floats = NDArray[np.float64]

OWN_WEIGHTS: Mapping[str, float] = {"dense": 0.30, "lexical": 0.40, "subject": 0.20}
"""Of what a memory has for itself, by which its session is judged."""
WEIGHTS: Mapping[str, float] = {"dense": 0.22, "lexical": 0.62, "session": 0.31, "subject": 0.16, "period": 0.19}
"""Cosines spread wider than BM25 shares do, which is why lexical evidence has the greatest."""
BONUSES = frozenset({"subject", "period"})
"""They add to the mean of the others: most queries name neither person nor time."""


@dataclass(frozen=True, slots=True)
class Signals:
    """One entry a memory, each in [0, 1] and 0 where there is no evidence.

    `dense` is the clamped cosine, `lexical` BM25 over the best that the query's words could reach, None where nothing
    was found in this way: then the other stands for both. `subject` is 1 when the query names whom the memory is about,
    `period` how near the memory was made to the times that the query speaks of.
    """

    dense: Floats | None
    lexical: Floats | None
    subject: Floats
    period: Floats


def fuse(signals: Signals, memories: Sequence[Memory]) -> Floats:
    """(n,) in [0, 1], absolute: what else is in the batch changes it only through a memory's session."""
    columns = {"subject": signals.subject, "period": signals.period}
    columns |= {"dense": signals.dense} if signals.dense is not None else {}
    columns |= {"lexical": signals.lexical} if signals.lexical is not None else {}
    columns["session"] = session_support(memories, _weighted(columns, OWN_WEIGHTS))
    return _weighted(columns, WEIGHTS)


def session_support(memories: Sequence[Memory], own: Floats) -> Floats:
    """(n,): the greatest of `own` in each memory's session; a memory without one stands for itself.

    What is talked about in one conversation answers together.
    """
    # By number: a UUID hashes and compares in Python.
    places: dict[tuple[int, str], int] = {}
    sessions = [
        (memory.agent_id.int, memory.session_id) if memory.session_id else (memory.id.int, "") for memory in memories
    ]
    number = np.array([places.setdefault(session, len(places)) for session in sessions], dtype=np.intp)
    best = np.zeros(len(places))
    np.maximum.at(best, number, own)
    return best[number]


def period_closeness(memories: Sequence[Memory], query: str, now: datetime) -> Floats:
    """(n,): by the time that each memory was made at; 0 for a query that speaks of no time."""
    spoken_of = time_periods.periods(query, now)
    if not spoken_of:
        return np.zeros(len(memories))
    return time_periods.closeness([memory.created_at for memory in memories], spoken_of)


def _weighted(columns: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted mean of what there is, and the bonuses on the same scale."""
    known = {name: weight for name, weight in weights.items() if name in columns}
    total = sum(weight for name, weight in known.items() if name not in BONUSES) or 1.0
    sums = sum((columns[name] * (weight / total) for name, weight in known.items()), np.zeros(len(columns["subject"])))
    return np.clip(sums, 0.0, 1.0)
