"""Splits English text into words for the lexical index."""

import re
import unicodedata


def words(text: str) -> list[str]:
    """Lower-case runs of letters and digits without English stop words; splits at apostrophes, removes accents."""
    folded = unicodedata.normalize("NFKD", text).lower()
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return [word for word in _WORD.findall(plain) if word not in STOP_WORDS]


def asks_for_time(query: str) -> bool:
    """Whether the query asks for a time: when, how long, which day."""
    return _ASKS_FOR_TIME.search(query.lower()) is not None


_ASKS_FOR_TIME = re.compile(r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:\w+ )?(?:year|month|day|date|time)\b")

TIME_WORDS = (
    "yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "since", "recently", "week", "weekend", "month",
    "year", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
    "march", "april", "june", "july", "august", "september", "october", "november", "december", "spring", "summer",
    "winter", "morning", "night",
)  # fmt: skip
"""Words that tell when an event happened."""

_WORD = re.compile(r"[^\W_]+")

STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "after",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "because",
        "been",
        "before",
        "being",
        "but",
        "by",
        "can",
        "could",
        "d",
        "did",
        "do",
        "does",
        "doing",
        "don",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "ll",
        "m",
        "me",
        "my",
        "no",
        "nor",
        "not",
        "now",
        "of",
        "on",
        "or",
        "our",
        "out",
        "own",
        "re",
        "s",
        "she",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "to",
        "too",
        "up",
        "us",
        "ve",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
