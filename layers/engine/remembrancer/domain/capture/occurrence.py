"""When something happened, as a model says it, held against what the turn says and when it was said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo

from remembrancer.domain.times import calendar, phrases
from remembrancer.domain.times.calendar import DAY
from remembrancer.domain.times.phrases import Phrase

_NEAR = 366
"""A date without a year is less than so many days away."""
_YEARS = range(1900, 2201)
"""Other years are not understood: near the ends of Python's calendar, adding days fails."""
_DURATIONS = frozenset({"hence", "sliding"})
"""`In three hours` may say how long it took."""
_ALONE = frozenset({"years", "named_month"})
"""Kinds that are a point of time behind `in` only: `1984` is a novel, too."""
_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """From the first day to the last, both included; None where it is open."""

    first: date | None
    last: date | None


def parse(text: str) -> Occurrence | None:
    """`2023`, `2023-05`, `2023-05-18`, or two of these with a slash, of which one may be `..`; None for others."""
    ends = text.strip().split("/")
    if len(ends) > 2:
        return None
    spans = [None if end == ".." and len(ends) == 2 else _span(end) for end in ends]
    if any(span is None and end != ".." for span, end in zip(spans, ends, strict=True)) or not any(spans):
        return None
    first, last = spans[0], spans[-1]
    found = Occurrence(first[0] if first else None, last[1] if last else None)
    if found.first and found.last and found.first > found.last:
        return None
    return found


def told(text: str, observed_at: datetime) -> Occurrence | None:
    """The past days of what a text tells, where it names one time that means one period there: in the zone of
    `observed_at`.
    """
    named = points(text)
    if len(named) != 1 or named[0].relation or named[0].is_onwards:
        return None
    spans = meant(text[named[0].start : named[0].end], observed_at)
    is_past = len(spans) == 1 and spans[0][1] < observed_at.date()
    return Occurrence(*spans[0]) if is_past else None


def starts(occurred: Occurrence | None, zone: tzinfo | None) -> datetime | None:
    """The beginning of the first day there."""
    if occurred is None or occurred.first is None:
        return None
    return datetime.combine(occurred.first, time(), zone or UTC)


def ends(occurred: Occurrence | None, zone: tzinfo | None) -> datetime | None:
    """The end of the last day there."""
    if occurred is None or occurred.last is None:
        return None
    return datetime.combine(occurred.last + DAY, time(), zone or UTC)


def is_day(occurred: Occurrence, observed_at: datetime) -> bool:
    """Whether it is the day on which it was said in the zone of `observed_at`, give or take one for time zones."""
    if observed_at.year not in _YEARS:
        return False
    ends = [end for end in (occurred.first, occurred.last) if end is not None]
    return all(abs(end - observed_at.date()) <= DAY for end in ends)


def is_supported(occurred: Occurrence, said: Sequence[str], observed_at: datetime) -> bool:
    """Whether each end lies in a period that one of the expressions means, give or take a day for time zones.

    Without any expression, nothing is supported.
    """
    spans = [span for expression in said for span in meant(expression, observed_at)]
    ends = [end for end in (occurred.first, occurred.last) if end is not None]
    if occurred.first and occurred.last:
        return any(first - DAY <= occurred.first and occurred.last <= last + DAY for first, last in spans)
    return all(any(first - DAY <= end <= last + DAY for first, last in spans) for end in ends)


def points(text: str) -> list[Phrase]:
    """Points of time, each with the preposition before it; in order. `Today's` is none."""
    return [phrase for phrase in phrases.find(text) if _is_point(phrase, text)]


def expressions(text: str) -> list[str]:
    """The points of time in a text; without any, every year and month that it names."""
    return [text[phrase.start : phrase.end] for phrase in points(text) or phrases.find(text)]


def meant(expression: str, observed_at: datetime) -> list[tuple[date, date]]:
    """The first and last days of what an expression may mean in the zone of `observed_at`; empty when it is not
    understood.
    """
    if observed_at.year not in _YEARS:
        return []
    spans: list[tuple[date, date]] = []
    for phrase in phrases.find(expression):
        try:
            found = [] if phrase.kind == "other_day" else phrase.meaning(observed_at)
        except (ValueError, OverflowError):
            continue
        spans += [calendar.whole_days(first, end) for first, end in found]
    return [span for span in spans if abs(span[0] - observed_at.date()).days < _NEAR] or spans


def _is_point(phrase: Phrase, text: str) -> bool:
    words = text[phrase.start : phrase.end].lower().split()
    if phrase.kind in _DURATIONS or text[phrase.end : phrase.end + 1] in {"'", "’"}:
        return False
    return phrase.kind not in _ALONE or len(words) > 1


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
    return first, calendar.month(year, month, 1 if match[2] else 12)[1] - DAY
