"""Facts of Zep and Graphiti: edges of the graph, as their searches, lists and models write them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, LeftOut, Product, Record

NAME = "zep"
_LISTS = ("edges", "facts", "items", "results")
_OTHER_LISTS = ("nodes", "episodes", "communities")
_NO_GROUP = ("", "_", "\\_")
"""Graphiti's default group, by database."""


def _is_fact(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("fact"), str)


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A fact for each edge. An edge that has become invalid is a fact with an end.

    The group is a namespace: the graph of an end user, a team, a customer or a domain (help.getzep.com, "Graph
    Namespacing").
    """
    for element in elements:
        if isinstance(element.value, Mapping):
            for name in _OTHER_LISTS:
                if isinstance(element.value.get(name), list) and element.value[name]:
                    yield LeftOut(element.place, f"{name} of the graph", len(element.value[name]))
        yield from records.each(records.unwrapped([element], *_LISTS), _read)


def _read(element: Element) -> Iterator[Record]:
    item = records.mapping(element.value, "an item")
    begins, ends = records.time(item, "valid_at"), records.time(item, "invalid_at")
    if records.time(item, "expired_at") and not ends:
        yield LeftOut(element.place, "facts that were replaced or removed (expired_at without invalid_at)")
        return
    edge = next((item[name] for name in ("uuid", "uuid_") if isinstance(item.get(name), str)), None)
    fields = {
        "content": records.text(item, "fact"),
        "client_ref": edge and records.reference(NAME, edge),
        "created_at": records.time(item, "created_at"),
        "occurred_from": begins,
        "occurred_to": ends,
        "source": "imported",
        "metadata": {"relation": item["name"]} if isinstance(item.get("name"), str) else None,
    }
    user = records.optional_text(item, "user_id") or records.optional_text(item, "user_uuid")
    group = None if item.get("group_id") in _NO_GROUP else records.optional_text(item, "group_id")
    known = {name: value for name, value in fields.items() if value is not None}
    yield Fact(element.place, known, user, [group] if group else ())


PRODUCT = Product(
    NAME,
    "edges with `fact` and `uuid`: a list, or an object with a list `edges`, `facts` or `items`",
    lambda value: records.holds(value, _is_fact, *_LISTS),
    read,
)
