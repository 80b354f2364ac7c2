"""What the write API accepts, field by field."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, NewMemory, normalise, printable
from remembrancer.domain.requests.fields import Fields

CONTENT_CHARACTERS = 8192
METADATA_KEYS = 32
METADATA_DEPTH = 4
METADATA_BYTES = 8192
BATCH = 100
DIRECTIVE_CHARACTERS = 32_768
INJECTION_MODES = ("system_first", "system_append", "user_prepend")


def parse(body: object, *, now: datetime) -> NewMemory:
    """One memory; raises InvalidRequest naming every bad field, unknown ones included."""
    fields = Fields(body)
    agent_id = fields.uuid("agent_id", required=True)
    content = text_field(fields, "content", required=True)
    summary = text_field(fields, "summary")
    context = text_field(fields, "context")
    category = fields.choice("category", CATEGORIES, "factual")
    source = fields.choice("source", SOURCES, "extracted")
    memory = NewMemory(
        agent_id=agent_id or UUID(int=0),
        content=content or "",
        summary=summary,
        context=context,
        category=category or "",
        source=source or "",
        confidence=fields.number("confidence", 0.8, 0, 1),
        importance=fields.number("importance", 0.5, 0, 1),
        tags=fields.strings("tags", most=20, longest=64),
        metadata=metadata_field(fields),
        user_id=fields.end_user("user_id"),
        session_id=fields.string("session_id", longest=256),
        created_at=fields.timestamp("created_at") or now,
        valid_from=fields.timestamp("valid_from"),
        expires_at=fields.timestamp("expires_at"),
        supersedes=fields.uuid("supersedes"),
        client_ref=fields.string("client_ref", longest=256),
    )
    if memory.created_at.year < 1 or memory.created_at > _LATEST:
        fields.fail("created_at", "is out of range")
    if memory.supersedes is not None and memory.valid_from is not None and memory.valid_from > now:
        fields.fail("supersedes", "cannot be replaced by a memory that is not valid yet")
    fields.refuse_unknown()
    fields.finish()
    return memory


def parse_feedback(body: object) -> bool:
    """Whether it is positive."""
    fields = Fields(body)
    kind = fields.choice("feedback", ("positive", "negative"))
    if kind is None:
        fields.fail("feedback", "is required")
    fields.refuse_unknown()
    fields.finish()
    return kind == "positive"


def parse_batch(body: object) -> list[Any]:
    """The 1 to 100 objects of a batch, each still to be parsed by itself."""
    fields = Fields(body)
    memories = fields.objects("memories", most=BATCH, required=True)
    fields.refuse_unknown()
    fields.finish()
    return memories


def parse_agent(body: object) -> str:
    """The name of a new agent."""
    fields = Fields(body)
    name = fields.string("name", required=True, longest=256)
    fields.refuse_unknown()
    fields.finish()
    assert name
    return name


def parse_directive(body: object) -> tuple[str, str]:
    """Text and injection mode."""
    fields = Fields(body)
    # An operator's layout, indented lists for instance, is part of the instruction.
    text = text_field(fields, "text", required=True, longest=DIRECTIVE_CHARACTERS, form=_layout_kept)
    mode = fields.choice("injection_mode", INJECTION_MODES, "system_first")
    fields.refuse_unknown()
    fields.finish()
    assert text and mode
    return text, mode


def parse_relation(body: object) -> tuple[UUID, str, float]:
    """The other end, type and confidence."""
    fields = Fields(body)
    other = fields.uuid("to", "to_memory_id", required=True)
    kind = fields.choice("type", RELATION_TYPES)
    if kind is None:
        fields.fail("type", "is required")
    confidence = fields.number("confidence", 0.8, 0, 1)
    fields.refuse_unknown()
    fields.finish()
    assert other and kind
    return other, kind, confidence


def text_field(
    fields: Fields,
    name: str,
    *,
    required: bool = False,
    longest: int = CONTENT_CHARACTERS,
    form: Callable[[str], str] = normalise,
) -> str | None:
    """A text in the form in which it is stored; None when nothing is left of it."""
    text = fields.string(name, required=required, longest=longest)
    if text is None:
        return None
    normal = form(text)
    if not normal and required:
        fields.fail(name, "must contain visible characters")
    if len(normal) > longest:
        fields.fail(name, f"must have at most {longest} characters in Unicode normal form C")
    return normal or None


def _layout_kept(text: str) -> str:
    return printable(text).strip()


def metadata_field(fields: Fields) -> Mapping[str, Any]:
    """Any JSON object within the bounds; an absent one is empty."""
    value = fields.value("metadata")
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        fields.fail("metadata", "must be a JSON object")
    elif len(value) > METADATA_KEYS:
        fields.fail("metadata", f"must have at most {METADATA_KEYS} keys")
    elif _depth(value) > METADATA_DEPTH:
        fields.fail("metadata", f"must be nested at most {METADATA_DEPTH} deep")
    elif len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) > METADATA_BYTES:
        fields.fail("metadata", f"must have at most {METADATA_BYTES} bytes")
    else:
        return value
    return {}


def _depth(value: object) -> int:
    if isinstance(value, Mapping):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


_LATEST = datetime(9000, 1, 1, tzinfo=UTC)
