"""Examples for fine-tuning at OpenAI: a conversation on each line, of a chat, of a preference, or a prompt."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Product, Record, WrongFieldError

NAME = "openai-finetuning"


def _messages(value: Any) -> list[Any] | None:
    """The messages of an example; None for what is none. Of a preference, those with the preferred answer."""
    if not isinstance(value, Mapping):
        return None
    asked = value.get("input")
    if isinstance(asked, Mapping) and isinstance(asked.get("messages"), list):
        preferred = value.get("preferred_output")
        return [*asked["messages"], *(preferred if isinstance(preferred, list) else [])]
    if isinstance(value.get("prompt"), str) and isinstance(value.get("completion"), str):
        return [{"role": "user", "content": value["prompt"]}, {"role": "assistant", "content": value["completion"]}]
    messages = value.get("messages")
    return messages if isinstance(messages, list) else None


def _recognises(value: Any) -> bool:
    messages = _messages(value)
    first = messages[0] if messages else None
    return isinstance(first, Mapping) and isinstance(first.get("role"), str)


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A conversation for each example."""
    return records.each(elements, _read)


def _read(element: Element) -> Iterable[Record]:
    messages = _messages(element.value)
    if messages is None:
        raise WrongFieldError("messages must be a list")
    return records.conversation(element.place, NAME, None, [_message(one) for one in messages])


def _message(one: Any) -> Mapping[str, Any] | str:
    role = one.get("role") if isinstance(one, Mapping) else None
    if not isinstance(role, str):
        raise WrongFieldError("role of a message must be a text")
    if role not in {"user", "assistant"}:
        return f"messages of the role {role[:40]}"
    if one.get("tool_calls") or one.get("function_call"):
        return "calls of tools"
    if one.get("weight") == 0:
        return "answers that are not to be learnt (weight 0)"
    name = one.get("name")
    return records.message(role, records.said(one.get("content")), name=name if isinstance(name, str) else None)


PRODUCT = Product(
    NAME,
    "JSON Lines with `messages` of `role` and `content`, or with `input` and `preferred_output`",
    _recognises,
    read,
)
