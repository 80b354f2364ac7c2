"""Sends many ids as one binary parameter; psycopg would write each of them as text."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format

_UUID, _UUID_ARRAY = 2950, 2951
"""Type numbers (OIDs) of the server."""
_WIDTH = (16).to_bytes(4, "big")


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


def register(connection: AsyncConnection[object]) -> None:
    """Registers the type for parameters of the connection."""
    connection.adapters.register_dumper(Uuids, _UuidsDumper)
