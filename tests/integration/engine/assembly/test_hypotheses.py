"""Hypotheses that a language model made after one turn, used by the next."""

import math
from dataclasses import replace

from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.vector_cache import RedisVectorCache
from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser
from tests.builders import message
from tests.integration.engine.assembly.bench import Bench, searching
from tests.integration.engine.chat_server import chat_server
from tests.integration.engine.later import LaterWork


async def test_hypotheses_made_after_one_turn_search_beside_the_message_of_the_next(
    bench: Bench, redis: RedisClient
) -> None:
    ceramics = "Her evenings belong to ceramics."
    (stored,) = await bench.tenant.remember_texts(ceramics)
    await bench.tenant.embed([stored])
    asked = bench.request(session_id="monday")

    async with chat_server([f"- {ceramics}"]) as chat:
        server = JsonServer(chat.url, seconds=20)
        language_model = OpenAiLanguageModel(server, "small")
        hypothesiser = Hypothesiser(language_model, HashEmbedder(), RedisVectorCache(redis, 384), prepares=True)
        warm = searching(bench, hypothesiser=hypothesiser)
        # A deadline that leaves no time to make any in the turn.
        retriever = replace(warm.assembler.retriever, hypotheses_from_ms=math.inf)
        warm = replace(warm, assembler=replace(warm.assembler, retriever=retriever))
        later = LaterWork()
        first = await warm.assemble(asked, later=later)
        await later.do("prefetch_hypotheses")
        turn = replace(asked, messages=[*asked.messages, message("Thanks!"), message("What does she do then?")])
        second = await warm.assemble(turn)
        elsewhere = await warm.assemble(replace(turn, session_id="tuesday"))
        await server.close()

    assert [stored in assembly.memory_ids for assembly in (first, second, elsewhere)] == [False, True, False]
    assert len(chat.asked) == 1
