"""Context assembly through the front door."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local.lambda_.instance import Sandbox
from local.lambda_.pool import FunctionPool
from local.stack import ROOT, Stack
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.context import placement
from remembrancer_client import without_injected
from tests.builders import MODELS
from tests.e2e.conftest import Loop, NewTenant, SampleTenant, Tenant, tenants
from tests.e2e.events import http_event

NAMES = ("Isla", "Noor", "Pavel", "Rosa", "Sven", "Thandi", "Ugo", "Vera", "Wanda", "Xenia", "Yusuf", "Zoe")
MEALS = (("breakfast", "rye bread with honey"), ("lunch", "a bowl of lentil soup"), ("dinner", "grilled trout"))


@pytest.fixture(scope="module")
def guests(stack: Stack, loop: Loop) -> Iterator[Tenant]:
    """With a directive, and more memories about guests than 500 tokens hold."""
    with contextmanager(tenants)(stack, loop) as new_tenant:
        tenant = new_tenant()
        tenant.direct("You answer the guests of a small hotel.")
        tenant.remember("Tomasz repairs the boiler and cooks dumplings on Fridays.")
        tenant.remember(
            *(f"{name} is one of the guests, and likes {dish} for {meal}." for name in NAMES for meal, dish in MEALS)
        )
        tenant.until_embedded()
        yield tenant


@pytest.mark.long
def test_the_sample_question_gets_its_memories_and_a_true_account(sample_tenant: SampleTenant) -> None:
    tenant, loaded = sample_tenant.tenant, sample_tenant.sample
    question = loaded.story.assembly
    options = {**question.options, "explain": True}

    response = tenant.complete(
        "", messages=[dict(message) for message in question.messages], user_id=question.user_id, options=options
    )

    metadata = response.json()["metadata"]
    references = {line.client_ref for memory_id in metadata["memory_ids"] if (line := loaded.line(memory_id))}
    assert response.status_code == 200
    assert metadata["fallback_reason"] == ""
    assert metadata["directive_injected"]
    assert set(question.expected) <= references
    assert metadata["memories_injected"] == len(metadata["memory_ids"])
    assert metadata["deadline_met"] == (metadata["timings_ms"]["total"] <= metadata["deadline_ms"])
    assert {name: source["status"] for name, source in metadata["sources"].items()} == dict.fromkeys(
        ("directive", "hot", "embed", "cold", "lexical"), "ok"
    )
    assert response.headers["x-memories-injected"] == str(metadata["memories_injected"])
    assert "total;dur=" in response.headers["server-timing"]


def test_ten_invoices_are_ten_memories_and_what_says_the_same_is_counted(tenant: Tenant) -> None:
    invoices = [
        tenant.remember(
            f"Paid the plumber invoice {440 + day}: {100 + day * 17} euros.",
            category="episodic",
            created_at=f"2026-03-{day:02}T09:00:00Z",
        )[0]
        for day in range(1, 11)
    ]
    repeated = tenant.remember(
        "paid the plumber invoice 441: 117 euros!", category="episodic", created_at="2026-03-01T10:00:00Z"
    )
    tenant.until_embedded()
    options = {"explain": True, "silence": False, "relevance_floor": 0}

    answer = tenant.assemble("How much did we pay the plumber in total?", options=options)

    metadata = answer.json()["metadata"]
    left_out = [one["id"] for one in metadata["candidates"] if one["disposition"] == "duplicate"]
    assert metadata["fallback_reason"] == ""
    assert len(left_out) == metadata["duplicates"] == 1
    assert {*metadata["memory_ids"], *left_out} == {*invoices, *repeated}
    assert metadata["was_truncated"] is False


def test_the_clients_messages_follow_unchanged_with_everything_they_carry(tenant: Tenant) -> None:
    tenant.remember("Paris was rainy in May")
    tenant.drain()
    messages = [
        {"role": "system", "content": "You are terse."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Weather in Paris?"}, {"type": "image_url", "x": {"y": 1}}],
        },
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"arguments": '{"a": 1e3}'}}]},
        {"role": "tool", "tool_call_id": "c", "content": "☔ 12345678901234567890", "n": 12345678901234567890},
        {"role": "user", "content": "And was Paris rainy in May?", "name": "ada"},
    ]

    *others, last = tenant.assemble("", messages=messages).json()["messages"]

    assert others == messages[:-1]
    assert {**last, "content": placement.without_injected(last["content"])} == messages[-1]
    assert "Paris was rainy in May" in last["content"]


USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]}
USED = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "nothing"}]}
ASKED = {"role": "user", "content": "Was Paris rainy in May?"}
DEVELOPER = {"role": "developer", "content": "Be terse."}


@pytest.mark.parametrize("text", ["", "Be kind."])
@pytest.mark.parametrize(
    ("mode", "messages", "place", "begins"),
    [
        ("system_append", [DEVELOPER, ASKED], 0, "Be terse.\n\n<"),
        ("system_append", [ASKED], 0, "<"),
        ("user_prepend", [ASKED, USE, USED], 0, "<"),
        ("user_prepend", [DEVELOPER, ASKED], 1, "<"),
        ("system_first", [DEVELOPER, ASKED], 0, "<"),
    ],
)
def test_the_operator_chooses_the_place_with_or_without_a_directive(
    tenant: Tenant, mode: str, messages: list[Any], place: int, begins: str, text: str
) -> None:
    tenant.remember("Paris was rainy in May")
    path = f"/v1/agents/{tenant.agent_id}/directive"
    assert tenant.client.put(path, json={"text": "Be loud."}).status_code == 200

    chosen = tenant.client.put(path, json={"text": text, "injection_mode": mode})
    answer = tenant.assemble("", messages=messages, options={"placement": "system"}).json()

    content = answer["messages"][place]["content"]
    assert chosen.json() | {"agent_id": ""} == {"agent_id": "", "version": 2, "text": text, "injection_mode": mode}
    assert tenant.client.get(path).json() == chosen.json()
    assert answer["metadata"]["directive_injected"] == bool(text)
    assert content.startswith(begins)
    assert ("Be kind." in content, "Be loud." in content, "rainy" in content) == (bool(text), False, True)
    assert without_injected(answer["messages"]) == messages


@pytest.mark.parametrize(("model", "family"), [("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")])
def test_the_reported_tokens_are_those_of_the_injected_text(guests: Tenant, model: str, family: str) -> None:
    question = "Who repairs the boiler, and what does Tomasz cook?"

    answer = guests.assemble(question, model=model).json()

    counted = TiktokenCounter(MODELS).count("".join(injected(answer, question)), family)

    assert counted.exact
    assert answer["metadata"]["memories_injected"] > 0
    assert answer["metadata"]["total_tokens_injected"] == counted.tokens


def injected(answer: dict[str, Any], question: str) -> tuple[str, str]:
    """The directive and the memories in the answer to a single question."""
    [standing, asked] = answer["messages"]
    assert asked["content"].endswith(f"\n{question}")
    return standing["content"], asked["content"].removesuffix(f"\n{question}")


TELLING = """
import importlib.util, json, sys
specification = importlib.util.spec_from_file_location("assemble", {file!r})
assemble = importlib.util.module_from_spec(specification)
specification.loader.exec_module(assemble)

def handler(event, context):
    loaded = ["tiktoken" in sys.modules]
    answer = assemble.handler(event, context)
    return {{**answer, "loaded": [*loaded, "tiktoken" in sys.modules]}}
"""


async def test_the_first_answers_tokens_are_exact_though_its_vocabulary_is_loaded_only_after_it(
    guests: Tenant, tmp_path: Path
) -> None:
    tenant = guests
    spec = tenant.stack.functions["AssembleFunction"].spec
    (tmp_path / "telling.py").write_text(TELLING.format(file=str(spec.folder / "app.py")), encoding="utf-8")
    telling = replace(spec, name="Telling", folder=tmp_path, handler="telling.handler")
    question = {"role": "user", "content": "Who repairs the boiler, and what does Tomasz cook?"}
    body = {"org_id": tenant.org_id, "agent_id": tenant.agent_id, "model": "gpt-4", "request_id": "r"}
    event = http_event(tenant, "POST", "/v1/context/assemble", {**body, "messages": [question]})
    pool = FunctionPool(telling, Sandbox(python_path=(ROOT / "layers" / "engine",)), log_folder=tmp_path, maximum=1)

    try:
        first, second = [json.loads((await pool.invoke(json.dumps(event).encode())).payload) for _ in range(2)]
    finally:
        await pool.stop()

    answer = json.loads(first["body"])
    counted = TiktokenCounter(MODELS).count("".join(injected(answer, question["content"])), "cl100k_base")
    assert answer["metadata"]["memories_injected"] > 0
    assert answer["metadata"]["total_tokens_injected"] == counted.tokens
    assert answer["metadata"]["budget"]["exact"]
    assert (first["loaded"], second["loaded"]) == ([False, False], [True, True])


def test_the_memory_budget_of_the_request_is_never_exceeded(guests: Tenant) -> None:
    for tokens in (1, 40, 100, 300, 1000):
        metadata = guests.assemble("Tell me about the guests", options={"memory_tokens": tokens}).json()["metadata"]

        memory_part = metadata["total_tokens_injected"] - metadata["budget"]["directive"]
        assert memory_part <= tokens + metadata["budget"]["formatter"]
        assert metadata["memories_injected"] > 0 or tokens <= 40


def test_a_cap_of_0_is_no_cap_but_the_window(guests: Tenant) -> None:
    capped, uncapped = (
        guests.assemble("Tell me about the guests", options=options).json()["metadata"]
        for options in ({"memory_tokens": 500, "silence": False}, {"memory_tokens": 0, "silence": False})
    )

    assert uncapped["budget"]["available"] == uncapped["budget"]["memory"]
    assert uncapped["memories_injected"] > capped["memories_injected"]


def test_the_end_user_of_the_header_restricts_like_that_of_the_body(tenant: Tenant) -> None:
    tenant.remember("The surprise party is on Saturday", user_id="tomasz")
    tenant.drain()
    body = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "echoed",
        "messages": [{"role": "user", "content": "When is the party?"}],
    }

    answers = [
        tenant.client.post("/v1/context/assemble", json={**body, **named}, headers={"X-End-User-ID": "isla"})
        for named in ({}, {"user_id": "isla"}, {"user_id": "tomasz"})
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 400]
    assert [answer.json()["metadata"]["memories_injected"] for answer in answers[:2]] == [0, 0]
    assert answers[2].json()["error"]["fields"].keys() == {"user_id"}
    assert answers[0].headers["x-request-id"] == "echoed"


def test_a_private_memory_is_injected_for_its_own_end_user_only(tenant: Tenant) -> None:
    tenant.remember("The surprise party is on Saturday", user_id="tomasz")
    tenant.remember("The party room is the library")
    tenant.drain()

    for_tomasz = tenant.assemble("When is the party?", user_id="tomasz").json()
    for_isla = tenant.assemble("When is the party?", user_id="isla").json()

    assert for_tomasz["metadata"]["memories_injected"] == 2
    assert for_isla["metadata"]["memories_injected"] == 1
    assert "surprise" not in json.dumps(for_isla)


def test_nothing_of_another_organization_is_ever_injected(new_tenant: NewTenant) -> None:
    ours, theirs = new_tenant(), new_tenant()
    theirs.remember("The vault code is 4711")
    theirs.drain()

    answer = ours.assemble("What is the vault code?").json()
    foreign_agent = ours.assemble("What is the vault code?", agent_id=theirs.agent_id)
    foreign_organization = ours.assemble("What is the vault code?", org_id=theirs.org_id, agent_id=theirs.agent_id)

    assert answer["metadata"]["memories_available"] == 0
    assert (foreign_agent.status_code, foreign_agent.json()["error"]["code"]) == (404, "agent_not_found")
    assert (foreign_organization.status_code, foreign_organization.json()["error"]["code"]) == (
        403,
        "wrong_organization",
    )


def test_without_directive_and_memories_nothing_is_injected(tenant: Tenant) -> None:
    answer = tenant.assemble("Hello").json()

    assert answer["messages"] == [{"role": "user", "content": "Hello"}]
    assert answer["metadata"]["total_tokens_injected"] == 0
    assert answer["metadata"]["fallback_reason"] == ""


def test_without_a_users_text_nothing_is_embedded_and_nothing_is_wrong(tenant: Tenant) -> None:
    metadata = tenant.assemble("", messages=[{"role": "assistant", "content": "Hello?"}]).json()["metadata"]

    assert metadata["fallback_reason"] == ""
    assert {metadata["sources"][name]["status"] for name in ("embed", "cold", "lexical")} == {"skipped"}


def test_an_impossible_deadline_gets_the_messages_back_and_says_so(tenant: Tenant) -> None:
    tenant.remember("never mind")

    body = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "r",
        "messages": [{"role": "user", "content": "never mind?"}],
    }
    response = tenant.client.post("/v1/context/assemble", json=body, headers={"X-Deadline-Ms": "5.001"})

    assert response.status_code == 200
    assert response.json()["messages"] == body["messages"]
    assert response.json()["metadata"]["fallback_reason"] == "assembly_timeout"
    assert response.headers["x-context-fallback"] == "assembly_timeout"
    assert response.json()["metadata"]["deadline_ms"] == pytest.approx(0.001)
    assert response.json()["metadata"]["deadline_met"] is False


def test_a_model_with_a_small_window_gets_a_small_budget(guests: Tenant) -> None:
    budget = guests.assemble("Who is Isla?", model="nobody-knows-this-model").json()["metadata"]["budget"]

    assert budget["window"] == 8192
    assert budget["model_known"] is False
    assert budget["tokenizer"] == "cl100k_base"
