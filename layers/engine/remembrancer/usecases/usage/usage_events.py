"""The message format of usage events; refuses messages that this product's code cannot have written, whatever their
source.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.requests.field_types import choice, end_user, objects, text, timestamp, uuid
from remembrancer.domain.requests.fields import Fields, Given, OpenFields
from remembrancer.ports.usage import UsageEvent

MOST_MEMORIES = 1000
KINDS = ("assembly", "query")


def _check_ids(ids: Sequence[Any], given: Given, name: str) -> None:
    for number, identifier in enumerate(ids):
        given.nested(f"{name}[{number}]", _ID, {"id": identifier})


_ID = Fields(id=uuid(required=True))
USAGE_EVENT = OpenFields(
    event_id=uuid(required=True),
    org_id=uuid(required=True),
    agent_id=uuid(),
    kind=choice(KINDS, required=True),
    at=timestamp(required=True),
    memory_ids=objects(MOST_MEMORIES, {}, check=_check_ids, required=True),
    session_id=text(),
    user_id=end_user(),
    query_key=text(),
    actor=text(),
)


def parse(body: Any, *, now: datetime) -> UsageEvent:
    """Parses an event; InvalidRequest names each bad field.

    A memory counts once, however often it is named. A time later than `now` is replaced by `now`, since clocks differ.
    """
    event = USAGE_EVENT.parse(body)
    memory_ids = tuple(dict.fromkeys(UUID(text.strip()) for text in event["memory_ids"]))
    return UsageEvent(**{**event, "memory_ids": memory_ids, "at": min(event["at"], now)})


def message(event: UsageEvent) -> dict[str, Any]:
    """The message of an event; `parse` reads it."""
    return {
        "event_id": str(event.event_id),
        "org_id": str(event.org_id),
        "agent_id": str(event.agent_id) if event.agent_id else None,
        "memory_ids": [str(identifier) for identifier in event.memory_ids],
        "kind": event.kind,
        "at": event.at.isoformat(),
        "session_id": event.session_id,
        "user_id": event.user_id,
        "query_key": event.query_key,
        "actor": event.actor,
    }
