"""A database of artificial memories for measuring search: agents of Zipf sizes, clustered vectors, Zipf words.

Rows are copied directly into the product's tables, without the product's code; indexes are built afterwards.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import Connection

from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search.lexical_index import AgentIndex
from remembrancer.domain.identity.scope import EVERYBODY, Scope
from remembrancer.domain.lexical_index import postings

MODEL = "bench"
DIMENSIONS = 384
ORGANIZATION = UUID(int=1)
PROJECT = "bench"
ENVIRONMENT = "production"
PROJECT_SCOPE = Scope(ORGANIZATION, PROJECT, ENVIRONMENT, end_user=EVERYBODY)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ZIPF = 1.4
"""With 500,000 memories and 1,000 agents, the largest agent has 169,000 and the smallest 10."""
_TOPICS = 1000
_TOPICS_OF_AGENT = 20
_SPREAD = 1.2
_DECAY = 1.0
"""The variance of direction i is that of the first direction divided by i to this power.

It makes vectors similar to those of the packaged model: among 1,500 turns of conversation, a vector's nearest neighbour
has a cosine of 0.70 and its fiftieth 0.50, and the local intrinsic dimension, which decides how hard the search is, is
17. Here these are 0.66, 0.46 and 16. Noise of equal variance in all directions has a dimension of 40.
"""
_USERS_OF = 40
"""Memories of each end user of an agent, on average; one in a hundred memories is shared."""
_BATCH = 5000

WORDS = 30_000
_CONTENT_WORDS = 14
_CONTEXT_WORDS = 10


Loading = Connection[tuple[object, ...]]
"""A connection as superuser, to which no row-level security applies."""


@dataclass(frozen=True, slots=True)
class CorpusAgent:
    """One agent and its number of memories."""

    agent_id: UUID
    size: int
    seed: int

    @property
    def scope(self) -> Scope:
        """The scope of a search that sees every end user's memories of the agent."""
        return Scope(ORGANIZATION, None, None, self.agent_id, EVERYBODY)


def agents(memories: int, count: int) -> list[CorpusAgent]:
    """Agents with sizes that fall with a power of the rank, largest first; at least 10 memories each."""
    weight = np.arange(1, count + 1) ** -ZIPF
    sizes = np.maximum(np.round(memories * weight / weight.sum()), 10).astype(int)
    return [CorpusAgent(UUID(int=(2 << 96) + rank), int(size), rank) for rank, size in enumerate(sizes)]


def queries(agent: CorpusAgent, number: int) -> NDArray[np.float32]:
    """Unit vectors near the topics of the agent's memories."""
    return _points(agent.seed, np.random.default_rng((agent.seed, 2)), number)


def _points(seed: int, random: np.random.Generator, number: int) -> NDArray[np.float32]:
    """Points around the agent's topics; few topics have many points, and most have few."""
    topics, scale = _topics()
    mine = topics[np.random.default_rng((seed, 3)).choice(_TOPICS, _TOPICS_OF_AGENT, replace=False)]
    share = np.arange(1, _TOPICS_OF_AGENT + 1) ** -1.0
    chosen = mine[random.choice(_TOPICS_OF_AGENT, number, p=share / share.sum())]
    points = chosen + _SPREAD * scale * random.standard_normal((number, DIMENSIONS), dtype=np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points


@cache
def _topics() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Centres of all topics, and the standard deviation of each direction."""
    variance = np.arange(1, DIMENSIONS + 1) ** -_DECAY
    scale = np.sqrt(variance / variance.mean()).astype(np.float32)
    return scale * np.random.default_rng(7).standard_normal((_TOPICS, DIMENSIONS), dtype=np.float32), scale


def load(
    superuser_url: str, everyone: list[CorpusAgent], *, also: Callable[[Loading], None] = lambda _: None
) -> dict[str, float]:
    """Fills an empty, migrated database with agents, vectors and memories; returns the seconds of each step.

    `also` can add rows before the indexes are built.
    """
    seconds: dict[str, float] = {}
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET maintenance_work_mem = '2GB'")
        definitions = drop_indexes(connection, "memory_vectors")
        started = time.monotonic()
        _load_agents(connection, everyone)
        _load_vectors(connection, everyone)
        seconds["vectors"] = time.monotonic() - started
        started = time.monotonic()
        connection.execute(_MEMORIES_OF_VECTORS)
        also(connection)
        seconds["memories"] = time.monotonic() - started
        for name, definition in definitions:
            started = time.monotonic()
            connection.execute(definition.encode())
            seconds[name] = time.monotonic() - started
        started = time.monotonic()
        connection.execute("VACUUM ANALYZE")
        seconds["vacuum"] = time.monotonic() - started
    return {step: round(duration, 1) for step, duration in seconds.items()}


def drop_indexes(connection: Loading, table: str = "%") -> list[tuple[str, str]]:
    """Drops the indexes of a table, or of all, except unique ones; returns definitions that rebuild them on all
    partitions.
    """
    found = connection.execute(
        "SELECT indexname, indexdef FROM pg_indexes "
        "WHERE schemaname = 'public' AND tablename LIKE %s AND indexdef NOT LIKE '%%UNIQUE%%'",
        (table,),
    ).fetchall()
    for name, _ in found:
        connection.execute(f"DROP INDEX {name}".encode())
    return [(str(name), str(definition).replace(" ON ONLY ", " ON ")) for name, definition in found]


def add_organization(connection: Loading) -> None:
    """Adds the organization and the project of all agents."""
    connection.execute(
        "INSERT INTO organizations (org_id, name, term_key) VALUES (%s, 'bench', %s)", (ORGANIZATION, bytes(32))
    )
    connection.execute("INSERT INTO projects (org_id, project_id, name) VALUES (%s, %s, '')", (ORGANIZATION, PROJECT))


def _load_agents(connection: Connection[tuple[object, ...]], everyone: list[CorpusAgent]) -> None:
    add_organization(connection)
    with connection.cursor().copy(
        "COPY agents (agent_id, org_id, project_id, environment, name, vectors) FROM STDIN"
    ) as copy:
        for agent in everyone:
            copy.write_row((agent.agent_id, ORGANIZATION, PROJECT, ENVIRONMENT, str(agent.seed), agent.size))


_COLUMNS = (
    "memory_id, org_id, project_id, environment, agent_id, user_id, category, source, tier, tags, confidence, "
    "created_at, embedding_model, embedding"
)
_TYPES = (
    "uuid", "uuid", "text", "text", "uuid", "text", "text", "text", "text", "text[]", "float4", "timestamptz", "text",
    "halfvec",
)  # fmt: skip


def _load_vectors(connection: Connection[tuple[object, ...]], everyone: list[CorpusAgent]) -> None:
    """Copies the memories of all agents in random order, as in a table that grew over time."""
    copy_vectors(connection, _mixed(everyone))


def copy_vectors(connection: Loading, rows: Iterable[tuple[object, ...]]) -> None:
    """Copies rows to memory_vectors: id, organization, project, environment, agent and the rest of `_COLUMNS`."""
    with connection.cursor().copy(f"COPY memory_vectors ({_COLUMNS}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(_TYPES)
        for row in rows:
            copy.write_row(row)


def _mixed(everyone: list[CorpusAgent]) -> Iterator[tuple[object, ...]]:
    random = np.random.default_rng(1)
    owner = random.permutation(np.repeat(np.arange(len(everyone)), [agent.size for agent in everyone]))
    sources = [np.random.default_rng((agent.seed, 1)) for agent in everyone]
    number = 0
    for start in range(0, len(owner), _BATCH):
        batch = owner[start : start + _BATCH]
        for rank in np.unique(batch).tolist():
            agent = everyone[rank]
            wanted = int((batch == rank).sum())
            confidence = random.random(wanted, dtype=np.float32)
            users = random.integers(0, max(agent.size // _USERS_OF, 1), wanted)
            for row, vector in enumerate(_points(agent.seed, sources[rank], wanted)):
                number += 1
                yield (
                    UUID(int=(3 << 96) + number),
                    ORGANIZATION,
                    PROJECT,
                    ENVIRONMENT,
                    agent.agent_id,
                    None if number % 100 == 0 else f"user{users[row]}",
                    "factual",
                    "extracted",
                    "hot",
                    [],
                    float(confidence[row]),
                    NOW,
                    MODEL,
                    HalfVector(vector),
                )


_MEMORIES_OF_VECTORS = """
    INSERT INTO memories (
        memory_id, org_id, project_id, environment, agent_id, user_id, content, category, source, confidence,
        importance, quality, content_sha256, tokens_o200k, tokens_cl100k, embedding_state, embedding_model, created_at)
    SELECT memory_id, org_id, project_id, environment, agent_id, user_id, repeat(md5(memory_id::text), 8), category,
           source, confidence, 0.5, 0.5, sha256(uuid_send(memory_id)), 60, 60, 'ready', embedding_model, created_at
    FROM memory_vectors"""


LEXICAL = CorpusAgent(UUID(int=4 << 96), 0, 0)
"""The agent for search by words; it has no vectors."""


async def load_words(
    database: Database, superuser_url: str, memories: int, *, agent: CorpusAgent | None = None, users: int = 0
) -> list[float]:
    """Adds memories with words to LEXICAL or another new agent; returns the seconds of each of the product's merges.

    The memories are shared, or belong to `users` end users in turn.
    """
    agent = agent or LEXICAL
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name) VALUES (%s, %s, %s, %s, %s)",
            (agent.agent_id, ORGANIZATION, PROJECT, ENVIRONMENT, str(agent.agent_id)),
        )
        place = {"agent_id": agent.agent_id, "org_id": ORGANIZATION}
        connection.execute(_MEMORIES_OF_WORDS, place | {"n": memories, "users": users})
        # Triggers set the owners of the documents, and count them.
        connection.execute("SET session_replication_role = origin")
        words = [0, 0]
        with connection.cursor().copy(
            "COPY term_documents (org_id, agent_id, document, content_words, context_words, terms) FROM STDIN"
        ) as copy:
            for document, (content, context) in enumerate(_texts(memories)):
                packed = postings.pack_terms(_terms(content, context))
                copy.write_row((ORGANIZATION, agent.agent_id, document, len(content), len(context), packed))
                words = [words[0] + len(content), words[1] + len(context)]
        connection.execute(
            "UPDATE agents SET next_document = %s, indexed_documents = %s, content_words = %s, context_words = %s "
            "WHERE agent_id = %s",
            (memories, memories, *words, agent.agent_id),
        )
        connection.execute("ANALYZE")
    seconds = []
    done = False
    while not done:
        started = time.monotonic()
        async with database.transaction(ORGANIZATION) as transaction:
            done = await AgentIndex(transaction, ORGANIZATION, agent.agent_id).merge()
        seconds.append(time.monotonic() - started)
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return seconds


def questions(memories: int, number: int) -> list[list[int]]:
    """Questions of three to eight words, each from a part of one memory."""
    random = np.random.default_rng(11)
    texts = list(_texts(memories, seed=12, most=number))
    return [list(dict.fromkeys(content.tolist()))[: int(random.integers(3, 9))] for content, _ in texts]


def common_questions(words: int, among: int, number: int) -> list[list[int]]:
    """Questions of `words` different words from the `among` most frequent ones; lower numbers are more frequent."""
    random = np.random.default_rng(14)
    return [random.choice(among, words, replace=False).tolist() for _ in range(number)]


def _texts(
    memories: int, *, seed: int = 13, most: int | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Word numbers of content and context; the most frequent word is in about a tenth of all memories."""
    random = np.random.default_rng(seed)
    share = (np.arange(1, WORDS + 1) + 20.0) ** -1.05
    share /= share.sum()
    for _ in range(most or memories):
        length = max(int(random.normal(_CONTENT_WORDS, 5)), 2)
        drawn = random.choice(WORDS, length + _CONTEXT_WORDS, p=share)
        yield drawn[:length], drawn[length:]


def _terms(content: NDArray[np.int64], context: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    return [
        (word, int((content == word).sum()), int((context == word).sum()))
        for word in {*content.tolist(), *context.tolist()}
    ]


_MEMORIES_OF_WORDS = """
    INSERT INTO memories (
        memory_id, org_id, project_id, environment, agent_id, user_id, content, category, source, confidence,
        importance, quality, content_sha256, tokens_o200k, tokens_cl100k, embedding_state, created_at, document)
    SELECT gen_random_uuid(), %(org_id)s, 'bench', 'production', %(agent_id)s,
           CASE WHEN %(users)s > 0 THEN 'user' || n %% greatest(%(users)s, 1) END, repeat(md5(n::text), 8), 'factual',
           'extracted', random(), 0.5, 0.5, sha256(int8send(n)), 60, 60, 'dropped', now(), n
    FROM generate_series(0, %(n)s::bigint - 1) AS n"""
