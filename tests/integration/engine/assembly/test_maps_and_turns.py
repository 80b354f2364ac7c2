"""Answers from the instance's map and from the turn cache."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.identity.scope import EndUser
from remembrancer.errors import RequestError
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.settings import Bounds
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.builders import message
from tests.integration.engine.assembly.bench import (
    COFFEE,
    EVERYTHING,
    QUESTION,
    WIDE,
    Bench,
    counting,
    searching,
    statuses,
    warmed,
)
from tests.integration.engine.later import LaterWork


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
        {
            one.scored.memory.id: (one.evidence.dense or 0.0, one.evidence.lexical or 0.0)
            for one in assembly.candidates or ()
        }
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


class Impatient(Bounds):
    """Hardly waits for a change counter."""

    cache_wait_ms = 1.0


class Hasty(Bounds):
    """Does not wait for another instance's map."""

    segment_ms = 0.0


async def test_a_map_is_waited_for_as_long_as_the_question_is_being_embedded(bench: Bench) -> None:
    await warmed(bench, bench.request(session_id=str(uuid4()), turn_id="turn"))
    answered = asyncio.Event()
    embedding = QueryEmbedding(LaterEmbedder(answered), most_attempts=1)
    here = searching(bench, embedding=embedding, cache=LateCache(bench.redis, answered))

    assembly = await here.bounded(Impatient(**asdict(WIDE))).assemble()

    assert (assembly.tier, assembly.fallback_reason) == ("map", "")


class NotedCache(RedisAgentCache):
    """Notes each read."""

    def __init__(self, client: RedisClient, begun: list[str]) -> None:
        super().__init__(client)
        self._begun = begun

    async def read(self, *arguments: Any, **named: Any) -> AgentSnapshot:
        self._begun.append("read")
        return await super().read(*arguments, **named)


class NotedEmbedder(HashEmbedder):
    """Notes each text."""

    def __init__(self, begun: list[str]) -> None:
        super().__init__()
        self._begun = begun

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._begun.append("embed")
        return await super().embed(texts)


async def test_the_cache_is_asked_before_the_question_is_embedded(bench: Bench) -> None:
    begun: list[str] = []
    embedding = QueryEmbedding(NotedEmbedder(begun), most_attempts=1)
    here = searching(bench, embedding=embedding, cache=NotedCache(bench.redis, begun))

    await here.assemble()

    assert begun == ["read", "embed"]


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
    assert statuses(same) == EVERYTHING | {"embed": "skipped", "lexical": "skipped", "told": "ok"}
    assert same.fallback_reason == ""
    # Counted when it was first asked.
    assert "usage" not in again.names


async def test_the_same_turn_tells_of_the_same_duplicates(bench: Bench) -> None:
    again = await bench.tenant.remember_texts(COFFEE.replace(".", "!"))
    await bench.tenant.embed(again)
    request = bench.request(session_id=str(uuid4()), turn_id="turn-1")
    later = LaterWork()

    first = await bench.assemble(request, later=later)
    await later.do("turn_cache")
    same = await bench.assemble(request)

    assert (first.tier, same.tier) == ("postgres", "turn_cache")
    assert (first.duplicates, same.duplicates) == (1, 1)
    assert same.memory_ids == first.memory_ids


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


async def test_the_first_request_on_an_instance_is_answered_from_the_map_of_another_one(bench: Bench) -> None:
    request = bench.request(options=AssemblyOptions(explain=True))
    calls: list[Counter[str]] = [Counter(), Counter()]
    one, other = (counting(bench, counter, travels=True) for counter in calls)
    later = LaterWork()
    from_store = await one.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map"):
        await later.do(name)

    first = await other.assemble(request)

    assert (from_store.tier, first.tier) == ("postgres", "map")
    assert (statuses(first), first.fallback_reason) == (EVERYTHING, "")
    assert first.memory_ids == from_store.memory_ids
    assert calls[1] == {"embed": 1}


async def test_a_map_that_arrives_late_delays_no_answer_and_serves_the_next_request(bench: Bench) -> None:
    arrives = asyncio.Event()
    one = counting(bench, Counter(), travels=True)
    other = counting(bench, Counter(), travels=True, arrives=arrives)
    later = LaterWork()
    await one.assemble(later=later)
    await later.do("memory_map")

    first = await other.bounded(Hasty(**asdict(WIDE))).assemble()
    arrives.set()
    arriving = other.assembler.retriever.retrieval.searcher.maps.arriving(bench.tenant.org_id, bench.tenant.agent_id)
    assert arriving is not None
    await arriving
    following = await other.assemble()

    assert (first.tier, first.fallback_reason) == ("postgres", "")
    assert (following.tier, following.fallback_reason) == ("map", "")


async def test_a_request_that_is_refused_reads_no_map(bench: Bench) -> None:
    one, other = (counting(bench, Counter(), travels=True) for _ in range(2))
    later = LaterWork()
    await one.assemble(later=later)
    await later.do("memory_map")
    nobody = replace(bench.tenant.principal, org_id=uuid4())

    with pytest.raises(RequestError):
        await other.assemble(principal=nobody)

    assert other.assembler.retriever.retrieval.searcher.maps.find(bench.tenant.org_id, bench.tenant.agent_id) is None
