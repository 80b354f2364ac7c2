"""The vectors of a map: packed ones as int8, a quarter of the memory, then added ones in single precision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Vector

_AT_ONCE = 128
"""Packed rows that are converted at a time, into memory that stays in the processor's cache."""


@dataclass(slots=True)
class Vectors:
    """Packed row i is `steps[i]` times `scales[i]`; the added rows follow in `buffer`, which has room for more.

    Successive maps share the vectors: each map uses the rows up to its own
    length, and only the newest appends.
    """

    steps: NDArray[np.int8]
    scales: NDArray[np.float32]
    buffer: NDArray[np.float32]
    used: int = 0

    @classmethod
    def empty(cls, dimensions: int) -> "Vectors":
        """Vectors of a map without memories, to which rows of any length can be added."""
        return cls.packed(np.empty((0, dimensions), np.int8), np.empty(0, np.float32))

    @classmethod
    def packed(cls, steps: NDArray[np.int8], scales: NDArray[np.float32]) -> "Vectors":
        """Rows as a segment has them; rows that are added later are kept in single precision."""
        return cls(steps, scales, np.empty((0, steps.shape[1]), np.float32))

    @property
    def dimensions(self) -> int:
        """How many components each vector has."""
        return int(self.buffer.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, with the room that is kept for more rows."""
        return self.steps.nbytes + self.scales.nbytes + self.buffer.nbytes

    def products(self, query: Vector, rows: int) -> NDArray[np.float32]:
        """(rows,): the product of the query with each of the first `rows` vectors."""
        packed = len(self.scales)
        products = np.empty(rows, np.float32)
        converted = np.empty((min(_AT_ONCE, packed), self.dimensions), np.float32)
        for start in range(0, packed, _AT_ONCE):
            steps = self.steps[start : start + _AT_ONCE]
            np.copyto(converted[: len(steps)], steps)
            np.matmul(converted[: len(steps)], query, out=products[start : start + len(steps)])
        products[:packed] *= self.scales
        if rows > packed:
            np.matmul(self.buffer[: rows - packed], query, out=products[packed:])
        return products

    def at(self, places: NDArray[np.intp]) -> NDArray[np.float32]:
        """(n, dimensions): the vectors at these positions."""
        packed = len(self.scales)
        if not packed:
            return self.buffer[places]
        added = places >= packed
        if not added.any():
            return self.steps[places] * self.scales[places, None]
        vectors = np.empty((len(places), self.dimensions), np.float32)
        vectors[~added] = self.steps[places[~added]] * self.scales[places[~added], None]
        vectors[added] = self.buffer[places[added] - packed]
        return vectors

    def row(self, place: int) -> Vector:
        """(dimensions,): one vector, without making arrays for many as `at` does."""
        packed = len(self.scales)
        if place >= packed:
            added: Vector = self.buffer[place - packed]
            return added
        vector: Vector = self.steps[place] * self.scales[place]
        return vector

    def add(self, known: int, vectors: NDArray[np.float32]) -> "Vectors":
        """Appends rows after the first `known`; copies to a larger buffer when there is no room or another map has
        appended.
        """
        known -= len(self.scales)
        total = known + len(vectors)
        target = self
        # A map without memories takes the length of the first vectors that it gets.
        dimensions = self.dimensions if known or len(self.scales) else vectors.shape[1]
        if self.used != known or total > len(self.buffer) or dimensions != self.dimensions:
            grown = np.empty((total + total // 4 + 16, dimensions), np.float32)
            if known:
                grown[:known] = self.buffer[:known]
            target = Vectors(self.steps, self.scales, grown, known)
        target.buffer[known:total] = vectors
        target.used = total
        return target
