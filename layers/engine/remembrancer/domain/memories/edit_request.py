"""What a change of a stored memory may name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from remembrancer.domain.memories.memory import CATEGORIES, SOURCES, NewMemory
from remembrancer.domain.memories.write_request import metadata_field, text_field
from remembrancer.domain.requests.fields import Fields

STATUSES = ("active", "archived", "pending_review")
"""The statuses that a caller sets; the others follow from what is done."""
TEXTS = ("content", "summary", "context")
"""A change of one of these makes a new version."""

_CLEARED: Mapping[str, Any] = {
    "summary": None, "context": None, "valid_from": None, "expires_at": None, "tags": (), "metadata": {},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """Fields of NewMemory by name, and a status; what is not named stays."""

    fields: Mapping[str, Any]
    status: str | None = None

    def apply(self, memory: NewMemory) -> NewMemory:
        """The memory as it is to be."""
        return replace(memory, **self.fields)


def parse(body: object) -> Edit:
    """Null clears what is optional, as in RFC 7396, and is refused elsewhere; InvalidRequest names every bad field."""
    given = Fields(body)
    parsed: dict[str, Any] = {
        "content": text_field(given, "content"),
        "summary": text_field(given, "summary"),
        "context": text_field(given, "context"),
        "category": given.choice("category", CATEGORIES),
        "source": given.choice("source", SOURCES),
        "confidence": given.number("confidence", 0.8, 0, 1),
        "importance": given.number("importance", 0.5, 0, 1),
        "tags": given.strings("tags", most=20, longest=64),
        "metadata": metadata_field(given),
        "valid_from": given.timestamp("valid_from"),
        "expires_at": given.timestamp("expires_at"),
        "status": given.choice("status", STATUSES),
    }
    edited: dict[str, Any] = {}
    for name, value in parsed.items():
        if not given.has(name):
            continue
        empty = given.value(name) is None or value is None
        if empty and name not in _CLEARED:
            given.fail(name, "must not be null or empty")
        edited[name] = _CLEARED.get(name) if empty else value
    if not edited:
        given.fail("", "must name something to change")
    given.refuse_unknown()
    given.finish()
    return Edit({name: value for name, value in edited.items() if name != "status"}, edited.get("status"))
