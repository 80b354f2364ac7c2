"""Search by meaning: exact where that is fast, approximate above."""

import time
from collections import OrderedDict
from datetime import datetime

from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memory
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import SearchAnswer

COUNT_SECONDS = 10.0
"""How long a scope's number of vectors is taken for current."""
_SCOPES = 4096

# What an end user may read is counted only where all would be too many, and no further than to know that: by two ranges
# of an index, since for one condition with OR and a limit the planner may prefer to read everybody's.
SIZE = f"""
    WITH everybody AS MATERIALIZED (
        SELECT coalesce(sum(vectors), 0)::bigint AS vectors FROM agents WHERE {conditions.place("agents")})
    SELECT CASE WHEN %(all_users)s::boolean OR vectors <= %(exact_rows)s THEN vectors ELSE (
        SELECT count(*) FROM (
            SELECT 1 FROM memory_vectors f WHERE {conditions.place("f")} AND f.user_id = %(user_id)s::text
            UNION ALL
            SELECT 1 FROM memory_vectors f WHERE {conditions.place("f")} AND f.user_id IS NULL
            LIMIT %(exact_rows)s::bigint + 1) AS own) END
    FROM everybody"""  # noqa: S608 - constants only

# <#> is served by no index here, so this reads exactly the rows of the scope; vectors are unit, so it is −cosine.
# With OFFSET 0 rows are looked up one by one: before a new table's first statistics, the planner takes a whole
# organization for one row, and would read all of it for each.
EXACT = f"""
    WITH v AS MATERIALIZED (
        SELECT f.memory_id, f.embedding, f.embedding_model, f.embedding <#> %(vector)s AS distance
        FROM memory_vectors f
        WHERE {conditions.place("f")} AND f.embedding_model = %(model)s AND {conditions.filters("f")}
        ORDER BY f.embedding <#> %(vector)s
        LIMIT %(limit)s)
    SELECT {MEMORY_COLUMNS}, -v.distance FROM v CROSS JOIN LATERAL (
        SELECT * FROM memories o WHERE o.org_id = %(org_id)s AND o.memory_id = v.memory_id AND o.status = 'active'
        OFFSET 0) m"""  # noqa: S608

# <=> is what the approximate indexes order by; 1 − it is the cosine.
APPROXIMATE = EXACT.replace("<#>", "<=>").replace("-v.distance", "1 - v.distance")
SETTINGS = {
    "hnsw": {"hnsw.ef_search": "400", "hnsw.iterative_scan": "relaxed_order", "enable_sort": "off"},
    "ivfflat": {"ivfflat.probes": "10", "enable_sort": "off"},
}
"""For one search by each kind of index; without sorting, the planner has no way but the index's own order."""


class VectorSearch:
    """Exact up to `exact_rows` vectors of the scope, and by an index of the kind `index` (hnsw or ivfflat) above.

    The code chooses, since the planner does not know how many there are.
    """

    def __init__(
        self, database: Database, *, exact_rows: int, index: str, statement_ms: int, ef_search: int | None = None
    ) -> None:
        """`ef_search`: candidates that HNSW keeps, where not as in SETTINGS."""
        self._database = database
        self._exact_rows = exact_rows
        self._index = index
        self._settings = SETTINGS[index] | ({"hnsw.ef_search": str(ef_search)} if ef_search else {})
        self._statement_ms = statement_ms
        self._sizes: OrderedDict[Scope, tuple[float, int]] = OrderedDict()

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """`short` says that an index may have missed some."""
        size = await self._size(scope)
        strategy = "exact" if size <= self._exact_rows else self._index
        parameters = conditions.parameters(scope, filters, now) | {
            "vector": HalfVector(vector),
            "model": model,
            "limit": limit,
        }
        (rows,) = await self._database.read(
            scope.org_id,
            (EXACT if strategy == "exact" else APPROXIMATE, parameters),
            settings=None if strategy == "exact" else self._settings,
            statement_ms=self._statement_ms,
        )
        found = [(min(max(float(row[MEMORY_WIDTH]), 0.0), 1.0), to_memory(row)) for row in rows]
        # By number: a UUID compares in Python.
        found.sort(key=lambda pair: (-pair[0], pair[1].id.int))
        short = strategy != "exact" and len(found) < min(limit, size)
        return SearchAnswer([memory for _, memory in found], [cosine for cosine, _ in found], strategy, short)

    async def _size(self, scope: Scope) -> int:
        """Vectors of the scope, which may be a few seconds old: every arm gives a right answer.

        Beyond `exact_rows` it is only that, beyond, for a scope of one end user.
        """
        now = time.monotonic()
        known = self._sizes.get(scope)
        if known is None or known[0] < now:
            (rows,) = await self._database.read(
                scope.org_id,
                (SIZE, conditions.of_scope(scope) | {"exact_rows": self._exact_rows}),
                statement_ms=self._statement_ms,
            )
            known = (now + COUNT_SECONDS, int(rows[0][0]))
            self._sizes[scope] = known
            if len(self._sizes) > _SCOPES:
                self._sizes.popitem(last=False)
        return known[1]
