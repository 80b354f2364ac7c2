"""The lexical index as arrays: terms by document, documents by term, and the packed form of both.

A document is a memory in the index of its agent; documents are numbered in the order of insertion, and no number is
reused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096
"""Documents in one block: number // BLOCK is the block, number % BLOCK the offset in it."""
MOST = 255
"""Frequencies are stored in one byte, lengths in two; larger values are stored as the maximum."""
MOST_WORDS = 65_535

TERM = np.dtype([("term", ">i8"), ("content", "u1"), ("context", "u1")])
"""A term of one document with its frequency in content and in context; a document's terms are packed like this."""
POSTING = np.dtype(
    [("offset", "<u2"), ("content", "u1"), ("context", "u1"), ("content_words", "<u2"), ("context_words", "<u2")]
)
"""A document of one term: its offset in the block, the term's frequencies, and the document's lengths in words."""

Packed = Mapping[tuple[int, int], bytes]
"""(term, block) → its POSTINGs in the order of the documents."""


@dataclass(frozen=True, slots=True)
class Document:
    """One memory in its agent's index; `terms` are packed TERMs, lengths are in words without stop words."""

    number: int
    content_words: int
    context_words: int
    terms: bytes


@dataclass(frozen=True, slots=True)
class Collection:
    """Number of live documents in a scope, and the sums of their words."""

    documents: int
    content_words: int
    context_words: int

    def __add__(self, other: "Collection") -> "Collection":
        return Collection(
            self.documents + other.documents,
            self.content_words + other.content_words,
            self.context_words + other.context_words,
        )


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of a query's terms over live documents, as parallel arrays.

    `slot` is the term's index among the query's terms, `document` a row number below `rows`. Lengths belong to the
    document and are repeated in each of its postings. `unread` counts, for each of the query's terms, the documents
    that contain it and are missing here. No document occurs twice in a slot.
    """

    slot: NDArray[np.intp]
    document: NDArray[np.intp]
    content: NDArray[np.uint8]
    context: NDArray[np.uint8]
    content_words: NDArray[np.uint16]
    context_words: NDArray[np.uint16]
    rows: int
    unread: NDArray[np.int64]

    def select(self, chosen: NDArray[np.intp]) -> "Postings":
        """The postings with these indices, in their order."""
        return Postings(
            self.slot[chosen],
            self.document[chosen],
            self.content[chosen],
            self.context[chosen],
            self.content_words[chosen],
            self.context_words[chosen],
            self.rows,
            self.unread,
        )


def pack_terms(terms: Sequence[tuple[int, int, int]]) -> bytes:
    """Packs (term, frequency in content, frequency in context) of one document."""
    return np.array(list(terms), dtype=TERM).tobytes()


def unpack_terms(documents: Sequence[bytes]) -> tuple[NDArray[np.intp], NDArray[np.void]]:
    """The TERMs of several documents, and for each TERM the index of its document."""
    counts = [len(packed) // TERM.itemsize for packed in documents]
    return np.repeat(np.arange(len(documents)), counts), np.frombuffer(b"".join(documents), dtype=TERM)


def slots(terms: NDArray[np.int64], wanted: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices into `terms` of the wanted ones, and the index of each among the wanted; ordered by the latter."""
    names = np.array(wanted, dtype=np.int64)
    order = np.argsort(names)
    place = np.searchsorted(names, terms, sorter=order)
    slot = order[np.minimum(place, len(names) - 1)] if len(names) else place
    hits = np.flatnonzero(names[slot] == terms) if len(names) else np.empty(0, dtype=np.intp)
    hits = hits[np.argsort(slot[hits], kind="stable")]
    return hits, slot[hits]


def places(documents: Sequence[Document]) -> set[tuple[int, int]]:
    """The keys (term, block) of these documents' postings."""
    owner, terms = unpack_terms([document.terms for document in documents])
    block = np.array([document.number for document in documents], dtype=np.int64)[owner] // BLOCK
    return set(zip(terms["term"].tolist(), block.tolist(), strict=True))


def merged(packed: Packed, entering: Sequence[Document], leaving: Sequence[Document]) -> dict[tuple[int, int], bytes]:
    """The changed postings by (term, block) when documents are added and removed; empty bytes for an empty block.

    `packed` has the stored postings for both. Documents are added in the order of their numbers, which are higher than
    all stored numbers.
    """
    changed: dict[tuple[int, int], bytes] = {}
    for place, offsets in _by_place(leaving).items():
        stored = np.frombuffer(packed.get(place, b""), dtype=POSTING)
        changed[place] = stored[~np.isin(stored["offset"], offsets["offset"])].tobytes()
    for place, new in _by_place(entering).items():
        changed[place] = changed.get(place, packed.get(place, b"")) + new.tobytes()
    return changed


def _by_place(documents: Sequence[Document]) -> dict[tuple[int, int], NDArray[np.void]]:
    owner, terms = unpack_terms([document.terms for document in documents])
    if not len(terms):
        return {}
    number = np.array([document.number for document in documents], dtype=np.int64)[owner]
    rows = np.empty(len(terms), dtype=POSTING)
    rows["offset"] = number % BLOCK
    rows["content"] = terms["content"]
    rows["context"] = terms["context"]
    rows["content_words"] = np.array([document.content_words for document in documents])[owner]
    rows["context_words"] = np.array([document.context_words for document in documents])[owner]
    name = terms["term"].astype(np.int64)
    order = np.lexsort((number, name))
    name, block, rows = name[order], number[order] // BLOCK, rows[order]
    starts = np.flatnonzero((np.diff(name, prepend=0) != 0) | (np.diff(block, prepend=-1) != 0))
    groups = np.split(rows, starts[1:])
    return dict(zip(zip(name[starts].tolist(), block[starts].tolist(), strict=True), groups, strict=True))
