"""What an assistant repeats of memories is recognised, and what it adds is not lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture.echo import is_echo

COFFEE = "The coffee machine is in the kitchen on floor 3."
LISBON = "User: I moved to Lisbon in May."


@pytest.mark.parametrize(
    "text",
    [
        COFFEE,
        "I remember: the coffee machine is in the kitchen on floor 3.",
        "Sure! The coffee machine? In the kitchen, on floor 3.",
        "So you moved to Lisbon in May, right?",
        "You moved to Lisbon in May. And the coffee machine is in the kitchen, isn't it?",
    ],
)
def test_what_repeats_memories_is_an_echo(text: str) -> None:
    assert is_echo(text, [LISBON, COFFEE])


@pytest.mark.parametrize(
    "text",
    [
        "The coffee machine is in the kitchen on floor 4.",
        "Did you move to Porto in May?",
        "You moved to Lisbon in May. Shall I book the flight for Friday?",
        "Is your sister a dentist?",
        "OK.",
        "",
    ],
)
def test_another_value_or_anything_more_is_no_echo(text: str) -> None:
    assert not is_echo(text, [LISBON, COFFEE])


def test_without_memories_nothing_is_an_echo() -> None:
    assert not is_echo(COFFEE, [])


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_is_compared(text: str, memories: list[str]) -> None:
    assert is_echo(text, memories) in {True, False}
