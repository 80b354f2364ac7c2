"""When Postgres last confirmed what the caches of an agent say: how long they may answer while Postgres is silent."""

from collections import OrderedDict
from uuid import UUID

from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.system import Clock

LONGEST_SECONDS = 300.0
"""More than this is not to be had: a hot set that nothing writes lives as long."""
_AGENTS = 1024


class Confirmations:
    """Of one instance. Each holds for `seconds`, and only for the cache server that it was given for."""

    def __init__(self, clock: Clock, *, seconds: float = LONGEST_SECONDS) -> None:
        """`seconds` 0: none holds beyond its own request."""
        self._clock = clock
        self._seconds = min(seconds, LONGEST_SECONDS)
        self._confirmed: OrderedDict[tuple[UUID, UUID], tuple[float, str]] = OrderedDict()

    def note(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> None:
        """Postgres was asked, and the cache has missed nothing of this agent."""
        self._confirmed[org_id, agent_id] = (self._clock.monotonic(), seen.server)
        self._confirmed.move_to_end((org_id, agent_id))
        if len(self._confirmed) > _AGENTS:
            self._confirmed.popitem(last=False)

    def withdraw(self, org_id: UUID, agent_id: UUID) -> None:
        """The cache has missed something."""
        self._confirmed.pop((org_id, agent_id), None)

    def hold(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> bool:
        """Whether what was `seen` may be used although Postgres does not say now that it is true."""
        at, server = self._confirmed.get((org_id, agent_id), (0.0, None))
        return server == seen.server and self._clock.monotonic() - at < self._seconds
