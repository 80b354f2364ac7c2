"""Dense and lexical evidence fused into one relevance in [0, 1]."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def clamp_cosine(cosine: Floats) -> Floats:
    """Cosine similarity clamped to [0, 1]: opposite is no less relevant than unrelated."""
    return np.clip(cosine, 0.0, 1.0)


def fuse(dense: Floats, lexical: Floats) -> Floats:
    """1 − (1 − dense)(1 − lexical): either evidence suffices, both are better (docs/adr/0004-fusion.md).

    `dense` is the clamped cosine, 0 where there is no vector; `lexical` the BM25 score over the best that the query's
    words could reach, 0 where no word matched. Both (n,), the result too; absolute, so that a floor means the same for
    every query.
    """
    return 1.0 - (1.0 - np.clip(dense, 0.0, 1.0)) * (1.0 - np.clip(lexical, 0.0, 1.0))
