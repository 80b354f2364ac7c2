"""Embeddings without a model: hashed words, for tests and for deployments that only need lexical search."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

HASHES_PER_WORD = 4

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Serves the Embedder port: equal words give equal directions; meaning is ignored.

    Feature hashing with signs (Weinberger et al. 2009). The same text gives the same vector on every machine.
    """

    def __init__(self, dimensions: int = 384) -> None:
        self._dimensions = dimensions

    @property
    def model(self) -> str:
        return "hash"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows; texts without words share one direction."""
        vectors = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._vector(text)
        return vectors

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self._dimensions, np.float32)
        for word in _WORD.findall(text.casefold()):
            self._add(vector, word)
        if not vector.any():  # no words, or words that cancel each other out
            self._add(vector, "")
        return vector / np.float32(np.linalg.norm(vector))

    def _add(self, vector: NDArray[np.float32], word: str) -> None:
        digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4 * HASHES_PER_WORD).digest()
        hashes = np.frombuffer(digest, "<u4")
        np.add.at(vector, (hashes >> 1) % self._dimensions, np.where(hashes & 1, np.float32(1), np.float32(-1)))
