"""What is captured of a conversation: what end users and assistants said, and nothing that was injected."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from remembrancer_client.injected_text import without_blocks

Message = Mapping[str, Any]

CaptureMode = Literal["users", "all", "off"]
"""What an integration captures: turns of named end users, all turns, or none. Of a turn without an end user the service
makes shared memories, which all end users see.
"""
MODES: tuple[CaptureMode, ...] = ("users", "all", "off")
ROLES = ("user", "assistant")


def includes(mode: CaptureMode, user_id: str | None) -> bool:
    """Whether a turn of this end user is captured; `user_id` is None for a turn without an end user."""
    return mode == "all" or (mode == "users" and user_id is not None)


def spoken(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Role, text and name of each message of an end user or assistant, without injected blocks.

    Messages of other roles or without text, calls and results of tools, images and files are left out.
    """
    found = []
    for message in messages:
        said = text(message.get("content")) if message.get("role") in ROLES else ""
        if said:
            name = message.get("name")
            speaker = {"name": name} if isinstance(name, str) and name else {}
            found.append({"role": message["role"], "content": said, **speaker})
    return found


def turn(messages: Sequence[Message], answer: str) -> list[dict[str, Any]]:
    """The last message of the end user, and the assistant's answer to it; empty if one of them has no text."""
    asked = next((one for one in reversed(spoken(messages)) if one["role"] == "user"), None)
    said = text(answer)
    return [asked, {"role": "assistant", "content": said}] if asked and said else []


def session(messages: Sequence[Message], answer: str, *, key: bytes) -> str:
    """A session for a client that names none but sends the whole conversation each time: the same for all its turns.

    A keyed hash of the first message of the end user and the first answer, so that it tells nothing of them.
    """
    said = [*spoken(messages), {"role": "assistant", "content": text(answer)}]
    first = next((place for place, one in enumerate(said) if one["role"] == "user"), 0)
    answered = next((one for one in said[first:] if one["role"] == "assistant"), said[-1])
    opening = "\0".join(" ".join(one["content"].split()) for one in (said[first], answered))
    return f"opening-{hmac.digest(key, opening.encode('utf-8', 'replace'), 'sha256')[:16].hex()}"


def text(content: Any) -> str:
    """The text of a message's content, a string or a list of parts, without injected blocks."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, Mapping))
        content = "\n".join(part for part in parts if isinstance(part, str))
    return without_blocks(content).strip() if isinstance(content, str) else ""
