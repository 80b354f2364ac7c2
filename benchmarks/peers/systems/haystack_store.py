"""Haystack's store in Postgres: its retriever by meaning and that by words, joined by reciprocal rank fusion."""

import asyncio
from typing import Any

from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.utils import Secret
from haystack_integrations.components.retrievers.pgvector import PgvectorEmbeddingRetriever, PgvectorKeywordRetriever
from haystack_integrations.document_stores.pgvector import PgvectorDocumentStore

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("haystack-ai", "pgvector-haystack", "psycopg")
SETTINGS = (
    "`PgvectorDocumentStore`, HNSW (m 16, ef_construction 64, ef_search 40) with cosine similarity, embedding "
    "retriever and keyword retriever (40 candidates each), `DocumentJoiner` with reciprocal rank fusion, "
    "asynchronous; one connection, it has no pool"
)
STORED = "SELECT count(*) FROM haystack_documents WHERE meta->>'owner' = %s"
OTHERS = """
    INSERT INTO haystack_documents (id, embedding, content, meta)
    SELECT owner || '/' || ref, embedding, content, jsonb_build_object('owner', owner) FROM others"""
_CANDIDATES = 40


class Haystack:
    """A `PgvectorDocumentStore` whose documents name their owner in their metadata."""

    def __init__(self, url: str, embedder: WaitingEmbedder) -> None:
        self._embedder = embedder
        self._store: Any = PgvectorDocumentStore(
            connection_string=Secret.from_token(url),
            embedding_dimension=384,
            vector_function="cosine_similarity",
            search_strategy="hnsw",
            hnsw_index_creation_kwargs={"m": 16, "ef_construction": 64},
            hnsw_ef_search=40,
        )
        self._meaning: Any = PgvectorEmbeddingRetriever(document_store=self._store, top_k=_CANDIDATES)
        self._words: Any = PgvectorKeywordRetriever(document_store=self._store, top_k=_CANDIDATES)
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        """Connects, which makes the table and its indexes if they are missing."""
        await self._store.count_documents_async()

    async def add(self, owner: str, memories: Memories) -> None:
        """Writes all documents of an owner in one call, each with its vector."""
        vectors = self._embedder.vectors([text for _, text in memories])
        await self._store.write_documents_async(
            [
                Document(id=f"{owner}/{ref}", content=text, meta={"owner": owner}, embedding=vector)
                for (ref, text), vector in zip(memories, vectors, strict=True)
            ]
        )

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """Both retrievers share the store's connection, so they run one after the other."""
        mine = {"field": "meta.owner", "operator": "==", "value": owner}
        vector = self._embedder.vector(question)
        async with self._lock:
            meaning = await self._meaning.run_async(query_embedding=vector, filters=mine)
            words = await self._words.run_async(query=question, filters=mine)
        joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=limit)
        joined = joiner.run(documents=[meaning["documents"], words["documents"]])
        return [one.id.removeprefix(f"{owner}/") for one in joined["documents"]]

    async def close(self) -> None:
        """Ends the asynchronous connection, for which the library has no public method."""
        await self._store._async_connection.close()


def connect(url: str, embedder: WaitingEmbedder) -> Haystack:
    """As in `benchmarks.peers.system`."""
    return Haystack(url, embedder)
