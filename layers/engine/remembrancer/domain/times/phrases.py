"""The grammar of times in English texts: finds them, and says which days or moments each may mean.

1. `vocabulary` gives each word and number a class, which is one letter.
2. One pattern over these letters finds the phrases: a preposition, a part (`early`, `the end of`), one of `_KINDS`.
3. The kind's reader decides whether this is a time (`may` is a verb, too), and makes its meaning.
4. The meaning is computed for a moment in the time zone of whoever speaks: its days are days there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, lru_cache

from remembrancer.domain.times import calendar, vocabulary
from remembrancer.domain.times.calendar import Days, OfYear

MOST = 64
Moments = tuple[datetime, datetime]
"""The first moment, and the one after the last."""
Meaning = Callable[[datetime], Sequence[Days | Moments]]
"""What a phrase may mean at a moment; raises ValueError or OverflowError beyond the ends of the calendar."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time in a text, from `start` to before `end`; `kind` is one of `_KINDS`.

    `relation` is the class of the word before it, as of `since`; `joint` of what alone stands between it and the phrase
    before, as of `to`; empty otherwise. `is_onwards`: `from Friday on`.
    """

    start: int
    end: int
    kind: str
    meaning: Meaning
    relation: str = ""
    joint: str = ""
    is_onwards: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A match of a kind: its named parts in lower case, the classes of the tokens around it, and the next word.

    `is_placed`: a preposition or a word such as `early` says that a time follows. `has_article`: `the` stands before
    it, and `preposition`: the one that does; empty where a `part` stands between.
    """

    parts: Mapping[str, str]
    before: str
    after: str
    following: str
    is_placed: bool
    has_article: bool
    preposition: str
    part: str

    def __getitem__(self, name: str) -> str:
        """Empty where the part is missing; of the parts `day` and `day2`, the one that is there."""
        return self.parts.get(name) or self.parts.get(f"{name}2", "")

    @property
    def which(self) -> str:
        """`last`, `this`, `next` or `coming`; empty without."""
        return vocabulary.WHICH.get(self["which"].split(" ")[-1], "")

    @property
    def ends(self) -> bool:
        """Whether a clause ends behind it."""
        return self.after[:1] in _CLAUSE_ENDS


@lru_cache(maxsize=64)
def find(text: str) -> tuple[Phrase, ...]:
    """The first `MOST` times in the text, in order, without overlaps."""
    tokens, classes = vocabulary.tokens_of(text)
    found: list[Phrase] = []
    place = last = 0
    while len(found) < MOST and (match := _PHRASE.search(classes, place)) is not None:
        kind, (start, end) = str(match.lastgroup), match.span()
        read = _KINDS[kind][1]
        parts = _pattern(kind).match(classes, match.start(kind))
        meaning = None
        if parts is not None and parts.end() == end:
            meaning = read(_found(_Words(text, tokens), classes, match, parts))
        if meaning is None:
            place = start + 1
            continue
        words = _Words(text, tokens)
        if match["part"]:
            meaning = _part_of(words.text(*match.span("part")).split(" "), meaning)
        before = classes[start - 1 : start]
        found.append(
            Phrase(
                tokens[start][0],
                tokens[end - 1][1],
                kind,
                meaning,
                relation=before if before in _RELATIONS else "",
                joint=_joint(classes[last:start]) if found else "",
                is_onwards=words.text(end, end + 1) in _ONWARDS and classes[end + 1 : end + 2] in _CLAUSE_ENDS,
            )
        )
        place = last = end
    return tuple(found)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """With names for the parts; few of them are ever needed."""
    return re.compile(_KINDS[kind][0])


@dataclass(frozen=True, slots=True)
class _Words:
    """A text by its tokens."""

    whole: str
    spans: Sequence[tuple[int, int]]

    def text(self, start: int, end: int) -> str:
        """The tokens from one place to before another, in lower case with blanks between."""
        return " ".join(self.whole[first:after].lower() for first, after in self.spans[start:end])


def _found(words: _Words, classes: str, match: re.Match[str], parts: re.Match[str]) -> _Found:
    named = {name: words.text(*parts.span(name)) for name, part in parts.groupdict().items() if part}
    (start, end), part = match.span(), words.text(*match.span("part")) if match["part"] else ""
    before = classes[max(start - 4, 0) : start]
    return _Found(
        named,
        before,
        classes[end : end + 4],
        following=words.text(end, end + 1),
        is_placed=bool(match["preposition"] or part) or before[-1:] in _PLACED,
        has_article=bool(match["article"]) and not part,
        preposition=words.text(*match.span("preposition")) if match["preposition"] and not part else "",
        part=part,
    )


def _joint(between: str) -> str:
    return between.removeprefix(",") if between.removeprefix(",") in _JOINTS else ""


def _part_of(words: Sequence[str], whole: Meaning) -> Meaning:
    """`Early`, `the end of`: a third; `the second week of`, `the last day of`, `the first half of`."""

    def meant(now: datetime) -> Sequence[Days | Moments]:
        days = [(first, end) for first, end in whole(now) if not isinstance(first, datetime)]
        return [part for one in days if (part := _part(words, *one))[0] < part[1]]

    return meant


def _part(words: Sequence[str], first: date, end: date) -> Days:
    third = next((number for word, number in vocabulary.PARTS.items() if word in words), None)
    if third is not None:
        return calendar.third((first, end), third)
    if "half" in words:
        middle = first + (end - first).days // 2 * calendar.DAY
        return (first, middle) if words[0] in {"first", "1st"} else (middle, end)
    length = (7 if "week" in words else 1) * calendar.DAY
    if words[0] in vocabulary.WHICH:
        return (end - length, end) if words[0] == "last" else (first, end)
    begin = first + (vocabulary.day_of_month(words[0]) - 1) * length
    return begin, min(begin + length, end)


def _iso(found: _Found) -> Meaning | None:
    year, month, number = re.split("[-/.]", found["day"].split("t")[0])
    day = _valid(int(year), int(month), int(number))
    return None if day is None else lambda now: [calendar.one(day)]


def _figures(found: _Found) -> Meaning | None:
    """With points the day is first; `05/06/2026` may be two days. Two figures for the year need a preposition before
    points, since they may be those of a version.
    """
    one, two, year = re.split("[-/.]", found["date"])
    if len(year) == 2 and "/" not in found["date"] and not _is_on(found):
        return None
    days = [_valid(vocabulary.year_of(year), month, day) for month, day in _readings(found["date"], int(one), int(two))]
    valid = [day for day in days if day is not None]
    return (lambda now: [calendar.one(day) for day in valid]) if valid else None


def _figures_and_name(found: _Found) -> Meaning | None:
    """`23-Nov-2026`."""
    number, name, year = re.split("[-/.]", found["date"])
    day = _valid(vocabulary.year_of(year), vocabulary.month_of(name), int(number))
    return None if day is None else lambda now: [calendar.one(day)]


def _figures_without_year(found: _Found) -> Meaning | None:
    """Behind a preposition: half a cup is 1/2, and a price 11.20."""
    one, two = map(int, re.split("[/.]", found["date"])[:2])
    if not _is_on(found) or (one, two) == (24, 7):
        return None
    readings = [_day(*reading) for reading in _readings(found["date"], one, two) if _valid(2000, *reading)]
    if not readings:
        return None
    return lambda now: [days for of_year in readings for days in calendar.annual(of_year, now.date(), "")]


def _is_on(found: _Found) -> bool:
    """Whether a preposition of days says that this is one: half an hour may be `in 1/2 hour`."""
    return found.preposition == "on" or found.before[-1:] in _PLACED


def _readings(written: str, one: int, two: int) -> list[tuple[int, int]]:
    """Month and day, in each order that the form allows."""
    return [(two, one)] if "." in written or one == two else [(two, one), (one, two)]


def _month_in_figures(found: _Found) -> Meaning:
    year, month = sorted(map(int, re.split("[-/]", found["date"])), reverse=True)
    return lambda now: [calendar.month(year, month)]


def _day_of_month(found: _Found) -> Meaning | None:
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


def _named_month(found: _Found) -> Meaning | None:
    number = vocabulary.month_of(found["month"])
    is_short = found["month"] not in vocabulary.MONTHS
    is_range = _IN_RANGE.search(found.before) or _RANGE.match(found.after)
    is_placed = found["year"] or is_range or (found.is_placed and found.preposition not in {"on", "at"})
    is_chosen = found.which and (number not in _WORDS_TOO or found.ends)
    if (is_short or number in _NAMES_TOO) and not (is_placed or is_chosen):
        return None
    return _yearly(_month(number), found)


def _season(found: _Found) -> Meaning | None:
    is_word = found["season"] in {"spring", "fall"}
    if not (found["year"] or found.which or found.is_placed or (found.has_article and not is_word)):
        return None
    return _yearly(calendar.season(vocabulary.SEASONS[found["season"]]), found)


def _quarter(found: _Found) -> Meaning | None:
    word, *rest = found["quarter"].split(" ")
    number = vocabulary.ORDINALS.index(word) if rest else int(word[1]) - 1
    if number > 3 or (rest and rest != ["quarter"]):
        return None
    if not (found["year"] or (not rest and (found.is_placed or found.ends))):
        return None
    return _yearly(lambda year: calendar.month(year, 3 * number + 1, 3), found)


def _holiday(found: _Found) -> Meaning | None:
    of_year = calendar.HOLIDAYS.get(found["holiday"].replace(" ' ", "").replace(" ’ ", ""))
    return None if of_year is None else _yearly(of_year, found)


def _yearly(of_year: OfYear, found: _Found) -> Meaning:
    """In the year that is said, else in the years around. A winter of 2024 begins or ends in it."""
    said, which = found["year"], found.which

    def meant(now: datetime) -> Sequence[Days]:
        if not said:
            return calendar.annual(of_year, now.date(), which)
        shift = _SHIFTS.get(vocabulary.WHICH.get(said.split(" ")[0], ""))
        year = vocabulary.year_of(said) if shift is None else now.year + shift
        days = of_year(year)
        return [days] if days[1] <= date(year + 1, 1, 2) else [of_year(year - 1), days]

    return meant


def _weekday(found: _Found) -> Meaning | None:
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
        shift = _SHIFTS[vocabulary.WHICH[found["week"].split(" ")[-2]]]
        return lambda now: [calendar.one(calendar.unit("week", now.date(), shift)[0] + number * calendar.DAY)]
    which = found.which
    return lambda now: calendar.weekday(number, now.date(), which)


def _near_day(found: _Found) -> Meaning | None:
    """A part of a day means the day: what happened in it is told later, and dated by the day."""
    shift = vocabulary.NEAR_DAYS[found["day"]] + {"": 0, "before": -1, "after": 1}[found["shift"]]
    return lambda now: [calendar.one(now.date() + shift * calendar.DAY)]


def _part_of_day(found: _Found) -> Meaning | None:
    """`Last night` is yesterday, `this evening` today."""
    shift = -2 if found["second"] else {"last": -1, "this": 0}.get(found.which)
    return None if shift is None else lambda now: [calendar.one(now.date() + shift * calendar.DAY)]


def _other_day(found: _Found) -> Meaning | None:
    """In the last week, not today."""
    if not found.has_article or found["unit"].endswith("s"):
        return None
    return lambda now: [(now.date() - 7 * calendar.DAY, now.date())]


def _ago(found: _Found) -> Meaning | None:
    return _away(found["amount"], -1, is_exact=found["today"] == "today")


def _hence(found: _Found) -> Meaning | None:
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


def _sliding(found: _Found) -> Meaning:
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


def _unit(found: _Found) -> Meaning | None:
    """A calendar week, month, quarter, year or decade. `The last year` and `the past year` are sliding."""
    unit, which, said = vocabulary.UNITS.get(found["unit"], ""), found.which, found["which"]
    if not unit:
        return None
    if unit == "weekend":
        return lambda now: calendar.weekend(now.date(), which)
    if unit == "fortnight" or said.endswith("past") or (found.has_article and said == "last"):
        return _sliding(replace(found, parts={"amount": f"one {unit}", "which": which}))
    if unit in {"day", "hour", "minute"}:
        return None
    return lambda now: [calendar.unit(unit, now.date(), _SHIFTS[which])]


def _this_unit(found: _Found) -> Meaning | None:
    """`The end of the year`."""
    unit = vocabulary.UNITS.get(found["unit"], "")
    if not found.part or unit not in {"week", "month", "quarter", "year", "decade"}:
        return None
    return lambda now: [calendar.unit(unit, now.date())]


def _weekends_ago(found: _Found) -> Meaning | None:
    least, most = vocabulary.count_of(found["count"])
    first, last = round(least), round(most)
    return lambda now: [calendar.unit("weekend", now.date(), -back) for back in range(first, last + 1)] if first else []


def _second_unit(found: _Found) -> Meaning | None:
    """`The week before last`, `the month after next`."""
    unit, shift = vocabulary.UNITS.get(found["unit"], ""), {"last": -2, "next": 2}.get(found.which)
    if unit in {"", "hour", "minute", "fortnight"} or shift is None:
        return None
    return lambda now: [calendar.unit(unit, now.date(), shift)]


def _weekend(found: _Found) -> Meaning | None:
    return (lambda now: calendar.weekend(now.date(), "")) if found.is_placed or found.has_article else None


def _decade(found: _Found) -> Meaning | None:
    figures = found["figures"].rstrip("s")
    if len(figures) != 4 and not found.has_article:
        # `She is in her nineties.`
        return None
    first = vocabulary.year_of(figures) if figures else vocabulary.DECADES[found["name"]]
    return lambda now: [calendar.month(first, 1, 120)]


def _nth(found: _Found) -> Meaning | None:
    """`On the 23rd`: of this month and of the last one, or of the month that is named."""
    is_certain = found["which"] or found.ends or found.following in _FOLLOWING
    if not ((found.is_placed or found["weekday"]) and is_certain and found["unit"] in {"", "month"}):
        return None
    day, shifts = vocabulary.day_of_month(found["day"]), [_SHIFTS[found.which]] if found["which"] else [-1, 0]
    if found["weekday"] and not found["which"]:
        shifts.append(1)

    def meant(now: datetime) -> Sequence[Days]:
        months = [calendar.unit("month", now.date(), shift) for shift in shifts]
        days = [(first + (day - 1) * calendar.DAY, end) for first, end in months]
        return [calendar.one(date) for date, end in days if day and date < end]

    return meant


def _years(found: _Found) -> Meaning | None:
    """As 1900 to 2099: other figures are numbers more often."""
    if (found["short"] and not found.is_placed) or found.before[-1:] in _NUMERALS or found.after[:1] == "n":
        return None
    first, *others = map(vocabulary.year_of, re.split("[-–—]", found["year"] or found["short"]))
    last = others[0] if others else first
    if not 1900 <= first <= last < 2100:
        return None
    return lambda now: [(date(first, 1, 1), date(last + 1, 1, 1))]


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
_SHIFTS = {"last": -1, "this": 0, "next": 1, "coming": 1}
_WORDS_TOO = frozenset({3, 5})
"""March and May are verbs, too."""
_NAMES_TOO = frozenset({3, 4, 5, 6, 8})
"""People are called April, May, June and August: alone, they are no months."""
_SHORT_WORDS = frozenset({"sat", "sun", "wed"})
_FOLLOWING = frozenset((
    "at", "and", "or", "but", "in", "with", "when", "did", "do", "does", "i", "we", "you", "he", "she", "they", "to",
    "about", "for", "from", "was", "were", "is", "what", "who", "because", "before", "after", "since", "so", "until",
))  # fmt: skip
"""Words that follow `the 23rd` where it is a day, and no floor."""
_RELATIONS = frozenset("suBAFb")
"""Since, until, before, after, from, between."""
_JOINTS = frozenset("-uck")
"""`To` and the like, between the two ends of a range."""
_CLAUSE_ENDS = frozenset(("", "?", ".", ","))
_ONWARDS = frozenset(("on", "onward", "onwards"))
_PLACED = frozenset("suBARbF")
_NUMERALS = frozenset("dDnY")
_RANGE, _IN_RANGE = re.compile("[-uckr]t?[Mm]"), re.compile(r"[Mm]\.?,?Y?[-uckr]$")

# Classes are letters of `vocabulary`; names with a 2 are second places of the same part.
_DAY = "(?:[dD6]|(?:N-?)?O)"
_UNIT = "[UIJG&]"
_NUMBER = "(?:[dn]|N(?:-?N)?|a?vf?|a)"
_AMOUNT = f"(?:ha{_UNIT}|{_NUMBER}kahC?{_UNIT}|{_NUMBER}{_UNIT}kah|{_NUMBER}C?{_UNIT})"
_OF_YEAR = "(?:,?[fi]?(?P<year>Y|'d|LJ))?"
_OF_YEAR2 = _OF_YEAR.replace("year", "year2")
_WHICH = "(?P<which>LL?)"
_HOLIDAY = "(?:H(?:'z)?[E&W]?|XJ(?:'?z)?[E&]?|X[&W])"
_WHICH2 = "(?P<which2>LL?)"
_KINDS: Mapping[str, tuple[str, Callable[[_Found], Meaning | None]]] = {
    "iso": ("(?P<day>1)", _iso),
    "figures": ("(?P<date>2)", _figures),
    "figures_and_name": ("(?P<date>8)", _figures_and_name),
    "month_in_figures": ("(?P<date>3)", _month_in_figures),
    "figures_without_year": ("(?P<date>4)", _figures_without_year),
    "day_of_month": (
        rf"{_WHICH}?(?:[Ww],?t?)?(?P<day>{_DAY})(?:(?P<joint>[-uck])(?P<last>{_DAY}))?(?P<of>f)?(?P<month>M|m\.?){_OF_YEAR}"
        rf"|{_WHICH2}?(?:[Ww],?)?(?P<month2>M|m\.?)(?P<of2>t)?(?P<day2>{_DAY})(?:(?P<joint2>[-uck])(?P<last2>{_DAY}))?{_OF_YEAR2}",
        _day_of_month,
    ),
    "named_month": (rf"{_WHICH}?(?P<month>M|m\.?){_OF_YEAR}|(?P<year2>LJ),?i(?P<month2>M|m\.?)", _named_month),
    "season": (f"{_WHICH}?(?P<season>S){_OF_YEAR}|(?P<year2>LJ),?it?(?P<season2>S)", _season),
    "quarter": (f"(?P<quarter>Q|OU){_OF_YEAR}", _quarter),
    "holiday": (
        f"{_WHICH}?(?P<holiday>{_HOLIDAY}){_OF_YEAR}|(?P<year2>LJ),?[io]t?(?P<holiday2>{_HOLIDAY})",
        _holiday,
    ),
    "nth": ("(?:(?P<weekday>[Ww]),?t?)?(?P<day>D)(?:ft?(?P<which>LL?)(?P<unit>U))?", _nth),
    "weekday": (
        rf"{_WHICH}?(?P<weekday>W|w\.?)(?:,?[fi]?t?(?P<week>LL?I)|(?P<of_day>[PG]))?"
        "|(?P<week2>LL?I)o?(?P<weekday2>W)",
        _weekday,
    ),
    "near_day": ("(?:&(?P<shift>[BA]))?(?P<day>T)[PG]?", _near_day),
    "part_of_day": (f"{_WHICH}[PG]|(?P<second>GBL)", _part_of_day),
    "other_day": ("e(?P<unit>[&GP])", _other_day),
    "ago": (f"(?P<amount>{_AMOUNT})g(?P<today>T)?", _ago),
    "hence": (f"(?P<amount>{_AMOUNT})F(?P<from>[jT])|(?P<in>i)(?P<amount2>{_AMOUNT})(?:(?:'z?)?l)?", _hence),
    "sliding": (f"{_WHICH}(?P<amount>{_AMOUNT})(?!f)", _sliding),
    "second_unit": ("(?P<unit>[UIJK&])[BA](?P<which>L)", _second_unit),
    "unit": (f"{_WHICH}(?P<unit>[UIJK&])(?!f)", _unit),
    "this_unit": ("(?P<unit>[UIJ])", _this_unit),
    "weekends_ago": ("(?P<count>a|[dN]|a?vf?)Kg", _weekends_ago),
    "weekend": ("K", _weekend),
    "decade": ("'?(?P<figures>7)|(?P<name>Z)", _decade),
    "years": ("J?(?P<year>[Y5])|(?P<short>'d)", _years),
}
_PHRASE = re.compile(
    "(?=[1-8YDdnNavhiotpqLOWwMmSQHXTUIJKGZe&'])(?P<preposition>[io])?(?P<article>t)?(?P<part>p-?[io]?t?|qft?|[LOD][&Ih]ft?)?(?:"
    + "|".join(f"(?P<{name}>{re.sub('[?]P<[a-z0-9_]+>', '?:', pattern)})" for name, (pattern, _) in _KINDS.items())
    + ")"
)
