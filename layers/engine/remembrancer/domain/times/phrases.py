"""The grammar of times in English texts: finds them, and says which days or moments each may mean.

1. One pattern finds the phrases: a preposition, a part (`early`, `the end of`), then one of `_KINDS`.
2. The kind's reader decides whether this is a time (`may` is a verb, too), and makes its meaning.
3. The meaning is computed for a moment in the time zone of whoever speaks: its days are days there.

Letter case does not count.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from remembrancer.domain.times import calendar, vocabulary
from remembrancer.domain.times.calendar import Days, OfYear
from remembrancer.domain.times.vocabulary import (
    AMOUNT,
    DAY,
    LAST_NEXT,
    MONTH,
    SHIFTS,
    WEEKDAY,
    WEEKDAYS,
    WHICH,
    YEAR,
    _,
    any_of,
)

Moments = tuple[datetime, datetime]
"""The first moment, and the one after the last."""
Meaning = Callable[[datetime], Sequence[Days | Moments]]
"""What a phrase may mean at a moment; raises ValueError or OverflowError beyond the ends of the calendar."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time in a text, from `start` to before `end`; `kind` is one of `_KINDS`."""

    start: int
    end: int
    kind: str
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class _Found:
    """A match of a kind: its named parts in plain lower case, and the text around it.

    `is_placed`: a preposition or a word such as `early` says that a time follows. `has_article`: `the` stands before it.
    `is_at`: `on` or `at` does, which no month follows.
    """

    parts: Mapping[str, str]
    before: str
    after: str
    is_placed: bool
    has_article: bool
    is_at: bool

    def __getitem__(self, name: str) -> str:
        """Empty where the part is missing; of the parts `day1` and `day2`, the one that is there."""
        return self.parts.get(name) or self.parts.get(f"{name}2", "")

    @property
    def which(self) -> str:
        """`last`, `this`, `next` or `coming`; empty without."""
        return WHICH.get(self["which"].split(" ")[-1], "")

    @property
    def ends(self) -> bool:
        """Whether a clause ends behind it."""
        return _CLAUSE_END.match(self.after) is not None


@lru_cache(maxsize=64)
def find(text: str) -> tuple[Phrase, ...]:
    """The times in the text, in order, without overlaps."""
    found: list[Phrase] = []
    place = 0
    while (match := _PHRASE.search(text, place)) is not None:
        kind = str(match.lastgroup)
        pattern, read = _READERS[kind]
        parts = pattern.match(text, match.start(kind))
        meaning = read(_found(text, match, parts)) if parts is not None and parts.end() == match.end() else None
        if meaning is None:
            place = match.start() + 1
            continue
        if match["part"]:
            meaning = _part_of(match["part"].lower(), meaning)
        found.append(Phrase(match.start(), match.end(), kind, meaning))
        place = match.end()
    return tuple(found)


def _found(text: str, match: re.Match[str], parts: re.Match[str]) -> _Found:
    named = {name: " ".join(part.lower().replace("’", "'").split()) for name, part in parts.groupdict("").items()}
    before = text[max(match.start() - _AROUND, 0) : match.start()]
    after = text[match.end() : match.end() + _AROUND]
    preposition = (match["preposition"] or "").strip().lower()
    is_placed = bool(preposition or match["part"]) or _PLACED.search(before) is not None
    has_article = bool(match["article"]) and not match["part"]
    return _Found(named, before, after, is_placed, has_article, is_at=preposition in {"on", "at"} and not match["part"])


def _part_of(part: str, whole: Meaning) -> Meaning:
    words = re.findall("[a-z]+", part)
    number = next(vocabulary.PARTS[word] for word in words if word in vocabulary.PARTS)

    def meant(now: datetime) -> Sequence[Days | Moments]:
        days = [(first, end) for first, end in whole(now) if not isinstance(first, datetime)]
        for word, length in (("week", 7 * calendar.DAY), ("day", calendar.DAY)):
            if word in words:
                return [(end - length, end) if number == 2 else (first, first + length) for first, end in days]
        return [calendar.third(one, number) for one in days]

    return meant


def _iso(found: _Found) -> Meaning | None:
    day = _valid(int(found["year"]), int(found["month"]), int(found["day"]))
    return None if day is None else lambda now: [calendar.one(day)]


def _figures(found: _Found) -> Meaning | None:
    """With points the day is first; `05/06/2026` may be two days. Two figures for the year need a preposition before
    points, since they may be those of a version; and so does a date without a year.
    """
    one, two, has_points = int(found["one"]), int(found["two"]), "." in found["all"]
    readings = [(two, one)] if has_points or one == two else [(two, one), (one, two)]
    if found["year"]:
        if len(found["year"]) == 2 and "/" not in found["all"] and not found.is_placed:
            return None
        year = vocabulary.year_of(found["year"])
        days = [day for month, number in readings if (day := _valid(year, month, number))]
        return (lambda now: [calendar.one(day) for day in days]) if days else None
    if not found.is_placed or (one, two) == (24, 7):
        return None
    yearly = [_day(month, number) for month, number in readings if _valid(2000, month, number)]
    return (lambda now: [days for each in yearly for days in calendar.annual(each, now.date(), "")]) if yearly else None


def _month_in_figures(found: _Found) -> Meaning | None:
    year, month = int(found["year"]), int(found["month"])
    return lambda now: [calendar.month(year, month)]


def _day_of_month(found: _Found) -> Meaning | None:
    month, first = vocabulary.month_of(found["month"]), vocabulary.day_of_month(found["day"])
    last = vocabulary.day_of_month(found["last"]) if found["last"] else first
    is_joined = bool(found["of"] or found["year"] or found.is_placed)
    if not (found["day"][0].isdigit() or is_joined) or (found["and"] and not _BETWEEN.search(found.before)):
        # `The first May`.
        return None
    if month in _WORDS_TOO and not (is_joined or found["month2"] or found["day"][-1].isalpha() or found.ends):
        # `These 5 may help`.
        return None
    if first > last or not (_valid(2000, month, first) and _valid(2000, month, last)):
        return _yearly(_month(month), found) if found["year"] else None
    return _yearly(lambda year: (date(year, month, first), date(year, month, last) + calendar.DAY), found)


def _named_month(found: _Found) -> Meaning | None:
    number = vocabulary.month_of(found["month"])
    is_short = found["month"] not in vocabulary.MONTHS
    is_placed = found["year"] or (found.is_placed and not found.is_at) or _IN_RANGE.search(found.before)
    is_chosen = found.which and (number not in _WORDS_TOO or found.ends)
    if (is_short or number in _NAMES_TOO) and not (is_placed or is_chosen or _RANGE.match(found.after)):
        return None
    return _yearly(_month(number), found)


def _season(found: _Found) -> Meaning | None:
    is_word = found["season"] in {"spring", "fall"}
    if not (found["year"] or found.which or found.is_placed or (found.has_article and not is_word)):
        return None
    return _yearly(calendar.season(vocabulary.SEASONS[found["season"]]), found)


def _quarter(found: _Found) -> Meaning | None:
    if not (found["year"] or (found["quarter"].startswith("q") and (found.is_placed or found.ends))):
        return None
    number = vocabulary.QUARTERS[found["quarter"].split(" ")[0]]
    return _yearly(lambda year: calendar.month(year, 3 * number + 1, 3), found)


def _holiday(found: _Found) -> Meaning | None:
    return _yearly(calendar.HOLIDAYS[found["holiday"]], found)


def _yearly(of_year: OfYear, found: _Found) -> Meaning:
    """In the year that is said, else in the years around. A winter of 2024 begins or ends in it."""
    said, which = found["year"], found.which

    def meant(now: datetime) -> Sequence[Days]:
        if not said:
            return calendar.annual(of_year, now.date(), which)
        year = now.year + SHIFTS[said.split(" ")[0]] if said.endswith("year") else vocabulary.year_of(said)
        days = of_year(year)
        return [days] if days[1] <= date(year + 1, 1, 2) else [of_year(year - 1), days]

    return meant


def _weekday(found: _Found) -> Meaning | None:
    name = found["weekday"][:3]
    number = next(number for number, day in enumerate(WEEKDAYS) if day.startswith(name))
    if found["weekday"] not in WEEKDAYS and not (
        (found.is_placed or found.which) and (found.ends or found["of_day"] or name not in _SHORT_WORDS)
    ):
        return None
    if _REPEATED.search(found.before):
        return None
    if found["week"]:
        shift = SHIFTS[WHICH[found["week"].split(" ")[-2]]]
        return lambda now: [calendar.one(calendar.unit("week", now.date(), shift)[0] + number * calendar.DAY)]
    which = found.which
    return lambda now: calendar.weekday(number, now.date(), which)


def _near_day(found: _Found) -> Meaning:
    shift = vocabulary.NEAR_DAYS[found["said"]]
    return lambda now: [calendar.one(now.date() + shift * calendar.DAY)]


def _other_day(found: _Found) -> Meaning:
    """In the last week, not today."""
    return lambda now: [(now.date() - 7 * calendar.DAY, now.date())]


def _ago(found: _Found) -> Meaning:
    return _away(found["amount"], -1, is_exact=bool(found["today"]))


def _hence(found: _Found) -> Meaning:
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


def _sliding(found: _Found) -> Meaning:
    """`The last three weeks`, until the end of today; `the next ten days`, from today on."""
    most, unit = vocabulary.amount_of(found["amount"])[1:]
    sign = -1 if found.which == "last" else 1

    def meant(now: datetime) -> Sequence[Days | Moments]:
        if unit in _SECONDS:
            ends = sorted((now.timestamp(), now.timestamp() + sign * most * _SECONDS[unit]))
            return [(_at(ends[0], now), _at(ends[1] + 1, now))]
        first, last = sorted((now.date(), calendar.moved(now.date(), unit, sign * most)))
        return [(first, last + calendar.DAY)]

    return meant


def _unit(found: _Found) -> Meaning:
    """A calendar week, month, quarter, year or decade. `The last year` and `the past year` are sliding."""
    unit, said = found["unit"], found["which"]
    is_sliding = unit == "fortnight" or said.endswith("past") or (found.has_article and said == "last")
    which = found.which
    if is_sliding and unit != "weekend":
        return _sliding(replace(found, parts={"amount": f"a {unit}", "which": which}))
    if unit == "weekend":
        return lambda now: calendar.weekend(now.date(), which)
    return lambda now: [calendar.unit(unit, now.date(), SHIFTS[which])]


def _second_unit(found: _Found) -> Meaning:
    """`The week before last`, `the month after next`."""
    unit, shift = found["unit"], -2 if found["direction"] == "before last" else 2
    return lambda now: [calendar.unit(unit, now.date(), shift)]


def _weekend(found: _Found) -> Meaning | None:
    return (lambda now: calendar.weekend(now.date(), "")) if found.is_placed or found.has_article else None


def _decade(found: _Found) -> Meaning | None:
    first = vocabulary.DECADES[found["name"]] if found["name"] else vocabulary.year_of(found["figures"])
    return lambda now: [calendar.month(first, 1, 120)]


def _nth(found: _Found) -> Meaning | None:
    """`On the 23rd`: of this month and of the last one, or of the month that is named."""
    if not (found.is_placed and (found["which"] or found.ends or _NO_NOUN.match(found.after))):
        return None
    day, shifts = vocabulary.day_of_month(found["day"]), [SHIFTS[found.which]] if found["which"] else [-1, 0]

    def meant(now: datetime) -> Sequence[Days]:
        months = [calendar.unit("month", now.date(), shift) for shift in shifts]
        return [
            calendar.one(first + (day - 1) * calendar.DAY) for first, end in months if 0 < day <= (end - first).days
        ]

    return meant


def _years(found: _Found) -> Meaning | None:
    if found["short"] and not found.is_placed:
        return None
    first = vocabulary.year_of(found["year"] or found["short"])
    last = vocabulary.year_of(found["last"] or str(first))
    return (lambda now: [(date(first, 1, 1), date(last + 1, 1, 1))]) if first <= last else None


def _month(number: int) -> OfYear:
    return lambda year: calendar.month(year, number)


def _day(month: int, day: int) -> OfYear:
    return lambda year: calendar.one(date(year, month, day))


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _at(seconds: float, now: datetime) -> datetime:
    return datetime.fromtimestamp(seconds, now.tzinfo)


_SECONDS = {"hour": 3600, "minute": 60}
_SLACK = {"hour": 1800, "minute": 300}
"""Seconds around `two hours ago`."""
_WORDS_TOO = frozenset({3, 5})
"""March and May are verbs, too."""
_NAMES_TOO = frozenset({3, 4, 5, 6, 8})
"""People are called April, May, June and August: alone, they are no months."""
_SHORT_WORDS = frozenset({"sat", "sun", "wed"})
_AROUND = 16
"""Characters before and after a phrase that may decide what it is."""

_PREPOSITION = "(?:on|in|at|during)"
_PLACED = re.compile(
    rf"(?<!\w)(?a:since|until|till|by|before|after|around|from|between|through(?:out)?|over){_}(?:the{_})?$",
    re.IGNORECASE,
)
_TO = "(?:-|–|—|to|until|till|through|and|or)"
_RANGE = re.compile(rf"(?a:{_}?{_TO}{_}?(?:the{_})?{MONTH})", re.IGNORECASE)
_IN_RANGE = re.compile(rf"(?<!\w)(?a:{MONTH}{_}?{_TO}{_}?)$", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?<!\w)(?a:between){_}(?:the{_})?$", re.IGNORECASE)
_CLAUSE_END = re.compile(r"\s*(?:$|[?!.,;:)\"])")
_REPEATED = re.compile(rf"(?<!\w)(?a:every|each|any){_}$", re.IGNORECASE)
_FOLLOWING = (
    "at", "and", "or", "but", "in", "with", "when", "did", "do", "does", "i", "we", "you", "he", "she", "they", "to",
    "about", "for", "from", "was", "were", "is", "what", "who", "because", "before", "after", "since", "so", "until",
)  # fmt: skip
"""Words that follow `the 23rd` where it is a day, and no floor."""
_NO_NOUN = re.compile(rf"{_}(?a:{any_of(_FOLLOWING)})(?!\w)", re.IGNORECASE)
_PART = (
    rf"(?:(?:early|late|mid)(?:-|{_}(?:in{_}|on{_})?(?:the{_})?)"
    rf"|(?:beginning|start|middle|end|(?:first|last){_}(?:day|week)s?){_}of{_}(?:the{_})?)"
)
_BEFORE_FIGURES = r"(?:(?<![\w.,:/$€£#+\-])|(?<=mid-))"
_AFTER_FIGURES = r"(?![/:\-]?\w|[.,]\d|%)"
_YEAR = rf"(?:{YEAR}(?!\w|[.,:]\d)|['’]\d\d(?!\w)|(?:last|this|next){_}year(?!\w))"
_OF_YEAR = rf"(?:(?:,{_}|,|{_}(?:of{_}|in{_})?)(?P<year>{_YEAR}))?"
_OF_YEAR2 = _OF_YEAR.replace("<year>", "<year2>")
_LATER_DAY = rf"(?:{_}?(?:-|–|—|to|until|till|through|(?P<and>and)){_}?(?P<last>{DAY}))?"
_LATER_DAY2 = _LATER_DAY.replace("<and>", "<and2>").replace("<last>", "<last2>")
_WHICH = rf"(?:(?P<which>{LAST_NEXT}){_})?"
_OF_DAY = rf"(?P<of_day>{_}(?:morning|afternoon|evening|night|noon))?"
_WEEK = rf"(?:(?:of|in){_})?(?:the{_})?{LAST_NEXT}{_}week"
_THIS_YEAR = r"(?:19|20)\d\d"
_OFTEN = "(?:week|month|quarter|year|decade)"
_KINDS: Mapping[str, tuple[str, Callable[[_Found], Meaning | None]]] = {
    "iso": (
        rf"{_BEFORE_FIGURES}(?P<year>{YEAR})(?:(?=-\d\d?-)|(?=/\d\d?/)|(?=\.\d\d?\.))[-/.](?P<month>\d\d?)[-/.]"
        rf"(?P<day>\d\d?)(?:T\d\d:\d\d(?::\d\d)?(?:\.\d{{1,6}})?(?:Z|[+-]\d\d:?\d\d)?)?{_AFTER_FIGURES}",
        _iso,
    ),
    "figures": (
        rf"{_BEFORE_FIGURES}(?P<all>(?P<one>\d\d?)(?:(?=\.\d\d?\.)|(?=/\d\d?/)|(?=-\d\d?-))[-/.](?P<two>\d\d?)[-/.]"
        rf"(?P<year>{YEAR}|\d\d)){_AFTER_FIGURES}",
        _figures,
    ),
    "month_in_figures": (
        rf"{_BEFORE_FIGURES}(?:(?P<year>{YEAR})[-/](?P<month>0[1-9]|1[0-2])"
        rf"|(?P<month2>0?[1-9]|1[0-2])/(?P<year2>{YEAR})){_AFTER_FIGURES}",
        _month_in_figures,
    ),
    "figures_without_year": (
        rf"{_BEFORE_FIGURES}(?P<all>(?P<one>\d\d?)(?:\.(?P<two>\d\d?)\.(?={_}\w|{_}?[,?!]|(?<=\d\d\.\d\d\.)$)|/(?P<two2>\d\d?)))"
        rf"{_AFTER_FIGURES}",
        _figures,
    ),
    "day_of_month": (
        rf"(?:{WEEKDAY},?{_}(?:the{_})?)?{_BEFORE_FIGURES}(?P<day>{DAY}){_LATER_DAY}{_}(?P<of>of{_})?(?P<month>{MONTH})"
        rf"{_OF_YEAR}|(?:{WEEKDAY},?{_})?(?P<month2>{MONTH}){_}(?P<of2>the{_})?(?P<day2>{DAY}(?![:.,]\d))"
        rf"{_LATER_DAY2}{_OF_YEAR2}",
        _day_of_month,
    ),
    "named_month": (rf"{_WHICH}(?P<month>{MONTH}){_OF_YEAR}", _named_month),
    "season": (rf"{_WHICH}(?P<season>{any_of(vocabulary.SEASONS)}){_OF_YEAR}", _season),
    "quarter": (rf"(?P<quarter>q[1-4]|{any_of(list(vocabulary.QUARTERS)[4:])}{_}quarter){_OF_YEAR}", _quarter),
    "holiday": (rf"{_WHICH}(?P<holiday>{any_of(calendar.HOLIDAYS)}){_OF_YEAR}", _holiday),
    "weekday": (
        rf"{_WHICH}(?P<weekday>{WEEKDAY})(?:,?{_}(?P<week>{_WEEK})|{_OF_DAY})"
        rf"|(?P<week2>{_WEEK}){_}(?:on{_})?(?P<weekday2>{any_of(WEEKDAYS)})",
        _weekday,
    ),
    "near_day": (
        rf"(?P<said>{any_of(vocabulary.NEAR_DAYS)}){_OF_DAY}",
        _near_day,
    ),
    "other_day": (rf"the{_}other{_}(?:day|night|evening|morning)", _other_day),
    "ago": (rf"(?:about{_}|around{_}|over{_})?(?P<amount>{AMOUNT}){_}(?:ago|back)(?P<today>{_}today)?", _ago),
    "hence": (rf"(?:(?P<amount>{AMOUNT}){_}from{_}(?:now|today)|in{_}(?P<amount2>{AMOUNT})(?:['’]?{_}time)?)", _hence),
    "sliding": (rf"(?P<which>{LAST_NEXT}){_}(?P<amount>{AMOUNT})(?!{_}of(?!\w))", _sliding),
    "second_unit": (rf"(?P<unit>{_OFTEN}|weekend){_}(?P<direction>before{_}last|after{_}next)", _second_unit),
    "unit": (rf"(?P<which>{LAST_NEXT}){_}(?P<unit>{_OFTEN}|weekend|fortnight)(?!{_}of(?!\w))", _unit),
    "weekend": ("weekend", _weekend),
    "decade": (
        rf"(?:the{_})?(?P<figures>(?:1[4-9]|20|21)\d0)['’]?s|the{_}(?:(?P<name>{any_of(vocabulary.DECADES)})"
        rf"|['’]?(?P<figures2>[5-9]0)['’]?s)",
        _decade,
    ),
    "nth": (
        rf"(?P<day>\d\d?(?:st|nd|rd|th))(?:{_}of{_}(?:the{_})?(?P<which>{LAST_NEXT}){_}month)?",
        _nth,
    ),
    "years": (
        rf"(?:year{_})?(?:{_BEFORE_FIGURES}(?<!\d\s)(?P<year>{_THIS_YEAR})(?:{_}?[-–—]{_}?(?P<last>{_THIS_YEAR}))?"
        rf"{_AFTER_FIGURES}(?!\s\d\d\d)|(?P<short>['’]\d\d))",
        _years,
    ),
}


def _unnamed(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_READERS = {
    name: (re.compile(rf"(?a:{pattern})(?!\w)", re.IGNORECASE), read) for name, (pattern, read) in _KINDS.items()
}
_PHRASE = re.compile(
    rf"(?<![\w'’])(?a:(?P<preposition>{_PREPOSITION}{_})?(?P<article>the{_})?(?P<part>{_PART})?)"
    rf"(?a:{'|'.join(f'(?P<{name}>{_unnamed(pattern)})' for name, (pattern, _read) in _KINDS.items())})(?!\w)",
    re.IGNORECASE,
)
