"""How much of a listing one answer takes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.runtime.http.pages import fitting, sent_bytes


@given(st.text())
def test_a_part_of_a_body_counts_as_it_is_sent(text: str) -> None:
    around = json.dumps("", ensure_ascii=False)

    assert sent_bytes(text) == len(json.dumps(text, ensure_ascii=False).encode()) - len(around)


@pytest.mark.parametrize(("most", "taken"), [(0, 1), (1, 1), (45, 1), (46, 2), (69, 3), (10_000, 5)])
def test_entries_are_taken_while_there_is_room_and_the_first_one_always(most: int, taken: int) -> None:
    # {\"name\":\"0123456\"} and a comma: 23 bytes within a string.
    entries: list[dict[str, Any]] = [{"name": f"01234{number:02}"} for number in range(5)]

    assert fitting(entries, most=most) == entries[:taken]


def test_of_nothing_nothing_is_taken() -> None:
    assert fitting([], most=100) == []


def test_nothing_is_made_behind_what_does_not_fit() -> None:
    made = []

    def make(number: int) -> dict[str, int]:
        made.append(number)
        return {"number": number}

    fitting(map(make, range(100)), most=30)

    assert made == [0, 1, 2]
