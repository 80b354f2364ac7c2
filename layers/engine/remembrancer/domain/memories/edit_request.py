"""Parses a change of a stored memory."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.memories.write_request import NEW_MEMORY, occurrence_problem
from remembrancer.domain.requests.field_types import boolean, choice
from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import InvalidRequest

STATUSES = ("active", "archived", "pending_review")
"""The statuses that a caller may set; other statuses result from operations."""
TEXTS = ("content", "summary", "context")
"""A change of one of these fields creates a new version."""

_CLEARED: Mapping[str, Any] = {
    "summary": None, "context": None, "valid_from": None, "expires_at": None, "occurred_from": None,
    "occurred_to": None, "tags": (), "metadata": {},
}  # fmt: skip
_CHANGEABLE = ("content", "category", "source", "confidence", "importance", "pinned", *_CLEARED)
MEMORY_CHANGE = Fields(
    "MemoryChange",
    **{name: replace(NEW_MEMORY.by_name[name], required=False, default=None) for name in _CHANGEABLE},
    status=choice(STATUSES),
    forget_proposed=boolean().described(description="false: its end user's wish to forget it is refused."),
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Changed fields of NewMemory by name, and a status; other fields stay. `is_kept`: a wish to forget is refused."""

    fields: Mapping[str, Any]
    status: str | None = None
    is_kept: bool = False

    def apply(self, memory: NewMemory, *, now: datetime) -> NewMemory:
        """The memory with the changes applied at `now`; InvalidRequest when they do not fit what stays."""
        changed = replace(memory, **self.fields)
        if changed.pinned is not None:
            # What is pinned already keeps its place.
            changed = replace(changed, pinned_at=(changed.pinned_at or now) if changed.pinned else None)
        if problem := occurrence_problem(changed.occurred_from, changed.occurred_to):
            raise InvalidRequest("The request has invalid fields: occurred_to.", fields={"occurred_to": problem})
        return changed


def parse(body: object) -> Edit:
    """Null clears an optional field, as in RFC 7396, and is refused elsewhere; InvalidRequest names every bad field."""
    given = MEMORY_CHANGE.read(body)
    for name in given.present - _CLEARED.keys():
        if given[name] is None:
            given.fail(name, "must not be null or empty")
    if given["forget_proposed"]:
        given.fail("forget_proposed", "can only be set to false; delete the memory to forget it")
    if not given.present:
        given.fail("", "must contain at least one field to change")
    values = given.finish()
    changed = {name: values[name] for name in given.present}
    cleared = {name: _CLEARED[name] for name, value in changed.items() if value is None}
    status = changed.pop("status", None)
    is_kept = changed.pop("forget_proposed", None) is False
    return Edit({**changed, **cleared}, status, is_kept)
