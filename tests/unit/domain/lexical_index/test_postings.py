"""Packed postings: merging against counting, one document at a time or all at once."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.lexical_index import postings
from remembrancer.domain.lexical_index.postings import BLOCK, POSTING, TERM, Document

TERMS = [-(2**63), -7, 0, 1, 2**63 - 1]

entries = st.dictionaries(
    st.sampled_from(TERMS), st.tuples(st.integers(0, 255), st.integers(0, 255)), max_size=len(TERMS)
)
numbers = st.integers(0, 3 * BLOCK - 1)
corpora = st.dictionaries(numbers, st.tuples(entries, st.integers(0, 65_535), st.integers(0, 65_535)), max_size=30)


def documents(corpus: dict[int, tuple[dict[int, tuple[int, int]], int, int]]) -> list[Document]:
    return [
        Document(
            number,
            content_words,
            context_words,
            postings.pack_terms([(term, *counts) for term, counts in held.items()]),
        )
        for number, (held, content_words, context_words) in sorted(corpus.items())
    ]


def counted(chosen: Sequence[Document]) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """The postings of each (term, block), counted out one by one."""
    expected: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for document in chosen:
        for term, content, context in np.frombuffer(document.terms, dtype=TERM).tolist():
            place = term, document.number // BLOCK
            lengths = document.content_words, document.context_words
            expected.setdefault(place, []).append((document.number % BLOCK, content, context, *lengths))
    return expected


def unpacked(packed: dict[tuple[int, int], bytes]) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    return {place: np.frombuffer(one, dtype=POSTING).tolist() for place, one in packed.items() if one}


@given(corpus=corpora, data=st.data())
def test_whatever_enters_and_leaves_in_whatever_parts_the_rest_is_what_counting_finds(
    corpus: dict[int, tuple[dict[int, tuple[int, int]], int, int]], data: st.DataObject
) -> None:
    everything = documents(corpus)
    cut = data.draw(st.integers(0, len(everything)))
    first, second = everything[:cut], everything[cut:]
    leaving = [document for document in first if data.draw(st.booleans())]

    packed = postings.merged({}, first, [])
    packed |= postings.merged(packed, second, leaving)

    assert unpacked(packed) == counted([document for document in everything if document not in leaving])


@given(corpus=corpora)
def test_only_the_places_of_the_documents_change(
    corpus: dict[int, tuple[dict[int, tuple[int, int]], int, int]],
) -> None:
    everything = documents(corpus)

    assert postings.merged({}, everything, []).keys() == postings.places(everything) == counted(everything).keys()


def test_what_left_twice_has_left() -> None:
    document = Document(5, 1, 0, postings.pack_terms([(1, 1, 0)]))
    packed = postings.merged({}, [document], [])

    once = postings.merged(packed, [], [document])

    assert once == postings.merged(once, [], [document]) == {(1, 0): b""}


@pytest.mark.parametrize("count", [0, 1])
def test_documents_without_words_are_at_no_place(count: int) -> None:
    assert postings.places([Document(0, 0, 0, b"")] * count) == set()
