"""The grammar of times in English texts: finds them, and says which days or moments each may mean.

1. `vocabulary` gives each word and number a class, which is one letter.
2. One pattern over these letters finds the phrases: a preposition, a part (`early`, `the end of`), one of `_KINDS`.
3. The kind's reader decides whether this is a time (`may` is a verb, too), and makes its meaning.
4. The meaning is computed for a moment in the time zone of whoever speaks: its days are days there.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache

from remembrancer.domain.times import calendar, dates, relative_times, vocabulary
from remembrancer.domain.times.calendar import Days
from remembrancer.domain.times.found import CLAUSE_ENDS, PLACED, Found, Meaning, Moments

MOST = 64
"""Phrases of one text; later ones are not read."""


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
                is_onwards=words.text(end, end + 1) in _ONWARDS and classes[end + 1 : end + 2] in CLAUSE_ENDS,
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


def _found(words: _Words, classes: str, match: re.Match[str], parts: re.Match[str]) -> Found:
    named = {name: words.text(*parts.span(name)) for name, part in parts.groupdict().items() if part}
    (start, end), part = match.span(), words.text(*match.span("part")) if match["part"] else ""
    before = classes[max(start - 4, 0) : start]
    return Found(
        named,
        before,
        classes[end : end + 4],
        following=words.text(end, end + 1),
        is_placed=bool(match["preposition"] or part) or before[-1:] in PLACED,
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
        return [part for span in days if (part := _part(words, *span))[0] < part[1]]

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


_RELATIONS = frozenset("suBAFb")
"""Since, until, before, after, from, between."""
_JOINTS = frozenset("-uck")
"""`To` and the like, between the two ends of a range."""
_ONWARDS = frozenset(("on", "onward", "onwards"))

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
_KINDS: Mapping[str, tuple[str, Callable[[Found], Meaning | None]]] = {
    "iso": ("(?P<day>1)", dates.iso),
    "figures": ("(?P<date>2)", dates.figures),
    "figures_and_name": ("(?P<date>8)", dates.figures_and_name),
    "month_in_figures": ("(?P<date>3)", dates.month_in_figures),
    "figures_without_year": ("(?P<date>4)", dates.figures_without_year),
    "day_of_month": (
        rf"{_WHICH}?(?:[Ww],?t?)?(?P<day>{_DAY})(?:(?P<joint>[-uck])(?P<last>{_DAY}))?(?P<of>f)?(?P<month>M|m\.?){_OF_YEAR}"
        rf"|{_WHICH2}?(?:[Ww],?)?(?P<month2>M|m\.?)(?P<of2>t)?(?P<day2>{_DAY})(?:(?P<joint2>[-uck])(?P<last2>{_DAY}))?{_OF_YEAR2}",
        dates.day_of_month,
    ),
    "named_month": (rf"{_WHICH}?(?P<month>M|m\.?){_OF_YEAR}|(?P<year2>LJ),?i(?P<month2>M|m\.?)", dates.named_month),
    "season": (f"{_WHICH}?(?P<season>S){_OF_YEAR}|(?P<year2>LJ),?it?(?P<season2>S)", dates.season),
    "quarter": (f"(?P<quarter>Q|OU){_OF_YEAR}", dates.quarter),
    "holiday": (
        f"{_WHICH}?(?P<holiday>{_HOLIDAY}){_OF_YEAR}|(?P<year2>LJ),?[io]t?(?P<holiday2>{_HOLIDAY})",
        dates.holiday,
    ),
    "nth": ("(?:(?P<weekday>[Ww]),?t?)?(?P<day>D)(?:ft?(?P<which>LL?)(?P<unit>U))?", relative_times.nth),
    "weekday": (
        rf"{_WHICH}?(?P<weekday>W|w\.?)(?:,?[fi]?t?(?P<week>LL?I)|(?P<of_day>[PG]))?"
        "|(?P<week2>LL?I)o?(?P<weekday2>W)",
        relative_times.weekday,
    ),
    "near_day": ("(?:&(?P<shift>[BA]))?(?P<day>T)[PG]?", relative_times.near_day),
    "part_of_day": (f"{_WHICH}[PG]|(?P<second>GBL)", relative_times.part_of_day),
    "other_day": ("e(?P<unit>[&GP])", relative_times.other_day),
    "ago": (f"(?P<amount>{_AMOUNT})g(?P<today>T)?", relative_times.ago),
    "hence": (
        f"(?P<amount>{_AMOUNT})F(?P<from>[jT])|(?P<in>i)(?P<amount2>{_AMOUNT})(?:(?:'z?)?l)?",
        relative_times.hence,
    ),
    "sliding": (f"{_WHICH}(?P<amount>{_AMOUNT})(?!f)", relative_times.sliding),
    "second_unit": ("(?P<unit>[UIJK&])[BA](?P<which>L)", relative_times.second_unit),
    "unit": (f"{_WHICH}(?P<unit>[UIJK&])(?!f)", relative_times.unit),
    "this_unit": ("(?P<unit>[UIJ])", relative_times.this_unit),
    "weekends_ago": ("(?P<count>a|[dN]|a?vf?)Kg", relative_times.weekends_ago),
    "weekend": ("K", relative_times.weekend),
    "decade": ("'?(?P<figures>7)|(?P<name>Z)", dates.decade),
    "years": ("J?(?P<year>[Y5])|(?P<short>'d)", dates.years),
}
_PHRASE = re.compile(
    "(?=[1-8YDdnNavhiotpqLOWwMmSQHXTUIJKGZe&'])(?P<preposition>[io])?(?P<article>t)?(?P<part>p-?[io]?t?|qft?|[LOD][&Ih]ft?)?(?:"
    + "|".join(f"(?P<{name}>{re.sub('[?]P<[a-z0-9_]+>', '?:', pattern)})" for name, (pattern, _) in _KINDS.items())
    + ")"
)
