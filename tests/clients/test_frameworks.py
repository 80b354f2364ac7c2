"""Agent frameworks in front of services that do everything wrong: the run goes on as if there were no memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients.faulty import FAULTS, FaultyService, drips, hangs, running
from tests.frameworks import environment

QUESTION = "Which room?"
DEADLINE_MS, PATIENT_MS = 45.0, 5000.0
PATIENCE_S = 3.0
"""How long a run may take on a busy machine with a service that hangs."""
UNCHANGED = {
    "langchain_runs": [["system", "Be brief."], ["human", QUESTION]],
    "openai_agents_runs": ["Be brief.", QUESTION],
    "strands_runs": ["Be brief.", QUESTION],
    "pydantic_ai_runs": ["Be brief.", QUESTION],
}

pytestmark = [pytest.mark.long, environment.installed]


@asynccontextmanager
async def broken_services() -> AsyncIterator[dict[str, tuple[str, float]]]:
    """For each fault the URL of a service, and the deadline to ask it with."""
    async with AsyncExitStack() as stack:
        services = {"down": ("http://127.0.0.1:1", PATIENT_MS)}
        for fault in (*FAULTS, hangs, drips):
            service = await stack.enter_async_context(running())
            service.behaviour = fault
            services[fault.__name__] = (service.url, PATIENT_MS if fault in FAULTS else DEADLINE_MS)
        yield services


@pytest.mark.parametrize("module", UNCHANGED)
async def test_every_run_goes_on_unchanged_whatever_the_service_does(module: str) -> None:
    reasons = {fault.__name__: reason for fault, reason in FAULTS.items()}
    reasons |= {"down": "unreachable", "hangs": "timeout", "drips": "timeout"}

    async with broken_services() as services:
        went = await called(module, "faults", services=services, question=QUESTION)

    assert went.keys() == services.keys()
    for fault, run in went.items():
        assert run["given"] == [UNCHANGED[module]] * len(run["given"]), fault
        assert set(run["reasons"]) == {reasons[fault]}, fault
        assert len(run["reasons"]) == len(run["given"]), fault
        assert run["seconds"] < PATIENCE_S, fault


@pytest.mark.parametrize("module", UNCHANGED)
async def test_faults_on_our_side_cost_a_run_nothing_but_memory(module: str) -> None:
    async with running() as service:
        unknown, all_users, unheard, odd = await called(module, "our_own_faults", question=QUESTION, **own(service))

    assert unknown == all_users == unheard == UNCHANGED[module]
    assert "Tea." in str(odd)
    assert QUESTION in str(odd)
    # No one end user could be told: the service was not asked for shared memories instead.
    _, asked = assemblies(service)
    # Images may be large, and say nothing to it.
    content = asked["messages"][-1]["content"]
    texts = [content] if isinstance(content, str) else [one["text"] for one in content if "text" in one]
    assert texts == [QUESTION]
    assert len(str(content)) < 300


async def test_langchain_remembers_beside_pictures_of_every_kind_and_keeps_the_times_of_messages() -> None:
    async with running() as service:
        given = await called("langchain_runs", "pictures", question=QUESTION, **own(service))

    assert ["Tea." in text for text in given] == [True] * 5
    assert [body["messages"][-1]["content"] for body in assemblies(service)] == [QUESTION] * 5
    asked = {"role": "user", "content": QUESTION, "timestamp": "2026-05-04T03:02:01+00:00"}
    assert [body["messages"][0] for body in captured(service)] == [asked] * 5


QUESTIONS = ["I drink tea.", "And milk in it."]
ANSWER = "Noted."


@pytest.mark.parametrize("mode", ["users", "all", "off"])
async def test_langchain_captures_each_finished_turn_of_an_end_user(mode: str) -> None:
    async with running() as service:
        users = ["isla", "ada", None, "", " ", "\u3000", "\u200b"]
        await called(
            "langchain_runs", "captures", users=users, questions=QUESTIONS, answer=ANSWER, mode=mode, **own(service)
        )

    sent = captured(service)
    captured_users: dict[str, list[str | None]] = {"users": ["isla", "ada"], "all": ["isla", "ada", None], "off": []}
    named = captured_users[mode]
    assert {body.get("user_id") for body in sent} == set(named)
    for user in named:
        turns = [body for body in sent if body.get("user_id") == user]
        in_thread = [body["messages"] for body in turns if body["session_id"] == f"thread-of-{user}"]
        others = [body for body in turns if body["session_id"] != f"thread-of-{user}"]
        assert in_thread == [turn(question) for question in QUESTIONS]
        # invoke, ainvoke, stream and astream, where the opening is the session.
        assert [body["messages"] for body in others] == [turn(QUESTIONS[0])] * 4
        assert len({body["session_id"] for body in others}) == 1


async def test_openai_agents_captures_each_finished_turn_of_an_end_user() -> None:
    async with running() as service:
        users = ["isla", None, "", " ", "\u3000", "\u200b"]
        await called("openai_agents_runs", "captures", users=users, questions=QUESTIONS, answer=ANSWER, **own(service))

    sent = captured(service)
    assert [body["user_id"] for body in sent] == ["isla"] * 4
    in_group = [body["messages"] for body in sent if body["session_id"] == "group-of-isla"]
    others = [body["messages"] for body in sent if body["session_id"] != "group-of-isla"]
    assert in_group == [turn(question) for question in QUESTIONS]
    assert others == [turn(QUESTIONS[0])] * 2


async def test_strands_captures_each_finished_turn_of_an_end_user(tmp_path: Path) -> None:
    users = ["isla", "ada", None, "", " ", "\u3000", "\u200b", "*"]
    modes: dict[str, list[str | None]] = {"users": ["isla", "ada"], "all": ["isla", "ada", None], "off": []}
    for number, (mode, named) in enumerate(modes.items()):
        async with running() as service:
            fields = {"users": users, "questions": QUESTIONS, "answer": ANSWER, "mode": mode}
            await called("strands_runs", "captures", folder=str(tmp_path / str(number)), **fields, **own(service))

        sent = captured(service)
        assert {body.get("user_id") for body in sent} == set(named)
        for user in named:
            turns = [body for body in sent if body.get("user_id") == user]
            session_id = f"session-of-{users.index(user)}"
            assert [one["messages"] for one in turns if one["session_id"] == session_id] == [*map(turn, QUESTIONS)]
            others = [one for one in turns if one["session_id"] != session_id]
            assert [one["messages"] for one in others] == [turn(QUESTIONS[0])] * 3
            assert len({one["session_id"] for one in others}) == 1


async def test_strands_gives_memories_to_the_model_and_keeps_its_own_messages() -> None:
    async with running() as service:
        ways = await called("strands_runs", "chats", users=["isla", None], question=QUESTION, **own(service))
        calls = await called("strands_runs", "tools", question=QUESTION, **own(service))

    for name, chats in ways.items():
        for (system, said), kept_system, kept in chats:
            assert (said, kept_system, kept["content"]) == (QUESTION, "Be brief.", [{"text": QUESTION}]), name
            assert system.startswith("Be brief.\n<memories-"), name
    asked = assemblies(service)
    assert [one["messages"][0] for one in asked] == [{"role": "system", "content": [{"text": "Be brief."}]}] * len(
        asked
    )
    *_, first, second = asked
    assert first["session_id"] == second["session_id"]
    assert [one["function"]["name"] for one in second["tools"]] == ["look"]
    assert [[one["role"] for one in messages] for _, messages in calls] == [["user"], ["user", "assistant", "user"]]
    assert "toolResult" in calls[1][1][2]["content"][0]


@pytest.mark.parametrize("mode", ["users", "all", "off"])
async def test_pydantic_ai_captures_each_finished_turn_of_an_end_user(mode: str) -> None:
    users = ["isla", None, "", " ", "\u3000", "\u200b", "*"]
    async with running() as service:
        fields = {"users": users, "questions": QUESTIONS, "answer": ANSWER, "mode": mode}
        await called("pydantic_ai_runs", "captures", **fields, **own(service))

    sent = captured(service)
    modes: dict[str, list[str | None]] = {"users": ["isla"], "all": ["isla", None], "off": []}
    named = modes[mode]
    assert {body.get("user_id") for body in sent} == set(named)
    for user in named:
        turns = [body for body in sent if body.get("user_id") == user]
        said = [[(one["role"], one["content"]) for one in body["messages"]] for body in turns]
        expected = [[("user", question), ("assistant", ANSWER)] for question in (*QUESTIONS[:1] * 4, QUESTIONS[1])]
        assert sorted(said) == sorted(expected)
        # Runs with a history are one conversation.
        assert len({body["session_id"] for body in turns}) == len(turns) - 1


async def test_pydantic_ai_gives_memories_to_the_model_and_keeps_its_own_messages() -> None:
    async with running() as service:
        ways = await called("pydantic_ai_runs", "chats", users=["isla", None], question=QUESTION, **own(service))
        calls = await called("pydantic_ai_runs", "tools", question=QUESTION, **own(service))

    for name, chats in ways.items():
        for (instructions, said), kept in chats:
            assert (said, kept) == (QUESTION, QUESTION), name
            assert instructions.startswith("Be brief.\n\n<memories-"), name
    asked = assemblies(service)
    assert [one["messages"][0] for one in asked] == [{"role": "system", "content": "Be brief."}] * len(asked)
    *_, first, second = asked
    assert first["session_id"] == second["session_id"]
    assert [one["function"]["name"] for one in second["tools"]] == ["look"]
    assert calls[0] == calls[1]


def turn(question: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}, {"role": "assistant", "content": ANSWER}]


def own(service: FaultyService) -> dict[str, Any]:
    return {"url": service.url, "api_key": "rk_test", "agent_id": "a", "deadline_ms": PATIENT_MS}


def captured(service: FaultyService) -> list[dict[str, Any]]:
    return [exchange.json() for exchange in service.received if exchange.path == "/v1/conversations"]


async def test_langchain_tells_the_turn_the_tools_and_all_messages() -> None:
    async with running() as service:
        await called("langchain_runs", "tools", question=QUESTION, **own(service))

    first, second = assemblies(service)
    assert first["turn_id"] == second["turn_id"]
    assert [tool["function"]["name"] for tool in first["tools"]] == ["look"]
    assert [message["role"] for message in first["messages"]] == ["user"]
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "tool"]


async def test_openai_agents_tells_the_turn_the_tools_and_the_end_user() -> None:
    async with running() as service:
        await called("openai_agents_runs", "tools", users=["isla", "ada"], question=QUESTION, **own(service))

    asked = assemblies(service)
    assert len(asked) == 2
    for body in asked:
        assert body["turn_id"].endswith(":1")
        assert [tool["function"]["name"] for tool in body["tools"]] == ["look"]
        assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert {exchange.headers.get("x-end-user-id") for exchange in service.received if exchange.body} == {"isla", "ada"}


def assemblies(service: FaultyService) -> list[dict[str, Any]]:
    return [exchange.json() for exchange in service.received if exchange.path == "/v1/context/assemble"]


async def called(module: str, function: str, **arguments: Any) -> Any:
    """The services live on this loop, which has to go on meanwhile."""
    return await asyncio.to_thread(environment.call, module, function, {}, **arguments)
