"""The part of a memory that a newer one may contradict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context.doubted_part import IN_PART, MOST_BYTES, doubted

texts = st.text(max_size=60) | st.lists(
    st.sampled_from(["rear", "wheel", "is", "26", "28", ",", ".", "and", "gravel", "User:", "(about:", ")", '"']),
    max_size=20,
).map(" ".join)


@pytest.mark.parametrize(
    ("older", "newer", "part"),
    [
        (
            "User: I ride on gravel, and my rear wheel is 26 inches.",
            "User: My rear wheel is 28.",
            ": my rear wheel is 26 inches",
        ),
        ("User: Mats is 3 and Ida is 5, so be careful.", "User: Ida had her birthday, she's six!", ": Ida is 5"),
        ("User: backend is on port 8080. reviews by Samir", "User: Samir left. reviews: me", ": reviews by Samir"),
        ("User: My rear wheel is 26 inches.", "User: My rear wheel is 28 inches.", ""),
        ("User: Well, my rear wheel is 26 inches.", "User: My rear wheel is 28 inches.", ""),
        ("User: I like tea, and the cat likes the sofa.", "User: The train leaves at 9.", IN_PART),
        (
            "User: rent split evenly, 420 each. I am Noor.",
            "User: the rent not evenly, I pay 450",
            ": rent split evenly, 420 each",
        ),
        (
            "User: Anil brings wraps, salad and bread. He is 40.",
            "User: Anil brings curry",
            ": Anil brings wraps, salad",
        ),
        ("User: I am Eva,\nmy wheel is\n26 inches", "User: My wheel is 28 inches.", ": my wheel is 26 inches"),
        (f"User: {'I ride on gravel, ' * 200}my wheel is 26 inches", "User: My wheel is 28 inches.", IN_PART),
        ("User: I like tea. Bed 12 (Mr Ferris) sleeps.", "User: Bed 12 is free", ": Bed 12 (Mr Ferris) sleeps"),
    ],
)
def test_what_the_newer_one_is_about_is_named_and_nothing_else_doubted(older: str, newer: str, part: str) -> None:
    assert doubted(older, [newer]) == part


def test_without_the_newer_one_it_is_only_told_whether_the_memory_says_several_things() -> None:
    assert doubted("User: My rear wheel is 26 inches.", []) == ""
    assert doubted("User: I like tea, and the cat likes the sofa.", []) == IN_PART


@given(texts, st.lists(texts, max_size=3))
def test_the_parts_stand_in_the_memory_and_are_short(older: str, newer: list[str]) -> None:
    found = doubted(older, newer)

    assert found in ("", IN_PART) or found.startswith(": ")
    if found.startswith(": "):
        assert all(part in " ".join(older.split()) for part in found[2:].split("; "))
        assert len(found[2:].encode()) <= MOST_BYTES
        assert found.count('"') % 2 == 0
        assert found.count("(") == found.count(")")
