"""Text under an organization's data key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import Plain, Sealed


@dataclass(frozen=True, slots=True)
class SealedFields:
    """One value for each field, in order, and the version of the key that they are all sealed under."""

    values: Sequence[bytes]
    key_version: int


@dataclass(frozen=True, slots=True)
class OpenedFields:
    """One value for each field, in order: None where it could not be opened; `causes` has one entry for each of those.

    A cause is `InvalidTag` (damaged, or moved from another row), `UnknownFormat`, `UnknownKeyVersion`, or the class of
    the error that kept the key away, which may pass.
    """

    values: Sequence[bytes | None]
    causes: Sequence[str] = ()


class Sealer(Protocol):
    """Seals for organizations that have a data key."""

    async def seal(self, org_id: UUID, fields: Sequence[Plain], *, version: int | None = None) -> SealedFields:
        """Under the newest version that is known here, or under `version`; StoreError when the key cannot be had."""
        ...


class Opener(Protocol):
    """Opens what was sealed; a failure is part of the answer, so that one row never spoils the others."""

    async def open(self, org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
        """Never blocks the event loop for long, whatever the size."""
        ...


@dataclass(frozen=True, slots=True)
class DataKey:
    """One version of an organization's data key; `wrapped` by the KMS key `kms_key_id`."""

    version: int
    kms_key_id: str
    wrapped: bytes
    created_at: datetime | None = None
    retired_at: datetime | None = None


class DataKeys(Protocol):
    """The wrapped data keys of organizations."""

    async def of(self, org_id: UUID) -> Sequence[DataKey]:
        """Every version that can still be unwrapped, oldest first; none for an organization without encryption."""
        ...


@dataclass(frozen=True, slots=True)
class StoredText:
    """One text of a memory as it is stored, clear or sealed: the present one (`number` 0) or that of an old version."""

    memory_id: UUID
    number: int
    content: str | None
    summary: str | None
    context: str | None
    sealed: bytes | None
    sealed_context: bytes | None


@dataclass(frozen=True, slots=True)
class Resealed:
    """A text, and what replaces it."""

    before: StoredText
    sealed: bytes
    sealed_context: bytes | None


@dataclass(frozen=True, slots=True)
class KeyState:
    """Where an organization's encryption is: versions, and how much is not under the newest one yet.

    `older` counts versions that are not retired, `left` texts that are clear or under one of them; `term_version` is
    that of the term key, None while it is clear.
    """

    newest: int
    older: int
    left: int
    term_version: int | None


class KeyStore(DataKeys, Protocol):
    """The life of data keys: each step can be repeated, so that work that was cut off goes on."""

    async def add(self, org_id: UUID, version: int, key: "NewKey") -> bool:
        """Stores the next version; False when there is one of that number already, or no such organization."""
        ...

    async def rewrap(self, org_id: UUID, version: int, key: "NewKey") -> None:
        """Replaces what wraps a version."""
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


@dataclass(frozen=True, slots=True)
class NewKey:
    """A data key just made: its 32 bytes, and what is stored of it."""

    plain: bytes
    wrapped: bytes
    kms_key_id: str


class KeyService(Protocol):
    """What wraps data keys and never lets its own key out."""

    async def generate(self, kms_key_id: str, context: Mapping[str, str]) -> NewKey:
        """A new data key under `kms_key_id`, bound to `context`."""
        ...

    async def unwrap(self, kms_key_id: str, wrapped: bytes, context: Mapping[str, str]) -> bytes:
        """The 32 bytes; StoreError when the service refuses or does not answer."""
        ...

    async def wrap(self, kms_key_id: str, plain: bytes, context: Mapping[str, str]) -> NewKey:
        """An existing data key under another key of the service."""
        ...
