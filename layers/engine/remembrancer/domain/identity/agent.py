"""An agent, its directives, and the state that caches of it are compared with."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change, Directive


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent and where it belongs."""

    agent_id: UUID
    project_id: str
    environment: str
    name: str
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DirectiveVersion:
    """One version of an agent's directive."""

    directive: Directive
    active: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AgentState:
    """What caches of an agent are held against; the directive is the active version, `NO_DIRECTIVE` for none."""

    change: Change
    directive: Directive
