"""What retrieval found, in columns: an object is made only of a memory that is packed, explained or returned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import Booleans, Floats, MemoryColumns
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.turn_key import TurnMemory


@dataclass(frozen=True, slots=True, eq=False)
class FoundMemories(Sequence[Memory]):
    """Memories at positions of a map, without their vectors, and then `others`, which no map has."""

    map: MemoryMap | None
    places: NDArray[np.intp]
    others: Sequence[Memory] = ()

    @overload
    def __getitem__(self, row: int) -> Memory: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Memory]: ...

    def __getitem__(self, row: int | slice) -> Memory | Sequence[Memory]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        first = len(self.places)
        if self.map is None or not 0 <= row < first:
            return self.others[row - first if row >= 0 else row]
        return self.map.row(int(self.places[row]))

    def __iter__(self) -> Iterator[Memory]:
        if self.map is not None:
            yield from self.map.rows_at(self.places)
        yield from self.others

    def __len__(self) -> int:
        return len(self.places) + len(self.others)

    @property
    def columns(self) -> MemoryColumns:
        """Made anew with each call."""
        if self.map is None:
            return MemoryColumns.of(self.others)
        return self.map.memory_columns(self.places).followed_by(MemoryColumns.of(self.others, sessions=self.map.names))

    def visible(self, agent_id: UUID, end_user: EndUser) -> Booleans:
        """Mask of the active ones of this agent that this end user may read."""
        others = [
            # By number, since comparing a UUID runs in Python.
            one.status == "active" and one.agent_id.int == agent_id.int and end_user.sees(one.user_id)
            for one in self.others
        ]
        if self.map is None:
            return np.array(others, bool)
        is_own = self.map.agent_id.int == agent_id.int
        return np.concatenate([self.map.visible(end_user)[self.places] & is_own, np.array(others, bool)])


NO_MEMORIES = FoundMemories(None, np.empty(0, np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(Sequence[Evidence]):
    """Each memory once, with the evidence of all sources: columns (n,), named as in `Evidence`, NaN for None.

    `terms` has the rows of those with terms. An item is made with each access.
    """

    memories: FoundMemories
    dense: Floats
    content: Floats
    context: Floats
    subject: Floats
    hot: Booleans
    terms: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, found: Sequence[Evidence]) -> "Candidates":
        """The same as columns; candidates themselves are returned as they are."""
        if isinstance(found, Candidates):
            return found
        memories = FoundMemories(None, np.empty(0, np.intp), [one.memory for one in found])
        return cls.with_scores(memories, found)

    @classmethod
    def with_scores(cls, memories: FoundMemories, scores: Sequence[Evidence | TurnMemory]) -> "Candidates":
        """The memories with their scores, in the same order."""
        return cls(
            memories,
            _column([one.dense for one in scores]),
            _column([one.content for one in scores]),
            _column([one.context for one in scores]),
            np.array([one.subject for one in scores], np.float64),
            np.array([one.hot for one in scores], bool),
            {row: one.terms for row, one in enumerate(scores) if one.terms},
        )

    @overload
    def __getitem__(self, row: int) -> Evidence: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Evidence]: ...

    def __getitem__(self, row: int | slice) -> Evidence | Sequence[Evidence]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        row = range(len(self))[row]
        return Evidence(
            self.memories[row],
            _value(float(self.dense[row])),
            _value(float(self.content[row])),
            _value(float(self.context[row])),
            float(self.subject[row]),
            self.terms.get(row, ()),
            bool(self.hot[row]),
        )

    def __iter__(self) -> Iterator[Evidence]:
        columns = zip(
            self.memories, *(one.tolist() for one in (self.dense, self.content, self.context, self.subject)),
            self.hot.tolist(), strict=True,
        )  # fmt: skip
        for row, (memory, dense, content, context, subject, hot) in enumerate(columns):
            terms = self.terms.get(row, ())
            yield Evidence(memory, _value(dense), _value(content), _value(context), subject, terms, hot)

    def __len__(self) -> int:
        return len(self.dense)

    @property
    def lexical(self) -> Floats:
        """Content and context with equal weight, 0 where words found nothing."""
        return (np.nan_to_num(self.content) + np.nan_to_num(self.context)) / 2


def _column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _value(value: float) -> float | None:
    # NaN is the only value that differs from itself.
    return value if value == value else None  # noqa: PLR0124
