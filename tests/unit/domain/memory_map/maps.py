"""Maps of a few memories with known vectors and words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memory_map import memory_map
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapPostings, MapRows
from tests.builders import AGENT_ID, ORG_ID, identifier, unit_vector

DIMENSIONS = 8
TERMS = range(1, 7)


def vector_of(number: int) -> NDArray[np.float32]:
    """Half-precise, as stored."""
    return unit_vector(number, dimensions=DIMENSIONS).astype(np.float16).astype(np.float32)


def rows_of(*memories: Memory, unembedded: Sequence[int] = ()) -> MapRows:
    """The term t occurs in memory n when t divides n: t times in the content, once in the context."""
    numbers = [one.id.int - identifier(0).int for one in memories]
    postings = [(term, place) for place, number in enumerate(numbers) for term in TERMS if number % term == 0]
    terms, places = [term for term, _ in postings], [place for _, place in postings]
    return MapRows(
        memories,
        np.array([vector_of(number) for number in numbers], np.float32).reshape(-1, DIMENSIONS),
        np.array([number not in unembedded for number in numbers], bool),
        np.array(numbers, np.int32),
        np.array([10 + number for number in numbers], np.uint16),
        np.array([number % 3 for number in numbers], np.uint16),
        MapPostings(
            np.array(terms, np.int64),
            np.array(places, np.int32),
            np.array(terms, np.uint8),
            np.ones(len(terms), np.uint8),
        ),
    )


def made(*memories: Memory, unembedded: Sequence[int] = ()) -> MemoryMap:
    empty = memory_map.empty(ORG_ID, AGENT_ID, DIMENSIONS)
    return memory_map.extended(empty, rows_of(*memories, unembedded=unembedded), Change(1, 0))
