"""Reads the state of agents, with hang detection: every assembly reads it, and a hanging Postgres delays only one."""

from uuid import UUID

from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.domain.identity.agent import AgentState
from remembrancer.ports.identity import AgentStates

LATE_SECONDS = 0.01
"""Seconds after which a call counts as late; reading two rows by their keys takes a millisecond."""


class WatchedAgentStates:
    """Serves the AgentStates port: after an unanswered call, calls fail within 5 ms until Postgres answers a probe."""

    def __init__(self, states: AgentStates, database: Database) -> None:
        self._states = states
        self._breaker = CircuitBreaker(database.ping, server="Postgres", late_seconds=LATE_SECONDS)

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        """Raises StoreTimeout at once while the circuit breaker is open."""
        return await self._breaker.call(lambda: self._states.state(org_id, agent_id))

    async def stop(self) -> None:
        """Ends the probes of the circuit breaker."""
        await self._breaker.stop()
