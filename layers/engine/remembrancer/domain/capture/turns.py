"""Turns of a conversation, as they are stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT

PENDING = "pending"
KEPT = "kept"
DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a user or an assistant.

    `number` counts from 1 in its conversation, 0 before it is stored. `memory_id` is the id of the memory that is made
    of it, if one is. `sealed` is text and speaker of an organization with a data key; `text` is empty before it is
    opened. `reason` says why the turn was kept or dropped.
    """

    memory_id: UUID
    role: str
    text: str
    observed_at: datetime
    speaker: str | None = None
    number: int = 0
    state: str = PENDING
    reason: str | None = None
    fingerprint: bytes = b""
    redactions: Mapping[str, int] = field(default_factory=dict)
    client_ref: str | None = None
    sealed: bytes | None = None
    key_version: int | None = None

    @property
    def is_closed(self) -> bool:
        """Whether its text has yet to be opened."""
        return self.sealed is not None and not self.text

    @property
    def is_unreadable(self) -> bool:
        """Whether opening it failed."""
        return self.sealed is not None and self.text == UNREADABLE_TEXT


@dataclass(frozen=True, slots=True)
class Conversation:
    """Whose it is, and the turns that were read of it, in order."""

    conversation_id: UUID
    org_id: UUID
    project_id: str
    environment: str
    agent_id: UUID
    user_id: str | None
    session_id: str
    created_at: datetime
    updated_at: datetime
    pending: int = 0
    turns: Sequence[Turn] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a stored turn."""

    number: int
    state: str
    reason: str
