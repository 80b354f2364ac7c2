"""Finds dead-letter messages that contain an erased subject."""

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.scope import end_user_name


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A dead-letter message, hidden from other receivers while it is checked."""

    queue: str
    handle: str
    body: str


def read(body: str) -> Mapping[str, Any]:
    """Parses the message; empty when it is no JSON object."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def stored_ids(message: Mapping[str, Any]) -> frozenset[UUID]:
    """Ids of the memories and of the conversation that it mentions; invalid ids are left out."""
    several = message.get("memory_ids")
    named = [
        message.get("memory_id"),
        message.get("conversation_id"),
        *(several if isinstance(several, list) else []),
    ]
    return frozenset(found for text in named if (found := identifier(text)) is not None)


def identifier(text: object) -> UUID | None:
    """The value as UUID; None when it is none."""
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


def tells_of(
    message: Mapping[str, Any], kind: str, subject: str, *, org_id: UUID, elsewhere: Set[UUID], left: Set[UUID]
) -> bool:
    """Whether the message contains an erased subject, memory or conversation; `elsewhere` are agents outside the
    erasure, `left` memories and conversations that were kept.
    """
    if identifier(message.get("org_id")) != org_id:
        return False
    if kind == "organization" or stored_ids(message) - left:
        return True
    agent_id = identifier(message.get("agent_id"))
    if kind == "agent":
        return agent_id == identifier(subject)
    user_id = message.get("user_id")
    return isinstance(user_id, str) and end_user_name(user_id) == subject and agent_id not in elsewhere
