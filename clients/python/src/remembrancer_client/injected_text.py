"""Removes the blocks that the service injects into a conversation.

What is sent to a model contains them. Conversations that are stored or captured must not: else the service would make
new memories of memories.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

_START = re.compile(r"<((?:directive|memories)-\d{6,12})>\n")
_END = re.compile(r"</((?:directive|memories)-\d{6,12})>\n?")


def without_blocks(text: str) -> str:
    """The text without the service's blocks; takes time in proportion to the text's length."""
    ends: dict[str, list[re.Match[str]]] = {}
    for end in _END.finditer(text):
        ends.setdefault(end[1], []).append(end)
    if not ends:
        return text
    kept, at = [], 0
    for start in _START.finditer(text):
        following = ends.get(start[1], [])
        place = bisect_left(following, start.end(), key=re.Match.start)
        if start.start() >= at and place < len(following):
            kept.append(text[at : start.start()])
            at = following[place].end()
    return "".join([*kept, text[at:]])


def without_injected(messages: Sequence[Message]) -> list[Message]:
    """The conversation before assembly; messages that contained only blocks are left out."""
    cleaned = [(_cleaned(message), message) for message in messages]
    return [after for after, before in cleaned if after is before or not _is_empty(after.get("content"))]


def _cleaned(message: Message) -> Message:
    content = message.get("content")
    if isinstance(content, str):
        text = without_blocks(content)
        return message if text == content else {**message, "content": text.rstrip("\n")}
    if isinstance(content, list):
        parts = [_cleaned_part(part) for part in content]
        kept = [part for part in parts if not (isinstance(part, dict) and part.get("text") == "")]
        return message if kept == content else {**message, "content": kept}
    return message


def _cleaned_part(part: Any) -> Any:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        text = without_blocks(part["text"])
        return part if text == part["text"] else {**part, "text": text.rstrip("\n")}
    return part


def _is_empty(content: Any) -> bool:
    return content in ("", [])
