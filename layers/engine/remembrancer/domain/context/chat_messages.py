"""Chat messages as clients send them: OpenAI's shape, with any further fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.domain.context.placement import without_injected
from remembrancer.domain.requests.field_types import objects
from remembrancer.domain.requests.fields import Given

MOST_MESSAGES = 2000

Message = Mapping[str, Any]


def _check(messages: Sequence[Any], given: Given, name: str) -> None:
    for index, message in enumerate(messages):
        place = f"{name}[{index}]"
        if not isinstance(message, Mapping):
            given.fail(place, "must be a JSON object")
        elif not isinstance(message.get("role"), str) or not message["role"]:
            given.fail(f"{place}.role", "must be a non-empty string")
        elif not isinstance(message.get("content"), str | list | None):
            given.fail(f"{place}.content", "must be a string, null or a list of content parts")


FIELD = objects(MOST_MESSAGES, {"$ref": "#/components/schemas/ChatMessage"}, check=_check, required=True)
"""The declaration of a request's `messages`."""


def text_of(content: object) -> str:
    """The text of a message without what assembly injected, whatever shape its content has; of several parts, line by
    line.
    """
    if isinstance(content, str):
        return without_injected(content)
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return without_injected("\n".join(text for text in texts if isinstance(text, str)))
    return ""
