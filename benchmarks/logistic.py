"""Fits a logistic function of figures that a sentence has or has not: thousands of figures, few in each sentence. A
vector of the sentence may stand beside them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Row = tuple[frozenset[str], bool, float]
"""The figures of a sentence, what it is, and how much it counts."""

RIDGE = 3.0
FEWEST = 3
"""Sentences that have a figure of which the weight is fitted."""
_STEPS = 8
_ROUNDS = 40


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
    table = Rows(figures, names)
    _, weights = regression(table, wanted, counts, RIDGE)
    names = strongest(table, weights, names, most)
    bias, weights = regression(Rows(figures, names), wanted, counts, RIDGE)
    return Weights(round(bias, 2), {name: round(float(one), 2) for name, one in zip(names, weights, strict=True)})


class Rows:
    """A table with a row for each sentence, with 1 in the columns of its figures and else 0; behind these columns stand
    those of `vectors`, (sentences, dimensions).
    """

    def __init__(
        self, figures: Sequence[frozenset[str]], names: Sequence[str], vectors: NDArray[np.float32] | None = None
    ) -> None:
        column = {name: place for place, name in enumerate(names)}
        listed = [[column[name] for name in one if name in column] for one in figures]
        self._names = len(names)
        self._vectors = np.zeros((len(listed), 0), np.float32) if vectors is None else vectors
        self.size = self._names + self._vectors.shape[1]
        self._columns = np.array(list(chain.from_iterable(listed)), dtype=np.intp)
        self._rows = np.repeat(np.arange(len(listed)), [len(one) for one in listed])
        self.count = len(listed)

    def times(self, weights: Floats) -> Floats:
        """The sum of the weights in each row."""
        of_figures = np.bincount(self._rows, weights[self._columns], self.count)
        of_vectors: Floats = (self._vectors @ weights[self._names :].astype(np.float32)).astype(np.float64)
        return of_figures + of_vectors

    def transposed_times(self, values: Floats) -> Floats:
        """The sum of the rows' values in each column."""
        of_figures = np.bincount(self._columns, values[self._rows], self._names)
        return np.append(of_figures, values.astype(np.float32) @ self._vectors)


def strongest(rows: Rows, weights: Floats, names: Sequence[str], count: int) -> list[str]:
    """The names of as many figures that move the scores most, in their order."""
    moved = (np.abs(weights) * np.sqrt(np.abs(rows.transposed_times(np.ones(rows.count)))))[: len(names)]
    return [names[place] for place in np.sort(np.argsort(-moved, kind="stable")[:count])]


def regression(rows: Rows, wanted: Floats, counts: Floats, ridge: float) -> tuple[float, Floats]:
    """The bias and the weights of a logistic regression; each row counts so many times.

    Newton's method; its steps by conjugate gradients, since there are thousands of figures.
    """
    bias, weights = 0.0, np.zeros(rows.size)
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows.times(weights) + bias, -30, 30)))
        curve = np.maximum(counts * likely * (1 - likely), 1e-5)
        missing = counts * (wanted - likely)
        rest = np.append(rows.transposed_times(missing) - ridge * weights, missing.sum())
        step, way, size = np.zeros_like(rest), rest.copy(), float(rest @ rest)
        least = 1e-6 * size
        for _ in range(_ROUNDS):
            moved = curve * (rows.times(way[:-1]) + way[-1])
            turned = np.append(rows.transposed_times(moved) + ridge * way[:-1], moved.sum())
            length = size / float(way @ turned)
            step, rest = step + length * way, rest - length * turned
            size, before = float(rest @ rest), size
            if size <= least:
                break
            way = rest + size / before * way
        weights, bias = weights + step[:-1], bias + float(step[-1])
    return bias, weights
