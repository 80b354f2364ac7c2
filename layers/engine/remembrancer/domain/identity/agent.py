"""An agent, its directives, and the state that caches of it are compared with."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change, Directive


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent and where it belongs; `enabled` is its own switch of memories, `organization_enabled` that of all agents
    of its organization."""

    agent_id: UUID
    project_id: str
    environment: str
    name: str
    created_at: datetime | None = None
    enabled: bool = True
    organization_enabled: bool = True

    @property
    def uses_memories(self) -> bool:
        """Whether assembly may inject its memories."""
        return self.enabled and self.organization_enabled


@dataclass(frozen=True, slots=True)
class DirectiveVersion:
    """One version of an agent's directive."""

    directive: Directive
    active: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AgentState:
    """What caches of an agent are held against; the directive is the active version, `NO_DIRECTIVE` for none.

    `uses_memories`: neither the agent nor its organization has memories switched off.
    """

    change: Change
    directive: Directive
    uses_memories: bool = True
