"""Declarations of a JSON object's fields: they parse requests, and the OpenAPI document describes them."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypedDict

from remembrancer.domain.requests.similar_names import LONGEST, SimilarNames
from remembrancer.errors import InvalidRequest

JsonObject = Mapping[str, Any]

MOST_NAMED = 20
"""Most ignored fields that are named, and most unknown fields that get a suggestion."""
ELSEWHERE = {
    "query": ("q", "question", "search", "text", "prompt"),
    "content": ("text", "memory", "fact", "message"),
    "text": ("content", "query", "message"),
    "k": ("limit", "top_k", "n_results", "size"),
}
"""Names of our fields in other services."""
TAKEN_BY = {
    "messages": "POST /v1/conversations",
    "content": "POST /v1/memories",
    "memories": "POST /v1/memories/batch",
    "query": "POST /memory/query",
    "filters": "POST /memory/query",
    "directive": "PUT /v1/agents/{agent_id}/directive",
    "feedback": "POST /v1/memories/{memory_id}/feedback",
    "scopes": "POST /v1/keys",
}
"""The route that a caller probably meant, by what it is sent elsewhere."""
NESTED = ""
"""The key of a field's schema that holds the Fields of a nested object, or of a list's entries."""


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
    expected: AbstractSet[str] = frozenset()

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

    @cached_property
    def similar(self) -> SimilarNames:
        """The fields by name, and those of the objects in them by their path (`options.thoroughness`)."""
        inner = {
            name: f"{own}.{name}"
            for own, field in self.by_name.items()
            if isinstance(fields := field.schema.get(NESTED), Fields)
            for name in fields.by_name
        }
        aliases = {alias: own for own, field in self.by_name.items() for alias in field.aliases}
        elsewhere = {name: own for own in self.by_name for name in ELSEWHERE.get(own, ())}
        return SimilarNames(elsewhere | {name: name for name in self.by_name} | aliases | inner)


class OpenFields(Fields):
    """The same, except that undeclared fields are ignored, and noted unless they are `expected`."""

    is_open = True

    def __init__(
        self, name: str = "", description: str = "", expected: AbstractSet[str] = frozenset(), /, **fields: Field
    ) -> None:
        super().__init__(name, description, **fields)
        self.expected = expected


class Given:
    """An object after parsing: `values` has every declared field, with its default when absent or bad.

    All bad fields are noted, and `finish` raises InvalidRequest with them. `present` are the fields that the object
    has, including null ones; `adjusted` the clamped numbers; `ignored` the undeclared fields of open objects. A field
    that is sent under two of its names must have the same value under both. A nested object notes all of this in the
    enclosing one.
    """

    def __init__(self, fields: Fields, data: object, *, within: "Given | None" = None, place: str = "") -> None:
        self.errors: dict[str, str] = within.errors if within else {}
        self.adjusted: dict[str, dict[str, float]] = within.adjusted if within else {}
        self.ignored: dict[str, str] = within.ignored if within else {}
        self.values: dict[str, Any] = {}
        self.present: set[str] = set()
        self._fields, self._within, self._prefix = fields, within, place
        given: JsonObject = data if isinstance(data, Mapping) else {}
        if given is not data:
            self.fail("", "must be a JSON object")
        unknown = set(given)
        for field, keys in fields.keys:
            sent = [key for key in keys if key in given]
            value = None
            if sent:
                self.present.add(keys[0])
                unknown.difference_update(sent)
                value = self._read(field, keys[0], sent, given)
            if field.required and (value is None or value == ()):
                self.fail(keys[0], "is required")
            self.values[keys[0]] = field.default if value is None else value
        if unknown:
            self._note_unknown(unknown - fields.expected)

    def _read(self, field: Field, name: str, sent: Sequence[str], given: JsonObject) -> Any:
        """The field's value; an alias is named in problems as it was sent."""
        values = [
            value
            for key in sent
            if given[key] is not None
            and (value := field.read(given[key], self, key if key in field.aliases else name)) is not None
        ]
        if any(value != values[0] for value in values[1:]):
            self.fail(sent[1], f"differs from {sent[0]}, which means the same")
        return values[0] if values else None

    def _note_unknown(self, unknown: AbstractSet[str]) -> None:
        for position, key in enumerate(sorted(map(str, unknown))):
            problem = self._unknown(key) if position < MOST_NAMED else "unknown field"
            if not self._fields.is_open:
                self.fail(key, problem)
            elif position < MOST_NAMED:
                self.ignored[self.place(key[:LONGEST])] = problem

    def _unknown(self, key: str) -> str:
        """What is wrong with the field, with the field or, for what another route takes, the route that was meant."""
        route = TAKEN_BY.get(key)
        if route and not self._within and key not in self._fields.similar:
            return f"unknown field; {route} takes it"
        meant = self._meant(key)
        return f"unknown field; did you mean {meant}?" if meant else "unknown field"

    def _meant(self, key: str) -> str | None:
        """The place of the field that was probably meant: in this object, in one within it, or in the enclosing one."""
        if found := self._fields.similar.nearest(key):
            return self.place(found)
        return self._within._meant(key) if self._within else None

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
        """The values; raises InvalidRequest if a problem was noted. It has the ignored fields too: one of them may be a
        missing one, misspelt.
        """
        if self.errors:
            names = ", ".join(sorted(self.errors))
            raise InvalidRequest(f"The request has invalid fields: {names}.", fields={**self.ignored, **self.errors})
        return self.values


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)
