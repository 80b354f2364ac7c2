"""Memories of one agent in arrays, as a store returns them: the input of a memory map."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MapPostings:
    """Parallel arrays, one entry for each term of each memory; `place` is the memory's index from 0."""

    term: NDArray[np.int64]
    place: NDArray[np.int32]
    content_frequency: NDArray[np.uint8]
    context_frequency: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.term)

    @classmethod
    def empty(cls) -> "MapPostings":
        """Arrays of length 0, with the same types as any other postings."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.uint8))

    def select(self, chosen: NDArray[np.intp] | Booleans | slice) -> "MapPostings":
        """The entries at these indices, in that order."""
        return MapPostings(
            self.term[chosen], self.place[chosen], self.content_frequency[chosen], self.context_frequency[chosen]
        )

    def shifted(self, places: int) -> "MapPostings":
        """The same postings with every memory index increased by this number."""
        return replace(self, place=self.place + np.int32(places))

    @property
    def nbytes(self) -> int:
        """Bytes of the four arrays together."""
        columns = (self.term, self.place, self.content_frequency, self.context_frequency)
        return sum(column.nbytes for column in columns)

    @staticmethod
    def joined(parts: "Sequence[MapPostings]") -> "MapPostings":
        """Concatenates postings in the given order, unsorted; at least one part is needed."""
        if len(parts) == 1:
            return parts[0]
        return MapPostings(
            np.concatenate([part.term for part in parts]),
            np.concatenate([part.place for part in parts]),
            np.concatenate([part.content_frequency for part in parts]),
            np.concatenate([part.context_frequency for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class MapRows:
    """Memories of one agent as a store hands them over, without vectors: these are `vectors` (n, d), unit rows.

    `embedded` says which row of `vectors` is one, all of them of `model`. `documents` are the memories' numbers in the
    lexical index, and `content_words` and `context_words` their lengths there; for a memory that is not active they
    mean nothing.
    """

    memories: Sequence[Memory]
    vectors: NDArray[np.float32]
    embedded: Booleans
    documents: NDArray[np.int32]
    content_words: NDArray[np.uint16]
    context_words: NDArray[np.uint16]
    postings: MapPostings
    model: str = ""

    @classmethod
    def empty(cls, dimensions: int) -> "MapRows":
        """No memories, with a (0, dimensions) array of vectors."""
        lengths = np.empty(0, np.uint16)
        vectors, documents = np.empty((0, dimensions), np.float32), np.empty(0, np.int32)
        return cls((), vectors, np.empty(0, bool), documents, lengths, lengths, MapPostings.empty())

    @staticmethod
    def joined(parts: "Sequence[MapRows]") -> "MapRows":
        """Concatenates rows of one model in the given order, and shifts the postings' memory indexes; needs a part."""
        firsts = np.cumsum([0, *(len(part.memories) for part in parts[:-1])]).tolist()
        return MapRows(
            [memory for part in parts for memory in part.memories],
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([part.embedded for part in parts]),
            np.concatenate([part.documents for part in parts]),
            np.concatenate([part.content_words for part in parts]),
            np.concatenate([part.context_words for part in parts]),
            MapPostings.joined([part.postings.shifted(first) for part, first in zip(parts, firsts, strict=True)]),
            parts[0].model,
        )
