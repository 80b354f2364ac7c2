"""Readers of times that are counted from the present: `last night`, `on Monday`, `ten days ago`, `the 23rd`.

Each returns None where this is no time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from remembrancer.domain.times import calendar, vocabulary
from remembrancer.domain.times.calendar import Days
from remembrancer.domain.times.found import SHIFTS, Found, Meaning, Moments


def weekday(found: Found) -> Meaning | None:
    """`On Monday`, `last Tues`, `Wednesday last week`."""
    name = found["weekday"].rstrip(" .")
    number = next(number for number, day in enumerate(vocabulary.WEEKDAYS) if day.startswith(name[:3]))
    is_chosen = found.is_placed or found.which
    if name not in vocabulary.WEEKDAYS and not (
        is_chosen and (found.ends or found["of_day"] or name not in _SHORT_WORDS)
    ):
        return None
    if found.before[-1:] == "V":
        # `Every Monday`.
        return None
    if found["week"]:
        shift = SHIFTS[vocabulary.WHICH[found["week"].split(" ")[-2]]]
        return lambda now: [calendar.one_day(calendar.unit("week", now.date(), shift)[0] + number * calendar.DAY)]
    which = found.which
    return lambda now: calendar.weekday(number, now.date(), which)


def near_day(found: Found) -> Meaning | None:
    """A part of a day means the day: what happened in it is told later, and dated by the day."""
    shift = vocabulary.NEAR_DAYS[found["day"]] + {"": 0, "before": -1, "after": 1}[found["shift"]]
    return lambda now: [calendar.one_day(now.date() + shift * calendar.DAY)]


def part_of_day(found: Found) -> Meaning | None:
    """`Last night` is yesterday, `this evening` today."""
    shift = -2 if found["second"] else {"last": -1, "this": 0}.get(found.which)
    return None if shift is None else lambda now: [calendar.one_day(now.date() + shift * calendar.DAY)]


def other_day(found: Found) -> Meaning | None:
    """In the last week, not today."""
    if not found.has_article or found["unit"].endswith("s"):
        return None
    return lambda now: [(now.date() - 7 * calendar.DAY, now.date())]


def ago(found: Found) -> Meaning | None:
    """`Ten days ago`, `a year ago today`."""
    return _away(found["amount"], -1, is_exact=found["today"] == "today")


def hence(found: Found) -> Meaning | None:
    """`In 10 days`, `two weeks from now`."""
    if found["in"] == "during" or found["from"] not in {"", "now", "today"}:
        return None
    return _away(found["amount"], 1)


def _away(amount: str, sign: int, *, is_exact: bool = False) -> Meaning:
    """So many units from now: whole days, and for hours and minutes moments."""
    least, most, unit = vocabulary.amount_of(amount)

    def meant(now: datetime) -> Sequence[Days | Moments]:
        if unit in _SECONDS:
            ends = sorted(now.timestamp() + sign * count * _SECONDS[unit] for count in (least, most))
            return [(_at(ends[0] - _SLACK[unit], now), _at(ends[1] + _SLACK[unit], now))]
        if least == most and not is_exact:
            return [calendar.counted(now.date(), unit, sign * least)]
        first, last = sorted(calendar.moved(now.date(), unit, sign * count) for count in (least, most))
        return [(first, last + calendar.DAY)]

    return meant


def sliding(found: Found) -> Meaning:
    """`The last three weeks`, until the end of today; `the next ten days`, from today on."""
    most, unit = vocabulary.amount_of(found["amount"])[1:]
    sign = -1 if found.which == "last" else 1

    def meant(now: datetime) -> Sequence[Days | Moments]:
        if unit in _SECONDS:
            ends = sorted((now.timestamp(), now.timestamp() + sign * most * _SECONDS[unit]))
            return [(_at(ends[0], now), _at(ends[1], now))]
        first, last = sorted((now.date(), calendar.moved(now.date(), unit, sign * most)))
        return [(first, last + calendar.DAY)]

    return meant


def unit(found: Found) -> Meaning | None:
    """A calendar week, month, quarter, year or decade. `The last year` and `the past year` are sliding."""
    unit, which, said = vocabulary.UNITS.get(found["unit"], ""), found.which, found["which"]
    if not unit:
        return None
    if unit == "weekend":
        return lambda now: calendar.weekend(now.date(), which)
    if unit == "fortnight" or said.endswith("past") or (found.has_article and said == "last"):
        return sliding(replace(found, parts={"amount": f"one {unit}", "which": which}))
    if unit in {"day", "hour", "minute"}:
        return None
    return lambda now: [calendar.unit(unit, now.date(), SHIFTS[which])]


def this_unit(found: Found) -> Meaning | None:
    """`The end of the year`."""
    unit = vocabulary.UNITS.get(found["unit"], "")
    if not found.part or unit not in {"week", "month", "quarter", "year", "decade"}:
        return None
    return lambda now: [calendar.unit(unit, now.date())]


def weekends_ago(found: Found) -> Meaning | None:
    """`Two weekends ago`; as many as `a few` may mean."""
    least, most = vocabulary.count_of(found["count"])
    first, last = round(least), round(most)
    return lambda now: [calendar.unit("weekend", now.date(), -back) for back in range(first, last + 1)] if first else []


def second_unit(found: Found) -> Meaning | None:
    """`The week before last`, `the month after next`."""
    unit, shift = vocabulary.UNITS.get(found["unit"], ""), {"last": -2, "next": 2}.get(found.which)
    if unit in {"", "hour", "minute", "fortnight"} or shift is None:
        return None
    return lambda now: [calendar.unit(unit, now.date(), shift)]


def weekend(found: Found) -> Meaning | None:
    """`At the weekend`."""
    return (lambda now: calendar.weekend(now.date(), "")) if found.is_placed or found.has_article else None


def nth(found: Found) -> Meaning | None:
    """`On the 23rd`: of this month and of the last one, or of the month that is named."""
    is_certain = found["which"] or found.ends or found.following in _FOLLOWING
    is_placed = found.is_placed or found["weekday"] or found["which"]
    if not (is_placed and is_certain and found["unit"] in {"", "month"}):
        return None
    day, shifts = vocabulary.day_of_month(found["day"]), [SHIFTS[found.which]] if found["which"] else [-1, 0]
    if found["weekday"] and not found["which"]:
        shifts.append(1)

    def meant(now: datetime) -> Sequence[Days]:
        months = [calendar.unit("month", now.date(), shift) for shift in shifts]
        days = [(first + (day - 1) * calendar.DAY, end) for first, end in months]
        return [calendar.one_day(date) for date, end in days if day and date < end]

    return meant


def _at(seconds: float, now: datetime) -> datetime:
    return datetime.fromtimestamp(seconds, now.tzinfo)


_SECONDS = {"hour": 3600, "minute": 60}
_SLACK = {"hour": 1800, "minute": 300}
"""Seconds around `two hours ago`."""
_SHORT_WORDS = frozenset({"sat", "sun", "wed"})
_FOLLOWING = frozenset((
    "at", "and", "or", "but", "in", "with", "when", "did", "do", "does", "i", "we", "you", "he", "she", "they", "to",
    "about", "for", "from", "was", "were", "is", "what", "who", "because", "before", "after", "since", "so", "until",
))  # fmt: skip
"""Words that follow `the 23rd` where it is a day, and no floor."""
