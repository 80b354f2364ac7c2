"""Pages of memories with their versions and relations, in the order of creation."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.memories import STORED, to_stored
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import MemoryVersion
from remembrancer.domain.memories.stored_memory import MOST_RELATIONS, MOST_VERSIONS, Relation, StoredMemory
from remembrancer.ports.memories import Export

PAGE = (
    STORED
    + """
      AND (%(agent_id)s::uuid IS NULL OR m.agent_id = %(agent_id)s)
      AND (%(owner)s::text IS NULL OR m.user_id = %(owner)s)
      AND (%(after_at)s::timestamptz IS NULL OR (m.created_at, m.memory_id) > (%(after_at)s, %(after_id)s))
    ORDER BY m.created_at, m.memory_id
    LIMIT %(limit)s"""
)
# The newest texts of each memory, at most a few answers' worth; later ones are for later pages.
_VERSIONS = """
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
_RELATIONS = f"""
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


class PostgresExports:
    """Serves the Exports port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, principal: Principal, export: Export) -> Sequence[StoredMemory]:
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
        (rows,) = await self._database.read(principal.org_id, (PAGE, parameters))
        stored = [to_stored(row) for row in rows]
        if not stored:
            return []
        of_these = place(principal) | {
            "ids": [record.memory.id for record in stored],
            "most_versions": MOST_VERSIONS,
            "most_relations": MOST_RELATIONS,
            "most_bytes": _MOST_BYTES,
        }
        version_rows, relation_rows = await self._database.read(
            principal.org_id, (_VERSIONS, of_these), (_RELATIONS, of_these)
        )
        versions: dict[UUID, list[MemoryVersion]] = defaultdict(list)
        for memory_id, *fields in version_rows:
            versions[memory_id].append(MemoryVersion(*fields))
        relations: dict[UUID, list[Relation]] = defaultdict(list)
        for row in relation_rows:
            relations[row[1]].append(Relation(*row))
        return [
            replace(record, versions=tuple(versions[record.memory.id]), relations=tuple(relations[record.memory.id]))
            for record in stored
        ]
