"""When something happened, as a model says it, held against what the turn says and when it was said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from remembrancer.domain.retrieval import time_periods

_DAY = timedelta(days=1)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = "|".join(_WEEKDAYS)
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_COUNT = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few)"
EXPRESSION = re.compile(
    rf"\b(?:(?:on|in|at|during)\s+)?(?:the\s+)?(?:"
    rf"(?:yesterday|today|tomorrow|this)\s+(?:morning|afternoon|evening|night)\b|"
    rf"yesterday|today|tonight|tomorrow|last\s+night|the\s+other\s+day|"
    rf"(?:last|next|this|past)\s+(?:week(?:end)?|month|year|spring|summer|autumn|fall|winter|{_WEEKDAY}|{_MONTH})|"
    rf"{_COUNT}\s+(?:day|week|month|year)s?\s+ago|"
    rf"(?:19|20)\d\d-\d\d-\d\d|"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})(?:,?\s+(?:19|20)\d\d)?|"
    rf"(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?|"
    rf"(?:{_MONTH})(?:,?\s+(?:of\s+)?(?:19|20)\d\d)|"
    rf"(?:{_WEEKDAY})(?:\s+(?:morning|afternoon|evening|night))?"
    rf")\b(?!')|\bin\s+(?:(?:19|20)\d\d|{_MONTH})\b(?!')",
    re.IGNORECASE,
)
"""A point of time, with the preposition before it."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_YEAR_LONG = timedelta(days=366)
_YEARS = range(1900, 2201)
"""Other years are not understood: near the ends of Python's calendar, adding days fails."""
_DATED = re.compile(rf"\b(?:(?:19|20)\d\d|{_MONTH})\b", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Occurred:
    """From the first day to the last, both included; None where it is open."""

    first: date | None
    last: date | None


def parse(text: str) -> Occurred | None:
    """`2023`, `2023-05`, `2023-05-18`, or two of these with a slash, of which one may be `..`; None for others."""
    ends = text.strip().split("/")
    if len(ends) > 2:
        return None
    spans = [None if end == ".." and len(ends) == 2 else _span(end) for end in ends]
    if any(span is None and end != ".." for span, end in zip(spans, ends, strict=True)) or not any(spans):
        return None
    first, last = spans[0], spans[-1]
    found = Occurred(first[0] if first else None, last[1] if last else None)
    if found.first and found.last and found.first > found.last:
        return None
    return found


def is_day(occurred: Occurred, observed_at: datetime) -> bool:
    """Whether it is the day on which it was said, give or take one for time zones."""
    if observed_at.year not in _YEARS:
        return False
    today = observed_at.astimezone(UTC).date()
    ends = [end for end in (occurred.first, occurred.last) if end is not None]
    return all(abs(end - today) <= _DAY for end in ends)


def is_supported(occurred: Occurred, said: Sequence[str], observed_at: datetime) -> bool:
    """Whether each end lies in a period that one of the expressions means, give or take a day for time zones.

    Without any expression, nothing is supported.
    """
    spans = [span for expression in said for span in meant(expression, observed_at)]
    ends = [end for end in (occurred.first, occurred.last) if end is not None]
    if occurred.first and occurred.last:
        return any(first - _DAY <= occurred.first and occurred.last <= last + _DAY for first, last in spans)
    return all(any(first - _DAY <= end <= last + _DAY for first, last in spans) for end in ends)


def expressions(text: str) -> list[str]:
    """The expressions in a text; without any, the text itself where it has a year or a date."""
    found = [match[0] for match in EXPRESSION.finditer(text)]
    return found or ([text] if _DATED.search(text) else [])


def is_same(one: str, other: str, observed_at: datetime) -> bool:
    """Whether both have the same words, or `one` means the period of `other` or a longer one around it."""
    if _words(one) == _words(other):
        return True
    wide, narrow = meant(one, observed_at), meant(other, observed_at)
    return len(narrow) == 1 and any(first <= narrow[0][0] and narrow[0][1] <= last for first, last in wide)


def _words(expression: str) -> list[str]:
    words = expression.lower().split()
    return words[words[0] in {"on", "in", "at", "during"} :]


def meant(expression: str, observed_at: datetime) -> list[tuple[date, date]]:
    """The first and last days of what an expression may mean; empty when it is not understood."""
    if observed_at.year not in _YEARS:
        return []
    said = " ".join(expression.lower().split())
    now = observed_at.astimezone(UTC)
    for read in (_weekdays, _near_days, _around, _ago):
        if spans := read(said, now.date()):
            return spans
    return _dated(expression, now)


def _weekdays(said: str, today: date) -> list[tuple[date, date]]:
    """The last one and the next one; `next Friday` may also be the one after."""
    weekday = next((number for number, name in enumerate(_WEEKDAYS) if name in said), None)
    if weekday is None:
        return []
    before = today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    after = today + timedelta(days=(weekday - today.weekday()) % 7 or 7)
    if "next" in said:
        days = [after, after + 7 * _DAY]
    elif "last" in said or "past" in said:
        days = [before]
    else:
        days = [before, after, *([today] if today.weekday() == weekday else [])]
    return [(day, day) for day in days]


def _near_days(said: str, today: date) -> list[tuple[date, date]]:
    if "tomorrow" in said:
        return [(today + _DAY, today + _DAY)]
    if "yesterday" in said or said.endswith("last night"):
        return [(today - _DAY, today - _DAY)]
    if re.search(r"\b(?:today|tonight|this (?:morning|afternoon|evening|night))\b", said):
        return [(today, today)]
    return []


def _dated(expression: str, now: datetime) -> list[tuple[date, date]]:
    """A day or month without a year is one less than a year away, before or after."""
    coming = now.replace(year=now.year + 1, day=1)
    has_year = _YEAR.search(expression) is not None
    periods = time_periods.periods(expression, now if has_year else coming)
    spans = [(period.start.date(), period.end.date() - _DAY) for period in periods]
    return [span for span in spans if has_year or abs(span[0] - now.date()) < _YEAR_LONG]


def _around(said: str, today: date) -> list[tuple[date, date]]:
    """Calendar weeks from Monday, months and years."""
    match = re.search(r"\b(last|next|this|past) (week(?:end)?|month|year)\b", said)
    if match is None:
        return []
    shift, unit = _SHIFTS[match[1]], match[2]
    if unit.startswith("week"):
        monday = today - timedelta(days=today.weekday()) + timedelta(days=shift * 7)
        return [(monday, monday + 6 * _DAY)]
    if unit == "month":
        month = today.year * 12 + today.month - 1 + shift
        first = date(month // 12, month % 12 + 1, 1)
        return [(first, _first_after(first) - _DAY)]
    return [(date(today.year + shift, 1, 1), date(today.year + shift, 12, 31))]


def _ago(said: str, today: date) -> list[tuple[date, date]]:
    match = re.search(rf"\b({_COUNT}) (day|week|month|year)s? ago\b", said)
    if match is None:
        return []
    count, unit = match[1], match[2]
    number = int(count) if count.isdigit() else _COUNTS[count]
    days = number * _DAYS_IN[unit]
    slack = _SLACK[unit] + (days // 2 if count in {"a few", "a couple of"} else 0)
    return [(today - timedelta(days=days + slack), today - timedelta(days=max(days - slack, 0)))]


def _span(text: str) -> tuple[date, date] | None:
    match = _ISO.fullmatch(text)
    if match is None or int(match[1]) not in _YEARS:
        return None
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    if match[3]:
        return first, first
    return first, (_first_after(first) if match[2] else date(year + 1, 1, 1)) - _DAY


def _first_after(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


_DAYS_IN = {"day": 1, "week": 7, "month": 30, "year": 365}
_SLACK = {"day": 0, "week": 4, "month": 20, "year": 200}
_SHIFTS = {"last": -1, "past": -1, "this": 0, "next": 1}
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "a couple of": 2, "a few": 3,
}  # fmt: skip
