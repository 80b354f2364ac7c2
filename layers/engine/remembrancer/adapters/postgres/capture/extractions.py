"""Completes captured memories: those that wait for approval, and what they do to other memories."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.capture.proposals import RELATED, SUPERSEDED
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.capture import ExtractedWrite

CONFIDENCE = 0.6
"""The confidence of a relation that capture writes."""

# With the version of the memory that the proposal is about, null where that is gone by now.
_REVIEW = """
    UPDATE memories m
    SET embedding_state = 'dropped', updated_at = now(),
        provenance = CASE WHEN provenance -> 'proposed' IS NULL THEN provenance
            ELSE jsonb_set(provenance, '{proposed,version}', coalesce(
                (SELECT to_jsonb(target.version) FROM memories target
                 WHERE target.org_id = m.org_id AND target.agent_id = m.agent_id AND target.status = 'active'
                   AND target.memory_id = (m.provenance #>> '{proposed,target}')::uuid), 'null')) END
    WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)"""
_LOCK = "SELECT 1 FROM memories WHERE org_id = %s AND memory_id = ANY(%s) ORDER BY memory_id FOR UPDATE"
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
_SUPERSEDE = """
    UPDATE memories SET status = 'superseded', superseded_by = %(memory_id)s, updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND memory_id = %(target)s"""
_OUTCOME = """
    UPDATE memories
    SET provenance = jsonb_set(provenance, '{proposed,outcome}', to_jsonb(%(outcome)s::text)),
        supersedes = CASE %(outcome)s WHEN 'superseded' THEN %(target)s ELSE supersedes END
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s"""


async def complete(
    transaction: Transaction, org_id: UUID, agent_id: UUID, written: Sequence[ExtractedWrite]
) -> Change | None:
    """Takes memories to be reviewed out of every search, and relates the others; None when nothing is to be done.

    In the transaction that wrote them: nobody ever finds a memory to be reviewed.
    """
    reviewed = [extracted.write.memory_id for extracted in written if extracted.is_reviewed]
    pairs = [
        (extracted.write.memory_id, older)
        for extracted in written
        if not extracted.is_reviewed
        for older in extracted.contradicts
    ]
    live = await LiveSet.lock(transaction, org_id, agent_id) if reviewed or pairs else None
    if live is None:
        return None
    if reviewed:
        await transaction.execute(_REVIEW, {"org_id": org_id, "ids": reviewed})
        await live.leave(reviewed)
    await transaction.fetch(_LOCK, (org_id, sorted({end for pair in pairs for end in pair})))
    for newer, older in pairs:
        await _relate(transaction, live, org_id, newer, older)
    return await live.finish()


async def carry_out(
    transaction: Transaction, live: LiveSet, org_id: UUID, memory_id: UUID, target: UUID, outcome: str
) -> None:
    """Does what was decided about a memory that was approved, and keeps it in the memory's provenance; the caller has
    locked both rows.
    """
    if outcome == SUPERSEDED:
        await live.leave([target])
        await transaction.execute(_SUPERSEDE, {"org_id": org_id, "memory_id": memory_id, "target": target})
        await live.took_over([(target, memory_id)])
    elif outcome == RELATED:
        await _relate(transaction, live, org_id, memory_id, target)
    parameters = {"org_id": org_id, "memory_id": memory_id, "target": target, "outcome": outcome}
    await transaction.execute(_OUTCOME, parameters)


async def _relate(transaction: Transaction, live: LiveSet, org_id: UUID, newer: UUID, older: UUID) -> None:
    relation = {
        "org_id": org_id,
        "relation_id": uuid5(newer, f"may_contradict {older}"),
        "from_memory_id": newer,
        "to_memory_id": older,
        "confidence": CONFIDENCE,
    }
    if await transaction.execute(_RELATE, relation):
        live.related()
        await live.marked([newer, older])
