"""Sends many ids or numbers as one binary parameter; psycopg would convert each of them by itself."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format

_UUID, _UUID_ARRAY = 2950, 2951
_INTEGER, _INTEGER_ARRAY = 23, 1007
"""Type numbers (OIDs) of the server."""
_WIDTH = (16).to_bytes(4, "big")
_ELEMENT = np.dtype([("width", ">i4"), ("value", ">i4")])


@dataclass(frozen=True, slots=True)
class Uuids:
    """A parameter of the type uuid[]."""

    ids: Sequence[UUID]


class _UuidsDumper(Dumper):
    """Format: one dimension starting at 1, no nulls; each element after its width."""

    format = Format.BINARY
    oid = _UUID_ARRAY

    def dump(self, obj: Uuids) -> bytes:
        """An empty list is an array without dimensions."""
        if not obj.ids:
            return struct.pack(">iii", 0, 0, _UUID)
        elements = b"".join([_WIDTH + identifier.bytes for identifier in obj.ids])
        return struct.pack(">iiiii", 1, 0, _UUID, len(obj.ids), 1) + elements


@dataclass(frozen=True, slots=True)
class Integers:
    """A parameter of the type integer[]."""

    values: NDArray[np.integer]


class _IntegersDumper(Dumper):
    """Format: as of ids."""

    format = Format.BINARY
    oid = _INTEGER_ARRAY

    def dump(self, obj: Integers) -> bytes:
        """An empty list is an array without dimensions."""
        if not len(obj.values):
            return struct.pack(">iii", 0, 0, _INTEGER)
        elements = np.empty(len(obj.values), dtype=_ELEMENT)
        elements["width"], elements["value"] = 4, obj.values
        return struct.pack(">iiiii", 1, 0, _INTEGER, len(elements), 1) + elements.tobytes()


def register(connection: AsyncConnection[object]) -> None:
    """Registers the types for parameters of the connection."""
    connection.adapters.register_dumper(Uuids, _UuidsDumper)
    connection.adapters.register_dumper(Integers, _IntegersDumper)
