"""An agent, its directive versions, and the state that validates caches of it."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from remembrancer.domain.memories.memory import Change, Directive


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with its organization, project and environment.

    `enabled` switches memories for this agent, `organization_enabled` for all agents of its organization; `capture`
    whether the turns of its assembled requests are captured. `time_zone` is that of end users without their own.
    `placement` says where memories stand in prompts, `organization_placement` the same for agents without their own.
    `nonce_key` is its organization's, of the tags around injected text: random, and the same for years.
    """

    agent_id: UUID
    project_id: str
    environment: str
    name: str
    created_at: datetime | None = None
    enabled: bool = True
    organization_enabled: bool = True
    capture: bool = False
    time_zone: str | None = None
    placement: str | None = None
    organization_placement: str | None = None
    nonce_key: bytes = field(default=b"", repr=False)

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
    """The current state of an agent, compared with caches; the directive is the active version, `NO_DIRECTIVE`
    without one.

    `uses_memories`: neither the agent nor its organization has memories switched off; `capture`: of the agent.
    `has_pinned`: a memory of any end user may be pinned.
    """

    change: Change
    directive: Directive
    uses_memories: bool = True
    capture: bool = False
    has_pinned: bool = True
