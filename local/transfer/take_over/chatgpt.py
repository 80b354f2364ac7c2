"""ChatGPT's export of one's data: conversations as trees of messages, of which the last branch is the conversation."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, LeftOut, Product, Record, WrongFieldError

NAME = "chatgpt"
_SPOKEN = ("text", "multimodal_text")


def _is_conversation(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("mapping"), Mapping)


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A conversation for each tree."""
    return records.each(elements, _read)


def _read(element: Element) -> Iterator[Record]:
    item = records.mapping(element.value, "a conversation")
    nodes = {
        name: node
        for name, node in records.mapping(item.get("mapping"), "mapping").items()
        if isinstance(node, Mapping)
    }
    if "mapping" not in item:
        raise WrongFieldError("mapping is missing")
    if item.get("is_do_not_remember") is True:
        yield LeftOut(element.place, "conversations that are not to be remembered (is_do_not_remember)")
        return
    path = _path(nodes, item.get("current_node"))
    with_message = [node for node in nodes.values() if isinstance(node.get("message"), Mapping)]
    spoken = [node["message"] for node in path if isinstance(node.get("message"), Mapping)]
    if others := len(with_message) - len(spoken):
        yield LeftOut(element.place, "messages of other branches", others)
    names = (item.get(name) for name in ("conversation_id", "id"))
    session = next((one for one in names if isinstance(one, str)), None)
    yield from records.conversation(
        element.place,
        NAME,
        session,
        [_message(one) for one in spoken],
        observed_at=records.time(item, "create_time"),
    )


def _path(nodes: Mapping[str, Mapping[str, Any]], leaf: Any) -> list[Mapping[str, Any]]:
    """The nodes from the root to the leaf; without one, to the last node that has no children."""
    if not isinstance(leaf, str) or leaf not in nodes:
        leaf = next((name for name in reversed(list(nodes)) if not nodes[name].get("children")), None)
    path: dict[str, Mapping[str, Any]] = {}
    while isinstance(leaf, str) and leaf in nodes and leaf not in path:
        path[leaf] = nodes[leaf]
        leaf = nodes[leaf].get("parent")
    return list(reversed(path.values()))


def _message(one: Mapping[str, Any]) -> Mapping[str, Any] | str:
    """The message, or why it is left out."""
    role = records.mapping(one.get("author"), "author").get("role")
    content = records.mapping(one.get("content"), "content")
    if records.mapping(one.get("metadata"), "metadata").get("is_visually_hidden_from_conversation"):
        return "hidden messages"
    if role not in ("user", "assistant"):
        return f"messages of the role {str(role)[:40]}"
    if content.get("content_type") not in _SPOKEN:
        return f"content of the type {str(content.get('content_type'))[:40]}"
    if one.get("recipient", "all") != "all":
        return "calls of tools"
    return records.message(role, records.said(content.get("parts")), records.time(one, "create_time"))


PRODUCT = Product(
    NAME,
    "the archive that ChatGPT sends, or conversations.json of it: a list of objects with `mapping`",
    _is_conversation,
    read,
    files=r"conversations[^/]*\.json",
)
