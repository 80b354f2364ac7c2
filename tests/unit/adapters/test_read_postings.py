"""Rows of the statement that reads postings, decoded into arrays."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.search.read_postings import BLOCKS, COLLECTION, LEFT, TAIL, UNREAD, ReadPostings
from remembrancer.domain.lexical_index.postings import BLOCK, POSTING, pack_terms

TERMS = (7, -3, 5)
AGENTS = (UUID(int=2), UUID(int=1))
Posting = tuple[UUID, int, int]
"""Agent, document and term."""

numbers = st.integers(0, 3 * BLOCK - 1)
postings = st.sets(st.tuples(st.sampled_from(AGENTS), numbers, st.sampled_from(TERMS)), max_size=40)


def integers(*values: int) -> bytes:
    return np.array(values, dtype=">i4").tobytes()


def blocks(merged: Sequence[Posting]) -> list[Row]:
    """Some rows for each agent; blocks and rows are in no order."""
    rows: list[Row] = []
    for agent, part in {(agent, number // BLOCK % 2) for agent, number, _ in merged}:
        held = [(number, term) for of, number, term in merged if (of, number // BLOCK % 2) == (agent, part)]
        head, body = b"", b""
        for term, block in {(term, number // BLOCK) for number, term in held}:
            inside = np.array(sorted(number for number, of in held if (of, number // BLOCK) == (term, block)))
            packed = np.zeros(len(inside), dtype=POSTING)
            packed["offset"], packed["content"], packed["content_words"] = inside % BLOCK, 1, inside % 9 + 1
            head += np.array(term, dtype=">i8").tobytes() + integers(block, len(inside))
            body += packed.tobytes()
        rows.append((BLOCKS, agent, 0, 0, 0, head, body))
    return rows


def tail(unmerged: Sequence[Posting]) -> list[Row]:
    rows: list[Row] = []
    for agent in {agent for agent, *_ in unmerged}:
        head, body = b"", b""
        for number in sorted({document for of, document, _ in unmerged if of == agent}):
            packed = pack_terms([(term, 1, 0) for of, document, term in unmerged if (of, document) == (agent, number)])
            packed += pack_terms([(99, 1, 1)])
            head, body = head + integers(number, number % 9 + 1, 0, len(packed)), body + packed
        rows.append((TAIL, agent, 0, 0, 0, head, body))
    return rows


def rows_of(read: ReadPostings, documents: Sequence[tuple[UUID, int | None]]) -> list[int]:
    rows = read.rows([agent.int for agent, _ in documents], [number for _, number in documents])
    return [int(row) for row in rows]


@given(merged=postings, unmerged=postings, left=st.sets(st.tuples(st.sampled_from(AGENTS), numbers), max_size=10))
def test_each_live_document_has_its_terms_and_its_length(
    merged: set[Posting], unmerged: set[Posting], left: set[tuple[UUID, int]]
) -> None:
    in_blocks = {one[:2] for one in merged}
    unmerged = {one for one in unmerged if one[:2] not in in_blocks and one[:2] not in left}
    left |= {one[:2] for one in list(merged)[:2]}
    rows: list[tuple[Any, ...]] = [(COLLECTION, None, 12, 30, 4, b"", b""), (UNREAD, None, TERMS[1], 6, 0, b"", b"")]
    rows += [*tail(list(unmerged)), *blocks(list(merged))]
    rows += [(LEFT, agent, 0, 0, 0, integers(*(number for of, number in left if of == agent)), b"") for agent in AGENTS]

    read = ReadPostings.of(rows, TERMS)

    score = np.arange(read.postings.rows, dtype=np.float64) % 3
    named = read.identities(np.arange(read.postings.rows))
    document_of = [
        (named["agents"][place - 1], number)
        for place, number in zip(named["places"].values.tolist(), named["documents"].values.tolist(), strict=True)
    ]
    live = {one for one in merged | unmerged if one[:2] not in left}
    found = read.postings
    assert {(*document_of[row], TERMS[slot]) for row, slot in zip(found.document, found.slot, strict=True)} == live
    assert len(found.document) == len(live)
    assert set(document_of) == {one[:2] for one in live}
    assert found.content_words.tolist() == [document_of[row][1] % 9 + 1 for row in found.document]
    # So that scores need not sort them.
    assert np.all(np.diff(found.slot) >= 0)
    assert rows_of(read, document_of) == list(range(found.rows))
    absent = [(AGENTS[0], 3 * BLOCK), (AGENTS[0], None), (UUID(int=7), 1), *left]
    assert set(rows_of(read, absent)) == {-1}
    best = sorted(
        (row for row in range(found.rows) if score[row]),
        key=lambda row: (-score[row], document_of[row][0], -document_of[row][1]),
    )
    assert read.best(score, 5).tolist() == best[:5]
    assert read.best(score, 500).tolist() == best
    assert (read.collection.documents, read.left_out, found.unread.tolist()) == (12, (TERMS[1],), [0, 6, 0])


@given(
    scores=st.integers(0, 2**32).map(np.random.default_rng),
    size=st.integers(0, 3000),
    kinds=st.sampled_from([1, 3, 50, 10**6]),
    matching=st.sampled_from([0.0, 0.02, 0.5, 1.0]),
    number=st.integers(1, 400),
)
def test_the_best_of_many_rows_are_those_of_a_full_sort(
    scores: np.random.Generator, size: int, kinds: int, matching: float, number: int
) -> None:
    held = [(AGENTS[0], document, TERMS[0]) for document in range(size)]
    read = ReadPostings.of(blocks(held), TERMS)
    score = (scores.integers(1, kinds + 1, size) / kinds) * (scores.random(size) < matching)

    best = read.best(score, number)

    # Of equal scores the newest documents.
    expected = [row for row in np.lexsort((-np.arange(size), -score)).tolist() if score[row] > 0]
    assert best.tolist() == expected[:number]


def test_the_best_are_found_also_where_every_looked_at_score_is_high() -> None:
    read = ReadPostings.of(blocks([(AGENTS[0], document, TERMS[0]) for document in range(2000)]), TERMS)
    score = np.full(2000, 0.25)
    score[::16] = 0.5

    assert len(read.best(score, 300)) == 300
