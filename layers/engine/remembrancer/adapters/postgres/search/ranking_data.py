"""Data that ranking needs beside the searches: clusters, edges, session and profile in one round trip; rows by ids."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.arrays import Uuids
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, SEEN, seen, to_memories
from remembrancer.adapters.postgres.search.graph import EDGES_AMONG, to_edge
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.retrieval.usage_profile import Profile, together
from remembrancer.ports.search import Circumstances, Live

# Look-ups by keys, the same for every scope: planning takes as long as running them.
_BY_KEYS = {"plan_cache_mode": "force_generic_plan"}

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

    def __init__(self, database: Database, *, statement_ms: int = 2000) -> None:
        self._database = database
        self._statement_ms = statement_ms

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
        asked = {} if scope.agent_id is None else {"change": _CHANGE}
        asked |= {"live": _LIVE, "edges": EDGES_AMONG}
        if session_id is not None:
            asked["sessions"] = _SESSION
        if scope.end_user.name is not None:
            asked["profiles"] = _PROFILE
        statements = [(statement, parameters) for statement in asked.values()]
        answers = await self._database.read(
            scope.org_id, *statements, settings=_BY_KEYS, statement_ms=self._statement_ms
        )
        rows = dict(zip(asked, answers, strict=True))
        return Circumstances(
            live={row[0].int: Live(*row[1:4]) for row in rows["live"]},
            clusters={row[0].int: float(row[4]) for row in rows["live"] if row[4] is not None},
            edges=[to_edge(row) for row in rows["edges"]],
            returned=frozenset(identifier for row in rows.get("sessions", ()) for identifier in row[0]),
            profile=together([Profile(*row) for row in rows.get("profiles", ())]),
            change=next((Change(*row) for row in rows.get("change", ())), None),
        )

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
