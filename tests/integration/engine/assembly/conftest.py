"""The instance that these tests ask."""

from typing import Any
from uuid import uuid4

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.model_catalogue import ModelCatalogue
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.usecases.assembly.admission import Admission
from remembrancer.usecases.assembly.assemble import Assembler
from remembrancer.usecases.assembly.compose import Composer
from remembrancer.usecases.assembly.retriever import Retriever
from remembrancer.usecases.capture.add import ConversationIntake
from remembrancer.usecases.capture.assembled import AssembledTurns
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.hot_set import HotSets
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from remembrancer.usecases.retrieval.retrieval import Retrieval
from remembrancer.usecases.retrieval.searcher import Searcher
from tests.builders import MODELS, SetClock
from tests.integration.engine.assembly.bench import COFFEE, DIRECTIVE, TEA, WIDE, Bench
from tests.integration.engine.later import SentMessages
from tests.integration.engine.tenant import MODEL, Tenant

READ_SECONDS = 30.0
"""For a read after a response, so that a busy machine is not late for it."""


@pytest.fixture(scope="module")
def counter() -> Any:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Bench:
    directory = PostgresDirectory(tenant.database)
    await directory.put_directive(tenant.org_id, tenant.agent_id, DIRECTIVE, "system_first")
    coffee, tea = await tenant.remember_texts(COFFEE, TEA)
    await tenant.embed([coffee])
    queue = SentMessages()
    clock = SetClock()  # nothing that is kept grows old
    cache = RedisAgentCache(redis)
    cached = CachedDirectory(directory, redis, clock)
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=HashEmbedder().dimensions)
    agents = KnownAgents()
    maps = MemoryMaps(source, cache, clock, dimensions=HashEmbedder().dimensions, agents=agents)
    retrieval = Retrieval(
        states=directory,
        searcher=Searcher(
            directory=cached,
            embedding=QueryEmbedding(HashEmbedder(), most_attempts=1),
            store=PostgresSearch(tenant.database, model=MODEL),
            stemmer=SnowballStemmer(),
            source=source,
            maps=maps,
            cache=cache,
        ),
        confirmations=Confirmations(agents, cache, clock),
        hot_sets=HotSets(
            cache, PostgresEmbeddingStore(tenant.database), BackgroundReads(clock, longest_seconds=READ_SECONDS)
        ),
        renewals=BackgroundReads(clock, longest_seconds=READ_SECONDS),
    )
    captures, notes = SentMessages(), list[str]()
    intake = ConversationIntake(
        conversations=PostgresConversations(tenant.database),
        directory=cached,
        redactor=Redactor(find_phones),
        sealer=Keyless(),
        capture_queue=captures,
        clock=SystemClock(),
        new_id=uuid4,
    )
    assembler = Assembler(
        retriever=Retriever(retrieval, PostgresRecall(tenant.database)),
        directory=cached,
        usage=queue,
        composer=Composer(cached, Keyless(), counter),
        turns=AssembledTurns(lambda: intake, note=notes.append),
        catalogue=ModelCatalogue(MODELS),
        bounds=WIDE,
        clock=SystemClock(),
        new_id=uuid4,
        admission=Admission(SystemClock(), lambda: 0.0),
    )
    return Bench(tenant, assembler, cache, redis, queue, captures, notes, coffee, tea)
