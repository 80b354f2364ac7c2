"""The hot set's score against the formula of the specification."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval.hot_score import CAPACITY, hot_score
from tests.builders import NOW, ago


@pytest.mark.parametrize(
    ("confidence", "age_hours", "retrievals", "expected"),
    [
        (1.0, 0, 10, 1.0),
        (0.0, 0, 0, 0.35),
        (0.8, 24, 5, 0.40 * 0.8 + 0.35 / 2 + 0.25 * 0.5),
        (0.5, 72, 3, 0.40 * 0.5 + 0.35 / 4 + 0.25 * 0.3),
        (0.5, 72, 4000, 0.40 * 0.5 + 0.35 / 4 + 0.25),
    ],
)
def test_the_score_is_the_formula(confidence: float, age_hours: float, retrievals: int, expected: float) -> None:
    score = hot_score(confidence=confidence, created_at=ago(hours=age_hours), retrieval_count=retrievals, now=NOW)

    assert score == pytest.approx(expected, abs=1e-12)


def test_a_memory_from_the_future_is_as_fresh_as_one_of_now() -> None:
    of_now, of_tomorrow = (
        hot_score(confidence=0.5, created_at=moment, retrieval_count=0, now=NOW)
        for moment in (NOW, NOW + timedelta(days=1))
    )

    assert of_tomorrow == of_now


@given(
    confidence=st.floats(0, 1),
    age_hours=st.floats(-1000, 200_000),
    retrievals=st.integers(0, 10**9),
)
def test_the_score_lies_between_nothing_and_one(confidence: float, age_hours: float, retrievals: int) -> None:
    score = hot_score(confidence=confidence, created_at=ago(hours=age_hours), retrieval_count=retrievals, now=NOW)

    assert 0.0 < score <= 1.0


def test_the_hot_set_holds_fifty() -> None:
    assert CAPACITY == 50
