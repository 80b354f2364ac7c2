"""Usage events as they travel: what no code of ours can have written is refused, whoever put it into the queue."""

from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.requests.fields import Fields
from remembrancer.ports.usage import UsageEvent

MOST_MEMORIES = 1000
KINDS = ("assembly", "query")


def parse(body: Any, *, now: datetime) -> UsageEvent:
    """InvalidRequest naming each bad field.

    A memory counts once, however often it is named; what is said to have happened later than `now` happened now, since
    clocks differ.
    """
    fields = Fields(body)
    event_id = fields.uuid("event_id", required=True)
    org_id = fields.uuid("org_id", required=True)
    agent_id = fields.uuid("agent_id")
    kind = fields.choice("kind", KINDS)
    at = fields.timestamp("at")
    if kind is None or at is None:
        fields.fail("kind" if kind is None else "at", "is required")
    memory_ids = _memory_ids(fields)
    session_id, user_id, query_key = (
        fields.string(name, longest=256) for name in ("session_id", "user_id", "query_key")
    )
    fields.finish()
    assert event_id and org_id and kind and at
    return UsageEvent(event_id, org_id, agent_id, memory_ids, kind, min(at, now), session_id, user_id, query_key)


def message(event: UsageEvent) -> dict[str, Any]:
    """As it travels; `parse` reads it."""
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
    }


def _memory_ids(fields: Fields) -> tuple[UUID, ...]:
    """Each once, in their order."""
    found: dict[UUID, None] = {}
    for number, text in enumerate(fields.objects("memory_ids", most=MOST_MEMORIES, required=True)):
        named = Fields({"id": text}, errors=fields.errors, prefix=f"memory_ids[{number}].")
        if identifier := named.uuid("id", required=True):
            found[identifier] = None
    return tuple(found)
