"""One warm instance of the memory query on the test's servers."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.query_cache import RedisQueryCache
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.retrieval import query
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.intents import TIERS
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import HotEntry
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.models import Embedder, LanguageModel
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.query.memory_query import QueryMemories
from remembrancer.usecases.query.popular import PopularQueries
from remembrancer.usecases.query.rows import CandidateRows
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.hot_set import HotSets
from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from remembrancer.usecases.retrieval.retrieval import Retrieval
from remembrancer.usecases.retrieval.searcher import Searcher
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import Tenant

# So that no test depends on how fast this machine is.
PATIENT = dict.fromkeys(TIERS, 20_000.0)
CACHE_MS = 5_000.0
READ_SECONDS = 30.0


class CountingEmbedder(HashEmbedder):
    """Counts its calls, and fails the next `failures` of them."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.calls: list[list[str]] = []
        self.failures = failures

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("The model server is unavailable", cause="ConnectError")
        return await super().embed(texts)


class OtherModel(HashEmbedder):
    """Another model than that of the stored vectors."""

    @property
    def model(self) -> str:
        return "other"


class HangingDatabase(Database):
    """A database that takes statements and answers none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, *_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()


@dataclass
class QueryBench:
    """Queries as the API's handler asks them; what is left for after the response is done at once."""

    tenant: Tenant
    queries: QueryMemories
    redis: RedisClient
    embedder: CountingEmbedder
    sent: SentMessages
    popular: RedisQueryCache
    cache: RedisAgentCache
    agents: KnownAgents
    later: list[str] = field(default_factory=list)

    async def ask(
        self, text: str, *, principal: Principal | None = None, most: int = 50, **fields: Any
    ) -> dict[str, Any]:
        """The response body, with no more results than fit."""
        body = {"query": text, "agent_id": str(self.tenant.agent_id), **fields}
        later = LaterWork()
        answer = await self.queries.query(
            query.parse({name: value for name, value in body.items() if value is not None}),
            principal or self.tenant.principal,
            Deadline.begin(SystemClock()),
            later,
            fit=lambda answer: answer.first(most) if len(answer.found) > most else answer,
        )
        self.later = list(later.names)
        await later.do_all()
        return answer.as_json()

    def filters(self) -> Filters:
        """Everything."""
        return Filters()

    async def announce(self) -> None:
        """Tells the cache the state of the agent's memories, as writers do."""
        ((version, removals),) = await self.tenant.fetch("SELECT version, removals FROM agents")
        await self.cache.changed(self.tenant.org_id, self.tenant.agent_id, Change(version, removals))

    async def warm_hot_set(self, entries: Sequence[HotEntry]) -> None:
        """As of what the store says now."""
        org_id, agent_id = self.tenant.org_id, self.tenant.agent_id
        state = await PostgresDirectory(self.tenant.database).state(org_id, agent_id)
        assert state is not None
        await self.cache.put_hot(org_id, agent_id, entries, state.change)

    def searching(self, **changes: Any) -> "QueryBench":
        """The same instance with something else to search with."""
        retrieval = self.queries.retrieval
        retrieval = replace(retrieval, searcher=replace(retrieval.searcher, **changes))
        return replace(self, queries=replace(self.queries, retrieval=retrieval))

    def with_hanging_postgres(self, targets_ms: Mapping[str, float]) -> "QueryBench":
        """The same instance when no statement is answered any more; who asks is known from before."""
        hanging = HangingDatabase(self.tenant.database)
        recall = PostgresRecall(hanging)
        here = self.searching(store=PostgresSearch(hanging, model=self.embedder.model)).queries
        queries = replace(
            here,
            retrieval=replace(here.retrieval, states=PostgresDirectory(hanging)),
            rows=CandidateRows(recall, self.agents, SystemClock()),
            store=recall,
            popular=replace(self.queries.popular, store=recall),
            targets_ms=targets_ms,
        )
        return replace(self, queries=queries)

    async def relate(self, from_id: UUID, to_id: UUID, kind: str, confidence: float = 1.0) -> None:
        relation = Relation(uuid4(), from_id, to_id, kind, confidence)
        assert await PostgresMemoryLife(self.tenant.database).relate(self.tenant.principal, relation) is not None


def query_bench(
    tenant: Tenant,
    redis: RedisClient,
    *,
    language_model: LanguageModel | None = None,
    embedder: CountingEmbedder | None = None,
    packaged: Embedder | None = None,
    hops: int = 1,
    opener: Cipher | None = None,
    organizations: Cipher | None = None,
    targets_ms: Mapping[str, float] = PATIENT,
) -> QueryBench:
    own = embedder or CountingEmbedder()
    directory = PostgresDirectory(tenant.database, organizations)
    kept = RedisQueryCache(redis)
    recall = PostgresRecall(tenant.database)
    sent = SentMessages()
    cache = RedisAgentCache(redis)
    source = PostgresMapSource(tenant.database, model=own.model, dimensions=384)
    agents = KnownAgents()
    maps = MemoryMaps(source, cache, SystemClock(), dimensions=384, slice_ms=CACHE_MS, agents=agents)
    searcher = Searcher(
        directory=directory,
        embedding=QueryEmbedding(own, directory, kept, packaged, HashEmbedder(), cache_ms=CACHE_MS, first_pause_ms=1.0),
        store=PostgresSearch(tenant.database, model=own.model),
        source=source,
        stemmer=SnowballStemmer(),
        cache=cache,
        hypothesiser=Hypothesiser(language_model, own, kept, cache_ms=CACHE_MS) if language_model else None,
        maps=maps,
    )
    queries = QueryMemories(
        directory=directory,
        retrieval=Retrieval(
            states=directory,
            searcher=searcher,
            confirmations=Confirmations(agents, cache, SystemClock()),
            hot_sets=HotSets(
                cache,
                PostgresEmbeddingStore(tenant.database),
                BackgroundReads(SystemClock(), longest_seconds=READ_SECONDS),
            ),
            renewals=BackgroundReads(SystemClock(), longest_seconds=READ_SECONDS),
        ),
        map_ms=CACHE_MS,
        rows=CandidateRows(recall, agents, SystemClock()),
        store=recall,
        popular=PopularQueries(directory, kept, recall, CACHE_MS),
        opener=opener or Keyless(),
        usage=sent,
        clock=SystemClock(),
        new_id=uuid4,
        hops=hops,
        targets_ms=targets_ms,
    )
    return QueryBench(tenant, queries, redis, own, sent, kept, cache, agents)


def without_maps(bench: QueryBench) -> MemoryMaps:
    """Of an instance that keeps none."""
    searches = bench.queries.retrieval.searcher
    return MemoryMaps(searches.source, bench.cache, SystemClock(), dimensions=384, most_memories=0)


def ids(answer: dict[str, Any]) -> list[UUID]:
    """Best first."""
    return [UUID(memory["id"]) for memory in answer["memories"]]
