"""An agent, its directive versions, and the state that validates caches of it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change, Directive


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with its organization, project and environment."""

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
    """The current state of an agent, compared with caches; the directive is the active version, `NO_DIRECTIVE`
    without one.
    """

    change: Change
    directive: Directive
