"""Evidence in one relevance."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import fusion
from remembrancer.domain.ranking.fusion import Sessions, Signals
from tests.builders import NOW, ago, memory

SHARES = st.lists(st.tuples(*[st.floats(0, 1)] * 4), max_size=20)


def signals(rows: Sequence[Sequence[float]]) -> Signals:
    """A row is dense, lexical, subject, period."""
    columns = np.array(rows, dtype=np.float64).reshape(-1, 4).T
    return Signals(*columns)


def sessions(memories: Sequence[Memory]) -> Sessions:
    return Sessions.of(MemoryColumns.of(memories).session)


def relevance(*rows: Sequence[float]) -> list[float]:
    """Of memories without sessions."""
    found: list[float] = fusion.fuse(
        signals(rows), sessions([memory(number) for number, _ in enumerate(rows, 1)])
    ).tolist()
    return found


@pytest.mark.parametrize("signal", range(4))
@given(row=st.tuples(*[st.floats(0, 0.5)] * 4))
def test_more_of_any_evidence_is_more_relevance(signal: int, row: tuple[float, ...]) -> None:
    more = [value + 0.1 * (place == signal) for place, value in enumerate(row)]

    assert relevance(more)[0] > relevance(row)[0]


@given(rows=SHARES)
def test_relevance_is_a_share_and_the_same_in_any_company(rows: list[tuple[float, ...]]) -> None:
    together = relevance(*rows)

    assert together == pytest.approx([relevance(row)[0] for row in rows])
    assert all(0 <= value <= 1 for value in together)


def test_full_evidence_is_full_relevance_without_a_name_or_a_time_and_none_is_none() -> None:
    assert relevance([1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]) == pytest.approx([1.0, 1.0, 0.0])
    assert relevance() == []


@given(cosine=st.floats(0, 1))
def test_where_words_found_nothing_relevance_is_the_cosine_and_the_other_way_round(cosine: float) -> None:
    nothing = np.zeros(1)
    found = np.array([cosine])

    for signals in (Signals(found, None, nothing, nothing), Signals(None, found, nothing, nothing)):
        assert fusion.fuse(signals, sessions([memory(1)])).tolist() == pytest.approx([cosine])


def test_a_conversation_answers_together() -> None:
    talked = [memory(number, session_id=session) for number, session in enumerate(("a", "a", "b", None), start=1)]

    fused = fusion.fuse(signals([[0.9, 0.9, 0, 0], [0.2, 0, 0, 0], [0.2, 0, 0, 0], [0.2, 0, 0, 0]]), sessions(talked))

    assert fused[0] > fused[1] > fused[2]
    assert fused[2] == fused[3]


def test_sessions_of_two_agents_with_one_name_are_two() -> None:
    first, second = memory(1, session_id="a"), memory(2, session_id="a", agent_id=memory(9).id)

    assert sessions([first, second]).best(np.array([0.9, 0.1])).tolist() == [0.9, 0.1]


def test_a_memory_is_near_to_the_times_that_a_query_speaks_of() -> None:
    memories = MemoryColumns.of([memory(1, created_at=ago(days=1)), memory(2, created_at=ago(days=300))])

    assert fusion.period_closeness(memories, "What happened yesterday?", NOW).argmax() == 0
    assert fusion.period_closeness(memories, "What happened?", NOW).tolist() == [0.0, 0.0]
