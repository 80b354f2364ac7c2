"""Fits how likely a turn corrects anything (`domain/memories/correction_cue.py`)."""

import base64
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import listed_weights, logistic
from benchmarks.corrections.cases import Case
from remembrancer.domain.memories import correction_cue_weights
from remembrancer.domain.memories.correction_cue import figures

Floats = NDArray[np.float64]

MOST = 3000
"""Figures with a weight: those that move the logits most."""
RIDGE = 5.0
PLAIN = 2.0
"""How much a turn of `plain.txt` counts. Writers of the other conversations were asked for corrections in other words
than "no, it's 28, not 26", and for look-alikes in these.
"""
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
        return self.bias + sum(self.words.get(one, 0.0) for one in figures(case.said)) + float(vector @ self.vector)


def fitted(every: Sequence[Case], vectors: Sequence[NDArray[np.float32]]) -> Cue:
    """Logistic regression with a ridge over the figures that move the logits most, and the vectors."""
    right = np.array([bool(case.right) for case in every], np.float64)
    named = [figures(case.said) for case in every]
    counted = Counter(one for some in named for one in some)
    names = sorted(name for name, count in counted.items() if count >= logistic.FEWEST)
    scaled = np.array(vectors, np.float32) * VECTOR_SCALE
    rows = logistic.Rows(named, names, scaled)
    weighed = np.array([counts(case) for case in every])
    _, weights = logistic.regression(rows, right, weighed, RIDGE)
    names = logistic.strongest(rows, weights, names, MOST)
    bias, weights = logistic.regression(logistic.Rows(named, names, scaled), right, weighed, RIDGE)
    words = {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=False)}
    return Cue(round(bias, 3), words, weights[len(names) :] * VECTOR_SCALE)


def counts(case: Case) -> float:
    """How much a turn counts in the fits."""
    return PLAIN if case.half.startswith("plain") else 1.0


def write(cue: Cue) -> None:
    """Replaces the weights in the engine's file."""
    path = Path(correction_cue_weights.__file__)
    listed_weights.write(path, cue.bias, cue.words)
    encoded = base64.b64encode(cue.vector.astype("<f2").tobytes()).decode()
    lines = "".join(f'    "{encoded[start : start + 112]}"\n' for start in range(0, len(encoded), 112))
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'(?s)^VECTOR = .*?\n(?=""")', f"VECTOR = (\n{lines})\n", text, flags=re.MULTILINE)
    path.write_text(text, encoding="utf-8")
