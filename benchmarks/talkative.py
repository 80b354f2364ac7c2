"""Agents of chosen sizes with real sentences as memories, so that assembly has to rank, pack and format them.

Each memory is a line of the sample, with a vector near the line's own, indexed by its words. Loaded with the corpus.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from benchmarks import corpus
from benchmarks.corpus import DIMENSIONS, ENVIRONMENT, NOW, ORGANIZATION, PROJECT, Loading
from local.sample import story
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search.lexical_index import TAIL, AgentIndex
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.context import formatter
from remembrancer.domain.lexical_index import bm25, postings

KEY = bytes(32)
"""The term key of the corpus' organization, with which words are indexed."""
CLOSENESS = 0.8
"""Cosine of a memory's vector and its line's vector; low enough that memories of one line are no near-duplicates."""


@dataclass(frozen=True, slots=True)
class TalkativeLine:
    """The text of a memory, with its vector, words and token counts."""

    text: str
    category: str
    created_at: datetime
    tokens: tuple[int, int]
    """Tokens in o200k_base and cl100k_base, including the wrapper."""
    words: int
    terms: bytes
    vector: NDArray[np.float32]


def agent_id(size: int) -> UUID:
    """The id of the agent with this number of memories."""
    return UUID(int=(5 << 96) + size)


async def lines(models: Path) -> tuple[list[TalkativeLine], str]:
    """The lines of the sample, and the name of the model that embedded them."""
    return await lines_of([(one.content, one.category) for one in story.read().lines], models)


async def lines_of(texts: Sequence[tuple[str, str]], models: Path) -> tuple[list[TalkativeLine], str]:
    """Texts with their categories as lines, and the name of the model that embedded them."""
    embedder, counter, stemmer = OnnxEmbedder(models), TiktokenCounter(models), SnowballStemmer()
    found = []
    for number, (text, category) in enumerate(texts):
        created_at = NOW - timedelta(days=number % 300)
        wrapped = formatter.dated_line(text, created_at, replaces=False)
        indexed = bm25.index(text, None, key=KEY, stem=stemmer.stem)
        found.append(
            TalkativeLine(
                text,
                category,
                created_at,
                (counter.count(wrapped, "o200k_base").tokens, counter.count(wrapped, "cl100k_base").tokens),
                indexed.content_words,
                postings.pack_terms(indexed.terms),
                (await embedder.embed([text]))[0],
            )
        )
    model = embedder.model
    embedder.close()
    counter.close()
    return found, model


def load(connection: Loading, sizes: Sequence[int], known: Sequence[TalkativeLine], model: str) -> None:
    """Adds one agent of each size, with its vectors, memories and unmerged words."""
    for size in sizes:
        random = np.random.default_rng(size)
        chosen = random.integers(0, len(known), size)
        ids = [UUID(int=(6 << 96) + (size << 32) + number) for number in range(size)]
        confidence = random.uniform(0.3, 1.0, size)
        words = sum(known[line].words for line in chosen.tolist())
        connection.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name, vectors, next_document, "
            "indexed_documents, content_words) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (agent_id(size), ORGANIZATION, PROJECT, ENVIRONMENT, f"talkative {size}", size, size, size, words),
        )
        noise = random.standard_normal((size, DIMENSIONS), dtype=np.float32)
        vectors = near(np.stack([known[line].vector for line in chosen]), noise)
        corpus.copy_vectors(
            connection,
            (
                (ids[number], ORGANIZATION, PROJECT, ENVIRONMENT, agent_id(size), None, known[line].category,
                 "extracted", "hot", [], float(confidence[number]), known[line].created_at, model,
                 HalfVector(vectors[number]))
                for number, line in enumerate(chosen.tolist())
            ),
        )  # fmt: skip
        with connection.cursor().copy(_MEMORIES) as copy:
            for number, line in enumerate(chosen.tolist()):
                one = known[line]
                copy.write_row(
                    (ids[number], ORGANIZATION, PROJECT, ENVIRONMENT, agent_id(size), one.text, one.category,
                     "extracted", float(confidence[number]), 0.5, 0.5, sha256(f"{number} {one.text}".encode()).digest(),
                     *one.tokens, "ready", model, one.created_at, number)
                )  # fmt: skip
        # The triggers count them.
        connection.execute("SET session_replication_role = origin")
        with connection.cursor().copy(_WORDS) as copy:
            for number, line in enumerate(chosen.tolist()):
                copy.write_row((ORGANIZATION, agent_id(size), "", number, known[line].words, 0, known[line].terms))
        connection.execute("SET session_replication_role = replica")


def near(vectors: NDArray[np.float32], noise: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit vectors at about `CLOSENESS` to these, in the directions of the noise."""
    noise = noise / np.linalg.norm(noise, axis=1, keepdims=True)
    moved = CLOSENESS * vectors + (1 - CLOSENESS**2) ** 0.5 * noise
    near: NDArray[np.float32] = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    return near


async def merge(database: Database, sizes: Sequence[int]) -> None:
    """Merges words into blocks, as the product does when enough have collected."""
    for size in sizes:
        done = size < TAIL
        while not done:
            async with database.transaction(ORGANIZATION) as transaction:
                done = await AgentIndex(transaction, ORGANIZATION, agent_id(size)).merge()


_MEMORIES = """COPY memories (
    memory_id, org_id, project_id, environment, agent_id, content, category, source, confidence, importance, quality,
    content_sha256, tokens_o200k, tokens_cl100k, embedding_state, embedding_model, created_at, document) FROM STDIN"""
_WORDS = "COPY term_documents (org_id, agent_id, user_id, document, content_words, context_words, terms) FROM STDIN"
