"""Agents' directives, change counters, hot sets and memory maps in a cache, and what came of queries."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.prefix import Prompt
from remembrancer.domain.context.told import ToldBlock
from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.memories.memory import Change, Directive, Memory, Vector
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.freshness import CacheState, Confirmation
from remembrancer.domain.retrieval.turn_key import Turn


@dataclass(frozen=True, slots=True)
class AgentSnapshot:
    """What the cache knows of an agent, read in one round trip.

    `directive` None means not cached, which is not the same as none; `change` says which state of the agent's memories
    is current, None when not cached. `hot` is best first; empty for a reader that has that state, to whom `pinned` is
    not sent either; it is None where it is not cached. `hot_ids` are those
    of the whole hot set, of every end user and as numbers. `turn` is what the same turn was given before, `told` what
    earlier messages of the same session were, `prompt` the last prompt of the session. `server`
    names the server that said so: another one after a restart or a failover, which may have lost the latest writes.
    `at_ms` is the time by its clock, and `confirmed` what another instance told of the store's last answer.
    """

    directive: Directive | None
    change: Change | None
    hot: Sequence[Memory]
    hot_ids: Sequence[int] = ()
    turn: Turn | None = None
    server: str = field(default="", compare=False)
    at_ms: int = field(default=0, compare=False)
    told: Sequence[ToldBlock] = ()
    pinned: Pins | None = None
    prompt: Prompt | None = None
    confirmed: Confirmation | None = field(default=None, compare=False)

    @property
    def state(self) -> CacheState:
        """What the cache says, without the memories."""
        return CacheState(self.change, None if self.directive is None else self.directive.version, self.server)


@dataclass(frozen=True, slots=True)
class HotEntry:
    """A memory and the score that orders it in the hot set."""

    memory: Memory
    score: float


class AgentCache(Protocol):
    """An agent's directive, version counter and hot set; losing it costs time, never data."""

    async def read(
        self,
        org_id: UUID,
        agent_id: UUID,
        end_user: EndUser,
        limit: int,
        *,
        known: Change | None = None,
        turn: str = "",
        session: str = "",
    ) -> AgentSnapshot:
        """Up to `limit` of the hot memories that this end user may read.

        `known` is the state of the memories that the reader has; `turn` and `session` are the keys of those to look up.
        """
        ...

    async def put_told(
        self,
        org_id: UUID,
        agent_id: UUID,
        session: str,
        told: Sequence[ToldBlock],
        gone: Sequence[ToldBlock] = (),
        *,
        prompt: Prompt | None = None,
    ) -> None:
        """Keeps these blocks of the session and its last prompt for an hour after its last use, and forgets blocks that
        are `gone`.
        """
        ...

    async def put_turn(self, org_id: UUID, agent_id: UUID, turn: str, remembered: Turn) -> None:
        """Keeps for ten minutes what the turn was given."""
        ...

    async def put_pinned(self, org_id: UUID, agent_id: UUID, end_user: EndUser, pins: Pins) -> None:
        """Keeps for five minutes what is pinned for this end user; readers compare of which state it is."""
        ...

    async def put_directive(self, org_id: UUID, agent_id: UUID, directive: Directive) -> None:
        """Replaces the cached directive, unless a newer version is cached."""
        ...

    async def put_hot(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry], as_of: Change) -> None:
        """Adds or updates entries that were read at `as_of` or later, and trims the set to its capacity.

        Nothing happens when something went since then.
        """
        ...

    async def rescore(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry], as_of: Change) -> None:
        """Updates those entries that are in the set, which lives on; `as_of` is when the memories were read."""
        ...

    async def changed(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID] = ()) -> None:
        """Makes `change` the current one unless a newer is known, and takes `gone` out of the hot set.

        `gone` is what the one removal before `change.removals` took away; when others are missing before it, the hot
        set is emptied.
        """
        ...

    async def confirm(self, org_id: UUID, agent_id: UUID, server: str, stored: Change, asked_ms: int) -> None:
        """Tells the readers that this server had missed nothing by `stored`, the store's answer to a question at or
        after `asked_ms`, by the server's clock. Nothing happens at another server, or after a later answer.
        """
        ...

    async def contradict(self, org_id: UUID, agent_id: UUID) -> None:
        """Tells the readers that the cache has missed something: earlier answers of the store count no longer."""
        ...


class QueryCache(Protocol):
    """What came of queries and turns; losing it costs time or a refusal, never data.

    Vectors are found by hashes: no text can be read from the cache. `key` is the organization's: a reader of the cache
    alone cannot tell whether a text is in it. Each scope has its own entries, so that a hit does not reveal that
    another end user has asked the same. Answers to queries that are asked again and again are ids and figures, never
    text.
    """

    async def text(self, scope: Scope, model: str, text: str, *, key: bytes) -> Vector | None:
        """The vector of a text that was asked in the same scope; None when it is not cached."""
        ...

    async def put_text(self, scope: Scope, model: str, text: str, vector: Vector, *, key: bytes) -> None:
        """Keeps it for an hour, unless the organization has put too many lately."""
        ...

    async def turn(self, org_id: UUID, place: str, turn: str) -> NDArray[np.float32] | None:
        """(n, d) vectors of a turn's hypotheses; `place` is agent or project, `turn` a hash of what was said."""
        ...

    async def put_turn(self, org_id: UUID, place: str, turn: str, vectors: NDArray[np.float32]) -> None:
        """Keeps them for ten minutes, unless the organization has put too many lately."""
        ...

    async def find(self, org_id: UUID, query_key: str) -> tuple[bytes | None, int]:
        """The kept answer, and how often the query was asked in the last ten minutes."""
        ...

    async def put(self, org_id: UUID, query_key: str, answer: bytes) -> None:
        """Keeps an answer for five minutes."""
        ...

    async def asked(self, org_id: UUID, counts: Sequence[tuple[str, int]]) -> None:
        """Counts (query key, times); a count is forgotten ten minutes after its first.

        Of an organization that asks too many different queries, new ones are not counted.
        """
        ...

    async def is_same(self, org_id: UUID, once: Once) -> bool:
        """Whether the idempotency key came with this request, or with none in the last 24 hours."""
        ...


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A memory map in packed form, in parts; `generation` names this one among all of its agent.

    `change` is the state of the memories, `read_at` seconds since 1970 when they were read from the store. `is_sealed`:
    the parts are sealed under the organization's data key.
    """

    generation: str
    change: Change
    read_at: float
    is_sealed: bool
    parts: Sequence[bytes]

    @property
    def nbytes(self) -> int:
        """Bytes of all parts."""
        return sum(map(len, self.parts))


class SegmentCache(Protocol):
    """Memory maps that travel from one instance to others; losing them costs time, never data. All raise StoreError."""

    async def read(self, org_id: UUID, agent_id: UUID) -> StoredSegment | None:
        """The agent's segment; None when there is none."""
        ...

    async def wants(self, org_id: UUID, agent_id: UUID, change: Change, read_at: float) -> bool:
        """Whether a segment of this state would replace an older one, or none.

        False where the cache does not have the same number of removals. A segment that stays lives on from now.
        """
        ...

    async def write(self, org_id: UUID, agent_id: UUID, segment: StoredSegment) -> bool:
        """Stores it for an hour, unless the cache knows another number of removals by then.

        The organization's segments that were not used for longest go where all of them would take too much.
        """
        ...

    async def drop(self, org_id: UUID, agent_id: UUID, generation: str) -> None:
        """Removes the agent's segment if it is still this one."""
        ...
