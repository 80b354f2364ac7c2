"""Turns of a conversation, as they are stored."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.identity.scope import EndUser, Scope

PENDING = "pending"
KEPT = "kept"
DROPPED = "dropped"
STATES = (PENDING, KEPT, DROPPED)

REPEATED = "repeated"
"""Reason of a dropped turn whose text is an active memory already."""
ECHO = "echo"
"""Reason of a dropped turn in which the assistant repeated a memory."""
CORRECTION = "correction"
"""Reason of a kept turn that corrects a memory."""
AGREED = "agreed"
"""Reason of a kept turn in which the assistant stated what the user did not reject."""
REJECTED = "rejected"
"""Reason of a dropped turn that was kept for such a statement until the user rejected it."""
WISH = "wish"
"""Reason of a dropped turn that says only that something be forgotten, and of the answer to it."""
POSSIBLE_WISH = "possible_wish"
"""Reason of a kept turn that may wish something forgotten: its memory waits for somebody who looks at it."""
NOT_WANTED = "not_wanted"
"""Reason of a dropped turn that its user does not want to be kept, and of the answer to it."""
EXTRACTED = "extracted"
"""Reason of a kept turn of which a language model chose the memories."""
NOT_EXTRACTED = "not_extracted"
"""Reason of a dropped turn of which the model chose nothing."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a user or an assistant.

    `number` counts from 1 in its conversation, 0 before it is stored; `after` is the number of the turn said before it.
    `memory_id` is the id of the memory made of it, if there is one. `sealed` is text and speaker of an organization
    with a data key; `text` is empty before it is opened. `reason` says why the turn was kept or dropped. `is_dated`:
    its message said when; that is not stored. `forget` is what was done about a wish to forget in it. `is_unread`: the
    rules have decided on it, and a language model is to read it yet.
    """

    memory_id: UUID
    role: str
    text: str
    observed_at: datetime
    speaker: str | None = None
    number: int = 0
    after: int | None = None
    state: str = PENDING
    reason: str | None = None
    fingerprint: bytes = b""
    redactions: Mapping[str, int] = field(default_factory=dict)
    client_ref: str | None = None
    turn_id: str | None = None
    sealed: bytes | None = None
    key_version: int | None = None
    is_dated: bool = False
    forget: Mapping[str, Any] | None = None
    is_unread: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether its text has yet to be opened."""
        return self.sealed is not None and not self.text

    @property
    def is_forgotten(self) -> bool:
        """Whether its text was removed after its time."""
        return self.sealed is None and not self.text

    @property
    def is_unreadable(self) -> bool:
        """Whether opening it failed."""
        return self.sealed is not None and self.text == UNREADABLE_TEXT


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of one agent and end user; `turns` are those that were read, in order. `pending` counts its turns
    without a decision, and unread ones.
    """

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

    @property
    def scope(self) -> Scope:
        """What is searched for memories near its turns: its agent's, shared or of its end user."""
        return Scope(self.org_id, self.project_id, self.environment, self.agent_id, EndUser(self.user_id))


@dataclass(frozen=True, slots=True)
class Decision:
    """The new state of a stored turn, and the reason."""

    number: int
    state: str
    reason: str


def fingerprint(role: str, text: str, *, key: bytes) -> bytes:
    """Equal for equal texts of one role; keyed, so that it does not reveal the text."""
    said = hashlib.sha256(f"{role}\0{text}".encode()).digest()
    return hmac.digest(key, b"turn:" + said, "sha256")


def queue_message(org_id: UUID, conversation_id: UUID, agent_id: UUID, user_id: str | None) -> dict[str, str | None]:
    """The message to the capture queue; an erasure finds it by agent and end user among the dead letters."""
    ids = {"org_id": str(org_id), "conversation_id": str(conversation_id), "agent_id": str(agent_id)}
    return {**ids, "user_id": user_id}
