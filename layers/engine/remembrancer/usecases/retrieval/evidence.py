"""Merges the results of all sources: one entry a memory, with the best score of each source."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_rows import JoinedRows, MemoryRows, as_rows
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.candidates import NO_MEMORIES, Candidates, FoundMemories
from remembrancer.domain.retrieval.evidence import Vectors, best_cosines
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.retrieval.search import Search, SearchResult

Places = NDArray[np.intp]


def vectors_of(searched: SearchResult) -> dict[str, Vectors]:
    """Vectors of the query and of its hypotheses, by model."""
    own, model, others = searched.embedded.vectors, searched.embedded.model, searched.hypothesised.vectors
    by_model = {} if own is None else {model: own}
    if len(others):
        before = by_model.get(searched.hypothesised.model)
        by_model[searched.hypothesised.model] = others if before is None else np.concatenate([before, others])
    return by_model


def merge(hot: Sequence[Memory], searched: SearchResult) -> Candidates:
    """One entry a memory; the map's row, else one from a search, replaces a cached row, since it is newer.

    The similarity is the best that any search gave; for a memory that only other sources found, that of its own vector.
    """
    pool = _Pool(searched.map)
    words = searched.words
    answers = [*([searched.nearest] if searched.nearest else []), *searched.hypothesised.answers]
    in_hot, in_words, *in_answers = (
        pool.numbers(memories)
        for memories in (hot, words.memories if words else (), *(answer.memories for answer in answers))
    )
    is_found = np.zeros(len(pool), bool)
    for numbers in (in_hot, in_words, *in_answers):
        is_found[numbers] = True
    (chosen,) = is_found.nonzero()
    row_of = is_found.cumsum() - 1
    content, context, dense = np.full((3, len(chosen)), np.nan)
    subject, is_hot = np.zeros(len(chosen)), np.zeros(len(chosen), bool)
    is_hot[row_of[in_hot]] = True
    terms: dict[int, tuple[int, ...]] = {}
    if words:
        rows = row_of[in_words]
        content[rows], context[rows], subject[rows] = words.content, words.context, words.subject
        if words.terms:
            terms = {row: held for row, held in zip(rows.tolist(), words.terms, strict=True) if held}
    for answer, numbers in zip(answers, in_answers, strict=True):
        rows = row_of[numbers]
        dense[rows] = np.fmax(dense[rows], answer.similarity)
    memories = pool.memories(chosen)
    _complete(dense, memories, searched)
    return Candidates(memories, dense, content, context, subject, is_hot, terms)


def remembered(turn: Turn, known: MemoryMap | None, others: Sequence[Memory]) -> Candidates:
    """The memories that a turn was given before, with their evidence: rows of the map where it has them, else of
    `others`; those in neither are gone.
    """
    rows = {memory.id.int: memory for memory in others}
    found = [(item, None if known is None else known.place(item.memory_id)) for item in turn.found]
    in_map = [(item, place) for item, place in found if place is not None]
    rest = [item for item, place in found if place is None and item.memory_id.int in rows]
    places = np.array([place for _, place in in_map], np.intp)
    items = [*(item for item, _ in in_map), *rest]
    return Candidates.with_scores(FoundMemories(known, places, [rows[item.memory_id.int] for item in rest]), items)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Numbers the found memories: those of the map by their positions, all others in order, from its length on."""

    map: MemoryMap | None
    _others: dict[int, int] = field(default_factory=dict)
    _parts: list[MemoryRows] = field(default_factory=list)
    _begins: dict[int, int] = field(default_factory=dict)
    _places: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        """Greater than every number so far."""
        return self._first + len(self._places)

    def numbers(self, memories: Sequence[Memory]) -> Places:
        """Each once; of several rows of one memory that no map has the last one counts."""
        if isinstance(memories, FoundMemories) and memories.map is self.map and not memories.others:
            return memories.places
        known = {} if self.map is None else self.map.places
        others, places, first = self._others, self._places, self._first
        rows = as_rows(memories)
        numbers = []
        for place, identifier in zip(self._entered(rows), rows.ids, strict=True):
            number = known.get(identifier) if known else None
            if number is None:
                number = others.setdefault(identifier, first + len(places))
                if number == first + len(places):
                    places.append(place)
                else:
                    places[number - first] = place
            numbers.append(number)
        return np.array(numbers, np.intp)

    def _entered(self, rows: MemoryRows) -> list[int]:
        """The rows' places among all parts, each of which enters once, also as a part of joined rows."""
        parts, places = (rows.parts, rows.places) if isinstance(rows, JoinedRows) else ([rows], range(len(rows)))
        own: list[int] = []
        for part in parts:
            if id(part) not in self._begins:
                self._begins[id(part)] = sum(map(len, self._parts))
                self._parts.append(part)
            own += range(self._begins[id(part)], self._begins[id(part)] + len(part))
        return [own[place] for place in places]

    def memories(self, numbers: Places) -> FoundMemories:
        """Those of the map, then the others: the numbers must be ascending."""
        first = self._first
        if not self._places:
            return FoundMemories(self.map, numbers)
        places = [self._places[number - first] for number in numbers[numbers >= first].tolist()]
        return FoundMemories(self.map, numbers[numbers < first], JoinedRows(self._parts, places))

    @property
    def _first(self) -> int:
        return 0 if self.map is None else len(self.map.rows)


def _complete(dense: NDArray[np.float64], memories: FoundMemories, searched: SearchResult) -> None:
    """Adds missing similarities. With several vectors, the similarity from one search may not be the best of all."""
    vectors = vectors_of(searched)
    if not vectors:
        return
    missing = np.ones(len(dense), bool) if len(searched.hypothesised.vectors) else np.isnan(dense)
    mapped = len(memories.places)
    (in_map,) = missing[:mapped].nonzero()
    known = searched.map
    if known is not None and len(in_map) and known.model in vectors:
        dense[in_map] = np.fmax(dense[in_map], known.cosines(memories.places[in_map], vectors[known.model]))
    others = missing[mapped:].nonzero()[0] + mapped
    if len(others):
        own = best_cosines(as_rows(memories.others).vectors((others - mapped).tolist()), vectors)
        dense[others] = np.fmax(dense[others], own)


def hot_memories(snapshot: AgentSnapshot, current: MemoryMap | None, search: Search) -> Sequence[Memory]:
    """The best of the hot memories that the scope's end user may see.

    With a map that has the state named by the cache, they come from the map, without their vectors.
    """
    if current is None:
        return snapshot.hot
    found = (current.places.get(identifier) for identifier in snapshot.hot_ids)
    places = np.array([place for place in found if place is not None], np.intp)
    if not len(places):
        return NO_MEMORIES
    seen = places[current.visible(search.scope.end_user)[places]]
    return FoundMemories(current, seen[: search.hot_limit])


def meeting_filters(memories: Sequence[Memory], search: Search) -> Sequence[Memory]:
    """Those that meet the search's filters; memories of a map alone are chosen by position, which makes no objects."""
    if not isinstance(memories, FoundMemories) or memories.map is None or memories.others:
        return [memory for memory in memories if search.filters.admits(memory, now=search.now)]
    passing = memories.map.eligible(search.filters, end_user=search.scope.end_user, now=search.now)
    return FoundMemories(memories.map, memories.places[passing[memories.places]])
