"""An agent near at hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from remembrancer.domain.memory import Change, Directive, Memory


@dataclass(frozen=True, slots=True)
class AgentSnapshot:
    """What the cache knows of an agent, read in one round trip.

    `directive` None means not cached, which is not the same as none; `hot` is best first; `change` says which
    state of the agent's memories is current, None when not cached.
    """

    directive: Directive | None
    change: Change | None
    hot: Sequence[Memory]


@dataclass(frozen=True, slots=True)
class HotEntry:
    """A memory and the score that orders it in the hot set."""

    memory: Memory
    score: float


class AgentCache(Protocol):
    """An agent's directive, version counter and hot set; losing it costs time, never data."""

    async def read(self, org_id: UUID, agent_id: UUID, user_id: str | None, limit: int) -> AgentSnapshot:
        """Up to `limit` hot memories of this end user and of nobody; all of the agent's when `user_id` is None."""
        ...

    async def put_directive(self, org_id: UUID, agent_id: UUID, directive: Directive) -> None:
        """Replaces the cached directive, unless a newer version is cached."""
        ...

    async def put_hot(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry]) -> None:
        """Adds or updates entries and trims the set to its capacity."""
        ...

    async def rescore(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry], as_of: Change) -> None:
        """Updates those entries that are in the set, which lives on; `as_of` is when the memories were read."""
        ...

    async def changed(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID] = ()) -> None:
        """Makes `change` the current one unless a newer is known, and takes `gone` out of the hot set."""
        ...
