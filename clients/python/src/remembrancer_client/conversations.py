"""What is captured of a conversation: what end users and assistants said, and nothing that was injected."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from remembrancer_client import authored_text, message_times
from remembrancer_client.end_users import end_user, is_blank
from remembrancer_client.injected_text import without_blocks
from remembrancer_client.placeholders import text_without_data, without_data

Message = Mapping[str, Any]

CaptureMode = Literal["users", "all", "off"]
"""What an integration captures: turns of named end users, all turns, or none. Of a turn without an end user the service
makes shared memories, which all end users see.
"""
MODES: tuple[CaptureMode, ...] = ("users", "all", "off")


def includes(mode: CaptureMode, user_id: str | None) -> bool:
    """Whether a turn of this end user is captured; `user_id` is None for a turn without an end user.

    One with a blank name never is: its memories would be shared.
    """
    if user_id is None:
        return mode == "all"
    return mode != "off" and not is_blank(user_id)


def spoken(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Role, text, name and time of each message of an end user or assistant, as far as they wrote it themselves.

    Left out are injected blocks, what hosts, models and tools put into a chat, pasted logs and code, pictures and
    files, messages of other roles or without text, what an assistant says while it calls a tool, and times that cannot
    be read.
    """
    found = (_said(messages, place) for place in range(len(messages)))
    return [one for one in found if one is not None]


def turn(messages: Sequence[Message], answer: str) -> list[dict[str, Any]]:
    """All that the end user said since the last final answer, and the assistant's answer to it; empty if one of them
    has no text. `messages` end before the answer.
    """
    places = authored_text.since_last_answer(messages)
    asked = [one for place in places if (one := _said(messages, place)) is not None]
    said = text(answer)
    return [*asked, {"role": "assistant", "content": said}] if asked and said else []


def sendable(messages: Sequence[Message]) -> list[Message]:
    """The messages for a conversation that is stored, without pictures, files and sounds, which the service never
    reads, in their texts too; times are in ISO 8601.
    """
    return without_data([_with_times(message) for message in messages])


def session(messages: Sequence[Message], answer: str, *, key: bytes) -> str:
    """A session for a client that names none but sends the whole conversation each time: the same for all its turns.

    A keyed hash of the first message of the end user and the first answer, so that it tells nothing of them.
    """
    said = [*spoken(messages), {"role": "assistant", "content": text(answer)}]
    first = next((place for place, one in enumerate(said) if one["role"] == "user"), 0)
    answered = next((one for one in said[first:] if one["role"] == "assistant"), said[-1])
    opening = "\0".join(" ".join(one["content"].split()) for one in (said[first], answered))
    return f"opening-{hmac.digest(key, opening.encode('utf-8', 'replace'), 'sha256')[:16].hex()}"


def derived_session(
    messages: Sequence[Message], *, agent_id: str | None, user_id: str | None, key: bytes
) -> str | None:
    """A session for assembly where the host names none: the same for each request of a conversation that sends its
    beginning again. None where the first message of the user has no text.

    A keyed hash of the agent, the end user, and the texts of the system before the first message of the user and of
    that message. So conversations of one end user that begin with the same words share a session.
    """
    opening: list[str] = []
    for message in messages:
        role = authored_text.role_of(message)
        if role in ("system", "developer", "user"):
            opening.append(text_of(message))
        if role == "user":
            return _derived([agent_id or "", end_user(user_id) or "", *opening], key) if opening[-1] else None
    return None


def text_of(message: Message) -> str:
    """The text of a message without injected blocks, and without pictures and files in it."""
    return text_without_data(without_blocks(authored_text.text_of(message)))


def text(content: Any) -> str:
    """What an assistant says to the user in a message's content, a string or a list of parts."""
    return authored_text.written(text_of({"content": content}))


def _derived(texts: Sequence[str], key: bytes) -> str:
    # With the number of texts' bytes, so that none can end in another.
    encoded = [text.encode("utf-8", "replace") for text in texts]
    opening = b"".join(b"%d:%s" % (len(text), text) for text in encoded)
    return f"derived-{hmac.digest(key, opening, 'sha256')[:16].hex()}"


def _said(messages: Sequence[Message], place: int) -> dict[str, Any] | None:
    """What `spoken` has of the message there; None for one that it leaves out."""
    message = messages[place]
    role = authored_text.role_of(message)
    if role != "user" and not authored_text.ends_turn(messages, place):
        return None
    read = text_of(message)
    said = authored_text.authored(read) if role == "user" else authored_text.written(read)
    if not said:
        return None
    name, said_at = message.get("name"), message_times.said_at(message)
    speaker = {"name": name} if isinstance(name, str) and name else {}
    return {"role": role, "content": said, **speaker, **({} if said_at is None else {"timestamp": said_at})}


def _with_times(message: Any) -> Any:
    if not isinstance(message, Mapping):
        return message
    dates = {name: message[name] for name in message_times.FIELDS if isinstance(message.get(name), date)}
    return {**message, **{name: message_times.in_iso(value) for name, value in dates.items()}} if dates else message
