"""Context assembly from the use case down to the servers, with everything there and with parts of it gone.

The bounds are wide, so that no test depends on how fast this machine is.
"""

import asyncio
import gc
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from numpy.typing import NDArray
from psycopg import AsyncConnection

from local.servers import PostgresServer, ValkeyServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.models.model_catalogue import ModelCatalogue
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.adapters.redis.vector_cache import RedisVectorCache
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.context.assembly import AssembleRequest, Assembly, AssemblyOptions
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.identity.scope import EVERYBODY, EndUser, Principal
from remembrancer.domain.memories.memory import Change, Directive
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, StoreTimeout, StoreUnavailable
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.ports.identity import AgentState
from remembrancer.ports.memories import Revision
from remembrancer.ports.models import TokenCounter
from remembrancer.ports.search import LexicalAnswer, MemorySearch, SearchAnswer
from remembrancer.settings import Bounds, Settings
from remembrancer.usecases.assembly import plan
from remembrancer.usecases.assembly.assemble import Assembler
from remembrancer.usecases.assembly.compose import Composer
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.retrieval.background_reads import REST, BackgroundReads
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.hot_set import entry
from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
from remembrancer.usecases.retrieval.prefetch import Prefetcher
from remembrancer.usecases.retrieval.retriever import Retriever
from remembrancer.usecases.retrieval.searches import Searches
from tests.builders import assemble_request, message
from tests.integration.engine import strangers
from tests.integration.engine.chat_server import chat_server
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant
from tests.unit.usecases.test_bounded import SetClock

MODELS = Path(os.environ.get("MODELS_DIR") or Path(__file__).parents[3] / "layers" / "models" / "build")
WIDE = Bounds(
    assembly_ms=20_000,
    retrieval_ms=15_000,
    directive_ms=10_000,
    hot_ms=10_000,
    cold_ms=10_000,
    lexical_ms=10_000,
    cache_wait_ms=5_000,
    additions_ms=5_000,
)
DIRECTIVE = "Answer in one paragraph."
QUESTION = "Where is the coffee machine?"
COFFEE = "The coffee machine is in the kitchen."
TEA = "The tea is beside the coffee machine in the kitchen."


class StandingClock(SystemClock):
    """For it nothing near at hand grows old."""

    def monotonic(self) -> float:
        return 0.0


@dataclass(frozen=True, slots=True)
class Bench:
    """One warm instance on the servers, and an agent with a directive and two memories, one of them embedded."""

    tenant: Tenant
    assembler: Assembler
    cache: RedisAgentCache
    redis: RedisClient
    queue: SentMessages
    coffee: UUID
    tea: UUID

    def request(self, **changes: Any) -> AssembleRequest:
        request = assemble_request(
            org_id=self.tenant.org_id, agent_id=self.tenant.agent_id, messages=[message(QUESTION)]
        )
        return replace(request, **changes)

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


@pytest.fixture(scope="module")
def counter() -> Any:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Bench:
    directory = PostgresDirectory(tenant.database)
    await directory.put(tenant.org_id, tenant.agent_id, DIRECTIVE, "system_first")
    coffee, tea = await tenant.remember_texts(COFFEE, TEA)
    await tenant.embed([coffee])
    queue = SentMessages()
    nonces = count(1)
    cache = RedisAgentCache(redis)
    cached = CachedDirectory(directory, redis, StandingClock())
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=HashEmbedder().dimensions)
    maps = MemoryMaps(source, cache, StandingClock(), dimensions=HashEmbedder().dimensions)
    retriever = Retriever(
        cache=cache,
        states=directory,
        searches=Searches(
            directory=cached,
            embedder=HashEmbedder(),
            search=PostgresSearch(tenant.database, model=MODEL),
            stemmer=SnowballStemmer(),
            source=source,
            maps=maps,
            bounds=WIDE,
        ),
        confirmations=Confirmations(StandingClock()),
        bounds=WIDE,
    )
    assembler = Assembler(
        retriever=retriever,
        directory=cached,
        cache=cache,
        embeddings=PostgresEmbeddingStore(tenant.database),
        maps=maps,
        refills=BackgroundReads(StandingClock()),
        usage=queue,
        composer=Composer(cached, Keyless(), counter, Settings(bounds=WIDE), lambda: f"{next(nonces):09d}"),
        catalogue=ModelCatalogue(MODELS),
        clock=SystemClock(),
        settings=Settings(bounds=WIDE),
        new_id=uuid4,
    )
    return Bench(tenant, assembler, cache, redis, queue, coffee, tea)


@dataclass(frozen=True, slots=True)
class Counted:
    """Serves Embedder and MemorySearch, and counts."""

    search: MemorySearch
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

    async def nearest(self, *arguments: Any, **named: Any) -> SearchAnswer:
        self.calls["nearest"] += 1
        return await self.search.nearest(*arguments, **named)

    async def matching(self, *arguments: Any, **named: Any) -> LexicalAnswer:
        self.calls["matching"] += 1
        return await self.search.matching(*arguments, **named)

    async def known(self, *arguments: Any) -> frozenset[int]:
        self.calls["known"] += 1
        return await self.search.known(*arguments)


def counting(bench: Bench, calls: Counter[str]) -> Bench:
    """Another instance on the same servers, without a map of its own, that counts embeddings and searches."""
    searches = bench.assembler.retriever.searches
    maps = MemoryMaps(searches.source, bench.cache, StandingClock(), dimensions=HashEmbedder().dimensions)
    counted = Counted(searches.search, HashEmbedder(), calls)
    other = searching(bench, maps=maps, embedder=counted, search=counted)
    return replace(other, assembler=replace(other.assembler, maps=maps))


def searching(bench: Bench, **changes: Any) -> Bench:
    """The same instance with something else to search with."""
    retriever = bench.assembler.retriever
    other = replace(retriever, searches=replace(retriever.searches, **changes))
    return replace(bench, assembler=replace(bench.assembler, retriever=other))


def injected(assembly: Assembly) -> str:
    return str(assembly.messages[0]["content"])


def statuses(assembly: Assembly) -> dict[str, str]:
    return {name: report.status for name, report in assembly.sources.items()}


EVERYTHING = dict.fromkeys(("directive", "hot", "embed", "cold", "lexical"), "ok")


async def test_with_everything_there_directive_and_memories_stand_before_the_clients_messages(bench: Bench) -> None:
    request = bench.request(
        messages=[
            message("You are the client's own system message.", role="system"),
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call", "unknown": {"deep": 1}}], "name": "x"},
            message([{"type": "text", "text": QUESTION}, {"type": "image_url", "image_url": {"url": "data:,"}}]),
        ]
    )

    assembly = await bench.assemble(request)

    assert assembly.fallback_reason == ""
    assert statuses(assembly) == EVERYTHING
    assert list(assembly.messages[1:]) == list(request.messages)
    assert injected(assembly).index(DIRECTIVE) < injected(assembly).index(COFFEE)
    assert TEA in injected(assembly)
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert (assembly.directive_injected, assembly.directive_version, assembly.tier) == (True, 1, "postgres")


async def test_the_tokens_reported_are_those_of_the_injected_text(bench: Bench, counter: TiktokenCounter) -> None:
    assembly = await bench.assemble()

    assert assembly.total_tokens_injected == counter.count(injected(assembly), "o200k_base").tokens


async def test_the_directive_comes_from_the_store_then_from_the_cache(bench: Bench) -> None:
    later = LaterWork()
    first = await bench.assemble(later=later)
    uncached = (await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 1)).directive
    await later.do("cache_directive")
    again = LaterWork()
    second = await bench.assemble(later=again)

    assert uncached is None
    assert "cache_directive" in later.names
    assert "cache_directive" not in again.names
    assert DIRECTIVE in injected(first)
    assert DIRECTIVE in injected(second)


async def test_a_cached_directive_is_taken_without_the_store(bench: Bench) -> None:
    cached = Directive(version=1, text="From the cache.")
    await bench.cache.put_directive(bench.tenant.org_id, bench.tenant.agent_id, cached)

    assembly = await bench.assemble()

    assert "From the cache." in injected(assembly)


async def test_an_agent_without_a_directive_gets_memories_alone_and_is_not_asked_for_again(bench: Bench) -> None:
    other = await bench.tenant.with_agent("without")
    await other.remember_texts(COFFEE)
    here = replace(bench, tenant=other)
    later = LaterWork()

    assembly = await here.assemble(later=later)
    await later.do("cache_directive")
    again = LaterWork()
    await here.assemble(later=again)

    assert (assembly.directive_injected, assembly.fallback_reason) == (False, "")
    assert COFFEE in injected(assembly)
    assert "cache_directive" not in again.names


async def test_with_neither_directive_nor_memories_nothing_is_injected(bench: Bench) -> None:
    here = replace(bench, tenant=await bench.tenant.with_agent("empty"))
    request = here.request()

    assembly = await here.assemble(request)

    assert list(assembly.messages) == list(request.messages)
    assert (assembly.total_tokens_injected, assembly.fallback_reason) == (0, "")


async def test_a_refill_that_failed_is_left_alone_for_a_while_and_maps_are_made_all_the_same(bench: Bench) -> None:
    clock = SetClock()
    refills = BackgroundReads(clock)

    async def failing() -> None:
        clock.seconds += 1
        raise StoreTimeout("too many to look through", cause="QueryCanceled")

    with pytest.raises(StoreTimeout):
        await refills.read(failing())
    resting, rested = LaterWork(), LaterWork()
    here = replace(bench, assembler=replace(bench.assembler, refills=refills))

    await here.assemble(later=resting)
    clock.seconds += REST + 1
    await here.assemble(later=rested)

    assert "refill_hot_set" not in resting.names
    assert "memory_map" in resting.names
    assert "refill_hot_set" in rested.names


async def test_a_cold_hot_set_is_refilled_after_the_response_and_serves_the_next_request(bench: Bench) -> None:
    later = LaterWork()

    first = await bench.assemble(later=later)
    await later.do("refill_hot_set")
    again = LaterWork()
    second = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold", "lexical"))), later=again)

    assert first.sources["hot"].count == 0
    assert second.sources["hot"].count == 1
    assert second.memory_ids == (bench.coffee,)
    assert "refill_hot_set" not in again.names


async def test_what_was_injected_is_counted_once_with_an_id(bench: Bench) -> None:
    later = LaterWork()

    assembly = await bench.assemble(later=later)
    await later.do("usage")

    (event,) = bench.queue.messages
    assert event["memory_ids"] == [str(identifier) for identifier in assembly.memory_ids]
    assert (event["org_id"], event["kind"]) == (str(bench.tenant.org_id), "assembly")
    assert COFFEE not in str(event)


async def test_a_hot_memory_needs_relevance_of_its_own(bench: Bench) -> None:
    """Its hot score must never stand in for the question."""
    (other,) = await bench.tenant.remember_texts("Bananas ripen quickly.")
    await bench.tenant.embed([other])
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    # With the cold search its own similarity would replace whatever the hot set says.
    assembly = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold",), explain=True)))

    assert other not in assembly.memory_ids
    dispositions = {one.scored.memory.id: (one.disposition, one.hot) for one in assembly.candidates or ()}
    assert dispositions[other] == ("floor", True)
    assert dispositions[bench.coffee] == ("included", True)


async def test_no_memory_is_considered_twice(bench: Bench) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    assembly = await bench.assemble(bench.request(options=AssemblyOptions(explain=True)))

    considered = [one.scored.memory.id for one in assembly.candidates or ()]
    assert len(considered) == len(set(considered)) == 2
    assert assembly.memories_available == 2


async def test_an_end_user_gets_the_own_memories_and_nobodys_from_every_source(bench: Bench) -> None:
    texts = {user: f"The coffee machine of {user} is in the kitchen." for user in ("ann", "bob")}
    ids = [(await bench.tenant.remember_texts(text, user_id=user))[0] for user, text in texts.items()]
    await bench.tenant.embed(ids)
    warm = LaterWork()
    await bench.assemble(later=warm)
    await warm.do("refill_hot_set")

    for skip in ((), ("hot",), ("cold",), ("lexical",), ("hot", "cold"), ("hot", "lexical"), ("cold", "lexical")):
        assembly = await bench.assemble(bench.request(end_user=EndUser("ann"), options=AssemblyOptions(skip=skip)))

        assert ids[0] in assembly.memory_ids, skip
        assert bench.coffee in assembly.memory_ids, skip
        assert ids[1] not in assembly.memory_ids, skip
        assert "bob" not in injected(assembly), skip


async def test_another_end_users_memories_take_no_place_among_the_candidates(bench: Bench) -> None:
    """Left out by the searches themselves, not only afterwards: a limit counts what may be shown."""
    of_bob = await bench.tenant.remember_texts(*(f"Coffee machine {n}." for n in range(5)), user_id="bob")
    await bench.tenant.embed(of_bob)
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    retrieved = await bench.assembler.retriever.retrieve(
        bench.request(end_user=EndUser("ann")),
        Deadline.begin(SystemClock(), WIDE.retrieval_ms),
        SystemClock().now(),
        rows=2,
    )

    assert {evidence.memory.id for evidence in retrieved.evidence} == {bench.coffee, bench.tea}


async def test_nothing_of_another_agent_or_organization_is_injected(bench: Bench, stranger: Tenant) -> None:
    neighbour = await bench.tenant.with_agent("neighbour")
    for foreign in (neighbour, stranger):
        await foreign.embed(await foreign.remember_texts("The coffee machine of somebody else."))
        await PostgresDirectory(foreign.database).put(foreign.org_id, foreign.agent_id, "Foreign.", "system_first")

    assembly = await bench.assemble()

    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert "somebody else" not in injected(assembly)
    assert "Foreign." not in injected(assembly)


async def test_another_organization_or_its_agent_is_refused_and_nothing_is_released(
    bench: Bench, stranger: Tenant
) -> None:
    with pytest.raises(Forbidden):
        await bench.assemble(principal=stranger.principal)
    for agent_id in (stranger.agent_id, uuid4()):
        with pytest.raises(NotFound, match="no such agent"):
            await bench.assemble(bench.request(agent_id=agent_id))
    with pytest.raises(NotFound):
        await bench.assemble(principal=replace(bench.tenant.principal, environment="development"))
    with pytest.raises(Forbidden):
        await bench.assemble(
            bench.request(end_user=EndUser("bob")), principal=replace(bench.tenant.principal, end_users=("ann",))
        )


async def test_what_a_credential_may_not_name_is_refused_without_a_search(
    bench: Bench, stranger: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[UUID] = []
    retrieve = Retriever.retrieve

    async def noted(self: Retriever, request: AssembleRequest, *arguments: Any, **options: Any) -> Any:
        asked.append(request.agent_id)
        return await retrieve(self, request, *arguments, **options)

    monkeypatch.setattr(Retriever, "retrieve", noted)
    own = bench.tenant.principal

    for principal, user_id in (
        (stranger.principal, None),
        (replace(own, end_users=("ann",)), "bob"),
        (replace(own, scopes=frozenset({"query"}), end_users=("ann",)), "bob"),
    ):
        with pytest.raises(Forbidden):
            await bench.assemble(bench.request(end_user=EndUser(user_id)), principal=principal)
    refused = list(asked)
    await bench.assemble()

    assert (refused, asked) == ([], [bench.tenant.agent_id])


async def test_a_key_that_demands_an_end_user_is_not_served_without_one(bench: Bench) -> None:
    demanding = replace(bench.tenant.principal, end_user_required=True)

    with pytest.raises(InvalidRequest):
        await bench.assemble(principal=demanding)

    assert (await bench.assemble(bench.request(end_user=EndUser("ann")), principal=demanding)).fallback_reason == ""


async def test_what_expired_or_was_superseded_is_not_injected(bench: Bench) -> None:
    soon = SystemClock().now() - timedelta(seconds=1)
    await bench.tenant.remember(bench.tenant.write("An expired coffee machine.", expires_at=soon))
    (new,) = await bench.tenant.remember(
        bench.tenant.write("The coffee machine is in the cellar.", supersedes=bench.coffee)
    )

    assembly = await bench.assemble()

    assert set(assembly.memory_ids) == {bench.tea, new.memory_id}


class Later(SystemClock):
    """Two hours on."""

    def now(self) -> datetime:
        return super().now() + timedelta(hours=2)


@pytest.mark.parametrize("tier", ["postgres", "map", "hot"])
async def test_what_is_not_valid_yet_is_injected_from_the_moment_it_is(bench: Bench, tier: str) -> None:
    """And what is valid until then no longer: no write happens in between, and nothing is read anew."""
    tenant, soon = bench.tenant, SystemClock().now() + timedelta(hours=1)
    (early,) = await tenant.remember_texts("The coffee machine moves to the cellar.", valid_from=soon)
    (over,) = await tenant.remember_texts("The coffee machine is in the hall.", expires_at=soon)
    await tenant.embed([early, over])
    later = replace(bench, assembler=replace(bench.assembler, clock=Later()))
    if tier == "map":
        work = LaterWork()
        await bench.assemble(later=work)
        await work.do("memory_map")
    if tier == "hot":
        source = bench.assembler.retriever.searches.source
        rows = await source.rows(tenant.org_id, tenant.agent_id, [early, over, bench.coffee])
        change = await source.change(tenant.org_id, tenant.agent_id)
        assert change is not None
        now = SystemClock().now()
        await bench.cache.put_hot(tenant.org_id, tenant.agent_id, [entry(row, now) for row in rows], change)
    skip = ("cold", "lexical") if tier == "hot" else ("hot",)

    before = await bench.assemble(bench.request(options=AssemblyOptions(skip=skip)))
    after = await later.assemble(later.request(options=AssemblyOptions(skip=skip)))

    assert {early, over} & set(before.memory_ids) == {over}
    assert {early, over} & set(after.memory_ids) == {early}
    assert tier == "hot" or (before.tier, after.tier) == (tier, tier)


async def test_a_memory_that_is_put_off_leaves_the_turn_that_it_was_in(bench: Bench) -> None:
    work, tenant = LaterWork(), bench.tenant
    turn = bench.request(session_id=str(UUID(int=7)), turn_id="turn")
    await bench.assemble(turn, later=work)
    await work.do("turn_cache")
    life = PostgresMemoryLife(tenant.database)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, bench.tea)
    assert stored is not None
    put_off = tenant.write(TEA, valid_from=SystemClock().now() + timedelta(hours=1))
    revision = Revision(stored, replace(put_off, memory_id=bench.tea), "active", text_changed=False)
    outcome = await life.revise(tenant.principal, revision)
    assert outcome.change is not None
    await bench.cache.changed(tenant.org_id, tenant.agent_id, outcome.change, [bench.tea])

    again = await bench.assemble(turn)

    assert (again.tier, again.memory_ids) == ("turn_cache", (bench.coffee,))


async def test_memories_expire_in_the_hot_set_too(bench: Bench, observer: AsyncConnection[Any]) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    snapshot_before = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)
    await later.do("refill_hot_set")
    expired = SystemClock().now() - timedelta(seconds=1)
    store = PostgresEmbeddingStore(bench.tenant.database)
    as_of, (memory,) = await store.hot_candidates(bench.tenant.org_id, bench.tenant.agent_id, SystemClock().now(), 9)
    await bench.cache.put_hot(
        bench.tenant.org_id, bench.tenant.agent_id, [entry(replace(memory, expires_at=expired), expired)], as_of
    )

    assembly = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold", "lexical"), explain=True)))

    assert snapshot_before.hot == []
    assert assembly.memory_ids == ()
    assert [one.disposition for one in assembly.candidates or ()] == ["filtered"]


async def test_a_request_for_no_memories_gets_the_directive_alone(bench: Bench) -> None:
    assembly = await bench.assemble(bench.request(options=AssemblyOptions(max_memories=0)))

    assert assembly.memory_ids == ()
    assert DIRECTIVE in injected(assembly)
    assert assembly.fallback_reason == ""


async def test_a_cap_on_memory_tokens_holds_and_zero_is_none_beyond_the_window(bench: Bench) -> None:
    capped = await bench.assemble(bench.request(options=AssemblyOptions(memory_tokens=20)))
    window_alone = await bench.assemble(bench.request(options=AssemblyOptions(memory_tokens=0)))

    assert len(capped.memory_ids) == 1
    assert capped.was_truncated
    assert set(window_alone.memory_ids) == {bench.coffee, bench.tea}


async def test_a_conversation_without_a_question_is_no_error(bench: Bench) -> None:
    for messages in ([message("Only a system message.", role="system")], [message(None)], [message("   ")]):
        assembly = await bench.assemble(bench.request(messages=messages))

        assert list(assembly.messages[1:]) == messages
        assert assembly.fallback_reason == ""
        assert statuses(assembly)["embed"] == "skipped"


async def test_with_redis_down_the_store_serves_and_the_reason_names_the_hot_set(
    bench: Bench, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_valkey.stop()
    later = LaterWork()

    assembly = await bench.assemble(later=later)

    assert assembly.fallback_reason == "hot_error:ConnectionError"
    assert statuses(assembly) == EVERYTHING | {"hot": "error"}
    assert DIRECTIVE in injected(assembly)
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert "refill_hot_set" not in later.names
    for name in later.names:
        if name not in {"usage", "memory_map"}:
            with pytest.raises(StoreUnavailable):
                await later.do(name)


async def test_with_redis_down_a_map_answers_by_the_stores_word_and_stays_current(
    bench: Bench, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_valkey.stop()
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("memory_map")

    from_map = await bench.assemble(later=LaterWork())
    await bench.tenant.remember_texts("The coffee machine was repaired.")
    with_addition = await bench.assemble()
    await bench.tenant.remember(bench.tenant.write("The tea is in the cellar.", supersedes=bench.tea))
    without = await bench.assemble()

    assert (from_map.tier, from_map.fallback_reason) == ("map", "hot_error:ConnectionError")
    assert set(from_map.memory_ids) == {bench.coffee, bench.tea}
    assert with_addition.tier == "map"
    assert len(with_addition.memory_ids) == 3
    assert without.tier == "postgres"
    assert bench.tea not in without.memory_ids


async def test_with_postgres_down_the_cache_serves_and_the_reason_names_both_searches(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    for name in ("cache_directive", "refill_hot_set"):
        await later.do(name)
    stoppable_postgres.stop()

    assembly = await bench.assemble()

    assert assembly.fallback_reason == (
        "cold_error:OperationalError,lexical_error:OperationalError,unconfirmed:OperationalError"
    )
    assert statuses(assembly) == EVERYTHING | {"cold": "error", "lexical": "error"}
    assert DIRECTIVE in injected(assembly)
    assert assembly.memory_ids == (bench.coffee,)
    assert assembly.tier == "none"


async def test_with_both_down_the_clients_messages_pass_unchanged_and_the_reason_says_why(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_postgres.stop()
    stoppable_valkey.stop()
    request = bench.request()
    later = LaterWork()

    assembly = await bench.assemble(request, later=later)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_error:OperationalError"
    assert (assembly.memory_ids, assembly.directive_injected, assembly.total_tokens_injected) == ((), False, 0)
    assert later.names == []


async def test_with_both_down_a_caller_who_is_still_known_gets_every_cause(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    await bench.assembler.directory.agent(bench.tenant.org_id, bench.tenant.agent_id)
    stoppable_postgres.stop()
    stoppable_valkey.stop()
    request = bench.request()

    assembly = await bench.assemble(request)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason.split(",") == [
        "directive_error:OperationalError",
        "hot_error:ConnectionError",
        "cold_error:OperationalError",
        "lexical_error:OperationalError",
    ]


async def test_a_credential_that_could_not_be_checked_releases_nothing(bench: Bench) -> None:
    async def unresolved() -> Principal:
        raise StoreUnavailable("Postgres is unavailable", cause="OperationalError")

    request = bench.request()

    assembly = await bench.assembler.assemble(
        request,
        bench.tenant.principal,
        asyncio.ensure_future(unresolved()),
        Deadline.begin(SystemClock(), WIDE.assembly_ms),
        LaterWork(),
    )

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_error:OperationalError"
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


async def unidentified(bench: Bench, request: AssembleRequest, *, deadline_ms: float) -> Assembly:
    """With a credential that was accepted before, and whose check does not end."""

    async def never() -> Principal:
        await asyncio.Event().wait()
        raise AssertionError

    principal = asyncio.ensure_future(never())
    assembly = await bench.assembler.assemble(
        request,
        bench.tenant.principal,
        principal,
        Deadline.begin(SystemClock(), deadline_ms),
        LaterWork(),
    )
    principal.cancel()
    return assembly


async def test_a_credential_that_is_late_is_named_while_there_is_time_to_answer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "FORMAT_RESERVE_MS", WIDE.assembly_ms * 0.95)
    request = bench.request()

    assembly = await unidentified(bench, request, deadline_ms=WIDE.assembly_ms)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_timeout"
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


async def test_an_instance_that_is_late_gets_its_hot_set_and_map_all_the_same(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever ends composing too late, these are settled before it begins.
    settled: list[str] = []
    compose = Composer.compose

    async def noted(self: Composer, *arguments: Any, **options: Any) -> Assembly:
        settled.extend(later.names)
        return await compose(self, *arguments, **options)

    monkeypatch.setattr(Composer, "compose", noted)
    later = LaterWork()

    await bench.assemble(later=later)

    assert {"refill_hot_set", "memory_map"} <= set(settled)
    assert "usage" in later.names


@pytest.mark.parametrize("deadline_ms", [0.0, 1.0])
async def test_a_deadline_that_nothing_can_meet_passes_the_messages_unchanged(bench: Bench, deadline_ms: float) -> None:
    request = bench.request()

    assembly = await unidentified(bench, request, deadline_ms=deadline_ms)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.memory_ids == ()
    assert assembly.fallback_reason in {"assembly_timeout", "credential_timeout"}
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


async def test_a_warm_instance_answers_from_its_map_as_the_store_would(bench: Bench) -> None:
    later = LaterWork()
    request = bench.request(options=AssemblyOptions(explain=True))
    from_store = await bench.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map"):
        await later.do(name)

    again = LaterWork()
    from_map = await bench.assemble(request, later=again)

    assert (from_store.tier, from_map.tier) == ("postgres", "map")
    assert statuses(from_map) == EVERYTHING
    assert from_map.memory_ids == from_store.memory_ids
    assert from_map.sources["hot"].count == 1
    assert "memory_map" not in again.names
    evidence = [
        {one.scored.memory.id: (one.dense or 0.0, one.lexical or 0.0) for one in assembly.candidates or ()}
        for assembly in (from_store, from_map)
    ]
    assert evidence[0].keys() == evidence[1].keys()
    for identifier, found in evidence[0].items():
        assert evidence[1][identifier] == pytest.approx(found, abs=1e-4)


class LateCache(RedisAgentCache):
    """Answers in its own time, and says that it did."""

    def __init__(self, redis: RedisClient, answered: asyncio.Event) -> None:
        super().__init__(redis)
        self._answered = answered

    async def read(self, *arguments: Any, **named: Any) -> AgentSnapshot:
        await asyncio.sleep(0.03)
        snapshot = await super().read(*arguments, **named)
        self._answered.set()
        return snapshot


class LaterEmbedder(HashEmbedder):
    """Takes longer than the cache."""

    def __init__(self, answered: asyncio.Event) -> None:
        super().__init__()
        self._answered = answered

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        await self._answered.wait()
        return await super().embed(texts)


async def test_a_map_is_waited_for_as_long_as_the_question_is_being_embedded(bench: Bench) -> None:
    await warmed(bench, bench.request(session_id=str(uuid4()), turn_id="turn"))
    answered = asyncio.Event()
    impatient = replace(WIDE, cache_wait_ms=1.0)
    here = searching(bench, embedder=LaterEmbedder(answered), bounds=impatient)
    retriever = replace(here.assembler.retriever, cache=LateCache(bench.redis, answered))

    assembly = await replace(here, assembler=replace(here.assembler, retriever=retriever)).assemble()

    assert (assembly.tier, assembly.fallback_reason) == ("map", "")


class SilentStates(PostgresDirectory):
    """A store that is asked and does not answer, or fails."""

    def __init__(self, database: Database, *, fails: bool) -> None:
        super().__init__(database)
        self.asked = asyncio.Event()
        self._fails = fails

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        self.asked.set()
        if self._fails:
            raise StoreUnavailable("down", cause="OperationalError")
        await asyncio.Event().wait()
        return None


class LastCache(RedisAgentCache):
    """Answers only when the store was asked too."""

    def __init__(self, redis: RedisClient, asked: asyncio.Event) -> None:
        super().__init__(redis)
        self._asked = asked

    async def read(self, *arguments: Any, **named: Any) -> AgentSnapshot:
        await self._asked.wait()
        return await super().read(*arguments, **named)


@pytest.mark.parametrize("fails", [False, True], ids=["hangs", "fails"])
async def test_a_directive_that_the_cache_has_late_counts_where_the_store_says_nothing(
    bench: Bench, fails: bool
) -> None:
    states = SilentStates(bench.tenant.database, fails=fails)
    await bench.cache.put_directive(bench.tenant.org_id, bench.tenant.agent_id, Directive(5, "From the cache."))
    here = searching(bench)
    bounds = replace(WIDE, directive_ms=2_000)
    cache = LastCache(bench.redis, states.asked)
    retriever = replace(here.assembler.retriever, cache=cache, states=states, bounds=bounds)

    assembly = await replace(here, assembler=replace(here.assembler, retriever=retriever)).assemble()

    why = "OperationalError" if fails else "timeout"
    assert assembly.directive_version == 5
    # This instance was never told that the hot set is right.
    assert assembly.fallback_reason == f"hot_error:Unconfirmed,unconfirmed:{why}"


async def test_the_map_goes_on_without_the_store_and_the_answer_says_so(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    for name in ("cache_directive", "memory_map"):
        await later.do(name)
    stoppable_postgres.stop()

    assembly = await bench.assemble()

    assert (assembly.tier, assembly.fallback_reason) == ("map", "unconfirmed:OperationalError")
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}


@pytest.mark.parametrize("announced", [True, False])
async def test_a_memory_that_was_superseded_comes_neither_from_the_map_nor_from_the_turn_cache(
    bench: Bench, announced: bool
) -> None:
    """Also when the cache has lost the counter that would have told."""
    request = bench.request(session_id=str(uuid4()), turn_id="turn")
    later = LaterWork()
    await bench.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map", "turn_cache"):
        await later.do(name)
    writer = PostgresMemories(bench.tenant.database)
    replacing = bench.tenant.write("The coffee machine is in the cellar.", supersedes=bench.coffee)
    report = await writer.write(bench.tenant.principal, {0: replacing})
    org_id, agent_id = bench.tenant.org_id, bench.tenant.agent_id
    await bench.cache.changed(org_id, agent_id, report.changes[agent_id], [bench.coffee])
    if not announced:
        await bench.redis.drop(f"{org_id}:change:{{{agent_id}}}")

    of_turn = await bench.assemble(request)
    of_another = await bench.assemble(replace(request, turn_id="another"))

    assert (of_turn.tier, of_another.tier) == ("turn_cache", "postgres")
    assert of_turn.memory_ids == (bench.tea,)
    assert bench.coffee not in of_another.memory_ids
    assert replacing.memory_id in of_another.memory_ids


async def warmed(bench: Bench, request: AssembleRequest) -> None:
    """With hot set, map and turn cache."""
    later = LaterWork()
    await bench.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map", "turn_cache"):
        await later.do(name)


FORGETTING: dict[str, Callable[[Bench], Awaitable[object]]] = {
    "deleted": lambda bench: PostgresMemoryLife(bench.tenant.database).forget(
        bench.tenant.principal, bench.coffee, SystemClock().now()
    ),
    "superseded": lambda bench: bench.tenant.remember(bench.tenant.write("Elsewhere.", supersedes=bench.coffee)),
}


@pytest.mark.parametrize("how", FORGETTING)
@pytest.mark.parametrize("skip", [(), ("cold", "lexical")], ids=["searched", "hot only"])
async def test_what_is_forgotten_while_the_cache_cannot_be_told_is_in_no_answer_after_it(
    bench: Bench, how: str, skip: tuple[str, ...]
) -> None:
    request = bench.request(session_id=str(uuid4()), turn_id="turn", options=AssemblyOptions(skip=skip))
    await warmed(bench, replace(request, options=AssemblyOptions()))
    before = await bench.assemble(request)

    await FORGETTING[how](bench)
    later = LaterWork()
    of_turn = await bench.assemble(request, later=later)
    of_another = await bench.assemble(replace(request, turn_id="another"))
    await later.do("tell_cache")
    told = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)

    assert bench.coffee in before.memory_ids
    assert bench.coffee not in of_turn.memory_ids
    assert bench.coffee not in of_another.memory_ids
    assert told.hot == []
    assert told.change is not None and told.change.removals == 1


async def test_a_text_that_changed_while_the_cache_could_not_be_told_is_the_new_one(bench: Bench) -> None:
    request = bench.request(options=AssemblyOptions(skip=("cold", "lexical")))
    await warmed(bench, bench.request(session_id=str(uuid4())))
    stored = await PostgresMemories(bench.tenant.database).get(bench.tenant.principal, bench.coffee)
    assert stored is not None
    write = replace(bench.tenant.write("The coffee machine is in the attic."), memory_id=bench.coffee)
    life = PostgresMemoryLife(bench.tenant.database)
    await life.revise(bench.tenant.principal, Revision(stored, write, "active", text_changed=True))

    assembly = await bench.assemble(request)

    assert "kitchen" not in injected(assembly)


async def test_a_directive_that_was_written_while_the_cache_could_not_be_told_is_in_force(bench: Bench) -> None:
    await warmed(bench, bench.request(session_id=str(uuid4())))
    await PostgresDirectory(bench.tenant.database).put(
        bench.tenant.org_id, bench.tenant.agent_id, "Answer in verse.", "system_first"
    )

    later = LaterWork()
    assembly = await bench.assemble(later=later)
    await later.do("cache_directive")
    told = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)

    assert "Answer in verse." in injected(assembly)
    assert DIRECTIVE not in injected(assembly)
    assert told.directive is not None and told.directive.version == 2


async def test_the_same_turn_gets_the_same_memories_without_embedding_and_search_from_another_instance_too(
    bench: Bench,
) -> None:
    request = bench.request(session_id=str(uuid4()), turn_id="turn-1")
    calls: list[Counter[str]] = [Counter(), Counter()]
    one, other = (counting(bench, counter) for counter in calls)
    later = LaterWork()
    first = await one.assemble(request, later=later)
    await later.do("turn_cache")
    searched = calls[0].copy()

    again = LaterWork()
    same = await one.assemble(request, later=again)
    elsewhere = await other.assemble(request, later=again)
    new_turn = await other.assemble(replace(request, turn_id="turn-2"))

    assert searched == {"embed": 1, "nearest": 1, "matching": 1}
    assert calls[0] == searched
    assert calls[1] == searched
    assert [one.tier for one in (first, same, elsewhere, new_turn)] == [
        "postgres",
        "turn_cache",
        "turn_cache",
        "postgres",
    ]
    assert same.memory_ids == elsewhere.memory_ids == first.memory_ids
    assert same.memories_available == first.memories_available == 2
    assert statuses(same) == EVERYTHING | {"embed": "skipped", "lexical": "skipped"}
    assert same.fallback_reason == ""
    # Counted when it was first asked.
    assert "usage" not in again.names


async def test_without_a_turn_id_the_last_question_and_its_place_tell_turns_of_a_session_apart(bench: Bench) -> None:
    request = bench.request(session_id=str(uuid4()))
    later = LaterWork()
    await bench.assemble(request, later=later)
    await later.do("turn_cache")
    tool = {"role": "tool", "tool_call_id": "call", "content": "Done."}

    same = await bench.assemble(replace(request, messages=[*request.messages, tool]))
    further = await bench.assemble(replace(request, messages=[*request.messages, tool, message(QUESTION)]))
    without_session = await bench.assemble(replace(request, session_id=None))
    for_somebody = await bench.assemble(replace(request, end_user=EndUser("ann")))

    assert [one.tier for one in (same, further, without_session, for_somebody)] == [
        "turn_cache",
        "postgres",
        "postgres",
        "postgres",
    ]


async def test_a_partial_retrieval_is_not_remembered_for_the_turn(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    warm = LaterWork()
    await bench.assemble(later=warm)
    for name in ("cache_directive", "refill_hot_set"):
        await warm.do(name)
    stoppable_postgres.stop()
    later = LaterWork()

    assembly = await bench.assemble(bench.request(session_id=str(uuid4()), turn_id="turn"), later=later)

    assert assembly.memory_ids == (bench.coffee,)
    assert assembly.fallback_reason != ""
    assert "turn_cache" not in later.names


async def test_with_little_room_fewer_candidates_are_asked_for_and_with_none_no_search_is_made(bench: Bench) -> None:
    calls: Counter[str] = Counter()
    here = counting(bench, calls)

    little = await here.assemble(bench.request(options=AssemblyOptions(memory_tokens=30, explain=True)))
    asked = calls.copy()
    none = await here.assemble(bench.request(messages=[message("fish " * 200_000 + QUESTION)], model="gpt-4"))

    assert asked == {"embed": 1, "nearest": 1, "matching": 1}
    assert len(little.memory_ids) == 1
    assert calls["nearest"] + calls["matching"] == 2
    assert none.memory_ids == ()
    assert none.fallback_reason == ""


async def test_thirty_memories_are_all_found_by_the_cold_search_alone(bench: Bench) -> None:
    """Embedded by the packaged model, searched in Postgres; `make bench` says in what time."""
    embedder = OnnxEmbedder(MODELS)
    here = replace(bench, tenant=await bench.tenant.with_agent("thirty"))
    texts = [f"The coffee machine on floor {floor} was repaired in May." for floor in range(30)]
    ids = await here.tenant.remember_texts(*texts)
    await here.tenant.set_vectors(ids, await embedder.embed(texts))
    here = searching(here, embedder=Unnamed(embedder))
    options = AssemblyOptions(skip=("hot", "lexical"), relevance_floor=0.0, explain=True)

    assembly = await here.assemble(here.request(options=options))

    assert assembly.tier == "postgres"
    assert statuses(assembly) == {**EVERYTHING, "hot": "skipped", "lexical": "skipped"}
    assert assembly.candidates is not None
    assert {one.scored.memory.id for one in assembly.candidates} == set(ids)


class Unnamed:
    """The packaged model under the name of these tests' vectors."""

    model = MODEL

    def __init__(self, embedder: OnnxEmbedder) -> None:
        self._embedder = embedder
        self.dimensions = embedder.dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._embedder.embed(texts)


LONG_HISTORY = [message(f"Turn {turn}: " + "we talked about the harvest " * 60) for turn in range(400)]
"""Some 128,000 tokens."""


async def test_a_history_of_128000_tokens_costs_no_memory_and_is_counted_a_little_further_each_time(
    bench: Bench,
) -> None:
    request = bench.request(model="gpt-4.1", messages=[*LONG_HISTORY, message(QUESTION)])

    first = await bench.assemble(request)
    exact = first
    for _ in range(5):
        exact = await bench.assemble(request)

    assert first.budget is not None and exact.budget is not None
    assert (first.fallback_reason, first.budget.exact) == ("", False)
    assert set(first.memory_ids) == {bench.coffee, bench.tea}
    assert 120_000 < exact.budget.messages < 140_000
    assert exact.budget.messages <= first.budget.messages
    assert exact.budget.exact


class Stuck:
    """Counts, but never ends with a long conversation."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        if len(texts) > len(LONG_HISTORY):
            await asyncio.Event().wait()
        return await self._counter.count_many(texts, family)


async def test_counting_that_does_not_end_is_given_up_and_estimated(bench: Bench) -> None:
    composer = replace(bench.assembler.composer, counter=Stuck(bench.assembler.composer.counter))
    here = replace(bench, assembler=replace(bench.assembler, composer=composer))
    request = here.request(model="gpt-4.1", messages=[*LONG_HISTORY, message(QUESTION)])

    for _ in range(20):
        assembly = await here.assemble(request, deadline_ms=300)
        if not assembly.fallback_reason:
            break

    assert assembly.budget is not None
    assert (assembly.budget.exact, assembly.fallback_reason) == (False, "")
    assert assembly.budget.messages > 128_000
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}


async def test_requests_given_up_early_leave_nothing_behind_for_the_next(bench: Bench) -> None:
    for tenths in range(40):
        assembly = await bench.assemble(deadline_ms=tenths / 4)
        assert list(assembly.messages[-1:]) == list(bench.request().messages)
    gc.collect()  # a coroutine that nobody awaited warns here, and a warning fails the test

    assembly = await bench.assemble()

    assert assembly.fallback_reason == ""
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}


async def test_many_requests_at_once_each_get_their_own_answer(bench: Bench, stranger: Tenant) -> None:
    await stranger.embed(await stranger.remember_texts("The coffee machine of somebody else."))
    theirs = replace(bench, tenant=stranger)

    answers = await asyncio.gather(*((bench if number % 2 else theirs).assemble() for number in range(20)))

    for number, assembly in enumerate(answers):
        assert ("somebody else" in injected(assembly)) == (number % 2 == 0)
        assert (COFFEE in injected(assembly)) == (number % 2 == 1)


async def test_warming_needs_no_organization_and_no_server(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    await bench.assembler.warm()
    stoppable_postgres.stop()
    stoppable_valkey.stop()

    await bench.assembler.warm()


async def test_hypotheses_made_after_one_turn_search_beside_the_message_of_the_next(
    bench: Bench, redis: RedisClient
) -> None:
    ceramics = "Her evenings belong to ceramics."
    (stored,) = await bench.tenant.remember_texts(ceramics)
    await bench.tenant.embed([stored])
    asked = bench.request(session_id="monday")

    async with chat_server([f"- {ceramics}"]) as chat:
        server = JsonServer(chat.url, seconds=20)
        prefetcher = Prefetcher(OpenAiLanguageModel(server, "small"), HashEmbedder(), RedisVectorCache(redis, 384))
        warm = searching(bench, prefetcher=prefetcher)
        later = LaterWork()
        first = await warm.assemble(asked, later=later)
        await later.do("prefetch_hypotheses")
        turn = replace(asked, messages=[*asked.messages, message("Thanks!"), message("What does she do then?")])
        second = await warm.assemble(turn)
        elsewhere = await warm.assemble(replace(turn, session_id="tuesday"))
        await server.close()

    assert [stored in assembly.memory_ids for assembly in (first, second, elsewhere)] == [False, True, False]
    assert len(chat.asked) == 1


@pytest.mark.parametrize("where", ["postgres", "map"])
@pytest.mark.parametrize("merged", [False, True])
async def test_what_another_end_user_writes_changes_no_number_of_an_assembly(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, where: str, merged: bool
) -> None:
    tenant = bench.tenant
    here = replace(bench, assembler=replace(bench.assembler, clock=strangers.StandingMoment()))
    await strangers.furnish(tenant)
    request = bench.request(
        messages=[message(strangers.QUESTION)], end_user=EndUser("ada"), options=AssemblyOptions(explain=True)
    )

    async def announced() -> Assembly:
        ((version, removals),) = await tenant.fetch("SELECT version, removals FROM agents")
        await bench.cache.changed(tenant.org_id, tenant.agent_id, Change(version, removals))
        later = LaterWork()
        assembly = await here.assemble(request, later=later)
        if where == "map" and "memory_map" in later.names:
            await later.do("memory_map")
        return assembly

    await announced()
    before = await announced()
    await strangers.bob_writes(tenant)
    if merged:
        await strangers.merge(tenant, monkeypatch)
    after = await announced()

    assert (before.tier, after.tier) == (where, where)
    assert len(before.candidates or ()) == len(strangers.SHARED) + len(strangers.OF_ADA) + 1
    assert numbers_of(after) == numbers_of(before)


def numbers_of(assembly: Assembly) -> Any:
    """All but the clock's, and the injected text, which has a nonce."""
    return strangers.numbers(assembly.as_json()["metadata"])
