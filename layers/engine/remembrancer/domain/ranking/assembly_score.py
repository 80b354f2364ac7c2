"""The score of assembly: five weighted factors over a batch of candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import CATEGORIES, Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns

FACTORS = ("relevance", "recency", "usefulness", "confidence", "frequency")
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "relevance": 0.88,
    "recency": 0.05,
    "usefulness": 0.04,
    "confidence": 0.02,
    "frequency": 0.01,
}
"""Chosen by measurement (docs/adr/0037-the-right-context.md): each more of recency loses evidence."""
HALF_LIFE_DAYS: Mapping[str, float] = {
    "factual": 180.0,
    "procedural": 120.0,
    "preference": 45.0,
    "behavioral": 30.0,
    "episodic": 14.0,
}
UNKNOWN_HALF_LIFE_DAYS = 14.0
MINIMUM_CONFIDENCE = 0.3
"""Memories with less confidence are not injected."""
RELEVANCE_FLOOR = 0.15
"""Memories below it are not injected, unless the request has another floor."""
VALUE_EXPONENT = 40
"""Chosen by measurement (docs/adr/0022-value-of-a-memory.md, 0037, 0040, 0042): with the plain score two poor short
memories would outweigh the good one that they displace.
"""


@dataclass(slots=True)
class Scored:
    """A candidate with its score and the raw factors of that score.

    Not frozen, as Memory is not: a request makes hundreds.
    """

    memory: Final[Memory]
    score: Final[float]
    factors: Final[Mapping[str, float]]

    @property
    def value(self) -> float:
        """The value that the packer sums up."""
        return value(self.score)


def value(score: float) -> float:
    """The value of a memory with this score in packing: it grows faster than the score."""
    return score**VALUE_EXPONENT


def weights_of(requested: Mapping[str, float]) -> dict[str, float]:
    """The defaults with the request's weights over them, normalised to sum 1."""
    merged = {factor: requested.get(factor, default) for factor, default in DEFAULT_WEIGHTS.items()}
    total = sum(merged.values())
    if total <= 0:
        return dict(DEFAULT_WEIGHTS)
    return {factor: weight / total for factor, weight in merged.items()}


def score(
    memories: Sequence[Memory],
    relevance: NDArray[np.float64],
    *,
    weights: Mapping[str, float],
    now: datetime,
) -> list[Scored]:
    """Best first; ties by memory id. `relevance` is (n,) in [0, 1], relative to the other candidates; an empty batch
    gives an empty list.
    """
    scores = scores_of(memories, MemoryColumns.of(memories), relevance, weights=weights, now=now)
    order = scores.order(np.arange(len(memories)))
    return scores.scored(order, [memories[row] for row in order])


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of a batch: `table` (n, factors) has its factors and `totals` (n,) their weighted sums."""

    memories: Sequence[Memory]
    table: NDArray[np.float64]
    totals: NDArray[np.float64]

    def order(self, rows: NDArray[np.intp]) -> list[int]:
        """These rows, best first; ties by memory id."""
        totals = self.totals[rows]
        best = rows[np.argsort(-totals, kind="stable")]
        ordered: list[int] = best.tolist()
        ties = np.flatnonzero(np.diff(self.totals[best]) == 0).tolist()
        if ties:
            # Few rows tie, and only of these is a memory needed. Compared by number, since comparing UUIDs runs in
            # Python.
            tied = {row for place in ties for row in ordered[place : place + 2]}
            numbers = {row: self.memories[row].id.int for row in tied}
            ordered.sort(key=lambda row: (-self.totals[row], numbers.get(row, 0)))
        return ordered

    def scored(self, rows: Sequence[int], memories: Sequence[Memory]) -> list[Scored]:
        """The memories of these rows with their reasons: on demand, since most are neither packed nor explained."""
        chosen = list(rows)
        columns = zip(memories, self.totals[chosen].tolist(), self.table[chosen].tolist(), strict=True)
        return [Scored(memory, total, dict(zip(FACTORS, factors, strict=True))) for memory, total, factors in columns]


def scores_of(
    memories: Sequence[Memory],
    described: MemoryColumns,
    relevance: NDArray[np.float64],
    *,
    weights: Mapping[str, float],
    now: datetime,
) -> Scores:
    """The same scores without an object for each memory; `described` are the memories' columns."""
    table = np.column_stack([relevance, *_factors(described, now)])
    return Scores(memories, table, table @ np.array([weights[factor] for factor in FACTORS]))


def _factors(described: MemoryColumns, now: datetime) -> tuple[NDArray[np.float64], ...]:
    age_days = (now.timestamp() - described.created) / 86_400
    recency = np.exp2(-np.maximum(age_days, 0.0) / _HALF_LIVES[described.category])
    positive, negative = described.positive_count, described.negative_count
    usefulness = (positive + 1) / (positive + negative + 2)
    return recency, usefulness, described.confidence, np.minimum(described.retrieval_count / 10, 1.0)


_HALF_LIVES = np.array([*(HALF_LIFE_DAYS[category] for category in CATEGORIES), UNKNOWN_HALF_LIFE_DAYS])
"""By the number of the category in `MemoryColumns`."""
