"""Messages of LangChain: as `messages_to_dict`, `dumps` and `model_dump` write them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, LeftOut, Product, Record, WrongFieldError

NAME = "langchain"
_ROLES = {
    "human": "user", "HumanMessageChunk": "user", "ai": "assistant", "AIMessageChunk": "assistant",
    "system": "system", "tool": "tool", "function": "function", "remove": "remove", "chat": "chat",
}  # fmt: skip
_SPOKEN = ("user", "assistant")


def _data(value: Any) -> Mapping[str, Any]:
    """The message's own fields, whichever form it has; empty for what is no message."""
    if not isinstance(value, Mapping):
        return {}
    inner = value.get("kwargs") if value.get("lc") else value.get("data")
    data = inner if isinstance(inner, Mapping) else value
    kind = data.get("type", value.get("type"))
    return {**data, "type": kind} if isinstance(kind, str) and kind in _ROLES and "content" in data else {}


def _is_conversation(value: Any) -> bool:
    messages = value.get("messages") if isinstance(value, Mapping) else value
    return isinstance(messages, list) and bool(messages) and bool(_data(messages[0]))


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A list of messages is a conversation; so are messages that follow each other in the file."""
    for (is_message, _), group in groupby(elements, lambda one: (bool(_data(one.value)), one.array)):
        if is_message:
            first = next(group)
            yield from _conversation(first.place, None, [first.value, *(one.value for one in group)])
        else:
            yield from records.each(group, _read)


def _read(element: Element) -> Iterable[Record]:
    if not _is_conversation(element.value):
        raise WrongFieldError("is neither a message nor a list of messages")
    if isinstance(element.value, list):
        return _conversation(element.place, None, element.value)
    names = (element.value.get(name) for name in ("session_id", "thread_id", "id"))
    session = next((one for one in names if isinstance(one, str)), None)
    user = records.optional_text(element.value, "user_id")
    return _conversation(element.place, session, element.value["messages"], user)


def _conversation(place: str, session: str | None, messages: list[Any], user: str | None = None) -> Iterator[Record]:
    data = [_data(one) for one in messages]
    if wrong := data.count({}):
        yield LeftOut(place, "messages that are not LangChain's", wrong, is_refused=True)
    yield from records.conversation(place, NAME, session, (_message(one) for one in data if one), user=user)


def _message(data: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """The message, or why it is left out."""
    role = _ROLES[data["type"]]
    if role == "chat":
        role = _ROLES.get(str(data.get("role")), str(data.get("role")))
    if role not in _SPOKEN:
        return f"messages of type {data['type']}"
    if data.get("tool_calls"):
        return "calls of tools"
    name = data.get("name")
    return records.message(role, records.said(data["content"]), name=name if isinstance(name, str) else None)


PRODUCT = Product(
    NAME,
    "messages as messages_to_dict, dumps or model_dump write them: a list, lists of them, or objects with `messages`",
    lambda value: bool(_data(value)) or _is_conversation(value),
    read,
)
