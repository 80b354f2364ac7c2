"""The vectors of a map: packed ones as int8, a quarter of the memory, then added ones in single precision."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Vector

_AT_ONCE = 128
"""Packed rows that are converted at a time, into memory that stays in the processor's cache."""


@dataclass(slots=True)
class Vectors:
    """Packed row i is row i of `blocks` times `scales[i]`; the added rows follow in `buffer`, which has room for more.

    Every block but the last has `block` rows. Successive maps share the vectors: each map uses the rows up to its own
    length, and only the newest appends.
    """

    blocks: Sequence[NDArray[np.int8]]
    scales: NDArray[np.float32]
    block: int
    buffer: NDArray[np.float32]
    used: int = 0

    @classmethod
    def empty(cls, dimensions: int) -> "Vectors":
        """Vectors of a map without memories, to which rows of any length can be added."""
        return cls.packed((), np.empty(0, np.float32), dimensions=dimensions, block=1)

    @classmethod
    def packed(
        cls, blocks: Sequence[NDArray[np.int8]], scales: NDArray[np.float32], *, dimensions: int, block: int
    ) -> "Vectors":
        """Rows as a segment has them; rows that are added later are kept in single precision."""
        return cls(blocks, scales, block, np.empty((0, dimensions), np.float32))

    @property
    def dimensions(self) -> int:
        """How many components each vector has."""
        return int(self.buffer.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays, with the room that is kept for more rows."""
        return sum(block.nbytes for block in self.blocks) + self.scales.nbytes + self.buffer.nbytes

    def products(self, query: Vector, rows: int) -> NDArray[np.float32]:
        """(rows,): the product of the query with each of the first `rows` vectors."""
        packed = len(self.scales)
        products = np.empty(rows, np.float32)
        converted = np.empty((min(_AT_ONCE, packed), self.dimensions), np.float32)
        for number, block in enumerate(self.blocks):
            for start in range(0, len(block), _AT_ONCE):
                steps, place = block[start : start + _AT_ONCE], number * self.block + start
                np.copyto(converted[: len(steps)], steps)
                np.matmul(converted[: len(steps)], query, out=products[place : place + len(steps)])
        products[:packed] *= self.scales
        np.matmul(self.buffer[: rows - packed], query, out=products[packed:])
        return products

    def at(self, places: NDArray[np.intp]) -> NDArray[np.float32]:
        """(n, dimensions): the vectors at these positions."""
        packed = len(self.scales)
        if not packed:
            return self.buffer[places]
        vectors = np.empty((len(places), self.dimensions), np.float32)
        block, row = np.divmod(places, self.block)
        for number in np.unique(block[places < packed]).tolist():
            here = block == number
            here &= places < packed
            vectors[here] = self.blocks[number][row[here]] * self.scales[places[here], None]
        added = places >= packed
        vectors[added] = self.buffer[places[added] - packed]
        return vectors

    def row(self, place: int) -> Vector:
        """(dimensions,): one vector, without making arrays for many as `at` does."""
        packed = len(self.scales)
        if place >= packed:
            added: Vector = self.buffer[place - packed]
            return added
        block, row = divmod(place, self.block)
        vector: Vector = self.blocks[block][row] * self.scales[place]
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
            target = Vectors(self.blocks, self.scales, self.block, grown, known)
        target.buffer[known:total] = vectors
        target.used = total
        return target
