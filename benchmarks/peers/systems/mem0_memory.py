"""mem0 with its pgvector store; `infer=False` stores what is said, without a language model."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from mem0 import Memory

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("mem0ai", "psycopg", "psycopg-pool")
SETTINGS = (
    "`Memory`, `infer=False`, pgvector with HNSW and a pool of 1 to 5 connections (its defaults), threshold 0, "
    "search by meaning and words; without its spaCy model, which it downloads"
)
STORED = "SELECT count(*) FROM memories WHERE payload->>'user_id' = %s"
OTHERS = """
    INSERT INTO memories (id, vector, payload)
    SELECT gen_random_uuid(), embedding, (SELECT payload FROM memories LIMIT 1) || jsonb_build_object(
               'user_id', owner, 'ref', ref, 'data', content, 'text_lemmatized', content, 'hash', md5(content))
    FROM others"""


class Mem0Embedder:
    """The packaged model with the methods that mem0 calls."""

    def __init__(self, embedder: WaitingEmbedder) -> None:
        self._embedder = embedder

    def embed(self, text: str, _: str | None = None) -> list[float]:
        """The vector of a text; mem0 also says what for."""
        return self._embedder.vector(text)

    def embed_batch(self, texts: list[str], _: str | None = None) -> list[list[float]]:
        """The vectors of texts."""
        return self._embedder.vectors(texts)


class Mem0:
    """A `Memory` whose users are the owners."""

    def __init__(self, url: str, embedder: WaitingEmbedder) -> None:
        self._url, self._embedder = url, embedder
        self._folder = tempfile.TemporaryDirectory()
        self._memory: Any = None

    async def open(self) -> None:
        """No language model is called, but one has to be configured."""
        store = {
            "connection_string": self._url,
            "collection_name": "memories",
            "embedding_model_dims": 384,
            "hnsw": True,
        }
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "llm": {"provider": "openai", "config": {"api_key": "none"}},
                "embedder": {"provider": "openai", "config": {"api_key": "none"}},
                "history_db_path": str(Path(self._folder.name) / "history.db"),
            }
        )
        self._memory.embedding_model = Mem0Embedder(self._embedder)

    async def add(self, owner: str, memories: Memories) -> None:
        """One call a memory: several messages of one call have one set of metadata."""
        await asyncio.to_thread(self._add, owner, memories)

    def _add(self, owner: str, memories: Memories) -> None:
        for ref, text in memories:
            self._memory.add(text, user_id=owner, metadata={"ref": ref}, infer=False)

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """Without a threshold, so that each owner with enough memories has `limit` answers."""
        found = await asyncio.to_thread(
            self._memory.search, question, filters={"user_id": owner}, top_k=limit, threshold=0.0
        )
        return [one["metadata"]["ref"] for one in found["results"]]

    async def close(self) -> None:
        """Closes the pool and the history."""
        self._memory.vector_store.connection_pool.close()
        self._memory.close()
        self._folder.cleanup()


def connect(url: str, embedder: WaitingEmbedder) -> Mem0:
    """As in `benchmarks.peers.system`."""
    return Mem0(url, embedder)
