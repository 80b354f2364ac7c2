"""Hypotheses that a language model made in the turn."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.query_cache import RedisQueryCache
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.runtime.endpoints.assembly_api import AssemblyApi
from remembrancer.runtime.http.messages import HttpRequest
from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.builders import DIMENSIONS, assemble_body, message
from tests.integration.engine.assembly.bench import Accepted, Bench, Counted, searching
from tests.integration.engine.chat_server import ChatServer, chat_server
from tests.integration.engine.later import LaterWork
from tests.integration.engine.tenant import MODEL


class KnownVectors:
    """Serves the Embedder port for the texts of one test, and counts its calls."""

    model = MODEL
    dimensions = DIMENSIONS

    def __init__(self, vectors: dict[str, Vector]) -> None:
        self.vectors = vectors
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        return np.stack([self.vectors[text] for text in texts])


@dataclass(slots=True)
class Endpoint:
    """`POST /v1/context/assemble` of an agent loop that gives 20 seconds; what is left for after the response is done.

    `calls` counts what the model, the embedder and the store's searches were asked.
    """

    bench: Bench
    chat: ChatServer
    embedder: KnownVectors
    searched: Counter[str]

    @property
    def calls(self) -> tuple[int, int, int]:
        return len(self.chat.asked), self.embedder.calls, self.searched.total()

    async def assemble(self, turn_id: str, *history: dict[str, Any], **options: Any) -> dict[str, Any]:
        tenant = self.bench.tenant
        body = assemble_body(
            org_id=str(tenant.org_id),
            agent_id=str(tenant.agent_id),
            session_id=str(UUID(int=int(turn_id))),
            turn_id=turn_id,
            messages=[message(QUESTION), *history],
            options=options,
        )
        headers = {"x-deadline-ms": "20000"}
        request = HttpRequest("POST", "/", headers, {}, json.dumps(body).encode(), "r", remaining_ms=60_000)
        api = AssemblyApi(self.bench.assembler, Accepted(tenant.principal), SystemClock(), 48)  # type: ignore[arg-type]
        later = LaterWork()
        response = await api.assemble(request, later)  # type: ignore[arg-type]
        await later.do_all(without={"memory_map"})  # searches of the store are what is counted
        assert response.status == 200
        assert isinstance(response.body, dict)
        return response.body


OBAN = "Ada lives beside a harbour."
CERAMICS = "Her evenings belong to ceramics."
PLUMBER = "Mrs Bell mends pipes."
STATEMENTS = ("Ada's home is near boats.", "She spends her evenings with clay.")
QUESTION = "What should I know before visiting?"
TOOLS = (
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "map"}}]},
    {"role": "tool", "content": "56.4 degrees north", "tool_call_id": "1"},
)


@pytest.fixture
async def endpoint(bench: Bench, redis: RedisClient) -> AsyncIterator[tuple[Endpoint, list[UUID]]]:
    """Three memories with known vectors, an edge from the first to the third; two hypotheses, two best, one hop."""
    first, second, third, question = np.eye(4, DIMENSIONS, dtype=np.float32)
    tenant = await bench.tenant.with_agent("harbour")
    memories = await tenant.remember_texts(OBAN, CERAMICS, PLUMBER)
    await tenant.set_vectors(memories, np.stack([first, second, third]))
    relation = Relation(uuid4(), memories[0], memories[2], "supports", 1.0)
    assert await PostgresMemoryLife(tenant.database).relate(tenant.principal, relation) is not None

    def between(one: Vector, other: Vector, cosine: float) -> Vector:
        vector: Vector = (cosine * one + np.sqrt(1 - cosine**2) * other).astype(np.float32)
        return vector

    embedder = KnownVectors(
        {
            "rehearsal": question,
            QUESTION: between(second, question, 0.6),
            STATEMENTS[0]: between(first, question, 0.95),
            STATEMENTS[1]: between(second, question, 0.8),
        }
    )
    calls: Counter[str] = Counter()
    async with chat_server([f"{number}. {text}" for number, text in enumerate(STATEMENTS, 1)]) as chat:
        server = JsonServer(chat.url, seconds=20)
        hypothesiser = Hypothesiser(OpenAiLanguageModel(server, "small"), embedder, RedisQueryCache(redis), count=2)
        store = Counted(bench.assembler.retriever.retrieval.searcher.store, HashEmbedder(), calls)
        here = searching(bench, hypothesiser=hypothesiser, embedding=QueryEmbedding(embedder), store=store)
        retriever = replace(here.assembler.retriever, top_k=2, hops=1)
        here = replace(here, tenant=tenant, assembler=replace(here.assembler, retriever=retriever))
        yield Endpoint(here, chat, embedder, calls), memories
        await server.close()


async def test_an_agent_loop_gets_what_hypotheses_and_relations_find_and_its_sub_turns_cost_nothing(
    endpoint: tuple[Endpoint, list[UUID]],
) -> None:
    here, memories = endpoint
    expected = [str(identifier) for identifier in memories]

    first = await here.assemble("1")
    # The model once; the question and the statements as one batch; words, and a search for each of three vectors.
    assert here.calls == (1, 2, 4)
    again = await here.assemble("1", *TOOLS)
    later = await here.assemble("1", *TOOLS, *TOOLS, message("That is all.", role="assistant"))
    assert here.calls == (1, 2, 4)
    following = await here.assemble("2")
    assert here.calls == (2, 4, 8)

    for answer in (first, again, later, following):
        assert answer["metadata"]["memory_ids"] == expected
        assert answer["metadata"]["fallback_reason"] == ""
        block = answer["messages"][0]["content"]
        assert block.index(OBAN) < block.index(CERAMICS) < block.index(PLUMBER)
        assert block.endswith(QUESTION)
    assert [one["metadata"]["tier"] for one in (first, again, later)] == ["postgres", "turn_cache", "turn_cache"]

    here.chat.instead = (500, b"")
    plain = await here.assemble("3")
    assert (plain["metadata"]["memory_ids"], plain["metadata"]["fallback_reason"]) == ([expected[1]], "")
    here.chat.instead = None
    # Within a turn nothing changes.
    again = await here.assemble("3", *TOOLS)
    assert (again["metadata"]["memory_ids"], again["metadata"]["tier"]) == ([expected[1]], "turn_cache")

    asked = here.calls[0]
    without = await here.assemble("4", hyde=False)
    assert (without["metadata"]["memory_ids"], here.calls[0]) == ([expected[1]], asked)

    capped, uncapped = await here.assemble("5", memory_tokens=30), await here.assemble("6", memory_tokens=0)
    assert len(capped["metadata"]["memory_ids"]) < 3
    assert uncapped["metadata"]["memory_ids"] == expected
    assert uncapped["metadata"]["budget"]["available"] == uncapped["metadata"]["budget"]["memory"]


async def test_hypotheses_that_are_late_are_left_out_without_a_word(endpoint: tuple[Endpoint, list[UUID]]) -> None:
    here, memories = endpoint
    here.chat.hangs = True

    plain = await here.assemble("1")

    assert (plain["metadata"]["memory_ids"], plain["metadata"]["fallback_reason"]) == ([str(memories[1])], "")
    assert plain["metadata"]["timings_ms"]["total"] < 3_000


async def test_warming_an_instance_asks_no_language_model(endpoint: tuple[Endpoint, list[UUID]]) -> None:
    here, _ = endpoint

    await here.bench.assembler.warm()

    assert here.chat.asked == []
