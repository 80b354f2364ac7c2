"""Fits how likely a turn corrects anything (`domain/memories/correction_cue.py`)."""

import base64
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import listed_weights
from benchmarks.corrections.cases import Case
from benchmarks.helpfulness.fit import plain_regression
from remembrancer.domain.memories import correction_cue_weights
from remembrancer.domain.memories.correction_cue import figures

Floats = NDArray[np.float64]

FEWEST = 5
"""Turns that have a figure of which the weight is fitted."""
MOST = 800
"""Figures with a weight: those that tell corrections from other turns most surely."""
RIDGE = 10.0
VECTOR_SCALE = 3.0
"""A vector's weights are shrunk by so much less, squared."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A bias, the weight of each figure, and those of the vector's dimensions."""

    bias: float
    words: Mapping[str, float]
    vector: Floats

    def of(self, case: Case, vector: NDArray[np.float32]) -> float:
        """The logit that the case's turn corrects anything."""
        named = figures(case.said.text, is_assistant=case.said.is_assistant)
        return self.bias + sum(self.words.get(one, 0.0) for one in named) + float(vector @ self.vector)


def fitted(every: Sequence[Case], vectors: Sequence[NDArray[np.float32]]) -> Cue:
    """Logistic regression with a ridge over the figures that tell most, and the vectors."""
    right = np.array([bool(case.right) for case in every], np.float64)
    named = [figures(case.said.text, is_assistant=case.said.is_assistant) for case in every]
    counted = Counter(one for some in named for one in some)
    names = sorted(name for name, count in counted.items() if count >= FEWEST)
    table = _table(named, names)
    telling = np.abs(_certainty(table, right))
    most = np.sort(np.argsort(-telling, kind="stable")[:MOST])
    columns = np.column_stack([table[:, most], np.array(vectors) * VECTOR_SCALE])
    bias, *weights = plain_regression(columns, right, np.ones(len(right)), RIDGE)
    words = {names[place]: round(weight, 2) for place, weight in zip(most, weights, strict=False)}
    return Cue(round(float(bias), 3), words, np.array(weights[len(most) :]) * VECTOR_SCALE)


def _table(named: Sequence[frozenset[str]], names: Sequence[str]) -> Floats:
    column = {name: place for place, name in enumerate(names)}
    table = np.zeros((len(named), len(names)))
    for row, some in enumerate(named):
        table[row, [column[one] for one in some if one in column]] = 1.0
    return table


def _certainty(table: Floats, right: Floats) -> Floats:
    """(n,): how surely each figure is more or less frequent in corrections, in standard deviations."""
    count, corrects = table.sum(axis=0), right @ table
    rate = right.mean()
    surely: Floats = (corrects - count * rate) / np.sqrt(count * rate * (1 - rate))
    return surely


def write(cue: Cue) -> None:
    """Replaces the weights in the engine's file."""
    path = Path(correction_cue_weights.__file__)
    listed_weights.write(path, cue.bias, cue.words)
    encoded = base64.b64encode(cue.vector.astype("<f2").tobytes()).decode()
    lines = "".join(f'    "{encoded[start : start + 112]}"\n' for start in range(0, len(encoded), 112))
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'(?s)^VECTOR = .*?\n(?=""")', f"VECTOR = (\n{lines})\n", text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
