"""The part of a memory that a newer one may contradict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context.doubted_part import MOST_BYTES, doubted_part

texts = st.text(max_size=60) | st.lists(
    st.sampled_from(["rear", "wheel", "is", "26", "28", ",", ".", "and", "gravel", "User:", "(about:", ")"]),
    max_size=20,
).map(" ".join)


@pytest.mark.parametrize(
    ("older", "newer", "part"),
    [
        (
            "User: I ride on gravel, and my rear wheel is 26 inches.",
            "User: My rear wheel is 28.",
            "my rear wheel is 26 inches",
        ),
        ("User: Mats is 3 and Ida is 5, so be careful.", "User: Ida had her birthday, she's six!", "Ida is 5"),
        ("User: backend is on port 8080. reviews by Samir", "User: Samir left. reviews: me", "reviews by Samir"),
        ("User: My rear wheel is 26 inches.", "User: My rear wheel is 28 inches.", ""),
        ("User: I like tea, and the cat likes the sofa.", "User: The train leaves at 9.", ""),
        ("User: rent split evenly, 420 each", "User: not evenly any more, I pay 450", ""),
        (
            "User: Anil brings wraps, salad and bread. He is 40.",
            "User: Anil brings curry",
            "Anil brings wraps",
        ),
        ("User: my name is Eva,\nmy wheel is\n26 inches", "User: My wheel is 28 inches.", "my wheel is 26 inches"),
        (f"User: {'I ride on gravel, ' * 200}my wheel is 26 inches", "User: My wheel is 28 inches.", ""),
    ],
)
def test_a_clause_that_the_newer_one_is_about_is_the_doubted_part(older: str, newer: str, part: str) -> None:
    assert doubted_part(older, newer) == part


@given(texts, texts)
def test_the_part_stands_in_the_memory_and_is_short(older: str, newer: str) -> None:
    part = doubted_part(older, newer)

    assert part in " ".join(older.split())
    assert not part or part != older
    assert len(part.encode()) <= MOST_BYTES
