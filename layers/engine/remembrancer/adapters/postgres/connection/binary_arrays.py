"""Sends many ids or numbers as one binary parameter; psycopg would write each of them as text."""

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


@dataclass(frozen=True, slots=True)
class Uuids:
    """A parameter of the type uuid[]."""

    ids: Sequence[UUID]


@dataclass(frozen=True, slots=True, eq=False)
class Integers:
    """A parameter of the type integer[], from an array of any whole type."""

    numbers: NDArray[np.integer]


class _UuidsDumper(Dumper):
    format = Format.BINARY
    oid = _UUID_ARRAY

    def dump(self, obj: Uuids) -> bytes:
        return _array(_UUID, len(obj.ids), b"".join([_WIDTH + identifier.bytes for identifier in obj.ids]))


class _IntegersDumper(Dumper):
    format = Format.BINARY
    oid = _INTEGER_ARRAY

    def dump(self, obj: Integers) -> bytes:
        elements = np.full((len(obj.numbers), 2), 4, ">i4")
        elements[:, 1] = obj.numbers
        return _array(_INTEGER, len(elements), elements.tobytes())


def _array(oid: int, length: int, elements: bytes) -> bytes:
    """Format: one dimension starting at 1, no nulls; each element after its width. An empty array has no dimension."""
    if not length:
        return struct.pack(">iii", 0, 0, oid)
    return struct.pack(">iiiii", 1, 0, oid, length, 1) + elements


def register(connection: AsyncConnection[object]) -> None:
    """Registers the types for parameters of the connection."""
    connection.adapters.register_dumper(Uuids, _UuidsDumper)
    connection.adapters.register_dumper(Integers, _IntegersDumper)
