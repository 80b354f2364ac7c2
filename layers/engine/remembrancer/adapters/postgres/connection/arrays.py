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
_BIGINT, _BIGINT_ARRAY = 20, 1016
"""Type numbers (OIDs) of the server."""
_WIDTH = (16).to_bytes(4, "big")
_ELEMENT = np.dtype([("width", ">i4"), ("value", ">i4")])
_BIG_ELEMENT = np.dtype([("width", ">i4"), ("value", ">i8")])


class Uuids:
    """A parameter of the type uuid[], encoded once, however many statements have it."""

    def __init__(self, ids: Sequence[UUID]) -> None:
        """Format: one dimension starting at 1, no nulls; each element after its width. An empty list is an array
        without dimensions.
        """
        if not ids:
            self.encoded = struct.pack(">iii", 0, 0, _UUID)
            return
        # By number, since the bytes of a UUID are computed in Python.
        elements = b"".join([_WIDTH + identifier.int.to_bytes(16, "big") for identifier in ids])
        self.encoded = struct.pack(">iiiii", 1, 0, _UUID, len(ids), 1) + elements


class _UuidsDumper(Dumper):
    format = Format.BINARY
    oid = _UUID_ARRAY

    def dump(self, obj: Uuids) -> bytes:
        """The bytes that were made with the parameter."""
        return obj.encoded


@dataclass(frozen=True, slots=True)
class Integers:
    """A parameter of the type integer[]."""

    values: NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class BigIntegers:
    """A parameter of the type bigint[]."""

    values: Sequence[int]


class _IntegersDumper(Dumper):
    """Format: as of ids."""

    format = Format.BINARY
    oid = _INTEGER_ARRAY

    def dump(self, obj: Integers) -> bytes:
        """An empty list is an array without dimensions."""
        return _encoded(obj.values, _INTEGER, _ELEMENT)


class _BigIntegersDumper(Dumper):
    format = Format.BINARY
    oid = _BIGINT_ARRAY

    def dump(self, obj: BigIntegers) -> bytes:
        """The same form as an array of integers, with larger elements."""
        return _encoded(obj.values, _BIGINT, _BIG_ELEMENT)


def _encoded(values: NDArray[np.integer] | Sequence[int], oid: int, element: np.dtype[np.void]) -> bytes:
    if not len(values):
        return struct.pack(">iii", 0, 0, oid)
    elements = np.empty(len(values), dtype=element)
    elements["width"], elements["value"] = element["value"].itemsize, values
    return struct.pack(">iiiii", 1, 0, oid, len(elements), 1) + elements.tobytes()


def register(connection: AsyncConnection[object]) -> None:
    """Registers the types for parameters of the connection."""
    connection.adapters.register_dumper(Uuids, _UuidsDumper)
    connection.adapters.register_dumper(Integers, _IntegersDumper)
    connection.adapters.register_dumper(BigIntegers, _BigIntegersDumper)
