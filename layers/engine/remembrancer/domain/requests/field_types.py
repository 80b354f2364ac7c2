"""Field types; each function declares one field, with its limits."""

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypeGuard, Unpack
from uuid import UUID

from remembrancer.domain.identity import agent_reference
from remembrancer.domain.identity.agent_reference import LONGEST_NAME, UUID_FORM, AgentReference
from remembrancer.domain.identity.scope import EVERY_NAME, LONGEST_END_USER, end_user_name, end_user_problem
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.domain.requests.fields import NESTED, Field, Fields, Given, More
from remembrancer.domain.requests.rounding import digits
from remembrancer.domain.times import time_zone as zones

SMALLEST = 2.0**-126
"""The least number above 0 in single precision, in which the store keeps numbers; smaller ones would be stored as 0."""
SHORT = 256
"""Most characters of texts without a limit of their own."""
# What is not blank in the Basic Multilingual Plane, without `*`. A text of other planes only is accepted too.
_SEEN = (
    "!-)+-~\\u00a1-\\u00ac\\u00ae-\\u034e\\u0350-\\u061b\\u061d-\\u115e\\u1161-\\u167f\\u1681-\\u17b3\\u17b6-\\u180a"
    "\\u1810-\\u1fff\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u27ff\\u2801-\\u2fff\\u3001-\\u3163\\u3165-\\ud7ff"
    "\\ue000-\\ufdcf\\ufdf0-\\ufdff\\ufe10-\\ufefe\\uff00-\\uff9f\\uffa1-\\uffef\\ufffc\\ufffd"
)
# At least one visible character: strings are trimmed, and NUL is refused.
VISIBLE = rf"^[^\u0000]*[*{_SEEN}][^\u0000]*$"
END_USER = rf"[^\u0000*]*[{_SEEN}][^\u0000*]*"


def text(longest: int = SHORT, *, is_blank_absent: bool = False, **more: Unpack[More]) -> Field:
    """A string of 1 to `longest` characters, trimmed.

    A blank one is refused, since an absent name or filter often means more than the caller wanted; with
    `is_blank_absent` it counts as absent.
    """

    def read(value: Any, given: Given, name: str) -> str | None:
        if not isinstance(value, str):
            given.fail(name, "must be a string")
            return None
        trimmed = value.strip()
        if len(trimmed) > longest:
            given.fail(name, f"must have at most {longest} characters")
        elif not is_blank_absent and is_blank(trimmed):
            given.fail(name, "must not be blank" if more.get("required") else "must not be blank; leave it out instead")
        else:
            return trimmed or None
        return None

    seen = {} if is_blank_absent else {"minLength": 1, "pattern": VISIBLE}
    return Field(read, {"type": "string", "maxLength": longest, **seen}, **more)


def end_user(*, may_be_all: bool = False, **more: Unpack[More]) -> Field:
    """The valid name of an end user in its stored form; with `may_be_all` also `*`. `user`, as OpenAI's requests name
    it, means the same.
    """

    def read(value: Any, given: Given, name: str) -> str | None:
        if not isinstance(value, str):
            given.fail(name, "must be a string")
            return None
        named = end_user_name(value)
        problem = None if may_be_all and named == EVERY_NAME else end_user_problem(named)
        if problem is not None:
            given.fail(name, problem)
            return None
        return named

    pattern = rf"^({END_USER}|\*)$" if may_be_all else rf"^{END_USER}$"
    schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_END_USER, "pattern": pattern}
    named: More = {**more, "aliases": ("user",)}
    return Field(read, schema, **named)


def uuid(*, is_blank_absent: bool = False, **more: Unpack[More]) -> Field:
    """A UUID in its usual textual form, with or without hyphens; blank ones as in `text`."""
    plain = text(8192, is_blank_absent=is_blank_absent)

    def read(value: Any, given: Given, name: str) -> UUID | None:
        written = plain.read(value, given, name)
        if written is None:
            return None
        if not UUID_FORM.fullmatch(written):
            given.fail(name, "must be a UUID")
            return None
        return UUID(written)

    return Field(read, {"$ref": "#/components/schemas/Id"}, **more)


def agent(**more: Unpack[More]) -> Field:
    """An agent by its id, or by its name."""
    plain = text(LONGEST_NAME)

    def read(value: Any, given: Given, name: str) -> AgentReference | None:
        written = plain.read(value, given, name)
        return None if written is None else agent_reference.parse(written)

    return Field(read, {"$ref": "#/components/schemas/AgentReference"}, **more)


def agent_name(**more: Unpack[More]) -> Field:
    """The name of a new agent."""
    plain = text(LONGEST_NAME)

    def read(value: Any, given: Given, name: str) -> str | None:
        written: str | None = plain.read(value, given, name)
        if written is not None and (problem := agent_reference.name_problem(written)):
            given.fail(name, problem)
            return None
        return None if written is None else unicodedata.normalize("NFC", written)

    return Field(read, plain.schema, **more)


def choice(allowed: Sequence[str], **more: Unpack[More]) -> Field:
    """One of these texts; the error lists them. Capitals count, and blanks around it do not."""
    plain = text(8192)

    def read(value: Any, given: Given, name: str) -> str | None:
        chosen: str | None = plain.read(value, given, name)
        if chosen is not None and chosen not in allowed:
            given.fail(name, f"must be one of {', '.join(allowed)}")
            return None
        return chosen

    return Field(read, {"type": "string", "enum": list(allowed)}, **more)


def number(low: float, high: float, *, clamp: bool = False, **more: Unpack[More]) -> Field:
    """A finite number in [low, high]; out of range it is refused, or with `clamp` adjusted and noted.

    A number too small for single precision, in which numbers are stored, becomes 0.
    """

    def read(value: Any, given: Given, name: str) -> float | None:
        if not _is_number(value):
            given.fail(name, "must be a number")
            return None
        used = _within(value, low, high, given, name, clamp=clamp)
        return 0.0 if used is not None and 0 < abs(used) < SMALLEST else used

    return Field(read, {"type": "number", **_bounds(low, high, clamp)}, **more)


def whole(low: int, high: int, *, clamp: bool = False, **more: Unpack[More]) -> Field:
    """An integer in [low, high], treated as in `number`; may be written as `2.0`."""

    def read(value: Any, given: Given, name: str) -> int | None:
        if not _is_number(value) or value != int(value):
            given.fail(name, "must be a whole number")
            return None
        used = _within(value, low, high, given, name, clamp=clamp)
        return None if used is None else int(used)

    return Field(read, {"type": "integer", **_bounds(low, high, clamp)}, **more)


def boolean(**more: Unpack[More]) -> Field:
    """True or false, never a word or a number."""

    def read(value: Any, given: Given, name: str) -> bool | None:
        if isinstance(value, bool):
            return value
        given.fail(name, "must be true or false")
        return None

    return Field(read, {"type": "boolean"}, **more)


def moment_of(written: str) -> datetime:
    """An ISO 8601 date or date-time in UTC; without an offset it is UTC. Raises ValueError or OverflowError."""
    moment = datetime.fromisoformat(written)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def timestamp(**more: Unpack[More]) -> Field:
    """An ISO 8601 date or date-time; without an offset it is UTC."""
    plain = text(64)

    def read(value: Any, given: Given, name: str) -> datetime | None:
        written = plain.read(value, given, name)
        if written is None:
            return None
        try:
            return moment_of(written)
        except ValueError:
            given.fail(name, "must be an ISO 8601 date-time")
        except OverflowError:
            given.fail(name, "is out of range")
        return None

    meaning = "ISO 8601; without an offset it is UTC."
    return Field(read, {"type": "string", "format": "date-time", "description": meaning}, **more)


def time_zone(**more: Unpack[More]) -> Field:
    """The name of a time zone in the IANA database."""
    plain = text(zones.LONGEST_NAME)

    def read(value: Any, given: Given, name: str) -> str | None:
        written: str | None = plain.read(value, given, name)
        if isinstance(value, str) and (written is None or zones.named(written) is None):
            given.fail(name, "must be the name of a time zone, such as Europe/Berlin")
            return None
        return written

    return Field(read, {**plain.schema, "examples": ["Europe/Berlin"]}, **more)


def strings(
    most: int,
    *,
    longest: int = 64,
    allowed: Sequence[str] | None = None,
    least: int = 0,
    pattern: str = VISIBLE,
    **more: Unpack[More],
) -> Field:
    """A list of distinct strings that are not blank, in the given order; when absent, `()` or the default.

    A required list has at least one entry, and so has one whose absence stands for everything (`least`). `pattern` only
    appears in the schema.
    """

    def read(value: Any, given: Given, name: str) -> tuple[str, ...] | None:
        if not isinstance(value, list) or not all(isinstance(item, str) and not is_blank(item) for item in value):
            given.fail(name, "must be a list of strings that are not blank")
            return None
        if len(value) < least:
            given.fail(name, "must not be empty; leave it out instead")
            return None
        items = tuple(dict.fromkeys(item.strip() for item in value))
        if len(items) > most:
            given.fail(name, f"must have at most {most} entries")
        elif any(len(item) > longest for item in items):
            given.fail(name, f"must have entries of at most {longest} characters")
        elif allowed is not None and not set(items) <= set(allowed):
            given.fail(name, f"must only contain {', '.join(allowed)}")
        return items

    entry = text(longest).described(pattern=pattern) if allowed is None else choice(allowed)
    fewest = {"minItems": 1} if least or more.get("required") else {}
    return Field(read, {"type": "array", "items": entry.schema, "maxItems": most, **fewest}, **_filled(more, ()))


def weights(defaults: Mapping[str, float]) -> Field:
    """Non-negative numbers for any of the factors in `defaults`; the resulting sum of weights must be above 0."""

    def read(value: Any, given: Given, name: str) -> dict[str, float] | None:
        if not isinstance(value, Mapping):
            given.fail(name, "must be an object of numbers")
            return None
        chosen: dict[str, float] = {}
        for key, weight in value.items():
            if key not in defaults:
                given.fail(f"{name}.{key}", f"unknown factor; known: {', '.join(defaults)}")
            elif not _is_number(weight) or not 0 <= weight <= _HEAVIEST:
                given.fail(f"{name}.{key}", f"must be a number between 0 and {_HEAVIEST}")
            else:
                chosen[key] = float(weight)
        if not any({**defaults, **chosen}.values()):
            given.fail(name, "must leave at least one factor a weight above 0")
        return chosen

    factors = {
        factor: {"type": "number", "minimum": 0, "maximum": _HEAVIEST, "default": usual}
        for factor, usual in defaults.items()
    }
    return Field(read, {"type": "object", "properties": factors, "additionalProperties": False}, default={})


def nested(fields: Fields, **more: Unpack[More]) -> Field:
    """An object of these fields, parsed to a mapping of their values; an absent object counts as empty."""

    def read(value: Any, given: Given, name: str) -> Mapping[str, Any]:
        return given.nested(name, fields, value).values

    empty = MappingProxyType({name: field.default for name, field in fields.by_name.items()})
    return Field(read, {NESTED: fields}, **_filled(more, empty))


def objects(
    most: int,
    items: Mapping[str, Any] | Fields,
    *,
    check: Callable[[Sequence[Any], Given, str], None] = lambda items, given, name: None,
    **more: Unpack[More],
) -> Field:
    """A list of up to `most` values; a required list has at least one. `check` notes their problems.

    `items` is the schema of each.
    """
    required = more.get("required", False)

    def read(value: Any, given: Given, name: str) -> list[Any] | None:
        if not isinstance(value, list) or (required and not value):
            given.fail(name, "must be a non-empty list" if required else "must be a list")
            return None
        if len(value) > most:
            given.fail(name, f"must have at most {most} entries")
            return None
        check(value, given, name)
        return value

    least = {"minItems": 1} if required else {}
    entry = {NESTED: items} if isinstance(items, Fields) else items
    return Field(read, {"type": "array", "items": entry, "maxItems": most, **least}, **_filled(more, ()))


def entries(most: int = 8) -> Field:
    """An object of texts, numbers and booleans, up to `most`; an empty one counts as absent: it has no condition."""

    def read(value: Any, given: Given, name: str) -> Mapping[str, str | float | bool] | None:
        if not isinstance(value, Mapping):
            given.fail(name, "must be a JSON object")
        elif len(value) > most:
            given.fail(name, f"must have at most {most} entries")
        elif not all(isinstance(member, str | bool) or _is_number(member) for member in value.values()):
            given.fail(name, "must have text, numbers, true or false as its values")
        else:
            return value
        return None

    scalar = {"type": ["string", "number", "boolean"]}
    return Field(read, {"type": "object", "maxProperties": most, "additionalProperties": scalar}, default={})


def anything() -> Field:
    """Accepts any value unchanged; the caller checks it."""
    return Field(lambda value, given, name: value, {})


def _filled(more: More, default: Any) -> More:
    """The declaration with this default, unless it has one."""
    return {"default": default, **more}


def _within(value: float, low: float, high: float, given: Given, name: str, *, clamp: bool) -> float | None:
    if low <= value <= high:
        return value
    if not clamp:
        given.fail(name, f"must be between {digits(low)} and {digits(high)}")
        return None
    bounded = min(max(value, low), high)
    given.adjusted[given.place(name)] = {"given": value, "used": bounded}
    return bounded


def _bounds(low: float, high: float, clamp: bool) -> dict[str, Any]:
    return {"description": f"Clamped to {low}..{high}."} if clamp else {"minimum": low, "maximum": high}


def _is_number(value: object) -> TypeGuard[int | float]:
    """Whether it is a finite int or float; booleans are not numbers."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


_HEAVIEST = 1_000_000
