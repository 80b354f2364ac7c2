"""Finds numbers of people in a folded text: payment cards, US social security numbers, phone numbers.

The words before a number help to decide its kind.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

Spans = Iterable[tuple[int, int]]
PhoneFinder = Callable[[str, str], Spans]
"""Finds phone numbers in a text, national ones read as of a region."""

_BEFORE = 48
"""Characters before a number that are searched for words that name its kind."""
_FILLER = r"(?:\W{1,3}(?:number|numbers|num|no|nr|on|file|is|was|reads|of|id|line|phone|at|to|me|him|her|us|them)\b)"
_SAID_TO_BE_SSN = re.compile(
    r"(?:\bssn|\bs\.s\.n|\bss(?=\W{0,3}#|\W{1,3}(?:number|num|no)\b)|\bsocial security|\bsoc(?:ial)?\.? sec(?:urity)?"
    r"|\bsocial(?=\W{0,3}(?:number|num|no|is|was|on|[:=#])))#?" + _FILLER + r"{0,4}\W{0,5}$",
    re.IGNORECASE,
)
_SAID_TO_BE_SSN_AFTER = re.compile(
    r"\W{0,3}(?:is |as |\()?(?:an? |the |her |his )?(?:ssn|social security)\b", re.IGNORECASE
)
_SAID_TO_BE_PHONE = re.compile(
    r"\b(?:phone|tel|telephone|mobile|cell|cellphone|call|fax|whatsapp|text|sms|ring|dial|contact|reach"
    r"|handy|handynummer|telefon|telefonnummer|rufnummer|ruf|mobil)" + _FILLER + r"{0,4}\W{0,5}$"
    r"|\b(?:(?:my|his|her|our|your|their|\w{1,24}'s)"
    r"(?: (?:new|old|home|work|office|direct|private|personal|other)){0,2} number"
    r"|(?:meine|deine|seine|ihre|unsere) nummer)(?:'s)?(?:\W{1,2}(?:is|was|now|ist|lautet)\b){0,2}\W{0,5}$",
    re.IGNORECASE,
)
_SAID_TO_BE_ANOTHER = re.compile(
    r"\b(?:order|invoice|ticket|case|part|sku|model|serial|tracking|item|article|artikel|batch|lot|reference|ref|account"
    r"|acct|isbn|issn|upc|ean|gtin|imei|version|build|bug|issue|booking|drawing|routing|iban|kundennummer|kunde"
    r"|bestellung|bestellnummer|rechnung|auftrag)(?:'s)?" + _FILLER + r"{0,3}\W{0,5}$",
    re.IGNORECASE,
)

_GROUP = re.compile(r"\d+")
_GAP = re.compile(r"[ \t\n./_-]{1,3}")
_ISSUED = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{11,14}"
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|62\d{14,17}"
)
_IBAN = re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){0,7} ?$")
_LONGEST_CARD = 19
# No area 000, 666 or 9xx, no group 00, no serial 0000 (Social Security Administration).
_SSN = re.compile(
    r"(?<![\w-])(?<!\d\.)(?!000|666|9)\d{3}(\s?[-.]?\s?)(?!00)\d{2}(\s?[-.]?\s?)(?!0000)\d{4}(?!\w|-\w|[.,]\d)"
)
# International prefix of most countries, replaced at equal length so that positions stay.
_DIALLED = re.compile(r"(?<![\w.,+-])00(?=[1-9])")


def find_cards(text: str) -> Iterator[tuple[int, int]]:
    """13 to 19 digits in an issuer's range with the check digit of ISO/IEC 7812, ungrouped or grouped as on cards."""
    groups = [match.span() for match in _GROUP.finditer(text)]
    linked = [
        _GAP.fullmatch(text, end, start) is not None and text.count("\n", end, start) < 2
        for (_, end), (start, _) in pairwise(groups)
    ]
    first = 0
    while first < len(groups):
        last = _last_group(text, groups, linked, first)
        if last is not None:
            yield groups[first][0], groups[last][1]
        first = first + 1 if last is None else last + 1


def find_ssns(text: str) -> Iterator[tuple[int, int]]:
    """Finds numbers with hyphens, unless the words before name another kind; without hyphens only where the text says
    that it is such a number.
    """
    for match in _SSN.finditer(text):
        signs = match[1].strip() or match[1][:1].replace("\n", " "), match[2].strip() or match[2][:1].replace("\n", " ")
        if signs[0] != signs[1]:
            continue
        said = _is_said(_SAID_TO_BE_SSN, text, match.start()) or _SAID_TO_BE_SSN_AFTER.match(text, match.end())
        if said or (signs[0] == "-" and not _is_said(_SAID_TO_BE_ANOTHER, text, match.start())):
            yield match.span()


def find_phones(text: str, region: str, find: PhoneFinder) -> Iterator[tuple[int, int]]:
    """Finds numbers with a country code, grouped ones, and those that the text calls phone numbers: plain runs of
    digits usually are something else.
    """
    dialled = _DIALLED.sub(" +", text.replace("\n", " "))
    for start, end in find(dialled, region):
        place = start - 1 if text.startswith("00", start - 1) and dialled[start] == "+" else start
        if _is_phone(text, place, end):
            yield place, end


def passes_luhn(digits: str) -> bool:
    """Whether the check digit of ISO/IEC 7812 is right."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _last_group(text: str, groups: list[tuple[int, int]], linked: list[bool], first: int) -> int | None:
    """The last group of the card that begins with the group `first`; None when there is none."""
    if not _may_begin(text, groups[first][0]):
        return None
    digits = ""
    ends: set[int] = set()
    for last in range(first, len(groups)):
        digits += text[slice(*groups[last])]
        if len(digits) > _LONGEST_CARD:
            return None
        if _ISSUED.fullmatch(digits) and passes_luhn(digits) and _is_grouped(ends, len(digits)):
            return last if _is_whole(text, groups, linked, first, last) else None
        ends.add(len(digits))
        if last == len(linked) or not linked[last]:
            return None
    return None


def _is_grouped(ends: set[int], count: int) -> bool:
    """Whether grouped by fours, or like the shorter cards: 4, 6 and the rest."""
    return ends <= {4, 8, 12, 16} or (count in (14, 15) and ends == {4, 10})


def _may_begin(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    if before.isalnum() or (before and before in "_+-,") or (before == "." and text[start - 2 : start - 1].isdecimal()):
        return False
    return _IBAN.search(text, max(start - _BEFORE, 0), start) is None


def _is_whole(text: str, groups: list[tuple[int, int]], linked: list[bool], first: int, last: int) -> bool:
    """Whether it is not a part of a longer number, separated into groups in the same way."""
    if re.match(r"\w|-\w|[.,]\d", text[groups[last][1] : groups[last][1] + 2]):
        return False
    inside = {text[groups[place][1] : groups[place + 1][0]] for place in range(first, last)}
    beside = [(first - 1, first - 1)] if first else []
    beside += [(last, last + 1)] if last < len(linked) else []
    return not any(
        linked[gap]
        and text[groups[gap][1] : groups[gap + 1][0]] in inside
        and groups[neighbour][1] - groups[neighbour][0] > 3
        for gap, neighbour in beside
    )


def _is_phone(text: str, start: int, end: int) -> bool:
    raw = text[start:end].lstrip("(")
    if raw.startswith("+"):
        return True
    if _is_said(_SAID_TO_BE_ANOTHER, text, start):
        return False
    in_groups = re.search(r"\d[-) ./\n]+\(?\d", raw) is not None
    return raw.startswith("00") or in_groups or _is_said(_SAID_TO_BE_PHONE, text, start)


def _is_said(words: re.Pattern[str], text: str, start: int) -> bool:
    # A placeholder of an earlier redaction does not tell the kind of the number after it.
    return words.search(text[max(start - _BEFORE, 0) : start].rpartition("]")[2]) is not None
