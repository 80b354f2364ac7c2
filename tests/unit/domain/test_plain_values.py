"""Values that a request makes by the hundred: not frozen, which would take ten times as long, but never assigned to."""

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any, Final, get_origin
from uuid import UUID

import numpy as np
import pytest

from remembrancer.domain.context.assembly import Candidate
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.assembly_score import Scored
from remembrancer.domain.retrieval.evidence import Evidence


@pytest.mark.parametrize("kind", [Memory, Evidence, Scored, Candidate])
def test_creating_one_sets_its_fields_without_a_check(kind: type[Any]) -> None:
    assert "__setattr__" not in vars(kind)


@pytest.mark.parametrize("kind", [Memory, Evidence, Scored, Candidate])
def test_the_type_checker_refuses_assignments(kind: type[Any]) -> None:
    assert [one.name for one in fields(kind) if get_origin(one.type) is not Final] == []


def test_a_memory_with_a_vector_is_otherwise_the_same() -> None:
    vector = np.ones(3, np.float32)
    memory = Memory(
        UUID(int=1), UUID(int=2), "Text", "factual", "imported", 0.7, 0.5, "active", datetime(2026, 3, 15, tzinfo=UTC),
        {"o200k_base": 8}, tags=("tag",), contradicted_by=(UUID(int=3),),
    )  # fmt: skip

    with_vector = memory.with_vector(vector)

    assert with_vector.vector is vector
    assert replace(with_vector, vector=None) == memory
    assert memory.vector is None


def test_a_memory_with_other_use_is_otherwise_the_same() -> None:
    moment = datetime(2026, 3, 16, tzinfo=UTC)
    memory = Memory(
        UUID(int=1), UUID(int=2), "Text", "factual", "imported", 0.7, 0.5, "active", moment, {"o200k_base": 8},
        tags=("tag",), contradicted_by=(UUID(int=3),), usage_count=3,
    )  # fmt: skip

    assert memory.with_use(4, moment) == replace(memory, usage_count=4, last_accessed_at=moment)
    assert (memory.usage_count, memory.last_accessed_at) == (3, None)


def test_a_table_is_scaled_as_each_of_its_rows() -> None:
    random = np.random.default_rng(4)
    table = np.vstack(
        [random.random((6, 40)), np.zeros(40), np.full(40, 0.3), np.full(40, 0.3) + 1e-14 * np.arange(40)]
    )

    scaled = hybrid_ranking._scaled(table)

    for row, values in zip(scaled, table, strict=True):
        assert row.tolist() == hybrid_ranking.min_max(values, float(values.min()), float(values.max())).tolist()
