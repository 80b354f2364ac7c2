"""Adds the turn said after a captured memory to its context."""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.memories.rows import text_columns
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.prepared_write import MemoryWrite

# A memory that somebody has changed since keeps the context that it has then.
_LOCK = """
    SELECT memory_id FROM memories
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s) AND status = 'active'
      AND version = 1 AND context_version = 0
    ORDER BY memory_id FOR UPDATE"""
# Its vector stays until the new one is stored. A revision that has read the row before sees that it changed.
_GROW = """
    UPDATE memories SET
        content = %(content)s, summary = %(summary)s, context = %(context)s, sealed = %(sealed)s,
        sealed_context = %(sealed_context)s, key_version = %(key_version)s, quality = %(quality)s,
        context_version = context_version + 1, embedding_state = 'pending', embedding_error = NULL, queued_at = now(),
        requeues = 0, cluster_id = NULL, updated_at = now()
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s"""


async def grow(
    transaction: Transaction, org_id: UUID, agent_id: UUID, writes: Sequence[MemoryWrite]
) -> tuple[Sequence[UUID], Change | None]:
    """The memories whose context was replaced, and the agent's counters then; None without a change.

    Each memory's context grows once. Raises StaleDataKey like every writer of text.
    """
    if not writes or (live := await LiveSet.lock(transaction, org_id, agent_id)) is None:
        return (), None
    live.require_key(writes)
    place = {"org_id": org_id, "agent_id": agent_id, "ids": [write.memory_id for write in writes]}
    found = {row[0] for row in await transaction.fetch(_LOCK, place)}
    grown = [write for write in writes if write.memory_id in found]
    if not grown:
        return (), None
    for write in grown:
        values = text_columns(write) | {"quality": write.quality, "memory_id": write.memory_id}
        await transaction.execute(_GROW, place | values)
    await live.reindexed([(write.memory_id, write.indexed) for write in grown])
    return [write.memory_id for write in grown], await live.finish()
