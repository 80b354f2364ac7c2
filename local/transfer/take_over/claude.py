"""Claude's export of one's data: conversations, and what Claude remembers of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.transfer import facts
from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, LeftOut, Product, Record, WrongFieldError

NAME = "claude"
_BOLD = re.compile(r"^\*\*([^*\n]+)\*\*$", re.MULTILINE)
"""How Claude writes a heading in a memory."""
_ROLES = {"human": "user", "assistant": "assistant"}


def _is_conversation(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("chat_messages"), list)


def _is_memory(value: Any) -> bool:
    return isinstance(value, Mapping) and bool({"conversations_memory", "project_memories"} & value.keys())


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A conversation for each chat, and a fact for each paragraph of a memory."""
    return records.each(elements, _read)


def _read(element: Element) -> Iterable[Record]:
    if _is_memory(element.value):
        return _facts(element)
    if not _is_conversation(element.value):
        raise WrongFieldError("chat_messages must be a list")
    return _conversation(element)


def _facts(element: Element) -> Iterator[Record]:
    projects = records.mapping(element.value.get("project_memories"), "project_memories")
    texts = [("conversations_memory", element.value.get("conversations_memory")), *projects.items()]
    for name, text in texts:
        if isinstance(text, str):
            for line, paragraph in facts.paragraphs(_BOLD.sub(r"## \1", text)):
                yield Fact(f"{element.place}, {name} line {line}", {"content": paragraph, "source": "imported"})


def _conversation(element: Element) -> Iterator[Record]:
    item = element.value
    messages = [records.mapping(one, "a message of chat_messages") for one in item["chat_messages"]]
    path = _path(messages, item.get("current_leaf_message_uuid"))
    if others := len(messages) - len(path):
        yield LeftOut(element.place, "messages of other branches", others)
    if attached := sum(len(one["attachments"]) for one in path if isinstance(one.get("attachments"), list)):
        yield LeftOut(element.place, "attachments", attached)
    yield from records.conversation(
        element.place,
        NAME,
        records.optional_text(item, "uuid"),
        [_message(one) for one in path],
        observed_at=records.time(item, "created_at"),
    )


def _path(messages: list[Mapping[str, Any]], leaf: Any) -> list[Mapping[str, Any]]:
    """The messages from the first to the leaf, without one to the last. Exports without parents have one branch."""
    known = {one["uuid"]: one for one in messages if isinstance(one.get("uuid"), str)}
    parents = [one.get("parent_message_uuid") for one in messages]
    if len(known) < len(messages) or not any(isinstance(one, str) and one in known for one in parents):
        return messages
    if not isinstance(leaf, str) or leaf not in known:
        leaf = messages[-1]["uuid"]
    path: dict[str, Mapping[str, Any]] = {}
    while isinstance(leaf, str) and leaf in known and leaf not in path:
        path[leaf] = known[leaf]
        leaf = known[leaf].get("parent_message_uuid")
    return list(reversed(path.values()))


def _message(one: Mapping[str, Any]) -> Mapping[str, Any] | str:
    sender = str(one.get("sender"))
    if sender not in _ROLES:
        return f"messages of the sender {sender[:40]}"
    content = one.get("content")
    parts = content if isinstance(content, list) else []
    written = records.said([part for part in parts if isinstance(part, Mapping) and part.get("type") == "text"])
    return records.message(_ROLES[sender], written or records.said(one.get("text")), records.time(one, "created_at"))


PRODUCT = Product(
    NAME,
    "the archive that Claude sends, or a file of it: a list of objects with `chat_messages` or `conversations_memory`",
    lambda value: _is_conversation(value) or _is_memory(value),
    read,
    files=r"(?:conversations[^/]*|memories[^/]*|memories/[^/]+)\.json",
)
