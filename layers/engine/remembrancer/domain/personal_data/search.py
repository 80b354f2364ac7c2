"""Finds personal data in texts and replaces it before they are processed: emails, phone, card and US security numbers.

The patterns are narrow on purpose: an order's number or a date that is taken for a phone number is lost. Texts are
searched in their folded form and changed in their original form.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from remembrancer.domain.capture.conversation import Utterance
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import email_addresses, personal_numbers
from remembrancer.domain.personal_data.folding import fold
from remembrancer.domain.personal_data.personal_numbers import PhoneFinder, Spans
from remembrancer.domain.personal_data.redaction import KINDS, Redaction, mark


def find(text: str, redaction: Redaction, find_phones: PhoneFinder) -> list[tuple[int, int, str]]:
    """Start, end and kind of the matches, in order and without overlap; an earlier kind takes precedence over a
    later one.
    """
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
    """The text with `[EMAIL]`, `[CARD]`, `[SSN]` and `[PHONE]` in it, and the number of each; idempotent."""
    counts: Counter[str] = Counter()
    # Repeated, since a replacement may reveal the kind of the text beside it.
    while found := find(text, redaction, find_phones):
        parts: list[str] = []
        at = 0
        for start, end, kind in found:
            parts += [text[at:start], mark(kind)]
            at = end
        text = "".join([*parts, text[at:]])
        counts.update(kind for *_, kind in found)
    return text, counts


def of_memory(memory: NewMemory, redaction: Redaction, find_phones: PhoneFinder) -> NewMemory:
    """Replaces in content, summary, context, tags and the texts in metadata; adds to the memory's counts of redactions.

    Ids stay, including end users' names and callers' references.
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


def of_utterance(
    utterance: Utterance, redaction: Redaction, find_phones: PhoneFinder
) -> tuple[Utterance, Mapping[str, int]]:
    """Replaces in text and speaker, whole as they are: cutting first could leave half of a number."""
    text, counts = redacted(utterance.text, redaction, find_phones)
    speaker, more = redacted(utterance.speaker or "", redaction, find_phones)
    return replace(utterance, text=text, speaker=speaker or None), dict(counts + more)
