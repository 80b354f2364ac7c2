"""Erasing everything of an end user, an agent or an organization."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from remembrancer.domain.erasure.dead_letters import DeadLetter
from remembrancer.domain.erasure.erasure import Asking, ErasedMemories, Erasure
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.idempotency import Once


class Erasures(Protocol):
    """The store's side: bounded steps, each a transaction of its own that can be repeated."""

    async def request(
        self, asking: Asking, erasure_id: UUID, kind: str, subject: str, *, once: Once | None = None
    ) -> Erasure | None:
        """Stores the request, unless an erasure of the same subject and reach, or of the same agent, is still running.

        That one is returned then, and so is the one that was requested `once` before, also when it is done. None when
        it would reach further than `asking`: an agent of another place or of none, an organization that has agents or
        keys in other places; and when there is no such organization.
        """
        ...

    async def find(self, principal: Principal, erasure_id: UUID) -> Erasure | None:
        """None when there is none of that id in the principal's place, or it is not about its end user."""
        ...

    async def about(self, org_id: UUID, kind: str, subject: str) -> Sequence[Erasure]:
        """All erasures of a subject, in any project and environment, also those that are done; newest first."""
        ...

    async def running(self, org_id: UUID) -> Sequence[Erasure]:
        """The erasures that are not done yet, oldest first."""
        ...

    async def erase_conversations(self, erasure: Erasure, limit: int) -> int:
        """Up to `limit` turns of conversations, and conversations without turns; 0 when there are none left."""
        ...

    async def erase_memories(self, erasure: Erasure, limit: int) -> ErasedMemories | None:
        """Up to `limit` memories of one agent; None when there are none left."""
        ...

    async def erase_records(self, erasure: Erasure, limit: int) -> int:
        """Up to `limit` other rows; 0 when there are none left."""
        ...

    async def keys(self, erasure: Erasure) -> Mapping[bytes, bool]:
        """The API keys that change with it by their SHA-256, and whether they end."""
        ...

    async def beyond(
        self, erasure: Erasure, agent_ids: Sequence[UUID], stored_ids: Sequence[UUID]
    ) -> tuple[frozenset[UUID], frozenset[UUID]]:
        """Which agents are not where the erasure reaches, and which memories and conversations are still there."""
        ...

    async def finish(self, erasure: Erasure) -> None:
        """Erases what has to go last, and removes the subject from the record of the erasure."""
        ...


class DeadLetters(Protocol):
    """Messages that no worker takes any more; those on their way are not looked for: workers drop what is erased."""

    async def receive(self) -> tuple[Sequence[DeadLetter], bool]:
        """The messages that are there, held for a minute, and whether these are all: others may be too many, or held by
        somebody else. StoreError, with nothing held.
        """
        ...

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        """Deletes messages that `receive` returned; StoreError."""
        ...

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        """Ends the hold, so that the messages can be received again."""
        ...
