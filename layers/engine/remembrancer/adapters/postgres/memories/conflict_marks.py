"""What the rows of memories say of their possible conflicts, kept equal to the relations `may_contradict`.

Only memories of one agent and one owner are marked: whoever sees one of them sees the other.
"""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction

MOST = 20
"""Most ids that one row names on each side."""

# The later `created_at` is the newer memory; of two of one moment, as of one conversation, the one that the relation
# comes from.
_MARK = """
    WITH others AS (
        SELECT m.memory_id, o.memory_id AS other, o.created_at,
               (o.created_at, r.direction, o.memory_id) > (m.created_at, 0, m.memory_id) AS is_newer
        FROM memories m
        CROSS JOIN LATERAL (
            SELECT other, sum(direction) AS direction FROM (
                SELECT to_memory_id AS other, -1 AS direction FROM memory_relations
                WHERE org_id = %(org_id)s AND from_memory_id = m.memory_id AND type = 'may_contradict'
                UNION ALL
                SELECT from_memory_id, 1 FROM memory_relations
                WHERE org_id = %(org_id)s AND to_memory_id = m.memory_id AND type = 'may_contradict') ends
            GROUP BY other) r
        JOIN memories o ON o.org_id = %(org_id)s AND o.memory_id = r.other
        WHERE m.org_id = %(org_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active' AND o.status = 'active'
          AND o.agent_id = m.agent_id AND o.user_id IS NOT DISTINCT FROM m.user_id
    ), marks AS (
        SELECT wanted.memory_id,
               (array_agg(other ORDER BY created_at DESC, other DESC) FILTER (WHERE NOT is_newer))[:%(most)s] AS older,
               (array_agg(other ORDER BY created_at DESC, other DESC) FILTER (WHERE is_newer))[:%(most)s] AS newer
        FROM unnest(%(ids)s::uuid[]) AS wanted (memory_id) LEFT JOIN others USING (memory_id)
        GROUP BY wanted.memory_id)
    UPDATE memories m SET contradicts = marks.older, contradicted_by = marks.newer
    FROM marks
    WHERE m.org_id = %(org_id)s AND m.memory_id = marks.memory_id
      AND (m.contradicts IS DISTINCT FROM marks.older OR m.contradicted_by IS DISTINCT FROM marks.newer)
    RETURNING m.memory_id"""

_END = """
    DELETE FROM memory_relations
    WHERE org_id = %(org_id)s AND type = 'may_contradict'
      AND (from_memory_id = ANY(%(ids)s) OR to_memory_id = ANY(%(ids)s))
    RETURNING from_memory_id, to_memory_id"""
# Locked in a fixed order, like everywhere.
_LOCK = "SELECT 1 FROM memories WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s) ORDER BY memory_id FOR UPDATE"


async def mark(transaction: Transaction, org_id: UUID, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Marks these memories by their relations; returns those whose marks have changed, which cached copies lack."""
    parameters = {"org_id": org_id, "ids": sorted(set(memory_ids)), "most": MOST}
    await transaction.fetch(_LOCK, parameters)
    return sorted(row[0] for row in await transaction.fetch(_MARK, parameters))


async def end(transaction: Transaction, org_id: UUID, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Ends the conflicts of memories that leave, or get another text; returns the others whose marks have changed."""
    parameters = {"org_id": org_id, "ids": sorted(memory_ids)}
    ends = {memory_id for row in await transaction.fetch(_END, parameters) for memory_id in row}
    changed = await mark(transaction, org_id, sorted(ends.union(memory_ids)))
    return sorted(set(changed).difference(memory_ids))
