"""What happens to a memory after it was written."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.memory import Change
from remembrancer.domain.once import Once
from remembrancer.domain.scope import Principal
from remembrancer.ports.memories import MemoryWrite, StoredMemory


@dataclass(frozen=True, slots=True)
class Revision:
    """A memory as it is to be. `seen` is what it was derived from: when it is not that any more, it is `stale`."""

    seen: StoredMemory
    write: MemoryWrite
    status: str
    text_changed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is done, unchanged, not_found, stale, duplicate (of the active memory `other`), or again: done before.

    `change` is the agent's after what was done; `gone` says that what readers keep of the memory is out of date, and
    `to_embed` that it waits for a vector.
    """

    status: str
    agent_id: UUID | None = None
    change: Change | None = None
    gone: bool = False
    to_embed: bool = False
    other: UUID | None = None


@dataclass(frozen=True, slots=True)
class Rated:
    """What became of feedback, and how often either was said of the memory then."""

    outcome: Outcome
    positive_count: int = 0
    negative_count: int = 0


class MemoryLife(Protocol):
    """Changes of one memory that the principal may see, each in one transaction; Forbidden where it may only see it."""

    async def revise(self, principal: Principal, revision: Revision) -> Outcome:
        """Replaces its fields; with `text_changed` the text it had becomes a version.

        StaleDataKey when the text is not sealed under the organization's newest data key.
        """
        ...

    async def forget(self, principal: Principal, memory_id: UUID, now: datetime) -> Outcome:
        """Deletes it so that it can be restored; unchanged when it is deleted already."""
        ...

    async def restore(self, principal: Principal, revision: Revision, *, once: Once | None = None) -> Outcome:
        """Undoes `forget`: the revision has the status that the memory had. StaleDataKey as in `revise`."""
        ...

    async def was_restored(self, principal: Principal, once: Once) -> bool:
        """Whether this very request restored it before. Conflict when another request has its key."""
        ...

    async def rate(
        self, principal: Principal, memory_id: UUID, feedback_id: UUID, positive: bool, *, once: Once | None = None
    ) -> Rated:
        """Counts feedback; an end user's newer opinion replaces the older one."""
        ...
