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

BEFORE, AFTER = "\n\n", "\n"
"""What the service puts into a string before and after its blocks, which end with a line end."""
_START = re.compile(r"<((?:directive|pinned|memories)-\d{6,12})>\n")
_END = re.compile(r"</((?:directive|pinned|memories)-\d{6,12})>\n?")


def without_blocks(text: str) -> str:
    """The text without the service's blocks and the blank line between them and other text; takes time in proportion
    to the text's length.
    """
    ends: dict[str, list[re.Match[str]]] = {}
    for end in _END.finditer(text):
        ends.setdefault(end[1], []).append(end)
    if not ends:
        return text
    kept, at = "", 0
    for start in _START.finditer(text):
        following = ends.get(start[1], [])
        place = bisect_left(following, start.end(), key=re.Match.start)
        if start.start() >= at and place < len(following):
            kept += text[at : start.start()]
            at = following[place].end()
            if not kept and text.startswith(AFTER, at):
                at += len(AFTER)
    return kept.removesuffix(BEFORE) if 0 < at == len(text) else kept + text[at:]


def without_injected(messages: Sequence[Message]) -> list[Message]:
    """The conversation before assembly: the messages without the service's blocks, and without the message that the
    service adds to a conversation without a system message.
    """
    return [_cleaned(message) for message in messages if not _is_added(message)]


def _is_added(message: Message) -> bool:
    """Whether the message has blocks and nothing else. In a client's own empty message, AFTER follows them."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    return bool(parts) and all(_is_block(part) and not str(_text(part)).endswith("\n" + AFTER) for part in parts)


def _is_block(part: Any) -> bool:
    text = _text(part)
    return isinstance(text, str) and text != "" and without_blocks(text) == ""


def _text(part: Any) -> Any:
    return part.get("text") if isinstance(part, dict) else part


def _cleaned(message: Message) -> Message:
    fields = {field: _cleaned_content(message[field]) for field in ("content", "parts") if field in message}
    return message if all(message[field] == content for field, content in fields.items()) else {**message, **fields}


def _cleaned_content(content: Any) -> Any:
    if isinstance(content, list):
        return [_cleaned_part(part) for part in content if not _is_block(part)]
    return _cleaned_part(content)


def _cleaned_part(part: Any) -> Any:
    text = _text(part)
    if not isinstance(text, str):
        return part
    return {**part, "text": without_blocks(text)} if isinstance(part, dict) else without_blocks(text)
