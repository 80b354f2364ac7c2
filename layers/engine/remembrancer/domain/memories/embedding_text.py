"""The texts of a memory to embed, and the combination of their vectors."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LONG = 120
"""Characters from which a content is embedded in passages too."""
PASSAGE = 80
"""Characters that the sentences of one passage have together, unless one sentence is longer."""
MOST_PASSAGES = 16
"""About so many passages of the longest contents; they are longer then."""
WEIGHT = 1.5
"""The weight of all passages together, where the whole text weighs 1. Chosen by measurement
(docs/adr/0043-passages.md).
"""


def texts(content: str, context: str | None) -> tuple[tuple[str, float], ...]:
    """Texts with their weights: the content; with a context, also both together; of a long one, also its passages.

    A question asks for one of the things that a long memory says, and a model reads only the beginning of a very long
    one.
    """
    whole = [(content, 1.0), *([(f"{content}\n{context}", 1.0)] if context else [])]
    parts = passages(content) if len(content) >= LONG else []
    return (*whole, *((part, WEIGHT / len(parts)) for part in parts if len(parts) > 1))


def passages(content: str) -> list[str]:
    """The content in order, cut between sentences.

    Other rules would give stored texts other vectors, so excerpts, which may be cut in other ways, have their own.
    """
    size = max(PASSAGE, -(-len(content) // MOST_PASSAGES))
    ends = [found.end() for found in _SENTENCE_END.finditer(content)]
    cuts = [0]
    for end, following in pairwise([*ends, len(content)]):
        if following - cuts[-1] > size:
            cuts.append(end)
    return [part for start, end in pairwise([*cuts, len(content)]) if (part := content[start:end].strip())]


def combined(vectors: NDArray[np.float32], weights: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """(len(weights), d): for each memory the unit vector of the weighted sum of its vectors, which are consecutive.

    A cosine with it ranks like the weighted sum of the cosines with each (docs/adr/0004-fusion.md).
    """
    starts = np.cumsum([0, *map(len, weights[:-1])])
    weighted = vectors * np.array([weight for several in weights for weight in several], np.float32)[:, None]
    sums = np.add.reduceat(weighted, starts, axis=0) if len(weights) else vectors[:0]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


_SENTENCE_END = re.compile(r"[.!?]\s+|[。！？]\s*|\n+")
