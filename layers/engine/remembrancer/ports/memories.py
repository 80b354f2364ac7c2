"""Writing, reading, changing, relating, exporting, embedding and comparing memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.memories.prepared_write import MemoryWrite, Revision
from remembrancer.domain.memories.stored_memory import Relation, StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import RequestError
from remembrancer.ports.upkeep import Swept


@dataclass(frozen=True, slots=True)
class WriteResult:
    """`status` is accepted, duplicate (of `memory_id`), or why not: unknown_agent, unknown_supersedes,
    shared_supersedes, quota_exceeded, pinned_full.

    `gone` is the memory that it replaced. `error` says more than the status.
    """

    memory_id: UUID | None
    status: str
    gone: UUID | None = None
    error: RequestError | None = None


@dataclass(frozen=True, slots=True)
class WriteReport:
    """A result at the place of each write, and the changed agents' counters after them."""

    results: Mapping[int, WriteResult]
    changes: Mapping[UUID, Change] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of memories, newest first; `after` is the (created_at, id) of the last one before the page.

    `agent_id` None means every agent of the project and environment, which is not for a listing by `client_ref` or by
    entries of the metadata.
    """

    agent_id: UUID | None = None
    category: str | None = None
    tag: str | None = None
    since: datetime | None = None
    status: str | None = None
    embedding_state: str | None = None
    client_ref: str | None = None
    pinned: bool | None = None
    pin_proposed: bool | None = None
    forget_proposed: bool | None = None
    metadata: Mapping[str, str | float | bool] = field(default_factory=dict)
    limit: int = 50
    after: tuple[datetime, UUID] | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """A page of an export, oldest first, with earlier texts and outgoing relations; `agent_id` None is every agent.

    `user_id` selects the memories of this end user, without shared ones; None selects all that the principal reads.
    """

    agent_id: UUID | None
    user_id: str | None
    limit: int
    after: tuple[datetime, UUID] | None = None


class Memories(Protocol):
    """The memories of a project, as the API writes and reads them."""

    async def write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], *, once: Once | None = None
    ) -> WriteReport:
        """Writes by their places in the request, in one transaction for all agents.

        A request that is repeated with the same `once` gets the same results and changes nothing. Raises StaleDataKey
        when text is not sealed under the organization's newest data key.
        """
        ...

    async def get(
        self, principal: Principal, memory_id: UUID, *, deleted: bool = False, before: int | None = None
    ) -> StoredMemory | None:
        """The memory with its newest earlier texts before version `before`, the chain of memories that supersede each
        other, oldest first, and its relations; each of these is bounded. None for a deleted memory without `deleted`.
        """
        ...

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        """The page, without chains and relations."""
        ...

    async def export(self, principal: Principal, export: Export) -> Sequence[StoredMemory]:
        """All but deleted ones, oldest first; `relations` are those that begin at the memory."""
        ...


@dataclass(frozen=True, slots=True)
class Related:
    """A relation that was made or deleted, and the changed agents' counters.

    `new` is False for a relation that existed before the request; a request that is repeated with the same `once` gets
    `new` as the first time, and changes nothing.
    """

    relation: Relation
    new: bool
    changes: Mapping[UUID, Change]


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """`status` is done, unchanged, not_found, stale, duplicate (of the active memory `other`), replaced (`other`, which
    superseded it, is superseded too), or again (the same request was done before).

    `change` has the agent's counters after the change. `gone`: cached copies of the memory are outdated; those of the
    `others` always are. `to_embed`: the memory waits for a vector.
    """

    status: str
    agent_id: UUID | None = None
    change: Change | None = None
    gone: bool = False
    to_embed: bool = False
    other: UUID | None = None
    others: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class Rated:
    """The result of feedback, and the counts of both kinds that the memory has then."""

    outcome: ChangeResult
    positive_count: int = 0
    negative_count: int = 0


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Memories that were deleted, and that are proposed for that; `change`: the agent's counters after a deletion."""

    deleted: Sequence[UUID] = ()
    proposed: Sequence[UUID] = ()
    change: Change | None = None


class MemoryLife(Protocol):
    """Changes of one memory and of its relations, each in one transaction. Raises Forbidden where the principal sees
    the memory but may not change it.
    """

    async def revise(self, principal: Principal, revision: Revision) -> ChangeResult:
        """Replaces its fields; with `text_changed` the earlier text becomes a version; carries out what is `proposed`.

        Raises StaleDataKey when the text is not sealed under the organization's newest data key. Raises PinnedFull, as
        all that make a memory active do.
        """
        ...

    async def forget(self, principal: Principal, memory_id: UUID, now: datetime) -> ChangeResult:
        """Deletes it so that it can be restored; unchanged when it is deleted already."""
        ...

    async def forget_all(
        self, principal: Principal, agent_id: UUID, wish: Forgetting, *, once: Once | None = None
    ) -> Forgotten:
        """The same for several of the principal's end user's own active memories, and proposes it for others; what is
        not such a memory is left out. A request that is repeated with the same `once` gets the same and changes
        nothing. Raises Forbidden where the principal names no end user.
        """
        ...

    async def restore(self, principal: Principal, revision: Revision, *, once: Once | None = None) -> ChangeResult:
        """Undoes `forget`: the revision has the status that the memory had. Raises StaleDataKey as `revise`."""
        ...

    async def was_done(self, principal: Principal, once: Once) -> bool:
        """Whether the same request was done before. Raises Conflict when another request has its key."""
        ...

    async def unsupersede(
        self,
        principal: Principal,
        revision: Revision,
        relation_id: UUID,
        *,
        keep_both: bool = False,
        once: Once | None = None,
    ) -> ChangeResult:
        """Makes a superseded memory active; it then supersedes the memory that had superseded it.

        With `keep_both` that memory stays active, and the relation says that the two are `compatible`. Raises
        Forbidden where the principal may not change both, StaleDataKey as `revise`.
        """
        ...

    async def rate(
        self, principal: Principal, memory_id: UUID, feedback_id: UUID, positive: bool, *, once: Once | None = None
    ) -> Rated:
        """Counts feedback; an end user's newer opinion replaces the older one."""
        ...

    async def relate(self, principal: Principal, relation: Relation, *, once: Once | None = None) -> Related | None:
        """Unique by both ends and type: where there is one already, it is returned. None when the principal does not
        see both ends.

        Raises Forbidden, as `unrelate` does, when the principal may not change both ends.
        """
        ...

    async def unrelate(self, principal: Principal, memory_id: UUID, relation_id: UUID) -> Related | None:
        """None when no such relation begins or ends at this memory."""
        ...


@dataclass(frozen=True, slots=True)
class Consolidated:
    """For one agent: how many memories got a cluster, how many near-duplicates were linked, and which were superseded.

    `change` has the agent's counters after something was superseded, else None.
    """

    agent_id: UUID
    clustered: int = 0
    related: int = 0
    superseded: Sequence[UUID] = ()
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A new memory, and one of those nearest to it, at this cosine; texts may be sealed."""

    new: Memory
    other: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class FoundConflict:
    """Two memories as they were compared, and what they differ in."""

    newer: Memory
    older: Memory
    differs_in: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Flagged:
    """Memories of one agent that were marked as in conflict, or no longer so, and the agent's counters after that."""

    agent_id: UUID
    memory_ids: Sequence[UUID]
    change: Change


@dataclass(frozen=True, slots=True)
class PossibleConflict:
    """A possible conflict; its id is that of the relation `may_contradict`."""

    conflict_id: UUID
    newer: UUID
    older: UUID
    differs_in: str | None
    confidence: float
    found_at: datetime


@dataclass(frozen=True, slots=True)
class ConflictPage:
    """A page of an agent's conflicts, newest first; `after` is the (found_at, id) of the last one before the page."""

    agent_id: UUID
    limit: int
    after: tuple[datetime, UUID] | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """What is done about a conflict: `keep` supersedes the other memory; None keeps both.

    With `keeps_newer` the newer memory is kept, whichever it is.
    """

    keep: UUID | None = None
    keeps_newer: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """`status` is done, not_found, not_of_it (`keep` is neither of the two), not_valid_yet (`keep` would replace a
    memory before it is valid), or again: the same request settled it before.
    """

    status: str
    kept: Sequence[UUID] = ()
    superseded: UUID | None = None
    agent_id: UUID | None = None
    change: Change | None = None


class Conflicts(Protocol):
    """Near-duplicates and possible conflicts: found by the embedding worker among the memories of one organization;
    conflicts are listed and settled for a principal that sees them. Of `memory_ids`, those count that are embedded by
    `model` and were not compared yet.
    """

    async def near_duplicates(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[NearMemory]:
        """Memories of the same agent, end user and category at a cosine above 0.92, whose texts are those of their
        vectors; none for an organization that leaves near-duplicates alone.
        """
        ...

    async def consolidate(
        self,
        org_id: UUID,
        memory_ids: Sequence[UUID],
        model: str,
        duplicates: Sequence[NearMemory] = (),
        paraphrases: Sequence[NearMemory] = (),
    ) -> Sequence[Consolidated]:
        """Assigns clusters. Of each two duplicates that still are as they were compared, the newer one gets a relation
        `similar` to the older, or supersedes it, as the organization chose. A captured memory that is a duplicate or
        paraphrase of an older one confirms that one, which supersedes it.
        """
        ...

    async def near(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[NearMemory]:
        """Live memories of the same agent and owner near to each of the new ones."""
        ...

    async def flag(self, org_id: UUID, found: Sequence[FoundConflict]) -> Sequence[Flagged]:
        """Relates and marks the pairs that still are as they were compared, but none that a caller found compatible.

        Repeating it changes nothing.
        """
        ...

    async def list(
        self, principal: Principal, page: ConflictPage
    ) -> tuple[Sequence[PossibleConflict], Mapping[UUID, StoredMemory]]:
        """The page, and the memories of its conflicts by their ids."""
        ...

    async def settle(
        self, principal: Principal, conflict_id: UUID, settlement: Settlement, *, once: Once | None = None
    ) -> Settled:
        """Ends the conflict; Forbidden where the principal may not change both memories."""
        ...


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """A memory that waits for its vector; its context is clear, or sealed as its text is.

    `model` is the one of the newest vector of its present text; None when that has none.
    """

    memory: Memory
    project_id: str
    environment: str
    context: str | None = None
    sealed_context: bytes | None = None
    context_version: int = 0
    model: str | None = None


@dataclass(frozen=True, slots=True)
class ServingVectors:
    """Vectors of the model that serves while memories are embedded again by another one; only of memories that have
    none of it yet.
    """

    model: str
    vectors: Mapping[UUID, Vector]


@dataclass(frozen=True, slots=True)
class StoredVectors:
    """The memories that got their vector, as they are now, without those that are gone, and their agents' counters."""

    memories: Sequence[Memory]
    changes: Mapping[UUID, Change]

    @property
    def memory_ids(self) -> list[UUID]:
        """The ids of the memories, in their order."""
        return [memory.id for memory in self.memories]


class EmbeddingStore(Protocol):
    """Vectors of the memories of one organization, and the change to those of another model."""

    async def pending(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[PendingMemory]:
        """Those of the ids that still need a vector of `model`; the others are done, gone or superseded."""
        ...

    async def store(
        self,
        org_id: UUID,
        memories: Sequence[PendingMemory],
        vectors: NDArray[np.float32],
        model: str,
        *,
        serving: ServingVectors | None = None,
    ) -> StoredVectors:
        """Stores vectors and marks the memories ready. With `serving`, `model` does not serve yet: readers find only
        the memories that have a vector in `serving`.
        """
        ...

    async def fail(self, org_id: UUID, memory_ids: Sequence[UUID], reason: str) -> None:
        """Marks memories whose embedding was given up."""
        ...

    async def hot_candidates(
        self, org_id: UUID, agent_id: UUID, now: datetime, limit: int
    ) -> tuple[Change, Sequence[Memory]]:
        """The agent's best embedded memories by hot score, to refill a cold hot set, and as of when."""
        ...

    async def outdated(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        """Memories to queue now whose vector is of another model than `model`; the vectors of the one before serve
        meanwhile.
        """
        ...

    async def stragglers(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        """The same for a model that serves: what instances have embedded that still had the configuration before."""
        ...

    async def serve(self, org_id: UUID, model: str, now: datetime) -> Sequence[Swept] | None:
        """The vectors of `model` serve from now on, if the memories have them: each agent's change; else None."""
        ...

    async def retire(self, org_id: UUID, model: str, now: datetime, limit: int) -> int:
        """Deletes vectors of other models some time after those of `model` began to serve: how many of each table."""
        ...
