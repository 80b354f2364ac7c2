"""mem0: what `get_all` answers, of the library and of the platform, and exports in a schema of one's own. And back."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, LeftOut, Product, Record, WrongFieldError
from remembrancer.domain.memories.memory import CATEGORIES

NAME = "mem0"
_LISTS = ("results", "memories", "data")
_OWN = ("agent_id", "app_id", "actor_id", "role", "attributed_to", "immutable")
"""Fields that no memory of ours has: they are kept in `metadata.mem0`."""
_OURS = {
    "category": "factual", "source": "imported", "confidence": 0.8, "importance": 0.5, "pinned": False,
    "pinned_at": None, "summary": None, "context": None, "tags": [], "valid_from": None, "expires_at": None,
    "occurred_from": None, "occurred_to": None,
}  # fmt: skip
"""Fields that mem0 has not, with the value that they get: another one is kept in `metadata.remembrancer`."""


def _is_memory(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("memory"), str)


def _is_export(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(records.in_words(value))


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A fact for each memory, or for each object of another schema."""
    return records.each(records.unwrapped(elements, *_LISTS), _read)


def _read(element: Element) -> Iterator[Record]:
    item = records.mapping(element.value, "an item")
    if "memory" in item:
        expiration = item.get("expiration_date")
        if expiration is not None and _day_after(expiration) <= datetime.now(UTC):
            yield LeftOut(element.place, "expired memories (expiration_date)")
        else:
            yield Fact(element.place, _fields(item), records.optional_text(item, "user_id"))
    elif "new_memory" in item or "old_memory" in item:
        yield LeftOut(element.place, "earlier texts (rows of a history)")
    else:
        words = records.in_words({name: value for name, value in item.items() if name != "user_id"})
        if not words:
            raise WrongFieldError("memory is missing")
        yield Fact(element.place, {"content": words, "source": "imported"}, records.optional_text(item, "user_id"))


def _fields(item: Mapping[str, Any]) -> dict[str, Any]:
    """As `POST /v1/memories` takes them. The text is as old as its last change."""
    metadata = dict(records.mapping(item.get("metadata"), "metadata"))
    ours = metadata.pop("remembrancer", None)
    created_at, updated_at = records.time(item, "created_at"), records.time(item, "updated_at")
    own = {name: item[name] for name in _OWN if item.get(name) not in (None, False)}
    if created_at and updated_at and updated_at > created_at:
        own["created_at"], created_at = created_at, updated_at
    categories = item.get("categories")
    tags = [tag for tag in categories if isinstance(tag, str)] if isinstance(categories, list) else []
    fields = {
        "content": records.text(item, "memory"),
        "client_ref": records.reference(NAME, records.text(item, "id")) if "id" in item else None,
        "created_at": created_at,
        "session_id": records.optional_text(item, "run_id"),
        "source": "imported",
        "category": _category(metadata, tags),
        "tags": tags[:20] or None,
        "metadata": (metadata | {"mem0": own} if own else metadata) or None,
        "expires_at": _day_after(item["expiration_date"]).isoformat() if item.get("expiration_date") else None,
    }
    if isinstance(ours, Mapping):
        fields |= {name: ours[name] for name in _OURS if name in ours}
    return {name: value for name, value in fields.items() if value is not None}


def _category(metadata: Mapping[str, Any], tags: list[str]) -> str | None:
    if metadata.get("memory_type") == "procedural_memory":
        return "procedural"
    given = metadata.get("category")
    return given if given in CATEGORIES else "preference" if "user_preferences" in tags else None


def _day_after(day: Any) -> datetime:
    """A memory is valid until the end of this day."""
    try:
        last = date.fromisoformat(day)
        return datetime(last.year, last.month, last.day, tzinfo=UTC) + timedelta(days=1)
    except (TypeError, ValueError, OverflowError) as error:
        raise WrongFieldError("expiration_date must be a day, as 2030-01-31") from error


def exported(memory: Mapping[str, Any]) -> dict[str, Any] | None:
    """A line of our export as an item of `get_all`; None for a memory that is not active.

    What an import of the item would not bring back is in its `metadata.remembrancer`.
    """
    if memory["status"] != "active":
        return None
    metadata = dict(memory.get("metadata") or {})
    own = metadata.pop("mem0", None)
    reference = memory.get("client_ref") or ""
    expires_at = memory.get("expires_at")
    item = {
        "id": reference.removeprefix(f"{NAME}:") if reference.startswith(f"{NAME}:") else memory["id"],
        "memory": memory["content"],
        "hash": hashlib.md5(memory["content"].encode(), usedforsecurity=False).hexdigest(),
        "metadata": metadata,
        "categories": memory.get("tags") or [],
        "created_at": memory["created_at"],
        "updated_at": memory["created_at"],
        "expiration_date": _last_day(expires_at) if expires_at else None,
        "user_id": memory.get("user_id"),
        # mem0 finds no memory without an owner.
        "agent_id": None if memory.get("user_id") else memory["agent_id"],
        "run_id": memory.get("session_id"),
        **(own if isinstance(own, Mapping) else {}),
    }
    restored = _OURS | _fields(item)
    if ours := {name: memory.get(name) for name in _OURS if memory.get(name) != restored[name]}:
        item["metadata"] = metadata | {"remembrancer": ours}
    return {name: value for name, value in item.items() if value not in (None, {}, [])}


def _last_day(expires_at: str) -> str:
    return (datetime.fromisoformat(expires_at).astimezone(UTC) - timedelta(microseconds=1)).date().isoformat()


PRODUCT = Product(
    NAME,
    "the answer of get_all, an object with a list `results` of items with `memory` and `id`; such a list; or an export "
    "in a schema of your own",
    lambda value: records.holds(value, _is_memory, *_LISTS),
    read,
    accepts=lambda value: records.holds(value, _is_export, *_LISTS),
)
