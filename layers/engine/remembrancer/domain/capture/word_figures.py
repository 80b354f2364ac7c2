"""Words of a sentence as figures of a fitted function: numbers, times, days and names are classes, words are words."""

import itertools
import re
from collections.abc import Iterator, Sequence

from remembrancer.domain.times.vocabulary import MONTHS, WEEKDAYS

NAME = "@"
NUMBER = "#"
PRICE = "<price>"
TIME = "<time>"
DAY = "<day>"
MONTH = "<month>"
FIGURES = frozenset((NUMBER, PRICE, TIME, DAY, MONTH))
"""Classes of what can be written down in a calendar or on a bill."""


def tokens(sentence: str) -> list[str]:
    """Words in small letters, marks and classes, in order. With a capital letter a word is a name, not the first."""
    found: list[str] = []
    for match in _TOKEN.finditer(sentence.replace("’", "'")):
        found.append(_class_of(match[0], is_first=not found))
    return found


def pairs(words: Sequence[str], *, of: str) -> Iterator[str]:
    """The words, and those that stand side by side; `of` stands before each."""
    run = ["^", *words, "$"]
    yield from (f"{of} {word}" for word in words)
    yield from (f"{of} {first} {second}" for first, second in itertools.pairwise(run))


def days(sentence: str) -> set[str]:
    """The beginnings of its days of the week, in English: the same for `Mon` and `Mondays`."""
    return {word.lower()[:3] for word in _WORD.findall(sentence) if word.lower() in _DAYS}


def stems(words: Sequence[str]) -> list[str]:
    """The beginnings of the words with three letters or more, without classes and marks."""
    return [word[:5] for word in words if len(word) > 2 and word[0].isalpha()]


def _class_of(token: str, *, is_first: bool) -> str:
    word = token.lower()
    if token[0] in "€$£¥" and len(token) > 1:
        return PRICE
    if _CLOCK.fullmatch(word):
        return TIME
    if token[0].isdigit():
        return NUMBER
    if word in _DAYS:
        return DAY
    if word in _MONTHS and (token[0].isupper() or word not in ("may", "march")):
        return MONTH
    return NAME if token[0].isupper() and not is_first and word not in _SPEAKER else word


_TOKEN = re.compile(
    r"[€$£¥]\s?\d[\d.,]*|\d{1,2}[:.]\d\d\b|\d[\d.,]*(?:st|nd|rd|th|am|pm)?|[^\W\d_]+(?:'[^\W\d_]+)*|[?!:,%€$£–—]|"
    r"(?<=\s)-(?=\s)"
)
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d|[\d.,]+(?:am|pm)")
_WORD = re.compile(r"\w+")
_SPEAKER = frozenset(("i", "i'll", "i've", "i'm", "i'd"))
_SHORT_DAYS = ("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun")
_DAYS = frozenset((*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *_SHORT_DAYS))
_MONTHS = frozenset((*MONTHS, *(month[:3] for month in MONTHS), "sept"))
