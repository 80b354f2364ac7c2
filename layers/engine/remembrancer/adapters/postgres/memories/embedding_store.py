"""Memories that need a vector, storing the vectors, and the moment from which those of another model serve."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memories, to_memory
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.adapters.postgres.search.vector_tables import FIRST, VectorTables, in_table
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.ports.memories import PendingMemory, ServingVectors, StoredVectors
from remembrancer.ports.upkeep import Swept

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=1)
MOST_REQUEUES = 10
"""The delays add up to five hours: by then an outage is over, or operators know of it."""
KEPT = timedelta(days=1)
"""How long an organization's vectors of the model before stay, for instances that still embed by it and for a
deployment that goes back.
"""
LOOKED_FOR = timedelta(days=1)
FAILED_SHARE = 0.01
"""Share of the memories that may have failed often when the new vectors begin to serve: words find those."""

_PENDING = f"""
    SELECT {MEMORY_COLUMNS}, m.project_id, m.environment, m.context, m.sealed_context, m.context_version,
           m.embedding_model
    FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.org_id = %s AND m.memory_id = ANY(%s) AND m.status = 'active'
      AND (m.embedding_state <> 'ready' OR m.embedding_model IS DISTINCT FROM %s)"""  # noqa: S608 - constants only

# A vector of an older text never overwrites a newer one; a vector stored by another worker meanwhile stays.
_STORE = """
    INSERT INTO memory_vectors (
        memory_id, org_id, project_id, environment, agent_id, user_id, category, source, tier, tags, confidence,
        created_at, valid_from, expires_at, occurred_from, occurred_to, embedding_model, embedding)
    SELECT memory_id, org_id, project_id, environment, agent_id, user_id, category, source, tier, tags, confidence,
           created_at, valid_from, expires_at, occurred_from, occurred_to, %(of)s, given.embedding
    FROM unnest(%(ids)s::uuid[], %(versions)s::integer[], %(context_versions)s::integer[], %(embeddings)s::halfvec[])
         AS given (memory_id, version, context_version, embedding)
    JOIN memories USING (memory_id, version, context_version)
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND status = 'active'
      AND (embedding_state <> 'ready' OR embedding_model IS DISTINCT FROM %(model)s)
    ORDER BY memory_id
    ON CONFLICT (agent_id, memory_id) DO UPDATE
        SET embedding = EXCLUDED.embedding, embedding_model = EXCLUDED.embedding_model
    RETURNING memory_id"""
_HAVE = "SELECT count(*) FROM memory_vectors WHERE org_id = %s AND agent_id = %s AND memory_id = ANY(%s)"
# Results of comparing the old vector with others do not hold for the new one.
_READY = """
    UPDATE memories SET embedding_state = 'ready', embedding_model = %(model)s, embedding_error = NULL, requeues = 0,
                        queued_at = now(), cluster_id = NULL
    WHERE org_id = %(org_id)s AND memory_id = ANY(%(stored)s)"""

_EMBEDDED = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
    WHERE m.org_id = %s AND v.agent_id = %s AND m.memory_id = ANY(%s)"""  # noqa: S608

_FAIL = """
    UPDATE memories SET embedding_state = 'failed', embedding_error = %s
    WHERE org_id = %s AND memory_id = ANY(%s) AND embedding_state = 'pending'"""

_CHANGE = "SELECT version, removals FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"
# The same order as domain.hot_score, which recomputes the scores.
_HOT = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.status = 'active'
      AND (m.expires_at IS NULL OR m.expires_at > %(now)s) AND (m.valid_from IS NULL OR m.valid_from <= %(now)s)
      AND (m.occurred_to IS NULL OR m.category = 'episodic' OR m.occurred_to > %(now)s)
    ORDER BY 0.40 * m.confidence
             + 0.35 / (1 + greatest(extract(epoch FROM %(now)s - m.created_at), 0) / 86400)
             + 0.25 * least(m.retrieval_count / 10.0, 1) DESC
    LIMIT %(limit)s"""  # noqa: S608

# Locked in a fixed order, so that two workers never deadlock.
_LOCK_MEMORIES = "SELECT 1 FROM memories WHERE org_id = %s AND memory_id = ANY(%s) ORDER BY memory_id FOR UPDATE"


_Embedded = tuple[PendingMemory, NDArray[np.float32]]

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


class PostgresEmbeddingStore:
    """Serves the EmbeddingStore port."""

    def __init__(self, database: Database, tables: VectorTables | None = None) -> None:
        self._database = database
        self._tables = tables or VectorTables()

    async def pending(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[PendingMemory]:
        """Includes failed rows: their message was sent again."""
        (rows,) = await self._database.read(org_id, (_PENDING, (org_id, list(memory_ids), model)))
        return [PendingMemory(to_memory(row), *row[MEMORY_WIDTH:]) for row in rows]

    async def store(
        self,
        org_id: UUID,
        memories: Sequence[PendingMemory],
        vectors: NDArray[np.float32],
        model: str,
        *,
        serving: ServingVectors | None = None,
    ) -> StoredVectors:
        """One transaction for each agent, since writers of one agent are serialized."""
        table = await self._tables.require(VectorSpace(model, vectors.shape[1]))
        target = _Target(model, table, serving, table if serving is None else await self._tables.of(serving.model))
        stored: list[Memory] = []
        changes: dict[UUID, Change] = {}
        for agent_id in sorted({pending.memory.agent_id for pending in memories}):
            chosen = [
                (pending, vector)
                for pending, vector in zip(memories, vectors, strict=True)
                if pending.memory.agent_id == agent_id
            ]
            # All transactions lock rows in the order of their ids, which prevents deadlocks.
            chosen.sort(key=lambda pair: pair[0].memory.id)
            if (done := await self._store_agent(org_id, agent_id, chosen, target)) is not None:
                stored += done[0]
                changes[agent_id] = done[1]
        return StoredVectors(stored, changes)

    @repeated
    async def _store_agent(
        self, org_id: UUID, agent_id: UUID, chosen: Sequence[_Embedded], target: "_Target"
    ) -> tuple[list[Memory], Change] | None:
        async with self._database.transaction(org_id) as transaction:
            live = await LiveSet.lock(transaction, org_id, agent_id)
            if live is None:
                return None
            stored = await _store(transaction, live, org_id, agent_id, chosen, target)
            return stored, await live.finish()

    @repeated
    async def fail(self, org_id: UUID, memory_ids: Sequence[UUID], reason: str) -> None:
        async with self._database.transaction(org_id) as transaction:
            await transaction.fetch(_LOCK_MEMORIES, (org_id, list(memory_ids)))
            await transaction.execute(_FAIL, (reason, org_id, list(memory_ids)))

    async def hot_candidates(
        self, org_id: UUID, agent_id: UUID, now: datetime, limit: int
    ) -> tuple[Change, Sequence[Memory]]:
        """By hot score, highest first; counters are read before the rows, so the rows are never older than the
        counters.
        """
        parameters = {"org_id": org_id, "agent_id": agent_id, "now": now, "limit": limit}
        _, table = await self._tables.serving(org_id, "")
        counters, rows = await self._database.read(org_id, (_CHANGE, parameters), (in_table(_HOT, table), parameters))
        return Change(*counters[0]) if counters else Change(0, 0), to_memories(rows)

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


@dataclass(frozen=True, slots=True)
class _Target:
    """Where vectors of `model` go, and those of the model that serves meanwhile, if it is another."""

    model: str
    table: str
    serving: ServingVectors | None
    serving_table: str

    def visible(self, stored: Sequence[UUID]) -> list[UUID]:
        """Those of the memories for which readers find a new vector."""
        return [memory_id for memory_id in stored if self.serving is None or memory_id in self.serving.vectors]


async def _store(
    transaction: Transaction, live: LiveSet, org_id: UUID, agent_id: UUID, chosen: Sequence[_Embedded], target: _Target
) -> list[Memory]:
    """Stores vectors for the rows' current state, which may differ from the state that was embedded."""
    ids, serving = [pending.memory.id for pending, _ in chosen], target.serving
    place = {"org_id": org_id, "agent_id": agent_id, "model": target.model}
    await transaction.fetch(_LOCK_MEMORIES, (org_id, ids))
    before = (await transaction.fetch(_HAVE, (org_id, agent_id, ids)))[0][0]
    if serving is not None:
        own = [
            (pending, serving.vectors[pending.memory.id])
            for pending, _ in chosen
            if pending.memory.id in serving.vectors
        ]
        of_serving = place | _columns(own) | {"of": serving.model}
        await transaction.fetch(in_table(_STORE, target.serving_table), of_serving)
    rows = await transaction.fetch(in_table(_STORE, target.table), place | _columns(chosen) | {"of": target.model})
    stored = [row[0] for row in rows]
    await transaction.execute(_READY, place | {"stored": stored})
    after = (await transaction.fetch(_HAVE, (org_id, agent_id, ids)))[0][0]
    visible = target.visible(stored)
    await live.embedded(visible, new=after - before)
    found = await transaction.fetch(in_table(_EMBEDDED, target.serving_table), (org_id, agent_id, visible))
    return to_memories(found)


def _columns(chosen: Sequence[_Embedded]) -> dict[str, object]:
    return {
        "ids": [pending.memory.id for pending, _ in chosen],
        "versions": [pending.memory.version for pending, _ in chosen],
        "context_versions": [pending.context_version for pending, _ in chosen],
        "embeddings": [HalfVector(vector) for _, vector in chosen],
    }


async def _commonest(transaction: Transaction, parameters: dict[str, Any]) -> str | None:
    """The model of most of the vectors."""
    rows = await transaction.fetch(_COMMONEST, parameters)
    return str(rows[0][0]) if rows else None


def _parameters(org_id: UUID, model: str) -> dict[str, Any]:
    return {"org_id": org_id, "model": model, "often": MOST_REQUEUES}
