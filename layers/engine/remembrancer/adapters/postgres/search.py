"""Cold search: vectors and words, over live memories of one scope."""

import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from remembrancer.adapters.postgres.database import Database
from remembrancer.adapters.postgres.exchange import Row
from remembrancer.adapters.postgres.rows import MEMORY_COLUMNS, MEMORY_WIDTH, to_memory
from remembrancer.domain import lexical
from remembrancer.domain.memory import Vector
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope
from remembrancer.ports.search import Matched, SearchAnswer, Similar

COUNT_SECONDS = 10.0
"""How long an agent's number of vectors is taken for current."""
_AGENTS = 4096

# Conditions on a row of `memory_vectors` or `memories` under the alias f; the two share these columns.
# confidence is single precision: 0.7 stored is less than 0.7 in double.
_FILTERS = """
    f.confidence >= %(min_confidence)s::real
    AND (f.expires_at IS NULL OR f.expires_at > %(now)s)
    AND (%(user_id)s::text IS NULL OR f.user_id IS NULL OR f.user_id = %(user_id)s)
    AND (%(categories)s::text[] IS NULL OR f.category = ANY(%(categories)s))
    AND (%(sources)s::text[] IS NULL OR f.source = ANY(%(sources)s))
    AND (%(tiers)s::text[] IS NULL OR f.tier = ANY(%(tiers)s))
    AND (%(tags)s::text[] IS NULL OR f.tags && %(tags)s)
    AND (%(since)s::timestamptz IS NULL OR f.created_at >= %(since)s)
    AND (%(until)s::timestamptz IS NULL OR f.created_at < %(until)s)"""

_PROJECT = """(%(project_id)s::text IS NULL OR f.project_id = %(project_id)s)
          AND (%(environment)s::text IS NULL OR f.environment = %(environment)s)"""

_VECTORS_OF_AGENT = "SELECT vectors FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"

# <#> is served by no index here, so this reads exactly the rows of the scope; vectors are unit, so it is −cosine.
_EXACT = f"""
    WITH v AS MATERIALIZED (
        SELECT f.memory_id, f.embedding, f.embedding_model, f.embedding <#> %(vector)s AS distance
        FROM memory_vectors f
        WHERE f.org_id = %(org_id)s AND {_PROJECT}
          AND (%(agent_id)s::uuid IS NULL OR f.agent_id = %(agent_id)s)
          AND f.embedding_model = %(model)s AND {_FILTERS}
        ORDER BY f.embedding <#> %(vector)s
        LIMIT %(limit)s)
    SELECT {MEMORY_COLUMNS}, -v.distance FROM v JOIN memories m USING (memory_id)
    WHERE m.org_id = %(org_id)s AND m.status = 'active'"""  # noqa: S608 - constants only

# <=> is what the HNSW index orders by; 1 − it is the cosine.
_APPROXIMATE = _EXACT.replace("<#>", "<=>").replace("-v.distance", "1 - v.distance")
_APPROXIMATE_SETTINGS = {"hnsw.ef_search": "400", "hnsw.iterative_scan": "relaxed_order", "enable_sort": "off"}

_COLLECTION = """
    SELECT coalesce(sum(indexed_documents), 0)::bigint, coalesce(sum(indexed_words), 0)::bigint FROM agents
    WHERE org_id = %(org_id)s AND (%(agent_id)s::uuid IS NULL OR agent_id = %(agent_id)s)
      AND (%(project_id)s::text IS NULL OR project_id = %(project_id)s)
      AND (%(environment)s::text IS NULL OR environment = %(environment)s)"""

_POSTINGS = f"""
    SELECT t.term, t.memory_id, t.content_frequency, t.context_frequency, f.indexed_words, ({_FILTERS})
    FROM memory_terms t JOIN memories f USING (memory_id)
    WHERE t.org_id = %(org_id)s AND (%(agent_id)s::uuid IS NULL OR t.agent_id = %(agent_id)s)
      AND t.term = ANY(%(terms)s)
      AND f.org_id = %(org_id)s AND {_PROJECT}"""  # noqa: S608

_BY_ID = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    LEFT JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
         AND v.embedding_model = %(model)s
         -- Names the partition, which the join alone does not.
         AND (%(agent_id)s::uuid IS NULL OR v.agent_id = %(agent_id)s)
    WHERE m.org_id = %(org_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active'"""  # noqa: S608


class PostgresSearch:
    """Serves the MemorySearch port.

    Vector search is exact up to `exact_rows` vectors of an agent and HNSW with iterative scan above; the code chooses,
    since the planner knows neither.
    """

    def __init__(self, database: Database, *, model: str, exact_rows: int = 5000, statement_ms: int = 2000) -> None:
        self._database = database
        self._model = model
        self._exact_rows = exact_rows
        self._statement_ms = statement_ms
        self._vectors: OrderedDict[UUID, tuple[float, int]] = OrderedDict()

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """A scope of more than one agent is searched exactly."""
        parameters = _parameters(scope, filters, now) | {
            "vector": HalfVector(vector),
            "model": model,
            "limit": limit,
        }
        exact = await self._is_exact(scope)
        (rows,) = await self._database.read(
            scope.org_id,
            (_EXACT if exact else _APPROXIMATE, parameters),
            settings=None if exact else _APPROXIMATE_SETTINGS,
            statement_ms=self._statement_ms,
        )
        found = [Similar(to_memory(row), min(max(float(row[MEMORY_WIDTH]), 0.0), 1.0)) for row in rows]
        found.sort(key=lambda similar: (-similar.similarity, similar.memory.id))
        return SearchAnswer(found, "exact" if exact else "hnsw")

    async def matching(
        self, scope: Scope, terms: Sequence[int], filters: Filters, *, limit: int, now: datetime
    ) -> Sequence[Matched]:
        """BM25 in numpy over the postings of the query's terms."""
        if not terms:
            return []
        parameters = _parameters(scope, filters, now) | {"terms": list(terms)}
        totals, rows = await self._database.read(
            scope.org_id, (_COLLECTION, parameters), (_POSTINGS, parameters), statement_ms=self._statement_ms
        )
        if not rows:
            return []
        identifiers, postings = _to_postings(rows, *totals[0])
        scores = lexical.bm25(postings, terms)
        best = _best(scores.score, identifiers, limit)
        by_id = {
            "org_id": scope.org_id,
            "agent_id": scope.agent_id,
            "ids": [identifiers[document] for document in best],
            "model": self._model,
        }
        # Memories that ended between the two reads are not in the second.
        (stored,) = await self._database.read(scope.org_id, (_BY_ID, by_id), statement_ms=self._statement_ms)
        memories = {row[0]: to_memory(row) for row in stored}
        matched_terms = _terms_by_document(postings)
        return [
            Matched(
                memories[identifiers[document]], float(scores.score[document]) / scores.ideal, matched_terms[document]
            )
            for document in best
            if identifiers[document] in memories
        ]

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


def _parameters(scope: Scope, filters: Filters, now: datetime) -> dict[str, Any]:
    return {
        "org_id": scope.org_id,
        "project_id": scope.project_id,
        "environment": scope.environment,
        "agent_id": scope.agent_id,
        "user_id": scope.user_id,
        "now": now,
        "min_confidence": filters.min_confidence,
        "categories": list(filters.categories) or None,
        "sources": list(filters.sources) or None,
        "tiers": list(filters.tiers) or None,
        "tags": list(filters.tags) or None,
        "since": filters.since,
        "until": filters.until,
    }


def _to_postings(rows: Sequence[Row], documents: int, words: int) -> tuple[list[UUID], lexical.Postings]:
    numbers: dict[UUID, int] = {}
    document = [numbers.setdefault(row[1], len(numbers)) for row in rows]
    length = np.zeros(len(numbers))
    eligible = np.zeros(len(numbers), dtype=bool)
    length[document] = [row[4] for row in rows]
    eligible[document] = [row[5] for row in rows]
    columns = [np.array([row[column] for row in rows], dtype=np.int64) for column in (0, 2, 3)]
    postings = lexical.Postings(
        term=columns[0],
        document=np.array(document, dtype=np.int64),
        content_frequency=columns[1],
        context_frequency=columns[2],
        length=length,
        eligible=eligible,
        documents=int(documents),
        mean_length=words / max(documents, 1),
    )
    return list(numbers), postings


def _best(score: np.ndarray[Any, np.dtype[np.float64]], identifiers: Sequence[UUID], limit: int) -> list[int]:
    matched = np.flatnonzero(score > 0).tolist()
    return sorted(matched, key=lambda document: (-score[document], identifiers[document]))[:limit]


def _terms_by_document(postings: lexical.Postings) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = {}
    for term, document in zip(postings.term.tolist(), postings.document.tolist(), strict=True):
        found.setdefault(document, []).append(term)
    return {document: tuple(terms) for document, terms in found.items()}
