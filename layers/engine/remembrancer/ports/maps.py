"""What a memory map is made of, and single memories by their ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from remembrancer.domain.map_rows import Rows
from remembrancer.domain.memory import Change, Memory


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far an agent's memories were read, in the order of (change, id)."""

    change: int
    memory_id: UUID


@dataclass(frozen=True, slots=True)
class MapPage:
    """A part of an agent's memories; `change` is no newer than the rows.

    `next` is where the following part begins. The last part has none, and says how many live memories there are.
    """

    change: Change
    rows: Rows
    next: Cursor | None
    live: int | None


class MapSource(Protocol):
    """The store that maps are read from."""

    async def change(self, org_id: UUID, agent_id: UUID) -> Change | None:
        """The agent's change counters; None when there is no such agent."""
        ...

    async def size(self, org_id: UUID, agent_id: UUID, *, most: int) -> int:
        """The number of active memories, or `most` where there are more."""
        ...

    async def page(self, org_id: UUID, agent_id: UUID, after: Cursor, *, since: int, limit: int) -> MapPage | None:
        """Up to `limit` memories behind `after`: active ones, and of those changed after `since` the others too.

        None when there is no such agent.
        """
        ...

    async def rows(self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID]) -> Sequence[Memory]:
        """The active ones among these memories, with vectors, in any order."""
        ...
