"""Cosines of memories with what was asked: the query's vector and its hypotheses'."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory

Vectors = NDArray[np.float32]
"""(n, d), of one model."""


def cosines(memories: Sequence[Memory], vectors: Mapping[str, Vectors]) -> dict[int, float]:
    """The best of each memory's vector with those of its model, clamped to [0, 1], by its id's number.

    Nothing of a memory without either.
    """
    found: dict[int, float] = {}
    for model, matrix in vectors.items():
        own = [(one.id.int, one.vector) for one in memories if one.vector is not None and one.vector_model == model]
        if own:
            best = (np.stack([vector for _, vector in own]) @ matrix.T).max(axis=1)
            found |= zip((identifier for identifier, _ in own), np.clip(best, 0.0, 1.0).tolist(), strict=True)
    return found
