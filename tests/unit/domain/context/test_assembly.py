"""The contract of context assembly: requests and answers."""

import json
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import assembly, budget
from remembrancer.domain.context.assembly import Assembly, AssemblyOptions, Candidate, SourceReport
from remembrancer.domain.context.token_counts import ClientTokens, TokenCount
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.ranking import assembly_score
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.errors import InvalidRequest
from tests.builders import (
    AGENT_ID,
    NOW,
    ORG_ID,
    assemble_body,
    assemble_request,
    identifier,
    memory,
    message,
    profile,
)
from tests.unit.strategies import anything, objects_with, refusal

SESSION_ID = "0e000000-0000-4000-8000-000000000001"
FIELDS = [
    "org_id", "tenantId", "agent_id", "agentId", "session_id", "turn_id", "user_id", "model", "request_id", "messages",
    "tools", "options",
]  # fmt: skip
OPTIONS = [
    "max_memories", "maxMemories", "memory_tokens", "categories", "relevance_floor", "skip", "weights", "explain",
]  # fmt: skip


def refused(**changes: Any) -> dict[str, str]:
    """The bad fields of a body with these changes."""
    with pytest.raises(InvalidRequest) as error:
        assembly.parse(assemble_body(**changes))
    return error.value.fields


def test_a_request_with_the_required_fields_alone() -> None:
    body = assemble_body()

    request = assembly.parse(body)

    assert request == assemble_request(messages=body["messages"])


def test_a_request_with_every_field() -> None:
    tools = [{"type": "function", "function": {"name": "look_up"}}]
    options = {
        "max_memories": 10,
        "memory_tokens": 500,
        "categories": ["factual", "episodic"],
        "relevance_floor": 0.3,
        "skip": ["hot", "cold", "lexical"],
        "weights": {"relevance": 1},
        "explain": True,
    }

    request = assembly.parse(
        assemble_body(session_id=SESSION_ID, turn_id="turn-7", user_id="anna", tools=tools, options=options)
    )

    assert (request.session_id, request.turn_id, request.user_id) == (SESSION_ID, "turn-7", "anna")
    assert request.tools == tools
    assert request.options == AssemblyOptions(
        max_memories=10,
        memory_tokens=500,
        categories=("factual", "episodic"),
        relevance_floor=0.3,
        skip=("hot", "cold", "lexical"),
        weights={"relevance": 1.0},
        explain=True,
    )


def test_names_of_proto3_json_are_accepted() -> None:
    body = {
        "orgId": str(ORG_ID),
        "agentId": str(AGENT_ID),
        "sessionId": SESSION_ID,
        "turnId": "turn-7",
        "userId": "anna",
        "model": "gpt-4o",
        "requestId": "req-1",
        "messages": [message()],
        "options": {"maxMemories": 3, "memoryTokens": 70, "relevanceFloor": 0.5},
    }

    request = assembly.parse(body)

    assert request == assemble_request(
        messages=body["messages"],
        session_id=SESSION_ID,
        turn_id="turn-7",
        end_user=EndUser("anna"),
        options=AssemblyOptions(max_memories=3, memory_tokens=70, relevance_floor=0.5),
    )


@pytest.mark.parametrize("alias", ["tenant_id", "tenantId", "orgId"])
def test_the_organization_has_aliases(alias: str) -> None:
    body = assemble_body()
    body[alias] = body.pop("org_id")

    assert assembly.parse(body).org_id == ORG_ID


@pytest.mark.parametrize("value", [None, "", " "])
def test_a_request_without_an_organization_is_for_that_of_its_credential(value: Any) -> None:
    assert assembly.parse(assemble_body(org_id=value), org_id=ORG_ID).org_id == ORG_ID


@pytest.mark.parametrize("value", ["x", 7, [], {}])
def test_a_bad_organization_is_named(value: Any) -> None:
    assert list(refused(org_id=value)) == ["org_id"]


def test_an_agent_may_be_named_by_its_name() -> None:
    request = assembly.parse(assemble_body(agent_id=" Concierge "))

    assert (request.agent, request.agent_name) == ("Concierge", "Concierge")


@pytest.mark.parametrize("text", [str(AGENT_ID), str(AGENT_ID).upper(), AGENT_ID.hex])
def test_what_has_the_form_of_a_uuid_is_an_agents_id(text: str) -> None:
    request = assembly.parse(assemble_body(agent_id=text))

    assert (request.agent, request.agent_name) == (AGENT_ID, None)


def test_a_session_has_any_name() -> None:
    assert assembly.parse(assemble_body(session_id="chat 7")).session_id == "chat 7"


@pytest.mark.parametrize("name", ["agent_id", "model", "request_id", "messages"])
@pytest.mark.parametrize("value", [None, "", " ", 7, [], {}])
def test_a_required_field_that_is_missing_or_wrong_is_named(name: str, value: Any) -> None:
    assert list(refused(**{name: value})) == [name]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"session_id": "x" * 257}, "session_id"),
        ({"agent_id": "x" * 257}, "agent_id"),
        ({"turn_id": 7}, "turn_id"),
        ({"user_id": "x" * 257}, "user_id"),
        ({"messages": [message()] * 2001}, "messages"),
        ({"messages": ["hello"]}, "messages[0]"),
        ({"messages": [message(), {"content": "hello"}]}, "messages[1].role"),
        ({"messages": [message(role="")]}, "messages[0].role"),
        ({"messages": [message(role=7)]}, "messages[0].role"),
        ({"messages": [message(7)]}, "messages[0].content"),
        ({"messages": [message({"text": "hello"})]}, "messages[0].content"),
        ({"messages": [message(True)]}, "messages[0].content"),
        ({"tools": {"name": "look_up"}}, "tools"),
        ({"options": []}, "options"),
        ({"options": {"max_memories": -1}}, "options.max_memories"),
        ({"options": {"max_memories": 2.5}}, "options.max_memories"),
        ({"options": {"memory_tokens": 10**400}}, "options.memory_tokens"),
        ({"options": {"memory_tokens": True}}, "options.memory_tokens"),
        ({"options": {"relevance_floor": 1.01}}, "options.relevance_floor"),
        ({"options": {"categories": ["fact"]}}, "options.categories"),
        ({"options": {"skip": ["directive"]}}, "options.skip"),
        ({"options": {"weights": {"semantic": 1}}}, "options.weights.semantic"),
        ({"options": {"weights": {"recency": -1}}}, "options.weights.recency"),
        ({"options": {"explain": "yes"}}, "options.explain"),
    ],
)
def test_a_bad_field_is_named_by_its_path(changes: dict[str, Any], name: str) -> None:
    assert list(refused(**changes)) == [name]


def test_every_bad_field_is_named_at_once() -> None:
    errors = refused(agent_id=7, model=None, messages=[message(7)], options={"skip": 1, "explain": 1})

    assert set(errors) == {"agent_id", "model", "messages[0].content", "options.skip", "options.explain"}


@pytest.mark.parametrize("body", [None, [], "text", 7])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    with pytest.raises(InvalidRequest) as error:
        assembly.parse(body)

    assert "body" in error.value.fields


@given(body=anything | objects_with(FIELDS) | objects_with(FIELDS, st.dictionaries(st.sampled_from(OPTIONS), anything)))
def test_arbitrary_json_is_parsed_or_refused_by_field(body: object) -> None:
    request, bad_fields = refusal(lambda: assembly.parse(body))

    assert bad_fields or request.messages


@given(options=objects_with(OPTIONS))
def test_arbitrary_options_are_parsed_or_refused_by_field(options: dict[str, Any]) -> None:
    request, bad_fields = refusal(lambda: assembly.parse(assemble_body(options=options)))

    assert request or bad_fields
    assert all(name.startswith("options.") for name in bad_fields or ())
    assert request is None or 0 <= (request.options.max_memories or 0) <= 1000


@pytest.mark.parametrize("options", [{}, {"options": None}, {"options": {}}, {"options": {"future": 1}}, {"future": 1}])
def test_absent_options_are_the_defaults_and_unknown_fields_are_ignored(options: dict[str, Any]) -> None:
    assert assembly.parse(assemble_body(**options)).options == AssemblyOptions()


def test_zero_is_an_option_and_not_its_absence() -> None:
    options = assembly.parse(
        assemble_body(options={"max_memories": 0, "memory_tokens": 0, "relevance_floor": 0})
    ).options

    assert (options.max_memories, options.memory_tokens, options.relevance_floor) == (0, 0, 0)


def test_the_clients_messages_are_its_own_objects() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    messages = [message(), message(None, role="assistant", tool_calls=[call]), message("7", role="tool", x_own=[1])]

    request = assembly.parse(assemble_body(messages=messages))

    assert all(kept is given_message for kept, given_message in zip(request.messages, messages, strict=True))


@pytest.mark.parametrize(
    ("messages", "query"),
    [
        pytest.param([message("one"), message("two")], "one\ntwo", id="all that was said since the last answer"),
        pytest.param(
            [message("one"), message("1", role="assistant"), message("two")], "two", id="not of the turn before"
        ),
        pytest.param([message("one"), message("two", role="assistant")], "one", id="whoever spoke last"),
        pytest.param([message("one"), message("  "), message(None)], "one", id="with text"),
        pytest.param([message("  one \n")], "one", id="stripped"),
        pytest.param([message("one", role="system")], "", id="no user message"),
        pytest.param([message("")], "", id="no text"),
        pytest.param(
            [message("a" * 2000 + "b" * 2000)], "a" * 999 + "\n" + "b" * 1000, id="beginning and end of a long text"
        ),
        pytest.param(
            [message([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])], "a\nb", id="text parts"
        ),
        pytest.param([message([{"type": "image_url", "image_url": {"url": "data:"}}])], "", id="an image alone"),
        pytest.param([message("one"), message([7, None, {"text": 7}, []])], "one", id="parts of no known kind"),
    ],
)
def test_the_query_is_what_the_user_said_since_the_last_answer(messages: list[Any], query: str) -> None:
    assert assemble_request(messages=messages).query == query


@given(content=anything)
def test_any_content_has_a_query_of_bounded_length(content: Any) -> None:
    assert len(assemble_request(messages=[message(content)]).query) <= 2000


def test_the_answer_has_the_eight_fields_of_the_wire_contract() -> None:
    answer = Assembly(
        messages=[message()],
        memory_ids=(identifier(2), identifier(1)),
        directive_injected=True,
        memories_available=7,
        total_tokens_injected=90,
        was_truncated=True,
        fallback_reason="cold_timeout",
    )

    metadata = answer.as_json()["metadata"]

    assert list(metadata)[:8] == [
        "directive_injected",
        "memories_injected",
        "memories_available",
        "total_tokens_injected",
        "context_window_used",
        "was_truncated",
        "fallback_reason",
        "memory_ids",
    ]
    assert metadata["memories_injected"] == 2
    assert metadata["memory_ids"] == [str(identifier(2)), str(identifier(1))]
    assert "candidates" not in metadata


def test_an_answer_of_nothing_but_the_clients_messages() -> None:
    messages = [message("hello", x_own={"a": None})]

    body = Assembly(messages=messages, fallback_reason="internal_error").as_json()

    assert body["messages"] == messages
    assert body["metadata"]["memories_injected"] == 0
    assert body["metadata"]["context_window_used"] == 0
    assert json.loads(json.dumps(body)) == body


@pytest.mark.parametrize(
    ("messages", "tools", "injected", "percent"),
    [(0, 0, 0, 0), (300, 100, 100, 50), (1, 0, 0, 0), (6, 0, 0, 1), (5000, 0, 100, 100)],
)
def test_the_used_window_is_whole_percent_of_messages_tools_and_what_was_injected(
    messages: int, tools: int, injected: int, percent: int
) -> None:
    terms = budget.compute(
        profile(window=1000),
        ClientTokens(messages, tools, exact=True),
        directive=TokenCount(0, exact=True),
        formatter=0,
        memory_tokens=100,
    )

    assert Assembly([], total_tokens_injected=injected, budget=terms).context_window_used == percent


def test_an_explained_answer_lists_every_candidate_with_its_reasons() -> None:
    candidate = memory(user_id="anna", supersedes=UUID(int=7))
    scored = assembly_score.score([candidate], np.array([1 / 3]), weights=assembly_score.weights_of({}), now=NOW)[0]

    body = Assembly([], candidates=[Candidate(scored, Evidence(candidate, 2 / 3, hot=True), 0.25, 31)]).as_json()

    explained = body["metadata"]["candidates"][0]
    assert set(explained["factors"]) == set(assembly_score.FACTORS)
    assert explained["factors"]["relevance"] == 0.333
    assert explained["score"] == round(scored.score, 3)
    assert explained["evidence"] == {
        "dense": 0.667,
        "lexical": None,
        "hot": True,
        "subject": 0.0,
        "relevance": 0.25,
        "helps": None,
        "probability": None,
    }
    assert (explained["disposition"], explained["tokens"], explained["replaced"]) == ("budget", 31, True)
    assert json.loads(json.dumps(body)) == body


def test_a_source_names_its_cause_only_when_there_is_one() -> None:
    ok = SourceReport("ok", 1.00049, 2.5, 3).as_json()
    failed = SourceReport("error", cause="ConnectionError").as_json()

    assert ok == {"status": "ok", "started_ms": 1.0, "latency_ms": 2.5, "count": 3}
    assert failed["cause"] == "ConnectionError"
