"""One agent's live memories in arrays: filters, vectors and words, searched exactly without any store.

A map is immutable. Its successor shares with it the vectors and most of the lexical index: new memories are appended,
removed or changed ones are marked as gone, until `is_worn` says that reading everything again is cheaper.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.lexical_index.postings import slots
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.memories.memory_columns import MemoryColumns, SessionNumbers
from remembrancer.domain.memory_map.packed_rows import Rows
from remembrancer.domain.memory_map.rows import Booleans, MapPostings, MapRows
from remembrancer.domain.memory_map.vectors import Vectors
from remembrancer.domain.ranking.ranking_data import RankingData
from remembrancer.domain.retrieval.filters import Filters

WORN_SHARE = 0.25
"""Share of a map's rows that may be gone or unsorted before it is rebuilt."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """Positions of the most similar memories, best first, and the similarity of every position to the query, in [0,
    1].
    """

    places: NDArray[np.intp]
    similarity: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Matching:
    """Positions of the best lexical matches, best first; `scores` has every position, eligible or not."""

    places: NDArray[np.intp]
    scores: bm25.LexicalScores
    postings: MapPostings

    def terms(self, places: NDArray[np.intp]) -> dict[int, tuple[int, ...]]:
        """For each of these positions, the query's terms that it contains, ascending."""
        wanted = np.zeros(len(self.scores.content), bool)
        wanted[places] = True
        chosen = self.postings.select(wanted[self.postings.place])
        found: dict[int, list[int]] = {}
        for term, place in zip(chosen.term.tolist(), chosen.place.tolist(), strict=True):
            found.setdefault(place, []).append(term)
        return {place: tuple(sorted(terms)) for place, terms in found.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """Postings sorted by term (`names[i]` has those from `starts[i]` to `starts[i + 1]`), and an unsorted tail."""

    names: NDArray[np.int64]
    starts: NDArray[np.int64]
    sorted: MapPostings
    tail: MapPostings

    @classmethod
    def of(cls, postings: MapPostings) -> "Words":
        """Sorts postings that are in any order."""
        ordered = postings.select(np.argsort(postings.term, kind="stable"))
        names, starts = np.unique(ordered.term, return_index=True)
        return cls(names, np.append(starts, len(ordered)), ordered, MapPostings.empty())

    def find(self, terms: Sequence[int]) -> tuple[NDArray[np.intp], MapPostings]:
        """Every posting of these terms, with the index of its term among them; those of a memory in the order of the
        terms.
        """
        wanted = np.array(terms, np.int64)
        found = np.searchsorted(self.names, wanted)
        if len(self.names):
            found[found == len(self.names)] = 0
            (slot,) = (self.names[found] == wanted).nonzero()
        else:
            slot = np.empty(0, np.intp)
        name = found[slot]
        first, number = self.starts[name], self.starts[name + 1] - self.starts[name]
        slot = np.repeat(slot, number)
        # Of each term the positions from its first on, all in one array.
        before = number.cumsum() - number
        part = self.sorted.select(np.arange(len(slot)) + np.repeat(first - before, number))
        if not len(self.tail):
            return slot, part
        hits, later = slots(self.tail.term, terms)
        return np.concatenate([slot, later]), MapPostings.joined([part, self.tail.select(hits)])


@dataclass(frozen=True, slots=True)
class Columns:
    """One entry for each position: columns for searches and filters, and those that the order depends on.

    Users, sources and tiers are indices into `MemoryMap.names`, as are `order.session`. `ends` is `order.ends`, which
    each search needs.
    """

    alive: Booleans
    embedded: Booleans
    document: NDArray[np.int32]
    content_words: NDArray[np.uint16]
    context_words: NDArray[np.uint16]
    user: NDArray[np.int32]
    source: NDArray[np.int32]
    tier: NDArray[np.int32]
    pinned: Booleans
    ends: NDArray[np.float64]
    order: MemoryColumns

    def followed_by(self, other: "Columns") -> "Columns":
        """The entries of both, one after the other."""
        arrays = {
            name: np.concatenate((getattr(self, name), getattr(other, name)))
            for name in self.__slots__
            if name != "order"
        }
        return Columns(**arrays, order=MemoryColumns.joined([self.order, other.order]))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MemoryMap:
    """Searches return positions; `row` gives the memory at a position, `vector` its vector."""

    org_id: UUID
    agent_id: UUID
    change: Change
    rows: Rows
    places: Mapping[int, int]
    """UUID as a number → position."""
    names: Mapping[str | None, int]
    columns: Columns
    vectors: Vectors
    words: Words
    text_bytes: int
    model: str = ""
    """Whose vectors these are; empty before any page was read."""
    ranking: RankingData | None = None
    """What ranking needs beside the rows, of agents that are asked again; the next map has none."""
    _seen: dict[int, "_Seen"] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What the last end user sees, by their number: one request asks for it five times."""
    _passing: list["_Passing"] = field(default_factory=list, init=False, compare=False, repr=False)
    """The positions that met the last condition: both searches of a request have the same, and so have most requests.
    """

    def __len__(self) -> int:
        """The number of live memories; positions of removed ones do not count."""
        return len(self.places)

    @property
    def nbytes(self) -> int:
        """Bytes of arrays and texts, with an estimate for each row's objects."""
        words = self.words.sorted.nbytes + self.words.tail.nbytes + self.words.names.nbytes + self.words.starts.nbytes
        ranking = self.ranking.nbytes if self.ranking is not None else 0
        return words + self.vectors.nbytes + self.text_bytes + self.rows.nbytes + ranking

    @property
    def is_worn(self) -> bool:
        """Whether so much of it is gone or unsorted that it should be rebuilt."""
        gone = len(self.rows) - len(self.places)
        unsorted = len(self.words.tail) / max(len(self.words.sorted) + len(self.words.tail), 1)
        return gone > WORN_SHARE * len(self.rows) or (unsorted > WORN_SHARE and len(self.words.tail) > 10_000)

    def visible(self, end_user: EndUser) -> Booleans:
        """Mask of the positions that are not gone and that this end user may read."""
        return self._seen_by(end_user).mask

    def eligible(self, filters: Filters, *, end_user: EndUser, now: datetime) -> Booleans:
        """Mask of the eligible positions: not gone, valid now, readable by this end user, and meeting the filters."""
        moment, own = now.timestamp(), self._number_of(end_user)
        for known in self._passing:
            if known.since <= moment < known.until and known.own == own and known.filters == filters:
                return known.mask
        passing = self._eligible(filters, end_user=end_user, now=now)
        passing.flags.writeable = False
        columns, order = self.columns, self.columns.order
        changes = [column[column > moment].min(initial=np.inf) for column in (order.valid, order.expires, columns.ends)]
        self._passing[:] = [_Passing(filters, own, moment, float(min(changes)), passing)]
        return passing

    def _eligible(self, filters: Filters, *, end_user: EndUser, now: datetime) -> Booleans:
        columns, order, moment = self.columns, self.columns.order, now.timestamp()
        passing = self.visible(end_user) & (order.valid <= moment) & (order.expires > moment)
        passing &= filters.time.passing(order.begins, columns.ends, now=now)
        if filters.min_confidence > 0:
            # In single precision, as the store compares.
            passing &= order.confidence.astype(np.float32) >= np.float32(filters.min_confidence)
        if filters.categories:
            passing &= order.is_of(filters.categories)
        for column, wanted in (
            (columns.source, filters.sources),
            (columns.tier, filters.tiers),
        ):
            if wanted:
                passing &= np.isin(column, [self.names.get(name, -1) for name in wanted])
        if filters.since is not None:
            passing &= order.created >= filters.since.timestamp()
        if filters.until is not None:
            passing &= order.created < filters.until.timestamp()
        if filters.tags:
            passing &= self.rows.tagged(filters.tags, passing)
        return passing

    def nearest(self, vector: Vector, eligible: Booleans, limit: int) -> Nearest:
        """Search by cosine, in single precision over half-precision or packed vectors, as the store computes it."""
        # The store rounds the query to half precision as well.
        query = vector.astype(np.float16).astype(np.float32)
        similarity = self.vectors.products(query, len(self.rows))
        np.maximum(similarity, 0.0, out=similarity)
        np.minimum(similarity, 1.0, out=similarity)
        return Nearest(self._best(similarity, eligible & self.columns.embedded, limit), similarity)

    def matching(self, query: bm25.QueryTerms, eligible: Booleans, limit: int, *, end_user: EndUser) -> Matching:
        """Search by BM25 over all memories that the end user may read; frequencies include memories that are not
        eligible.
        """
        slot, found = self.words.find(query.terms)
        visible = self._seen_by(end_user)
        if not visible.all:
            seen = visible.mask[found.place]
            slot, found = slot[seen], found.select(seen)
        scores = bm25.bm25(
            postings.Postings(
                slot=slot,
                document=found.place.astype(np.intp),
                content=found.content_frequency,
                context=found.context_frequency,
                content_words=self.columns.content_words[found.place],
                context_words=self.columns.context_words[found.place],
                rows=len(self.rows),
                unread=np.zeros(len(query.terms), np.int64),
            ),
            visible.collection,
            query,
        )
        return Matching(self._newest_best(np.where(eligible, scores.rank, 0.0), limit), scores, found)

    def known(self, terms: Sequence[int], *, end_user: EndUser) -> frozenset[int]:
        """The given terms under which any memory is indexed that the end user may read."""
        slot, found = self.words.find(terms)
        return frozenset(terms[one] for one in np.unique(slot[self.visible(end_user)[found.place]]).tolist())

    def pinned(self, end_user: EndUser) -> list[Memory]:
        """The pinned memories that this end user may read, valid now or not."""
        (places,) = self.columns.pinned.nonzero()
        return self.rows_at(places[self.visible(end_user)[places]]) if len(places) else []

    def row(self, place: int) -> Memory:
        """The memory without its vector, which is faster. Raises LookupError when it is gone."""
        row = self.rows[place]
        if row is None or not self.columns.alive[place]:
            raise LookupError(place)
        return row

    def rows_at(self, places: NDArray[np.intp]) -> list[Memory]:
        """The memories at these positions without their vectors. Raises LookupError when one is gone."""
        rows = [row for row in self.rows.at(places.tolist()) if row is not None]
        if len(rows) < len(places) or not self.columns.alive[places].all():
            raise LookupError(places)
        return rows

    def memory(self, place: int) -> Memory:
        """The memory with its vector. Raises LookupError when it is gone."""
        return self.row(place).with_vector(self.vector(place))

    def vector(self, place: int) -> Vector | None:
        """The vector; None when the memory has none of the map's model."""
        return self.vectors.row(place) if self.columns.embedded[place] else None

    def vectors_at(self, places: NDArray[np.intp]) -> NDArray[np.float32]:
        """(n, dimensions): the vectors at these positions; zeros where a memory has none of the map's model."""
        vectors = self.vectors.at(places)
        vectors[~self.columns.embedded[places]] = 0.0
        return vectors

    def cosines(self, places: NDArray[np.intp], vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """The best cosine of each memory with these (n, d) vectors, clamped to [0, 1]; NaN without a vector."""
        best = np.clip((self.vectors.at(places) @ vectors.T).max(axis=1), 0.0, 1.0)
        return np.where(self.columns.embedded[places], best, np.nan)

    def memory_columns(self, places: NDArray[np.intp]) -> MemoryColumns:
        """What the order depends on, of the memories at these positions."""
        return self.columns.order.at(places)

    def place(self, memory_id: UUID) -> int | None:
        """The position of a memory; None when it is not in the map."""
        return self.places.get(memory_id.int)

    def _number_of(self, end_user: EndUser) -> int:
        """The number of their name; _NO_NAME for one without memories of their own, _ALL for every end user."""
        if end_user.is_all:
            return _ALL
        return _NO_NAME if end_user.name is None else self.names.get(end_user.name, _NO_NAME)

    def _seen_by(self, end_user: EndUser) -> "_Seen":
        own, columns = self._number_of(end_user), self.columns
        seen = self._seen.get(own)
        if seen is None:
            mask = columns.alive
            if own != _ALL:
                mask = mask & ((columns.user == self.names[None]) | (columns.user == own))
                mask.flags.writeable = False
            collection = postings.Collection(
                int(mask.sum()),
                int(columns.content_words.sum(where=mask, dtype=np.int64)),
                int(columns.context_words.sum(where=mask, dtype=np.int64)),
            )
            self._seen.clear()
            seen = self._seen[own] = _Seen(mask, collection, all=bool(mask.all()))
        return seen

    def _newest_best(self, score: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
        """Highest score above 0 first; ties by document, newest first, as the store ranks them."""
        chosen, scores = _highest(score.nonzero()[0], score, limit)
        order = np.lexsort((-self.columns.document[chosen], -scores))
        return chosen[order[:limit]]

    def _best(self, value: NDArray[np.floating], among: Booleans, limit: int) -> NDArray[np.intp]:
        """Highest value first; ties by id."""
        chosen, values = _highest(among.nonzero()[0], value, limit)
        by_value = (-values).argsort(kind="stable")
        order, values = chosen[by_value], values[by_value]
        if (values[1:] == values[:-1]).any():
            by_id = sorted(order.tolist(), key=lambda place: (-value[place], _number(self.rows[place])))
            order = np.array(by_id, np.intp)
        return order[:limit]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an end user may read: the positions, whether these are all, and the sums that BM25 needs."""

    mask: Booleans
    collection: postings.Collection
    all: bool


@dataclass(frozen=True, slots=True)
class _Passing:
    """The positions that meet a condition from `since` on, until the next memory begins, expires or ends."""

    filters: Filters
    own: int
    since: float
    until: float
    mask: Booleans


_NO_NAME, _ALL = -1, -2


def _highest(
    chosen: NDArray[np.intp], value: NDArray[np.floating], limit: int
) -> tuple[NDArray[np.intp], NDArray[np.floating]]:
    """Those of the positions with the highest values, and all that tie with the last one; with their values."""
    values = value[chosen]
    if len(chosen) > limit > 0:
        ordered = values.copy()
        ordered.partition(len(values) - limit)
        kept = values >= ordered[len(values) - limit]
        chosen, values = chosen[kept], values[kept]
    return chosen, values


def empty(org_id: UUID, agent_id: UUID, dimensions: int) -> MemoryMap:
    """The map of an agent without memories, from which others grow."""
    return MemoryMap(
        org_id=org_id,
        agent_id=agent_id,
        change=Change(0, 0),
        rows=Rows(),
        places={},
        names={None: 0},
        columns=_columns((), MapRows.empty(dimensions), np.empty(0, bool), {None: 0}),
        vectors=Vectors.empty(dimensions),
        words=Words.of(MapPostings.empty()),
        text_bytes=0,
    )


def extended(known: MemoryMap, rows: MapRows, change: Change) -> MemoryMap:
    """The map as of `change`: each row replaces the known state of its memory; rows that are not active are removed.

    Of several rows of one memory the last one counts. All vectors must be of one model.
    """
    last = {memory.id.int: index for index, memory in enumerate(rows.memories)}
    live = np.zeros(len(rows.memories), bool)
    live[[index for index in last.values() if rows.memories[index].status == "active"]] = True
    added = [memory for memory, is_live in zip(rows.memories, live.tolist(), strict=True) if is_live]
    first = len(known.rows)
    places = dict(known.places)
    gone = [before for memory in rows.memories if (before := places.pop(memory.id.int, None)) is not None]
    alive = known.columns.alive.copy()
    alive[gone] = False
    places |= {memory.id.int: first + offset for offset, memory in enumerate(added)}
    names = dict(known.names)
    columns = _columns(added, rows, live, names)
    # Index of a posting's memory among the live rows; postings of other rows are left out.
    position = np.cumsum(live) - 1
    postings = rows.postings.select(live[rows.postings.place]) if len(rows.postings) else rows.postings
    postings = replace(postings, place=position[postings.place].astype(np.int32)).shifted(first)
    if first == 0:
        words = Words.of(postings)
    else:
        words = replace(known.words, tail=MapPostings.joined([known.words.tail, postings]))
    return MemoryMap(
        org_id=known.org_id,
        agent_id=known.agent_id,
        change=change,
        rows=known.rows.followed_by(added, gone=gone),
        places=places,
        names=names,
        columns=replace(known.columns, alive=alive).followed_by(columns),
        vectors=known.vectors.add(first, rows.vectors[live]),
        words=words,
        text_bytes=known.text_bytes + sum(map(_text_bytes, added)),
        model=rows.model,
    )


def _columns(memories: Sequence[Memory], rows: MapRows, live: Booleans, names: dict[str | None, int]) -> Columns:
    """The columns of the live rows, which are `memories`; adds new names to `names`."""

    def numbers(of: Callable[[Memory], str | None]) -> NDArray[np.int32]:
        return np.array([names.setdefault(of(memory), len(names)) for memory in memories], np.int32)

    for memory in memories:
        names.setdefault(memory.session_id or None, len(names))
    order = MemoryColumns.of(memories, sessions=SessionNumbers(names))
    return Columns(
        alive=np.ones(len(memories), bool),
        embedded=rows.embedded[live],
        document=rows.documents[live],
        content_words=rows.content_words[live],
        context_words=rows.context_words[live],
        user=numbers(lambda memory: memory.user_id),
        source=numbers(lambda memory: memory.source),
        tier=numbers(lambda memory: memory.tier),
        pinned=np.array([memory.pinned_at is not None for memory in memories], bool),
        ends=order.ends,
        order=order,
    )


def _number(memory: Memory | None) -> int:
    return memory.id.int if memory is not None else 0


def _text_bytes(memory: Memory) -> int:
    return 2 * (len(memory.content) + len(memory.summary or "")) + len(memory.sealed or b"")
