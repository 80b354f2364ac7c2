"""Decodes the postings of a query's terms, as one statement reads them, into arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.postgres.connection.arrays import Integers
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.domain.lexical_index.postings import BLOCK, POSTING, TERM, Collection, Postings, slots

COLLECTION, BLOCKS, TAIL, LEFT, UNREAD = range(5)
"""The kinds of rows: kind, agent, three numbers, head, body."""

_BLOCK_HEAD = np.dtype([("term", ">i8"), ("block", ">i4"), ("postings", ">i4")])
_DOCUMENT_HEAD = np.dtype([("document", ">i4"), ("content_words", ">i4"), ("context_words", ">i4"), ("bytes", ">i4")])
_PACKED = np.uint64
_AGENT = 1 << 32
"""A block's key is its agent's index times this, plus its number."""
_SAMPLED = 16
"""Of so many scores one is looked at, to find one that few others exceed."""


@dataclass(frozen=True, slots=True)
class ReadPostings:
    """Only documents with a posting have a row, in ascending order of their places.

    A document's place is the index of its block in `blocks`, the ascending keys, combined with its offset in the block;
    `places` gives that of each row. `agents` gives what an agent adds to its blocks' numbers, in ascending order.
    """

    postings: Postings
    collection: Collection
    left_out: tuple[int, ...]
    agents: Mapping[UUID, int]
    blocks: NDArray[np.int64]
    places: NDArray[np.intp]

    @classmethod
    def of(cls, rows: Sequence[Row], terms: Sequence[int]) -> "ReadPostings":
        """From the rows of the statement, in any order."""
        kinds: list[list[Row]] = [[], [], [], [], []]
        for row in rows:
            kinds[row[0]].append(row)
        slot_of = {term: slot for slot, term in enumerate(terms)}
        unread = np.zeros(len(terms), dtype=np.int64)
        for row in kinds[UNREAD]:
            unread[slot_of[row[2]]] = row[3]
        agents = sorted({row[1] for kind in (BLOCKS, TAIL) for row in kinds[kind]})
        number = {agent: index * _AGENT for index, agent in enumerate(agents)}
        found = _Blocks.stored(kinds[BLOCKS], terms, number)
        if kinds[TAIL]:
            found = found.joined(_Blocks.unmerged(kinds[TAIL], terms, number))
        found = found.by_slot()
        blocks, place = np.unique(found.keys, return_inverse=True)
        document = np.repeat(place * BLOCK, found.counts)
        document += found.packed.view(POSTING)["offset"]
        left = _places(kinds[LEFT], number, blocks)
        places, row_of = _numbered(document, left, len(blocks) * BLOCK)
        return cls(
            found.postings(row_of[document], len(places), unread, live_only=len(left) > 0),
            sum((Collection(*row[2:5]) for row in kinds[COLLECTION]), Collection(0, 0, 0)),
            tuple(row[2] for row in kinds[UNREAD]),
            number,
            blocks,
            places,
        )

    def best(self, score: NDArray[np.float64], number: int) -> NDArray[np.intp]:
        """Rows of the highest scores above 0, at most `number`, in an order that does not depend on `number`."""
        matched = _highest(score, number)
        if len(matched) > number:
            threshold = np.partition(score[matched], len(matched) - number)[len(matched) - number]
            matched = matched[score[matched] >= threshold]
        agent, document = self._documents(matched)
        return matched[np.lexsort((-document, agent, -score[matched]))[:number]]

    def rows(self, agents: Sequence[int], documents: Sequence[int | None]) -> NDArray[np.intp]:
        """The row of each document, by the number of its agent's id and its own; −1 where no posting of it was read."""
        if not len(self.places):
            return np.full(len(documents), -1)
        # By number, since hashing a UUID runs in Python.
        first = {agent.int: number for agent, number in self.agents.items()}
        owners = [
            -1 if document is None else first.get(agent, -1) for agent, document in zip(agents, documents, strict=True)
        ]
        agent = np.array(owners, np.int64)
        number = np.array([document or 0 for document in documents], np.int64)
        block = np.where(agent >= 0, _found(self.blocks, agent + number // BLOCK), -1)
        return np.where(block >= 0, _found(self.places, block * BLOCK + number % BLOCK), -1)

    def identities(self, rows: NDArray[np.intp]) -> dict[str, Any]:
        """Document number of each row, and its agent's index in `agents`, from 1."""
        agent, document = self._documents(rows)
        return {"agents": list(self.agents), "places": Integers(agent + 1), "documents": Integers(document)}

    def _documents(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The index of each row's agent, and its document number."""
        block, offset = np.divmod(self.places[rows], BLOCK)
        agent, number = np.divmod(self.blocks[block], _AGENT)
        return agent, number * BLOCK + offset


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Postings in blocks: the slot of each block's term, the block's key, and the number of its postings, which are
    in `packed`, one block after the other. Each is one number there, since numpy copies records field by field.
    """

    slots: NDArray[np.intp]
    keys: NDArray[np.int64]
    counts: NDArray[np.intp]
    packed: NDArray[np.uint64]

    @classmethod
    def stored(cls, rows: Sequence[Row], terms: Sequence[int], number: Mapping[UUID, int]) -> "_Blocks":
        """The merged ones."""
        head = np.frombuffer(b"".join(row[5] for row in rows), dtype=_BLOCK_HEAD)
        bodies = [row[6] for row in rows]
        packed = np.frombuffer(bodies[0] if len(bodies) == 1 else b"".join(bodies), dtype=_PACKED)
        keys = _of_rows([number[row[1]] for row in rows], rows, _BLOCK_HEAD) + head["block"].astype(np.int64)
        names = np.array(terms, dtype=np.int64)
        order = np.argsort(names)
        slot = order[np.searchsorted(names, head["term"].astype(np.int64), sorter=order)]
        return cls(slot, keys, head["postings"].astype(np.intp), packed)

    @classmethod
    def unmerged(cls, rows: Sequence[Row], terms: Sequence[int], number: Mapping[UUID, int]) -> "_Blocks":
        """The documents of the tail, as if they were merged."""
        head = np.frombuffer(b"".join(row[5] for row in rows), dtype=_DOCUMENT_HEAD)
        entries = np.frombuffer(b"".join(row[6] for row in rows), dtype=TERM)
        owner = np.repeat(np.arange(len(head)), head["bytes"] // TERM.itemsize)
        hits, slot = slots(entries["term"].astype(np.int64), terms)
        document = head["document"].astype(np.int64)
        key = (_of_rows([number[row[1]] for row in rows], rows, _DOCUMENT_HEAD) + document // BLOCK)[owner[hits]]
        order = np.lexsort((key, slot))
        hits, slot, key = hits[order], slot[order], key[order]
        packed = np.empty(len(hits), dtype=POSTING)
        packed["offset"] = (document % BLOCK)[owner[hits]]
        packed["content"], packed["context"] = entries["content"][hits], entries["context"][hits]
        for words in ("content_words", "context_words"):
            packed[words] = head[words][owner[hits]]
        starts = np.flatnonzero(np.diff(slot, prepend=-1) | np.diff(key, prepend=-1))
        return cls(slot[starts], key[starts], np.diff(starts, append=len(hits)), packed.view(_PACKED))

    def joined(self, other: "_Blocks") -> "_Blocks":
        """These and the others."""
        return _Blocks(
            np.concatenate([self.slots, other.slots]),
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.counts, other.counts]),
            np.concatenate([self.packed, other.packed]),
        )

    def by_slot(self) -> "_Blocks":
        """The same in the order of the slots."""
        order = np.argsort(self.slots, kind="stable")
        ends = np.cumsum(self.counts)[order]
        starts = ends - self.counts[order]
        # Neighbours that stay together are copied at once.
        firsts = np.flatnonzero(np.diff(order, prepend=-2) != 1)
        lasts = np.append(firsts, len(order))[1:] - 1
        parts = [
            self.packed[start:end] for start, end in zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True)
        ]
        packed = np.concatenate(parts) if len(parts) > 1 else self.packed
        return _Blocks(self.slots[order], self.keys[order], self.counts[order], packed)

    def postings(
        self, document: NDArray[np.intp], rows: int, unread: NDArray[np.int64], *, live_only: bool
    ) -> Postings:
        """With the row of each posting's document, −1 for one that left; with `live_only` without those."""
        slot, packed = np.repeat(self.slots, self.counts), self.packed
        if live_only:
            live = np.flatnonzero(document >= 0)
            slot, document, packed = slot[live], document[live], packed[live]
        fields = packed.view(POSTING)
        return Postings(
            slot,
            document,
            fields["content"],
            fields["context"],
            fields["content_words"],
            fields["context_words"],
            rows,
            unread,
        )


def _of_rows(values: Sequence[int], rows: Sequence[Row], head: np.dtype[Any]) -> NDArray[np.int64]:
    """Each row's value, once for each entry of its head."""
    entries = [len(row[5]) // head.itemsize for row in rows]
    return np.repeat(np.array(values, dtype=np.int64), np.array(entries, dtype=np.intp))


def _places(rows: Sequence[Row], number: Mapping[UUID, int], blocks: NDArray[np.int64]) -> NDArray[np.intp]:
    """The places of packed document numbers; those in other blocks are ignored."""
    found = [np.empty(0, dtype=np.intp)]
    for row in rows:
        if row[1] in number:
            document = np.frombuffer(row[5], dtype=">i4").astype(np.intp)
            block = _found(blocks, number[row[1]] + document // BLOCK)
            found.append((block * BLOCK + document % BLOCK)[block >= 0])
    return np.concatenate(found)


def _found(ascending: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.intp]:
    """The index of each wanted value, −1 for one that is missing."""
    index = np.searchsorted(ascending, wanted)
    index[index == len(ascending)] = 0
    return np.where(ascending[index] == wanted, index, -1) if len(ascending) else np.full(len(wanted), -1)


def _highest(score: NDArray[np.float64], number: int) -> NDArray[np.intp]:
    """Rows with scores above 0, among them at least the `number` highest, and if there are far more, few others.

    A sample of the scores has one that few others exceed; if too few do, all rows with scores are returned.
    """
    sample = score[::_SAMPLED]
    rank = 2 * number // _SAMPLED + _SAMPLED
    if rank < len(sample):
        least = np.partition(sample, len(sample) - rank)[len(sample) - rank]
        if least > 0:
            matched = np.flatnonzero(score >= least)
            if len(matched) >= number:
                return matched
    return np.flatnonzero(score)


def _numbered(
    document: NDArray[np.intp], left: NDArray[np.intp], places: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the live documents, ascending, and for the place of each document its index among them, −1 for one
    that left.
    """
    occurs = np.zeros(places, dtype=np.bool_)
    occurs[document] = True
    occurs[left] = False
    live = np.flatnonzero(occurs)
    row_of = np.empty(places, dtype=np.intp)
    row_of[left] = -1
    row_of[live] = np.arange(len(live))
    return live, row_of
