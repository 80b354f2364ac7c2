"""LangGraph's store in Postgres; it searches by meaning only."""

from contextlib import AsyncExitStack
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("langgraph", "langgraph-checkpoint-postgres", "psycopg", "psycopg-pool")
SETTINGS = (
    "`AsyncPostgresStore`, HNSW (m 16, ef_construction 64) with cosine distance, a pool of 1 to 10 connections, a "
    "namespace for each agent; meaning only"
)
STORED = "SELECT count(*) FROM store WHERE prefix = 'memories.' || %s"
OTHERS = """
    WITH stored AS (
        INSERT INTO store (prefix, key, value)
        SELECT 'memories.' || owner, ref, jsonb_build_object('text', content) FROM others
    )
    INSERT INTO store_vectors (prefix, key, field_name, embedding)
    SELECT 'memories.' || owner, ref, 'text', embedding FROM others"""


class LangGraph:
    """An `AsyncPostgresStore` with a namespace for each owner."""

    def __init__(self, url: str, embedder: WaitingEmbedder) -> None:
        self._url, self._embedder = url, embedder
        self._opened = AsyncExitStack()
        self._store: Any = None

    async def open(self) -> None:
        """Runs the store's own migrations."""
        index = {
            "dims": 384,
            "embed": self._embedder.vectors,
            "fields": ["text"],
            "distance_type": "cosine",
            "ann_index_config": {"kind": "hnsw", "m": 16, "ef_construction": 64, "vector_type": "vector"},
        }
        pool = {"min_size": 1, "max_size": 10}
        connected = AsyncPostgresStore.from_conn_string(self._url, pool_config=pool, index=index)
        self._store = await self._opened.enter_async_context(connected)
        await self._store.setup()

    async def add(self, owner: str, memories: Memories) -> None:
        """One batch."""
        await self._store.abatch([PutOp(("memories", owner), ref, {"text": text}) for ref, text in memories])

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """The namespace is the filter."""
        return [one.key for one in await self._store.asearch(("memories", owner), query=question, limit=limit)]

    async def close(self) -> None:
        """Closes the pool."""
        await self._opened.aclose()


def connect(url: str, embedder: WaitingEmbedder) -> LangGraph:
    """As in `benchmarks.peers.system`."""
    return LangGraph(url, embedder)
