"""Steps of the scheduled maintenance, each for one organization, and upkeep of the lexical index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.memories.memory import Change, Memory


@dataclass(frozen=True, slots=True)
class Lost:
    """Memories to queue again, and how many were given up after the last of many times."""

    memory_ids: Sequence[UUID]
    given_up: int


@dataclass(frozen=True, slots=True)
class Swept:
    """Changes to the memories of one agent; those in `gone` are no longer searched."""

    agent_id: UUID
    memories: int
    change: Change
    gone: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class Visit:
    """When an organization is to be visited; `embedding_model`: whose vectors serve it, None before that is decided."""

    org_id: UUID
    due_at: datetime
    embedding_model: str | None = None


@dataclass(frozen=True, slots=True)
class WaitingConversation:
    """A conversation with turns that wait, to be queued again; `idle_at` is when it has been silent for long enough."""

    conversation_id: UUID
    agent_id: UUID
    user_id: str | None
    idle_at: datetime


class Upkeep(Protocol):
    """Which organization is next, memories that wait for a worker although no message tells one (it was lost, or its
    worker died), and what time does to memories. What has a `limit` goes on where it stopped.
    """

    async def organizations(self) -> Sequence[Visit]:
        """Every organization, the longest overdue first."""
        ...

    async def visited(self, org_id: UUID, due_at: datetime) -> None:
        """The next visit is due then."""
        ...

    async def lost(self, org_id: UUID, now: datetime, limit: int) -> Lost:
        """The memories that wait for longer than they should, oldest first; each time the allowed wait doubles."""
        ...

    async def waiting_conversations(
        self, org_id: UUID, now: datetime, limit: int, *, idle: timedelta, ahead: timedelta
    ) -> Sequence[WaitingConversation]:
        """Conversations with turns that wait for longer than they should, as `lost`, and those that have been silent
        for `idle`, or will have been within `ahead`.
        """
        ...

    async def cool(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        """Hot to warm after 30 days without access, warm to cold after 180."""
        ...

    async def expire(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        """Archives what has expired, and takes it out of what is searched."""
        ...

    async def dissolve_mixed_clusters(self, org_id: UUID, limit: int) -> int:
        """Takes at most `limit` memories out of clusters that older code shared between end users, and drops those that
        are empty: how much it did, 0 when none are left.
        """
        ...

    async def refresh_clusters(self, org_id: UUID, now: datetime, limit: int) -> int:
        """Computes centroids from their members again where something changed, drops empty clusters: how many."""
        ...

    async def forget(self, org_id: UUID, now: datetime, limit: int) -> dict[str, int]:
        """Deletes what has served its time, by name of what it was."""
        ...


class UnsentWork(Protocol):
    """Work whose message the queue did not take."""

    async def note(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """What these messages name waits for the next run of maintenance, and no longer."""
        ...


@dataclass(frozen=True, slots=True)
class OutdatedText:
    """A memory whose terms were made in other languages than its organization's, or by earlier rules for words;
    `document` numbers its text.
    """

    memory: Memory
    document: int
    context: str | None
    sealed_context: bytes | None


class LexicalIndex(Protocol):
    """Upkeep of what search by words reads: merges, on which only its speed depends, and terms to be made anew after an
    organization has changed its languages, or a release the rules for words.
    """

    async def tidy(self, org_id: UUID, agent_id: UUID) -> None:
        """Merges what is new, and takes out what has left, once it is worth it."""
        ...

    async def merge(self, org_id: UUID, agent_id: UUID) -> None:
        """The same at once and in full: afterwards nothing of a memory that has left is stored."""
        ...

    async def untidy(self, org_id: UUID, older_than: datetime, limit: int) -> Sequence[UUID]:
        """Agents with something to merge or to take out since before `older_than`."""
        ...

    async def outdated_organizations(self, changed_before: datetime) -> Sequence[UUID]:
        """Organizations that have changed them before that, and are not finished."""
        ...

    async def agents(self, org_id: UUID) -> Sequence[UUID]:
        """The agents in a fixed order, so that an interrupted run takes up the same agents again."""
        ...

    async def outdated_texts(
        self, org_id: UUID, agent_id: UUID, languages: Sequence[str], *, after: int, limit: int
    ) -> Sequence[OutdatedText]:
        """Active memories with such terms, whose document number is above `after`, in its order."""
        ...

    async def replace_terms(
        self, org_id: UUID, agent_id: UUID, entries: Sequence[tuple[OutdatedText, IndexedText]]
    ) -> Change | None:
        """Replaces the terms of texts that have not changed since, where they differ; None when there is none."""
        ...

    async def finish_reindexing(self, org_id: UUID, changed_before: datetime) -> None:
        """Nothing is left, unless the languages were changed after that."""
        ...
