"""Puts the injected text among the client's messages, and takes it out of messages that come back.

A text is added inside a message of the client, as a part of its own where the content is a list. Only a chat without a
system message gets a new message. So roles never stand in an order that the client did not send, and nothing comes
between a tool call and its result.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.domain.context import own_tags
from remembrancer.domain.context.nonce import NONCE_DIGITS

Message = Mapping[str, Any]

PLACEMENTS = ("system", "turn")
DEFAULT_PLACEMENT = "turn"
"""Where memories stand if neither the request nor its agent nor the organization says it."""
MARK = "cache_control"
"""The field of a message, a part or a tool that ends a prefix in the cache of Anthropic's provider."""
SYSTEM_ROLES = ("system", "developer")
USER_ROLES = ("user", "human")


def first(*chosen: str | None) -> str:
    """The first placement among these; the default without one."""
    return next((one for one in chosen if one in PLACEMENTS), DEFAULT_PLACEMENT)


def inject(messages: Sequence[Message], text: str, mode: str, *, marked: str = "") -> list[Message]:
    """The client's messages with `text`; all but one are the client's own objects. Empty text: no change.

    `system_first` and `system_append` put it at the beginning or the end of the first system or developer message;
    where there is none, into a new system message before all others. `user_prepend` puts it before the text of the last
    user message that has content and is no tool's result; without such a message it acts as `system_first`.

    `marked` stands before the text, as a part of its own with a mark, where the form of the content's parts has marks.
    A string beside it becomes a part.
    """
    if not text and not marked:
        return list(messages)
    place = place_of(messages, mode)
    if place < 0:
        parts = [_marked(_part(marked, ())), *([_part(text, ())] if text else [])] if marked else text
        return [{"role": "system", "content": parts}, *messages]
    return [*messages[:place], _with(messages[place], text, mode, marked), *messages[place + 1 :]]


def place_of(messages: Sequence[Message], mode: str) -> int:
    """The position of the message in which `inject` puts a text; -1 for a new one."""
    system = [place for place, message in enumerate(messages) if message.get("role") in SYSTEM_ROLES]
    said = [place for place, message in enumerate(messages) if mode == "user_prepend" and is_said(message)]
    return said[-1] if said else next(iter(system), -1)


def before(messages: Sequence[Message], texts: Mapping[int, str]) -> list[Message]:
    """The client's messages with each text at the beginning of the message at its position; none for an empty one."""
    placed = list(messages)
    for position, text in texts.items():
        if text:
            placed[position] = _with(placed[position], text, "user_prepend")
    return placed


def has_marks(value: object) -> bool:
    """Whether there is a mark in these messages or tools, at any depth."""
    if isinstance(value, Mapping):
        return MARK in value or any(map(has_marks, value.values()))
    return isinstance(value, list | tuple) and any(map(has_marks, value))


def without_injected(text: str) -> str:
    """The text without blocks that `formatter.render` made and what `inject` put between them and the client's own
    text; a block without its end is cut.
    """
    kept, at = "", 0
    for block in _BLOCK.finditer(text):
        kept += text[at : block.start()]
        at = block.end()
        if not kept and text.startswith(_AFTER, at):
            at += len(_AFTER)
    return kept.removesuffix(_BEFORE) if 0 < at == len(text) else kept + text[at:]


def is_said(message: Message) -> bool:
    """Whether a user said this: a user message that has content and is no tool's result."""
    content = message.get(_field(message))
    if message.get("role") not in USER_ROLES or not content:
        return False
    return not (isinstance(content, list) and any(map(_is_tool_result, content)))


def _is_tool_result(part: object) -> bool:
    return isinstance(part, Mapping) and (part.get("type") in _RESULT_TYPES or not _RESULT_FIELDS.isdisjoint(part))


def _field(message: Message) -> str:
    """Where the message has its content: `parts` in Gemini's shape."""
    return "parts" if message.get("content") is None and isinstance(message.get("parts"), list) else "content"


def _with(message: Message, text: str, mode: str, marked: str = "") -> Message:
    field = _field(message)
    content = message.get(field)
    if marked and not isinstance(content, list):
        content = [{"type": "text", "text": content}] if content else []
    if isinstance(content, list):
        if mode == "system_append":
            place = len(content)
        elif message["role"] in SYSTEM_ROLES:
            place = 0
        else:
            place = next((place for place, part in enumerate(content) if _has_text(part)), len(content))
        texts = [one for one in (marked, text) if one]
        parts = [_part(one, content) for one in (texts if content else [*texts[:-1], texts[-1] + _AFTER])]
        if marked:
            parts[0] = _marked(parts[0])
        return {**message, field: [*content[:place], *parts, *content[place:]]}
    if mode == "system_append" and content:
        return {**message, field: f"{content}{_BEFORE}{text}"}
    return {**message, field: f"{text}{_AFTER}{content or ''}"}


def _has_text(part: object) -> bool:
    return isinstance(part, str) or (isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _part(text: str, beside: Sequence[Any]) -> Any:
    """A part of the same form as those beside it: strings, Gemini's parts without a type, OpenAI's `input_text`."""
    if beside and all(isinstance(part, str) for part in beside):
        return text
    types = [part.get("type") for part in beside if isinstance(part, Mapping)]
    if types and all(kind is None for kind in types):
        return {"text": text}
    return {"type": "input_text" if any(kind in _INPUT_TYPES for kind in types) else "text", "text": text}


def _marked(part: Any) -> Any:
    """The part with a mark; of another form than Anthropic's, as it is."""
    return {**part, MARK: {"type": "ephemeral"}} if isinstance(part, Mapping) and part.get("type") == "text" else part


_BEFORE, _AFTER = "\n\n", "\n"
"""What stands in a string before and after the injected text, which ends with a line end. In an empty message _AFTER
follows it, so that whoever takes it out can tell that the message is the client's own.
"""
_RESULT_TYPES = ("tool_result", "tool-result", "function_response", "function_call_output", "custom_tool_call_output")
_RESULT_FIELDS = frozenset({"functionResponse", "function_response", "toolResult"})
_INPUT_TYPES = ("input_text", "input_image", "input_file")
_TAG = rf"(?:{'|'.join(own_tags.NAMES)})-\d{{{NONCE_DIGITS}}}"
_BLOCK = re.compile(rf"<(?P<tag>{_TAG})>.*?(?:</(?P=tag)>\n?|\Z)", re.DOTALL)
