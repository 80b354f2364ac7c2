"""Memories with vectors of another model than the deployment's, and the moment from which its vectors serve."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.search.vector_tables import FIRST, VectorTables, in_table
from remembrancer.adapters.postgres.upkeep.backlog import FIRST_WAIT, LONGEST_WAIT, MOST_REQUEUES
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.upkeep import Swept

KEPT = timedelta(days=1)
"""How long an organization's vectors of the model before stay, for instances that still embed by it and for a
deployment that goes back.
"""
LOOKED_FOR = timedelta(days=1)
FAILED_SHARE = 0.01
"""Share of the memories that may have failed often when the new vectors begin to serve: words find those."""

_OTHER = "status = 'active' AND embedding_state IN ('ready', 'pending') AND embedding_model <> %(model)s"
# Never given up: the old vectors serve. The array is computed once, as for lost memories.
_OUTDATED = f"""
    UPDATE memories SET queued_at = %(now)s, requeues = least(requeues + 1, %(often)s) WHERE memory_id = ANY(ARRAY(
        SELECT memory_id FROM memories
        WHERE org_id = %(org_id)s AND {_OTHER} AND (requeues = 0 OR queued_at <
              %(now)s::timestamptz - least(%(first_wait)s * 2 ^ requeues, %(longest_wait)s))
        LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
    RETURNING memory_id"""  # noqa: S608 - constants only
_DEPLOYED = "SELECT 1 FROM embedding_models WHERE model = %(model)s AND wanted_at > %(after)s"
_PROGRESS = f"""
    SELECT count(*) FILTER (WHERE {_OTHER} AND requeues < %(often)s), count(*) FILTER (WHERE {_OTHER}), count(*)
    FROM memories WHERE org_id = %(org_id)s AND status = 'active'"""  # noqa: S608
_MODEL = "SELECT embedding_model FROM organizations WHERE org_id = %(org_id)s FOR NO KEY UPDATE"
_COMMONEST = """
    SELECT embedding_model FROM memories
    WHERE org_id = %(org_id)s AND status = 'active' AND embedding_state = 'ready' AND embedding_model IS NOT NULL
    GROUP BY embedding_model ORDER BY count(*) DESC, embedding_model LIMIT 1"""
_SERVE = """
    UPDATE organizations SET embedding_model = %(model)s, embedding_model_since = %(now)s WHERE org_id = %(org_id)s"""
_LOCK_AGENTS = "SELECT 1 FROM agents WHERE org_id = %(org_id)s ORDER BY agent_id FOR NO KEY UPDATE"
# As a removal: caches hold vectors of the model before.
_RAISE = """
    UPDATE agents SET version = version + 1, removals = removals + 1 WHERE org_id = %(org_id)s
    RETURNING agent_id, version, removals"""
# Older code does not know this table: what it took out of what is searched is still in there.
_DROP_INACTIVE = """
    DELETE FROM memory_vectors v WHERE v.org_id = %(org_id)s AND NOT EXISTS (
        SELECT FROM memories m WHERE m.memory_id = v.memory_id AND m.status = 'active')"""
_RETIRED = """
    SELECT 1 FROM organizations
    WHERE org_id = %(org_id)s AND embedding_model = %(model)s AND embedding_model_since < %(before)s"""
_RETIRE = """
    WITH gone AS (
        DELETE FROM memory_vectors WHERE org_id = %(org_id)s AND memory_id = ANY(ARRAY(
            SELECT memory_id FROM memory_vectors WHERE org_id = %(org_id)s LIMIT %(limit)s))
        RETURNING agent_id)
    SELECT agent_id, count(*) FROM gone GROUP BY agent_id ORDER BY agent_id"""
_UNCOUNT = """
    UPDATE agents SET vectors = greatest(vectors - %(gone)s, 0) WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"""


class PostgresModelChange:
    """Serves the ModelChange port."""

    def __init__(self, database: Database, tables: VectorTables) -> None:
        self._database = database
        self._tables = tables

    @repeated
    async def outdated(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        """The first time at once, then as lost messages; skips rows that are locked."""
        parameters = _parameters(org_id, model) | {
            "now": now,
            "limit": limit,
            "first_wait": FIRST_WAIT,
            "longest_wait": LONGEST_WAIT,
        }
        async with self._database.transaction(org_id) as transaction:
            return [row[0] for row in await transaction.fetch(_OUTDATED, parameters)]

    async def stragglers(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        """Looks for a day after a deployment: no index helps, and nothing else embeds by another model."""
        parameters = {"model": model, "after": now - LOOKED_FOR}
        (recent,) = await self._database.read(org_id, (_DEPLOYED, parameters))
        return await self.outdated(org_id, model, now, limit) if recent else ()

    @repeated
    async def serve(self, org_id: UUID, model: str, now: datetime) -> Sequence[Swept] | None:
        """Locks the organization's row, so that only one run does it, and all agents in the order of their ids."""
        parameters = _parameters(org_id, model) | {"now": now}
        table = await self._tables.of(model)
        async with self._database.transaction(org_id) as transaction:
            rows = await transaction.fetch(_MODEL, parameters)
            if not rows or rows[0][0] == model:
                return None
            if rows[0][0] is None and (known := await _commonest(transaction, parameters)) not in {None, model}:
                await transaction.execute(_SERVE, parameters | {"model": known})
                return None
            waiting, other, active = (await transaction.fetch(_PROGRESS, parameters))[0]
            if waiting or other > FAILED_SHARE * active:
                return None
            if rows[0][0] is None:
                await transaction.execute(_SERVE, parameters)
                return None
            await transaction.fetch(_LOCK_AGENTS, parameters)
            if table != FIRST:
                await transaction.execute(in_table(_DROP_INACTIVE, table), parameters)
            raised = await transaction.fetch(_RAISE, parameters)
            await transaction.execute(_SERVE, parameters)
        return [Swept(agent_id, 0, Change(version, removals)) for agent_id, version, removals in raised]

    async def retire(self, org_id: UUID, model: str, now: datetime, limit: int) -> int:
        """Rows of other models' tables; the others keep the table of the model."""
        parameters = _parameters(org_id, model) | {"before": now - KEPT, "limit": limit}
        (kept_long_enough,) = await self._database.read(org_id, (_RETIRED, parameters))
        if not kept_long_enough:
            return 0
        own = await self._tables.of(model)
        retired = 0
        for _, table in await self._tables.all():
            if table != own:
                retired += await self._empty(org_id, table, parameters)
        return retired

    @repeated
    async def _empty(self, org_id: UUID, table: str, parameters: dict[str, Any]) -> int:
        async with self._database.transaction(org_id) as transaction:
            gone = await transaction.fetch(in_table(_RETIRE, table), parameters)
            if table == FIRST:
                for agent_id, number in gone:
                    await transaction.execute(_UNCOUNT, {"org_id": org_id, "agent_id": agent_id, "gone": number})
        return sum(number for _, number in gone)


async def _commonest(transaction: Transaction, parameters: dict[str, Any]) -> str | None:
    """The model of most of the vectors."""
    rows = await transaction.fetch(_COMMONEST, parameters)
    return str(rows[0][0]) if rows else None


def _parameters(org_id: UUID, model: str) -> dict[str, Any]:
    return {"org_id": org_id, "model": model, "often": MOST_REQUEUES}
