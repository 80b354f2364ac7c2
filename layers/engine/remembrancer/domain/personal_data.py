"""Personal data in texts, replaced before anything is made of them: emails, phone, card and US security numbers.

What a kind looks like is narrow on purpose: an order's number or a date that is taken for a phone number is lost.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from remembrancer.domain.memory import NewMemory
from remembrancer.domain.redaction import KINDS, Redaction

Spans = Iterable[tuple[int, int]]

_EMAIL = re.compile(
    r"(?<![\w.!#$%&'*+/=?^`{|}~-])[\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64}){0,8}"
    r"@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_](?:[\w-]{0,61}[^\W_])"
)
# Runs of 13 to 19 digits, in groups or not; what makes one a card is in `_is_card`.
_DIGITS = re.compile(r"(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)")
_ISSUED = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{11,14}"
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|62\d{14,17}"
)
# No area 000, 666 or 9xx, no group 00, no serial 0000 (Social Security Administration).
_SSN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}(?![\w-]|[.,]\d)")
_SAID_TO_BE_SSN = re.compile(r"\b(?:ssn|social security)(?: (?:number|no|is))*\W{0,3}$", re.IGNORECASE)
_SAID_TO_BE_PHONE = re.compile(
    r"\b(?:phone|tel|telephone|mobile|cell|call|fax|whatsapp|text)(?: (?:number|no|at|on|is|me))*\W{0,3}$",
    re.IGNORECASE,
)
_BEFORE = 40
"""So many characters before a number may say what it is."""


PhoneFinder = Callable[[str, str], Spans]
"""Where phone numbers may stand in a text, read as of a region."""


def redacted(text: str, redaction: Redaction, find_phones: PhoneFinder) -> tuple[str, Counter[str]]:
    """The text with `[EMAIL]`, `[CARD]`, `[SSN]` and `[PHONE]` in it, and how many of each; again changes nothing."""
    finders: Mapping[str, Callable[[], Spans]] = {
        "email": lambda: (match.span() for match in _EMAIL.finditer(text)),
        "card": lambda: (match.span() for match in _DIGITS.finditer(text) if _is_card(match[0])),
        "ssn": lambda: (match.span() for match in _SSN.finditer(text) if _is_ssn(text, match)),
        "phone": lambda: (span for span in find_phones(text, redaction.region) if _is_phone(text, *span)),
    }
    found: list[tuple[int, int, str]] = []
    for kind in KINDS:
        if kind in redaction.kinds:
            spans = [(start, end, kind) for start, end in finders[kind]()]
            found += [one for one in spans if not any(one[0] < end and start < one[1] for start, end, _ in found)]
    parts: list[str] = []
    at = 0
    for start, end, kind in sorted(found):
        parts += [text[at:start], f"[{kind.upper()}]"]
        at = end
    return "".join([*parts, text[at:]]), Counter(kind for *_, kind in found)


def of_memory(memory: NewMemory, redaction: Redaction, find_phones: PhoneFinder) -> NewMemory:
    """In content, summary, context, tags and the texts in metadata; adds to what the memory says was redacted.

    Ids, and so an end user's name and a reference of the caller's, stay what they are.
    """
    counts = Counter(memory.redactions)

    def clean(text: str) -> str:
        changed, found = redacted(text, redaction, find_phones)
        counts.update(found)
        return changed

    def cleaned(value: Any) -> Any:
        match value:
            case str():
                return clean(value)
            case Mapping():
                return {name: cleaned(item) for name, item in value.items()}
            case list():
                return [cleaned(item) for item in value]
        return value

    return replace(
        memory,
        content=clean(memory.content),
        summary=clean(memory.summary) if memory.summary else memory.summary,
        context=clean(memory.context) if memory.context else memory.context,
        tags=tuple(dict.fromkeys(map(clean, memory.tags))),
        metadata=cleaned(memory.metadata),
        redactions=dict(counts),
    )


def passes_luhn(digits: str) -> bool:
    """The check digit of ISO/IEC 7812."""
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _is_card(text: str) -> bool:
    """Of an issuer's range, with its check digit, and not one number behind the other."""
    groups = re.split("[ -]", text)
    digits = "".join(groups)
    is_grouped = len(groups) == 1 or all(3 < len(group) < 8 for group in groups[:-1])
    return is_grouped and bool(_ISSUED.fullmatch(digits)) and passes_luhn(digits)


def _is_ssn(text: str, match: re.Match[str]) -> bool:
    """With hyphens, or said to be one: nine digits are a number like any other."""
    return match[1] == "-" or _is_said(_SAID_TO_BE_SSN, text, match.start())


def _is_phone(text: str, start: int, end: int) -> bool:
    """With its country, in groups, or said to be one: digits in a row are more often something else."""
    raw = text[start:end]
    if raw.lstrip("(").startswith(("+", "00")) or _is_said(_SAID_TO_BE_PHONE, text, start):
        return True
    return bool(re.search(r"\d[-) ./]+\(?\d", raw))


def _is_said(words: re.Pattern[str], text: str, start: int) -> bool:
    return bool(words.search(text[max(start - _BEFORE, 0) : start]))
