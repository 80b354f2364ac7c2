"""What retrieval found, in columns: an object is made only of a memory that is packed, explained or returned."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.made_items import MadeItems
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import Booleans, Floats, MemoryColumns, SessionNumbers
from remembrancer.domain.memories.memory_rows import as_rows, ids_of, picked, stacked
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.turn_key import TurnMemory


@dataclass(frozen=True, slots=True, eq=False)
class FoundMemories(MadeItems[Memory]):
    """Memories at positions of a map, without their vectors, and then `others`, which no map has."""

    map: MemoryMap | None
    places: NDArray[np.intp]
    others: Sequence[Memory] = ()

    def at(self, rows: Sequence[int]) -> list[Memory]:
        """One memory for each of these rows, made in one step where they are in the map."""
        first, others = len(self.places), self.others
        if self.map is None or not first:
            return as_rows(others).at(rows)
        made = iter(self.map.rows_at(self.places[[row for row in rows if row < first]]))
        found = iter(as_rows(others).at([row - first for row in rows if row >= first]))
        return [next(made) if row < first else next(found) for row in rows]

    def __len__(self) -> int:
        return len(self.places) + len(self.others)

    @property
    def columns(self) -> MemoryColumns:
        """The columns of all rows. Computed with each call, so that callers keep them."""
        if self.map is None:
            return as_rows(self.others).columns(SessionNumbers())
        columns = self.map.memory_columns(self.places)
        if not self.others:
            return columns
        sessions = SessionNumbers(self.map.names, agent=self.map.agent_id.int)
        return MemoryColumns.joined([columns, as_rows(self.others).columns(sessions)])

    def chosen(self, rows: NDArray[np.intp]) -> "FoundMemories":
        """The entries of these rows, which must be ascending."""
        first = len(self.places)
        others = picked(self.others, (rows[rows >= first] - first).tolist())
        return FoundMemories(self.map, self.places[rows[rows < first]], others)

    def vectors(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """(n, dimensions): the unit vectors of these rows, all of one model: the map's, else that of the first row
        with a vector; zeros for the others.
        """
        chosen, first = np.array(rows, np.intp), len(self.places)
        in_map = chosen < first
        if self.map is not None and in_map.all():
            return self.map.vectors_at(self.places[chosen])
        others = as_rows(self.others).vectors((chosen[~in_map] - first).tolist())
        if self.map is None or not in_map.any():
            return stacked(others)
        mapped = self.map.vectors_at(self.places[chosen[in_map]])
        found = np.zeros((len(chosen), mapped.shape[1]), np.float32)
        found[in_map] = mapped
        own = stacked(others, model=self.map.model)
        if own.shape[1]:
            found[~in_map] = own
        return found

    def rows_among(self, ids: Collection[UUID]) -> list[int]:
        """The rows of those of these memories that are here, in their order, without an object of any."""
        rows = self._rows(ids) if ids else {}
        return [rows[one.int] for one in ids if one.int in rows]

    def _rows(self, ids: Iterable[UUID]) -> dict[int, int]:
        rows = {identifier: row for row, identifier in enumerate(ids_of(self.others), len(self.places))}
        if self.map is not None:
            of_place = {place: row for row, place in enumerate(self.places.tolist())}
            found = ((one.int, of_place.get(self.map.places.get(one.int, -1))) for one in ids)
            rows |= {identifier: row for identifier, row in found if row is not None}
        return rows

    def visible(self, agent_id: UUID | None, end_user: EndUser) -> Booleans:
        """Mask of the active ones that this end user may read, of this agent or of any."""
        # By number, since comparing a UUID runs in Python.
        agent = None if agent_id is None else agent_id.int
        others = as_rows(self.others).visible(agent, end_user)
        if self.map is None:
            return others
        is_own = agent in {None, self.map.agent_id.int}
        return np.concatenate([self.map.visible(end_user)[self.places] & is_own, others])

    def owned(self, end_user: EndUser) -> Booleans:
        """Mask of the ones that belong to this end user; none where the request names nobody, or all."""
        if end_user.name is None:
            return np.zeros(len(self), bool)
        return self.visible(None, end_user) & ~self.visible(None, NOBODY)


NO_MEMORIES = FoundMemories(None, np.empty(0, np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(MadeItems[Evidence]):
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

    def at(self, rows: Sequence[int]) -> list[Evidence]:
        """One item for each of these rows, with its memory, made in one step."""
        chosen = list(rows)
        numbers = (one[chosen].tolist() for one in (self.dense, self.content, self.context))
        scores = ([None if value != value else value for value in column] for column in numbers)  # noqa: PLR0124 - NaN
        terms = [self.terms.get(row, ()) for row in chosen]
        columns = (self.memories.at(chosen), *scores, self.subject[chosen].tolist(), terms, self.hot[chosen].tolist())
        return list(map(Evidence, *columns))

    def chosen(self, rows: NDArray[np.intp]) -> "Candidates":
        """The entries of these rows, which must be ascending."""
        terms = ((place, self.terms.get(row)) for place, row in enumerate(rows.tolist()))
        return Candidates(
            self.memories.chosen(rows),
            self.dense[rows],
            self.content[rows],
            self.context[rows],
            self.subject[rows],
            self.hot[rows],
            {place: held for place, held in terms if held},
        )

    def __len__(self) -> int:
        return len(self.dense)

    @property
    def lexical(self) -> Floats:
        """Content and context with equal weight, 0 where words found nothing."""
        return (or_zero(self.content) + or_zero(self.context)) / 2


def or_zero(scores: Floats) -> Floats:
    """The scores, none of which is negative, with 0 for NaN; a tenth of the time of `nan_to_num`."""
    return np.fmax(scores, 0.0)


def _column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)
