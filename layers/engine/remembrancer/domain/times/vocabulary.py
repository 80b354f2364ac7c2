"""English words for times, and patterns made of them."""

import re
from collections.abc import Iterable

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
QUARTERS = {"q1": 0, "q2": 1, "q3": 2, "q4": 3, "first": 0, "second": 1, "third": 2, "fourth": 3}
DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}
NEAR_DAYS = {
    "day before yesterday": -2, "night before last": -2, "day after tomorrow": 2, "yesterday": -1, "last night": -1,
    "last evening": -1, "tomorrow": 1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0,
    "this evening": 0, "this night": 0,
}  # fmt: skip
"""Days from today. A part of a day means the day: what happened in it is told later, and dated by the day."""
WHICH = {
    "last": "last", "past": "last", "previous": "last", "this": "this", "current": "this", "next": "next",
    "coming": "coming",
}  # fmt: skip
SHIFTS = {"last": -1, "this": 0, "next": 1, "coming": 1}
PARTS = {"early": 0, "beginning": 0, "start": 0, "first": 0, "mid": 1, "middle": 1, "late": 2, "end": 2, "last": 2}
UNITS = {"min": "minute", "hr": "hour", "night": "day", "wk": "week", "yr": "year"}
HALVES = {
    "minute": (0.5, "minute"), "hour": (30, "minute"), "day": (12, "hour"), "week": (3.5, "day"),
    "fortnight": (1, "week"), "month": (2, "week"), "quarter": (6.5, "week"), "year": (2, "quarter"),
    "decade": (5, "year"),
}  # fmt: skip
"""Half a year is two quarters."""
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "a hundred": 100,
}  # fmt: skip
SOME = {
    "a couple of": (1.5, 3), "a couple": (1.5, 3), "couple of": (1.5, 3), "a few": (2, 6), "few": (2, 6),
    "several": (3, 9), "some": (2, 9), "a dozen": (12, 12),
}  # fmt: skip
"""The least and the most that people mean."""
_FIRST_TO_NINTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
ORDINALS = (
    *_FIRST_TO_NINTH, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth", *(f"twenty {word}" for word in _FIRST_TO_NINTH),
    "thirtieth", "thirty first",
)  # fmt: skip

_ = r"(?:[\s\u00a0\u202f]{1,3})"
"""A blank. Every repetition has a bound, so that a search takes time in proportion to the text."""


def any_of(words: Iterable[str]) -> str:
    """A pattern; longer words first, so that none hides another that begins with it."""
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(word.replace(" ", _).replace("'", "['’]") for word in ordered) + ")"


MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
SHORT_WEEKDAY = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b\.?"
WEEKDAY = f"(?:{any_of(WEEKDAYS)}|{SHORT_WEEKDAY})"
YEAR = r"(?:1[4-9]|20|21)\d\d"
LAST_NEXT = rf"(?:(?:this{_})?(?:past|coming)|last|previous|this|current|next)"
UNIT = "(?:minute|min|hour|hr|day|night|fortnight|week|wk|month|quarter|year|yr|decade)s?"
NUMBER = (
    rf"(?:\d{{1,4}}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty[\s-]{any_of(list(NUMBERS)[2:11])}"
    rf"|{any_of([*NUMBERS, *SOME])})"
)
AMOUNT = (
    rf"(?:half{_}an?{_}{UNIT}|{NUMBER}{_}and{_}a{_}half{_}{UNIT}|{NUMBER}{_}{UNIT}{_}and{_}a{_}half"
    rf"|{NUMBER}{_}(?:full{_}|whole{_})?{UNIT})"
)
DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{any_of(ORDINALS).replace(_, f'(?:{_}|-)')})(?!\w)"
_AMOUNT = re.compile(
    rf"(?:(?P<half>half) an? |(?P<count>{NUMBER}) )(?P<more>and a half )?(?:full |whole )?(?P<unit>{UNIT})"
    r"(?P<rest> and a half)?"
)


def amount_of(text: str) -> tuple[float, float, str]:
    """The least and the most units that an AMOUNT in plain lower case means, and the unit, which is smaller for halves:
    `a year and a half` is six quarters.
    """
    match = _AMOUNT.fullmatch(text)
    assert match is not None
    unit = match["unit"].rstrip("s")
    unit = UNITS.get(unit, unit)
    least, most = _count(match["count"]) if match["count"] else (0.0, 0.0)
    if not (match["half"] or match["more"] or match["rest"]):
        return least, most, unit
    half, unit = HALVES[unit]
    return (2 * least + 1) * half, (2 * most + 1) * half, unit


def _count(text: str) -> tuple[float, float]:
    if text in SOME:
        return SOME[text]
    if text.isdigit():
        return float(text), float(text)
    number = float(NUMBERS.get(text) or sum(NUMBERS[word] for word in text.replace("-", " ").split()))
    return number, number


def day_of_month(text: str) -> int:
    """Of a DAY in plain lower case."""
    return int(re.sub(r"\D", "", text)) if text[0].isdigit() else ORDINALS.index(text.replace("-", " ")) + 1


def month_of(text: str) -> int:
    """Of a MONTH in lower case, from 1."""
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(text[:3]))


def year_of(text: str) -> int:
    """Two figures are of 1970 to 2069."""
    figures = int(re.sub(r"\D", "", text))
    return figures if figures > 99 else figures + (2000 if figures < 70 else 1900)
