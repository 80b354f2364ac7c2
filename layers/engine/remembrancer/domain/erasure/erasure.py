"""An erasure from its request to its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and how far the erasure reaches: one project and environment, everywhere when these are None.

    `key_id` is None for the operator.
    """

    org_id: UUID
    project_id: str | None = None
    environment: str | None = None
    key_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be erased; `subject` is None once it is `done`. `counts` are rows by what they were.

    It reaches as far as who asked for it, see Asking.
    """

    erasure_id: UUID
    org_id: UUID
    kind: str
    subject: str | None
    state: str
    counts: Mapping[str, int]
    requested_at: datetime
    finished_at: datetime | None = None
    project_id: str | None = None
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class ErasedMemories:
    """Memories of one agent that are gone, and the agent's counters after that."""

    agent_id: UUID
    memory_ids: Sequence[UUID]
    change: Change
