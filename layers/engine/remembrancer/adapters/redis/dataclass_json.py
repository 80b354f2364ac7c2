"""Dataclasses as JSON objects, by the types of their fields: a new field needs nothing here."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints
from uuid import UUID

_Converter = Callable[[Any], Any]
_CONVERTERS: Mapping[Any, tuple[_Converter, _Converter]] = {
    UUID: (str, UUID),
    datetime: (datetime.isoformat, datetime.fromisoformat),
    bytes: (bytes.hex, bytes.fromhex),
    tuple[str, ...]: (list, tuple),
    tuple[UUID, ...]: (lambda ids: list(map(str, ids)), lambda ids: tuple(map(UUID, ids))),
    Mapping[str, int]: (dict, dict),
}
"""To JSON and back, of the types that are something else there."""


class DataclassJson:
    """The fields of `kind` but those in `without`. None stays None."""

    def __init__(self, kind: type, *, without: Collection[str] = ()) -> None:
        hints = get_type_hints(kind)
        types = {one.name: _plain(hints[one.name]) for one in fields(kind) if one.name not in without}
        self._same = [name for name, of in types.items() if of not in _CONVERTERS]
        self._converted = [(name, *_CONVERTERS[of]) for name, of in types.items() if of in _CONVERTERS]

    def encode(self, value: object) -> dict[str, Any]:
        """An object that `json.dumps` takes: ids, times and bytes as text."""
        record = {name: getattr(value, name) for name in self._same}
        for name, convert, _ in self._converted:
            given = getattr(value, name)
            record[name] = None if given is None else convert(given)
        return record

    def decode(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The fields by name; other names are left out. Raises one of `UNREADABLE` for a damaged record."""
        values = {name: record[name] for name in self._same}
        for name, _, convert in self._converted:
            stored = record[name]
            values[name] = None if stored is None else convert(stored)
        return values


def _plain(hint: Any) -> Any:
    """The type without `Final` and `| None`."""
    if get_origin(hint) is Final:
        (hint,) = get_args(hint)
    if isinstance(hint, UnionType):
        (hint,) = (one for one in get_args(hint) if one is not NoneType)
    return hint
