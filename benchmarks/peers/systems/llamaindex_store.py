"""LlamaIndex's store in Postgres, by meaning and by words, fused as its documentation of that store does it."""

from typing import Any

from llama_index.core import Settings, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters
from llama_index.vector_stores.postgres import PGVectorStore
from pydantic import PrivateAttr

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("llama-index-core", "llama-index-vector-stores-postgres", "asyncpg", "sqlalchemy")
SETTINGS = (
    "`PGVectorStore(hybrid_search=True)`, HNSW (m 16, ef_construction 64, ef_search 40) with cosine distance, the "
    "agent as an indexed key of JSONB metadata; `QueryFusionRetriever` over a dense and a sparse retriever, "
    "`relative_score`, asynchronous"
)
STORED = "SELECT count(*) FROM data_memories WHERE metadata_->>'owner' = %s"
OTHERS = """
    INSERT INTO data_memories (text, metadata_, node_id, embedding)
    SELECT content, (SELECT metadata_ FROM data_memories LIMIT 1) || jsonb_build_object('owner', owner),
           owner || '/' || ref, embedding
    FROM others"""


class LlamaIndexEmbedder(BaseEmbedding):  # type: ignore[misc]
    """The packaged model with the methods that LlamaIndex calls."""

    _own: Any = PrivateAttr()

    def __init__(self, embedder: WaitingEmbedder) -> None:
        super().__init__()
        self._own = embedder

    def _get_text_embedding(self, text: str) -> list[float]:
        vector: list[float] = self._own.vector(text)
        return vector

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class LlamaIndex:
    """A `PGVectorStore` whose nodes name their owner in their metadata; each owner has a retriever."""

    def __init__(self, url: str, embedder: WaitingEmbedder) -> None:
        self._url, self._embedder = url, embedder
        self._store: Any = None
        self._index: Any = None
        self._retrievers: dict[tuple[str, int], Any] = {}

    async def open(self) -> None:
        """The fusion wants a language model, which it never asks for one query."""
        Settings.llm = MockLLM()
        self._store = PGVectorStore(
            connection_string=self._url.replace("postgresql://", "postgresql+psycopg2://"),
            async_connection_string=self._url.replace("postgresql://", "postgresql+asyncpg://"),
            table_name="memories",
            schema_name="public",
            embed_dim=384,
            hybrid_search=True,
            text_search_config="english",
            use_jsonb=True,
            indexed_metadata_keys={("owner", "text")},
            hnsw_kwargs={
                "hnsw_m": 16,
                "hnsw_ef_construction": 64,
                "hnsw_ef_search": 40,
                "hnsw_dist_method": "vector_cosine_ops",
            },
        )
        self._index = VectorStoreIndex.from_vector_store(
            self._store, embed_model=LlamaIndexEmbedder(self._embedder), use_async=True
        )

    async def add(self, owner: str, memories: Memories) -> None:
        """One insertion of all nodes."""
        nodes = [TextNode(id_=f"{owner}/{ref}", text=text, metadata={"owner": owner}) for ref, text in memories]
        for node in nodes:
            # The owner is for filters; a memory is embedded without it.
            node.excluded_embed_metadata_keys = ["owner"]
        await self._index.ainsert_nodes(nodes)

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """The fused ranking of both searches."""
        found = await self._retriever(owner, limit).aretrieve(question)
        return [one.node.node_id.removeprefix(f"{owner}/") for one in found]

    def _retriever(self, owner: str, limit: int) -> Any:
        if (owner, limit) not in self._retrievers:
            mine = MetadataFilters(filters=[MetadataFilter(key="owner", value=owner)])
            searches = [
                self._index.as_retriever(vector_store_query_mode=mode, similarity_top_k=limit, filters=mine)
                for mode in ("default", "sparse")
            ]
            self._retrievers[owner, limit] = QueryFusionRetriever(
                searches, similarity_top_k=limit, num_queries=1, mode="relative_score", use_async=True
            )
        return self._retrievers[owner, limit]

    async def close(self) -> None:
        """Closes the pools."""
        await self._store.close()


def connect(url: str, embedder: WaitingEmbedder) -> LlamaIndex:
    """As in `benchmarks.peers.system`."""
    return LlamaIndex(url, embedder)
