"""The new turn in the messages of an assembled request, and its session."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from remembrancer.domain.capture.conversation import ROLES, Utterance, heard
from remembrancer.domain.context import chat_messages

Message = Mapping[str, Any]

MESSAGES = 8
"""Messages of user and assistant that are captured with each request: the new one, and those before it, of which some
may have been missed. Conversations recognise the others.
"""


def begins_turn(messages: Sequence[Message]) -> bool:
    """Whether the user spoke last: otherwise the agent is still at work on a turn that an earlier request began."""
    roles = (message.get("role") for message in reversed(messages))
    return next((role for role in roles if role in ROLES or role in _AT_WORK), "") == "user"


def newest(messages: Sequence[Message], observed_at: datetime) -> list[Utterance]:
    """What was said last, in order."""
    spoken = [message for message in messages if message.get("role") in ROLES and _has_text(message)]
    return heard(spoken[-MESSAGES:], observed_at)[0]


def session_of(messages: Sequence[Message], *, key: bytes) -> str:
    """The session of a chat whose requests name none: the same for all requests whose histories begin with the same
    message of the user. A keyed hash, since sessions are shown to those who may not see the text.
    """
    first = next((message for message in messages if message.get("role") == "user" and _has_text(message)), {})
    text = chat_messages.text_of(first.get("content")).strip()
    return f"assembled-{hmac.digest(key, b'session:' + text.encode(errors='replace'), 'sha256')[:16].hex()}"


def _has_text(message: Message) -> bool:
    return bool(chat_messages.text_of(message.get("content")).strip())


_AT_WORK = ("tool", "function")
