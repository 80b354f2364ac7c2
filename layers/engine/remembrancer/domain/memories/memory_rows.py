"""Memories as a source returned them: an object is made only of one that is asked for."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.made_items import MadeItems
from remembrancer.domain.memories.memory import Memory, Vector
from remembrancer.domain.memories.memory_columns import Booleans, MemoryColumns, SessionNumbers


class MemoryRows(MadeItems[Memory]):
    """`n` memories by their positions. What many of them are asked for comes in columns of that length."""

    __slots__ = ()

    @property
    @abstractmethod
    def ids(self) -> Sequence[int]:
        """The ids as numbers, since comparing a UUID runs in Python."""

    @property
    @abstractmethod
    def agents(self) -> Sequence[int]:
        """The ids of their agents as numbers."""

    @abstractmethod
    def columns(self, sessions: SessionNumbers) -> MemoryColumns:
        """What an order depends on; sessions are numbered by `sessions`."""

    @abstractmethod
    def visible(self, agent: int | None, end_user: EndUser) -> Booleans:
        """Mask of the active ones that this end user may read, of the agent with this number as id or of any."""

    @abstractmethod
    def vectors(self, rows: Sequence[int]) -> list[tuple[Vector | None, str | None]]:
        """The vector of each of these rows, and its model."""

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same memories, as lists are."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False)
class ListedRows(MemoryRows):
    """Memories of a source that returns objects, behind the same interface."""

    memories: Sequence[Memory]

    @property
    def ids(self) -> Sequence[int]:
        """The ids of the objects, as numbers."""
        return [memory.id.int for memory in self.memories]

    @property
    def agents(self) -> Sequence[int]:
        """The ids of the objects' agents, as numbers."""
        return [memory.agent_id.int for memory in self.memories]

    def columns(self, sessions: SessionNumbers) -> MemoryColumns:
        """The columns of all objects, read field by field."""
        return MemoryColumns.of(self.memories, sessions=sessions)

    def visible(self, agent: int | None, end_user: EndUser) -> Booleans:
        """A mask from the fields of each object."""
        seen = [
            one.status == "active" and agent in {None, one.agent_id.int} and end_user.sees(one.user_id)
            for one in self.memories
        ]
        return np.array(seen, bool)

    def vectors(self, rows: Sequence[int]) -> list[tuple[Vector | None, str | None]]:
        """The vectors that the objects have."""
        return [(one.vector, one.vector_model) for one in self.at(rows)]

    def at(self, rows: Sequence[int]) -> list[Memory]:
        """The objects themselves."""
        return [self.memories[row] for row in rows]

    def __len__(self) -> int:
        return len(self.memories)


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRows(MemoryRows):
    """Rows of several parts: `places` are their positions in the parts, counted from the first part's first on."""

    parts: Sequence[MemoryRows]
    places: Sequence[int]

    @property
    def ids(self) -> Sequence[int]:
        """The ids as numbers, in the order of the places."""
        ids = [identifier for part in self.parts for identifier in part.ids]
        return [ids[place] for place in self.places]

    @property
    def agents(self) -> Sequence[int]:
        """The agents' ids as numbers, in the order of the places."""
        agents = [agent for part in self.parts for agent in part.agents]
        return [agents[place] for place in self.places]

    def columns(self, sessions: SessionNumbers) -> MemoryColumns:
        """The columns of all parts, of which the places are taken."""
        return MemoryColumns.joined([part.columns(sessions) for part in self.parts]).at(self._places)

    def visible(self, agent: int | None, end_user: EndUser) -> Booleans:
        """The masks of the parts, of which the places are taken."""
        seen = [part.visible(agent, end_user) for part in self.parts]
        return np.concatenate([np.empty(0, bool), *seen])[self._places]

    def vectors(self, rows: Sequence[int]) -> list[tuple[Vector | None, str | None]]:
        """Each part is asked once."""
        found: dict[int, tuple[Vector | None, str | None]] = {}
        for part, own, first in self._by_part(rows):
            found |= zip((first + row for row in own), part.vectors(own), strict=True)
        return [found[self.places[row]] for row in rows]

    def at(self, rows: Sequence[int]) -> list[Memory]:
        """Each part is asked once."""
        found: dict[int, Memory] = {}
        for part, own, first in self._by_part(rows):
            found |= zip((first + row for row in own), part.at(own), strict=True)
        return [found[self.places[row]] for row in rows]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def _places(self) -> NDArray[np.intp]:
        return np.array(self.places, np.intp)

    def _by_part(self, rows: Sequence[int]) -> Iterator[tuple[MemoryRows, list[int], int]]:
        """Each part with those of its positions that are asked for, and the place of its first."""
        places = [self.places[row] for row in rows]
        first = 0
        for part in self.parts:
            end = first + len(part)
            own = [place - first for place in places if first <= place < end]
            if own:
                yield part, own, first
            first = end


def as_rows(memories: Sequence[Memory]) -> MemoryRows:
    """The same memories; rows are returned as they are."""
    return memories if isinstance(memories, MemoryRows) else ListedRows(memories)


def ids_of(memories: Sequence[Memory]) -> Sequence[int]:
    """The ids as numbers; of rows no object is made."""
    return as_rows(memories).ids


def picked(memories: Sequence[Memory], rows: Sequence[int]) -> MemoryRows:
    """The memories of these rows, in this order."""
    found = as_rows(memories)
    if isinstance(found, JoinedRows):
        return JoinedRows(found.parts, [found.places[row] for row in rows])
    return JoinedRows([found], rows)


def stacked(vectors: Sequence[tuple[Vector | None, str | None]], *, model: str | None = None) -> NDArray[np.float32]:
    """(n, dimensions): the vectors of this model, or of that of the first vector; zeros in place of all others.

    (n, 0) where there is none.
    """
    model = model or next((of for vector, of in vectors if vector is not None), None)
    own = [(row, vector) for row, (vector, of) in enumerate(vectors) if vector is not None and of == model]
    found = np.zeros((len(vectors), len(own[0][1]) if own else 0), np.float32)
    if own:
        found[[row for row, _ in own]] = [vector for _, vector in own]
    return found
