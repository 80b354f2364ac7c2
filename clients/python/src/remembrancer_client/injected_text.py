"""The blocks that the service puts in front of a conversation: finding them, and taking them out again.

What a model was sent contains them, so whoever stores conversations, or remembers them, takes them out first: else the
system remembers what it was reminded of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

_BLOCK = re.compile(r"<(directive|memories)-(\d{6,12})>\n.*?\n?</\1-\2>\n?", re.DOTALL)


def without_blocks(text: str) -> str:
    """The text less every block of ours; unchanged when there is none."""
    return _BLOCK.sub("", text) if "<directive-" in text or "<memories-" in text else text


def without_injected(messages: Sequence[Message]) -> list[Message]:
    """The conversation as it was before; messages that held nothing but blocks are left out."""
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
