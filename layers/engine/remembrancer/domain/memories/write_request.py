"""Parses requests of the write API."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Unpack
from uuid import UUID

from remembrancer.domain.context.placement import PLACEMENTS
from remembrancer.domain.identity import agent_reference
from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, NewMemory, normalise, printable
from remembrancer.domain.requests.field_types import (
    VISIBLE,
    agent,
    agent_name,
    boolean,
    choice,
    end_user,
    number,
    objects,
    strings,
    text,
    time_zone,
    timestamp,
    uuid,
)
from remembrancer.domain.requests.fields import Field, Fields, Given, More

CONTENT_CHARACTERS = 8192
METADATA_KEYS = 32
METADATA_DEPTH = 4
METADATA_BYTES = 8192
BATCH = 100
DIRECTIVE_CHARACTERS = 32_768
INJECTION_MODES = ("system_first", "system_append", "user_prepend")


def prose(
    longest: int, *, form: Callable[[str], str] = normalise, may_be_empty: bool = False, **more: Unpack[More]
) -> Field:
    """A text in its stored form; when it is empty after normalisation None, or with `may_be_empty` an empty text."""
    plain = text(longest, is_blank_absent=True)
    visible = text(longest).schema if more.get("required") else plain.schema
    schema = {**visible, "minLength": 0, "pattern": f"^$|{VISIBLE}"} if may_be_empty else visible

    def read(value: Any, given: Given, name: str) -> str | None:
        written = plain.read(value, given, name)
        normal = form(written) if written else ""
        if written and not normal and more.get("required"):
            given.fail(name, "must contain visible characters")
        if len(normal) > longest:
            given.fail(name, f"must have at most {longest} characters in Unicode normal form C")
        return normal or ("" if may_be_empty else None)

    return Field(read, schema, **more)


def metadata() -> Field:
    """Any JSON object within the limits; an absent one is empty."""

    def read(value: Any, given: Given, name: str) -> Mapping[str, Any] | None:
        if not isinstance(value, Mapping):
            given.fail(name, "must be a JSON object")
        elif len(value) > METADATA_KEYS:
            given.fail(name, f"must have at most {METADATA_KEYS} keys")
        elif _depth(value) > METADATA_DEPTH:
            given.fail(name, f"must be nested at most {METADATA_DEPTH} deep")
        elif _stored_bytes(value) > METADATA_BYTES:
            given.fail(name, f"must have at most {METADATA_BYTES} bytes")
        else:
            return value
        return None

    return Field(read, {"type": "object", "maxProperties": METADATA_KEYS}, default={})


NEW_MEMORY = Fields(
    "NewMemory",
    agent_id=agent(required=True),
    content=prose(CONTENT_CHARACTERS, required=True),
    summary=prose(CONTENT_CHARACTERS),
    context=prose(CONTENT_CHARACTERS),
    category=choice(CATEGORIES, default="factual"),
    source=choice(SOURCES, default="extracted"),
    confidence=number(0, 1, default=0.8),
    importance=number(0, 1, default=0.5),
    tags=strings(20),
    metadata=metadata(),
    user_id=end_user(),
    session_id=text(),
    created_at=timestamp(),
    valid_from=timestamp(),
    expires_at=timestamp(),
    occurred_from=timestamp().described(description="When what it says began or happened; ISO 8601."),
    occurred_to=timestamp().described(description="From when on it is no longer true; ISO 8601."),
    supersedes=uuid(),
    client_ref=text(),
    pinned=boolean().described(
        description="It stands in every prompt of those whom it concerns. Without it, as the memory that it supersedes."
    ),
    pinned_at=timestamp().described(description="With `pinned`: since when; pinned memories stand in this order."),
)
NEW_MEMORIES = Fields("NewMemories", memories=objects(BATCH, NEW_MEMORY, required=True))
FEEDBACK = Fields("Feedback", feedback=choice(("positive", "negative"), required=True))
NEW_AGENT = Fields("NewAgent", name=agent_name(required=True), time_zone=time_zone())
AGENT_SWITCHES = Fields(
    "AgentSwitches",
    "At least one of them.",
    enabled=boolean().described(description="Whether assembly injects the agent's memories."),
    capture=boolean().described(description="Whether the turns of its assembled requests become memories."),
    time_zone=time_zone().described(
        type=["string", "null"], description="Of its end users who have set none; null removes it."
    ),
    placement=choice(PLACEMENTS).described(
        type=["string", "null"],
        enum=[*PLACEMENTS, None],
        description="Where memories stand if the request does not say it; null: where the organization says.",
    ),
)
END_USER_SETTINGS = Fields(
    "EndUserSettings",
    user_id=end_user().described(description="The end user, unless `X-End-User-ID` names one."),
    time_zone=time_zone().described(type=["string", "null"], description="Null removes it."),
)
NEW_DIRECTIVE = Fields(
    "NewDirective",
    # The operator's layout, for instance indented lists, is part of the instruction. Without a text there is none, and
    # memories stand in the chosen place.
    text=prose(DIRECTIVE_CHARACTERS, form=lambda text: printable(text).strip(), required=True, may_be_empty=True),
    injection_mode=choice(INJECTION_MODES, default="system_first"),
)
NEW_RELATION = Fields(
    "NewRelation",
    to=uuid(required=True, aliases=("to_memory_id",)),
    type=choice(RELATION_TYPES, required=True),
    confidence=number(0, 1, default=0.8),
)


def parse(body: object, *, now: datetime) -> NewMemory:
    """Parses one memory; raises InvalidRequest naming every bad field, unknown ones included."""
    given = NEW_MEMORY.read(body)
    created_at, valid_from = given["created_at"] or now, given["valid_from"]
    if created_at.year < 1 or created_at > LATEST:
        given.fail("created_at", "is out of range")
    if given["supersedes"] is not None and valid_from is not None and valid_from > now:
        given.fail("supersedes", "cannot be replaced by a memory that is not valid yet")
    if problem := occurrence_problem(given["occurred_from"], given["occurred_to"]):
        given.fail("occurred_to", problem)
    if given["pinned_at"] is not None and not given["pinned"]:
        given.fail("pinned_at", "needs pinned")
    values = given.finish()
    values["pinned_at"] = (values["pinned_at"] or now) if values["pinned"] else None
    reference = agent_reference.fields_of(values["agent_id"], absent=UUID(int=0))
    return NewMemory(**{**values, **reference, "created_at": created_at})


def parse_switches(body: object) -> dict[str, Any]:
    """The switches of an agent, None for what stays as it is; an empty text for what is removed.

    InvalidRequest without any.
    """
    given = AGENT_SWITCHES.read(body)
    removed = [name for name in ("time_zone", "placement") if name in given.present and given[name] is None]
    if not (removed or given.errors or any(given[name] is not None for name in AGENT_SWITCHES.by_name)):
        given.fail("enabled", "or capture, time_zone or placement is required")
    return given.finish() | dict.fromkeys(removed, "")


def parse_end_user_settings(body: object) -> tuple[str | None, str | None]:
    """The end user, None where the body names none, and the time zone, None to remove it."""
    given = END_USER_SETTINGS.read(body)
    if "time_zone" not in given.present:
        given.fail("time_zone", "is required")
    settings = given.finish()
    return settings["user_id"], settings["time_zone"]


def occurrence_problem(occurred_from: datetime | None, occurred_to: datetime | None) -> str | None:
    """Why a memory cannot have been true between these moments."""
    if occurred_from is not None and occurred_to is not None and occurred_to < occurred_from:
        return "is before occurred_from"
    return None


def _stored_bytes(value: Any) -> int:
    """Bytes of the JSON as the store writes it: 1e308 with all its digits."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return len(text) + sum(len(format(Decimal(repr(number)), "f")) - len(repr(number)) for number in _fractions(value))


def _fractions(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, Mapping | list):
        for member in value.values() if isinstance(value, Mapping) else value:
            yield from _fractions(member)


def _depth(value: object) -> int:
    if isinstance(value, Mapping):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


LATEST = datetime(9000, 1, 1, tzinfo=UTC)
