"""Declarations of a JSON object's fields: they parse requests, and the OpenAPI document describes them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from remembrancer.errors import InvalidRequest

JsonObject = Mapping[str, Any]


class More(TypedDict, total=False):
    """Options of every field type; an optional field that is absent or null gets its default."""

    required: bool
    default: Any
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """`read` takes a value that is not null and the name of its field; on a problem it notes it and returns None.

    It also returns None for values that count as absent. `schema` is JSON Schema, in which a Fields stands for its own
    schema.
    """

    read: Callable[[Any, "Given", str], Any]
    schema: Mapping[str, Any]
    required: bool = False
    default: Any = None
    aliases: tuple[str, ...] = ()

    def described(self, **schema: Any) -> "Field":
        """The same field with additional schema entries."""
        return replace(self, schema={**self.schema, **schema})


class Fields:
    """The fields of one kind of object, in snake_case; their proto3 JSON camelCase names are accepted too.

    `name` is that of the schema in the OpenAPI document; without it the schema is inlined. Undeclared fields are
    refused.
    """

    is_open = False

    def __init__(self, name: str = "", description: str = "", /, **fields: Field) -> None:
        self.name = name
        self.description = description
        self.by_name = fields
        self.keys = [(field, (own, _camel(own), *field.aliases)) for own, field in fields.items()]

    def read(self, data: object) -> "Given":
        """Reads the object and notes all problems."""
        return Given(self, data)

    def parse(self, data: object) -> dict[str, Any]:
        """Every field's value by its name; InvalidRequest names every bad field."""
        return Given(self, data).finish()


class OpenFields(Fields):
    """The same, except that undeclared fields are ignored."""

    is_open = True


class Given:
    """An object after parsing: `values` has every declared field, with its default when absent or bad.

    All bad fields are noted, and `finish` raises InvalidRequest with them. `present` are the fields that the object
    has, including null ones; `adjusted` the clamped numbers. A nested object notes its problems in the enclosing one.
    """

    def __init__(self, fields: Fields, data: object, *, within: "Given | None" = None, place: str = "") -> None:
        self.errors: dict[str, str] = within.errors if within else {}
        self.adjusted: dict[str, dict[str, float]] = within.adjusted if within else {}
        self.values: dict[str, Any] = {}
        self.present: set[str] = set()
        self._prefix = place
        given: JsonObject = data if isinstance(data, Mapping) else {}
        if given is not data:
            self.fail("", "must be a JSON object")
        unknown = set(given)
        for field, keys in fields.keys:
            key = next((key for key in keys if key in given), None)
            value = None
            if key is not None:
                self.present.add(keys[0])
                unknown.discard(key)
                if given[key] is not None:
                    value = field.read(given[key], self, keys[0])
            if field.required and (value is None or value == ()):
                self.fail(keys[0], "is required")
            self.values[keys[0]] = field.default if value is None else value
        if not fields.is_open:
            for key in unknown:
                self.fail(str(key), "unknown field")

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def place(self, name: str) -> str:
        """The path of a field from the top of the request."""
        return f"{self._prefix}{name}"

    def fail(self, name: str, problem: str) -> None:
        """Notes a problem; only the first problem of a field is reported."""
        self.errors.setdefault(self.place(name).rstrip(".") or "body", problem)

    def nested(self, name: str, fields: Fields, data: object) -> "Given":
        """The nested object in the field `name`."""
        return Given(fields, data, within=self, place=f"{self.place(name)}.")

    def finish(self) -> dict[str, Any]:
        """The values; raises InvalidRequest if a problem was noted."""
        if self.errors:
            names = ", ".join(sorted(self.errors))
            raise InvalidRequest(f"The request has invalid fields: {names}.", fields=self.errors)
        return self.values


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)
