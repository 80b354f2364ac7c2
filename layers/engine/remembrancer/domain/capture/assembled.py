"""The new turn in the messages of an assembled request, and its session."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from remembrancer.domain.capture.conversation import Utterance, heard
from remembrancer.domain.context import authored_text, chat_messages
from remembrancer.domain.context.authored_text import ROLES

Message = Mapping[str, Any]

MESSAGES = 8
"""Messages of user and assistant that are captured with each request: the new one, and those before it, of which some
may have been missed. Conversations recognise the others.
"""


def begins_turn(messages: Sequence[Message]) -> bool:
    """Whether the user spoke last: otherwise the agent is still at work on a turn that an earlier request began."""
    for message in reversed(messages):
        role = authored_text.role_of(message)
        if role == "user" and _is_said(message):
            return True
        if role in _AT_WORK or role in ROLES:
            return False
    return False


def newest(messages: Sequence[Message], observed_at: datetime) -> list[Utterance]:
    """What was said last, in order."""
    spoken = [message for message in messages if authored_text.role_of(message) in ROLES and _is_said(message)]
    return heard(spoken[-MESSAGES:], observed_at)[0]


def session_of(messages: Sequence[Message], *, key: bytes) -> str:
    """The session of a chat whose requests name none: the same for all requests whose histories begin with the same
    message of the user. A keyed hash, since sessions are shown to those who may not see the text.
    """
    users = (message for message in messages if authored_text.role_of(message) == "user")
    text = next((said for message in users if (said := authored_text.written(chat_messages.text_of(message)))), "")
    return f"assembled-{hmac.digest(key, b'session:' + text.encode(errors='replace'), 'sha256')[:16].hex()}"


def _is_said(message: Message) -> bool:
    return bool(authored_text.written(chat_messages.text_of(message)))


_AT_WORK = ("tool", "function")
