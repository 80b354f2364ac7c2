"""Texts made of words that times are made of, in any order."""

from hypothesis import strategies as st

_WORDS = (
    "on", "in", "at", "the", "of", "a", "an", "half", "last", "next", "this", "past", "early", "mid", "late", "end",
    "beginning", "first", "twenty", "third", "may", "march", "june", "sept", "monday", "sat", "day", "days", "week",
    "weeks", "weekend", "month", "year", "years", "night", "morning", "ago", "from", "now", "since", "until", "before",
    "after", "between", "and", "to", "-", "\N{EN DASH}", ",", ".", "'", "?", "5", "23", "23rd", "11.20", "11/23",
    "23.11.2026", "2026-11-23", "2026", "1990s", "'26", "christmas", "new", "year's", "eve", "summer", "fall", "q3",
    "quarter", "yesterday", "tomorrow", "today", "couple", "few", "several", "other", "every", "through", "99", "1234",
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "\N{LATIN SMALL LETTER LONG S}",
)  # fmt: skip
sayings = st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join)
