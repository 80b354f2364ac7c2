"""The contract of the memory query: requests and answers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import hybrid_ranking
from remembrancer.domain.ranking.helpfulness import QUERY_LINES
from remembrancer.domain.ranking.score_boosts import Boosts
from remembrancer.domain.retrieval import query
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.intents import Intent
from remembrancer.domain.retrieval.query import Ending, QueryAnswer, QueryRequest, Result
from remembrancer.errors import InvalidRequest
from tests.builders import AGENT_ID, NOW, ago, identifier, memory, query_body, query_request
from tests.unit.strategies import anything, objects_with, refusal

FIELDS = [
    "query", "k", "traversal_depth", "agent_id", "session_id", "filters", "weights", "computation_tier", "messages",
    "summary_index", "hyde", "explain",
]  # fmt: skip
FILTERS = ["categories", "sources", "tags", "since", "until", "min_confidence", "include_summaries", "tier"]


def refused(**changes: Any) -> dict[str, str]:
    """The bad fields of a body with these changes."""
    with pytest.raises(InvalidRequest) as error:
        query.parse(query_body(**changes))
    return error.value.fields


def answer(request: QueryRequest, *, elapsed_ms: float = 5.0, tier: str = "medium") -> QueryAnswer:
    """The answer with two memories, the second of which has every optional field."""
    full = memory(2, user_id="anna", supersedes=identifier(9), expires_at=ago(days=-1), tags=("a", "b"))
    result = hybrid_ranking.rank(
        [memory(1), full],
        MemoryColumns.of([memory(1), full]),
        hybrid_ranking.QuerySignals(
            semantic=np.array([0.9, 0.1]),
            lexical=np.array([1.0, 0.0]),
            context=np.array([1.0, 0.5]),
            subject=np.array([1.0, 0.0]),
            period=np.array([0.0, 1.0]),
            cluster=np.array([0.9, 0.1]),
        ),
        weights=hybrid_ranking.weights_of({}),
        half_life_hours=72.0,
        now=NOW,
    )
    return QueryAnswer(
        request=request,
        found=[Result(result.ranked[0], ("coffe", "machin")), Result(result.ranked[1])],
        intent=Intent("factual", ("factual: where",)),
        tier=tier,
        elapsed_ms=elapsed_ms,
        tiebreak_applied=False,
        ending=Ending("line", 3, 0.015, 0.9),
        routing_info={"vector_strategy": "exact"},
        timings_ms={"total": 5.00049},
    )


def test_a_query_alone_has_the_defaults_of_the_specification() -> None:
    request = query.parse({"query": "coffee"})

    assert request == QueryRequest("coffee", k=5, traversal_depth=None, hyde=None, explain=True)


def test_a_query_with_every_field() -> None:
    request = query.parse(
        {
            "query": "  coffee ",
            "k": 7,
            "traversal_depth": 2,
            "agent_id": str(AGENT_ID),
            "session_id": "session-1",
            "filters": {
                "categories": ["factual"],
                "sources": ["imported", "inferred"],
                "tags": ["office"],
                "since": "2026-01-01",
                "until": "2026-02-01T00:00:00+01:00",
                "min_confidence": 0.4,
                "include_summaries": False,
                "tier": ["warm"],
            },
            "weights": {"lexical": 0, "semantic": 1},
            "computation_tier": "high",
            "messages": [{"role": "user", "content": "hello"}],
            "summary_index": 0,
            "hyde": True,
            "explain": False,
        }
    )

    assert request == QueryRequest(
        query="coffee",
        k=7,
        traversal_depth=2,
        agent_id=AGENT_ID,
        session_id="session-1",
        filters=Filters(
            categories=("factual",),
            sources=("imported", "inferred"),
            tags=("office",),
            since=datetime(2026, 1, 1, tzinfo=UTC),
            until=datetime(2026, 1, 31, 23, tzinfo=UTC),
            min_confidence=0.4,
            tiers=("warm",),
        ),
        include_summaries=False,
        weights={"lexical": 0.0, "semantic": 1.0},
        computation_tier="high",
        messages=({"role": "user", "content": "hello"},),
        summary_index=0,
        hyde=True,
        explain=False,
    )


def test_names_of_proto3_json_are_accepted() -> None:
    request = query.parse(
        {"query": "coffee", "traversalDepth": 2, "computationTier": "low", "filters": {"minConfidence": 0.5}}
    )

    assert request == query_request(
        query="coffee", traversal_depth=2, computation_tier="low", filters=Filters(min_confidence=0.5)
    )


@pytest.mark.parametrize(
    ("name", "given_number", "used"),
    [
        ("k", 0, 1),
        ("k", -5, 1),
        ("k", 51, 50),
        ("k", 10**400, 50),
        ("k", 1e300, 50),
        ("traversal_depth", 0, 1),
        ("traversal_depth", 4, 3),
        ("summary_index", -1, 0),
        ("summary_index", 5000, 2000),
    ],
)
def test_a_number_out_of_range_is_clamped_and_reported(name: str, given_number: float, used: int) -> None:
    request = query.parse(query_body(**{name: given_number}))

    assert getattr(request, name) == used
    assert request.adjusted == {name: {"given": given_number, "used": used}}


def test_a_filter_out_of_range_is_clamped_and_reported_by_its_path() -> None:
    request = query.parse(query_body(k=99, filters={"min_confidence": -2}))

    assert request.filters.min_confidence == 0
    assert request.adjusted == {
        "k": {"given": 99, "used": 50},
        "filters.min_confidence": {"given": -2, "used": 0},
    }


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"query": None}, "query"),
        ({"query": ""}, "query"),
        ({"query": " \n\t"}, "query"),
        ({"query": 7}, "query"),
        ({"k": "5"}, "k"),
        ({"k": 2.5}, "k"),
        ({"k": True}, "k"),
        ({"traversal_depth": [1]}, "traversal_depth"),
        ({"agent_id": 7}, "agent_id"),
        ({"session_id": 7}, "session_id"),
        ({"weights": {"relevance": 1}}, "weights.relevance"),
        ({"weights": {"semantic": -1}}, "weights.semantic"),
        ({"weights": dict.fromkeys(hybrid_ranking.FACTORS, 0)}, "weights"),
        (
            {"weights": dict.fromkeys([name for name, weight in hybrid_ranking.DEFAULT_WEIGHTS.items() if weight], 0)},
            "weights",
        ),
        ({"computation_tier": "highest"}, "computation_tier"),
        ({"messages": "hello"}, "messages"),
        ({"messages": ["hello"]}, "messages[0]"),
        ({"summary_index": "1"}, "summary_index"),
        ({"hyde": 1}, "hyde"),
        ({"explain": "no"}, "explain"),
        ({"limit": 5}, "limit"),
        ({"org_id": "x"}, "org_id"),
        ({"user_id": "an*na"}, "user_id"),
        ({"user_id": " "}, "user_id"),
        ({"session_id": ""}, "session_id"),
        ({"agent_id": "\t"}, "agent_id"),
        ({"filters": []}, "filters"),
        ({"filters": {"categories": "factual"}}, "filters.categories"),
        ({"filters": {"categories": ["fact"]}}, "filters.categories"),
        ({"filters": {"sources": ["rumour"]}}, "filters.sources"),
        ({"filters": {"tags": [7]}}, "filters.tags"),
        ({"filters": {"since": "last week"}}, "filters.since"),
        ({"filters": {"until": 7}}, "filters.until"),
        ({"filters": {"min_confidence": "0.5"}}, "filters.min_confidence"),
        ({"filters": {"include_summaries": "no"}}, "filters.include_summaries"),
        ({"filters": {"tier": ["lukewarm"]}}, "filters.tier"),
        ({"filters": {"tag": ["a"]}}, "filters.tag"),
        ({"filters": {"metadata": {"topic": "tea"}}, "agent_id": None}, "filters.metadata"),
        ({"filters": {"metadata": {"topic": None}}}, "filters.metadata"),
        ({"filters": {"metadata": {"topic": ["tea"]}}}, "filters.metadata"),
        ({"filters": {"metadata": [1]}}, "filters.metadata"),
        ({"filters": {"metadata": {str(number): 1 for number in range(9)}}}, "filters.metadata"),
    ],
)
def test_a_bad_field_is_named_by_its_path(changes: dict[str, Any], name: str) -> None:
    assert list(refused(**changes)) == [name]


def test_every_bad_field_is_named_at_once() -> None:
    errors = refused(query="", k="many", limit=5, filters={"since": "x", "tag": 1}, weights={"luck": 1})

    assert set(errors) == {"query", "k", "limit", "filters.since", "filters.tag", "weights.luck"}


def test_a_long_query_is_cut() -> None:
    assert query.parse({"query": " " + "x" * 9000}).query == "x" * 8000


def test_weights_that_leave_one_factor_are_taken() -> None:
    weights = dict.fromkeys(hybrid_ranking.FACTORS, 0) | {"quality": 1}

    assert hybrid_ranking.weights_of(query.parse(query_body(weights=weights)).weights)["quality"] == 1.0


@given(body=anything | objects_with(FIELDS) | objects_with(FIELDS, objects_with([*FILTERS, *hybrid_ranking.FACTORS])))
def test_arbitrary_json_is_parsed_or_refused_by_field(body: object) -> None:
    request, bad_fields = refusal(lambda: query.parse(body))

    assert bad_fields or (request.query and 1 <= request.k <= 50)


@given(changes=st.dictionaries(st.sampled_from(FIELDS[1:]), anything, max_size=4), filters=objects_with(FILTERS))
def test_arbitrary_fields_beside_a_good_query_never_raise_anything_else(
    changes: dict[str, Any], filters: dict[str, Any]
) -> None:
    body = query_body(**{**changes, "filters": filters})

    request, bad_fields = refusal(lambda: query.parse(body))

    assert bad_fields or request.traversal_depth in {None, 1, 2, 3}
    assert "query" not in (bad_fields or ())


def test_the_answer_is_json_with_every_field_of_the_specification() -> None:
    body = answer(query_request()).as_json()

    assert {
        "memories",
        "query_intent",
        "explanations",
        "confidence_scores",
        "computation_tier",
        "sla_target_ms",
        "sla_met",
        "routing_info",
        "tiebreak_applied",
        "adjusted",
        "degraded",
    } <= set(body)
    assert json.loads(json.dumps(body)) == body
    assert [item["id"] for item in body["memories"]] == [str(identifier(1)), str(identifier(2))]
    assert (body["ended_by"], body["left_out"]) == ("line", 3)
    assert body["routing_info"] == {
        "vector_strategy": "exact",
        "thoroughness": "thorough",
        "line": 0.015,
        "helpfulness": 0.9,
        "intent_signals": ["factual: where"],
    }


def floats(value: object) -> Iterator[float]:
    """Every number with a fraction, however deep."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from floats(one)
    elif isinstance(value, float):
        yield value


def test_no_number_of_an_answer_has_more_than_three_decimals() -> None:
    plain = answer(query_request())
    (first, *_) = plain.found
    share = {"kind": "personalisation", "value": 1 / 30, "affinity": {"user": 1 / 3, "tags": 0.0}}
    lifted = replace(
        first.ranked, boosts=Boosts((share,), {"personalisation": 1 / 30}), memory=memory(confidence=2 / 3)
    )
    path = (Edge(identifier(1), identifier(2), "similar", 0.92345),)

    body = replace(plain, found=[Result(lifted, path=path)]).as_json()

    shown = [*floats(body["explanations"]), *floats(body["confidence_scores"]), body["memories"][0]["score"]]
    assert shown == [round(number, 3) for number in shown]
    assert {0.033, 0.333, 0.667, 0.923} <= set(shown)


def test_an_explanation_adds_up() -> None:
    explanation = answer(query_request()).as_json()["explanations"][0]

    contributions = [factor["contribution"] for factor in explanation["factors"].values()]
    assert explanation["hybrid_score"] == pytest.approx(sum(contributions), abs=0.007)
    assert explanation["matched_terms"] == ["coffe", "machin"]


def test_without_explain_there_are_no_explanations() -> None:
    assert "explanations" not in answer(query_request(explain=False)).as_json()


@pytest.mark.parametrize(
    ("tier", "elapsed_ms", "target", "met"),
    [
        ("low", 100.0, 100, True),
        ("low", 100.1, 100, False),
        ("medium", 500.0, 500, True),
        ("high", 2001.0, 2000, False),
    ],
)
def test_the_answer_says_whether_its_target_was_met(tier: str, elapsed_ms: float, target: int, met: bool) -> None:
    body = answer(query_request(), tier=tier, elapsed_ms=elapsed_ms).as_json()

    assert (body["computation_tier"], body["sla_target_ms"], body["sla_met"]) == (tier, target, met)


@given(st.integers(1, 50), st.integers(0, 60), st.integers(0, 60))
def test_an_answer_ends_by_k_by_the_line_or_because_there_is_no_more(k: int, found: int, below: int) -> None:
    helping = max(found - below, 0)

    ending = Ending.of(k=k, found=found, helping=helping)

    returned = min(k, helping)
    assert returned + ending.left_out == min(k, found)
    assert (ending.ended_by == "k") == (helping > k)
    assert (ending.ended_by == "exhausted") == (helping == found and found <= k)


def test_an_answer_that_has_to_be_shorter_ends_by_k() -> None:
    shorter = answer(query_request()).first(1)

    assert (shorter.ending.ended_by, shorter.ending.left_out) == ("k", 0)


@pytest.mark.parametrize("name", ["", "ALL", "every", 3])
def test_an_unknown_thoroughness_is_named(name: object) -> None:
    assert list(refused(thoroughness=name)) == ["thoroughness"]


def test_a_query_wants_whatever_might_help_unless_it_says_otherwise() -> None:
    assert query.parse(query_body()).line == QUERY_LINES["thorough"]
    assert query.parse(query_body(thoroughness="all")).line is None
    assert query.parse(query_body(thoroughness="lean")).line == QUERY_LINES["lean"]
