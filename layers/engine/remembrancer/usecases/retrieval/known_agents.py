"""What one instance knows of each agent: its map, and what Postgres last said of it."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.rows import MapRows
from remembrancer.domain.retrieval.freshness import Moment, StoreState
from remembrancer.ports.search import Cursor
from remembrancer.ports.system import Clock

AgentKey = tuple[UUID, UUID]
"""Organization and agent."""
_AGENTS = 1024


def moment(clock: Clock) -> Moment:
    """Now."""
    return Moment(clock.monotonic(), clock.now())


@dataclass(slots=True)
class UnfinishedMap:
    """A map that is being read page by page, possibly over several responses."""

    base: MemoryMap
    since: int
    next: Cursor
    parts: list[MapRows] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The expected number of memories; may be slightly too high."""
        return len(self.base) + sum(len(part.memories) for part in self.parts)

    @property
    def model(self) -> str | None:
        """The model of the vectors read so far; None before the first page."""
        if self.parts:
            return self.parts[0].model
        return self.base.model if len(self.base.rows) else None


@dataclass(slots=True)
class AgentMap:
    """An agent's map and its refresh state; `nbytes` are the map's when last counted.

    To forget a map, all of this is replaced: what is being read for it meanwhile ends in the old one.
    """

    map: MemoryMap | None = None
    nbytes: int = 0
    made_at: float = 0.0
    verified_at: float | None = None
    behind_since: float | None = None
    too_large_until: float = 0.0
    unfinished: UnfinishedMap | None = None
    shared: Change | None = None
    shared_at: float = -math.inf
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class LatestAnswer:
    """What Postgres `said` when it was asked after `begun`; `server` is None where the cache had missed a change.

    `state` is the whole state, where that was asked for.
    """

    begun: Moment
    server: str | None
    said: StoreState
    state: AgentState | None = None


@dataclass(slots=True)
class KnownAgent:
    """One agent; `asked` has the counters and the moment of the previous query."""

    mapped: AgentMap = field(default_factory=AgentMap)
    asked: tuple[Change, Moment] | None = None
    confirmed: LatestAnswer | None = None


class KnownAgents:
    """The agents that this instance was asked about last; the others are forgotten."""

    def __init__(self) -> None:
        self._agents: OrderedDict[AgentKey, KnownAgent] = OrderedDict()

    def find(self, key: AgentKey) -> KnownAgent | None:
        """None for an agent that is not known."""
        agent = self._agents.get(key)
        if agent is not None:
            self._agents.move_to_end(key)
        return agent

    def of(self, key: AgentKey) -> KnownAgent:
        """The agent, known from now on."""
        agent = self._agents.setdefault(key, KnownAgent())
        self._agents.move_to_end(key)
        if len(self._agents) > _AGENTS:
            self._agents.popitem(last=False)
        return agent

    def __iter__(self) -> Iterator[KnownAgent]:
        """The one that was not asked about for longest comes first."""
        return iter(self._agents.values())
