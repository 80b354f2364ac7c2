"""Fits a logistic function of figures that a sentence has or has not: thousands of figures, few in each sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
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
    wanted = np.array([one for _, one, _ in rows], dtype=np.float32)
    counts = np.array([one for _, _, one in rows], dtype=np.float32)
    table = _table([one for one, _, _ in rows], names)
    _, weights = _regression(table, wanted, counts)
    moving = np.argsort(-np.abs(weights) * np.sqrt(table.sum(axis=0)), kind="stable")
    kept = np.sort(moving[:most])
    names = [names[place] for place in kept]
    bias, weights = _regression(table[:, kept], wanted, counts)
    return Weights(round(bias, 2), {name: round(float(one), 2) for name, one in zip(names, weights, strict=True)})


def _table(figures: Sequence[frozenset[str]], names: Sequence[str]) -> Floats:
    column = {name: place for place, name in enumerate(names)}
    table = np.zeros((len(figures), len(names)), dtype=np.float32)
    for row, one in enumerate(figures):
        table[row, [column[name] for name in one if name in column]] = 1.0
    return table


def _regression(table: Floats, wanted: Floats, counts: Floats) -> tuple[float, Floats]:
    """Newton's method; its steps by conjugate gradients, since there are thousands of figures."""
    bias, weights = 0.0, np.zeros(table.shape[1], dtype=np.float32)
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(table @ weights + bias, -30, 30)))
        curve = np.maximum(counts * likely * (1 - likely), 1e-5)
        missing = counts * (wanted - likely)
        rest = np.append(table.T @ missing - RIDGE * weights, missing.sum())
        step, way, size = np.zeros_like(rest), rest.copy(), float(rest @ rest)
        least = 1e-6 * size
        for _ in range(_ROUNDS):
            moved = curve * (table @ way[:-1] + way[-1])
            turned = np.append(table.T @ moved + RIDGE * way[:-1], moved.sum())
            length = size / float(way @ turned)
            step, rest = step + length * way, rest - length * turned
            size, before = float(rest @ rest), size
            if size <= least:
                break
            way = rest + size / before * way
        weights, bias = weights + step[:-1], bias + float(step[-1])
    return bias, weights
