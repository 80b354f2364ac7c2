"""Days of the calendar around a day: weeks, months, quarters, seasons, holidays, and times counted from it."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

Days = tuple[date, date]
"""The first day, and the day after the last one."""
OfYear = Callable[[int], Days]
"""What comes once in each year; ValueError where that year has none, as 29 February."""

DAY = timedelta(days=1)
PAST_YEARS = 3
"""How many years before this one are meant by a date without a year."""
_ROUGHLY = {"week": 3, "month": 15, "quarter": 45, "year": 182, "decade": 1826}
"""Days on each side of `three months ago`: half of the unit, since nobody counts exactly."""
_IN_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_IN_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


def one_day(day: date) -> Days:
    """From the beginning of the day to its end, which does not belong to it."""
    return day, day + DAY


def whole_days(first: date, end: date) -> Days:
    """The first and the last day of days or of moments, both included."""
    last = end - timedelta(microseconds=1) if isinstance(end, datetime) else end - DAY
    return (first.date() if isinstance(first, datetime) else first), (
        last.date() if isinstance(last, datetime) else last
    )


def month(year: int, number: int, count: int = 1) -> Days:
    """So many whole months from that one on; numbers outside of 1 to 12 are of other years."""
    first, end = year * 12 + number - 1, year * 12 + number - 1 + count
    return date(first // 12, first % 12 + 1, 1), date(end // 12, end % 12 + 1, 1)


def unit(name: str, today: date, shift: int = 0) -> Days:
    """The calendar day, week (from Monday), weekend, month, quarter, year or decade, so many after today's."""
    if name in _IN_MONTHS:
        length = _IN_MONTHS[name]
        return month(0, ((today.year * 12 + today.month - 1) // length + shift) * length + 1, length)
    if name == "day":
        return one_day(today + shift * DAY)
    monday = today - today.weekday() * DAY + 7 * shift * DAY
    return (monday + 5 * DAY if name == "weekend" else monday), monday + 7 * DAY


def moved(today: date, name: str, count: float) -> date:
    """The day so many units later; on the last day of a month that is too short."""
    if name in _IN_DAYS:
        return today + round(count * _IN_DAYS[name]) * DAY
    months = count * _IN_MONTHS[name]
    first, end = month(today.year, today.month + int(months))
    return min(first + (today.day - 1) * DAY, end - DAY) + round(months % 1 * 30) * DAY


def counted(today: date, name: str, count: float) -> Days:
    """About so many units later, whole units: a day is that day, `3 months ago` that month and half a month around the
    day.
    """
    day = moved(today, name, count)
    if name == "day":
        return one_day(day)
    name = "week" if name == "fortnight" else name
    first, end = unit(name, day)
    rough = _ROUGHLY[name] * DAY
    return min(first, day - rough), max(end, day + rough + DAY)


def third(days: Days, number: int) -> Days:
    """The beginning (0), middle (1) or end (2) of a longer time; a day or two stay whole."""
    first, end = days
    length = (end - first).days
    if length < 3:
        return days
    return first + length * number // 3 * DAY, first + length * (number + 1) // 3 * DAY


def weekday(number: int, today: date, which: str) -> Sequence[Days]:
    """Monday is 0. Without `which` the last one and the next one, and today if it is one.

    `this` is that of this week or the coming one; `next` the coming one or that of the week after.
    """
    before = today - ((today.weekday() - number) % 7 or 7) * DAY
    after = today + ((number - today.weekday()) % 7 or 7) * DAY
    of_week = today + (number - today.weekday()) * DAY
    days = {
        "last": [before],
        "this": [of_week, after],
        "next": [after, after + 7 * DAY],
        "coming": [after],
        "": [before, after, *([today] if of_week == today else [])],
    }
    return [one_day(day) for day in dict.fromkeys(days[which])]


def weekend(today: date, which: str) -> Sequence[Days]:
    """Before a weekend, `next` may mean that one or the one after it; without `which`, the last one or this one."""
    last, this, following = (unit("weekend", today, shift) for shift in (-1, 0, 1))
    return {
        "last": [last],
        "this": [this],
        "next": [this, following] if today < this[0] else [following],
        "coming": [this if today < this[0] else following],
        "": [last, this],
    }[which]


def annual(of_year: OfYear, today: date, which: str) -> Sequence[Days]:
    """What comes once a year. Without `which` those of this year and of `PAST_YEARS` before, and the coming one."""
    found: list[Days] = []
    for year in range(today.year + 1, today.year - PAST_YEARS - 6, -1):
        try:
            found.append(of_year(year))
        except ValueError:
            continue
    over = [days for days in found if days[1] <= today]
    coming = [days for days in found if days[0] > today][-1:]
    if which == "last":
        return over[:1]
    if which in {"next", "coming"}:
        return coming
    around = [days for days in found if days[0] <= today < days[1]]
    if which == "this":
        return around or [days for days in found if days[0].year == today.year]
    recent = [days for days in over if days[0].year >= today.year - PAST_YEARS]
    return [*coming, *around, *recent]


def season(number: int) -> OfYear:
    """Three whole months of the northern half of the earth, spring is 0; winter ends in the year after."""
    return lambda year: month(year, 3 * number + 3, 3)


def easter(year: int) -> date:
    """Easter Sunday by the Gregorian calendar (Meeus 1991, the anonymous algorithm)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - leap + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    since_march = epact + to_sunday - 7 * late + 114
    return date(year, since_march // 31, since_march % 31 + 1)


def _fixed(number: int, day: int, days: int = 1) -> OfYear:
    return lambda year: (date(year, number, day), date(year, number, day) + days * DAY)


def _thanksgiving(year: int) -> Days:
    first = date(year, 11, 1)
    return one_day(first + ((3 - first.weekday()) % 7 + 21) * DAY)


HOLIDAYS: dict[str, OfYear] = {
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "christmas": _fixed(12, 24, 3),
    "xmas": _fixed(12, 24, 3),
    "boxing day": _fixed(12, 26),
    "new years eve": _fixed(12, 31),
    "new years day": _fixed(1, 1),
    "new year": lambda year: (date(year, 1, 1) - DAY, date(year, 1, 2)),
    "new years": lambda year: (date(year, 1, 1) - DAY, date(year, 1, 2)),
    "valentines day": _fixed(2, 14),
    "valentines": _fixed(2, 14),
    "halloween": _fixed(10, 31),
    "thanksgiving": _thanksgiving,
    "easter sunday": lambda year: one_day(easter(year)),
    "easter monday": lambda year: one_day(easter(year) + DAY),
    "good friday": lambda year: one_day(easter(year) - 2 * DAY),
    "easter": lambda year: (easter(year) - 2 * DAY, easter(year) + 2 * DAY),
}
"""The days of each holiday in a given year; the names are written without apostrophes."""
