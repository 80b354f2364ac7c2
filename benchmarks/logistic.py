"""Fits a logistic function of figures that a sentence has or has not: thousands of figures, few in each sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import listed_weights

Row = tuple[frozenset[str], bool, float]
"""The figures of a sentence, what it is, and how much it counts."""

RIDGE = 3.0
FEWEST = 3
"""Sentences that have a figure of which the weight is fitted."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A bias, and the weight of each figure."""

    bias: float
    of: Mapping[str, float]

    def score(self, figures: frozenset[str]) -> float:
        """How surely a sentence with these figures is so, as a logit."""
        return self.bias + sum(self.of.get(one, 0.0) for one in figures)


def fitted(rows: Sequence[Row], *, most: int) -> Weights:
    """Logistic regression with a ridge; the `most` figures that move the scores most get a weight."""
    counted = Counter(figure for one, _, _ in rows for figure in one)
    names = sorted(name for name, count in counted.items() if count >= FEWEST)
    figures = [one for one, _, _ in rows]
    wanted = np.array([one for _, one, _ in rows], dtype=np.float64)
    counts = np.array([one for _, _, one in rows])
    table = listed_weights.Rows(figures, names)
    _, weights = listed_weights.regression(table, wanted, counts, RIDGE)
    names = listed_weights.most(table, weights, names, most)
    bias, weights = listed_weights.regression(listed_weights.Rows(figures, names), wanted, counts, RIDGE)
    return Weights(round(bias, 2), {name: round(float(one), 2) for name, one in zip(names, weights, strict=True)})
