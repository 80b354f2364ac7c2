"""Typed reading of a JSON object: every bad field is named, all of them at once."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeGuard
from uuid import UUID

from remembrancer.domain.identity.scope import LONGEST_END_USER, end_user_problem
from remembrancer.errors import InvalidRequest

JsonObject = Mapping[str, Any]

SMALLEST = 2.0**-126
"""Above 0, in single precision; the store refuses what it would have to round to nothing."""


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


class Fields:
    """Reads one object; `snake_case` names, and their proto3 JSON `camelCase` twins.

    Each reader returns the value or its default and notes what is wrong; `finish` raises InvalidRequest with all notes.
    `errors` and `prefix` let a nested object report into its parent. A number out of range is clamped and noted in
    `adjusted` by the readers that say so.
    """

    def __init__(self, data: object, *, errors: dict[str, str] | None = None, prefix: str = "") -> None:
        self.errors: dict[str, str] = {} if errors is None else errors
        self.adjusted: dict[str, dict[str, float]] = {}
        self._prefix = prefix
        self._read: set[str] = set()
        self._data: JsonObject = {}
        if isinstance(data, Mapping):
            self._data = data
        else:
            self.fail("", "must be a JSON object")

    def fail(self, name: str, problem: str) -> None:
        """The first problem of a field is the one reported."""
        self.errors.setdefault(f"{self._prefix}{name}".rstrip(".") or "body", problem)

    def value(self, name: str, *aliases: str) -> Any:
        """The raw value, or None when the field is absent or null."""
        for key in (name, _camel(name), *aliases):
            if key in self._data:
                self._read.add(key)
                return self._data[key]
        return None

    def has(self, name: str) -> bool:
        """Whether the object has this field, null included."""
        return name in self._data or _camel(name) in self._data

    def string(
        self, name: str, *aliases: str, required: bool = False, longest: int = 8192, strip: bool = True
    ) -> str | None:
        """A string of 1 to `longest` characters; an optional empty one counts as absent."""
        value = self.value(name, *aliases)
        if value is None:
            self._missing(name, required)
            return None
        if not isinstance(value, str):
            self.fail(name, "must be a string")
            return None
        text = value.strip() if strip else value
        if not text:
            self._missing(name, required)
            return None
        if len(text) > longest:
            self.fail(name, f"must have at most {longest} characters")
            return None
        return text

    def end_user(self, name: str) -> str | None:
        """The name of an end user."""
        text = self.string(name, longest=LONGEST_END_USER)
        if text is not None and (problem := end_user_problem(text)):
            self.fail(name, problem)
            return None
        return text

    def uuid(self, name: str, *aliases: str, required: bool = False) -> UUID | None:
        """A UUID in its usual textual form."""
        text = self.string(name, *aliases, required=required)
        if text is None:
            return None
        if not _UUID.fullmatch(text):
            self.fail(name, "must be a UUID")
            return None
        return UUID(text)

    def choice(self, name: str, allowed: Sequence[str], default: str | None = None) -> str | None:
        """One of `allowed`, case-sensitive."""
        text = self.string(name)
        if text is None:
            return default
        if text not in allowed:
            self.fail(name, f"must be one of {', '.join(allowed)}")
            return default
        return text

    def number(
        self, name: str, default: float, low: float, high: float, *, whole: bool = False, clamp: bool = False
    ) -> float:
        """A finite number in [low, high]; out of range it is refused, or with `clamp` adjusted and noted.

        What is too small for single precision, in which numbers are stored, is 0.
        """
        value = self.value(name)
        if value is None:
            return default
        kind = "a whole number" if whole else "a number"
        if not _is_number(value) or (whole and value != int(value)):
            self.fail(name, f"must be {kind}")
            return default
        if low <= value <= high:
            return 0.0 if 0 < abs(value) < SMALLEST else value
        if not clamp:
            self.fail(name, f"must be between {low:g} and {high:g}")
            return default
        bounded = min(max(value, low), high)
        self.adjusted[f"{self._prefix}{name}"] = {"given": value, "used": bounded}
        return bounded

    def boolean(self, name: str, default: bool) -> bool:
        """True or false, never a word or a number."""
        value = self.value(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.fail(name, "must be true or false")
            return default
        return value

    def timestamp(self, name: str) -> datetime | None:
        """An ISO 8601 date or date-time; without an offset it is UTC."""
        text = self.string(name, longest=64)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            self.fail(name, "must be an ISO 8601 date-time")
            return None
        try:
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except OverflowError:
            self.fail(name, "is out of range")
            return None

    def strings(
        self,
        name: str,
        *,
        most: int,
        longest: int = 64,
        allowed: Sequence[str] | None = None,
    ) -> tuple[str, ...]:
        """A list of distinct non-empty strings, in the order given."""
        value = self.value(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            self.fail(name, "must be a list of non-empty strings")
            return ()
        items = tuple(dict.fromkeys(item.strip() for item in value))
        if len(items) > most:
            self.fail(name, f"must have at most {most} entries")
        elif any(len(item) > longest for item in items):
            self.fail(name, f"must have entries of at most {longest} characters")
        elif allowed is not None and not set(items) <= set(allowed):
            self.fail(name, f"must only contain {', '.join(allowed)}")
        return items

    def weights(self, name: str, defaults: Mapping[str, float]) -> dict[str, float]:
        """Non-negative numbers for any of the factors that `defaults` names, some weight left above 0 in all."""
        value = self.value(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fail(name, "must be an object of numbers")
            return {}
        weights: dict[str, float] = {}
        for key, number in value.items():
            if key not in defaults:
                self.fail(f"{name}.{key}", f"unknown factor; known: {', '.join(defaults)}")
            elif not _is_number(number) or not 0 <= number <= 1e6:
                self.fail(f"{name}.{key}", "must be a number between 0 and 1000000")
            else:
                weights[key] = float(number)
        if not any({**defaults, **weights}.values()):
            self.fail(name, "must leave at least one factor a weight above 0")
        return weights

    def nested(self, name: str) -> "Fields":
        """The reader of a nested object; absent reads as empty."""
        value = self.value(name)
        return Fields({} if value is None else value, errors=self.errors, prefix=f"{self._prefix}{name}.")

    def objects(self, name: str, *, most: int, required: bool = False) -> list[Any]:
        """A list of 1 (if required) to `most` values; the caller reads each."""
        value = self.value(name)
        if value is None and not required:
            return []
        if not isinstance(value, list) or (required and not value):
            self.fail(name, "must be a non-empty list" if required else "must be a list")
            return []
        if len(value) > most:
            self.fail(name, f"must have at most {most} entries")
            return []
        return value

    def refuse_unknown(self) -> None:
        """Notes every field that no reader asked for."""
        for key in self._data.keys() - self._read:
            self.fail(str(key), "unknown field")

    def finish(self) -> None:
        """Raises InvalidRequest if anything was noted."""
        if self.errors:
            names = ", ".join(sorted(self.errors))
            raise InvalidRequest(f"The request has invalid fields: {names}.", fields=self.errors)

    def _missing(self, name: str, required: bool) -> None:
        if required:
            self.fail(name, "is required")


def _is_number(value: object) -> TypeGuard[int | float]:
    """An int of any size is one; true and false, NaN and infinity are not."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


_UUID = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")
