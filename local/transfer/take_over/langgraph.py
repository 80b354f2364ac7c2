"""Items of LangGraph's store: `[item.dict() for item in store.search(())]`, its API's answers, or its table's rows."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, Product, Record, WrongFieldError

NAME = "langgraph"
_TEXTS = ("text", "content", "memory", "fact")


def _is_item(value: Any) -> bool:
    names = value.keys() if isinstance(value, Mapping) else set()
    return {"key", "value"} <= names and bool({"namespace", "prefix"} & names)


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A fact for each item."""
    return records.each(records.unwrapped(elements, "items"), _read)


def _read(element: Element) -> Iterator[Record]:
    item = records.mapping(element.value, "an item")
    namespace = item.get("namespace", item.get("prefix"))
    if isinstance(namespace, str):
        namespace = namespace.split(".")
    if not isinstance(namespace, list) or not namespace or not all(isinstance(label, str) for label in namespace):
        raise WrongFieldError("namespace must be a list of texts")
    content, metadata = _parts(records.mapping(item.get("value"), "value"))
    fields = {
        "content": content,
        "client_ref": records.reference(NAME, *namespace, records.text(item, "key")),
        # A write replaces the whole value.
        "created_at": records.time(item, "updated_at") or records.time(item, "created_at"),
        "expires_at": records.time(item, "expires_at"),
        "source": "imported",
        "metadata": metadata or None,
    }
    known = {name: value for name, value in fields.items() if value is not None}
    yield Fact(element.place, known, namespace=namespace)


def _parts(value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The text, and what else there is. Without a text, the fields are the text.

    LangMem has the text one level deeper: `{"kind": …, "content": {"content": …}}`.
    """
    inner = value.get("content")
    if isinstance(inner, Mapping):
        content, others = _parts(inner)
        return content, {**{name: one for name, one in value.items() if name != "content"}, **others}
    for name in _TEXTS:
        if isinstance(value.get(name), str):
            return records.text(value, name), {other: one for other, one in value.items() if other != name}
    words = records.in_words(value)
    if not words:
        raise WrongFieldError(f"value has no text: {', '.join(_TEXTS)}, or fields with texts or numbers")
    return words, {}


PRODUCT = Product(
    NAME,
    "items with `namespace`, `key` and `value`: a list, or an object with a list `items`",
    lambda value: records.holds(value, _is_item, "items"),
    read,
)
