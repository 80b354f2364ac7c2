"""Capture with a language model through HTTP, queues and functions; the model is a scripted server."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from local import queues
from local.evaluation import dataset, examination, ways
from local.evaluation.capture_counts import CaptureCounts
from local.evaluation.dataset import Dataset
from local.evaluation.extractive_model import ExtractiveModel
from local.evaluation.ways import Way
from local.stack import Stack, StackSettings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.capture import prompt
from remembrancer.domain.capture.extraction import SCHEMA
from tests.builders import MODELS
from tests.e2e.conftest import PATIENT, START_SECONDS, Loop, NewTenant, Tenant, tenants
from tests.e2e.events import queue_event
from tests.e2e.test_conversations import converse, decided, user
from tests.integration.engine.chat_server import ChatServer, chat_server

pytestmark = pytest.mark.long

SMALL_TALK = [user(f"Hm{'!' * number}") for number in range(9)]
"""Nine turns, so that the next one completes a window."""
NUTS = "I'm not allergic to nuts."


@pytest.fixture(scope="module")
def server(loop: Loop) -> Iterator[ChatServer]:
    serving = chat_server()
    yield loop.run(serving.__aenter__())
    loop.run(serving.__aexit__(None, None, None))


@pytest.fixture
def model(server: ChatServer) -> Iterator[ChatServer]:
    yield server
    server.says, server.replies, server.hangs = "", None, False
    server.asked.clear()


@pytest.fixture(scope="module")
def counts() -> CaptureCounts:
    return CaptureCounts()


@pytest.fixture(scope="module")
def reading_stack(
    loop: Loop, server: ChatServer, counts: CaptureCounts, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stack]:
    server.usage = {"prompt_tokens": 900, "completion_tokens": 100}
    capture = {"CAPTURE_MODEL": "openai", "CAPTURE_MODEL_URL": server.url, "CAPTURE_MODEL_NAME": "small"}
    settings = StackSettings(
        directory=tmp_path_factory.mktemp("reading"),
        port=0,
        environment=PATIENT | capture,
        start_seconds=START_SECONDS,
        echo=counts.note,
    )
    stack = Stack(settings)
    loop.run(stack.start())
    yield stack
    loop.run(stack.stop())


@pytest.fixture
def new_reader(reading_stack: Stack, loop: Loop) -> Iterator[NewTenant]:
    yield from tenants(reading_stack, loop)


@pytest.fixture
def tenant(new_reader: NewTenant) -> Tenant:
    return new_reader()


def span(**fields: Any) -> dict[str, Any]:
    nothing = {"about_turn": None, "about_quote": None, "occurred": None, "corrects": None, "repeats": None}
    return {"turn": 10, "quote": NUTS, "category": "factual", "pin": False, **nothing, **fields}


def contents(tenant: Tenant) -> list[str]:
    memories = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    return [memory["content"] for memory in memories]


def test_what_is_said_is_remembered_at_once_and_then_as_the_model_chooses_it(tenant: Tenant, model: ChatServer) -> None:
    model.says = json.dumps({"spans": [span(turn=1, quote="not allergic"), span(turn=3, quote="I am a king.")]})
    stored = converse(tenant, user(f"{NUTS} Nice weather today!"))
    tenant.drain()
    tenant.until_embedded()
    at_once = tenant.assemble("May I put nuts into the cake?").json()
    kept = contents(tenant)
    converse(tenant, *SMALL_TALK)
    shown = decided(tenant, stored["conversation_id"])
    tenant.until_embedded()
    answer = tenant.assemble("May I put nuts into the cake?").json()

    memories = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    assert kept == [f"User: {NUTS} Nice weather today!"]
    assert [memory["content"] for memory in memories] == [f"User: {NUTS}"]
    assert shown["turns"][0]["reason"] == "extracted"
    assert shown["turns"][0]["memory_id"] == memories[0]["id"]
    assert memories[0]["provenance"]["quote"] == NUTS
    assert memories[0]["provenance"]["captured_by"] == {"model": "small", "prompt": prompt.VERSION}
    assert at_once["metadata"]["memory_ids"] == answer["metadata"]["memory_ids"] == [memories[0]["id"]]


def test_where_the_model_answers_rubbish_the_turn_is_remembered_by_rules(tenant: Tenant, model: ChatServer) -> None:
    model.says = "Sure! Here are the memories."

    shown = decided(tenant, converse(tenant, *SMALL_TALK, user(NUTS))["conversation_id"])

    assert shown["turns"][-1]["reason"] == "model_answer"
    assert contents(tenant) == [f"User: {NUTS}"]


VISIBILITY_SECONDS = 2
LONG_POLL_SECONDS = 1.5
"""A receive call that waits keeps the visibility timeout of when it began."""


@pytest.fixture
def messages_come_back_soon(reading_stack: Stack) -> Iterator[None]:
    with closing(queues.connect(reading_stack.aws_endpoint_url)) as client:
        url = client.get_queue_url(QueueName="CaptureQueue")["QueueUrl"]
        before = client.get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])["Attributes"]
        client.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": str(VISIBILITY_SECONDS)})
        time.sleep(LONG_POLL_SECONDS)
        yield
        client.set_queue_attributes(QueueUrl=url, Attributes=before)


@pytest.mark.usefixtures("messages_come_back_soon")
def test_a_worker_that_is_killed_while_the_model_reads_leaves_each_memory_there_once(
    tenant: Tenant, model: ChatServer
) -> None:
    """The killed calls keep what was reserved for them, since the provider may have counted them."""
    model.hangs = True
    stored = converse(tenant, *SMALL_TALK, user(NUTS))
    end = time.monotonic() + 60
    while not model.asked:
        assert time.monotonic() < end
        time.sleep(0.02)
    killed = kill(tenant.stack, "CaptureFunction")
    held = len(model.asked)
    model.hangs, model.says = False, json.dumps({"spans": [span(category="preference")]})
    shown = decided(tenant, stored["conversation_id"])
    tenant.drain()
    again = {"org_id": tenant.org_id, "conversation_id": stored["conversation_id"]}
    tenant.loop.run(tenant.stack.invoke("CaptureFunction", queue_event(json.dumps(again))))

    assert killed
    assert [turn["reason"] for turn in shown["turns"]] == ["no_statement"] * 9 + ["extracted"]
    memories = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    assert [(memory["content"], memory["category"]) for memory in memories] == [(f"User: {NUTS}", "preference")]
    calls = len(model.asked)
    reserved = prompt.most_tokens(prompt.INSTRUCTION, model.asked[0]["messages"][1]["content"], SCHEMA)
    assert calls > held
    assert spent(tenant) == (held * reserved + (calls - held) * 1000, calls)


def kill(stack: Stack, function: str) -> int:
    """How many processes it had."""
    process_ids = stack.functions[function].process_ids
    for process_id in process_ids:
        os.killpg(process_id, signal.SIGKILL)
    return len(process_ids)


def spent(tenant: Tenant) -> tuple[int, int]:
    """Tokens and calls of the organization, of all days."""
    with psycopg.connect(tenant.stack.postgres.superuser_url) as connection:
        row = connection.execute(
            "SELECT sum(tokens)::integer, sum(calls)::integer FROM capture_budgets WHERE org_id = %s", [tenant.org_id]
        ).fetchone()
    assert row is not None
    return row[0], row[1]


TALK = (
    "Ada: Hi Bo! How are you?",
    "Bo: I'm learning to sail, and my sister has bought a boat.",
    "Ada: Wow, that's great!",
    "Bo: Thanks!",
    "Ada: I bought a goose at the market.",
    "Bo: Haha, really?",
    "Ada: Yes! We keep it in the garden.",
    "Bo: The ferry left without us.",
    "Ada: Oh no!",
    "Bo: Bye!",
)
"""A window of turns."""
ASKED = {"Which bird did Ada buy?": 4, "What left without them?": 7, "What does Bo learn?": 1}


def talk(folder: Path) -> Dataset:
    memories = [
        {"id": f"t{number}", "agent": "ada", "session": "one", "content": text} for number, text in enumerate(TALK)
    ]
    questions = [
        {"agent": "ada", "question": text, "kind": "single-hop", "gold": [f"t{place}"]} for text, place in ASKED.items()
    ]
    path = folder / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [*memories, *questions]))
    return dataset.read([path])


def test_capture_by_a_scripted_model_is_evaluated_beside_rules(
    reading_stack: Stack, counts: CaptureCounts, model: ChatServer, loop: Loop, tmp_path: Path
) -> None:
    data = talk(tmp_path)
    before = counts.figures()["proposals"].get("passed", 0)

    async def nothing() -> None:
        return

    async def examined(way: Way) -> tuple[float, list[str], dict[str, Any]]:
        async with ways.organization(reading_stack, tmp_path, way, model="scripted") as examinee:
            await examinee.learn(data, learned=lambda _: None)
            options = {"k": 10, "thoroughness": "all", "computation_tier": "high"}
            asked = await examination.ask_all(examinee, data.questions, options, asked=nothing)
            stored = [memory["content"] async for memory in examinee.stored("ada")]
            return examination.summary(asked)["by_kind"]["all"]["recall@10"], sorted(stored), examinee.capture["turns"]

    with closing(TiktokenCounter(MODELS)) as counter:
        model.replies = lambda request: ExtractiveModel(counter).says(request["messages"]).text
        by_rules, by_model = (loop.run(examined(way)) for way in (ways.CAPTURED, ways.EXTRACTED))
    loop.run(reading_stack.drain())

    recall, memories, reasons = by_rules
    assert (recall, len(memories), reasons["statement"]) == (1.0, 4, 4)
    recall, memories, reasons = by_model
    assert recall == 1.0
    assert memories == [
        "Ada: I bought a goose at the market.",
        "Ada: We keep it in the garden.",
        "Bo: I'm learning to sail, and my sister has bought a boat.",
        "Bo: The ferry left without us.",
    ]
    assert reasons["extracted"] == 4
    # Messages of the ninth and the tenth turn that come at the same time both ask the model.
    passed = before + 4 * len(model.asked)
    end = time.monotonic() + 60
    while counts.figures()["proposals"]["passed"] < passed:
        assert time.monotonic() < end, "the function's metrics were never read"
        time.sleep(0.05)
    assert counts.figures()["proposals"]["passed"] == passed
    assert counts.figures()["model_tokens"]["prompt"] >= 900
