"""What people wrote in the messages of a chat, without what hosts, models and tools put there.

The Python client has a copy of this file, `host_text` and `pasted_text`, which its tests hold to be equal: what is
captured is decided in both places.

- `role_of` and `text_of` read a message in the shapes of OpenAI, Anthropic, Gemini, Bedrock and LangChain.
- `lacks_content` and `is_readable` tell messages and parts that nothing can be read of.
- `written` leaves out what hosts and models put there (`host_text`), `authored` what was pasted too (`pasted_text`).
- `since_last_answer` and `ends_turn` divide a chat into turns, by `is_final`: an answer has text and waits for no tool.

All take time in proportion to the length of the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import host_text, pasted_text

Message = Mapping[str, Any]

ROLES = ("user", "assistant")
_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "chatbot": "assistant", "bot": "assistant"}
TEXT_TYPES = ("text", "input_text", "output_text", "refusal")
REASONING_TYPES = (
    "reasoning", "reasoning_text", "reasoning_content", "thinking", "redacted_thinking", "thought", "summary",
    "summary_text",
)  # fmt: skip
_CALLS = ("tool_use", "function_call", "tool_call", "custom_tool_call", "tool-call", "toolCall", "local_shell_call")
_HOSTED_CALLS = ("server_tool_use", "mcp_tool_use", "server_tool_call", "dynamic-tool")
"""Calls whose results stand in the same message; so do those whose types begin with `tool-`."""
_RESULTS = (
    "tool_result",
    "function_call_output",
    "function_response",
    "tool-result",
    "toolResult",
    "server_tool_result",
)
_FILES = (
    "image", "image_url", "input_image", "file", "input_file", "document", "audio", "input_audio", "video", "video_url",
    "media", "container_upload", "search_result", "source", "source-url", "source-document", "reference", "step-start",
)  # fmt: skip
OTHER_TYPES = (*_CALLS, *_HOSTED_CALLS, *_RESULTS, *_FILES)
"""Types of parts that never have what a person said; further ones end in `OTHER_ENDS`."""
OTHER_ENDS = ("_tool_result", "_tool_use", "_call", "_call_output")
_KEYED_CALLS = ("functionCall", "function_call", "toolUse")
_KEYED_OTHERS = (
    *_KEYED_CALLS, "functionResponse", "function_response", "inlineData", "inline_data", "fileData", "file_data",
    "executableCode", "executable_code", "codeExecutionResult", "code_execution_result", "toolResult",
    "reasoningContent", "cachePoint", "image", "video", "document",
)  # fmt: skip
"""The names by which Gemini and Bedrock tell what a part is."""
_EXPLANATIONS = (
    "tool_calls", "toolCalls", "function_call", "functionCall", "tool_call_id", "tool_invocations", "toolInvocations",
    "refusal", "audio", "reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks",
    "attachments", "experimental_attachments", "files", "images", "additional_kwargs", "error",
)  # fmt: skip
_UNFINISHED = ("incomplete", "in_progress")
_INTERRUPTED = ("[Request interrupted by user", "<turn_aborted>")


def role_of(message: Message) -> str:
    """The role, `user` and `assistant` also where a host calls them by other names; empty without one.

    An item of the Responses API without a role is the assistant's, a tool's result is the tool's.
    """
    role = message.get("role")
    if isinstance(role, str):
        return _ROLES.get(role.lower(), role if role.lower() not in ROLES else role.lower())
    kind = message.get("type")
    if not isinstance(kind, str):
        return ""
    return "tool" if kind.endswith("_output") else "assistant" if kind in _CALLS or kind == "reasoning" else ""


def parts_of(message: Message) -> Sequence[Any]:
    """The parts of a message: its text, the entries of its `content`, Gemini's `parts`, or OpenAI's `refusal`."""
    content = next((message[name] for name in ("content", "parts", "refusal") if message.get(name) is not None), None)
    return content if isinstance(content, list) else [] if content is None else [content]


def lacks_content(message: Message) -> bool:
    """Whether a message of a user or assistant has neither content nor anything that explains its absence: calls of
    tools, reasoning, a refusal, files.
    """
    if role_of(message) not in ROLES or not isinstance(message.get("role"), str):
        return False
    if message.get("content") is not None or message.get("parts") is not None:
        return False
    return not any(message.get(name) for name in _EXPLANATIONS)


def text_of(message: Message) -> str:
    """The text of a message, part by part on lines of their own, without reasoning, calls, results and files."""
    return "\n".join(text for part in parts_of(message) if (text := part_text(part)))


def part_text(part: Any) -> str:
    """The text of one part; empty for a part of another kind."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("thought") is True:
        return ""
    kind = part.get("type")
    if kind is not None and kind not in TEXT_TYPES:
        return ""
    text = part.get("refusal") if kind == "refusal" else part.get("text")
    return text if isinstance(text, str) else ""


def is_readable(part: Any) -> bool:
    """Whether the part is of a kind that is known, with or without text."""
    if isinstance(part, str):
        return True
    if not isinstance(part, Mapping):
        return False
    kind = part.get("type")
    if kind is None:
        return isinstance(part.get("text"), str) or any(name in part for name in _KEYED_OTHERS)
    if kind in TEXT_TYPES:
        return isinstance(part.get("refusal" if kind == "refusal" else "text"), str)
    return isinstance(kind, str) and (kind in REASONING_TYPES or _is_other(kind))


def _is_other(kind: str) -> bool:
    return kind in OTHER_TYPES or kind.endswith(OTHER_ENDS) or kind.startswith(("tool-", "data-"))


def _is_hosted_call(kind: Any) -> bool:
    return kind in _HOSTED_CALLS or (isinstance(kind, str) and kind.startswith("tool-") and kind not in OTHER_TYPES)


def is_final(message: Message) -> bool:
    """Whether an assistant's message ends a turn: it says something, and waits for no tool."""
    if role_of(message) != "assistant" or message.get("tool_calls") or message.get("function_call"):
        return False
    if message.get("status") in _UNFINISHED or message.get("type") in _CALLS:
        return False
    parts = parts_of(message)
    said_from = 0
    for place, part in enumerate(parts):
        if not isinstance(part, Mapping):
            continue
        if part.get("type") in _CALLS or any(name in part for name in _KEYED_CALLS):
            return False
        if _is_hosted_call(part.get("type")):
            said_from = place
    return bool(written("\n".join(filter(None, map(part_text, parts[said_from:])))))


def since_last_answer(messages: Sequence[Message]) -> list[int]:
    """The positions of the user's messages since the last final answer, those without a word of the user's left out.

    An answer that the user interrupted is none; an answer that stands last ends no turn yet.
    """
    found: list[int] = []
    is_begun = False
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if role_of(message) == "user":
            is_begun = True
            if written(text_of(message)):
                found.append(position)
        elif is_begun and ends_turn(messages, position):
            break
    return found[::-1]


def ends_turn(messages: Sequence[Message], position: int) -> bool:
    """Whether the message there is a final answer: no call follows it as an item of its own, as in the Responses API,
    and the user did not interrupt it.
    """
    if not is_final(messages[position]):
        return False
    places = range(position + 1, len(messages))
    following = next((messages[place] for place in places if messages[place].get("type") != "reasoning"), {})
    if following.get("type") in _CALLS:
        return False
    return not (role_of(following) == "user" and text_of(following).lstrip().startswith(_INTERRUPTED))


def written(text: str) -> str:
    """The text without reasoning and without what a host wrapped around it or put into it; it may be empty."""
    return host_text.without_hosts(text)


def authored(text: str) -> str:
    """What the user wrote: `written`, without what was pasted as a whole; it may be empty."""
    return pasted_text.without_pastes(written(text))
