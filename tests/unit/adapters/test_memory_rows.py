"""Rows of memories become values: all at once as one by one, whatever their vectors and numbers are."""

import struct
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memories, to_memory

NOW = datetime(2026, 3, 15, tzinfo=UTC)
COLUMNS = [column.strip().partition(".")[2].rstrip(")") for column in MEMORY_COLUMNS.split(",")]


def row(number: int, **columns: Any) -> tuple[Any, ...]:
    """As the server answers: single-precision numbers, and a vector in its binary form."""
    known = {
        "memory_id": UUID(int=number),
        "agent_id": UUID(int=1),
        "content": f"Memory {number}",
        "confidence": float(np.float32(0.7)),
        "importance": float(np.float32(0.1)),
        "quality": float(np.float32(0.4)),
        "created_at": NOW,
        "tokens_o200k": 8,
        "tokens_cl100k": 9,
        "tags": ["tag"],
        "positive_count": 0,
        "negative_count": 0,
    }
    return tuple((known | columns).get(name) for name in COLUMNS)


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

    assert len(COLUMNS) == MEMORY_WIDTH
    assert alone == to_memories([row(0), row(1, content=None, contradicts=[UUID(int=2)])])[1]
    assert (alone.content, alone.confidence, alone.contradicts) == ("", 0.7, (UUID(int=2),))
