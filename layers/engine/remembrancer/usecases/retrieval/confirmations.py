"""When Postgres last confirmed an agent's caches, which limits how long they may answer while Postgres is silent."""

from collections import OrderedDict
from uuid import UUID

from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.system import Clock

LONGEST_SECONDS = 300.0
"""Upper limit in seconds: a hot set that is not written expires after as long."""
_AGENTS = 1024


class Confirmations:
    """Confirmations of one instance, each valid for `seconds` and only for the cache server that it was made for."""

    def __init__(self, clock: Clock, *, seconds: float = LONGEST_SECONDS) -> None:
        """With `seconds` 0, a confirmation is valid for its own request only."""
        self._clock = clock
        self._seconds = min(seconds, LONGEST_SECONDS)
        self._confirmed: OrderedDict[tuple[UUID, UUID], tuple[float, str]] = OrderedDict()

    def note(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> None:
        """Records that Postgres was asked and that the cache has missed no change of this agent."""
        self._confirmed[org_id, agent_id] = (self._clock.monotonic(), seen.server)
        self._confirmed.move_to_end((org_id, agent_id))
        if len(self._confirmed) > _AGENTS:
            self._confirmed.popitem(last=False)

    def withdraw(self, org_id: UUID, agent_id: UUID) -> None:
        """Removes the confirmation, since the cache has missed a change."""
        self._confirmed.pop((org_id, agent_id), None)

    def hold(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> bool:
        """Whether the cached data in `seen` may be used although Postgres did not confirm it in this request."""
        at, server = self._confirmed.get((org_id, agent_id), (0.0, None))
        return server == seen.server and self._clock.monotonic() - at < self._seconds
