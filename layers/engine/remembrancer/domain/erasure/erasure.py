"""An erasure, from its request to its completion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change


@dataclass(frozen=True, slots=True)
class Asking:
    """The requester of an erasure and its reach: one project and environment, or all of them when these are None.

    `key_id` is None for the operator, `actor` what the audit trail calls the requester.
    """

    org_id: UUID
    project_id: str | None = None
    environment: str | None = None
    key_id: UUID | None = None
    actor: str = "operator"


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure; `subject` is None once it is `done`. `counts` are erased rows by table.

    Its reach is that of its requester, see Asking.
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
    """Erased memories of one agent, and the agent's change counters afterwards."""

    agent_id: UUID
    memory_ids: Sequence[UUID]
    change: Change
