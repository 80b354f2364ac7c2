"""Reads an agent's memories in pages for memory maps, and memories by their ids."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memories
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.vector_tables import Serving, VectorTables, in_table
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.lexical_index.postings import unpack_terms
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.memory_map.rows import MapPostings, MapRows
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.ports.search import Cursor, MapPage

_CHANGE = "SELECT version, removals FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"
_LIVE = "SELECT count(*) FROM memories WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND status = 'active'"

# Counts up to the limit only: an agent may have a hundred times as many.
_SIZE = """
    SELECT count(*) FROM (
        SELECT 1 FROM memories WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND status = 'active'
        LIMIT %(most)s) AS counted"""

_PAGE_IDS = """
    SELECT m.memory_id FROM memories m
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s
      AND (m.change, m.memory_id) > (%(change)s::bigint, %(memory_id)s::uuid)
      AND (m.status = 'active' OR m.change > %(since)s)
    ORDER BY m.change, m.memory_id LIMIT %(limit)s"""

# Vectors and words as raw bytes: decoding single numbers would take most of the time.
_PAGE = f"""
    WITH page AS MATERIALIZED ({_PAGE_IDS})
    SELECT {MEMORY_COLUMNS}, halfvec_send(w.embedding), t.document, t.content_words, t.context_words, t.terms,
           m.change
    FROM page JOIN memories m USING (memory_id)
    LEFT JOIN memory_vectors w ON w.agent_id = %(agent_id)s AND w.memory_id = m.memory_id
         AND w.embedding_model = %(model)s
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, w.embedding_model) v ON true
    LEFT JOIN term_documents t ON t.org_id = %(org_id)s AND t.agent_id = %(agent_id)s AND t.document = m.document
    WHERE m.org_id = %(org_id)s
    ORDER BY m.change, m.memory_id"""  # noqa: S608 - constants only

# Counted with the last page only.
_LIVE_AT_THE_END = f"""
    SELECT CASE WHEN (SELECT count(*) FROM ({_PAGE_IDS}) AS page) < %(limit)s THEN ({_LIVE}) END"""  # noqa: S608

_ROWS = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    LEFT JOIN memory_vectors v ON v.agent_id = %(agent_id)s AND v.memory_id = m.memory_id
         AND v.embedding_model = %(model)s
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.memory_id = ANY(%(ids)s)
      AND m.status = 'active'"""  # noqa: S608

_PINNED = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.pinned_at IS NOT NULL
      AND coalesce(m.user_id, '') = ANY(%(owners)s::text[]) AND m.status = 'active'
      AND {conditions.user("m")}"""  # noqa: S608 - constants only


class PostgresMapSource:
    """Serves the MapSource port: vectors of one model, or of the one that serves the organization."""

    def __init__(
        self,
        database: Database,
        tables: VectorTables | None = None,
        *,
        model: str,
        dimensions: int,
        serving: Serving | None = None,
    ) -> None:
        self._database = database
        self._tables = tables or VectorTables()
        self._space = VectorSpace(model, dimensions)
        self._serving = serving

    async def change(self, org_id: UUID, agent_id: UUID) -> Change | None:
        """The change counters in the agent's row; None when there is no such agent."""
        (rows,) = await self._database.read(org_id, (_CHANGE, {"org_id": org_id, "agent_id": agent_id}))
        return Change(*rows[0]) if rows else None

    async def size(self, org_id: UUID, agent_id: UUID, *, most: int) -> int:
        """The number of memories, counted up to `most`."""
        parameters = {"org_id": org_id, "agent_id": agent_id, "most": most}
        (rows,) = await self._database.read(org_id, (_SIZE, parameters))
        return int(rows[0][0])

    async def page(self, org_id: UUID, agent_id: UUID, after: Cursor, *, since: int, limit: int) -> MapPage | None:
        """One round trip. Each statement sees rows committed before it began, so the counters are read first."""
        agent = {"org_id": org_id, "agent_id": agent_id}
        bounds = agent | {"since": since, "limit": limit, "change": after.change, "memory_id": after.memory_id}
        space, table = await self._space_of(org_id)
        changes, rows, live = await self._database.read(
            org_id,
            (_CHANGE, agent),
            (in_table(_PAGE, table), bounds | {"model": space.model}),
            (_LIVE_AT_THE_END, bounds),
        )
        if not changes:
            return None
        following = Cursor(rows[-1][-1], rows[-1][0]) if len(rows) == limit else None
        return MapPage(Change(*changes[0]), _rows(rows, space), following, live[0][0])

    async def rows(self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID]) -> Sequence[Memory]:
        """In no particular order; ids of other agents are left out."""
        space, table = await self._space_of(org_id)
        parameters = {"org_id": org_id, "agent_id": agent_id, "ids": list(memory_ids), "model": space.model}
        (rows,) = await self._database.read(org_id, (in_table(_ROWS, table), parameters))
        return to_memories(rows)

    async def pinned(self, org_id: UUID, agent_id: UUID, end_user: EndUser) -> Pins | None:
        """One round trip; the counters are read first, so the rows are never older."""
        parameters = {"org_id": org_id, "agent_id": agent_id} | conditions.of_end_user(end_user)
        counters, rows = await self._database.read(org_id, (_CHANGE, parameters), (_PINNED, parameters))
        return Pins(Change(*counters[0]), to_memories(rows)) if counters else None

    async def _space_of(self, org_id: UUID) -> tuple[VectorSpace, str]:
        """The space that serves the organization, and its table."""
        space = self._space if self._serving is None else await self._serving(org_id)
        return space, await self._tables.of(space.model)


def _rows(rows: Sequence[Row], space: VectorSpace) -> MapRows:
    vectors = np.zeros((len(rows), space.dimensions), np.float32)
    embedded = np.array([row[MEMORY_WIDTH] is not None for row in rows], bool)
    if embedded.any():
        # Format: a header of two 16-bit numbers, then the elements, all big-endian.
        sent = b"".join(row[MEMORY_WIDTH][4:] for row in rows if row[MEMORY_WIDTH] is not None)
        vectors[embedded] = np.frombuffer(sent, ">f2").reshape(-1, space.dimensions)
    documents, content_words, context_words = (
        [row[MEMORY_WIDTH + column] or 0 for row in rows] for column in (1, 2, 3)
    )
    place, terms = unpack_terms([row[MEMORY_WIDTH + 4] or b"" for row in rows])
    return MapRows(
        memories=to_memories(rows),
        vectors=vectors,
        embedded=embedded,
        documents=np.array(documents, np.int32),
        content_words=np.array(content_words, np.uint16),
        context_words=np.array(context_words, np.uint16),
        postings=MapPostings(
            terms["term"].astype(np.int64), place.astype(np.int32), terms["content"], terms["context"]
        ),
        model=space.model,
    )
