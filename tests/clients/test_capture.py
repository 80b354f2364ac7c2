"""Capture in the background: what is sent, and that no service and no message delays or fails the caller."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remembrancer_client import AsyncClient, BadRequest, Client, ServiceFailed
from remembrancer_client.capture_queue import ATTEMPTS
from remembrancer_client.circuit_breaker import FAILURES
from tests.clients.faulty import (
    FAULTS,
    Exchange,
    FaultyService,
    drips,
    fails,
    hangs,
    redirects,
    running,
    says_garbage,
    whole,
)
from tests.clients.test_distribution import PYTHON

TURN: list[dict[str, Any]] = [{"role": "user", "content": "I drink tea."}, {"role": "assistant", "content": "Noted."}]
ROUTE = "/v1/conversations"
PATIENCE_S = 30.0


@pytest.fixture
async def service() -> AsyncIterator[FaultyService]:
    async with running() as service:
        yield service


def connected(service: FaultyService, **settings: Any) -> AsyncClient:
    return AsyncClient(service.url, "rk_test", agent_id="a", deadline_ms=5000, **settings)


def conversations(service: FaultyService) -> list[Exchange]:
    return [exchange for exchange in service.received if exchange.path == ROUTE]


async def until_sent(client: AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await client.flush(10):
            await asyncio.sleep(0.05)


async def test_what_was_said_is_sent_and_nothing_else(service: FaultyService) -> None:
    said_at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    block = "<memories-123456789>\n- Coffee.\n</memories-123456789>\n"
    messages = [{"role": "system", "content": "Secret."}, {"role": "user", "content": block}, *TURN]
    async with connected(service) as client:
        client.capture(messages, user_id="isla", session_id="s", turn_id="t", observed_at=said_at, client_ref="r")
        client.capture([{"role": "system", "content": "Secret."}])
        await until_sent(client)

    (exchange,) = conversations(service)
    assert exchange.headers["x-end-user-id"] == "isla"
    assert len(exchange.headers["idempotency-key"]) == 36
    assert exchange.json() == {
        "agent_id": "a",
        "user_id": "isla",
        "session_id": "s",
        "turn_id": "t",
        "client_ref": "r",
        "observed_at": "2026-05-04T03:02:01+00:00",
        "messages": TURN,
    }


async def test_a_turn_has_the_time_at_which_it_was_handed_over(service: FaultyService) -> None:
    service.behaviour = fails
    before = datetime.now(UTC)
    async with connected(service) as client:
        client.capture(TURN)
        after = datetime.now(UTC)
        await client.flush()
        service.behaviour = whole
        await until_sent(client)

    assert before <= datetime.fromisoformat(conversations(service)[-1].json()["observed_at"]) <= after


@pytest.mark.parametrize("fault", [*FAULTS, drips], ids=lambda fault: fault.__name__)
async def test_after_any_fault_the_turn_is_sent_again_under_the_same_key(service: FaultyService, fault: Any) -> None:
    service.behaviour = fault
    async with connected(service, timeout_s=1.0) as client:
        client.capture(TURN, session_id="s")
        failed = await client.flush()
        service.behaviour = whole
        await until_sent(client)

    assert failed == 1
    assert len({exchange.headers["idempotency-key"] for exchange in conversations(service)}) == 1
    assert conversations(service)[-1].json()["messages"] == TURN


@pytest.mark.parametrize("other", [redirects, says_garbage], ids=lambda other: other.__name__)
async def test_what_something_else_answers_again_and_again_is_dropped_and_logged(
    service: FaultyService, other: Any, caplog: pytest.LogCaptureFixture
) -> None:
    service.behaviour = other
    async with connected(service) as client:
        client.capture(TURN, session_id="s")
        client.capture(TURN, session_id="s")
        left = [await client.flush() for _ in range(2 * ATTEMPTS - 1)]

    # The attempt that drops the first is followed by the first of the second.
    assert left == [*[2] * (ATTEMPTS - 1), *[1] * (ATTEMPTS - 1), 0]
    assert caplog.messages == ["capture_failed"] * 2


async def test_a_service_that_hangs_delays_neither_the_caller_nor_assembly(service: FaultyService) -> None:
    async def hangs_at_capture(exchange: Exchange) -> None:
        await (hangs if exchange.path == ROUTE else whole)(exchange)

    service.behaviour = hangs_at_capture
    client = connected(service)
    began = time.perf_counter()
    for number in range(200):
        client.capture(TURN, session_id=str(number))
    handed_over_s = time.perf_counter() - began
    reasons = {(await client.assemble(TURN, model="gpt-4o")).reason for _ in range(5)}
    left = await client.flush(0.01)

    assert handed_over_s < 1
    assert reasons == {""}
    assert left == 200


json_values = st.recursive(
    st.none() | st.booleans() | st.text() | st.sampled_from(["user", "assistant", "text"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["role", "content", "name", "text"]), inner),
    max_leaves=12,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=json_values, user_id=st.none() | st.text(), session_id=st.none() | st.text())
async def test_nothing_that_is_handed_over_raises(
    service: FaultyService, messages: Any, user_id: str | None, session_id: str | None
) -> None:
    async with connected(service) as client:
        client.capture(messages, user_id=user_id, session_id=session_id)
        await client.flush()


async def test_without_an_agent_nothing_raises_either(service: FaultyService, caplog: pytest.LogCaptureFixture) -> None:
    async with AsyncClient(service.url) as client:
        client.capture(TURN)

    assert "capture_failed" in caplog.messages
    assert service.received == []


async def test_adding_a_conversation_waits_and_raises(service: FaultyService) -> None:
    async with connected(service) as client:
        added = await client.add_conversation([{"role": "system", "content": "x"}, *TURN], user_id="Zoë")
        service.behaviour = fails
        with pytest.raises(ServiceFailed):
            await client.add_conversation(TURN)

    sent, *retried = conversations(service)
    assert (added.conversation_id, [turn["number"] for turn in added.turns]) == ("c-1", [1, 2, 3])
    # A header has ASCII only: such a name is in the body.
    assert "x-end-user-id" not in sent.headers
    assert sent.json()["user_id"] == "Zoë"
    assert len({exchange.headers["idempotency-key"] for exchange in retried}) == 1
    assert len(retried) == 3


async def test_a_conversation_is_sent_without_pictures_and_with_its_times(service: FaultyService) -> None:
    said_at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 3_000_000}"}}
    content = [picture, {"type": "image", "data": b"x"}, {"type": "text", "text": "I drink tea."}]
    messages = [{"role": "user", "content": content, "created_at": said_at}]
    async with connected(service) as client:
        await client.add_conversation(messages)
        client.capture(messages)
        await until_sent(client)
    with Client(service.url, agent_id="a") as plain:
        await asyncio.to_thread(plain.add_conversation, messages)

    added, captured, added_without_asyncio = (exchange.json()["messages"] for exchange in conversations(service))
    assert [part["type"] for part in added[0]["content"]] == ["image_url", "image", "text"]
    assert len(str(added)) < 1_000
    assert added[0]["created_at"] == "2026-05-04T03:02:01+00:00"
    assert added_without_asyncio == added
    assert captured == [{"role": "user", "content": "I drink tea.", "timestamp": "2026-05-04T03:02:01+00:00"}]


async def test_that_nobody_said_anything_is_refused_with_the_reasons(service: FaultyService) -> None:
    async def refuses(exchange: Exchange) -> None:
        refusal = {"error": {"code": "nothing_to_capture", "message": "No."}, "request_id": "r", "skipped": {"tool": 1}}
        await (exchange.answer(400, refusal) if exchange.path == ROUTE else whole(exchange))

    service.behaviour = refuses
    async with connected(service) as client:
        for number in range(2 * FAILURES):
            client.capture(TURN, session_id=str(number))
        left = await client.flush()
        with pytest.raises(BadRequest, match="nothing_to_capture") as refused:
            await client.add_conversation([{"role": "tool", "content": "x"}])
        reason = (await client.assemble(TURN, model="gpt-4o")).reason

    assert left == 0
    assert len(conversations(service)) == 2 * FAILURES + 1
    assert (refused.value.code, refused.value.body["skipped"]) == ("nothing_to_capture", {"tool": 1})
    assert reason == ""


async def test_no_name_of_an_end_user_opens_the_breaker_for_all(service: FaultyService) -> None:
    names = ["Zoë", "a\nb", "日本", "a\0"]
    async with connected(service) as client:
        named = [(await client.assemble(TURN, model="gpt-4o", user_id=name)).reason for name in FAILURES * names]
        plain = await client.assemble(TURN, model="gpt-4o", user_id="isla")

    assert set(named) == {""}
    assert plain.reason == ""
    assert [exchange.json()["user_id"] for exchange in service.received[: len(names)]] == names
    assert service.received[-1].headers["x-end-user-id"] == "isla"


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2060 \u00ad", "\u2800"])
async def test_a_blank_end_user_gets_no_memory_and_nothing_is_captured(service: FaultyService, blank: str) -> None:
    async with connected(service) as client:
        answer = await client.assemble(TURN, model="gpt-4o", user_id=blank)
        client.capture(TURN, user_id=blank, session_id="s")
        left = await client.flush()
        for call in (client.write("x", user_id=blank), client.memories(user_id=blank), client.erase(user_id=blank)):
            with pytest.raises(ValueError, match="user_id: must not be blank"):
                await call

    assert (answer.messages is TURN, answer.reason, left) == (True, "blank_end_user", 0)
    assert [exchange.path for exchange in service.received if exchange.path != "/v1/health"] == []


@pytest.mark.parametrize("written", ["Noe\u0308l", " No\u00ebl ", "No\u00ebl\u00a0"])
async def test_a_name_is_sent_in_the_form_in_which_it_is_kept(service: FaultyService, written: str) -> None:
    async with connected(service) as client:
        await client.assemble(TURN, model="gpt-4o", user_id=written)
        client.capture(TURN, user_id=written, session_id="s")
        await client.flush()

    assert [exchange.json()["user_id"] for exchange in service.received if exchange.body] == ["Noël", "Noël"]


async def test_the_turns_of_a_session_wait_for_each_other_however_the_name_is_written(service: FaultyService) -> None:
    service.behaviour = fails
    async with connected(service) as client:
        for name in ("isla", " isla", "isla\u00a0"):
            client.capture(TURN, user_id=name, session_id="s")
        waiting = await client.flush()
        tried = {exchange.headers["idempotency-key"] for exchange in conversations(service)}
        service.behaviour = whole
        await until_sent(client)

    assert (waiting, len(tried)) == (3, 1)


PROGRAM = """
import os, sys
from remembrancer_client import Client
client = Client(sys.argv[1], "k", agent_id="a")
client.capture([{"role": "user", "content": "I drink tea."}], session_id="parent")
if sys.argv[2] == "fork":
    client.flush()  # a fork in the midst of another thread's imports leaves the child halves of modules
    client.capture([{"role": "user", "content": "I drink water."}], session_id="parent")
    if os.fork() == 0:
        client.capture([{"role": "user", "content": "I drink milk."}], session_id="child")
        sys.exit()
    os.wait()
if sys.argv[2] == "exception":
    raise SystemExit(3)
"""


@pytest.mark.parametrize("way", ["end", "exception", "fork"])
async def test_the_end_of_a_process_sends_what_waits(service: FaultyService, way: str) -> None:
    # A host name, as resolving one needs threads that ordinary exit handlers cannot start any more.
    url = service.url.replace("127.0.0.1", "localhost")
    status, seconds, errors = await ran(url, way)

    assert (status, errors) == (3 if way == "exception" else 0, "")
    assert seconds < PATIENCE_S
    sessions = [exchange.json()["session_id"] for exchange in conversations(service)]
    assert sorted(sessions) == (["child", "parent", "parent"] if way == "fork" else ["parent"])


async def test_a_service_that_is_down_does_not_hold_up_the_end_of_a_process() -> None:
    status, seconds, errors = await ran("http://127.0.0.1:1", "end")

    assert (status, errors) == (0, "")
    assert seconds < 10


async def ran(url: str, way: str) -> tuple[int, float, str]:
    """Status, seconds and error output of PROGRAM; the service lives on this loop, which has to go on meanwhile."""
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, url, way),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PYTHON / "src")},
        stderr=subprocess.PIPE,
    )
    _, errors = await asyncio.wait_for(process.communicate(), 2 * PATIENCE_S)
    assert process.returncode is not None
    return process.returncode, time.monotonic() - began, errors.decode()


async def test_without_asyncio_it_is_the_same(service: FaultyService) -> None:
    def use() -> tuple[str, int]:
        with Client(service.url, "k", agent_id="a", deadline_ms=5000) as client:
            for number in range(20):
                client.capture([{"role": "user", "content": f"I drink {number} cups."}], session_id="s")
            left = client.flush()
            client.capture(TURN, session_id="s")
            added = client.add_conversation(TURN, session_id="s")
        client.capture(TURN)
        return added.conversation_id, left

    conversation_id, left = await asyncio.to_thread(use)

    assert (conversation_id, left) == ("c-1", 0)
    said = [exchange.json()["messages"][0]["content"] for exchange in conversations(service)]
    assert said[:20] == [f"I drink {number} cups." for number in range(20)]
    assert len(said) == 22
