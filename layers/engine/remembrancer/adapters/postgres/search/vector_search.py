"""Vector search: exact where that is fast, approximate for larger scopes."""

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.rows import MEMORY_WIDTH, STORED_COLUMNS, StoredRows, together, unpacked
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import VectorHits

COUNT_SECONDS = 10.0
"""Seconds for which a scope's number of vectors is cached."""
_SCOPES = 4096
SMALL_AGENT = 2000
"""Vectors of an agent up to which reading those of other end users, too, takes no longer than planning for one."""

# Of an agent, only the vectors in the first table are counted, but each memory is in the index of words, too.
# Vectors that an end user may read are counted only when the agent has too many, and only up to the limit: by two
# ranges of an index, since for one condition with OR and a limit the planner may read all rows.
SIZE = f"""
    WITH everybody AS MATERIALIZED (
        SELECT coalesce(sum(greatest(vectors, indexed_documents)), 0)::bigint AS vectors
        FROM agents WHERE {conditions.place("agents")})
    SELECT CASE WHEN %(all_users)s::boolean OR vectors <= %(exact_rows)s THEN vectors ELSE (
        SELECT count(*) FROM (
            SELECT 1 FROM memory_vectors f WHERE {conditions.place("f")} AND f.user_id = %(user_id)s::text
            UNION ALL
            SELECT 1 FROM memory_vectors f WHERE {conditions.place("f")} AND f.user_id IS NULL
            LIMIT %(exact_rows)s::bigint + 1) AS own) END, vectors
    FROM everybody"""  # noqa: S608 - constants only


def _nearest(place: str, filters: str) -> str:
    """No index here serves <#>, so this reads exactly the rows of the scope; vectors are unit vectors, so it is
    −cosine.
    """
    # OFFSET 0 forces look-ups row by row: before a new table's first statistics, the planner takes a whole
    # organization for one row, and would read all of it for each.
    return together(
        f"""
    WITH v AS MATERIALIZED (
        SELECT f.memory_id, f.embedding, f.embedding_model, f.embedding <#> %(vector)s AS distance
        FROM memory_vectors f
        WHERE {place} AND f.embedding_model = %(model)s AND {filters}
        ORDER BY f.embedding <#> %(vector)s
        LIMIT %(limit)s)
    SELECT m.*, v.embedding, v.embedding_model, -v.distance AS cosine FROM v CROSS JOIN LATERAL (
        SELECT {STORED_COLUMNS}, document FROM memories o
        WHERE o.org_id = %(org_id)s AND o.memory_id = v.memory_id AND o.status = 'active'
        OFFSET 0) m""",  # noqa: S608 - constants only
        "cosine",
        "document",
    )


EXACT = _nearest(conditions.place("f"), conditions.filters("f"))
EXACT_OF_AGENT = _nearest(conditions.agent("f"), conditions.filters("f", plain=True))
"""For a small agent, planned once for any agent, since planning takes a quarter of the time. It reads the rows of all
end users.
"""
EXACT_OF_AGENT_SETTINGS = {"enable_seqscan": "off"}

# The approximate indexes order by <=>; 1 − it is the cosine.
APPROXIMATE = EXACT.replace("<#>", "<=>").replace("-v.distance", "1 - v.distance")
SETTINGS = {
    "hnsw": {"hnsw.ef_search": "400", "hnsw.iterative_scan": "relaxed_order", "enable_sort": "off"},
    "ivfflat": {"ivfflat.probes": "10", "enable_sort": "off"},
}
"""Settings for one search by each kind of index; without sorting, the planner has to use the index's order."""

# Several agents, hence one index for each partition, most of which have none of the nearest. Each is searched with few
# candidates, and `pool` rows are read in the order of their distance: only indexes with near vectors have to go on.
# Filters apply afterwards: inside, one that few pass would make every index go on. The last ORDER BY is an expression,
# since the planner takes the first, which an index keeps approximately, as exact.
ACROSS = together(
    f"""
    WITH near AS MATERIALIZED (
        SELECT f.*, f.embedding <=> %(vector)s AS distance
        FROM memory_vectors f
        WHERE {conditions.place("f")} AND f.embedding_model = %(model)s
        ORDER BY f.embedding <=> %(vector)s
        LIMIT %(pool)s
    ), v AS MATERIALIZED (
        SELECT f.memory_id, f.embedding, f.embedding_model, f.distance FROM near f WHERE {conditions.filters("f")}
        ORDER BY f.distance + 0
        LIMIT %(limit)s)
    SELECT m.*, v.embedding, v.embedding_model, 1 - v.distance AS cosine FROM v CROSS JOIN LATERAL (
        SELECT {STORED_COLUMNS}, document FROM memories o
        WHERE o.org_id = %(org_id)s AND o.memory_id = v.memory_id AND o.status = 'active'
        OFFSET 0) m""",  # noqa: S608 - constants only
    "cosine",
    "document",
)
ACROSS_SETTINGS = SETTINGS["hnsw"] | {"hnsw.ef_search": "100"}
POOL = 16
"""Rows in the pool for each row of the limit. Measured (docs/adr/0002-vector-search.md)."""
EXACT_ACROSS = 4
"""A search across partitions is exact for this many times as many vectors, since it asks all indexes otherwise."""


class VectorSearch:
    """Exact up to `exact_rows` vectors of the scope, and by an index of the kind `index` (hnsw or ivfflat) above.

    The code chooses, since the planner does not know the number of rows.
    """

    def __init__(
        self,
        database: Database,
        tables: VectorTables,
        *,
        exact_rows: int,
        index: str,
        statement_ms: int,
        ef_search: int | None = None,
    ) -> None:
        """`ef_search`: candidates that HNSW keeps, instead of the value in SETTINGS."""
        self._database = database
        self._tables = tables
        self._exact_rows = exact_rows
        self._index = index
        self._settings = SETTINGS[index] | ({"hnsw.ef_search": str(ef_search)} if ef_search else {})
        self._statement_ms = statement_ms
        self._sizes: OrderedDict[tuple[Scope, str], tuple[float, tuple[int, int]]] = OrderedDict()

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> VectorHits:
        """`short` reports that an index may have missed results."""
        table = await self._tables.of(model)
        exact_rows = self._exact_rows * (EXACT_ACROSS if scope.agent_id is None else 1)
        size, of_all = await self._size(scope, table, exact_rows)
        strategy = "exact" if size <= exact_rows else self._index
        parameters = conditions.parameters(scope, filters, now) | {
            "vector": HalfVector(vector),
            "model": model,
            "limit": limit,
            "pool": POOL * limit,
        }
        if strategy == "exact":
            if of_all <= SMALL_AGENT and _is_agent(scope) and conditions.is_plain(filters):
                of_agent = in_table(EXACT_OF_AGENT, table)
                rows = await self._rows(scope, of_agent, parameters, EXACT_OF_AGENT_SETTINGS, plan_once=True)
            else:
                rows = await self._rows(scope, in_table(EXACT, table), parameters, None)
        elif strategy == "hnsw" and scope.agent_id is None:
            rows = await self._rows(scope, in_table(ACROSS, table), parameters, ACROSS_SETTINGS)
            if len(rows) < min(limit, size):
                # Too few of the pool pass the filters.
                rows = await self._rows(scope, in_table(APPROXIMATE, table), parameters, ACROSS_SETTINGS)
        else:
            rows = await self._rows(scope, in_table(APPROXIMATE, table), parameters, self._settings)
        found = StoredRows.of(rows)
        cosines = np.clip(np.array([row[MEMORY_WIDTH] for row in rows], np.float64), 0.0, 1.0)
        ids = found.ids
        by_id = np.array(sorted(range(len(found)), key=ids.__getitem__), np.intp)
        order = by_id[np.argsort(-cosines[by_id], kind="stable")]
        return VectorHits(
            found.picked(order),
            cosines[order].tolist(),
            strategy,
            short=strategy != "exact" and len(found) < min(limit, size),
            documents=[rows[place][MEMORY_WIDTH + 1] for place in order.tolist()],
        )

    async def _rows(
        self,
        scope: Scope,
        statement: str,
        parameters: dict[str, Any],
        settings: Mapping[str, str] | None,
        *,
        plan_once: bool = False,
    ) -> Sequence[Row]:
        (rows,) = await self._database.read(
            scope.org_id,
            (statement, parameters),
            settings=settings,
            plan_once=plan_once,
            statement_ms=self._statement_ms,
        )
        return unpacked(rows)

    async def _size(self, scope: Scope, table: str, exact_rows: int) -> tuple[int, int]:
        """The number of vectors in the scope, and with those of other end users; possibly a few seconds old: every
        way of searching gives right answers.

        For a scope of one end user, the first number counts those of all if they are no more than `exact_rows`, and
        counting stops above it.
        """
        now = time.monotonic()
        known = self._sizes.get((scope, table))
        if known is None or known[0] < now:
            (rows,) = await self._database.read(
                scope.org_id,
                (in_table(SIZE, table), conditions.of_scope(scope) | {"exact_rows": exact_rows}),
                statement_ms=self._statement_ms,
            )
            known = (now + COUNT_SECONDS, (int(rows[0][0]), int(rows[0][1])))
            self._sizes[scope, table] = known
            if len(self._sizes) > _SCOPES:
                self._sizes.popitem(last=False)
        return known[1]


def _is_agent(scope: Scope) -> bool:
    """Whether the scope is one agent, named without its project."""
    return scope.agent_id is not None and scope.project_id is None and scope.environment is None
