"""English words for times, each with a letter for its class, over which the grammar of `phrases` is written."""

import re
from collections.abc import Sequence

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990}
NEAR_DAYS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
WHICH = {
    "last": "last", "past": "last", "previous": "last", "this": "this", "current": "this", "next": "next",
    "coming": "coming",
}  # fmt: skip
PARTS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
UNITS = {
    "min": "minute", "minute": "minute", "hr": "hour", "hour": "hour", "day": "day", "fortnight": "fortnight",
    "wk": "week", "week": "week", "month": "month", "quarter": "quarter", "yr": "year", "year": "year",
    "decade": "decade", "night": "day", "weekend": "weekend",
}  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
CARDINALS = {word: number for word, number in NUMBERS.items() if word not in {"a", "an"}}
SOME = {"couple": (1.5, 3.0), "few": (2.0, 6.0), "several": (3.0, 9.0), "dozen": (12.0, 12.0)}
"""The least and the most that people mean."""
_HALVES = {
    "minute": (0.5, "minute"), "hour": (30, "minute"), "day": (12, "hour"), "week": (3.5, "day"),
    "fortnight": (1, "week"), "month": (2, "week"), "quarter": (6.5, "week"), "year": (2, "quarter"),
    "decade": (5, "year"),
}  # fmt: skip
"""Half a year is two quarters."""
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip

_WORDS = {
    "M": " ".join(MONTHS),
    "m": "jan feb mar apr jun jul aug sep sept oct nov dec",
    "W": " ".join(WEEKDAYS),
    "w": "mon tue tues wed thu thur thurs fri sat sun",
    "S": " ".join(SEASONS),
    "Z": " ".join(DECADES),
    "Q": "q1 q2 q3 q4",
    "U": "minute minutes min mins hour hours hr hrs fortnight fortnights month months quarter quarters decade decades",
    "&": "day days",
    "I": "week weeks wk wks",
    "J": "year years yr yrs",
    "K": "weekend weekends",
    "G": "night nights",
    "P": "morning afternoon evening noon",
    "T": " ".join(NEAR_DAYS),
    "L": " ".join(WHICH),
    "N": " ".join(CARDINALS),
    "a": "a an",
    "v": " ".join(SOME),
    "h": "half",
    "O": " ".join([*ORDINALS, "thirtieth"]),
    "H": "christmas xmas halloween thanksgiving easter valentine valentines",
    "X": "new boxing good",
    "E": "eve",
    "t": "the",
    "f": "of",
    "i": "in during",
    "o": "on at",
    "b": "between",
    "F": "from",
    "s": "since",
    "u": "until till through",
    "B": "before",
    "A": "after",
    "R": "by around throughout over",
    "c": "to",
    "k": "and",
    "r": "or",
    "p": "early late mid",
    "q": "beginning start middle end",
    "g": "ago back",
    "j": "now",
    "l": "time",
    "C": "full whole",
    "e": "other",
    "V": "every each any",
    "z": "s",
}
CLASSES = {word: letter for letter, words in _WORDS.items() for word in words.split()}
"""The class of each word that the grammar knows."""
_MARKS = {**dict.fromkeys("-–—", "-"), **dict.fromkeys("'’", "'"), **dict.fromkeys('?!;:)"', "?"), ",": ",", ".": "."}
OTHER = "x"
"""The class of everything else."""
_YEAR, _DAY = r"(?:1[4-9]|20|21)\d\d", r"\d\d?(?:st|nd|rd|th)?"
_NUMERALS = re.compile(
    rf"(?a:(?P<_1>{_YEAR}(?:-\d\d?-|/\d\d?/|\.\d\d?\.)\d\d?"
    r"(?:t\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?)"
    rf"|(?P<_2>\d\d?(?:\.\d\d?\.|/\d\d?/|-\d\d?-)(?:{_YEAR}|\d\d))"
    rf"|(?P<_8>\d\d?[-/.](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}[-/.](?:{_YEAR}|\d\d))"
    rf"|(?P<_3>{_YEAR}[-/](?:0[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/{_YEAR})"
    r"|(?P<_4>\d\d?(?:/\d\d?|\.\d\d?\.))"
    r"|(?P<_5>(?:19|20)\d\d[-–—](?:19|20)\d\d)"
    rf"|(?P<_6>{_DAY}[-–—]{_DAY})"
    r"|(?P<_7>(?:(?:1[4-9]|20|21)\d|[5-9])0s)"
    rf"|(?P<Y>{_YEAR})|(?P<d>\d\d?)|(?P<D>{_DAY})|(?P<n>\d{{3,4}}))"
)
_TOKEN = re.compile(r"(?P<figures>[0-9](?:[\w.,:/+%€–—-]*[\w%€])?)|(?P<word>[^\W_]+)|\S")
_SHORT_DATE = re.compile(r"(?a:\d\d?\.\d\d?)")
_POINT = re.compile(r"\.(?=\s{1,3}\w|\s?[,?!]|(?<=\d\d\.\d\d\.)$)")
_GLUED = re.compile(r"[\w.,:/$€£#+%@–—-]")


def tokens_of(text: str) -> tuple[list[tuple[int, int]], str]:
    """Where each word, run of figures or mark stands, and the letter of its class."""
    spans: list[tuple[int, int]] = []
    letters: list[str] = []
    place = 0
    while (match := _TOKEN.search(text, place)) is not None:
        start, place = match.span()
        if match.lastgroup == "word":
            letter = CLASSES.get(match[0].lower(), OTHER)
        elif match.lastgroup is None:
            letter = _MARKS.get(match[0], OTHER)
        else:
            is_joined = start > 0 and _GLUED.match(text[start - 1]) is not None and letters[-2:] != ["p", "-"]
            if not is_joined and _SHORT_DATE.fullmatch(match[0]) and (point := _POINT.match(text, place)):
                place = point.end()
            letter = OTHER if is_joined else _numeral(text[start:place])
        spans.append((start, place))
        letters.append(letter)
    return spans, "".join(letters)


def _numeral(figures: str) -> str:
    match = _NUMERALS.fullmatch(figures.lower())
    return OTHER if match is None else str(match.lastgroup)[-1]


def amount_of(text: str) -> tuple[float, float, str]:
    """The least and the most units that `three weeks` or `a year and a half` means, and the unit, which is smaller for
    halves: six quarters.
    """
    words = text.replace("-", " ").split()
    name = next(word for word in words if word in CLASSES and CLASSES[word] in "UIJKG&")
    unit = UNITS[name if name in UNITS else name[:-1]]
    counting = words[: words.index(name)] if words[0] != "half" else []
    counting = counting[: counting.index("and")] if "and" in counting else counting
    least, most = _count(counting)
    if "half" not in words:
        return least, most, unit
    half, unit = _HALVES[unit]
    return (2 * least + 1) * half, (2 * most + 1) * half, unit


def count_of(text: str) -> tuple[float, float]:
    """The least and the most that a number or `a few` means."""
    return _count(text.split())


def _count(words: Sequence[str]) -> tuple[float, float]:
    for word in words:
        if word in SOME:
            return SOME[word]
    number = float(sum(int(word) if word.isdigit() else NUMBERS.get(word, 0) for word in words))
    return number, number


def day_of_month(text: str) -> int:
    """Of figures or an ordinal in words; 0 for none."""
    if text[0].isdigit():
        return int(re.sub(r"\D", "", text))
    *tens, last = text.replace("-", " ").split()
    if last not in ORDINALS:
        return 30
    return ORDINALS.index(last) + 1 + (NUMBERS[tens[0]] if tens else 0)


def month_of(text: str) -> int:
    """From 1, of a name or its first letters."""
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(text[:3]))


def year_of(text: str) -> int:
    """Two figures are of 1970 to 2069."""
    figures = int(re.sub(r"\D", "", text))
    return figures if figures > 99 else figures + (2000 if figures < 70 else 1900)
