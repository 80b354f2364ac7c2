"""Queries with hypotheses of a language model that is a local server of the chat-completions protocol."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.retrieval.intents import TIERS
from tests.integration.engine.assembly.bench import Counted
from tests.integration.engine.chat_server import ChatServer, chat_server, completion
from tests.integration.engine.query_bench import QueryBench, ids, query_bench, without_maps
from tests.integration.engine.tenant import Tenant

OBAN = "Ada lives near the harbour of Oban."
CERAMICS = "Her evenings belong to ceramics."
PLUMBER = "Mrs Bell mends pipes."
QUESTION = "What should I know before visiting?"
CONVERSATION = [
    {"role": "user", "content": "We spoke about everything else."},
    {"role": "assistant", "content": "That was then."},
    {"role": "user", "content": "I want to visit Ada."},
    {"role": "assistant", "content": [{"type": "text", "text": "Good idea."}, {"type": "tool_use", "name": "map"}]},
    {"role": "tool", "content": "56.4 degrees north"},
]


@pytest.fixture
async def model() -> AsyncIterator[ChatServer]:
    """Says, as a list, what two of the memories say: hashed words make them equal to these."""
    async with chat_server([f"1. {OBAN}", f'2. "{CERAMICS}"']) as server:
        yield server


Make = Callable[..., QueryBench]


@pytest.fixture
async def make(tenant: Tenant, redis: RedisClient, model: ChatServer) -> AsyncIterator[Make]:
    server = JsonServer(model.url, seconds=20)

    def make(**options: Any) -> QueryBench:
        return query_bench(tenant, redis, language_model=OpenAiLanguageModel(server, "small"), **options)

    yield make
    await server.close()


@pytest.fixture
async def memories(tenant: Tenant) -> list[UUID]:
    """Three memories of no word of the question, two of them embedded, and one edge from the first to the third."""
    stored = await tenant.remember_texts(OBAN, CERAMICS, PLUMBER)
    await tenant.embed(stored[:2])
    await query_bench(tenant, None).relate(stored[0], stored[2], "supports", 0.9)  # type: ignore[arg-type]
    return stored


def similarity(answer: dict[str, Any], memory_id: UUID) -> float:
    (found,) = [one for one in answer["explanations"] if one["id"] == str(memory_id)]
    return float(found["factors"]["semantic"]["raw"])


async def test_two_are_found_by_similarity_and_three_after_one_hop(make: Make, memories: list[UUID]) -> None:
    plain = await make(hops=0).ask(QUESTION, k=2, hyde=True, traversal_depth=1)
    hopped = await make(hops=1).ask(QUESTION, k=2, hyde=True, traversal_depth=1)

    assert set(ids(plain)) == set(memories[:2])
    assert set(ids(hopped)) == set(memories)
    assert [similarity(plain, one) for one in memories[:2]] == pytest.approx([1.0, 1.0], abs=1e-3)
    assert [one["path"] for one in hopped["explanations"] if one["id"] == str(memories[2])] == [
        [{"from": str(memories[0]), "to": str(memories[2]), "type": "supports", "confidence": 0.9}]
    ]
    assert plain["routing_info"]["hyde"] == {"origin": "model", "hypotheses": 2}
    assert plain["routing_info"]["sources"]["hyde"]["count"] == 2
    assert plain["degraded"] == []


async def test_a_memory_has_the_best_similarity_of_query_and_hypotheses(make: Make, memories: list[UUID]) -> None:
    bench = make()

    without = await bench.ask("ceramics", hyde=False)
    beside = await bench.ask("ceramics", hyde=True)

    assert similarity(without, memories[1]) < 0.9
    assert similarity(beside, memories[1]) == pytest.approx(1.0, abs=1e-3)
    assert similarity(beside, memories[0]) >= similarity(without, memories[0])


async def test_the_same_turn_again_asks_neither_model_nor_embedder_and_a_new_turn_does(
    make: Make, memories: list[UUID], model: ChatServer
) -> None:
    bench = make()
    first = await bench.ask(QUESTION, hyde=True, messages=CONVERSATION, session_id="s")
    assert (len(model.asked), len(bench.embedder.calls)) == (1, 2)

    again = await bench.ask(QUESTION, hyde=True, messages=CONVERSATION, session_id="s")
    assert (len(model.asked), len(bench.embedder.calls)) == (1, 2)

    turn = [*CONVERSATION, {"role": "user", "content": "Next week."}]
    new = await bench.ask(QUESTION, hyde=True, messages=turn, session_id="s")
    other_session = await bench.ask(QUESTION, hyde=True, messages=CONVERSATION, session_id="t")

    assert (len(model.asked), len(bench.embedder.calls)) == (3, 4)
    assert ids(first) == ids(again)
    origins = [answer["routing_info"]["hyde"]["origin"] for answer in (first, again, new, other_session)]
    assert origins == ["model", "cache", "model", "model"]


SUB_TURN = [
    *CONVERSATION,
    {"role": "assistant", "content": "I look it up."},
    {"role": "tool", "content": "The ferry leaves at nine."},
]


async def test_the_same_turn_with_more_history_asks_neither_model_nor_embedder_nor_search(
    make: Make, memories: list[UUID], model: ChatServer
) -> None:
    bench, searched = counted(make())
    turn: dict[str, Any] = {"hyde": True, "session_id": "s", "turn_id": "1", "k": 3}

    first = await bench.ask(QUESTION, messages=CONVERSATION, **turn)
    asked = len(model.asked), len(bench.embedder.calls), searched.total()
    other, elsewhere = counted(make())
    again = [
        await one.ask(QUESTION, messages=messages, **turn)
        for one, messages in ((bench, SUB_TURN), (bench, [*SUB_TURN, *SUB_TURN]), (other, SUB_TURN))
    ]

    assert asked == (1, 2, 4)
    assert (len(model.asked), len(bench.embedder.calls), searched.total()) == asked
    assert (len(other.embedder.calls), elsewhere.total()) == (0, 0)
    for answer in again:
        assert ids(answer) == ids(first)
        for one, other_one in zip(answer["explanations"], first["explanations"], strict=True):
            assert one["matched_terms"] == other_one["matched_terms"]
            for name, factor in one["factors"].items():
                assert factor["raw"] == pytest.approx(other_one["factors"][name]["raw"], abs=2e-3), name
    assert [answer["routing_info"]["vector_strategy"] for answer in again] == ["turn_cache"] * 3
    following = await bench.ask(QUESTION, messages=SUB_TURN, **turn | {"turn_id": "2"})
    assert len(model.asked) == 2
    assert ids(following) == ids(first)


async def test_a_turn_without_an_id_lasts_until_the_user_speaks_again(
    make: Make, memories: list[UUID], model: ChatServer
) -> None:
    bench = make()

    for messages in (CONVERSATION, SUB_TURN):
        await bench.ask(QUESTION, hyde=True, messages=messages, session_id="s")

    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"session_id": "t"},
        {"turn_id": "2"},
        {"k": 50},
        {"hyde": False, "computation_tier": "high"},
        {"filters": {"categories": ["preference"]}},
        {"filters": {"tier": ["hot"]}},
        {"principal": "ada"},
        {"agent_id": None},
    ],
    ids=str,
)
async def test_what_was_found_for_one_turn_is_given_to_no_other(
    make: Make, memories: list[UUID], changes: dict[str, Any]
) -> None:
    bench, searched = counted(make())
    turn: dict[str, Any] = {"hyde": True, "session_id": "s", "turn_id": "1", "messages": CONVERSATION}
    await bench.ask(QUESTION, **turn)
    before = searched.total()
    if "principal" in changes:
        changes = {"principal": replace(bench.tenant.principal, user_id="ada")}

    await bench.ask(QUESTION, **turn | changes)

    assert searched.total() > before


async def test_a_memory_that_is_deleted_in_the_middle_of_a_turn_is_in_no_further_answer(
    make: Make, memories: list[UUID]
) -> None:
    bench = make()
    turn: dict[str, Any] = {"hyde": True, "session_id": "s", "turn_id": "1", "messages": CONVERSATION}
    first = await bench.ask(QUESTION, **turn)
    await PostgresMemoryLife(bench.tenant.database).forget(bench.tenant.principal, memories[1], datetime.now(UTC))

    again = await bench.ask(QUESTION, **turn)

    assert again["routing_info"]["vector_strategy"] == "turn_cache"
    assert set(ids(first)) - set(ids(again)) == {memories[1]}


async def test_a_turn_that_something_was_missing_from_is_searched_again(
    make: Make, memories: list[UUID], model: ChatServer
) -> None:
    bench = make()
    turn: dict[str, Any] = {"hyde": True, "session_id": "s", "turn_id": "1", "messages": CONVERSATION}
    model.instead = (500, b"")
    partial = await bench.ask("harbour", **turn)
    model.instead = None

    again = await bench.ask("harbour", **turn)

    assert partial["degraded"] == ["hyde_error:Status500"]
    assert "turn_cache" not in str(again["routing_info"]["vector_strategy"])
    assert (again["degraded"], again["routing_info"]["hyde"]["origin"]) == ([], "model")


async def test_the_use_of_a_turn_counts_once(make: Make, memories: list[UUID]) -> None:
    bench = make()

    for messages in (CONVERSATION, SUB_TURN):
        await bench.ask(QUESTION, hyde=True, session_id="s", turn_id="1", messages=messages)

    assert len(bench.sent.messages) == 1


def counted(bench: QueryBench) -> tuple[QueryBench, Counter[str]]:
    """The same instance without maps, whose searches of the store are counted."""
    calls: Counter[str] = Counter()
    store = Counted(bench.queries.retrieval.searcher.store, HashEmbedder(), calls)
    return bench.searching(store=store, maps=without_maps(bench)), calls


async def test_the_hypotheses_are_embedded_in_one_batch_without_their_markers(make: Make, memories: list[UUID]) -> None:
    bench = make()

    await bench.ask(QUESTION, hyde=True)

    assert sorted(bench.embedder.calls) == sorted([[QUESTION], [OBAN, CERAMICS]])


async def test_the_model_reads_the_window_since_the_summary_without_tools(make: Make, model: ChatServer) -> None:
    await make().ask(QUESTION, hyde=True, messages=CONVERSATION, summary_index=2)

    system, user = model.asked[0]["messages"]
    assert (
        user["content"] == f"Conversation:\nuser: I want to visit Ada.\nassistant: Good idea.\n\nQuestion:\n{QUESTION}"
    )
    assert "write 5 different statements" in system["content"]
    assert model.asked[0]["model"] == "small"


@pytest.mark.parametrize(
    ("instead", "cause"),
    [
        ((200, completion("")), "EmptyAnswer"),
        ((200, completion(None)), "EmptyAnswer"),
        ((200, completion("Here you are:\n-\n1.\n```")), "EmptyAnswer"),
        ((200, completion(7)), "NoCompletion"),
        ((200, b'{"choices": []}'), "NoCompletion"),
        ((200, b"[1]"), "NoCompletion"),
        ((200, b"<html>"), "JSONDecodeError"),
        ((200, b"{\xff}"), "UnicodeDecodeError"),
        ((429, b"{}"), "Status429"),
        ((500, b""), "Status500"),
    ],
)
async def test_an_answer_that_is_no_use_leaves_the_querys_own_search_and_is_named(
    make: Make, memories: list[UUID], model: ChatServer, instead: tuple[int, bytes], cause: str
) -> None:
    model.instead = instead

    answer = await make().ask("harbour", hyde=True)

    assert ids(answer)[0] == memories[0]
    assert answer["degraded"] == [f"hyde_error:{cause}"]
    assert answer["routing_info"]["hyde"] == {"origin": "none", "hypotheses": 0}


async def test_a_model_that_hangs_is_left_and_the_querys_own_search_stands(
    make: Make, memories: list[UUID], model: ChatServer
) -> None:
    model.hangs = True

    answer = await make(targets_ms=dict.fromkeys(TIERS, 1_500.0)).ask("harbour", hyde=True)

    assert ids(answer)[0] == memories[0]
    assert answer["degraded"] == ["hyde_timeout"]
    assert answer["sla_met"]


async def test_a_model_that_is_not_there_is_named(tenant: Tenant, redis: RedisClient, memories: list[UUID]) -> None:
    server = JsonServer("http://127.0.0.1:1/v1")

    answer = await query_bench(tenant, redis, language_model=OpenAiLanguageModel(server, "m")).ask("harbour", hyde=True)
    await server.close()

    assert ids(answer)[0] == memories[0]
    assert answer["degraded"] == ["hyde_error:ConnectError"]


async def test_without_a_language_model_it_is_plain_retrieval_and_no_error(
    tenant: Tenant, redis: RedisClient, memories: list[UUID]
) -> None:
    answer = await query_bench(tenant, redis).ask("harbour", hyde=True, messages=CONVERSATION)

    assert ids(answer)[0] == memories[0]
    assert answer["degraded"] == []
    assert answer["routing_info"]["skipped"]["hyde"] == "no language model"


@pytest.mark.parametrize(
    ("question", "fields", "asked"),
    [
        ("Why does Ada prefer Oban?", {}, True),
        ("Why does Ada prefer Oban?", {"hyde": False}, False),
        ("Where does Ada live now?", {}, False),
        ("Where does Ada live now?", {"hyde": True}, True),
        ("Where does Ada live now?", {"computation_tier": "high"}, True),
    ],
)
async def test_hypotheses_belong_to_the_high_tier_unless_the_request_says_otherwise(
    make: Make, model: ChatServer, question: str, fields: dict[str, Any], asked: bool
) -> None:
    answer = await make().ask(question, **fields)

    assert bool(model.asked) == asked
    assert (answer["computation_tier"] == "high") == (asked or question.startswith("Why"))
