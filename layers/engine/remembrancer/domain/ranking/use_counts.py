"""How often memories were used, in columns: a query shows few of the memories that it ranks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memory_map.packed_rows import NEVER, microseconds, moment


@dataclass(frozen=True, slots=True, eq=False)
class UseCounts:
    """(n,) each: how often a memory was used, and when last, in microseconds since 1970, NEVER for never."""

    counts: NDArray[np.int64]
    accessed: NDArray[np.int64]

    @classmethod
    def of(cls, memories: Iterable[Memory]) -> "UseCounts":
        """As the memories have it."""
        return cls.from_pairs((memory.usage_count, memory.last_accessed_at) for memory in memories)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[int, datetime | None]]) -> "UseCounts":
        """Count and last moment of each memory."""
        said = [(count, microseconds(accessed)) for count, accessed in pairs]
        counts, moments = zip(*said, strict=True) if said else ((), ())
        return cls(np.array(counts, np.int64), np.array(moments, np.int64))

    def at(self, rows: NDArray[np.intp]) -> "UseCounts":
        """The entries of these rows, in this order."""
        return UseCounts(self.counts[rows], self.accessed[rows])

    def seconds(self, absent: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,): when each was used last, in seconds since 1970; `absent` where it never was."""
        return np.where(self.accessed == NEVER, absent, self.accessed / 1e6)

    def of_row(self, row: int, memory: Memory) -> Memory:
        """The memory, with this row's use."""
        count, accessed = int(self.counts[row]), moment(int(self.accessed[row]))
        if (memory.usage_count, memory.last_accessed_at) == (count, accessed):
            return memory
        return memory.with_use(count, accessed)
