"""Scheduled maintenance: lost messages, the order of visits, and what time does to memories and clusters."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.capture import removal
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories import idempotent_requests
from remembrancer.adapters.postgres.memories.embedding_store import FIRST_WAIT, LONGEST_WAIT, MOST_REQUEUES
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.ports.upkeep import Lost, Swept, Visit, WaitingConversation

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
_WAITING_CONVERSATIONS = """
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

WARM_AFTER = timedelta(days=30)
COLD_AFTER = timedelta(days=180)
AT_ONCE = 50
"""Most memories of one agent changed in one transaction, during which its writers wait."""
REFRESH_AFTER = timedelta(hours=1)
DELETED_KEPT = timedelta(days=7)
EVENTS_KEPT = timedelta(days=30)
"""Messages live 4 days in the queue and 14 in the dead-letter queue, from where they may be sent back."""
SESSIONS_KEPT = timedelta(days=30)
PROFILES_KEPT = timedelta(days=180)

# The age of an unused memory counts from its row: a memory imported today is not cold because it tells of last year.
_OLD = """
    SELECT agent_id, memory_id FROM memories
    WHERE org_id = %(org_id)s AND status = 'active' AND tier = %(tier)s AND updated_at < %(before)s
      AND (last_accessed_at IS NULL OR last_accessed_at < %(before)s)
    ORDER BY updated_at LIMIT %(limit)s"""
_COOL = """
    UPDATE memories SET tier = %(cooler)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s) AND status = 'active'
      AND tier = %(tier)s AND (last_accessed_at IS NULL OR last_accessed_at < %(before)s)
    RETURNING memory_id"""
_COOL_VECTORS = """
    UPDATE memory_vectors SET tier = %(cooler)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)"""

_EXPIRED = """
    SELECT agent_id, memory_id FROM memories
    WHERE org_id = %(org_id)s AND status = 'active' AND expires_at <= %(now)s
    ORDER BY expires_at LIMIT %(limit)s"""
_ARCHIVE = """
    UPDATE memories SET status = 'archived', updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s) AND status = 'active'
      AND expires_at <= %(now)s
    RETURNING memory_id"""
_LOCK_MEMORIES = "SELECT 1 FROM memories WHERE org_id = %s AND memory_id = ANY(%s) ORDER BY memory_id FOR UPDATE"

# Their members are compared again. Some have thousands: rows are locked only briefly, since writers wait.
_MIXED = """
    SELECT m.memory_id FROM memory_clusters c JOIN memories m ON m.cluster_id = c.cluster_id
    WHERE c.org_id = %(org_id)s AND c.owner IS NULL LIMIT %(limit)s"""
_LEAVE_CLUSTERS = "UPDATE memories SET cluster_id = NULL WHERE org_id = %s AND memory_id = ANY(%s)"
_DROP_MIXED = """
    DELETE FROM memory_clusters WHERE cluster_id = ANY(ARRAY(
        SELECT c.cluster_id FROM memory_clusters c WHERE c.org_id = %(org_id)s AND c.owner IS NULL
          AND NOT EXISTS (SELECT FROM memories m WHERE m.cluster_id = c.cluster_id)
        LIMIT %(limit)s))"""

_STALE_CLUSTERS = """
    SELECT c.cluster_id FROM memory_clusters c JOIN agents a ON a.agent_id = c.agent_id
    WHERE c.org_id = %(org_id)s AND c.owner IS NOT NULL
      AND c.refreshed_at < %(before)s AND c.refreshed_change < a.version
    ORDER BY c.refreshed_at LIMIT %(limit)s"""
# The same lock as for assignments: members are not assigned while they are counted.
_AGENTS_OF = """
    SELECT DISTINCT agent_id FROM memory_clusters WHERE org_id = %s AND cluster_id = ANY(%s) ORDER BY agent_id"""
_MODELS_OF = "SELECT DISTINCT embedding_model FROM memory_clusters WHERE org_id = %s AND cluster_id = ANY(%s)"
_LOCK_CLUSTERS = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_REFRESH_CLUSTERS = """
    UPDATE memory_clusters c
    SET centroid = l2_normalize(now.centroid), members = now.members, refreshed_at = %(now)s,
        refreshed_change = now.version
    FROM (SELECT c.cluster_id, a.version, avg(v.embedding) AS centroid, count(*) AS members
          FROM memory_clusters c
          JOIN agents a ON a.agent_id = c.agent_id
          JOIN memories m ON m.cluster_id = c.cluster_id AND m.status = 'active'
          JOIN memory_vectors v ON v.agent_id = c.agent_id AND v.memory_id = m.memory_id
                                AND v.embedding_model = c.embedding_model
          WHERE c.org_id = %(org_id)s AND c.cluster_id = ANY(%(ids)s) AND c.embedding_model = %(model)s
          GROUP BY c.cluster_id, a.version) AS now
    WHERE c.org_id = %(org_id)s AND c.cluster_id = now.cluster_id"""
_DROP_CLUSTERS = """
    DELETE FROM memory_clusters c
    WHERE c.org_id = %(org_id)s AND c.cluster_id = ANY(%(ids)s) AND c.embedding_model = %(model)s AND NOT EXISTS (
        SELECT FROM memories m
        JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
                              AND v.embedding_model = c.embedding_model
        WHERE m.cluster_id = c.cluster_id AND m.status = 'active')"""

_FORGET = """
    DELETE FROM {table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM {table} WHERE org_id = %(org_id)s AND {condition} AND {moment} < %(before)s
        ORDER BY {moment} LIMIT %(limit)s))"""


def _forget(table: str, moment: str, kept: timedelta, condition: str = "true") -> tuple[str, timedelta]:
    return _FORGET.format(table=table, moment=moment, condition=condition), kept


# Versions, relations and feedback are deleted with their memory.
_FORGOTTEN = {
    "deleted": _forget("memories", "deleted_at", DELETED_KEPT, "status = 'deleted'"),
    "events": _forget("applied_events", "applied_at", EVENTS_KEPT),
    "answers": _forget("idempotency_keys", "created_at", idempotent_requests.KEPT),
    "sessions": _forget("sessions", "updated_at", SESSIONS_KEPT),
    "profiles": _forget("profiles", "updated_at", PROFILES_KEPT),
}


class PostgresUpkeep:
    """Serves the Upkeep port."""

    def __init__(self, database: Database, tables: VectorTables | None = None) -> None:
        self._database = database
        self._tables = tables or VectorTables()

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

    async def waiting_conversations(
        self, org_id: UUID, now: datetime, limit: int, *, idle: timedelta, ahead: timedelta
    ) -> Sequence[WaitingConversation]:
        """Never given up: a conversation is queued once an hour until none of its turns is pending."""
        parameters = _waits(org_id, now) | {"limit": limit, "idle": idle, "ahead": ahead}
        async with self._database.transaction(org_id) as transaction:
            rows = await transaction.fetch(_WAITING_CONVERSATIONS, parameters)
        return [WaitingConversation(*row) for row in rows]

    async def outdated(self, org_id: UUID, model: str, limit: int) -> int:
        """Takes memories in the order of their ids, each once."""
        async with self._database.transaction(org_id) as transaction:
            return await transaction.execute(_OUTDATED, (org_id, model, limit))

    async def embedded(self, org_id: UUID, model: str) -> tuple[int, int]:
        """Slow for a large organization: it reads the row of every active memory."""
        (rows,) = await self._database.read(org_id, (_EMBEDDED, (model, org_id)))
        ready, active = rows[0]
        return ready, active

    async def cool(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        """Coldest first, so that a memory that cools by two tiers is moved once per run."""
        swept: list[Swept] = []
        for tier, cooler, after in (("warm", "cold", COLD_AFTER), ("hot", "warm", WARM_AFTER)):
            left = limit - sum(agent.memories for agent in swept)
            parameters = {"org_id": org_id, "tier": tier, "cooler": cooler, "before": now - after, "limit": left}
            for agent_id, ids in await self._found(org_id, _OLD, parameters):
                swept += await self._cool(agent_id, parameters | {"agent_id": agent_id, "ids": ids})
        return swept

    async def expire(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        """Updates the status only: searches already exclude expired memories."""
        swept: list[Swept] = []
        parameters = {"org_id": org_id, "now": now, "limit": limit}
        for agent_id, ids in await self._found(org_id, _EXPIRED, parameters):
            async with self._database.transaction(org_id) as transaction:
                live = await LiveSet.lock(transaction, org_id, agent_id)
                if live is None:
                    continue
                await transaction.fetch(_LOCK_MEMORIES, (org_id, ids))
                rows = await transaction.fetch(_ARCHIVE, parameters | {"agent_id": agent_id, "ids": ids})
                gone = [row[0] for row in rows]
                await live.leave(gone)
                swept.append(Swept(agent_id, len(gone), await live.finish(), gone))
        return swept

    @repeated
    async def dissolve_mixed_clusters(self, org_id: UUID, limit: int) -> int:
        """Rows of memories are locked in the order of their ids, as everywhere."""
        parameters = {"org_id": org_id, "limit": limit}
        async with self._database.transaction(org_id) as transaction:
            mixed = [row[0] for row in await transaction.fetch(_MIXED, parameters)]
            if mixed:
                await transaction.fetch(_LOCK_MEMORIES, (org_id, mixed))
                await transaction.execute(_LEAVE_CLUSTERS, (org_id, mixed))
            dropped = await transaction.execute(_DROP_MIXED, parameters)
        return len(mixed) or dropped

    @repeated
    async def refresh_clusters(self, org_id: UUID, now: datetime, limit: int) -> int:
        """Refreshes the clusters that were not refreshed for the longest time."""
        parameters = {"org_id": org_id, "now": now, "before": now - REFRESH_AFTER, "limit": limit}
        (stale,) = await self._database.read(org_id, (_STALE_CLUSTERS, parameters))
        if not stale:
            return 0
        ids = [row[0] for row in stale]
        async with self._database.transaction(org_id) as transaction:
            for (agent_id,) in await transaction.fetch(_AGENTS_OF, (org_id, ids)):
                await transaction.fetch(_LOCK_CLUSTERS, (f"clusters {agent_id}",))
            counted = 0
            for (model,) in await transaction.fetch(_MODELS_OF, (org_id, ids)):
                table, of_model = await self._tables.of(model), parameters | {"ids": ids, "model": model}
                counted += await transaction.execute(in_table(_REFRESH_CLUSTERS, table), of_model)
                counted += await transaction.execute(in_table(_DROP_CLUSTERS, table), of_model)
        return counted

    async def forget(self, org_id: UUID, now: datetime, limit: int) -> dict[str, int]:
        """Uses one transaction for each kind of row, so that a failure keeps what was done before it."""
        counts: dict[str, int] = {}
        for name, (statement, kept) in _FORGOTTEN.items():
            async with self._database.transaction(org_id) as transaction:
                parameters = {"org_id": org_id, "before": now - kept, "limit": limit}
                counts[name] = await transaction.execute(statement, parameters)
        counts["turns"] = await removal.forget_texts(self._database, org_id, now, limit)
        counts["conversations"] = await removal.forget_conversations(self._database, org_id, now, limit)
        return counts

    async def _found(self, org_id: UUID, statement: str, parameters: dict[str, Any]) -> list[tuple[UUID, list[UUID]]]:
        """Groups of at most AT_ONCE memories of one agent; empty for a limit of 0."""
        if parameters["limit"] <= 0:
            return []
        (rows,) = await self._database.read(org_id, (statement, parameters))
        by_agent: dict[UUID, list[UUID]] = {}
        for agent_id, memory_id in rows:
            by_agent.setdefault(agent_id, []).append(memory_id)
        return [
            (agent_id, ids[start : start + AT_ONCE])
            for agent_id, ids in by_agent.items()
            for start in range(0, len(ids), AT_ONCE)
        ]

    @repeated
    async def _cool(self, agent_id: UUID, parameters: dict[str, Any]) -> list[Swept]:
        """Announces the change: readers filter by tier, so cached copies are outdated."""
        org_id = parameters["org_id"]
        async with self._database.transaction(org_id) as transaction:
            live = await LiveSet.lock(transaction, org_id, agent_id)
            if live is None:
                return []
            await transaction.fetch(_LOCK_MEMORIES, (org_id, parameters["ids"]))
            cooled = [row[0] for row in await transaction.fetch(_COOL, parameters)]
            await transaction.execute(_COOL_VECTORS, parameters | {"ids": cooled})
            await live.touched(cooled)
            return [Swept(agent_id, len(cooled), await live.finish())]


def _waits(org_id: UUID, now: datetime) -> dict[str, Any]:
    return {
        "org_id": org_id,
        "now": now,
        "first": now - FIRST_WAIT,
        "first_wait": FIRST_WAIT,
        "longest_wait": LONGEST_WAIT,
    }
