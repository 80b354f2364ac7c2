"""Sealing and opening text, and the data keys for it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.encryption.data_key import DataKey, KeyState, NewKey, Resealed, StoredText
from remembrancer.domain.encryption.sealed_text import OpenedFields, Plain, Sealed, SealedFields


class Cipher(Protocol):
    """Seals text for organizations that have a data key, and opens it; a failure to open is part of the answer, so that
    one row never spoils the others.
    """

    async def seal(self, org_id: UUID, fields: Sequence[Plain], *, version: int | None = None) -> SealedFields:
        """Under the newest version that is known here, or under `version`; StoreError when the key cannot be had."""
        ...

    async def open(self, org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
        """Never blocks the event loop for long, whatever the size."""
        ...


class KeyStore(Protocol):
    """The life of data keys: each step can be repeated, so that work that was cut off goes on."""

    async def of(self, org_id: UUID) -> Sequence[DataKey]:
        """Every version that can still be unwrapped, oldest first; none for an organization without encryption."""
        ...

    async def add(self, org_id: UUID, version: int, key: NewKey) -> bool:
        """Stores the next version; False when there is one of that number already, or no such organization."""
        ...

    async def rewrap(self, org_id: UUID, version: int, key: NewKey) -> None:
        """Replaces the wrapped form of a version; the data key stays the same."""
        ...

    async def keep_term_key(self, org_id: UUID, sealed: bytes) -> None:
        """Stores the organization's term key sealed, and in no other form."""
        ...

    async def texts_to_seal(
        self, org_id: UUID, version: int, after: tuple[UUID, int], limit: int
    ) -> Sequence[StoredText]:
        """Text that is clear or under an older version, by memory id and number, beyond `after`."""
        ...

    async def reseal(self, org_id: UUID, version: int, texts: Sequence[Resealed]) -> int:
        """Replaces each text unless it was changed meanwhile; how many were replaced."""
        ...

    async def state(self, org_id: UUID) -> KeyState | None:
        """None for an organization without a data key."""
        ...

    async def organizations(self) -> Sequence[UUID]:
        """Every organization that is encrypted or about to be."""
        ...

    async def retire(self, org_id: UUID, before: int) -> None:
        """Ends the use of every version before this one under which no text is left."""
        ...

    async def destroy(self, org_id: UUID, retired_before: datetime) -> int:
        """Deletes the key material of versions retired before this moment; how many."""
        ...


class KeyService(Protocol):
    """Wraps data keys under a key of its own, which never leaves it."""

    async def generate(self, kms_key_id: str, context: Mapping[str, str]) -> NewKey:
        """A new data key under `kms_key_id`, bound to `context`."""
        ...

    async def unwrap(self, kms_key_id: str, wrapped: bytes, context: Mapping[str, str]) -> bytes:
        """The 32 bytes; StoreError when the service refuses or does not answer."""
        ...

    async def wrap(self, kms_key_id: str, plain: bytes, context: Mapping[str, str]) -> NewKey:
        """An existing data key under another key of the service."""
        ...
