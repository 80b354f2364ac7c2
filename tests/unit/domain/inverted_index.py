"""A lexical index of a few documents in memory, to test scores without a store."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.lexical_index.postings import Collection, Document, Postings, slots, unpack_terms


@dataclass(frozen=True, slots=True)
class InvertedIndex:
    """All postings of some documents in memory: those of `terms[i]` are at `starts[i]` up to `starts[i + 1]`.

    `terms` is ascending; `document` holds row numbers, to which `content_words` and `context_words` belong.
    """

    terms: NDArray[np.int64]
    starts: NDArray[np.intp]
    document: NDArray[np.int32]
    content: NDArray[np.uint8]
    context: NDArray[np.uint8]
    content_words: NDArray[np.uint16]
    context_words: NDArray[np.uint16]

    @property
    def collection(self) -> Collection:
        """What the documents amount to."""
        rows = len(self.content_words)
        return Collection(
            rows, int(self.content_words.sum(dtype=np.int64)), int(self.context_words.sum(dtype=np.int64))
        )

    def postings(self, terms: Sequence[int]) -> Postings:
        """Those of a query's terms."""
        hits, slot = slots(self.terms, terms)
        counts = self.starts[hits + 1] - self.starts[hits]
        ends = np.cumsum(counts)
        chosen = np.arange(int(counts.sum())) + np.repeat(self.starts[hits] - (ends - counts), counts)
        document = self.document[chosen]
        return Postings(
            slot=np.repeat(slot, counts),
            document=document.astype(np.intp),
            content=self.content[chosen],
            context=self.context[chosen],
            content_words=self.content_words[document],
            context_words=self.context_words[document],
            rows=len(self.content_words),
            unread=np.zeros(len(terms), dtype=np.int64),
        )


def inverted(documents: Sequence[Document]) -> InvertedIndex:
    """Row i is the i-th of `documents`, whatever its number."""
    owner, packed = unpack_terms([document.terms for document in documents])
    name = packed["term"].astype(np.int64)
    order = np.argsort(name, kind="stable")
    terms, starts = np.unique(name[order], return_index=True)
    return InvertedIndex(
        terms=terms,
        starts=np.append(starts, len(order)),
        document=owner[order].astype(np.int32),
        content=packed["content"][order],
        context=packed["context"][order],
        content_words=np.array([document.content_words for document in documents], dtype=np.uint16),
        context_words=np.array([document.context_words for document in documents], dtype=np.uint16),
    )
