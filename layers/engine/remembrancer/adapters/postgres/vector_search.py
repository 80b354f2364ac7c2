"""Search by meaning: exact where that is fast, approximate above."""

import time
from collections import OrderedDict
from datetime import datetime
from uuid import UUID

from pgvector import HalfVector

from remembrancer.adapters.postgres import conditions
from remembrancer.adapters.postgres.database import Database
from remembrancer.adapters.postgres.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memory
from remembrancer.domain.memory import Vector
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope
from remembrancer.ports.search import SearchAnswer, Similar

COUNT_SECONDS = 10.0
"""How long an agent's number of vectors is taken for current."""
_AGENTS = 4096

_VECTORS_OF_AGENT = "SELECT vectors FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"

# <#> is served by no index here, so this reads exactly the rows of the scope; vectors are unit, so it is −cosine.
EXACT = f"""
    WITH v AS MATERIALIZED (
        SELECT f.memory_id, f.embedding, f.embedding_model, f.embedding <#> %(vector)s AS distance
        FROM memory_vectors f
        WHERE {conditions.place("f")} AND f.embedding_model = %(model)s AND {conditions.filters("f")}
        ORDER BY f.embedding <#> %(vector)s
        LIMIT %(limit)s)
    SELECT {MEMORY_COLUMNS}, -v.distance FROM v JOIN memories m USING (memory_id)
    WHERE m.org_id = %(org_id)s AND m.status = 'active'"""  # noqa: S608 - constants only

# <=> is what the HNSW index orders by; 1 − it is the cosine.
APPROXIMATE = EXACT.replace("<#>", "<=>").replace("-v.distance", "1 - v.distance")
APPROXIMATE_SETTINGS = {"hnsw.ef_search": "400", "hnsw.iterative_scan": "relaxed_order", "enable_sort": "off"}


class VectorSearch:
    """Exact up to `exact_rows` vectors of an agent and HNSW with iterative scan above.

    The code chooses, since the planner knows neither.
    """

    def __init__(self, database: Database, *, exact_rows: int, statement_ms: int) -> None:
        self._database = database
        self._exact_rows = exact_rows
        self._statement_ms = statement_ms
        self._vectors: OrderedDict[UUID, tuple[float, int]] = OrderedDict()

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """A scope of more than one agent is searched exactly."""
        parameters = conditions.parameters(scope, filters, now) | {
            "vector": HalfVector(vector),
            "model": model,
            "limit": limit,
        }
        exact = await self._is_exact(scope)
        (rows,) = await self._database.read(
            scope.org_id,
            (EXACT if exact else APPROXIMATE, parameters),
            settings=None if exact else APPROXIMATE_SETTINGS,
            statement_ms=self._statement_ms,
        )
        found = [Similar(to_memory(row), min(max(float(row[MEMORY_WIDTH]), 0.0), 1.0)) for row in rows]
        found.sort(key=lambda similar: (-similar.similarity, similar.memory.id))
        return SearchAnswer(found, "exact" if exact else "hnsw")

    async def _is_exact(self, scope: Scope) -> bool:
        """By the agent's number of vectors, which may be a few seconds old: either arm gives a right answer."""
        if scope.agent_id is None:
            return True
        now = time.monotonic()
        known = self._vectors.get(scope.agent_id)
        if known is None or known[0] < now:
            parameters = {"org_id": scope.org_id, "agent_id": scope.agent_id}
            (rows,) = await self._database.read(scope.org_id, (_VECTORS_OF_AGENT, parameters))
            known = (now + COUNT_SECONDS, rows[0][0] if rows else 0)
            self._vectors[scope.agent_id] = known
            if len(self._vectors) > _AGENTS:
                self._vectors.popitem(last=False)
        return known[1] <= self._exact_rows
