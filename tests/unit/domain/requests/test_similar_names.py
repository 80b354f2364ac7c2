"""The known name that a caller probably meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.requests.similar_names import SimilarNames

NAMES = SimilarNames.of(("k", "query", "categories", "max_memories", "memory_tokens", "session_id", "user_id"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Query", "query"),
        ("MaxMemories", "max_memories"),
        ("max-memories", "max_memories"),
        ("qeury", "query"),
        ("qury", "query"),
        ("queery", "query"),
        ("quary", "query"),
        ("category", "categories"),
        ("max_memory", "max_memories"),
        ("K", "k"),
        ("kk", None),
        ("", None),
        ("colour", None),
        ("user_name", None),
        ("id", None),
    ],
)
def test_the_nearest_name_differs_in_little(written: str, meant: str | None) -> None:
    assert NAMES.nearest(written) == meant


def test_without_names_nothing_is_near() -> None:
    assert SimilarNames.of(()).nearest("query") is None


@given(st.lists(st.text(min_size=1), max_size=8), st.text())
def test_a_suggestion_is_one_of_the_names(names: list[str], written: str) -> None:
    assert SimilarNames.of(names).nearest(written) in {None, *names}


@given(st.text(alphabet="abcdef", min_size=4, max_size=20), st.integers(0, 3), st.data())
def test_one_slip_is_found(name: str, kind: int, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 2))
    slips = (
        name[:at] + name[at + 1 :],
        name[:at] + "x" + name[at:],
        name[:at] + "x" + name[at + 1 :],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
    )

    assert SimilarNames.of([name]).nearest(slips[kind]) == name
