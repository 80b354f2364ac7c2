"""What ranking needs to know of candidates, beside what the searches say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.graph import Edge
from remembrancer.domain.memory import Change, Memory, Vector
from remembrancer.domain.profile import Profile
from remembrancer.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge and the memory at its far end."""

    edge: Edge
    memory: Memory


@dataclass(frozen=True, slots=True)
class Live:
    """What may have changed since a row was kept: the version of its text, and its use, which is no write."""

    version: int
    usage_count: int
    last_accessed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """As of one moment, in one round trip.

    `live` are those of the asked ids that the scope still has, `clusters` the cosine of query and centroid, in [−1, 1],
    for those that have a cluster, both by the id's number. `returned` is what the session was given before. `profile`
    is None when nobody is named or nothing is known of them. `change` is the state of the scope's agent, None when it
    names none.
    """

    live: Mapping[int, Live]
    clusters: Mapping[int, float] = field(default_factory=dict)
    edges: Sequence[Edge] = ()
    returned: frozenset[UUID] = frozenset()
    profile: Profile | None = None
    change: Change | None = None


class Graph(Protocol):
    """Relations between the memories of one scope; what the scope may not see does not exist."""

    async def neighbours(
        self, scope: Scope, memory_ids: Sequence[UUID], *, model: str, limit: int, now: datetime
    ) -> Sequence[Neighbour]:
        """All edges of these memories, surest first, at most `limit`, with vectors of `model`.

        A superseded memory at the other end is replaced by the newest of its chain, and dropped with its edge when
        that one is gone.
        """
        ...


class RecallStore(Protocol):
    """Rows and history of one scope; what the scope may not see does not exist."""

    async def circumstances(
        self,
        scope: Scope,
        memory_ids: Sequence[UUID],
        *,
        vector: Vector | None,
        model: str,
        session_id: str | None,
        now: datetime,
    ) -> Circumstances:
        """Of these memories, with the edges among them; `vector` is of `model`."""
        ...

    async def rows(self, scope: Scope, memory_ids: Sequence[UUID], *, now: datetime) -> tuple[Sequence[Memory], int]:
        """Those of the memories that still are, without vectors, and the scope's state as `state` gives it."""
        ...

    async def state(self, scope: Scope, *, now: datetime) -> int:
        """A number that every write in the scope changes, and every memory that becomes valid; nothing else does."""
        ...
