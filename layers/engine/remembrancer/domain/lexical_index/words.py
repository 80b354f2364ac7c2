"""Splits texts into words for the lexical index."""

import re
import unicodedata
from collections.abc import Iterator, Set
from itertools import pairwise

from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS

ENGLISH_STOP_WORDS = STOP_WORDS[ENGLISH]


def words(text: str, stop_words: Set[str] = ENGLISH_STOP_WORDS) -> list[str]:
    """Lower-case runs of letters and digits without stop words; splits at apostrophes, removes accents.

    Scripts without blanks between words (Chinese, Japanese, Thai, …) give each two neighbouring characters, and each
    Chinese character, which may be a word by itself.
    """
    return [word for word in _split(text) if word not in stop_words]


def folded(text: str) -> str:
    """Lower case without accents, as words are indexed."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).lower()
    for mark in filter(unicodedata.combining, set(plain)):
        plain = plain.replace(mark, "")
    return plain


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

_WORD = re.compile(r"[^\W_]+")
_UNSPACED_CHARACTERS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai, with vowel signs
    "\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"  # Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"  # Japanese
)
_CHINESE = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED = re.compile(f"[{_UNSPACED_CHARACTERS}{_CHINESE}]")
_RUN = re.compile(rf"((?:{_UNSPACED.pattern})+)|(?:(?!{_UNSPACED.pattern})[^\W_])+")
_CHINESE_CHARACTER = re.compile(f"[{_CHINESE}]")


def _split(text: str) -> list[str]:
    plain = folded(text)
    return list(_mixed(plain)) if not text.isascii() and _UNSPACED.search(plain) else _WORD.findall(plain)


def _mixed(text: str) -> Iterator[str]:
    """Words; where there are no blanks, pairs of characters and Chinese characters; a character alone stays."""
    for run in _RUN.finditer(text):
        characters = run[1]
        if characters is None or len(characters) == 1:
            yield run[0]
        else:
            yield from map("".join, pairwise(characters))
            yield from _CHINESE_CHARACTER.findall(characters)
