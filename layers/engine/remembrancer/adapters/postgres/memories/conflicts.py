"""Possible conflicts: found among new vectors, listed, settled."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories.consolidation import (
    INDEXED_SETTINGS,
    LOCK_MEMORIES,
    ROWS,
    PostgresConsolidation,
)
from remembrancer.adapters.postgres.memories.idempotent_requests import RequestClaim, claimed
from remembrancer.adapters.postgres.memories.memories import STORED, to_stored
from remembrancer.adapters.postgres.memories.rows import place, to_memory
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.adapters.postgres.search.vector_tables import in_table
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.ports.memories import (
    ConflictPage,
    Flagged,
    FoundConflict,
    NearMemory,
    PossibleConflict,
    Settled,
    Settlement,
)

MOST_NEAR = 8
"""Most memories that one new memory is compared with."""
NEAR = 0.45
"""The least cosine of two memories that are compared: below it, few pairs of the labelled set are about one thing."""

_LIVE = """
    (v.valid_from IS NULL OR v.valid_from <= now()) AND (v.expires_at IS NULL OR v.expires_at > now())
    AND (v.occurred_to IS NULL OR v.category = 'episodic' OR v.occurred_to > now())"""

_NEW = """
    SELECT m.memory_id, m.agent_id, greatest(a.vectors, a.indexed_documents)
    FROM memories m JOIN agents a ON a.agent_id = m.agent_id
    WHERE m.org_id = %(org_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active' AND m.cluster_id IS NULL
      AND m.embedding_state = 'ready' AND m.embedding_model = %(model)s"""
# The operator decides whether the index is used, as for near-duplicates.
_NEAR = f"""
    SELECT n.memory_id, o.memory_id, o.similarity
    FROM memory_vectors n
    CROSS JOIN LATERAL (
        SELECT v.memory_id, 1 - (v.embedding <=> n.embedding) AS similarity FROM memory_vectors v
        WHERE v.org_id = %(org_id)s AND v.agent_id = %(agent_id)s AND v.embedding_model = %(model)s
          AND v.user_id IS NOT DISTINCT FROM n.user_id AND v.memory_id <> n.memory_id AND {_LIVE}
        ORDER BY v.embedding {{operator}} n.embedding LIMIT %(most)s) o
    WHERE n.org_id = %(org_id)s AND n.agent_id = %(agent_id)s AND n.memory_id = ANY(%(ids)s)
      AND n.embedding_model = %(model)s AND {_LIVE.replace("v.", "n.")} AND o.similarity > %(near)s"""  # noqa: S608
_EXACT, _INDEXED = _NEAR.format(operator="<#>"), _NEAR.format(operator="<=>")
# Only texts that are still those that were compared; what a caller settled stays settled.
_FLAG = """
    INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence, differs_in)
    SELECT pair.relation_id, %(org_id)s, newer.memory_id, older.memory_id, 'may_contradict',
           least(pair.confidence, 1), pair.differs_in
    FROM unnest(%(relations)s::uuid[], %(newer)s::uuid[], %(newer_versions)s::integer[], %(older)s::uuid[],
                %(older_versions)s::integer[], %(confidences)s::real[], %(differences)s::text[])
         AS pair (relation_id, newer_id, newer_version, older_id, older_version, confidence, differs_in)
    JOIN memories newer ON newer.org_id = %(org_id)s AND newer.memory_id = pair.newer_id AND newer.status = 'active'
         AND newer.version = pair.newer_version
    JOIN memories older ON older.org_id = %(org_id)s AND older.memory_id = pair.older_id AND older.status = 'active'
         AND older.version = pair.older_version
    WHERE NOT EXISTS (
        SELECT FROM memory_relations known
        WHERE known.org_id = %(org_id)s AND known.type = ANY('{may_contradict,compatible}')
          AND ((known.from_memory_id = pair.newer_id AND known.to_memory_id = pair.older_id)
               OR (known.from_memory_id = pair.older_id AND known.to_memory_id = pair.newer_id)))
    ON CONFLICT (from_memory_id, to_memory_id, type) DO NOTHING
    RETURNING from_memory_id, to_memory_id"""


def _pairs(chosen: str) -> str:
    """Conflicts of memories under the alias m, with the older memory under o; both are active and visible."""
    return f"""
    SELECT r.relation_id, m.memory_id, o.memory_id, r.differs_in, r.confidence, r.created_at, m.agent_id, m.user_id,
           m.valid_from IS NULL OR m.valid_from <= now(), o.valid_from IS NULL OR o.valid_from <= now()
    FROM memory_relations r
    JOIN memories m ON m.org_id = %(org_id)s AND m.memory_id IN (r.from_memory_id, r.to_memory_id)
    JOIN memories o ON o.org_id = %(org_id)s AND o.memory_id IN (r.from_memory_id, r.to_memory_id)
    WHERE r.org_id = %(org_id)s AND r.type = 'may_contradict' AND {chosen}
      AND m.project_id = %(project_id)s AND m.environment = %(environment)s
      AND (o.created_at, r.from_memory_id = o.memory_id) < (m.created_at, r.from_memory_id = m.memory_id)
      AND o.agent_id = m.agent_id AND o.user_id IS NOT DISTINCT FROM m.user_id
      AND m.status = 'active' AND o.status = 'active' AND {conditions.user("m")}"""  # noqa: S608 - constants only


# From the rows of the agent's memories that are in a conflict, which have an index.
_LIST = f"""
    SELECT found.* FROM (
        SELECT memory_id FROM memories
        WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND contradicts IS NOT NULL OFFSET 0) newer
    CROSS JOIN LATERAL ({_pairs("(r.from_memory_id = newer.memory_id OR r.to_memory_id = newer.memory_id)")}
        AND m.memory_id = newer.memory_id OFFSET 0
    ) AS found (conflict_id, newer_id, older_id, differs_in, confidence, found_at)
    WHERE %(after_at)s::timestamptz IS NULL OR (found_at, conflict_id) < (%(after_at)s, %(after_id)s)
    ORDER BY found_at DESC, conflict_id DESC LIMIT %(limit)s"""  # noqa: S608
_ONE = _pairs("r.relation_id = %(conflict_id)s")
_MEMORIES = STORED + " AND m.memory_id = ANY(%(ids)s)"

_SUPERSEDE = """
    UPDATE memories SET status = 'superseded', superseded_by = %(keep)s, updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND memory_id = %(gone)s"""
_COMPATIBLE = """
    UPDATE memory_relations SET type = 'compatible' WHERE org_id = %(org_id)s AND relation_id = %(conflict_id)s
      AND NOT EXISTS (SELECT FROM memory_relations same WHERE same.org_id = %(org_id)s AND same.type = 'compatible'
                      AND same.from_memory_id = memory_relations.from_memory_id
                      AND same.to_memory_id = memory_relations.to_memory_id)"""
_FORGET = """
    DELETE FROM memory_relations
    WHERE org_id = %(org_id)s AND type = 'may_contradict'
      AND from_memory_id = ANY(%(ends)s) AND to_memory_id = ANY(%(ends)s)"""


class PostgresConflicts(PostgresConsolidation):
    """Serves the Conflicts port."""

    async def near(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[NearMemory]:
        parameters = {"org_id": org_id, "ids": list(memory_ids), "model": model}
        (rows,) = await self._database.read(org_id, (_NEW, parameters))
        by_agent: dict[tuple[UUID, int], list[UUID]] = {}
        for memory_id, agent_id, vectors in rows:
            by_agent.setdefault((agent_id, vectors), []).append(memory_id)
        table = await self._tables.of(model)
        pairs: list[tuple[UUID, UUID, float]] = []
        for (agent_id, vectors), ids in sorted(by_agent.items()):
            exact = vectors <= self._exact_rows
            asked = parameters | {"agent_id": agent_id, "ids": ids, "near": NEAR, "most": MOST_NEAR}
            statement = in_table(_EXACT if exact else _INDEXED, table)
            (found,) = await self._database.read(org_id, (statement, asked), settings={} if exact else INDEXED_SETTINGS)
            pairs += [(row[0], row[1], row[2]) for row in found]
        if not pairs:
            return []
        ends = sorted({memory_id for pair in pairs for memory_id in pair[:2]})
        (rows,) = await self._database.read(org_id, (ROWS, {"org_id": org_id, "ids": ends}))
        memories = {row[0]: to_memory(row) for row in rows}
        return [
            NearMemory(memories[new], memories[other], similarity)
            for new, other, similarity in pairs
            if new in memories and other in memories
        ]

    async def flag(self, org_id: UUID, found: Sequence[FoundConflict]) -> Sequence[Flagged]:
        """One transaction for each agent, since writers of one agent are serialized."""
        by_agent: dict[UUID, list[FoundConflict]] = {}
        for conflict in found:
            by_agent.setdefault(conflict.newer.agent_id, []).append(conflict)
        flagged = [await self._flag_agent(org_id, agent_id, those) for agent_id, those in sorted(by_agent.items())]
        return [agent for agent in flagged if agent is not None]

    @repeated
    async def _flag_agent(self, org_id: UUID, agent_id: UUID, found: Sequence[FoundConflict]) -> Flagged | None:
        async with self._database.transaction(org_id) as transaction:
            live = await LiveSet.lock(transaction, org_id, agent_id)
            if live is None:
                return None
            ends = await self._flag(transaction, org_id, found)
            changed = await live.marked(ends) if ends else []
            return Flagged(agent_id, changed, await live.finish()) if changed else None

    async def _flag(self, transaction: Transaction, org_id: UUID, conflicts: Sequence[FoundConflict]) -> list[UUID]:
        ends = sorted({end for conflict in conflicts for end in (conflict.newer.id, conflict.older.id)})
        await transaction.fetch(LOCK_MEMORIES, (org_id, ends))
        parameters = {
            "org_id": org_id,
            "relations": [uuid4() for _ in conflicts],
            "newer": [conflict.newer.id for conflict in conflicts],
            "newer_versions": [conflict.newer.version for conflict in conflicts],
            "older": [conflict.older.id for conflict in conflicts],
            "older_versions": [conflict.older.version for conflict in conflicts],
            "confidences": [conflict.similarity for conflict in conflicts],
            "differences": [conflict.differs_in for conflict in conflicts],
        }
        return [end for row in await transaction.fetch(_FLAG, parameters) for end in row]

    async def list(
        self, principal: Principal, page: ConflictPage
    ) -> tuple[Sequence[PossibleConflict], Mapping[UUID, StoredMemory]]:
        """Two round trips: the conflicts, then their memories."""
        after_at, after_id = page.after or (None, None)
        parameters = place(principal) | {
            "agent_id": page.agent_id,
            "after_at": after_at,
            "after_id": after_id,
            "limit": page.limit,
        }
        (rows,) = await self._database.read(principal.org_id, (_LIST, parameters))
        found = [_to_conflict(row) for row in rows]
        if not found:
            return [], {}
        ids = sorted({end for conflict in found for end in (conflict.newer, conflict.older)})
        (rows,) = await self._database.read(
            principal.org_id, (_MEMORIES, place(principal) | {"ids": ids, "deleted": False})
        )
        memories = {row[0]: to_stored(row) for row in rows}
        return [conflict for conflict in found if conflict.newer in memories and conflict.older in memories], memories

    @repeated
    async def settle(
        self, principal: Principal, conflict_id: UUID, settlement: Settlement, *, once: Once | None = None
    ) -> Settled:
        """Locks the agent before the rows, like every writer, then reads the conflict again."""
        parameters = place(principal) | {"conflict_id": conflict_id}
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return _again(claim.before)
            rows = await transaction.fetch(_ONE, parameters)
            live = await LiveSet.lock(transaction, principal.org_id, rows[0][6]) if rows else None
            rows = await transaction.fetch(_ONE, parameters) if live is not None else []
            if live is None or not rows:
                return Settled("not_found")
            _, newer, older, _, _, _, agent_id, owner, newer_is_valid, older_is_valid = rows[0]
            principal.require_change(owner)
            keep = newer if settlement.keeps_newer else settlement.keep
            if keep is None:
                changed = await _keep_both(transaction, parameters, live, [newer, older])
                return await _conclude(claim, live, Settled("done", (newer, older), None, agent_id), owner, changed)
            if keep not in {newer, older}:
                return Settled("not_of_it")
            if not (newer_is_valid if keep == newer else older_is_valid):
                return Settled("not_valid_yet")
            gone = older if keep == newer else newer
            await transaction.fetch(LOCK_MEMORIES, (principal.org_id, [newer, older]))
            await transaction.execute(_SUPERSEDE, {"org_id": principal.org_id, "keep": keep, "gone": gone})
            await live.leave([gone])
            await live.took_over([(gone, keep)])
            return await _conclude(claim, live, Settled("done", (keep,), gone, agent_id), owner, [gone])


async def _keep_both(
    transaction: Transaction, parameters: Mapping[str, Any], live: LiveSet, ends: Sequence[UUID]
) -> Sequence[UUID]:
    """The relation becomes `compatible`, so that the two are not flagged again."""
    await transaction.execute(_COMPATIBLE, parameters)
    await transaction.execute(_FORGET, {"org_id": parameters["org_id"], "ends": list(ends)})
    return await live.marked(ends)


async def _conclude(
    claim: RequestClaim, live: LiveSet, settled: Settled, owner: str | None, changed: Sequence[UUID]
) -> Settled:
    assert settled.agent_id is not None
    answer = {
        "kept": [str(memory_id) for memory_id in settled.kept],
        "superseded": None if settled.superseded is None else str(settled.superseded),
    }
    claim.keep(answer, agents=[settled.agent_id], users=[owner])
    change: Change = await live.finish()
    return Settled("done", settled.kept, settled.superseded, settled.agent_id, change)


def _again(answer: Mapping[str, Any]) -> Settled:
    """The stored answer of a repeated request."""
    gone = answer["superseded"]
    return Settled("again", tuple(map(UUID, answer["kept"])), UUID(gone) if gone else None)


def _to_conflict(row: Sequence[Any]) -> PossibleConflict:
    return PossibleConflict(row[0], row[1], row[2], row[3], round(row[4], 6), row[5])
