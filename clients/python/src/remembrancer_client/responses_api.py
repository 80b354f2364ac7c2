"""Input of OpenAI's Responses API, as the chat messages that the service takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from remembrancer_client import message_times
from remembrancer_client.injected_text import AFTER, BEFORE


def chat(given: Any) -> list[dict[str, Any]]:
    """The input as chat messages, without calls and results of tools; a message that calls follow says so."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    found: list[dict[str, Any]] = []
    for item in given:
        if isinstance(item, dict) and isinstance(item.get("role"), str):
            times = {name: item[name] for name in message_times.FIELDS if name in item}
            found.append({"role": item["role"], "content": text_parts(item.get("content")), **times})
        elif isinstance(item, dict) and str(item.get("type")).endswith("_call") and found[-1:]:
            found[-1] |= {"tool_calls": [{}]} if found[-1]["role"] == "assistant" else {}
    return found


def text_parts(content: Any) -> Any:
    """A list of parts without those that have no text (images, files, reasoning); any other content unchanged."""
    if not isinstance(content, list):
        return content
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return [{"type": "text", "text": text} for text in texts if isinstance(text, str)]


def with_text(given: Any, place: int, injected: str) -> Any:
    """The input with the injected text in the message that is at `place` of those that `chat` returns: before the text
    of a user, at the end of a message of the system.
    """
    if isinstance(given, str):
        return f"{injected}{AFTER}{given}"
    at = [at for at, item in enumerate(given) if _is_message(item)][place]
    return [*given[:at], _with_text(given[at], injected), *given[at + 1 :]]


def with_texts(given: Any, added: Iterable[tuple[int, str]], before: int) -> Any:
    """The input with each text in its message; positions count `before` messages that are not of the input, whose
    texts are left out.
    """
    for place, text in added:
        if place >= before:
            given = with_text(given, place - before, text)
    return given


def appended(content: Any, injected: str) -> Any:
    """The client's own instructions, a string or a list of parts, followed by the injected text."""
    if isinstance(content, list):
        return [*content, {"type": "text", "text": injected}]
    return f"{content}{BEFORE}{injected}" if content else injected


def _is_message(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("role"), str)


def _with_text(item: Mapping[str, Any], injected: str) -> Mapping[str, Any]:
    content = item.get("content")
    if isinstance(content, list):
        texts = [place for place, part in enumerate(content) if isinstance(part, dict) and "text" in part]
        place = texts[0] if texts and item["role"] == "user" else len(content)
        return {**item, "content": [*content[:place], {"type": "input_text", "text": injected}, *content[place:]]}
    changed = f"{injected}{AFTER}{content}" if item["role"] == "user" else appended(content, injected)
    return {**item, "content": changed}
