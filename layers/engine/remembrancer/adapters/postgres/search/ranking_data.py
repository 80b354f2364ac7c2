"""Data that ranking needs beside the searches: clusters, edges, session and profile in one round trip; rows by ids;
neighbours.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.arrays import Uuids
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Parameters, Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, NEVER, SEEN, record, seen, to_memories
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.graph import EDGES_AMONG, EDGES_OF_AGENT, NEIGHBOURS, to_edge, to_neighbour
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.memory_map import packed_rows
from remembrancer.domain.ranking.ranking_data import NO_CLUSTER, AgentRankingData
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.usage_profile import Profile, together
from remembrancer.ports.search import MOST_EDGES, Circumstances, Live, Neighbour, RequestHistory

_LIVE = f"""
    SELECT m.memory_id, m.version, m.usage_count, m.last_accessed_at, 1 - (c.centroid <=> %(vector)s::halfvec)
    FROM memories m
    LEFT JOIN memory_clusters c
         ON c.cluster_id = m.cluster_id AND c.org_id = m.org_id AND c.embedding_model = %(model)s
         AND c.owner = coalesce(m.user_id, '')
    WHERE m.memory_id = ANY(%(ids)s) AND {SEEN}"""  # noqa: S608 - constants only

_CHANGE = "SELECT version, removals FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"

# The scope's agents, where it names no agent.
_AGENTS = """
    (%(agent_id)s::uuid IS NULL OR agent_id = %(agent_id)s)
    AND agent_id IN (SELECT agent_id FROM agents WHERE org_id = %(org_id)s
                     AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
                     AND (%(environment)s::text IS NULL OR environment = %(environment)s))"""

_SESSION = f"""
    SELECT returned FROM sessions
    WHERE org_id = %(org_id)s AND session_id = %(session_id)s AND user_id IS NOT DISTINCT FROM %(user_id)s::text
      AND {_AGENTS}"""  # noqa: S608

_PROFILE = f"""
    SELECT updated_at, categories, tags, users FROM profiles
    WHERE org_id = %(org_id)s AND user_id = %(user_id)s AND {_AGENTS}"""  # noqa: S608

# In one row and as records: a row for each memory would take ten times as long to load.
_USED = record({"memory_id": "V16", "usage_count": ">i8", "last_accessed_at": ">i8", "cluster_id": "V16"})
_USE_OF_AGENT = """
    SELECT string_agg(record_send(ROW(
               memory_id, usage_count, coalesce(last_accessed_at, '-infinity'),
               coalesce(cluster_id, '00000000-0000-0000-0000-000000000000'))), '')
    FROM (SELECT m.memory_id, m.usage_count, m.last_accessed_at, c.cluster_id FROM memories m
          LEFT JOIN memory_clusters c
               ON c.cluster_id = m.cluster_id AND c.org_id = m.org_id AND c.embedding_model = %(model)s
               AND c.owner = coalesce(m.user_id, '')
          WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.status = 'active'
          LIMIT %(most)s + 1) AS used"""
_CENTROIDS = f"""
    SELECT cluster_id, halfvec_send(centroid) FROM memory_clusters
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND embedding_model = %(model)s
    LIMIT {MOST_EDGES} + 1"""  # noqa: S608
_EPOCH_MICROSECONDS = 946_684_800_000_000
"""From 1970, which the domain counts from, to 2000, which the server does."""

_ROWS = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.memory_id = ANY(%(ids)s) AND {SEEN}"""  # noqa: S608

# Every write raises its agent's version; a memory that becomes valid causes no write.
_STATE = f"""
    SELECT hashtextextended(
        coalesce(string_agg(concat_ws(' ', agent_id, version, newest.valid_from), ',' ORDER BY agent_id), ''), 0)
    FROM agents CROSS JOIN LATERAL (
        SELECT extract(epoch FROM max(m.valid_from)) AS valid_from FROM memories m
        WHERE m.org_id = agents.org_id AND m.agent_id = agents.agent_id AND m.status = 'active'
          AND m.valid_from <= %(now)s) AS newest
    WHERE org_id = %(org_id)s AND {_AGENTS}"""  # noqa: S608


class PostgresRecall:
    """Serves the RecallStore port."""

    def __init__(self, database: Database, tables: VectorTables | None = None, *, statement_ms: int = 2000) -> None:
        self._database = database
        self._tables = tables or VectorTables()
        self._statement_ms = statement_ms

    async def neighbours(
        self, scope: Scope, memory_ids: Sequence[UUID], *, model: str, limit: int, now: datetime
    ) -> Sequence[Neighbour]:
        """One statement, for any number of memories."""
        parameters = seen(scope, now) | {"ids": list(memory_ids), "limit": limit, "model": model}
        statement = in_table(NEIGHBOURS, await self._tables.of(model))
        (rows,) = await self._database.read(scope.org_id, (statement, parameters), statement_ms=self._statement_ms)
        return [to_neighbour(row) for row in rows]

    async def circumstances(
        self,
        scope: Scope,
        memory_ids: Sequence[UUID],
        *,
        vector: Vector | None,
        model: str,
        session_id: str | None,
        now: datetime,
    ) -> Circumstances:
        """Statements about an agent, a session or an end user run only where one is named.

        The agent's state is read first, so the other rows are never older than it.
        """
        parameters = seen(scope, now) | {
            "ids": Uuids(memory_ids),
            "vector": None if vector is None else HalfVector(vector),
            "model": model,
            "session_id": session_id,
        }
        asked, history = {"live": _LIVE, "edges": EDGES_AMONG}, _history(scope, session_id)
        rows = await self._read(scope.org_id, history | asked, parameters)
        known = _known(rows)
        return Circumstances(
            live={row[0].int: Live(*row[1:4]) for row in rows["live"]},
            clusters={row[0].int: float(row[4]) for row in rows["live"] if row[4] is not None},
            edges=[to_edge(row) for row in rows["edges"]],
            returned=known.returned,
            profile=known.profile,
            change=known.change,
        )

    async def history(self, scope: Scope, *, session_id: str | None) -> RequestHistory:
        """Statements about an agent, a session or an end user run only where one is named."""
        parameters = conditions.of_scope(scope) | {"session_id": session_id}
        return _known(await self._read(scope.org_id, _history(scope, session_id), parameters))

    async def ranking_data(self, org_id: UUID, agent_id: UUID, *, model: str, most: int) -> AgentRankingData | None:
        """The agent's state is read first, so the rest is never older than it."""
        parameters = {"org_id": org_id, "agent_id": agent_id, "model": model, "most": most}
        asked = {"change": _CHANGE, "use": _USE_OF_AGENT, "centroids": _CENTROIDS, "edges": EDGES_OF_AGENT}
        rows = await self._read(org_id, asked, parameters, plan_once=False)
        used = np.frombuffer(rows["use"][0][0] or b"", _USED)
        if not rows["change"] or len(used) > most or max(len(rows["centroids"]), len(rows["edges"])) > MOST_EDGES:
            return None
        accessed = used["last_accessed_at"].astype(np.int64)
        never = accessed == NEVER
        accessed += _EPOCH_MICROSECONDS
        accessed[never] = packed_rows.NEVER
        numbers = {row[0].bytes: number for number, row in enumerate(rows["centroids"])}
        # A header of two 16-bit numbers, then the elements, all big-endian.
        centroids = [np.frombuffer(row[1][4:], ">f2") for row in rows["centroids"]]
        return AgentRankingData(
            change=Change(*rows["change"][0]),
            model=model,
            ids=list(map(int.from_bytes, used["memory_id"].tolist())),
            use=UseCounts(used["usage_count"].astype(np.int64), accessed),
            clusters=np.array([numbers.get(one, NO_CLUSTER) for one in used["cluster_id"].tolist()], np.int32),
            centroids=np.array(centroids, np.float16),
            edges=[to_edge(row) for row in rows["edges"]],
        )

    async def _read(
        self,
        org_id: UUID,
        asked: Mapping[str, str],
        parameters: Parameters,
        *,
        plan_once: bool = True,
    ) -> dict[str, list[Row]]:
        """The rows of each of these statements; most are look-ups by keys, whose planning takes as long as they do."""
        statements = [(statement, parameters) for statement in asked.values()]
        answers = await self._database.read(org_id, *statements, plan_once=plan_once, statement_ms=self._statement_ms)
        return dict(zip(asked, answers, strict=True))

    async def rows(self, scope: Scope, memory_ids: Sequence[UUID], *, now: datetime) -> tuple[Sequence[Memory], int]:
        """Rows and state as of one moment."""
        parameters = seen(scope, now) | {"ids": list(memory_ids)}
        rows, state = await self._database.read(
            scope.org_id, (_ROWS, parameters), (_STATE, parameters), statement_ms=self._statement_ms
        )
        return to_memories(rows), state[0][0]

    async def state(self, scope: Scope, *, now: datetime) -> int:
        """A hash over the versions of the scope's agents, and over the latest start of validity."""
        (rows,) = await self._database.read(scope.org_id, (_STATE, seen(scope, now)), statement_ms=self._statement_ms)
        state: int = rows[0][0]
        return state


def _history(scope: Scope, session_id: str | None) -> dict[str, str]:
    """The statements of `RequestHistory`, the agent's state first."""
    asked = {} if scope.agent_id is None else {"change": _CHANGE}
    if session_id is not None:
        asked["sessions"] = _SESSION
    if scope.end_user.name is not None:
        asked["profiles"] = _PROFILE
    return asked


def _known(rows: Mapping[str, Sequence[Row]]) -> RequestHistory:
    return RequestHistory(
        returned=frozenset(identifier for row in rows.get("sessions", ()) for identifier in row[0]),
        profile=together([Profile(*row) for row in rows.get("profiles", ())]),
        change=next((Change(*row) for row in rows.get("change", ())), None),
    )
