"""Fits weights of words, and writes them into the engine's files (`domain/capture/listed_weights.py`)."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEPS = 8
_ROUNDS = 40


class Rows:
    """A table with a row for each sentence, with 1 in the columns of its figures and else 0."""

    def __init__(self, figures: Sequence[frozenset[str]], names: Sequence[str]) -> None:
        column = {name: place for place, name in enumerate(names)}
        listed = [[column[name] for name in one if name in column] for one in figures]
        self.size = len(names)
        self._columns = np.array(list(chain.from_iterable(listed)), dtype=np.intp)
        self._rows = np.repeat(np.arange(len(listed)), [len(one) for one in listed])
        self.count = len(listed)

    def times(self, weights: Floats) -> Floats:
        """The sum of the weights in each row."""
        return np.bincount(self._rows, weights[self._columns], self.count).astype(np.float64)

    def transposed_times(self, values: Floats) -> Floats:
        """The sum of the rows' values in each column."""
        return np.bincount(self._columns, values[self._rows], self.size).astype(np.float64)


def most(rows: Rows, weights: Floats, names: Sequence[str], count: int) -> list[str]:
    """The names of as many figures that move the scores most, in their order."""
    moved = np.abs(weights) * np.sqrt(rows.transposed_times(np.ones(rows.count)))
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


def write(path: Path, bias: float, weights: Mapping[str, float]) -> None:
    """Replaces BIAS and the listed weights of a file; weights of 0 are left out."""
    listed = "; ".join(f"{weight} {name}" for name, weight in sorted(weights.items()) if weight)
    lines = "\n".join(
        textwrap.wrap(listed, 116, break_on_hyphens=False, initial_indent="    ", subsequent_indent="    ")
    )
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^BIAS = .*$", f"BIAS = {bias}", text, flags=re.MULTILINE)
    text = re.sub(r'(?s)(_LISTED = """).*?"""', lambda match: f'{match[1]}\n{lines}\n"""', text)
    path.write_text(text, encoding="utf-8")
