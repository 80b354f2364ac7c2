"""Splits texts of all scripts into words, for the lexical index and for what compares words."""

import re
from collections.abc import Iterator, Set
from itertools import pairwise

from remembrancer.domain.lexical_index.folding import CHINESE, UNSPACED, folded, unbroken
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS

ENGLISH_STOP_WORDS = STOP_WORDS[ENGLISH]
WRITTEN = re.compile(r"[^\W_]+(?:(?:['’׳״]|(?<=[א-ת])\"(?=[א-ת]))[^\W_]+)*")
VERSION = 3
"""Raised by every change of the words or the subject of any text. A migration, as the one called `words`, then has the
terms of stored memories made anew; packed maps of other versions are not read.
"""


def words(text: str, stop_words: Set[str] = ENGLISH_STOP_WORDS) -> list[str]:
    """Folded runs of letters, marks and digits without stop words; splits at apostrophes, hyphens and underscores.

    Scripts without blanks between words (Chinese, Japanese, Thai, …) give each two neighbouring characters, with their
    marks, and each Chinese character, which may be a word by itself.
    """
    return [word for word in _split(text) if word not in stop_words]


def written(text: str, pattern: re.Pattern[str] = WRITTEN) -> list[str]:
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


def is_unspaced(text: str) -> bool:
    """Whether it has letters of a script without blanks between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


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

_SEPARATORS = r"\x00-/:-@\[-`{-\x7f"
"""In folded texts only these ASCII characters separate words."""
_WORD = re.compile(f"[^{_SEPARATORS}]+")
_UNSPACED = re.compile(f"[{CHINESE}{UNSPACED}]")
_RUN = re.compile(f"([{CHINESE}{UNSPACED}]+)|[^{_SEPARATORS}{CHINESE}{UNSPACED}]+")
_CHINESE_CHARACTER = re.compile(f"[^{UNSPACED}]")
"""In a run: a set without characters beyond U+FFFF is made in a tenth of the time."""
_STACKING = "\u1039\u17d2\u1a60\u1b44\ua9c0"
"""Signs of Burmese, Khmer, Lanna, Balinese and Javanese that put the next consonant below the one before."""
_CLUSTER = re.compile(rf"\w\W*(?:(?<=[{_STACKING}])\w\W*)*|\W+")
"""A letter with its marks: in a word of a folded text, all other characters are letters and digits."""


def _split(text: str) -> list[str]:
    plain = folded(text)
    return list(_mixed(plain)) if not text.isascii() and _UNSPACED.search(plain) else _WORD.findall(plain)


def _mixed(plain: str) -> Iterator[str]:
    """Words; where there are no blanks, pairs of clusters and Chinese characters; a cluster alone stays."""
    for run in _RUN.finditer(plain):
        characters = run[1] or ""
        clusters = characters if characters.isalnum() else _CLUSTER.findall(characters)
        if len(clusters) < 2:
            yield run[0]
        else:
            yield from map("".join, pairwise(clusters))
            yield from _CHINESE_CHARACTER.findall(characters)
