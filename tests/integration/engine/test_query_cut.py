"""A query that wants only memories that help: what it returns, and what its answer says of the others."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.ranking.helpfulness import QUERY_LINES
from tests.integration.engine.query_bench import CountingEmbedder, QueryBench, query_bench
from tests.integration.engine.tenant import Tenant

PIANO = "The piano tuner, Mr Sutherland, comes on the first Tuesday of the month."
QUESTION = "When does the piano tuner come?"
OTHERS = (
    "Breakfast is served from seven.", "The boiler was repaired in May.", "Mrs Lindqvist is allergic to feathers.",
    "The boathouse has a new lock.", "Leeks are planted behind the shed.", "The ferry leaves at noon.",
    "Room four has the best view.", "Firewood is stacked by the gate.", "The cook is off on Mondays.",
    "Letters are collected at five.", "The goose bites strangers.", "Candles are in the pantry.",
)  # fmt: skip


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient) -> QueryBench:
    return query_bench(tenant, redis)


async def remembered(bench: QueryBench, *texts: str, **fields: Any) -> list[UUID]:
    ids = await bench.tenant.remember_texts(*texts, **fields)
    await bench.tenant.embed(ids)
    return ids


def contents(answer: dict[str, Any]) -> list[str]:
    return [memory["content"] for memory in answer["memories"]]


async def test_what_does_not_help_is_left_out_and_counted(bench: QueryBench) -> None:
    await remembered(bench, PIANO, *OTHERS)

    whole = await bench.ask(QUESTION, k=10, thoroughness="all")
    cut = await bench.ask(QUESTION, k=10, thoroughness="lean")

    assert contents(cut) == [PIANO]
    assert (cut["ended_by"], cut["left_out"]) == ("line", 9)
    assert cut["routing_info"]["line"] == QUERY_LINES["lean"]
    assert cut["routing_info"]["thoroughness"] == "lean"
    assert len(contents(whole)) == 10
    assert (whole["ended_by"], whole["left_out"], whole["routing_info"]["line"]) == ("k", 0, None)


async def test_every_explanation_shows_what_was_compared_with_the_line(bench: QueryBench) -> None:
    await remembered(bench, PIANO, *OTHERS)

    whole = await bench.ask(QUESTION, k=50, thoroughness="all")
    cuts = {name: await bench.ask(QUESTION, k=50, thoroughness=name) for name in QUERY_LINES}

    helps = {one["id"]: one["helps"] for one in whole["explanations"]}
    assert 0 < whole["routing_info"]["helpfulness"] <= 1
    for name, cut in cuts.items():
        shown = [one["id"] for one in cut["memories"]]
        assert shown == [identifier for identifier in helps if helps[identifier] >= QUERY_LINES[name]]
        assert {one["id"]: one["helps"] for one in cut["explanations"]} == {one: helps[one] for one in shown}
    assert len({len(cut["memories"]) for cut in cuts.values()}) > 1


async def test_k_stays_the_most(bench: QueryBench) -> None:
    pianos = [f"{PIANO[:-1]} of {month}." for month in ("May", "June", "July", "August")]
    await remembered(bench, *pianos, *OTHERS)

    answer = await bench.ask(QUESTION, k=2, thoroughness="thorough")

    assert len(answer["memories"]) == 2
    assert (answer["ended_by"], answer["left_out"]) == ("k", 0)


async def test_too_few_to_compare_are_all_returned(bench: QueryBench) -> None:
    await remembered(bench, PIANO, *OTHERS[:3])

    answer = await bench.ask(QUESTION, k=10, thoroughness="lean")

    assert len(answer["memories"]) == 4
    assert (answer["ended_by"], answer["left_out"]) == ("exhausted", 0)
    assert answer["routing_info"]["helpfulness"] is None
    assert {one["helps"] for one in answer["explanations"]} == {None}


async def test_nothing_is_cut_where_a_search_is_missing(bench: QueryBench) -> None:
    """What only words or only meaning say is not what the line was fitted with."""
    await remembered(bench, PIANO, *OTHERS)
    failing = query_bench(bench.tenant, bench.redis, embedder=CountingEmbedder(failures=99))

    answer = await failing.ask(QUESTION, k=10, thoroughness="lean")

    assert answer["degraded"] == ["hash_embedding"]
    assert len(answer["memories"]) == 10
    assert (answer["ended_by"], answer["routing_info"]["helpfulness"]) == ("k", None)


async def test_only_what_is_returned_counts_as_used(bench: QueryBench) -> None:
    (piano, *_) = await remembered(bench, PIANO, *OTHERS)

    await bench.ask(QUESTION, k=10, thoroughness="lean")

    assert [message["memory_ids"] for message in bench.sent.messages] == [[str(piano)]]


async def test_where_relations_lead_from_what_helps_is_returned_too(bench: QueryBench) -> None:
    piano, breakfast, boiler, *_ = await remembered(bench, PIANO, *OTHERS)
    await bench.relate(piano, breakfast, "detail_of")
    await bench.relate(boiler, (await remembered(bench, "A spare part was ordered."))[0], "detail_of")

    answer = await bench.ask(QUESTION, k=10, thoroughness="lean", traversal_depth=2)

    assert sorted(contents(answer)) == sorted([PIANO, OTHERS[0]])
    assert (answer["ended_by"], answer["left_out"]) == ("line", 9)


async def test_a_repeated_query_of_a_turn_is_cut_the_same(bench: QueryBench) -> None:
    await remembered(bench, PIANO, *OTHERS)
    turn: dict[str, Any] = {"session_id": "s", "turn_id": "t", "k": 10, "thoroughness": "lean"}

    answers = [await bench.ask(QUESTION, **turn) for _ in range(2)]

    assert answers[1]["routing_info"]["vector_strategy"] == "turn_cache"
    assert [contents(answer) for answer in answers] == [[PIANO]] * 2
    assert answers[1]["explanations"][0]["helps"] == pytest.approx(answers[0]["explanations"][0]["helps"], abs=0.002)
    assert {answer["left_out"] for answer in answers} == {9}


async def test_what_another_end_user_has_is_not_counted(bench: QueryBench) -> None:
    await remembered(bench, PIANO, *OTHERS[:10])
    await remembered(bench, *OTHERS[10:], user_id="ada")
    isla = replace(bench.tenant.principal, user_id="isla")

    answer = await bench.ask(QUESTION, principal=isla, k=50, thoroughness="lean")

    assert (contents(answer), answer["left_out"]) == ([PIANO], 10)
