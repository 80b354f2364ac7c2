"""Which words of a text are times, and which are not."""

import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.times import phrases
from tests.time_sayings import sayings

NOW = datetime(2026, 11, 18, 13, 30, tzinfo=UTC)


def found(text: str) -> list[str]:
    return [text[phrase.start : phrase.end] for phrase in phrases.find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "May I ask a question?",
        "and may I ask another?",
        "This may be wrong.",
        "Who may come?",
        "a long march",
        "We decided to march on the city.",
        "The march of progress",
        "He sat down.",
        "Where he last sat is unknown.",
        "the sun is shining",
        "We wed in a church.",
        "Did I fall over?",
        "a spring in the mattress",
        "What is my last name?",
        "When was the last time?",
        "Do I like this one?",
        "the next one, please",
        "Is everything in order?",
        "a second opinion",
        "the first man",
        "These 5 may help.",
        "We use Python 3.11.2",
        "We use Python 3.11.14",
        "It runs on 3.11 as well",
        "version 2.10.2024b",
        "It costs 11.20",
        "It costs $2,023.50",
        "open 24/7",
        "1/2 cup of sugar",
        "IP 10.11.20.26",
        "call 555-11-2026",
        "Call +49 151 2026 1120",
        "room 2100",
        "20261123",
        "on the 23rd floor",
        "Every Monday I swim.",
        "Is each Friday free?",
        "Jan said hello to Mar",
        "What does April like?",
        "Does June have a dog?",
        "a present for August",
        "at the age of 30",
        "3 minutes 20 seconds",
        "in her nineties",
        "a minute of silence",
        "the days of old",
        "a daydream",
        "at 5/6 of the way",
        "in 1/2 hour",
        "the end of the world",
        "the middle of the night",
        "the beginning of a story",
        "over the last name",
        "half of it",
        "mayor Mondale",
        "What day is it?",
        "How many weeks does a year have?",
        "99/99/9999",
        "31.13.2026",
        "on 5 Apr\N{LATIN SMALL LETTER DOTLESS I}l",
        "AUGU\N{LATIN SMALL LETTER LONG S}T 5",
    ],
)
def test_other_words_are_no_times(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("1984 is a good novel", ["1984"]),
        ("On Monday, or the day before yesterday?", ["On Monday", "the day before yesterday"]),
        ("Ada's party was in May 2023, Bob's in June 2024.", ["in May 2023", "in June 2024"]),
        ("since the 23rd of May", ["the 23rd of May"]),
        ("in\nMay\u00a02023", ["in\nMay\u00a02023"]),
        ("März, in 5 Tagen, last week", ["last week"]),
    ],
)
def test_a_time_has_its_preposition_and_no_other_words(text: str, times: list[str]) -> None:
    assert found(text) == times


def test_words_around_a_time_are_known() -> None:
    since, first, second, onwards = phrases.find("since May 2020, from June to July 2021, from August 2022 on")

    assert (since.relation, first.relation, second.joint, onwards.is_onwards) == ("s", "F", "c", True)


@given(text=st.text(max_size=60) | sayings)
def test_times_are_in_order_and_do_not_overlap(text: str) -> None:
    ends = [place for phrase in phrases.find(text) for place in (phrase.start, phrase.end)]

    assert ends == sorted(ends)
    assert all(0 <= place <= len(text) for place in ends)


@given(text=sayings.filter(str.isascii))
def test_letter_case_does_not_count(text: str) -> None:
    def read(one: str) -> list[object]:
        return [(phrase.start, phrase.end, phrase.kind, _meant(phrase)) for phrase in phrases.find(one)]

    assert read(text.upper()) == read(text.title()) == read(text)


def _meant(phrase: phrases.Phrase) -> object:
    try:
        return list(phrase.meaning(NOW))
    except (ValueError, OverflowError):
        return None


def calls_for(text: str) -> int:
    """How many functions are called to read the text."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    phrases.find("")
    sys.setprofile(count)
    try:
        phrases.find(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "part",
    [
        "in ",
        "the ",
        "may ",
        "1 ",
        "1-",
        "1.",
        "early the ",
        "a year and a half ",
        "from may to ",
        "twenty ",
        "'",
        "\n",
        "m",
    ],
)
def test_twice_the_text_takes_twice_the_work(part: str) -> None:
    assert calls_for(part * 800) <= 2 * calls_for(part * 400) + 100
