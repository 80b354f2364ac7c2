"""The score of assembly: five weighted factors over a batch of candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory

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
        """The value that the packer sums up: it grows faster than the score."""
        return self.score**VALUE_EXPONENT


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
    scores = scores_of(memories, relevance, weights=weights, now=now)
    return [scores.scored(row) for row in scores.order]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of a batch: `table` has a row of factors and `totals` the sum for each; `order` has the rows, best
    first.
    """

    memories: Sequence[Memory]
    table: Sequence[Sequence[float]]
    totals: Sequence[float]
    order: Sequence[int]

    def scored(self, row: int) -> Scored:
        """One memory with its reasons; made on demand, since most candidates are neither packed nor explained."""
        return Scored(self.memories[row], self.totals[row], dict(zip(FACTORS, self.table[row], strict=True)))


def scores_of(
    memories: Sequence[Memory], relevance: NDArray[np.float64], *, weights: Mapping[str, float], now: datetime
) -> Scores:
    """The same scores and order, without an object for each."""
    if not memories:
        return Scores(memories, (), (), ())
    table = np.column_stack([relevance, *_factors(memories, now)])
    totals = table @ np.array([weights[factor] for factor in FACTORS])
    order = np.argsort(-totals, kind="stable")
    rows: list[int] = order.tolist()
    if (np.diff(totals[order]) == 0).any():
        # Compared by number, since comparing UUIDs runs in Python.
        rows.sort(key=lambda row: (-totals[row], memories[row].id.int))
    return Scores(memories, table.tolist(), totals.tolist(), rows)


def _factors(memories: Sequence[Memory], now: datetime) -> tuple[NDArray[np.float64], ...]:
    created, categories, *numbers = zip(*map(_READ, memories), strict=True)
    age_days = np.array([(now - moment).total_seconds() for moment in created]) / 86_400
    half_life = np.array([HALF_LIFE_DAYS.get(category, UNKNOWN_HALF_LIFE_DAYS) for category in categories])
    confidence, positive, negative, retrievals = np.array(numbers, np.float64)
    recency = np.exp2(-np.maximum(age_days, 0.0) / half_life)
    usefulness = (positive + 1) / (positive + negative + 2)
    return recency, usefulness, confidence, np.minimum(retrievals / 10, 1.0)


_READ = attrgetter("created_at", "category", "confidence", "positive_count", "negative_count", "retrieval_count")
