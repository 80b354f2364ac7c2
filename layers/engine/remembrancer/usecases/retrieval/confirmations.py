"""When Postgres last confirmed an agent's caches: which of its answers are repeated, and how long caches may answer
while Postgres is silent.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from remembrancer.domain.identity.agent import AgentState
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.system import Clock

LONGEST_SECONDS = 300.0
"""Upper limit in seconds: a hot set that is not written expires after as long."""
RENEWED_FROM = 0.75
"""Share of the time of a state that is repeated, after which a response is followed by another read: so no request of
an agent with more than a few in this time waits for Postgres.
"""
RENEWAL_SECONDS = 0.1
"""Most seconds for that read: a request that finds no state asks by itself, and the instance gets none meanwhile."""
_AGENTS = 1024


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment by both clocks: while an instance is frozen, one of them may stop."""

    monotonic: float
    wall: datetime

    @classmethod
    def of(cls, clock: Clock) -> "Moment":
        """Now."""
        return cls(clock.monotonic(), clock.now())

    def is_within(self, seconds: float, now: "Moment") -> bool:
        """Whether fewer seconds have passed by either clock, and none has gone back."""
        by_wall = now.wall - self.wall
        return now.monotonic - self.monotonic < seconds and timedelta() <= by_wall < timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class _Confirmation:
    """What Postgres said when it was asked after `begun`; `server` is None where the cache had missed a change."""

    begun: Moment
    server: str | None
    state: AgentState | None = None


class Confirmations:
    """Confirmations of one instance, each valid for `seconds` and only for the cache server that it was made for.

    For `repeat_seconds` a request that finds the same counters at the same server need not ask Postgres.
    """

    def __init__(self, clock: Clock, *, seconds: float = LONGEST_SECONDS, repeat_seconds: float = 0.0) -> None:
        """With `seconds` 0, a confirmation is valid for its own request only, unless it is repeated."""
        self._clock = clock
        self._seconds = min(seconds, LONGEST_SECONDS)
        self._repeat_seconds = repeat_seconds
        self._confirmed: OrderedDict[tuple[UUID, UUID], _Confirmation] = OrderedDict()

    def now(self) -> Moment:
        """For `note`: the moment before Postgres is asked."""
        return Moment.of(self._clock)

    def may_repeat(self, org_id: UUID, agent_id: UUID) -> bool:
        """Whether there is a state that a request may go by, if the cache agrees with it."""
        return self._is_newer(org_id, agent_id, self._repeat_seconds)

    def is_due(self, org_id: UUID, agent_id: UUID) -> bool:
        """Whether the state should be read again soon."""
        return not self._is_newer(org_id, agent_id, RENEWED_FROM * self._repeat_seconds)

    def repeated(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> AgentState | None:
        """The agent's state as Postgres gave it lately; None where the cache is another server, one that is not known,
        or has other counters or another directive.
        """
        known = self._confirmed.get((org_id, agent_id))
        if known is None or known.state is None or not seen.server or seen.server != known.server:
            return None
        if seen.change != known.state.change:
            return None
        if seen.directive is not None and seen.directive.version != known.state.directive.version:
            return None
        return known.state

    def note(
        self,
        org_id: UUID,
        agent_id: UUID,
        seen: AgentSnapshot,
        begun: Moment,
        state: AgentState | None = None,
    ) -> None:
        """Records that Postgres was asked after `begun` and that the cache has missed no change of this agent."""
        self._record(org_id, agent_id, _Confirmation(begun, seen.server, state))

    def withdraw(self, org_id: UUID, agent_id: UUID, begun: Moment) -> None:
        """Ends the confirmation: by Postgres, asked after `begun`, the cache has missed a change."""
        self._record(org_id, agent_id, _Confirmation(begun, None))

    def hold(self, org_id: UUID, agent_id: UUID, seen: AgentSnapshot) -> bool:
        """Whether the cached data in `seen` may be used although Postgres did not confirm it in this request."""
        known = self._confirmed.get((org_id, agent_id))
        if known is None or known.server != seen.server:
            return False
        return known.begun.is_within(self._seconds, self.now())

    def _record(self, org_id: UUID, agent_id: UUID, found: _Confirmation) -> None:
        """Unless Postgres has answered a later question already: answers may overtake one another."""
        known = self._confirmed.get((org_id, agent_id))
        if known is not None and found.begun.monotonic < known.begun.monotonic:
            return
        self._confirmed[org_id, agent_id] = found
        self._confirmed.move_to_end((org_id, agent_id))
        if len(self._confirmed) > _AGENTS:
            self._confirmed.popitem(last=False)

    def _is_newer(self, org_id: UUID, agent_id: UUID, seconds: float) -> bool:
        """Whether there is a state, and Postgres was asked for it less than so many seconds ago."""
        known = self._confirmed.get((org_id, agent_id))
        return known is not None and known.state is not None and known.begun.is_within(seconds, self.now())
