"""Conversations: their turns, and the decisions on these."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Protocol
from uuid import UUID

from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.capture.turns import Conversation, Decision, Turn
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.requests.idempotency import Once

NOTHING: Mapping[int, Sequence[UUID]] = MappingProxyType({})
TARGET_GONE = "TargetGone"
"""The cause of a StoreError: a memory that a window's new one supersedes is no longer there."""


@dataclass(frozen=True, slots=True)
class Added:
    """The conversation, and the numbers of the given turns, in order; those in `known` were there before."""

    conversation_id: UUID
    numbers: Sequence[int]
    known: frozenset[int]


@dataclass(frozen=True, slots=True)
class ConversationListing:
    """A page of conversations, newest first; `after` is the position of the last one before it."""

    agent_id: UUID | None = None
    session_id: str | None = None
    after: tuple[datetime, UUID] | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Decided:
    """Memories to embed, superseded and forgotten ones (`gone`), and the agent's counters after the last change; None
    without one.
    """

    to_embed: Sequence[UUID] = ()
    change: Change | None = None
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    gone: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class ExtractedWrite:
    """A memory that is made of turn `number`, and the memories that it may contradict.

    With `is_reviewed`, it waits for approval and is related to nothing.
    """

    number: int
    write: MemoryWrite
    contradicts: Sequence[UUID] = ()
    is_reviewed: bool = False


class Conversations(Protocol):
    """The turns of conversations, numbered in the order of their arrival."""

    async def add(
        self,
        principal: Principal,
        conversation: Conversation,
        turns: Sequence[Turn],
        *,
        once: Once | None = None,
    ) -> Added | None:
        """Creates the conversation if its agent, end user and session have none. None: no such agent.

        Raises QuotaExceeded when the organization has no room for another memory, StaleDataKey when its data key is
        newer than that of the turns.
        """
        ...

    async def waiting(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """The first `limit` pending turns, with the two turns before each; None when the conversation is gone."""
        ...

    async def unread(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """The first `limit` unread turns, with the two turns before each; None when the conversation is gone."""
        ...

    async def store_decisions(
        self,
        conversation: Conversation,
        writes: Mapping[int, MemoryWrite],
        decisions: Sequence[Decision],
        *,
        followed: Collection[int] = (),
        contradicts: Mapping[int, Sequence[UUID]] = NOTHING,
        forgetting: Sequence[Forgetting] = (),
        held: Collection[int] = (),
        unread: Collection[int] = (),
    ) -> Decided:
        """Stores memories and decisions in one transaction; `writes` by turn number. `contradicts` has, by turn number,
        the memories that a write may contradict. Writes of turns in `held` wait for approval.
        Turns in `unread` are left to a model, unless they repeat a memory or have no room.

        Turns that another worker has decided meanwhile stay as they are. For kept turns in `followed`, the context of
        the write replaces that of the memory. `forgetting` is done last, and only once for a turn: what was said before
        a wish is read by no model any more. Texts of turns that are not wanted are removed. Beyond the organization's
        quota, turns are dropped. Raises StaleDataKey.
        """
        ...

    async def store_reading(
        self, conversation: Conversation, writes: Sequence[ExtractedWrite], decisions: Sequence[Decision]
    ) -> Decided:
        """Stores what a model has made of unread turns in one transaction: its memories replace those of the rules,
        except where somebody has changed, rated, pinned, corrected, superseded or forgotten that memory since: such a
        turn stays as it is. Turns that were read meanwhile stay, too.

        Raises QuotaExceeded where the memories have no room, StoreError (TARGET_GONE) where a memory that one of them
        supersedes is gone, and StaleDataKey.
        """
        ...

    async def get(
        self, principal: Principal, conversation_id: UUID, *, before: int | None = None
    ) -> Conversation | None:
        """The conversation with its newest turns before the number `before`; None when the principal may not see it."""
        ...

    async def list(self, principal: Principal, listing: ConversationListing) -> Sequence[Conversation]:
        """Each with the first turn of its user only, as it is stored."""
        ...
