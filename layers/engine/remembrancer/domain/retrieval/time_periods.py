"""The times that a question mentions, and how near to them a memory was created."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.times import phrases
from remembrancer.domain.times.calendar import DAY
from remembrancer.domain.times.found import Moments
from remembrancer.domain.times.phrases import Phrase

AFTERWARDS_HALF_LIFE_DAYS = 7.0
"""Half-life: events are mentioned soon after they happen; a memory made this long after a period counts half."""
OPEN_START, OPEN_END = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)
"""Of `before 2024` and `after Easter`."""
MOST_PERIODS = 64
"""Of one question; those of later phrases are ignored."""
_WEST, _EAST = timedelta(hours=12), timedelta(hours=14)
"""Where the clocks of the world differ most from UTC."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period that includes `start` and ends before `end`, both in UTC."""

    start: datetime
    end: datetime

    def meets(self, since: datetime | None, until: datetime | None) -> bool:
        """Whether something that lasted from `since` to `until` was in the period; None is open."""
        return (until is None or until >= self.start) and (since is None or since < self.end)


def periods(query: str, now: datetime) -> tuple[Period, ...]:
    """Those that English words and dates in the query may mean, in the time zone of `now`: `last night`, `ten days
    ago`, `since March`, `23.11.2026` (docs/time-and-conflicts.md).
    """
    return _within_calendar(query, now, now.tzinfo or UTC)


def periods_anywhere(query: str, now: datetime) -> tuple[Period, ...]:
    """Longer ones, which contain those of `periods` in each time zone of the world."""
    if not phrases.find(query):
        return ()
    zones = [timezone(offset) for offset in (-_WEST, timedelta(0), _EAST)]
    found = [period for zone in zones for period in _within_calendar(query, now, zone)]
    return tuple(Period(_moved(period.start, -_WEST - _EAST), _moved(period.end, _WEST + _EAST)) for period in found)


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


def _within_calendar(query: str, now: datetime, zone: tzinfo) -> tuple[Period, ...]:
    try:
        return _periods(query, now.astimezone(UTC), zone)
    except OverflowError:
        return ()


@lru_cache(maxsize=8)
def _periods(query: str, now: datetime, zone: tzinfo) -> tuple[Period, ...]:
    """Kept for the ranking, which asks again. `now` is in UTC: the same moment in two zones is not one key."""
    found = phrases.find(query)
    if not found:
        return ()
    reader = _Reader(found, now.astimezone(zone))
    named: dict[Period, None] = {}
    place = 0
    while place < len(found) and len(named) < MOST_PERIODS:
        spans, place = reader.read(place)
        named.update((Period(start, end), None) for start, end in spans if start < end)
    return tuple(named)


class _Reader:
    """Reads phrases with the words around them: `since`, `until`, `from … to`. Spans are pairs of moments in UTC."""

    def __init__(self, found: Sequence[Phrase], now: datetime) -> None:
        self._found = found
        self._now = now

    def read(self, place: int) -> tuple[list[Moments], int]:
        """What the phrase at this place means, and the place of the next one to be read."""
        phrase = self._found[place]
        if place + 1 < len(self._found):
            following = self._found[place + 1]
            if following.joint and (following.joint == "k") == (phrase.relation == "b"):
                return self._range(phrase, following), place + 2
        spans = self._spans(phrase)
        if not spans:
            return [], place + 1
        relation = "onwards" if phrase.is_onwards and phrase.relation == "F" else phrase.relation
        return _RELATIONS.get(relation, _itself)(spans, self._now), place + 1

    def _range(self, one: Phrase, other: Phrase) -> list[Moments]:
        """From each of the ones to the next of the others, or to each fixed one from the last before it.

        Where there is none near to now, the year is that of the fixed one: `from March to May 2020`.
        """
        firsts, lasts = self._spans(one), self._spans(other)
        if len(lasts) == 1:
            near = [first for first in firsts or lasts if first[0] <= lasts[0][0]] or self._spans(one, lasts[0][0])
            return [(first[0], lasts[0][1]) for first in near if first[0] <= lasts[0][0]][-1:]
        found: list[Moments] = []
        for first in firsts:
            near = [last for last in lasts if last[0] >= first[0]] or self._spans(other, first[0])
            found += [(first[0], last[1]) for last in near if last[0] >= first[0]][:1]
        return found

    def _spans(self, phrase: Phrase, near: datetime | None = None) -> list[Moments]:
        """In order of their starts; `near` replaces now."""
        zone = self._now.tzinfo or UTC
        try:
            found = phrase.meaning(self._now if near is None else near.astimezone(zone))
            return sorted((_moment(first, zone), _moment(end, zone)) for first, end in found)
        except (ValueError, OverflowError):
            return []


def _itself(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    return list(spans)


def _since(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    """From the last one on until the end of today."""
    begun = [start for start, _end in spans if start <= now] or [spans[0][0]]
    return [(begun[-1], max(_tomorrow(now), spans[0][1]))]


def _onwards(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    begun = [start for start, _end in spans if start <= now] or [spans[0][0]]
    return [(begun[-1], OPEN_END)]


def _after(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    """From the end of the last one, or of the coming one if there was none."""
    over = [end for _start, end in spans if end <= now] or [spans[0][1]]
    return [(over[-1], OPEN_END)]


def _until(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    return _up_to([end for _start, end in spans], now)


def _before(spans: Sequence[Moments], now: datetime) -> list[Moments]:
    return _up_to([start for start, _end in spans], now)


def _up_to(edges: Sequence[datetime], now: datetime) -> list[Moments]:
    """From today until the coming one, and everything until the last one."""
    coming, over = [edge for edge in edges if edge > now], [edge for edge in edges if edge <= now]
    today = _tomorrow(now) - DAY
    return [*((today, edge) for edge in coming[:1]), *((OPEN_START, edge) for edge in over[-1:])]


def _tomorrow(now: datetime) -> datetime:
    return _moment(now.date() + DAY, now.tzinfo or UTC)


def _moment(value: date, zone: tzinfo) -> datetime:
    """In UTC; a day is its first moment there, also where the clock skips midnight."""
    moment = value if isinstance(value, datetime) else datetime.combine(value, time(), zone)
    return moment.astimezone(UTC)


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:
        return moment


_RELATIONS = {"s": _since, "u": _until, "B": _before, "A": _after, "onwards": _onwards}
