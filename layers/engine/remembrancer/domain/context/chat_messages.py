"""Chat messages as clients send them: OpenAI's shape, with any further fields."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.domain.context import authored_text
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


def text_of(message: Message) -> str:
    """The text of a message without what assembly injected; of several parts, line by line."""
    return without_injected(authored_text.text_of(message))


def question_of(messages: Sequence[Message]) -> tuple[int, str]:
    """What the user asks in the turn: the position of the last message with words of the user's, and all that the user
    said since the last final answer. Of pasted logs and code only if there is nothing else; -1 and empty without any.
    """
    positions = authored_text.since_last_answer(messages)
    texts = [text_of(messages[position]) for position in positions]
    said = [text for text in map(authored_text.authored, texts) if text] or list(map(authored_text.written, texts))
    return (positions[-1], "\n".join(said)) if positions else (-1, "")


def shortened(text: str, most: int) -> str:
    """The beginning and the end of a text of more than `most` characters: what is asked stands at either of them."""
    half = most // 2
    return text if len(text) <= most else f"{text[: half - 1].rstrip()}\n{text[-half:].lstrip()}"
