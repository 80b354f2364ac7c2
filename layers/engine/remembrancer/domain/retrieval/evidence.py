"""The evidence that searches find for a memory: the one type that carries a memory from a search to its score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory, Vector

Vectors = NDArray[np.float32]
"""Shape (n, d), unit rows of one model."""


@dataclass(slots=True)
class Evidence:
    """A memory and the evidence of each source; None where a source did not find it.

    `dense` is its best cosine with the query or a hypothesis, clamped to [0, 1]. `content` and `context` are BM25
    divided by the highest that the query's words could reach, in [0, 1]: of the content alone, and of content and
    context together. `subject` is 1 when the query names the memory's subject, else 0. `terms` are the query's terms in
    it.

    Not frozen, as Memory is not: a request makes hundreds.
    """

    memory: Final[Memory]
    dense: Final[float | None] = None
    content: Final[float | None] = None
    context: Final[float | None] = None
    subject: Final[float] = 0.0
    terms: Final[tuple[int, ...]] = ()
    hot: Final[bool] = False

    @property
    def lexical(self) -> float | None:
        """Content and context with equal weight: the order in which a lexical search chooses its best."""
        if self.content is None or self.context is None:
            return None
        return (self.content + self.context) / 2


def cosines(memories: Sequence[Memory], vectors: Mapping[str, Vectors]) -> dict[int, float]:
    """The best cosine of each memory's vector with the vectors of its model, clamped to [0, 1], by its id's number.

    Memories without a vector, or of another model, are left out.
    """
    found = best_cosines([(memory.vector, memory.vector_model) for memory in memories], vectors).tolist()
    ids = [memory.id.int for memory in memories]
    return {identifier: cosine for identifier, cosine in zip(ids, found, strict=True) if cosine == cosine}  # noqa: PLR0124 - NaN


def best_cosines(
    embedded: Sequence[tuple[Vector | None, str | None]], vectors: Mapping[str, Vectors]
) -> NDArray[np.float64]:
    """(n,): the best cosine of each vector with the vectors of its model, clamped to [0, 1]; NaN without any."""
    found = np.full(len(embedded), np.nan)
    for model, matrix in vectors.items():
        own = [(row, vector) for row, (vector, of) in enumerate(embedded) if vector is not None and of == model]
        if own:
            best = (np.stack([vector for _, vector in own]) @ matrix.T).max(axis=1)
            found[[row for row, _ in own]] = np.clip(best, 0.0, 1.0)
    return found
