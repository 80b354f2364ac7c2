"""Two texts of which one is left out say the same; in doubt both stay."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.duplicates import say_the_same

DISTINCT = [
    ["Ada takes 25 mg of metoprolol.", "Ada takes 50 mg of metoprolol.", "Ada takes 2.5 mg of metoprolol."],
    ["The door code is 4417.", "The door code is 4471.", "The door code is 04417."],
    ["My blood pressure was 120 over 80.", "My blood pressure was 80 over 120."],
    ["Anna is allergic to nuts.", "Hanna is allergic to nuts.", "Anna is allergic to eggs."],
    ["Tom eats fish.", "Tom does not eat fish.", "Tom never eats fish.", "Tom no longer eats fish."],
    ["The alarm is switched on.", "The alarm is switched off."],
    ["My left knee hurts.", "My right knee hurts."],
    ["The dentist is on 12 May.", "The dentist is on 21 May.", "The dentist is on 12 June."],
    ["The bins go out on Monday.", "The bins go out on Tuesday.", "The bins go out before Monday."],
    ["We ordered five chairs.", "We ordered six chairs.", "We ordered fifteen chairs."],
    ["The service runs on Python 3.11.", "The service runs on Python 3.12."],
    ["The ferry leaves at 9:00.", "The ferry leaves at 21:00.", "The ferry leaves at 9:30."],
    ["Ben lent money to Carl.", "Carl lent money to Ben."],
    ["Jonas isst Fleisch.", "Jonas isst kein Fleisch."],
    ["她吃肉。", "她不吃肉。"],
    ["It is 5 degrees.", "It is -5 degrees.", "It is 5% degrees."],
    ["She is coming.", "Is she coming?"],
    ["The plan costs $5.", "The plan costs €5."],
    ["I take vitamin A.", "I take vitamin B.", "I take vitamin."],
    ["The box is in the car.", "The box is on the car."],
]
SAME = [
    ("Ada drinks tea in the morning.", "Ada drinks tea in the morning!"),
    ("We ordered five chairs.", "We ordered 5 chairs"),
    ("I don't eat meat.", "I do not eat meat."),
    ("The plan costs 1,200 euros.", "The plan costs 1200 euros."),
    ("Ada takes 25mg of metoprolol.", "Ada takes 25 mg of metoprolol."),
    ("It's the red key.", "It is the red key."),
]


@pytest.mark.parametrize(("one", "other"), [pair for texts in DISTINCT for pair in permutations(texts, 2)])
def test_texts_that_differ_in_what_they_say_both_stay(one: str, other: str) -> None:
    assert not say_the_same(one, other)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_differ_in_how_they_are_written_say_the_same(one: str, other: str) -> None:
    assert say_the_same(one, other)
    assert say_the_same(other, one)


@given(
    before=st.text(st.characters(codec="utf-8"), max_size=40),
    after=st.text(st.characters(codec="utf-8"), max_size=40),
    numbers=st.lists(st.integers(0, 10**9), min_size=2, max_size=2, unique=True),
)
def test_texts_with_different_numbers_never_say_the_same(before: str, after: str, numbers: list[int]) -> None:
    one, other = (f"{before} {number} {after}" for number in numbers)

    assert not say_the_same(one, other)


@given(text=st.text(st.characters(codec="utf-8"), max_size=80))
def test_a_text_says_what_it_says(text: str) -> None:
    assert say_the_same(text, text)
