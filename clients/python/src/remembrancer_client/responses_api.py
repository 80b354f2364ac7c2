"""Input of OpenAI's Responses API, as the chat messages that the service takes."""

from __future__ import annotations

from typing import Any


def chat(given: Any) -> list[dict[str, Any]]:
    """The input as chat messages, without calls and results of tools."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [
        {"role": item["role"], "content": text_parts(item.get("content"))}
        for item in given
        if isinstance(item, dict) and isinstance(item.get("role"), str)
    ]


def text_parts(content: Any) -> Any:
    """A list of parts without those that have no text (images, files, reasoning); any other content unchanged."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "text", "text": part["text"]}
        for part in content
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    ]


def appended(text: str | None, injected: str) -> str:
    """The client's own instructions, followed by the injected text."""
    return f"{text}\n\n{injected}" if text else injected
