"""Completes the memories of a language model: those that wait for approval, and relations to what they contradict."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.capture import ExtractedWrite

CONFIDENCE = 0.6
"""Of a relation that a model proposes."""

_REVIEW = """
    UPDATE memories SET status = 'pending_review', embedding_state = 'dropped', updated_at = now()
    WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)"""
# Both ends are of one agent and one end user, or shared; the target may be gone by now.
_RELATE = """
    INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence)
    SELECT %(relation_id)s, %(org_id)s, newer.memory_id, older.memory_id, 'may_contradict', %(confidence)s
    FROM memories newer
    JOIN memories older ON older.memory_id = %(to_memory_id)s AND older.org_id = newer.org_id
         AND older.agent_id = newer.agent_id AND older.user_id IS NOT DISTINCT FROM newer.user_id
         AND older.status = 'active'
    WHERE newer.org_id = %(org_id)s AND newer.memory_id = %(from_memory_id)s
    ON CONFLICT (from_memory_id, to_memory_id, type) DO NOTHING"""


async def complete(
    transaction: Transaction, org_id: UUID, agent_id: UUID, written: Sequence[ExtractedWrite]
) -> Change | None:
    """Takes memories to be reviewed out of every search, and relates the others; None when nothing is to be done.

    In the transaction that wrote them: a memory to be reviewed is never active for anybody else.
    """
    reviewed = [one.write.memory_id for one in written if one.is_reviewed]
    related = [one for one in written if one.contradicts is not None and not one.is_reviewed]
    live = await LiveSet.lock(transaction, org_id, agent_id) if reviewed or related else None
    if live is None:
        return None
    if reviewed:
        await transaction.execute(_REVIEW, {"org_id": org_id, "ids": reviewed})
        await live.leave(reviewed)
    for one in related:
        relation = _relation(org_id, one)
        if await transaction.execute(_RELATE, relation):
            live.related()
            await live.marked([one.write.memory_id, relation["to_memory_id"]])
    return await live.finish()


def _relation(org_id: UUID, one: ExtractedWrite) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "relation_id": uuid5(one.write.memory_id, f"may_contradict {one.contradicts}"),
        "from_memory_id": one.write.memory_id,
        "to_memory_id": one.contradicts,
        "confidence": CONFIDENCE,
    }
