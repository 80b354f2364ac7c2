"""`remembrancer eval` against a running service: memories are learned through the API, then every question is asked."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.evaluation import answers, conversations, outcomes, playing
from local.evaluation.examinee import Examinee
from local.evaluation.playing import Played
from local.stack import ROOT
from tests.e2e.conftest import Loop, Tenant
from tests.integration.engine.chat_server import ChatServer, chat_server

pytestmark = pytest.mark.long

GOOSE = "Ada: I bought a goose at the market."
MEMORIES = [
    {"id": "m1", "agent": "ada", "content": GOOSE},
    {"id": "m2", "agent": "ada", "content": "Bo: The ferry left without us."},
    {"id": "m3", "agent": "ada", "content": GOOSE},
    {"id": "m4", "agent": "ada", "content": "Bo: Wow, that's great!"},
]
QUESTIONS = [
    {"agent": "ada", "question": "Which bird did Ada buy?", "kind": "single-hop", "gold": ["m1"], "answer": "a goose"},
    {"agent": "ada", "question": "What left?", "kind": "multi-hop", "gold": ["m2"]},
]
CONVERSATION = """
== ferry | travel | en
m1: Ada keeps a goose.
-- 2026-10-05 10:02
u1: My ferry leaves at seven in the morning.
a1: Have a good trip!
-- 2026-10-06 10:02
u2: The ferry leaves from pier 4.
> state pier 4 | Where does my ferry leave?
u3: Thanks, bye
> not keep answer
"""


def evaluated(tenant: Tenant, tmp_path: Path, *options: str) -> Any:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [*MEMORIES, *QUESTIONS]))
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "REMEMBRANCER_API_KEY": tenant.client.headers["X-API-Key"],
        "MODEL_API_KEY": "own key",
    }
    command = [
        sys.executable,
        "-m",
        "local.cli",
        "eval",
        str(path),
        "--url",
        tenant.stack.url,
        "--json",
        "--tier",
        "high",
        *options,
    ]

    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)

    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_a_set_is_learned_and_asked_and_beside_it_what_the_service_remembers_of_conversations(
    tenant: Tenant, tmp_path: Path
) -> None:
    """Small talk is not remembered, and a memory answers for each message that it was made of."""
    result = evaluated(tenant, tmp_path, "--capture")

    assert result["memories"] == 4
    assert result["stored"]["memories"] == 3
    assert {kind: figures["recall@10"] for kind, figures in result["by_kind"].items()} == {
        "single-hop": 1.0,
        "multi-hop": 1.0,
        "all": 1.0,
    }
    assert result["by_agent"]["ada"]["mrr@10"] == 1.0
    assert result["latency_ms"]["p95"] >= result["latency_ms"]["p50"] > result["function_ms"]["p50"] > 0

    captured = result["captured"]
    assert (result["stored"]["memories"], captured["stored"]["memories"]) == (3, 2)
    assert 0 < captured["stored"]["tokens"] < result["stored"]["tokens"]
    assert result["by_kind"]["all"]["recall@10"] == captured["by_kind"]["all"]["recall@10"] == 1.0


def test_the_questions_of_an_agent_are_asked_in_one_session_beside_each_by_itself(
    tenant: Tenant, tmp_path: Path
) -> None:
    result = evaluated(tenant, tmp_path, "--assembly", "--session", "2")

    assert result["options"]["placement"] == "turn"
    assert [figures["all"]["coverage"] for figures in result["ways"].values()] == [1.0, 1.0]
    assert [figures["questions"] for figures in result["by_turn"].values()] == [1, 1]


@pytest.fixture
def chat(loop: Loop) -> Iterator[ChatServer]:
    serving = chat_server()
    yield loop.run(serving.__aenter__())
    loop.run(serving.__aexit__(None, None, None))


def of_an_able_model(request: Mapping[str, Any]) -> str:
    """Knows geese when the context does; as a judge, does not know what to say of ferries."""
    system, *_, last = (str(message["content"]) for message in request["messages"])
    if system != answers.JUDGE:
        return "A goose." if "goose" in str(request["messages"]) else "I do not know."
    case = json.loads(last)
    return "Well." if "ferry" in case["right"] else json.dumps({"correct": case["right"] in case["answer"].lower()})


def test_a_model_of_ones_own_answers_from_the_context_and_judges(
    tenant: Tenant, chat: ChatServer, tmp_path: Path
) -> None:
    chat.replies, chat.usage = of_an_able_model, {"prompt_tokens": 70, "completion_tokens": 3}

    result = evaluated(tenant, tmp_path, "--answers", "--model", "able", "--model-url", chat.url, "--assembly")

    assert "captured" not in result
    figures = result["answers"]
    assert {kind: own["accuracy"] for kind, own in figures["by_kind"].items()} == {"single-hop": 1.0, "all": 1.0}
    assert figures["by_kind"]["all"]["coverage"] == 1.0
    assert figures["failures"] == {"judge: BadAnswer": 1}
    assert figures["tokens"] == {
        "answer_prompt": 140, "answer_answer": 6, "judge_prompt": 4 * 70, "judge_answer": 4 * 3,
    }  # fmt: skip
    assert {request["model"] for request in chat.asked} == {"able"}
    assert set(chat.authorizations) == {"Bearer own key"}
    assert any("goose at the market" in str(request["messages"]) for request in chat.asked)


def test_a_conversation_is_played_turn_by_turn_and_asked_about(tenant: Tenant, tmp_path: Path) -> None:
    """What was known before and what was said become memories that the transcript knows by their turns."""
    path = tmp_path / "chosen.txt"
    path.write_text(CONVERSATION)
    headers = tenant.client.headers

    async def play() -> list[Played]:
        async with httpx.AsyncClient(base_url=tenant.stack.url, headers=headers, timeout=60) as client:
            examinee = Examinee(client, tenant.org_id)
            return await playing.play(examinee, conversations.read([path]), tenant.stack.drain, done=finished.append)

    finished: list[int] = []
    [played] = tenant.loop.run(play())

    assert sum(finished) == 4
    assert {tuple(memory.turns): memory.text for memory in played.memories.values()} == {
        ("m1",): "Ada keeps a goose.",
        ("u1",): "User: My ferry leaves at seven in the morning.",
        ("u2",): "User: The ferry leaves from pier 4.",
    }
    [items] = played.answers.values()
    assert any("leaves from pier 4" in item.text and item.memory in played.memories for item in items)
    assert set(map(frozenset, played.made.values())) == {frozenset({turn}) for turn in ("m1", "u1", "u2")}
    assert [one.right for one in outcomes.judge(played)] == [True, True]
