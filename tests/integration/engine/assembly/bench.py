"""One warm assembling instance on the servers, and what tests do with it.

The bounds are wide, so that no test depends on how fast this machine is.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.map_segments import RedisSegments
from remembrancer.domain.context.assembly import AssembleRequest, Assembly
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.ports.cache import AgentCache, AgentSnapshot
from remembrancer.ports.identity import AgentStates, Directory
from remembrancer.ports.search import MemoryIndex, VectorHits, WordHits
from remembrancer.runtime.http.messages import HttpRequest
from remembrancer.settings import Bounds
from remembrancer.usecases.assembly.assemble import Assembler
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.map_segments import MapSegments
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.builders import SetClock, assemble_request, message
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant

WIDE = Bounds(
    assembly_ms=20_000,
    retrieval_ms=15_000,
    directive_ms=10_000,
    hot_ms=10_000,
    cold_ms=10_000,
    lexical_ms=10_000,
)
DIRECTIVE = "Answer in one paragraph."
QUESTION = "Where is the coffee machine?"
COFFEE = "The coffee machine is in the kitchen."
TEA = "The tea is beside the coffee machine in the kitchen."
EVERYTHING = dict.fromkeys(("directive", "hot", "embed", "cold", "lexical"), "ok")


@dataclass(frozen=True, slots=True)
class Bench:
    """One warm instance on the servers, and an agent with a directive and two memories, one of them embedded."""

    tenant: Tenant
    assembler: Assembler
    cache: RedisAgentCache
    redis: RedisClient
    queue: SentMessages
    captures: SentMessages
    notes: list[str]
    coffee: UUID
    tea: UUID

    def request(self, **changes: Any) -> AssembleRequest:
        request = assemble_request(
            org_id=self.tenant.org_id, agent_id=self.tenant.agent_id, messages=[message(QUESTION)]
        )
        return replace(request, **changes)

    def bounded(self, bounds: Bounds) -> "Bench":
        """The same instance, with these bounds of its sources."""
        return replace(self, assembler=replace(self.assembler, bounds=bounds))

    async def assemble(
        self,
        request: AssembleRequest | None = None,
        *,
        principal: Principal | None = None,
        deadline_ms: float = WIDE.assembly_ms,
        later: LaterWork | None = None,
    ) -> Assembly:
        async def resolved() -> Principal:
            return replace(principal or self.tenant.principal, sees_all=False)

        return await self.assembler.assemble(
            request or self.request(),
            principal or self.tenant.principal,
            asyncio.ensure_future(resolved()),
            Deadline.begin(SystemClock(), deadline_ms),
            later or LaterWork(),
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """Serves as the Authenticator of one principal."""

    principal: Principal

    def recognise(self, request: HttpRequest) -> Principal:
        return self.principal

    async def identify(self, request: HttpRequest, *, scope: str) -> Principal:
        return self.principal


@dataclass(frozen=True, slots=True)
class Counted:
    """Serves Embedder and MemoryIndex, and counts."""

    search: MemoryIndex
    embedder: HashEmbedder
    calls: Counter[str]

    @property
    def model(self) -> str:
        return self.embedder.model

    @property
    def dimensions(self) -> int:
        return self.embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls["embed"] += 1
        return await self.embedder.embed(texts)

    async def nearest(self, *arguments: Any, **named: Any) -> VectorHits:
        self.calls["nearest"] += 1
        return await self.search.nearest(*arguments, **named)

    async def matching(self, *arguments: Any, **named: Any) -> WordHits:
        self.calls["matching"] += 1
        return await self.search.matching(*arguments, **named)

    async def known(self, *arguments: Any) -> frozenset[int]:
        self.calls["known"] += 1
        return await self.search.known(*arguments)


@dataclass(frozen=True, slots=True)
class LateDirectory:
    """Knows an organization when the test says so: no map of another instance is read before."""

    directory: Directory
    known: asyncio.Event

    async def organization(self, org_id: UUID) -> Organization | None:
        await self.known.wait()
        return await self.directory.organization(org_id)


class CacheFirst:
    """Serves AgentCache and AgentStates: the store is asked when the cache has answered."""

    def __init__(self, cache: AgentCache, states: AgentStates) -> None:
        self._cache = cache
        self._states = states
        self._answered = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    async def read(self, *arguments: Any, **named: Any) -> AgentSnapshot:
        try:
            return await self._cache.read(*arguments, **named)
        finally:
            self._answered.set()

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        await self._answered.wait()
        return await self._states.state(org_id, agent_id)


def cache_first(bench: Bench) -> Bench:
    """The same instance, whose cache answers before the store, as it nearly always does."""
    ordered = CacheFirst(bench.cache, bench.assembler.retriever.retrieval.states)
    return retrieving(searching(bench, cache=ordered), states=ordered)


def counting(
    bench: Bench, calls: Counter[str], *, travels: bool = False, arrives: asyncio.Event | None = None
) -> Bench:
    """Another instance on the same servers, without a map of its own, that counts embeddings and searches.

    With `travels` it shares maps with others, whose maps it has when `arrives` is set.
    """
    searches = bench.assembler.retriever.retrieval.searcher
    directory: Any = searches.directory if arrives is None else LateDirectory(searches.directory, arrives)
    segments = map_segments(directory, bench.redis) if travels else None
    dimensions = HashEmbedder().dimensions
    maps = MemoryMaps(searches.source, bench.cache, SetClock(), dimensions=dimensions, segments=segments)
    counted = Counted(searches.store, HashEmbedder(), calls)
    return searching(bench, maps=maps, embedding=QueryEmbedding(counted, most_attempts=1), store=counted)


def map_segments(directory: Directory, redis: RedisClient) -> MapSegments:
    """Maps of an organization that does not encrypt."""
    return MapSegments(
        RedisSegments(redis, organization_bytes=10_000_000),
        directory,
        Keyless(),
        frozenset({MODEL}),
        new_generation=lambda: uuid4().hex,
    )


def searching(bench: Bench, **changes: Any) -> Bench:
    """The same instance with something else to search with."""
    return retrieving(bench, searcher=replace(bench.assembler.retriever.retrieval.searcher, **changes))


def retrieving(bench: Bench, **changes: Any) -> Bench:
    """The same instance with another part of its retrieval."""
    retriever = bench.assembler.retriever
    other = replace(retriever, retrieval=replace(retriever.retrieval, **changes))
    return replace(bench, assembler=replace(bench.assembler, retriever=other))


async def warmed(bench: Bench, request: AssembleRequest) -> None:
    """With hot set, map and turn cache."""
    later = LaterWork()
    await bench.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map", "turn_cache"):
        await later.do(name)


def injected(assembly: Assembly) -> str:
    """The whole prompt: memories stand before the question, the directive before all."""
    return "\n".join(str(sent["content"]) for sent in assembly.messages)


def statuses(assembly: Assembly) -> dict[str, str]:
    return {name: report.status for name, report in assembly.sources.items()}
