"""The vectors of a map: packed ones as int8, a quarter of the memory, then added ones in single precision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Vector

_BLOCK = 128
"""Packed rows that are converted at a time, into memory that stays in the processor's cache."""


@dataclass(slots=True)
class Vectors:
    """Row i is `steps[i] * scales[i]` of the packed rows; the others follow in `buffer`, which has room for more.

    Successive maps share them: each map uses the rows up to its own length, and only the newest appends.
    """

    steps: NDArray[np.int8]
    scales: NDArray[np.float32]
    buffer: NDArray[np.float32]
    used: int = 0

    @classmethod
    def empty(cls, dimensions: int) -> "Vectors":
        """No rows."""
        return cls.packed(np.empty((0, dimensions), np.int8), np.empty(0, np.float32))

    @classmethod
    def packed(cls, steps: NDArray[np.int8], scales: NDArray[np.float32]) -> "Vectors":
        """Packed rows (n, dimensions) with a scale each."""
        return cls(steps, scales, np.empty((0, steps.shape[1]), np.float32))

    @property
    def dimensions(self) -> int:
        """The length of a row."""
        return int(self.buffer.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.steps.nbytes + self.scales.nbytes + self.buffer.nbytes

    def products(self, query: Vector, rows: int) -> NDArray[np.float32]:
        """(rows,): the product of the query with each of the first `rows` vectors."""
        packed = len(self.steps)
        products = np.empty(rows, np.float32)
        block = np.empty((min(_BLOCK, packed), self.dimensions), np.float32)
        for start in range(0, packed, _BLOCK):
            steps = self.steps[start : start + _BLOCK]
            converted = block[: len(steps)]
            np.copyto(converted, steps)
            np.matmul(converted, query, out=products[start : start + len(steps)])
        products[:packed] *= self.scales
        np.matmul(self.buffer[: rows - packed], query, out=products[packed:])
        return products

    def at(self, places: NDArray[np.intp]) -> NDArray[np.float32]:
        """(n, dimensions): the vectors at these positions."""
        packed = len(self.steps)
        if not packed:
            return self.buffer[places]
        is_packed = places < packed
        inside = np.where(is_packed, places, 0)
        vectors: NDArray[np.float32] = self.steps[inside] * self.scales[inside, None]
        if not is_packed.all():
            vectors[~is_packed] = self.buffer[places[~is_packed] - packed]
        return vectors

    def row(self, place: int) -> Vector:
        """The vector at this position."""
        packed = len(self.steps)
        vector: Vector = self.steps[place] * self.scales[place] if place < packed else self.buffer[place - packed]
        return vector

    def add(self, known: int, vectors: NDArray[np.float32]) -> "Vectors":
        """Appends rows after the first `known`; copies to a larger buffer when there is no room or another map has
        appended.
        """
        known -= len(self.steps)
        total = known + len(vectors)
        target = self
        # A map without memories takes the length of the first vectors that it gets.
        is_first = not known and not len(self.steps)
        dimensions = vectors.shape[1] if is_first else self.dimensions
        if self.used != known or total > len(self.buffer) or dimensions != self.dimensions:
            grown = np.empty((total + total // 4 + 16, dimensions), np.float32)
            if known:
                grown[:known] = self.buffer[:known]
            steps = np.empty((0, dimensions), np.int8) if is_first else self.steps
            target = Vectors(steps, self.scales, grown, known)
        target.buffer[known:total] = vectors
        target.used = total
        return target
