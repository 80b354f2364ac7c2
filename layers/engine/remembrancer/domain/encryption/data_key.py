"""Data keys of organizations, and the texts that are to be sealed under the newest one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class DataKey:
    """One version of an organization's data key; `wrapped` by the KMS key `kms_key_id`."""

    version: int
    kms_key_id: str
    wrapped: bytes
    created_at: datetime | None = None
    retired_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A data key just made: its 32 bytes, and what is stored of it."""

    plain: bytes
    wrapped: bytes
    kms_key_id: str


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
