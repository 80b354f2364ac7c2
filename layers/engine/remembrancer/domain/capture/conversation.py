"""Parses requests that add messages to a conversation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.context import chat_messages
from remembrancer.domain.identity import agent_reference
from remembrancer.domain.memories.memory import normalise
from remembrancer.domain.memories.write_request import CONTENT_CHARACTERS, LATEST
from remembrancer.domain.requests.field_types import agent, end_user, text, timestamp
from remembrancer.domain.requests.fields import Fields

SPEAKER_CHARACTERS = 64
TURN_CHARACTERS = CONTENT_CHARACTERS - SPEAKER_CHARACTERS - 2
"""Characters kept of one message: its memory begins with the speaker."""
ROLES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Utterance:
    """The text of one message in its stored form; `speaker` is the message's `name`, if it has one."""

    role: str
    text: str
    speaker: str | None
    observed_at: datetime


@dataclass(frozen=True, slots=True)
class ConversationRequest:
    """A validated request; `skipped` counts the messages that are never kept, by reason.

    With `agent_name`, `agent_id` has no meaning until the name was resolved.
    """

    agent_id: UUID
    user_id: str | None
    session_id: str | None
    utterances: Sequence[Utterance]
    skipped: Mapping[str, int] = field(default_factory=dict)
    client_ref: str | None = None
    turn_id: str | None = None
    agent_name: str | None = None


NEW_CONVERSATION = Fields(
    "NewConversation",
    agent_id=agent(required=True),
    user_id=end_user(),
    session_id=text().described(description="Turns of one session continue one conversation."),
    messages=chat_messages.FIELD,
    observed_at=timestamp(),
    turn_id=text(),
    client_ref=text(),
)


def parse(body: object, *, now: datetime) -> ConversationRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    given = NEW_CONVERSATION.read(body)
    observed_at = given["observed_at"] or now
    if observed_at > LATEST:
        given.fail("observed_at", "is out of range")
    values = given.finish()
    utterances, skipped = heard(values["messages"], observed_at)
    reference: dict[str, Any] = agent_reference.fields_of(values["agent_id"], absent=UUID(int=0))
    named = {name: values[name] for name in ("user_id", "session_id", "client_ref", "turn_id")}
    return ConversationRequest(utterances=utterances, skipped=skipped, **named, **reference)


def heard(messages: Sequence[Mapping[str, Any]], observed_at: datetime) -> tuple[list[Utterance], Mapping[str, int]]:
    """The texts of users and assistants, in order, and the number of messages left out, by reason.

    Messages of other roles (system, tool, …) are left out, and those that contain only tool calls, pictures or text
    that assembly injected (`empty`). `cut` counts texts that were shortened to the length of a memory.
    """
    utterances: list[Utterance] = []
    skipped: Counter[str] = Counter()
    for message in messages:
        role = message.get("role")
        if role not in ROLES:
            skipped[str(role) if role in _OTHER_ROLES else "other"] += 1
            continue
        text = normalise(chat_messages.text_of(message.get("content")))
        if not text:
            skipped["empty"] += 1
            continue
        if len(text) > TURN_CHARACTERS:
            skipped["cut"] += 1
        name = message.get("name")
        speaker = normalise(name)[:SPEAKER_CHARACTERS] if isinstance(name, str) else ""
        utterances.append(Utterance(str(role), text[:TURN_CHARACTERS].rstrip(), speaker or None, observed_at))
    return utterances, dict(skipped)


def spoken(role: str, speaker: str | None, text: str) -> str:
    """The turn's text in a memory, after its speaker."""
    return f"{speaker or role.capitalize()}: {text}"


_OTHER_ROLES = ("system", "developer", "tool", "function")
