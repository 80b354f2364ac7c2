"""Personal data in texts, replaced before anything is made of them: emails, phone, card and US security numbers.

What a kind looks like is narrow on purpose: an order's number or a date that is taken for a phone number is lost. Texts
are searched in their folded form and changed in the one that they have.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import email_addresses, personal_numbers
from remembrancer.domain.personal_data.folding import fold
from remembrancer.domain.personal_data.personal_numbers import PhoneFinder, Spans
from remembrancer.domain.personal_data.redaction import KINDS, Redaction


def find(text: str, redaction: Redaction, find_phones: PhoneFinder) -> list[tuple[int, int, str]]:
    """Start, end and kind of what is to be replaced, in order and apart; an earlier kind goes before a later one."""
    folded = fold(text)
    finders: Mapping[str, Callable[[], Spans]] = {
        "email": lambda: email_addresses.find(folded.text),
        "card": lambda: personal_numbers.find_cards(folded.text),
        "ssn": lambda: personal_numbers.find_ssns(folded.text),
        "phone": lambda: personal_numbers.find_phones(folded.text, redaction.region, find_phones),
    }
    taken = bytearray(len(folded.text))
    found: list[tuple[int, int, str]] = []
    for kind in KINDS:
        for start, end in finders[kind]() if kind in redaction.kinds else ():
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append((*folded.original(start, end), kind))
    return sorted(found)


def redacted(text: str, redaction: Redaction, find_phones: PhoneFinder) -> tuple[str, Counter[str]]:
    """The text with `[EMAIL]`, `[CARD]`, `[SSN]` and `[PHONE]` in it, and how many of each; again changes nothing."""
    counts: Counter[str] = Counter()
    # What stood beside something else that was replaced may be told only then.
    while found := find(text, redaction, find_phones):
        parts: list[str] = []
        at = 0
        for start, end, kind in found:
            parts += [text[at:start], f"[{kind.upper()}]"]
            at = end
        text = "".join([*parts, text[at:]])
        counts.update(kind for *_, kind in found)
    return text, counts


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
