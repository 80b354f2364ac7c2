"""Readers of dates, and of what comes once a year: months, seasons, quarters, holidays.

Each returns None where this is no time.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime

from remembrancer.domain.times import calendar, vocabulary
from remembrancer.domain.times.calendar import Days, OfYear
from remembrancer.domain.times.found import PLACED, SHIFTS, Found, Meaning


def iso(found: Found) -> Meaning | None:
    """`2026-11-23`, `2026/11/23`, with or without a time of day."""
    year, month, number = re.split("[-/.]", found["day"].split("t")[0])
    day = _valid(int(year), int(month), int(number))
    return None if day is None else lambda now: [calendar.one_day(day)]


def figures(found: Found) -> Meaning | None:
    """With points the day is first; `05/06/2026` may be two days. Two figures for the year need a preposition before
    points, since they may be those of a version.
    """
    first, second, year = re.split("[-/.]", found["date"])
    if len(year) == 2 and "/" not in found["date"] and not _is_on(found):
        return None
    days = [
        _valid(vocabulary.year_of(year), month, day) for month, day in _readings(found["date"], int(first), int(second))
    ]
    valid = [day for day in days if day is not None]
    return (lambda now: [calendar.one_day(day) for day in valid]) if valid else None


def figures_and_name(found: Found) -> Meaning | None:
    """`23-Nov-2026`."""
    number, name, year = re.split("[-/.]", found["date"])
    day = _valid(vocabulary.year_of(year), vocabulary.month_of(name), int(number))
    return None if day is None else lambda now: [calendar.one_day(day)]


def figures_without_year(found: Found) -> Meaning | None:
    """Behind a preposition: half a cup is 1/2, and a price 11.20."""
    first, second = map(int, re.split("[/.]", found["date"])[:2])
    if not _is_on(found) or (first, second) == (24, 7):
        return None
    readings = [_day(*reading) for reading in _readings(found["date"], first, second) if _valid(2000, *reading)]
    if not readings:
        return None
    return lambda now: [days for of_year in readings for days in calendar.annual(of_year, now.date(), "")]


def _is_on(found: Found) -> bool:
    """Whether a preposition of days says that this is one: half an hour may be `in 1/2 hour`."""
    return found.preposition == "on" or found.before[-1:] in PLACED


def _readings(written: str, first: int, second: int) -> list[tuple[int, int]]:
    """Month and day, in each order that the form allows."""
    return [(second, first)] if "." in written or first == second else [(second, first), (first, second)]


def month_in_figures(found: Found) -> Meaning:
    """`2026-11`, `11/2026`."""
    year, month = sorted(map(int, re.split("[-/]", found["date"])), reverse=True)
    return lambda now: [calendar.month(year, month)]


def day_of_month(found: Found) -> Meaning | None:
    """`23 Nov 2026`, `May the 4th`, `3 to 5 May`; a day that the month lacks means the month, where a year is named."""
    month = vocabulary.month_of(found["month"])
    days = re.split("[-–—]", found["day"]) if found["day"][0].isdigit() else [found["day"]]
    first, last = vocabulary.day_of_month(days[0]), vocabulary.day_of_month(found["last"] or days[-1])
    is_marked = bool(found["of"] or found["year"] or found.is_placed)
    if not (days[0][0].isdigit() or is_marked) or (found["joint"] == "and" and found.before[-1:] != "b"):
        # `The first May`.
        return None
    if month in _WORDS_TOO and not (is_marked or found.parts.get("month2") or days[0][-1].isalpha() or found.ends):
        # `These 5 may help`.
        return None
    if first > last or not (_valid(2000, month, first) and _valid(2000, month, last)):
        return _yearly(_month(month), found) if found["year"] else None
    return _yearly(lambda year: (date(year, month, first), date(year, month, last) + calendar.DAY), found)


def named_month(found: Found) -> Meaning | None:
    """`In May`, `last March`, `Nov 2026`; a name that is another word too needs more than itself."""
    number = vocabulary.month_of(found["month"])
    is_short = found["month"] not in vocabulary.MONTHS
    is_range = _IN_RANGE.search(found.before) or _RANGE.match(found.after)
    is_placed = found["year"] or is_range or (found.is_placed and found.preposition not in {"on", "at"})
    is_chosen = found.which and (number not in _WORDS_TOO or found.ends)
    if (is_short or number in _NAMES_TOO) and not (is_placed or is_chosen):
        return None
    return _yearly(_month(number), found)


def season(found: Found) -> Meaning | None:
    """`In summer`, `last spring`, `winter 2024`."""
    is_word = found["season"] in {"spring", "fall"}
    if not (found["year"] or found.which or found.is_placed or (found.has_article and not is_word)):
        return None
    return _yearly(calendar.season(vocabulary.SEASONS[found["season"]]), found)


def quarter(found: Found) -> Meaning | None:
    """`Q3 2025`, `the second quarter of last year`."""
    word, *rest = found["quarter"].split(" ")
    number = vocabulary.ORDINALS.index(word) if rest else int(word[1]) - 1
    if number > 3 or (rest and rest != ["quarter"]):
        return None
    if not (found["year"] or (not rest and (found.is_placed or found.ends))):
        return None
    return _yearly(lambda year: calendar.month(year, 3 * number + 1, 3), found)


def holiday(found: Found) -> Meaning | None:
    """`At Christmas`, `Easter 2025`."""
    of_year = calendar.HOLIDAYS.get(found["holiday"].replace(" ' ", "").replace(" ’ ", ""))
    return None if of_year is None else _yearly(of_year, found)


def decade(found: Found) -> Meaning | None:
    """`The nineties`, `the 1980s`."""
    figures = found["figures"].rstrip("s")
    if len(figures) != 4 and not found.has_article:
        # `She is in her nineties.`
        return None
    first = vocabulary.year_of(figures) if figures else vocabulary.DECADES[found["name"]]
    return lambda now: [calendar.month(first, 1, 120)]


def years(found: Found) -> Meaning | None:
    """As 1900 to 2099: other figures are numbers more often."""
    if (found["short"] and not found.is_placed) or found.before[-1:] in _NUMERALS or found.after[:1] == "n":
        return None
    first, *others = map(vocabulary.year_of, re.split("[-–—]", found["year"] or found["short"]))
    last = others[0] if others else first
    if not 1900 <= first <= last < 2100:
        return None
    return lambda now: [(date(first, 1, 1), date(last + 1, 1, 1))]


def _yearly(of_year: OfYear, found: Found) -> Meaning:
    """In the year that is said, else in the years around. A winter of 2024 begins or ends in it."""
    said, which = found["year"], found.which

    def meant(now: datetime) -> Sequence[Days]:
        if not said:
            return calendar.annual(of_year, now.date(), which)
        shift = SHIFTS.get(vocabulary.WHICH.get(said.split(" ")[0], ""))
        year = vocabulary.year_of(said) if shift is None else now.year + shift
        days = of_year(year)
        return [days] if days[1] <= date(year + 1, 1, 2) else [of_year(year - 1), days]

    return meant


def _month(number: int) -> OfYear:
    return lambda year: calendar.month(year, number)


def _day(month: int, day: int) -> OfYear:
    return lambda year: calendar.one_day(date(year, month, day))


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_WORDS_TOO = frozenset({3, 5})
"""March and May are verbs, too."""
_NAMES_TOO = frozenset({3, 4, 5, 6, 8})
"""People are called April, May, June and August: alone, they are no months."""
_NUMERALS = frozenset("dDnY")
_RANGE, _IN_RANGE = re.compile("[-uckr]t?[Mm]"), re.compile(r"[Mm]\.?,?Y?[-uckr]$")
