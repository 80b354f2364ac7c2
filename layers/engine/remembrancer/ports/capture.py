"""Conversations, stored before they are acknowledged, and what was made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.capture.turns import Conversation, Decision, Turn
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.requests.idempotency import Once
from remembrancer.ports.memories import WriteReport


@dataclass(frozen=True, slots=True)
class Added:
    """Where turns were stored: `numbers` has one number for each turn given; those in `known` were there before."""

    conversation_id: UUID
    numbers: Sequence[int]
    known: frozenset[int]


@dataclass(frozen=True, slots=True)
class ConversationListing:
    """A page of conversations, newest first; `after` is the position of the last one before it."""

    agent_id: UUID
    session_id: str | None = None
    after: tuple[datetime, UUID] | None = None
    limit: int = 50


class Conversations(Protocol):
    """Turns, numbered in the order in which they come. A text said again in a conversation is the turn it was."""

    async def add(
        self,
        principal: Principal,
        conversation: Conversation,
        turns: Sequence[Turn],
        *,
        once: Once | None = None,
    ) -> Added | None:
        """Begins the conversation where there is none of its agent, end user and session. None: no such agent.

        StaleDataKey when the organization's data key is newer than the one that the turns are sealed under.
        """
        ...

    async def waiting(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """The first `limit` pending turns, with the turns right before them; None when the conversation is gone."""
        ...

    async def settle(
        self, conversation: Conversation, writes: Mapping[int, MemoryWrite], decisions: Sequence[Decision]
    ) -> WriteReport:
        """Stores the memories and the decisions in one transaction; `writes` by turn number.

        A turn that another worker has settled meanwhile is left as it is, and its memory is not written. QuotaExceeded
        when the organization has no room for the memories: nothing is stored then.
        """
        ...

    async def get(self, principal: Principal, conversation_id: UUID) -> Conversation | None:
        """With all turns; None when the principal may not see it."""
        ...

    async def list(self, principal: Principal, listing: ConversationListing) -> Sequence[Conversation]:
        """Without turns."""
        ...
