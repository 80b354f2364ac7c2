"""What is captured of a conversation: what end users and assistants said, and nothing that was injected."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from remembrancer_client import authored_text
from remembrancer_client.end_users import is_blank
from remembrancer_client.injected_text import without_blocks

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
    """Role, text and name of each message of an end user or assistant, as far as they wrote it themselves.

    Left out are injected blocks, what hosts, models and tools put into a chat, pasted logs and code, pictures and
    files, messages of other roles or without text, and what an assistant says while it calls a tool.
    """
    found = []
    for place, message in enumerate(messages):
        role = authored_text.role_of(message)
        read = text_of(message)
        said = authored_text.authored(read) if role == "user" else authored_text.written(read)
        is_turn = role == "user" or authored_text.ends_turn(messages, place)
        if said and is_turn:
            name = message.get("name")
            speaker = {"name": name} if isinstance(name, str) and name else {}
            found.append({"role": role, "content": said, **speaker})
    return found


def turn(messages: Sequence[Message], answer: str) -> list[dict[str, Any]]:
    """All that the end user said since the last final answer, and the assistant's answer to it; empty if one of them
    has no text.
    """
    asked: list[dict[str, Any]] = []
    for one in reversed(spoken(messages)):
        if one["role"] != "user":
            break
        asked.insert(0, one)
    said = text(answer)
    return [*asked, {"role": "assistant", "content": said}] if asked and said else []


def session(messages: Sequence[Message], answer: str, *, key: bytes) -> str:
    """A session for a client that names none but sends the whole conversation each time: the same for all its turns.

    A keyed hash of the first message of the end user and the first answer, so that it tells nothing of them.
    """
    said = [*spoken(messages), {"role": "assistant", "content": text(answer)}]
    first = next((place for place, one in enumerate(said) if one["role"] == "user"), 0)
    answered = next((one for one in said[first:] if one["role"] == "assistant"), said[-1])
    opening = "\0".join(" ".join(one["content"].split()) for one in (said[first], answered))
    return f"opening-{hmac.digest(key, opening.encode('utf-8', 'replace'), 'sha256')[:16].hex()}"


def text_of(message: Message) -> str:
    """The text of a message without injected blocks."""
    return without_blocks(authored_text.text_of(message))


def text(content: Any) -> str:
    """What an assistant says to the user in a message's content, a string or a list of parts."""
    return authored_text.written(text_of({"content": content}))
