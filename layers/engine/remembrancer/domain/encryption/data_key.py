"""Data keys of organizations, and the texts to be resealed under the newest key."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

TURN = -1
"""The `number` of a turn, by the id of the memory that is made of it."""


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
    """A new data key: its 32 plaintext bytes, and the record to store."""

    plain: bytes
    wrapped: bytes
    kms_key_id: str


@dataclass(frozen=True, slots=True)
class KeyState:
    """Encryption status of an organization: key versions, and the number of texts not yet under the newest one.

    `older` counts older versions that are not retired, `left` the texts that are in clear or sealed under one of them;
    `term_version` is the version that seals the term key, None while it is in clear.
    """

    newest: int
    older: int
    left: int
    term_version: int | None


@dataclass(frozen=True, slots=True)
class StoredText:
    """One text as stored, clear or sealed: of a memory the current one (`number` 0) or that of an old version, or that
    of a turn (`number` TURN), which has its speaker in place of a summary, and no context.
    """

    memory_id: UUID
    number: int
    content: str | None
    summary: str | None
    context: str | None
    sealed: bytes | None
    sealed_context: bytes | None


@dataclass(frozen=True, slots=True)
class Resealed:
    """A stored text, and the sealed text that replaces it if it is still as it was in `before`."""

    before: StoredText
    sealed: bytes
    sealed_context: bytes | None
