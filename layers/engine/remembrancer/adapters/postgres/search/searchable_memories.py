"""Updates index, vectors and counts of an agent in the transaction that changes its memories."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.memories import conflict_marks, pins
from remembrancer.adapters.postgres.search.lexical_index import AgentIndex
from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import StaleDataKey

LONGEST_TAIL = 1024
"""Unmerged documents of an owner left to the workers; a write that exceeds this merges some itself."""

# Serializes the writers of one agent, so that duplicates and counts stay correct. A foreign key's check does not wait
# for writers, nor writers for the check.
_LOCK_AGENT = """
    SELECT version, removals, (SELECT max(usable) FROM data_keys WHERE org_id = %(org_id)s), next_document
    FROM agents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s
      AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
      AND (%(environment)s::text IS NULL OR environment = %(environment)s)
    FOR NO KEY UPDATE"""

_DROP_VECTORS = """
    DELETE FROM memory_vectors WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)"""
_STAMP = """
    UPDATE memories SET change = %(change)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)
    RETURNING contradicts IS NOT NULL OR contradicted_by IS NOT NULL"""
_COUNT = """
    UPDATE agents SET indexed_documents = indexed_documents + %(documents)s,
                      content_words = content_words + %(content_words)s,
                      context_words = context_words + %(context_words)s, vectors = vectors + %(vectors)s,
                      next_document = %(next_document)s, version = %(version)s, removals = %(removals)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s
    RETURNING (SELECT coalesce(max(waiting), 0) FROM index_owners o
               WHERE o.org_id = %(org_id)s AND o.agent_id = %(agent_id)s)"""


class LiveSet:
    """The searchable memories of one agent, inside one transaction that has locked the agent's row; `finish` writes the
    counts.

    `key_version` is the organization's newest data key, under which text must be sealed; None without one.
    """

    def __init__(
        self,
        transaction: Transaction,
        org_id: UUID,
        agent_id: UUID,
        before: Change,
        key_version: int | None,
        *,
        next_document: int,
    ) -> None:
        self.key_version = key_version
        self._transaction = transaction
        self._place = {"org_id": org_id, "agent_id": agent_id}
        self._index = AgentIndex(transaction, org_id, agent_id)
        self._before = before
        self._next_document = next_document
        self._counts = {"documents": 0, "content_words": 0, "context_words": 0, "vectors": 0}
        self._changed = self._removed = self._unannounced = False

    @classmethod
    async def lock(
        cls,
        transaction: Transaction,
        org_id: UUID,
        agent_id: UUID,
        *,
        project_id: str | None = None,
        environment: str | None = None,
    ) -> "LiveSet | None":
        """None when the agent does not exist in the project and environment, where these are given."""
        place = {"org_id": org_id, "agent_id": agent_id, "project_id": project_id, "environment": environment}
        rows = await transaction.fetch(_LOCK_AGENT, place)
        if not rows:
            return None
        version, removals, key_version, next_document = rows[0]
        return cls(
            transaction,
            org_id,
            agent_id,
            Change(version, removals),
            key_version,
            next_document=next_document,
        )

    def require_key(self, writes: Sequence[MemoryWrite]) -> None:
        """Raises StaleDataKey unless all text is sealed under the newest data key, or there is none."""
        versions = {write.sealed.key_version if write.sealed else None for write in writes}
        if self.key_version is not None and versions - {self.key_version}:
            raise StaleDataKey(self.key_version)

    async def enter(self, writes: Sequence[MemoryWrite]) -> None:
        """Adds memories whose rows were inserted, or became active again, in this transaction."""
        if not writes:
            return
        await self._enter([(write.memory_id, write.indexed) for write in writes])

    async def _enter(self, entries: Sequence[tuple[UUID, IndexedText]]) -> None:
        await self._index.enter(self._next_document, entries, self._before.version + 1)
        self._next_document += len(entries)
        self._counts["documents"] += len(entries)
        self._counts["content_words"] += sum(indexed.content_words for _, indexed in entries)
        self._counts["context_words"] += sum(indexed.context_words for _, indexed in entries)
        self._changed = True

    async def leave(self, memory_ids: Sequence[UUID]) -> None:
        """Removes memories that stopped being active in this transaction, or whose text is added again."""
        if not memory_ids:
            return
        stamp = self._stamp(memory_ids)
        in_conflict = any(row[0] for row in await self._transaction.fetch(_STAMP, stamp))
        left = await self._index.leave(memory_ids)
        self._counts["vectors"] -= await self._transaction.execute(_DROP_VECTORS, stamp)
        self._counts["documents"] -= left.documents
        self._counts["content_words"] -= left.content_words
        self._counts["context_words"] -= left.context_words
        self._changed = self._removed = True
        if in_conflict:
            await self._end_conflicts(memory_ids)

    async def _end_conflicts(self, memory_ids: Sequence[UUID]) -> None:
        """The other memories of these conflicts have changed too, which the caller does not announce: counted as one
        more removal, so that caches drop all their copies.
        """
        others = await conflict_marks.end(self._transaction, self._place["org_id"], memory_ids)
        if others:
            await self._transaction.execute(_STAMP, self._stamp(others))
            self._unannounced = True

    async def reindexed(self, entries: Sequence[tuple[UUID, IndexedText]]) -> None:
        """Replaces the words of memories and nothing else; their vectors serve until new ones are stored."""
        left = await self._index.leave([memory_id for memory_id, _ in entries])
        self._counts["documents"] -= left.documents
        self._counts["content_words"] -= left.content_words
        self._counts["context_words"] -= left.context_words
        await self._enter(entries)

    async def embedded(self, memory_ids: Sequence[UUID], *, new: int) -> None:
        """Records memories that got vectors that serve; `new`: how many rows more the first table has."""
        await self._transaction.execute(_STAMP, self._stamp(memory_ids))
        self._counts["vectors"] += new
        self._changed |= bool(memory_ids) or new != 0

    async def touched(self, memory_ids: Sequence[UUID]) -> None:
        """Records changes of other columns, which make cached copies outdated."""
        if not memory_ids:
            return
        await self._transaction.execute(_STAMP, self._stamp(memory_ids))
        self._changed = self._removed = True

    async def marked(self, memory_ids: Sequence[UUID]) -> list[UUID]:
        """Marks memories by their possible conflicts; returns those that have changed. Callers may announce them or
        not: caches drop all their copies.
        """
        changed = await conflict_marks.mark(self._transaction, self._place["org_id"], memory_ids)
        if changed:
            await self.touched(changed)
            self._unannounced = True
        return changed

    async def took_over(self, replaced: Sequence[tuple[UUID, UUID]]) -> None:
        """Pins memories in place of pinned ones of the same owner that they have superseded, where there is room; the
        pairs are (superseded, new). Not announced: caches drop all their copies.
        """
        take_over = partial(pins.take_over, self._transaction, **self._place)
        pinned = [new for old, new in replaced if await take_over(old=old, new=new)]
        if pinned:
            await self.touched(pinned)
            self._unannounced = True

    def related(self) -> None:
        """Records changed relations: the memories are the same, but queries that follow relations find others."""
        self._changed = True

    async def finish(self) -> Change:
        """The agent's change counters as of the commit."""
        if not self._changed:
            return self._before
        change = Change(self._before.version + 1, self._before.removals + self._removed + self._unannounced)
        counters = {"version": change.version, "removals": change.removals, "next_document": self._next_document}
        ((waiting,),) = await self._transaction.fetch(_COUNT, self._place | self._counts | counters)
        if waiting > LONGEST_TAIL:
            await self._index.merge()
        return change

    def _stamp(self, memory_ids: Sequence[UUID]) -> dict[str, object]:
        return {**self._place, "ids": sorted(memory_ids), "change": self._before.version + 1}
