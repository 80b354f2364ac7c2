"""The texts of a memory to embed, and the combination of their vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def texts(content: str, context: str | None) -> tuple[str, ...]:
    """The content; with a context, also content and context together."""
    return (content, f"{content}\n{context}") if context else (content,)


def combined(vectors: NDArray[np.float32], counts: Sequence[int]) -> NDArray[np.float32]:
    """(len(counts), d): for each memory the unit vector of the sum of its vectors, which are consecutive.

    A cosine with it ranks like the sum of the cosines with each (docs/adr/0004-fusion.md).
    """
    starts = np.cumsum([0, *counts[:-1]])
    sums = np.add.reduceat(vectors, starts, axis=0) if len(counts) else vectors[:0]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit
