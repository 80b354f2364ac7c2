"""Claude Code and Codex through the real LiteLLM proxy, in the shapes in which they ask: what the model is asked, and
what is captured. With `CLAUDE_CODE` and `CODEX`, the paths of the real programs, those run too.
"""

import copy
import json
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant
from tests.e2e.litellm_proxy import ANSWER, ANTHROPIC_MODEL, LITELLM, OPENAI_MODEL, PROXY_KEY, TOKENS, Proxy
from tests.unit.documents import blocks

QUESTION = "When is the piano tuned? I prefer mornings."
FACT = "The piano is tuned on Tuesdays by Mr Sutherland."
SESSION, DEVICE = (
    "a3fef1c0-5cb4-430f-96ef-a7e40fe76fd4",
    "e1172c5208ee747b323071623481ecdc13cfe72ad6c5c49447c4603c2d0c097e",
)
MARK = {"type": "ephemeral"}
BETAS = "claude-code-20250219,interleaved-thinking-2025-05-14,mid-conversation-system-2026-04-07"
REMINDER = "<system-reminder>\n# claudeMd\nContents of CLAUDE.md:\n\nUse tabs.\n</system-reminder>\n\n"
TOOLS = [
    {"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object", "properties": {}}},
    {"name": "Agent", "description": "Starts an agent.", "input_schema": {"type": "object", "properties": {}}},
]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy"),
]


def text(said: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **fields}


def asked(device: str, *more: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The body of version 2.1: reminders beside the question, a message of the system within the conversation."""
    named = {"device_id": device, "account_uuid": "", "session_id": SESSION}
    return {
        "model": ANTHROPIC_MODEL,
        "messages": [
            {"role": "user", "content": [text(REMINDER), text(QUESTION, **({} if more else {"cache_control": MARK}))]},
            {"role": "system", "content": "Available agent types for the Agent tool: Explore."},
            *more,
        ],
        "system": [
            text("x-anthropic-billing-header: cc_version=2.1.197.1fd; cc_entrypoint=cli;"),
            text("You are a coding agent.", cache_control=MARK),
            text("You help with software.", cache_control=MARK),
        ],
        "tools": TOOLS,
        "metadata": {"user_id": json.dumps(named)},
        "max_tokens": 64000,
        "thinking": {"type": "enabled", "budget_tokens": 2000},
        "stream": True,
        **fields,
    }


LOOP: Sequence[dict[str, Any]] = (
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "I look it up.", "signature": "c2lnbmVk"},
            text("I look."),
            {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "piano.md"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Out of tune.", "cache_control": MARK},
        ],
    },
)


def ask(proxy: Proxy, body: dict[str, Any], path: str = "/v1/messages?beta=true", **headers: str) -> httpx.Response:
    """As the program does, with its headers."""
    proxy.model.given.clear()
    proxy.model.headers.clear()
    own = {
        "user-agent": "claude-cli/2.1.197 (external, cli)",
        "x-app": "cli",
        "anthropic-version": "2023-06-01",
        "anthropic-beta": BETAS,
        "anthropic-dangerous-direct-browser-access": "true",
        "x-claude-code-session-id": SESSION,
        "x-stainless-lang": "js",
    }
    answer = proxy.client.post(path, json=body, headers={**own, **{k.replace("_", "-"): v for k, v in headers.items()}})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.fixture
def proxy(litellm_proxy: Proxy) -> Proxy:
    litellm_proxy.gate.captured.clear()
    return litellm_proxy


@pytest.fixture
def tenant(proxy: Proxy) -> Tenant:
    proxy.tenant.remember(FACT)
    return proxy.tenant


@pytest.fixture(scope="module", autouse=True)
def forgotten(litellm_proxy: Proxy) -> Iterator[None]:
    """Other modules use the same tenant: what is shared is deleted afterwards."""
    yield
    client = litellm_proxy.tenant.client
    for memory in client.get("/v1/memories", params={"status": "active"}).json()["memories"]:
        client.delete(f"/v1/memories/{memory['id']}").raise_for_status()


def captured(proxy: Proxy, number: int, user: str = DEVICE) -> list[dict[str, Any]]:
    """So many turns, and no more before one that is said after them."""
    end = time.monotonic() + 60
    proxy.ask("chat", user="last", messages=[{"role": "user", "content": "That is all."}])
    while not any(one["user_id"] == "last" for one in proxy.gate.captured):
        assert time.monotonic() < end
        time.sleep(0.05)
    while len(found := [one for one in proxy.gate.captured if one["user_id"] == user]) < number:
        assert time.monotonic() < end, proxy.gate.captured
        time.sleep(0.05)
    assert len(found) == number
    return found


@pytest.mark.parametrize("key", ["x-api-key", "authorization"])
@pytest.mark.parametrize("more", [(), LOOP], ids=["question", "result of a tool"])
def test_memories_stand_before_the_question_and_nothing_else_of_the_request_changes(
    proxy: Proxy, tenant: Tenant, key: str, more: Sequence[dict[str, Any]]
) -> None:
    tenant.direct("You tune pianos.")
    body = asked(DEVICE, *more)
    own_key = {"x_api_key": PROXY_KEY} if key == "x-api-key" else {"authorization": f"Bearer {PROXY_KEY}"}

    answer = ask(proxy, copy.deepcopy(body), **own_key)

    assert "text_delta" in answer.text
    (given,) = proxy.model.given
    (headers,) = proxy.model.headers
    assert set(BETAS.split(",")) <= set(headers["anthropic-beta"].split(","))
    *own_system, directive = given["system"]
    assert own_system == body["system"]
    assert "You tune pianos." in directive["text"]
    assert "cache_control" not in directive
    question, *others = given["messages"]
    assert others == body["messages"][1:]
    reminder, own_question = body["messages"][0]["content"]
    added = [part for part in question["content"] if part not in (reminder, own_question)]
    assert [part for part in question["content"] if part not in added] == [reminder, own_question]
    assert len(added) == 1
    assert FACT in added[0]["text"]
    assert given["tools"] == TOOLS
    assert {name: given[name] for name in ("thinking", "max_tokens", "stream")} == {
        name: body[name] for name in ("thinking", "max_tokens", "stream")
    }


def test_earlier_memories_come_back_byte_for_byte_in_a_session(proxy: Proxy, tenant: Tenant) -> None:
    ask(proxy, asked("device-of-bytes", system=asked("x")["system"]))
    first = proxy.model.given[0]["messages"][0]
    tenant.remember("The piano stands in the parlour, where the sun does not reach it.")

    body = asked("device-of-bytes", *LOOP, {"role": "assistant", "content": [text("On Tuesdays.")]})
    body["messages"].append({"role": "user", "content": [text("And where does the piano stand?")]})
    body["system"][0]["text"] = "x-anthropic-billing-header: cc_version=2.1.197.9e1; cc_entrypoint=cli;"
    ask(proxy, body)

    again = proxy.model.given[0]["messages"][0]
    assert [part["text"] for part in again["content"]] == [part["text"] for part in first["content"]]


def test_a_turn_is_captured_for_the_installation_with_what_the_user_said_only(proxy: Proxy, tenant: Tenant) -> None:
    ask(proxy, asked(DEVICE, *LOOP))

    (turn,) = captured(proxy, 1)
    assert turn["session_id"] == SESSION
    assert turn["messages"] == [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]


def test_an_installation_is_known_in_its_next_session_and_in_no_other_installation(
    proxy: Proxy, tenant: Tenant
) -> None:
    own = "For this machine the piano is tuned on Mondays."
    tenant.remember(own, user_id=DEVICE)
    next_session = "b0000000-5cb4-430f-96ef-a7e40fe76fd4"
    older = f"user_{DEVICE}_account__session_{next_session}"
    seen = {}
    for name, named in {
        "own": asked(DEVICE)["metadata"],
        "older version": {"user_id": older},
        "other": asked("f" * 64)["metadata"],
    }.items():
        ask(proxy, asked(DEVICE, metadata=named), x_claude_code_session_id=next_session)
        seen[name] = own in json.dumps(proxy.model.given)

    assert seen == {"own": True, "older version": True, "other": False}


def test_a_person_named_in_a_header_counts_before_the_installation(proxy: Proxy, tenant: Tenant) -> None:
    ask(proxy, asked(DEVICE), x_litellm_end_user_id="isla")

    captured(proxy, 1, "isla")
    captured(proxy, 0)


def test_an_installation_without_a_name_gets_no_memory_and_is_not_captured(proxy: Proxy, tenant: Tenant) -> None:
    answer = ask(proxy, asked(" \u200b"))

    assert answer.headers["x-context-fallback"] == "blank_end_user"
    assert FACT not in json.dumps(proxy.model.given)
    captured(proxy, 0)


def test_titles_get_no_memories_and_no_capture(proxy: Proxy, tenant: Tenant) -> None:
    title = text(f"<session>\n{QUESTION}\n</session>\n\nWrite the title in the language the user wrote in.")
    body = asked(DEVICE, tools=[], messages=[{"role": "user", "content": [title]}])

    ask(proxy, body)

    assert proxy.model.given[0]["messages"] == body["messages"]
    captured(proxy, 0)


def test_what_a_model_asks_a_further_agent_is_not_captured_as_said_by_a_person(proxy: Proxy, tenant: Tenant) -> None:
    ask(proxy, asked(DEVICE), x_claude_code_agent_id="ac7229102682d9339")

    assert FACT in json.dumps(proxy.model.given)
    captured(proxy, 0)


def test_a_summary_of_the_session_is_not_captured(proxy: Proxy, tenant: Tenant) -> None:
    order = text("CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a summary.")
    answered = {"role": "assistant", "content": [text("On Tuesdays.")]}

    ask(proxy, asked(DEVICE, answered, {"role": "user", "content": [text("Thanks.\n"), order]}))

    captured(proxy, 0)


def test_tokens_are_counted_and_a_probe_of_the_address_is_answered(proxy: Proxy, tenant: Tenant) -> None:
    body = {name: value for name, value in asked(DEVICE).items() if name in ("model", "messages", "tools", "system")}

    proxy.model.given.clear()
    counted = proxy.client.post("/v1/messages/count_tokens?beta=true", json=body, headers={"anthropic-beta": BETAS})
    probed = proxy.client.head("/")

    assert counted.json()["input_tokens"] == TOKENS
    assert proxy.model.given[0]["messages"] == body["messages"]
    assert probed.status_code < 500


def test_codex_gets_memories_and_its_turns_are_captured(proxy: Proxy, tenant: Tenant) -> None:
    context = "<environment_context>\n  <cwd>/home/isla</cwd>\n  <shell>bash</shell>\n</environment_context>"
    texts = (("developer", "You are a coding agent."), ("user", context), ("user", QUESTION))
    given = [
        {"type": "message", "role": role, "content": [{"type": "input_text", "text": said}]} for role, said in texts
    ]
    body = {
        "model": "stand-in",
        "input": given,
        "stream": True,
        "store": False,
        "reasoning": {"summary": "auto"},
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": SESSION,
    }
    headers = {"user-agent": "codex_exec/0.171.0 (Debian 12)", "session-id": SESSION, "originator": "codex_exec"}
    for kind, source in (("turn", "user"), ("turn", "subagent"), ("compaction", "user")):
        told = json.dumps({"session_id": SESSION, "request_kind": kind, "thread_source": source})
        proxy.model.given.clear()
        named = {**headers, "x-codex-turn-metadata": told, "x-litellm-end-user-id": "isla"}

        answer = proxy.client.post("/v1/responses", json=body, headers=named)

        assert answer.status_code == 200, answer.text
        assert FACT in json.dumps(proxy.model.given)

    (turn,) = captured(proxy, 1, "isla")
    assert turn["session_id"] == SESSION
    assert turn["messages"][0] == {"role": "user", "content": QUESTION}


@pytest.mark.parametrize("program", ["CLAUDE_CODE", "CODEX"])
def test_the_real_program_works(proxy: Proxy, tenant: Tenant, tmp_path: Path, program: str) -> None:
    if program not in os.environ:
        pytest.skip(f"{program} names the real program")
    (tmp_path / ".codex").mkdir()
    page = ROOT / "docs" / "connect" / "coding-agents.md"
    [codex] = [block.text for block in blocks(page) if block.language == "toml"]
    codex = codex.replace("http://127.0.0.1:4000", str(proxy.client.base_url)).replace("gpt-5.1-codex", OPENAI_MODEL)
    (tmp_path / ".codex" / "config.toml").write_text(codex, encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "ANTHROPIC_BASE_URL": str(proxy.client.base_url),
        "ANTHROPIC_API_KEY": PROXY_KEY,
        "ANTHROPIC_MODEL": ANTHROPIC_MODEL,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "OPENAI_API_KEY": PROXY_KEY,
    }
    words = ["-p"] if program == "CLAUDE_CODE" else ["exec", "--skip-git-repo-check"]
    proxy.model.given.clear()

    # Codex calls the tool that the stand-in asks for until it is ended.
    running = subprocess.Popen(
        [os.environ[program], *words, QUESTION],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 120
    try:
        while FACT not in json.dumps(proxy.model.given):
            assert time.monotonic() < end, proxy.model.given
            time.sleep(0.1)
    finally:
        running.kill()
        running.wait()
