"""Counts of tokenizers that are not public."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context.token_counts import estimate, in_family


@pytest.mark.parametrize(
    ("base", "family", "expected"),
    [(0, "claude", 0), (1, "claude", 2), (10, "claude", 13), (100, "claude_4_7", 165), (10, "a family of mars", 13)],
)
def test_an_estimate_is_rounded_up(base: int, family: str, expected: int) -> None:
    assert estimate(base, family) == expected


@given(base=st.integers(0, 10**7), family=st.sampled_from(["claude", "claude_4_7", "other", "nobody's"]))
def test_an_estimate_is_never_below_the_count_that_it_is_made_of(base: int, family: str) -> None:
    assert estimate(base, family) >= base


def test_a_stored_count_is_taken_as_it_is() -> None:
    assert in_family({"o200k_base": 17, "cl100k_base": 19}, "o200k_base") == 17


def test_a_family_without_a_stored_count_is_estimated_from_the_base() -> None:
    assert in_family({"o200k_base": 17, "cl100k_base": 20}, "claude") == 26


def test_a_memory_costs_at_least_one_token() -> None:
    assert in_family({"o200k_base": 0}, "o200k_base") == 1
