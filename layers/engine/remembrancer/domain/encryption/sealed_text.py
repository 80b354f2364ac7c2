"""The form of sealed text: what is encrypted under an organization's data key, and what it is bound to.

    format (1 byte) | key version (4 bytes, big endian) | nonce (12 bytes) | ciphertext and tag (AES-256-GCM)

The header, the organization, the owner and the name of the field are associated data: bytes moved to another row, field
or organization do not open. A row is therefore safe from an attacker that can write rows but has no key.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

UNREADABLE_TEXT = "[REDACTED — DECRYPTION FAILED]"
"""Shown in place of a text that could not be opened."""

TEXT = "text"
"""Field name of a memory's content and summary, sealed together since readers need both or neither."""
CONTEXT = "context"
TURN = "turn"
"""Field name of a turn's text and speaker; the owner is the id that the memory made of it has."""
TERM_KEY = "term_key"
"""Field name of the organization's own secrets; their owner is the organization itself."""

NONCE_BYTES = 12
_FORMAT = 1
_HEADER = struct.Struct(">BI")


@dataclass(frozen=True, slots=True)
class Plain:
    """A field before sealing; `owner` is the id of the memory or of the organization."""

    owner: UUID
    field: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Sealed:
    """A field in its stored form."""

    owner: UUID
    field: str
    value: bytes


@dataclass(frozen=True, slots=True)
class SealedFields:
    """One value for each field, in order, and the key version under which all of them are sealed."""

    values: Sequence[bytes]
    key_version: int


@dataclass(frozen=True, slots=True)
class OpenedFields:
    """One value for each field, in order, None for a field that could not be opened; `causes` has one entry for each
    such field.

    A cause is `InvalidTag` (damaged, or moved from another row), `UnknownFormat`, `UnknownKeyVersion`, or the class of
    the error that made the key unavailable, which may be temporary.
    """

    values: Sequence[bytes | None]
    causes: Sequence[str] = ()


def header(version: int) -> bytes:
    """The first bytes of every text sealed under this key version."""
    return _HEADER.pack(_FORMAT, version)


def split(value: bytes) -> tuple[int, bytes, bytes]:
    """Key version, nonce and ciphertext. Raises ValueError for another format."""
    if len(value) < _HEADER.size + NONCE_BYTES:
        raise ValueError("too short to be sealed text")
    kind, version = _HEADER.unpack_from(value)
    if kind != _FORMAT:
        raise ValueError("sealed in a format that this version does not know")
    body = value[_HEADER.size :]
    return version, body[:NONCE_BYTES], body[NONCE_BYTES:]


def associated_data(org_id: UUID, owner: UUID, field: str, version: int) -> bytes:
    """The associated data of a ciphertext; its parts before the name have fixed widths, so no two inputs give the
    same bytes.
    """
    return header(version) + org_id.bytes + owner.bytes + field.encode()


def encode_text(content: str, summary: str | None) -> bytes:
    """Encodes content and summary for sealing."""
    return json.dumps([content, summary], ensure_ascii=False, separators=(",", ":")).encode()


def decode_text(value: bytes) -> tuple[str, str | None]:
    """The reverse of `encode_text`: content, and summary or None."""
    content, summary = json.loads(value)
    return content, summary


def key_context(org_id: UUID) -> dict[str, str]:
    """The KMS encryption context of an organization's data keys: KMS unwraps them for no other, and logs the
    organization.
    """
    return {"service": "remembrancer", "org_id": str(org_id)}
