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

_BLOCK_HEAD = np.dtype([("block", ">i4"), ("postings", ">i4")])
_DOCUMENT_HEAD = np.dtype([("document", ">i4"), ("content_words", ">i4"), ("context_words", ">i4"), ("bytes", ">i4")])
_AGENT = 1 << 32
"""A block's key is its agent's index times this, plus its number."""

_Columns = tuple[NDArray[Any], ...]


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
        merged_keys, merged = _from_blocks(kinds[BLOCKS], slot_of, number)
        tail_keys, tail = _from_tail(kinds[TAIL], terms, number, first=len(merged_keys))
        blocks, place = np.unique(np.concatenate([merged_keys, tail_keys]), return_inverse=True)
        block, slot, offset, content, context, content_words, context_words = (
            np.concatenate(columns) for columns in zip(merged, tail, strict=True)
        )
        document = place[block] * BLOCK + offset
        left = _places(kinds[LEFT], number, blocks)
        places, row_of = _numbered(document, left, len(blocks) * BLOCK)
        postings = Postings(slot, row_of[document], content, context, content_words, context_words, len(places), unread)
        return cls(
            _live(postings) if len(left) else postings,
            sum((Collection(*row[2:5]) for row in kinds[COLLECTION]), Collection(0, 0, 0)),
            tuple(row[2] for row in kinds[UNREAD]),
            number,
            blocks,
            places,
        )

    def best(self, score: NDArray[np.float64], number: int) -> NDArray[np.intp]:
        """Rows of the highest scores above 0, at most `number`, in an order that does not depend on `number`."""
        matched = np.flatnonzero(score)
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


def _from_blocks(
    rows: Sequence[Row], slot_of: Mapping[int, int], number: Mapping[UUID, int]
) -> tuple[NDArray[np.int64], _Columns]:
    """The keys of the merged blocks, and the columns of their postings, the first of which is the index of the key."""
    rows = sorted(rows, key=lambda row: slot_of[row[2]])
    head = np.frombuffer(b"".join(row[5] for row in rows), dtype=_BLOCK_HEAD)
    packed = np.frombuffer(b"".join(row[6] for row in rows), dtype=POSTING)
    keys = _of_rows([number[row[1]] for row in rows], rows, _BLOCK_HEAD) + head["block"]
    counts = head["postings"].astype(np.intp)
    slot = _of_rows([slot_of[row[2]] for row in rows], rows, _BLOCK_HEAD)
    return keys, (
        np.repeat(np.arange(len(keys)), counts),
        np.repeat(slot, counts),
        packed["offset"].astype(np.intp),
        packed["content"],
        packed["context"],
        packed["content_words"],
        packed["context_words"],
    )


def _from_tail(
    rows: Sequence[Row], terms: Sequence[int], number: Mapping[UUID, int], *, first: int
) -> tuple[NDArray[np.int64], _Columns]:
    """The same for unmerged documents; the indices of their keys are counted from `first` on."""
    head = np.frombuffer(b"".join(row[5] for row in rows), dtype=_DOCUMENT_HEAD)
    entries = np.frombuffer(b"".join(row[6] for row in rows), dtype=TERM)
    owner = np.repeat(np.arange(len(head)), head["bytes"] // TERM.itemsize)
    hits, slot = slots(entries["term"].astype(np.int64), terms)
    owner, entries = owner[hits], entries[hits]
    agent = _of_rows([number[row[1]] for row in rows], rows, _DOCUMENT_HEAD)
    document = head["document"].astype(np.intp)
    return agent + document // BLOCK, (
        first + owner,
        slot,
        document[owner] % BLOCK,
        entries["content"],
        entries["context"],
        head["content_words"].astype(np.uint16)[owner],
        head["context_words"].astype(np.uint16)[owner],
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


def _live(postings: Postings) -> Postings:
    """The postings without those of row −1."""
    live = postings.document >= 0
    return Postings(
        postings.slot[live],
        postings.document[live],
        postings.content[live],
        postings.context[live],
        postings.content_words[live],
        postings.context_words[live],
        postings.rows,
        postings.unread,
    )
