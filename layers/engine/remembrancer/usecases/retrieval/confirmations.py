"""What Postgres said of an agent when it was last asked, by this instance or another: it judges the agent's caches, in
a request that Postgres answers, and for a while when it does not.
"""

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.retrieval.freshness import (
    Confirmation,
    Decision,
    Late,
    Limits,
    Moment,
    StoreState,
    Verdict,
    agreement,
    decide,
)
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.system import Clock
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.known_agents import AgentKey, KnownAgents, LatestAnswer, moment

LONGEST_SECONDS = 300.0
"""Upper limit in seconds: a hot set that is not written expires after as long."""
RENEWED_FROM = 0.75
"""Share of the time of a state that is repeated, after which a response is followed by another read: so no request of
an agent with more than a few in this time waits for Postgres.
"""
RENEWAL_SECONDS = 0.1
"""Most seconds for that read: a request that finds no state asks by itself, and the instance gets none meanwhile."""
SHARED_AGAIN_SECONDS = 1.0
"""Age from which a confirmation in the cache is replaced by a later one."""


class Confirmations:
    """Confirmations of one instance, and in the cache for all of them, each valid for `seconds` and only for the cache
    server that it was made for.

    For `repeat_seconds` a request that finds the same counters at the same server need not ask Postgres, if this
    instance has asked.
    """

    def __init__(
        self,
        agents: KnownAgents,
        cache: AgentCache,
        clock: Clock,
        *,
        seconds: float = LONGEST_SECONDS,
        repeat_seconds: float = 0.0,
    ) -> None:
        """With `seconds` 0, a confirmation is valid for its own request only, unless it is repeated."""
        self._agents = agents
        self._cache = cache
        self._clock = clock
        self._limits = Limits(min(seconds, LONGEST_SECONDS), repeat_seconds)

    def now(self) -> Moment:
        """For `judge`: the moment before Postgres is asked."""
        return moment(self._clock)

    def may_repeat(self, key: AgentKey, *, share: float = 1.0) -> bool:
        """Whether there is an answer, in this share of its time, that a request may go by if the cache agrees."""
        known = self._known(key)
        seconds = share * self._limits.repeated_seconds
        return known is not None and known.server is not None and known.begun.age_seconds(self.now()) < seconds

    def repeated(self, key: AgentKey, seen: AgentSnapshot) -> AgentState | None:
        """The agent's state as Postgres gave it lately; None where the cache is another server, one that is not known,
        or has other counters or another directive.
        """
        known = self._known(key)
        if known is None or self.judge(key, seen, None, known.begun).verdict is not Verdict.USE:
            return None
        return known.state

    def judge(
        self,
        key: AgentKey,
        seen: AgentSnapshot | None,
        stored: StoreState | Late | None,
        begun: Moment,
    ) -> Decision:
        """What to do with what the cache has; as for `decide`. The cache was asked after `begun`."""
        if seen is None:
            return decide(stored=stored, limits=self._limits)
        known, now = self._known(key), self.now()
        latest = Confirmation(known.server, known.said, known.begun.age_seconds(now)) if known is not None else None
        if stored is not None:
            # An answer to another instance never spares asking: writers wait for the time of this one's.
            latest = _latest(latest, seen.confirmed, begun.age_seconds(now))
        return decide(seen=seen.state, stored=stored, confirmation=latest, limits=self._limits)

    def note(
        self,
        key: AgentKey,
        seen: AgentSnapshot,
        stored: StoreState,
        begun: Moment,
        afterwards: Afterwards,
        *,
        state: AgentState | None = None,
    ) -> None:
        """Records whether Postgres, asked after `begun`, agrees with the cache, and tells other instances so after the
        response.
        """
        tell = self._noted(key, seen, LatestAnswer(begun, seen.server, stored, state))
        if tell is not None:
            afterwards.add("share_confirmation", tell)

    async def renew(
        self, key: AgentKey, seen: AgentSnapshot, stored: StoreState, begun: Moment, *, state: AgentState | None
    ) -> None:
        """The same after a response; what the cache said in `seen` is older than `begun`."""
        tell = self._noted(key, seen, LatestAnswer(begun, seen.server, stored, state))
        if tell is not None:
            with suppress(StoreError):
                await tell()

    def _noted(self, key: AgentKey, seen: AgentSnapshot, found: LatestAnswer) -> Callable[[], Awaitable[None]] | None:
        """What tells other instances, where they have to be told."""
        agrees = agreement(seen.state, found.said) is Verdict.USE
        self._record(key, found if agrees else replace(found, server=None))
        change = found.said.change
        if not self._limits.held_seconds or (change is None and seen.confirmed is None):
            # No instance goes by a confirmation, or none can: an agent that does not exist gets no key.
            return None
        if not agrees:
            return lambda: self._cache.contradict(*key)
        elapsed_seconds = found.begun.age_seconds(self.now())
        if not isinstance(change, Change) or math.isinf(elapsed_seconds):
            return None
        if not seen.server or not _is_to_share(seen.confirmed):
            return None
        # No later than the question, by the clock of the cache's server.
        asked_ms = seen.at_ms - math.ceil(1000 * elapsed_seconds)
        return lambda: self._cache.confirm(*key, seen.server, change, asked_ms)

    def _record(self, key: AgentKey, found: LatestAnswer) -> None:
        """Unless Postgres has answered a later question already: answers may overtake one another."""
        known = self._known(key)
        if known is not None and found.begun.monotonic < known.begun.monotonic:
            return
        if known is not None or found.said.change is not None:
            # An agent that does not exist takes no known one's key.
            self._agents.of(key).confirmed = found

    def _known(self, key: AgentKey) -> LatestAnswer | None:
        agent = self._agents.find(key)
        return agent.confirmed if agent is not None else None


def _latest(own: Confirmation | None, shared: Confirmation | None, since_seconds: float) -> Confirmation | None:
    """The answer to the later question; `shared` was read at most `since_seconds` ago. In doubt, the one that says
    that the cache has missed something.
    """
    if shared is not None and shared.server is not None:
        shared = replace(shared, age_seconds=shared.age_seconds + since_seconds)
    if own is None or shared is None:
        return own or shared
    return min(own, shared, key=lambda one: (one.age_seconds, one.server is not None))


def _is_to_share(shared: Confirmation | None) -> bool:
    return shared is None or shared.server is None or shared.age_seconds >= SHARED_AGAIN_SECONDS
