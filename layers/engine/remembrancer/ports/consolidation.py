"""What an embedded memory has to do with the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from remembrancer.domain.memory import Change


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Of one agent: memories that got a cluster, near-duplicates that were linked, and those that were superseded.

    `change` is the agent's after something was superseded, else None.
    """

    agent_id: UUID
    clustered: int = 0
    related: int = 0
    superseded: Sequence[UUID] = ()
    change: Change | None = None


class Consolidation(Protocol):
    """Clusters and near-duplicates of the memories of one organization."""

    async def consolidate(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[Consolidated]:
        """Compares those that are embedded by `model` and were not compared yet; the others are left out.

        A near-duplicate is a memory of the same agent, end user and category at a cosine above 0.92. As the
        organization chose, the newer one gets a relation `similar` to the older, or supersedes it, or nothing is done.
        """
        ...
