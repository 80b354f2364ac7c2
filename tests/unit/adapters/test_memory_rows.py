"""Rows of memories become values: all at once as one by one, whatever their vectors and numbers are."""

import struct
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from remembrancer.adapters.postgres.memories.rows import MEMORY_WIDTH, StoredRows, to_memories, to_memory, unpacked
from remembrancer.domain.identity.scope import EVERYBODY, EndUser
from remembrancer.domain.memories.memory import CATEGORIES
from remembrancer.domain.memories.memory_columns import MemoryColumns, SessionNumbers
from remembrancer.domain.memories.memory_rows import ListedRows

NOW = datetime(2026, 3, 15, tzinfo=UTC)
NUMBERS = ("confidence", "importance", "quality")
MOMENTS = ("created_at", "valid_from", "expires_at", "occurred_from", "occurred_to", "last_accessed_at", "pinned_at")
COUNTS = {
    "tokens_o200k": ">i", "tokens_cl100k": ">i", "version": ">i", "usage_count": ">q", "retrieval_count": ">q",
    "positive_count": ">q", "negative_count": ">q",
}  # fmt: skip
TEXTS = (
    "content", "category", "source", "status", "user_id", "session_id", "summary", "tags", "tier", "supersedes",
    "sealed", "embedding", "embedding_model", "contradicts", "contradicted_by",
)  # fmt: skip


def row(number: int, **columns: Any) -> tuple[Any, ...]:
    """As the server answers: a record of the numbers, and a vector in its binary form."""
    known = {
        "content": f"Memory {number}",
        "confidence": 0.7,
        "importance": 0.1,
        "quality": 0.4,
        "created_at": NOW,
        "tokens_o200k": 8,
        "tokens_cl100k": 9,
        "tags": ["tag"],
        **columns,
    }
    sent = [UUID(int=1).bytes]
    sent += [struct.pack(">f", known[name]) for name in NUMBERS]
    sent += [struct.pack(">q", since_2000(known.get(name))) for name in MOMENTS]
    sent += [struct.pack(sent_as, known.get(name, 0)) for name, sent_as in COUNTS.items()]
    record = struct.pack(">i", len(sent)) + b"".join(struct.pack(">ii", 0, len(value)) + value for value in sent)
    return UUID(int=number), record, *(known.get(name) for name in TEXTS)


def since_2000(moment: datetime | None) -> int:
    return -(1 << 63) if moment is None else (moment - datetime(2000, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def halfvec(vector: np.ndarray[Any, Any]) -> bytes:
    return struct.pack(">HH", len(vector), 0) + vector.astype(">f2").tobytes()


def test_a_row_has_its_own_vector_and_none_without_one() -> None:
    vectors = np.random.default_rng(1).standard_normal((3, 5)).astype(np.float16)
    rows = [row(0), *(row(number + 1, embedding=halfvec(one)) for number, one in enumerate(vectors)), row(9)]

    memories = to_memories(rows)

    assert [memory.id.int for memory in memories] == [0, 1, 2, 3, 9]
    assert memories[0].vector is None
    assert memories[4].vector is None
    for memory, vector in zip(memories[1:4], vectors, strict=True):
        assert memory.vector is not None
        assert memory.vector.dtype == np.float32
        assert memory.vector.tolist() == vector.tolist()


def test_vectors_of_two_lengths_come_together() -> None:
    short, long = np.ones(3), np.ones(8)

    memories = to_memories([row(1, embedding=halfvec(short)), row(2), row(3, embedding=halfvec(long))])

    assert [None if one.vector is None else len(one.vector) for one in memories] == [3, None, 8]


@pytest.mark.parametrize("column", ["confidence", "importance", "quality"])
def test_single_precision_is_rounded_as_python_rounds(column: str) -> None:
    stored = [*np.random.default_rng(2).random(2000, dtype=np.float32).astype(float).tolist(), 0.0078125, 0.0, 1.0]

    memories = to_memories([row(number, **{column: value}) for number, value in enumerate(stored)])

    assert [getattr(memory, column) for memory in memories] == [round(value, 6) for value in stored]


def test_no_rows_are_no_memories() -> None:
    assert to_memories([]) == []


def test_one_row_is_the_same_alone() -> None:
    alone = to_memory(row(1, content=None, contradicts=[UUID(int=2)]))

    assert len(row(1)) == MEMORY_WIDTH
    assert alone == to_memories([row(0), row(1, content=None, contradicts=[UUID(int=2)])])[1]
    assert (alone.content, alone.confidence, alone.contradicts) == ("", 0.7, (UUID(int=2),))


def random_row(random: np.random.Generator, number: int) -> tuple[Any, ...]:
    def some(value: Any) -> Any:
        return value if random.random() < 0.5 else None

    def moment() -> datetime:
        return NOW + timedelta(microseconds=int(random.integers(-(10**16), 10**15)))

    return row(
        number,
        **dict.fromkeys(("status",), random.choice(["active", "archived"])),
        **{name: float(np.float32(random.random())) for name in NUMBERS},
        **{name: some(moment()) for name in MOMENTS[1:]},
        **{name: int(random.integers(1000)) for name in COUNTS},
        created_at=moment(),
        content=some(random.choice(["Does Anna like tea?", "Anna likes tea.", "喝茶吗\uff1f"])),
        category=str(random.choice([*CATEGORIES, "other"])),
        user_id=some("anna"),
        session_id=some(str(random.choice(["", "s1", "s2"]))),
        tags=some(["a", "b"]),
        sealed=some(b"sealed"),
        embedding=some(halfvec(random.standard_normal(4))),
        embedding_model=some("model"),
        contradicts=some([UUID(int=5)]),
    )


def test_columns_of_rows_are_those_of_their_memories() -> None:
    random = np.random.default_rng(3)
    for size in (0, 1, 40):
        rows = StoredRows.of([random_row(random, number) for number in range(size)])
        memories = to_memories(rows.rows)

        found, expected = rows.columns(SessionNumbers()), MemoryColumns.of(memories)

        for name in MemoryColumns.__slots__:
            assert getattr(found, name).tolist() == getattr(expected, name).tolist(), name
            assert getattr(found, name).dtype == getattr(expected, name).dtype, name
        listed = ListedRows(memories)
        assert (rows.ids, rows.agents) == (listed.ids, listed.agents)
        for end_user in (EVERYBODY, EndUser(), EndUser("anna"), EndUser("bert")):
            for agent in (1, 2, None):
                assert rows.visible(agent, end_user).tolist() == listed.visible(agent, end_user).tolist()
        backwards = list(range(size))[::-1]
        for (one, model), (other, of_other) in zip(rows.vectors(backwards), listed.vectors(backwards), strict=True):
            assert (None if one is None else one.tolist(), model) == (
                None if other is None else other.tolist(),
                of_other,
            )


def test_an_object_is_made_once() -> None:
    rows = StoredRows.of([row(number) for number in range(5)])

    again = [*rows.at([3, 1]), *rows]

    assert [memory.id.int for memory in again] == [3, 1, 0, 1, 2, 3, 4]
    assert again[0] is again[5]
    assert again[1] is again[3]
    assert rows[-1] is again[6]
    assert [memory.id.int for memory in rows.picked(np.array([4, 0]))] == [4, 0]


def test_rows_put_together_are_the_same_rows() -> None:
    random = np.random.default_rng(4)
    for size in (1, 2, 40):
        rows = [(*random_row(random, number), number / 7) for number in range(size)]
        # A vector has a model, and both come from one row.
        rows = [
            tuple(None if place == 14 and one[13] is None else value for place, value in enumerate(one)) for one in rows
        ]
        rows = [
            tuple(None if place == 13 and one[14] is None else value for place, value in enumerate(one)) for one in rows
        ]
        ids, records, *columns = (list(column) for column in zip(*rows, strict=True))
        vectors = b"".join(vector for vector in columns.pop(11) if vector is not None)
        columns[12] = [None if one is None else [str(identifier) for identifier in one] for one in columns[12]]

        found = unpacked([(b"".join(records), vectors or None, ids, *columns)])

        assert found == rows


def test_nothing_put_together_is_no_rows() -> None:
    assert unpacked([(None,) * (MEMORY_WIDTH + 1)]) == []


def test_rows_equal_any_sequence_of_the_same_memories() -> None:
    random = np.random.default_rng(4)
    # Arrays do not compare: of memories with vectors, lists do not either.
    sent = [(*random_row(random, number)[:13], None, *random_row(random, number)[14:]) for number in range(3)]
    rows = StoredRows.of(sent)

    assert rows == StoredRows.of(sent) == to_memories(sent)
    assert rows != StoredRows.of(sent[:2])
    assert rows != rows.picked(np.array([1, 0, 2]))
