"""Splits texts of all scripts into words, for the lexical index and for what compares words."""

import re
from collections.abc import Iterator, Set
from itertools import pairwise

from remembrancer.domain.lexical_index.folding import CHINESE, UNSPACED, folded, unbroken
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS

ENGLISH_STOP_WORDS = STOP_WORDS[ENGLISH]
_WRITTEN = re.compile(r"[^\W_]+(?:(?:['’׳״]|(?<=[א-ת])\"(?=[א-ת]))[^\W_]+)*")
VERSION = 2
"""Raised by every change of the words of any text. A migration then has the terms of stored memories made anew (see
0028_words.sql); packed maps of other versions are not read.
"""


def words(text: str, stop_words: Set[str] = ENGLISH_STOP_WORDS) -> list[str]:
    """Folded runs of letters, marks and digits without stop words; splits at apostrophes, hyphens and underscores.

    Scripts without blanks between words (Chinese, Japanese, Thai, …) give each two neighbouring characters, with their
    marks, and each Chinese character, which may be a word by itself.
    """
    return [word for word in _split(text) if word not in stop_words]


def written(text: str, pattern: re.Pattern[str] = _WRITTEN) -> list[str]:
    """The words as they are written, with the apostrophes inside of them; or what else a pattern finds, for which marks
    are letters.
    """
    return [text[match.start() : match.end()] for match in pattern.finditer(unbroken(text))]


def language_of(text: str, languages: tuple[str, ...]) -> str:
    """The language with the most stop words in the text, the first of equals; at least one language is needed."""
    if len(languages) == 1:
        return languages[0]
    found = _split(text)
    return max(languages, key=lambda language: sum(word in STOP_WORDS[language] for word in found))


def word_count(text: str) -> int:
    """Words between blanks; two characters count as a word where there are none."""
    return len(text.split()) + (0 if text.isascii() else len(_UNSPACED.findall(text)) // 2)


def asks_for_time(query: str) -> bool:
    """Whether the query asks for a time, in English: when, how long, which day."""
    return _ASKS_FOR_TIME.search(query.lower()) is not None


_ASKS_FOR_TIME = re.compile(r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:\w+ )?(?:year|month|day|date|time)\b")

TIME_WORDS = (
    "yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "since", "recently", "week", "weekend", "month",
    "year", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
    "march", "april", "june", "july", "august", "september", "october", "november", "december", "spring", "summer",
    "winter", "morning", "night",
)  # fmt: skip
"""English words that tell when an event happened."""

_WORD = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")
"""In folded texts; there only ASCII characters separate words."""
_UNSPACED = re.compile(f"[{UNSPACED}{CHINESE}]")
_RUN = re.compile(f"([{UNSPACED}{CHINESE}]+)|[^{UNSPACED}{CHINESE}]+")
_CHINESE_CHARACTER = re.compile(f"[{CHINESE}]")
_STACKING = "\u1039\u17d2\u1a60\u1b44\ua9c0"
"""Signs of Burmese, Khmer, Lanna, Balinese and Javanese that put the next consonant below the one before."""
_CLUSTER = re.compile(rf"\w(?:[^\w\s]|(?<=[{_STACKING}])\w)*|[^\w\s]+")
"""A letter with its marks: in a word of a folded text, all other characters are letters and digits."""


def _split(text: str) -> list[str]:
    plain = folded(text)
    found = _WORD.findall(plain)
    if text.isascii() or not _UNSPACED.search(plain):
        return found
    return [word for mixed in found for word in _divided(mixed)]


def _divided(mixed: str) -> Iterator[str]:
    """Words; where there are no blanks, pairs of clusters and Chinese characters; a cluster alone stays."""
    for run in _RUN.finditer(mixed):
        clusters = _CLUSTER.findall(run[1]) if run[1] else []
        if len(clusters) < 2:
            yield run[0]
        else:
            yield from map("".join, pairwise(clusters))
            yield from _CHINESE_CHARACTER.findall(run[1])
