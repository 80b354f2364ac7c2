"""Searches the live memories of one scope by vectors and by words."""

from collections.abc import Sequence
from datetime import datetime

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search.lexical_search import MOST_POSTINGS, LexicalSearch
from remembrancer.adapters.postgres.search.vector_search import VectorSearch
from remembrancer.adapters.postgres.search.vector_tables import EXACT_ROWS, VectorTables
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import VectorHits, WordHits


class PostgresSearch:
    """Serves the MemoryIndex port."""

    def __init__(
        self,
        database: Database,
        *,
        model: str,
        tables: VectorTables | None = None,
        exact_rows: int = EXACT_ROWS,
        vector_index: str = "hnsw",
        ef_search: int | None = None,
        statement_ms: int = 2000,
        most_postings: int = MOST_POSTINGS,
    ) -> None:
        """`model` is the one of the vectors of memories that words find, unless `tables` know another that serves."""
        tables = tables or VectorTables()
        self._vectors = VectorSearch(
            database,
            tables,
            exact_rows=exact_rows,
            index=vector_index,
            statement_ms=statement_ms,
            ef_search=ef_search,
        )
        self._words = LexicalSearch(
            database, tables, model=model, statement_ms=statement_ms, most_postings=most_postings
        )

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> VectorHits:
        """Searches only memories whose vectors are of `model`; the number of rows decides between scan and index."""
        return await self._vectors.nearest(scope, vector, filters, model=model, limit=limit, now=now)

    async def matching(
        self,
        scope: Scope,
        query: QueryTerms,
        filters: Filters,
        *,
        limit: int,
        now: datetime,
        names_terms: bool = True,
    ) -> WordHits:
        """Found memories come with their vectors, if these are of the configured model."""
        return await self._words.matching(scope, query, filters, limit=limit, now=now, names_terms=names_terms)

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Reads all terms in one round trip."""
        return await self._words.known(scope, terms)
