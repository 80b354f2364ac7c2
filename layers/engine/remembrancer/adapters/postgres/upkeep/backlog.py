"""Memories whose message was lost, and the order in which organizations are visited."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.ports.upkeep import Lost, Unsettled, Visit

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
MOST_REQUEUES = 10
"""The delays add up to five hours: by then an outage is over, or operators know of it."""
GIVEN_UP = "NothingHeard"

_ORGANIZATIONS = """
    SELECT org_id, maintenance_due_at, embedding_model FROM organizations ORDER BY maintenance_due_at, org_id"""
_VISITED = "UPDATE organizations SET maintenance_due_at = %s WHERE org_id = %s"

# Each of the first conditions matches an index. An embedded memory waits to be compared with the others. The
# array is computed once: a join may run a subquery again, and exceed its limit that way.
_LOST = """
    UPDATE memories SET queued_at = %(now)s, requeues = requeues + 1 WHERE memory_id = ANY(ARRAY(
        SELECT memory_id FROM memories
        WHERE org_id = %(org_id)s AND {waiting} AND status = 'active' AND queued_at < %(first)s
          AND queued_at < %(now)s::timestamptz - least(%(first_wait)s * 2 ^ requeues, %(longest_wait)s)
          AND requeues < %(most_requeues)s
        ORDER BY queued_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
    RETURNING memory_id"""
_UNEMBEDDED = _LOST.format(waiting="embedding_state = 'pending'")
_UNCOMPARED = _LOST.format(
    waiting="embedding_state = 'ready' AND cluster_id IS NULL AND (valid_from IS NULL OR valid_from <= %(now)s)"
)
_GIVE_UP = """
    UPDATE memories SET embedding_state = 'failed', embedding_error = %(reason)s WHERE memory_id = ANY(ARRAY(
        SELECT memory_id FROM memories
        WHERE org_id = %(org_id)s AND embedding_state = 'pending' AND status = 'active'
          AND queued_at < %(now)s::timestamptz - %(longest_wait)s AND requeues >= %(most_requeues)s
        ORDER BY queued_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))"""

# The second way is for windows that a model reads when nothing more was said: once for each silence.
_UNSETTLED = """
    UPDATE conversations SET queued_at = %(now)s, requeues = requeues + 1 WHERE conversation_id = ANY(ARRAY(
        SELECT conversation_id FROM conversations
        WHERE org_id = %(org_id)s AND pending > 0 AND queued_at < %(now)s
          AND (queued_at < %(now)s::timestamptz - least(%(first_wait)s * 2 ^ least(requeues, 10), %(longest_wait)s)
               OR (updated_at <= %(now)s::timestamptz - %(idle)s::interval + %(ahead)s::interval
                   AND (requeues = 0 OR queued_at < updated_at + %(idle)s::interval - %(ahead)s::interval)))
        ORDER BY queued_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
    RETURNING conversation_id, agent_id, user_id, updated_at + %(idle)s::interval"""

# Their turn comes in the next run, before new ones: new memories have a message.
_OUTDATED = """
    UPDATE memories SET embedding_state = 'pending', queued_at = 'epoch', requeues = 0 WHERE memory_id = ANY(ARRAY(
        SELECT memory_id FROM memories
        WHERE org_id = %s AND status = 'active'
          AND (embedding_state = 'failed' OR (embedding_state = 'ready' AND embedding_model IS DISTINCT FROM %s))
        ORDER BY memory_id LIMIT %s FOR UPDATE SKIP LOCKED))"""

_EMBEDDED = """
    SELECT count(*) FILTER (WHERE embedding_state = 'ready' AND embedding_model = %s), count(*) FROM memories
    WHERE org_id = %s AND status = 'active'"""


class PostgresBacklog:
    """Serves the Backlog port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def organizations(self) -> Sequence[Visit]:
        """Only the maintenance run may call this."""
        (rows,) = await self._database.read(None, (_ORGANIZATIONS, ()), settings={"remembrancer.maintenance": "on"})
        return [Visit(*row) for row in rows]

    async def visited(self, org_id: UUID, due_at: datetime) -> None:
        """An erased organization has no next visit."""
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_VISITED, (due_at, org_id))

    async def lost(self, org_id: UUID, now: datetime, limit: int) -> Lost:
        """Skips rows that another run or a writer has locked."""
        parameters = _waits(org_id, now) | {"most_requeues": MOST_REQUEUES, "reason": GIVEN_UP}
        async with self._database.transaction(org_id) as transaction:
            given_up = await transaction.execute(_GIVE_UP, parameters | {"limit": limit})
            found = [row[0] for row in await transaction.fetch(_UNEMBEDDED, parameters | {"limit": limit})]
            rest = parameters | {"limit": limit - len(found)}
            found += [row[0] for row in await transaction.fetch(_UNCOMPARED, rest)]
        return Lost(found, given_up)

    async def unsettled(
        self, org_id: UUID, now: datetime, limit: int, *, idle: timedelta, ahead: timedelta
    ) -> Sequence[Unsettled]:
        """Never given up: a conversation is queued once an hour until its turns are settled."""
        parameters = _waits(org_id, now) | {"limit": limit, "idle": idle, "ahead": ahead}
        async with self._database.transaction(org_id) as transaction:
            rows = await transaction.fetch(_UNSETTLED, parameters)
        return [Unsettled(*row) for row in rows]

    async def outdated(self, org_id: UUID, model: str, limit: int) -> int:
        """Takes memories in the order of their ids, each once."""
        async with self._database.transaction(org_id) as transaction:
            return await transaction.execute(_OUTDATED, (org_id, model, limit))

    async def embedded(self, org_id: UUID, model: str) -> tuple[int, int]:
        """Slow for a large organization: it reads the row of every active memory."""
        (rows,) = await self._database.read(org_id, (_EMBEDDED, (model, org_id)))
        ready, active = rows[0]
        return ready, active


def _waits(org_id: UUID, now: datetime) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "now": now,
        "first": now - FIRST_WAIT,
        "first_wait": FIRST_WAIT,
        "longest_wait": LONGEST_WAIT,
    }
