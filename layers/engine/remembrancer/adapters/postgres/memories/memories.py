"""Memories for the API: written, read, listed and exported."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.memory_writer import write_memories
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, add_texts
from remembrancer.adapters.postgres.memories.relations import RELATED
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, place, to_memory
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import MemoryVersion
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.memories.stored_memory import MOST_CHAIN, MOST_RELATIONS, MOST_VERSIONS, Relation, StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import QuotaExceeded
from remembrancer.ports.memories import Export, Listing, WriteReport, WriteResult

STORED = f"""
    SELECT {MEMORY_COLUMNS}, m.context, m.metadata, m.embedding_state, m.embedding_error, m.client_ref,
           m.superseded_by, m.updated_at, m.deleted_at, m.deleted_from, m.sealed_context, m.redactions,
           m.provenance
    FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.org_id = %(org_id)s AND m.project_id = %(project_id)s AND m.environment = %(environment)s
      AND (m.status <> 'deleted' OR %(deleted)s)
      AND {conditions.user("m")}"""  # noqa: S608 - constants only

_GET = STORED + " AND m.memory_id = %(memory_id)s"

LIST = (
    STORED
    + """
      AND (%(agent_id)s::uuid IS NULL OR m.agent_id = %(agent_id)s)
      AND (%(category)s::text IS NULL OR m.category = %(category)s)
      AND (%(tag)s::text IS NULL OR %(tag)s = ANY(m.tags))
      AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
      AND (%(status)s::text IS NULL OR m.status = %(status)s)
      AND (%(embedding_state)s::text IS NULL OR m.embedding_state = %(embedding_state)s)
      AND (%(client_ref)s::text IS NULL OR m.client_ref = %(client_ref)s)
      AND (%(pinned)s::boolean IS NULL OR (m.pinned_at IS NOT NULL) = %(pinned)s)
      AND (%(pin_proposed)s::boolean IS NULL
           OR coalesce(m.pinned_at IS NULL AND m.provenance ? 'pin_proposed', false) = %(pin_proposed)s)
      AND (%(forget_proposed)s::boolean IS NULL
           OR coalesce(m.provenance ? 'forget_proposed', false) = %(forget_proposed)s)
      AND (%(after_at)s::timestamptz IS NULL OR (m.created_at, m.memory_id) < (%(after_at)s, %(after_id)s))
    ORDER BY m.created_at DESC, m.memory_id DESC
    LIMIT %(limit)s"""
)
# A separate condition, so that the entries are read first, from their index.
LIST_BY_METADATA = LIST.replace("ORDER BY", f"AND m.memory_id IN ({conditions.WITH_METADATA})\n    ORDER BY")

_CHAIN = f"""
    WITH RECURSIVE older AS (
        SELECT memory_id, 0 AS step FROM memories WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s
        UNION ALL
        SELECT m.memory_id, older.step - 1 FROM memories m JOIN older ON m.superseded_by = older.memory_id
        WHERE m.org_id = %(org_id)s AND older.step > -%(most_chain)s
    ), newer AS (
        SELECT memory_id, superseded_by, 0 AS step FROM memories
        WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s
        UNION ALL
        SELECT m.memory_id, m.superseded_by, newer.step + 1
        FROM memories m JOIN newer ON m.memory_id = newer.superseded_by
        WHERE m.org_id = %(org_id)s AND newer.step < %(most_chain)s
    )
    SELECT s.memory_id, s.step
    FROM (SELECT memory_id, step FROM older UNION SELECT memory_id, step FROM newer) s JOIN memories m USING (memory_id)
    WHERE m.org_id = %(org_id)s AND (m.status <> 'deleted' OR m.memory_id = %(memory_id)s)
      AND {conditions.user("m")}
    ORDER BY s.step, m.created_at, s.memory_id"""  # noqa: S608

_VERSIONS = """
    SELECT version, coalesce(content, ''), summary, context, replaced_at, sealed, sealed_context FROM memory_versions
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s AND (%(before)s::integer IS NULL OR version < %(before)s)
    ORDER BY version DESC LIMIT %(most_versions)s"""

EXPORT = (
    STORED
    + """
      AND (%(agent_id)s::uuid IS NULL OR m.agent_id = %(agent_id)s)
      AND (%(owner)s::text IS NULL OR m.user_id = %(owner)s)
      AND (%(after_at)s::timestamptz IS NULL OR (m.created_at, m.memory_id) > (%(after_at)s, %(after_id)s))
    ORDER BY m.created_at, m.memory_id
    LIMIT %(limit)s"""
)
# The newest texts of each memory, at most a few answers' worth; later ones are for later pages.
_VERSIONS_OF_ALL = """
    SELECT memory_id, version, coalesce(content, ''), summary, context, replaced_at, sealed, sealed_context
    FROM (SELECT *, sum(bytes) OVER (ORDER BY place, version DESC) AS of_all
          FROM (SELECT v.*, chosen.place,
                       sum(v.bytes) OVER (PARTITION BY v.memory_id ORDER BY v.version DESC) AS of_memory
                FROM unnest(%(ids)s::uuid[]) WITH ORDINALITY AS chosen (memory_id, place)
                CROSS JOIN LATERAL (
                    SELECT *, coalesce(octet_length(sealed), 0) + coalesce(octet_length(sealed_context), 0)
                              + coalesce(octet_length(content), 0) + coalesce(octet_length(summary), 0)
                              + coalesce(octet_length(context), 0) AS bytes
                    FROM memory_versions WHERE org_id = %(org_id)s AND memory_id = chosen.memory_id
                    ORDER BY version DESC LIMIT %(most_versions)s) v) sized
          WHERE of_memory <= %(most_bytes)s) fitting
    WHERE of_all <= 4 * %(most_bytes)s
    ORDER BY memory_id, version"""
_RELATIONS_OF_ALL = f"""
    SELECT r.* FROM unnest(%(ids)s::uuid[]) AS chosen (memory_id) CROSS JOIN LATERAL (
        SELECT e.relation_id, e.from_memory_id, e.to_memory_id, e.type, e.confidence
        FROM (SELECT * FROM memory_relations WHERE org_id = %(org_id)s AND from_memory_id = chosen.memory_id
              ORDER BY created_at, relation_id OFFSET 0) e
        -- By their keys, whatever is known of how large the tables are.
        CROSS JOIN LATERAL (
            SELECT status, user_id FROM memories o WHERE o.org_id = %(org_id)s AND o.memory_id = e.to_memory_id
            OFFSET 0) t
        WHERE t.status <> 'deleted' AND {conditions.user("t")}
        ORDER BY e.created_at, e.relation_id LIMIT %(most_relations)s + 1) r"""  # noqa: S608 - constants only
_MOST_BYTES = 1 << 20
"""Bytes of one memory's earlier texts: more than fit into an answer."""


class PostgresMemories:
    """Serves the Memories port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas

    async def write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], *, once: Once | None = None
    ) -> WriteReport:
        """Locks agents in the order of their ids, before any memory, like every writer.

        The organization's count of texts is locked at the end. If there are too many, it is locked again before
        writing, and only as many memories are written as the quota allows.
        """
        try:
            return await self._write(principal, writes, once, is_full=False)
        except QuotaExceeded:
            return await self._write(principal, writes, once, is_full=True)

    @repeated
    async def _write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], once: Once | None, *, is_full: bool
    ) -> WriteReport:
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return WriteReport(_again(claim.before))
            report = await write_memories(transaction, principal, writes, self._quotas if is_full else None)
            accepted = sum(result.status == "accepted" for result in report.results.values())
            await add_texts(transaction, principal.org_id, accepted, self._quotas)
            if any(result.memory_id is not None for result in report.results.values()):
                memories = [write.memory for write in writes.values()]
                claim.keep(
                    {str(place): [str(one.memory_id or ""), one.status] for place, one in report.results.items()},
                    agents=[memory.agent_id for memory in memories],
                    users=[principal.user_id, *(memory.user_id for memory in memories)],
                )
            return report

    async def get(
        self, principal: Principal, memory_id: UUID, *, deleted: bool = False, before: int | None = None
    ) -> StoredMemory | None:
        """One transaction, so that versions and relations match the memory as read."""
        parameters = place(principal) | {
            "memory_id": memory_id,
            "deleted": deleted,
            "before": before,
            "most_versions": MOST_VERSIONS,
            "most_chain": MOST_CHAIN,
            "most_relations": MOST_RELATIONS,
        }
        rows, versions, chain, relations = await self._database.read(
            principal.org_id, (_GET, parameters), (_VERSIONS, parameters), (_CHAIN, parameters), (RELATED, parameters)
        )
        if not rows:
            return None
        return replace(
            to_stored(rows[0]),
            versions=tuple(MemoryVersion(*row) for row in reversed(versions)),
            chain=tuple(row[0] for row in chain),
            relations=tuple(Relation(*row) for row in relations),
        )

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        after_at, after_id = listing.after or (None, None)
        parameters = place(principal) | {
            "deleted": False,
            "agent_id": listing.agent_id,
            "category": listing.category,
            "tag": listing.tag,
            "since": listing.since,
            "status": listing.status,
            "embedding_state": listing.embedding_state,
            "client_ref": listing.client_ref,
            "pinned": listing.pinned,
            "pin_proposed": listing.pin_proposed,
            "forget_proposed": listing.forget_proposed,
            "metadata": Jsonb(dict(listing.metadata)) if listing.metadata else None,
            "after_at": after_at,
            "after_id": after_id,
            "limit": listing.limit,
        }
        statement = LIST_BY_METADATA if listing.metadata else LIST
        (rows,) = await self._database.read(principal.org_id, (statement, parameters))
        return [to_stored(row) for row in rows]

    async def export(self, principal: Principal, export: Export) -> Sequence[StoredMemory]:
        """Two round trips: the memories, then their versions and relations."""
        after_at, after_id = export.after or (None, None)
        parameters = place(principal) | {
            "deleted": False,
            "agent_id": export.agent_id,
            "owner": export.user_id,
            "after_at": after_at,
            "after_id": after_id,
            "limit": export.limit,
        }
        (rows,) = await self._database.read(principal.org_id, (EXPORT, parameters))
        stored = [to_stored(row) for row in rows]
        if not stored:
            return []
        of_these = place(principal) | {
            "ids": [one.memory.id for one in stored],
            "most_versions": MOST_VERSIONS,
            "most_relations": MOST_RELATIONS,
            "most_bytes": _MOST_BYTES,
        }
        version_rows, relation_rows = await self._database.read(
            principal.org_id, (_VERSIONS_OF_ALL, of_these), (_RELATIONS_OF_ALL, of_these)
        )
        versions: dict[UUID, list[MemoryVersion]] = defaultdict(list)
        for memory_id, *fields in version_rows:
            versions[memory_id].append(MemoryVersion(*fields))
        relations: dict[UUID, list[Relation]] = defaultdict(list)
        for row in relation_rows:
            relations[row[1]].append(Relation(*row))
        return [
            replace(one, versions=tuple(versions[one.memory.id]), relations=tuple(relations[one.memory.id]))
            for one in stored
        ]


def _again(answer: Mapping[str, Any]) -> dict[int, WriteResult]:
    """The stored answer of a repeated request."""
    return {
        int(position): WriteResult(UUID(one) if one else None, status) for position, (one, status) in answer.items()
    }


def to_stored(row: Row) -> StoredMemory:
    """The memory from a row selected by STORED."""
    context, metadata, state, error, client_ref, superseded_by, updated_at, *rest = row[MEMORY_WIDTH:]
    memory = to_memory(row)
    return StoredMemory(
        memory=memory,
        context=context,
        metadata=metadata,
        version=memory.version,
        embedding_state=state,
        embedding_error=error,
        client_ref=client_ref,
        superseded_by=superseded_by,
        updated_at=updated_at,
        deleted_at=rest[0],
        deleted_from=rest[1],
        sealed_context=rest[2],
        redactions=rest[3],
        provenance=rest[4],
    )
