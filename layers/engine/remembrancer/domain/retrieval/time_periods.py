"""The times that a query mentions, and how near to them a memory was created."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

AFTERWARDS_HALF_LIFE_DAYS = 7.0
"""Half-life: events are mentioned soon after they happen; a memory made this long after a period counts half."""
_SOME_YEARS = 3
"""Years to consider for a month without a year: this year and so many before it."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period that includes `start` and ends before `end`."""

    start: datetime
    end: datetime

    def meets(self, since: datetime | None, until: datetime | None) -> bool:
        """Whether something that lasted from `since` to `until` was in the period; None is open."""
        return (until is None or until >= self.start) and (since is None or since < self.end)


@lru_cache(maxsize=4)
def periods(query: str, now: datetime) -> tuple[Period, ...]:
    """Days, months and years by name or number, and `yesterday`, `last week`, `3 months ago`; in English.

    Kept for the ranking, which asks again for the same question and moment: 2,000 characters take 0.6 ms.
    """
    if not _mentions_a_time(query):
        return ()
    found: list[Period] = []
    covered: list[tuple[int, int]] = []
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(query):
            if not _overlaps(match.span(), covered):
                dated = _dated(match, now)
                found += dated
                covered += [match.span()] if dated else []
    for match in _ISO.finditer(query):
        found += _days(int(match[1]), int(match[2]), int(match[3]))
        covered.append(match.span())
    found += [_whole_year(int(match[0])) for match in _YEAR.finditer(query) if not _overlaps(match.span(), covered)]
    return (*found, *_relative(query.lower(), now))


def closeness(moments: NDArray[np.float64], spoken_of: Sequence[Period]) -> NDArray[np.float64]:
    """(n,) in [0, 1], of moments in seconds since 1970: 1 within a period, decreasing after it, 0 before it; the
    maximum over the periods, 0 without any.
    """
    best = np.zeros(len(moments))
    for period in spoken_of:
        after_days = np.maximum(moments - period.end.timestamp(), 0.0) / 86_400
        near = np.exp2(-after_days / AFTERWARDS_HALF_LIFE_DAYS)
        best = np.maximum(best, np.where(moments >= period.start.timestamp(), near, 0.0))
    return best


def _mentions_a_time(query: str) -> bool:
    """False for most queries: whether it may pay to look for each form."""
    return _MENTION.search(query.casefold()) is not None


def _dated(match: re.Match[str], now: datetime) -> list[Period]:
    month = MONTHS.index(match["month"].lower()) + 1
    day = int(match["day"]) if match["day"] else None
    # Month names that are also other words: without day and year, accept them only capitalized and not at the start.
    is_word = match["month"].lower() in _WORDS_TOO and not (match["month"][0].isupper() and match.start())
    if is_word and day is None and match["year"] is None:
        return []
    years = [int(match["year"])] if match["year"] else range(now.year, now.year - _SOME_YEARS - 1, -1)
    return [period for year in years for period in _days(year, month, day)]


def _days(year: int, month: int, day: int | None) -> list[Period]:
    """The day, or the month without a day; empty for an invalid date."""
    if day is None:
        following = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        return [Period(datetime(year, month, 1, tzinfo=UTC), following)]
    try:
        start = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return []
    return [Period(start, start + timedelta(days=1))]


def _whole_year(year: int) -> Period:
    return Period(datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC))


def _relative(query: str, now: datetime) -> list[Period]:
    """Whole days in UTC, from the first of `spans` before today to the second; −1 is the end of today."""
    spans = [(0, -1)] if _TODAY.search(query) else []
    spans += [(1, 0)] if _YESTERDAY.search(query) else []
    for match in _THIS.finditer(query):
        length = _DAYS_IN[match[2]]
        spans.append((2 * length, 0) if match[1] == "last" else (length, -1))
    for match in _AGO.finditer(query):
        length = _DAYS_IN[match[2]]
        back = min(_NUMBERS.get(match[1]) or int(match[1]), _MOST_AGO) * length
        spans.append((back + length // 2, max(back - length // 2, 0) - (length == 1)))
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return [Period(today - timedelta(days=first), today - timedelta(days=last)) for first, last in spans]


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_WORDS_TOO = frozenset({"march", "may"})
_DAYS_IN = {"day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_MOST_AGO = 100

_MENTION = re.compile(rf"\d|today|yesterday|last|this|ago|{'|'.join(MONTHS)}")
"""In every case-folded text that mentions a time."""
# `Aprıl` is no month: the table lacks letters that Unicode's rules for capitals take for the same.
_MONTH = rf"(?P<month>(?a:{'|'.join(MONTHS)}))"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_OF_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
_DAY_FIRST = re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\b{_OF_YEAR}", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\b(?:\s+{_DAY}\b)?{_OF_YEAR}", re.IGNORECASE)
_ISO = re.compile(r"\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TODAY = re.compile(r"\btoday\b")
_YESTERDAY = re.compile(r"\byesterday\b")
_THIS = re.compile(r"\b(last|this) (week|month|year)\b")
_AGO = re.compile(rf"\b(\d{{1,4}}|{'|'.join(_NUMBERS)}) (day|week|month|year)s? ago\b")
