"""What is injected when every server is there."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Directive
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from remembrancer_client import without_injected
from tests.builders import MODELS, message
from tests.integration.engine.assembly.bench import (
    COFFEE,
    DIRECTIVE,
    EVERYTHING,
    QUESTION,
    TEA,
    Bench,
    cache_first,
    counting,
    injected,
    searching,
    statuses,
)
from tests.integration.engine.later import LaterWork
from tests.integration.engine.tenant import MODEL, Tenant


async def test_with_everything_there_the_directive_stands_in_the_system_message_and_memories_before_the_question(
    bench: Bench,
) -> None:
    request = bench.request(
        messages=[
            message("You are the client's own system message.", role="system"),
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call", "unknown": {"deep": 1}}], "name": "x"},
            message([{"type": "text", "text": QUESTION}, {"type": "image_url", "image_url": {"url": "data:,"}}]),
        ],
        options=AssemblyOptions(placement="turn"),
    )

    assembly = await bench.assemble(request)

    assert assembly.fallback_reason == ""
    assert statuses(assembly) == EVERYTHING
    assert without_injected(assembly.messages) == list(request.messages)
    system, call, question = assembly.messages
    assert DIRECTIVE in system["content"] and COFFEE not in system["content"]
    assert call == request.messages[1]
    assert question["content"][1:] == request.messages[2]["content"]
    assert COFFEE in question["content"][0]["text"] and TEA in question["content"][0]["text"]
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert (assembly.directive_injected, assembly.directive_version, assembly.tier) == (True, 1, "postgres")


async def test_the_tokens_reported_are_those_of_the_injected_text(bench: Bench, counter: TiktokenCounter) -> None:
    assembly = await bench.assemble(bench.request(options=AssemblyOptions(placement="turn")))

    system, question = (str(sent["content"]) for sent in assembly.messages)
    texts = [system.removesuffix("\n"), question.removesuffix(f"\n{QUESTION}")]
    assert assembly.total_tokens_injected == sum(counter.count(text, "o200k_base").tokens for text in texts)


async def test_placed_with_the_directive_memories_stand_in_the_system_message(bench: Bench) -> None:
    assembly = await bench.assemble(bench.request(options=AssemblyOptions(placement="system")))

    system, question = assembly.messages
    assert str(system["content"]).index(DIRECTIVE) < str(system["content"]).index(COFFEE)
    assert question == message(QUESTION)


async def test_the_directive_comes_from_the_store_then_from_the_cache(bench: Bench) -> None:
    later = LaterWork()
    first = await bench.assemble(later=later)
    uncached = (await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 1)).directive
    await later.do("cache_directive")
    again = LaterWork()
    second = await cache_first(bench).assemble(later=again)
    without = await replace(bench, tenant=await bench.tenant.with_agent("undirected")).assemble()

    assert uncached is None
    assert [one.sources["directive"].origin for one in (first, second, without)] == ["db", "cache", "none"]
    assert "cache_directive" in later.names
    assert "cache_directive" not in again.names
    assert DIRECTIVE in injected(first)
    assert DIRECTIVE in injected(second)


async def test_a_cached_directive_is_taken_without_the_store(bench: Bench) -> None:
    cached = Directive(version=1, text="From the cache.")
    await bench.cache.put_directive(bench.tenant.org_id, bench.tenant.agent_id, cached)

    assembly = await cache_first(bench).assemble()

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


async def test_a_request_for_no_memories_gets_the_directive_alone_and_embeds_nothing(bench: Bench) -> None:
    calls = Counter[str]()

    assembly = await counting(bench, calls).assemble(bench.request(options=AssemblyOptions(max_memories=0)))

    assert calls == {}
    assert statuses(assembly)["embed"] == "skipped"
    assert assembly.memory_ids == ()
    assert DIRECTIVE in injected(assembly)
    assert assembly.fallback_reason == ""


async def test_the_search_by_words_has_a_number_of_candidates_of_its_own(bench: Bench) -> None:
    one = replace(bench.assembler.retriever, lexical_rows=1)

    several = await bench.assemble()
    assembly = await replace(bench, assembler=replace(bench.assembler, retriever=one)).assemble()

    assert (several.sources["lexical"].count, assembly.sources["lexical"].count) == (2, 1)


async def test_a_cap_on_memory_tokens_holds_and_zero_is_none_beyond_the_window(bench: Bench) -> None:
    capped = await bench.assemble(bench.request(options=AssemblyOptions(memory_tokens=20)))
    window_alone = await bench.assemble(bench.request(options=AssemblyOptions(memory_tokens=0)))

    assert len(capped.memory_ids) == 1
    assert capped.was_truncated
    assert set(window_alone.memory_ids) == {bench.coffee, bench.tea}


async def test_a_conversation_without_a_question_is_no_error(bench: Bench) -> None:
    for messages in ([message("Only a system message.", role="system")], [message(None)], [message("   ")]):
        assembly = await bench.assemble(bench.request(messages=messages))

        assert without_injected(assembly.messages) == messages
        assert [one["role"] for one in assembly.messages][:1] == ["system"]
        assert assembly.fallback_reason == ""
        assert statuses(assembly)["embed"] == "skipped"


async def test_what_was_injected_is_counted_once_with_an_id(bench: Bench) -> None:
    later = LaterWork()

    assembly = await bench.assemble(later=later)
    await later.do("usage")

    (event,) = bench.queue.messages
    assert event["memory_ids"] == [str(identifier) for identifier in assembly.memory_ids]
    assert (event["org_id"], event["kind"]) == (str(bench.tenant.org_id), "assembly")
    assert COFFEE not in str(event)


async def test_no_memory_is_considered_twice(bench: Bench) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    assembly = await bench.assemble(bench.request(options=AssemblyOptions(explain=True)))

    considered = [one.scored.memory.id for one in assembly.candidates or ()]
    assert len(considered) == len(set(considered)) == 2
    assert assembly.memories_available == 2


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
    here = searching(here, embedding=QueryEmbedding(Unnamed(embedder), most_attempts=1))
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


async def test_many_requests_at_once_each_get_their_own_answer(bench: Bench, stranger: Tenant) -> None:
    await stranger.embed(await stranger.remember_texts("The coffee machine of somebody else."))
    theirs = replace(bench, tenant=stranger)

    answers = await asyncio.gather(*((bench if number % 2 else theirs).assemble() for number in range(20)))

    for number, assembly in enumerate(answers):
        assert ("somebody else" in injected(assembly)) == (number % 2 == 0)
        assert (COFFEE in injected(assembly)) == (number % 2 == 1)
