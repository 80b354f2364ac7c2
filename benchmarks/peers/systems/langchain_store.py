"""LangChain's store in Postgres, hybrid, with reciprocal rank fusion."""

from typing import Any
from uuid import NAMESPACE_OID, uuid5

from langchain_core.embeddings import Embeddings
from langchain_postgres import Column, PGEngine, PGVectorStore
from langchain_postgres.v2.hybrid_search_config import HybridSearchConfig, reciprocal_rank_fusion
from langchain_postgres.v2.indexes import DistanceStrategy, HNSWIndex, HNSWQueryOptions
from sqlalchemy.exc import ProgrammingError

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("langchain-postgres", "langchain-core", "sqlalchemy", "psycopg")
SETTINGS = (
    "`PGVectorStore`, hybrid with reciprocal rank fusion (40 candidates of each search, a tsvector column with a "
    "GIN index), HNSW (m 16, ef_construction 64, ef_search 40) with cosine distance, the agent as a column, "
    "asynchronous pool of SQLAlchemy"
)
STORED = "SELECT count(*) FROM memories WHERE owner = %s"
OTHERS = """
    INSERT INTO memories (langchain_id, content, embedding, content_tsv, owner, ref)
    SELECT gen_random_uuid(), content, embedding, to_tsvector('pg_catalog.english', content), owner, ref FROM others"""
_TABLE = "memories"
_CANDIDATES = 40


class LangChainEmbedder(Embeddings):  # type: ignore[misc]
    """The packaged model with the methods that LangChain calls."""

    def __init__(self, embedder: WaitingEmbedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of texts."""
        return self._embedder.vectors(texts)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embedder.vector(text)

    async def aembed_query(self, text: str) -> list[float]:
        """At once: another thread would only add its start."""
        return self._embedder.vector(text)


class LangChain:
    """A `PGVectorStore` with the owner as a column of its table."""

    def __init__(self, url: str, embedder: WaitingEmbedder) -> None:
        self._url, self._embedder = url, LangChainEmbedder(embedder)
        self._engine: Any = None
        self._store: Any = None

    async def open(self) -> None:
        """Makes the table and both indexes, unless the table is there."""
        self._engine = PGEngine.from_connection_string(self._url.replace("postgresql://", "postgresql+psycopg://"))
        try:
            await self._engine.ainit_vectorstore_table(
                _TABLE,
                384,
                metadata_columns=[Column("owner", "TEXT"), Column("ref", "TEXT")],
                hybrid_search_config=_hybrid(""),
            )
        except ProgrammingError:  # it is there
            self._store = await self._connected()
        else:
            self._store = await self._connected()
            await self._store.aapply_vector_index(
                HNSWIndex(m=16, ef_construction=64, distance_strategy=DistanceStrategy.COSINE_DISTANCE)
            )
            await self._store.aapply_hybrid_search_index()

    async def _connected(self) -> Any:
        return await PGVectorStore.create(
            self._engine,
            self._embedder,
            _TABLE,
            metadata_columns=["owner", "ref"],
            hybrid_search_config=_hybrid(""),
            index_query_options=HNSWQueryOptions(ef_search=_CANDIDATES),
        )

    async def add(self, owner: str, memories: Memories) -> None:
        """One call; the store inserts row by row."""
        await self._store.aadd_texts(
            [text for _, text in memories],
            metadatas=[{"owner": owner, "ref": ref} for ref, _ in memories],
            ids=[str(uuid5(NAMESPACE_OID, f"{owner}/{ref}")) for ref, _ in memories],
        )

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """A configuration for each question: the store keeps the first question's words in a shared one."""
        found = await self._store.asimilarity_search(
            question, k=limit, filter={"owner": owner}, hybrid_search_config=_hybrid(question)
        )
        return [one.metadata["ref"] for one in found]

    async def close(self) -> None:
        """Closes the pool."""
        await self._engine.close()


def _hybrid(question: str) -> Any:
    return HybridSearchConfig(
        tsv_column="content_tsv",
        fts_query=question,
        fusion_function=reciprocal_rank_fusion,
        primary_top_k=_CANDIDATES,
        secondary_top_k=_CANDIDATES,
    )


def connect(url: str, embedder: WaitingEmbedder) -> LangChain:
    """As in `benchmarks.peers.system`."""
    return LangChain(url, embedder)
