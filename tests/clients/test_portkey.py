"""The real gateway of Portkey with our webhook, between a stand-in model and services that answer or do not."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import httpx
import pytest

from local.stack import ROOT
from remembrancer_client import Client, without_injected
from remembrancer_client.portkey import Webhook, main, serve
from tests.clients.faulty import FAULTS, Exchange, FaultyService, drips, hangs, running, whole
from tests.unit.documents import blocks

GATEWAY = ROOT / "clients" / "typescript" / "node_modules" / "@portkey-ai" / "gateway" / "build" / "start-server.js"
KEY = "of-the-test"
QUESTION, ANSWER = "Which room?", "The blue one."
START_SECONDS = 60.0
[CONFIG] = [one.text for one in blocks(ROOT / "docs" / "connect" / "portkey.md") if one.language == "json"]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not GATEWAY.exists(), reason="make test-all installs it, with the TypeScript client"),
]


async def model(exchange: Exchange) -> None:
    """Answers each chat, and calls a tool where there is one."""
    asked = exchange.json()
    call = {"id": "call-1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    message = {"role": "assistant", "content": ANSWER, **({"tool_calls": [call]} if asked.get("tools") else {})}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    await exchange.answer(200, answer)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def gateway() -> Iterator[str]:
    """Starting it takes a second."""
    node = shutil.which("node")
    assert node
    port = free_port()
    process = subprocess.Popen(
        [node, str(GATEWAY), f"--port={port}", "--headless"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/")
            break
        except httpx.HTTPError:
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@contextmanager
def served(client: Client) -> Iterator[str]:
    server = serve(Webhook(client), KEY, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Chat:
    """A chat through the gateway, with the page's configuration."""

    def __init__(self, gateway: str, webhook: str, provider: FaultyService, key: str) -> None:
        text = CONFIG.replace("http://127.0.0.1:4100", webhook).replace("choose-one", key)
        config = json.loads(text)
        for check in (*config["before_request_hooks"], *config["after_request_hooks"]):
            assert check["checks"][0]["parameters"]["timeout"] > 0
            check["checks"][0]["parameters"]["timeout"] = 5000
        self._config = config | {"provider": "openai", "custom_host": f"{provider.url}/v1", "api_key": "sk-provider"}
        self._gateway = gateway
        self._provider = provider

    async def ask(self, metadata: dict[str, Any] | None = None, **fields: Any) -> tuple[httpx.Response, dict[str, Any]]:
        """The answer, and what the model was asked."""
        headers = {"x-portkey-config": json.dumps(self._config)}
        headers |= {} if metadata is None else {"x-portkey-metadata": json.dumps(metadata)}
        body = {"model": "gpt-4o", "messages": [{"role": "user", "content": QUESTION}], **fields}
        async with httpx.AsyncClient(timeout=30) as client:
            answer = await client.post(f"{self._gateway}/v1/chat/completions", json=body, headers=headers)
        return answer, self._provider.received[-1].json()


@asynccontextmanager
async def chatting(
    gateway: str, *, key: str = KEY, behaviour: Any = None, deadline_ms: float = 5000
) -> AsyncIterator[tuple[Chat, FaultyService, Client]]:
    async with running() as service, running() as provider:
        provider.behaviour = model
        if behaviour is not None:
            service.behaviour = behaviour
        client = Client(service.url, "rk_test", agent_id="a", deadline_ms=deadline_ms)
        with served(client) as webhook:
            yield Chat(gateway, webhook, provider, key), service, client
        # What a service that fails does not take would be waited for.
        service.behaviour = whole
        await asyncio.to_thread(client.close)


async def turns(service: FaultyService, client: Client) -> list[dict[str, Any]]:
    await asyncio.to_thread(client.flush)
    return [one.json() for one in service.received if one.path == "/v1/conversations"]


def assemblies(service: FaultyService) -> list[Exchange]:
    return [one for one in service.received if one.path == "/v1/context/assemble"]


async def test_a_chat_gets_memories_and_its_turn_is_captured(gateway: str) -> None:
    async with chatting(gateway) as (chat, service, client):
        answer, given = await chat.ask({"_user": "isla", "session_id": "s-1"}, temperature=0.5)
        captured = await turns(service, client)

    assert answer.status_code == 200, answer.text
    assert answer.json()["choices"][0]["message"]["content"] == ANSWER
    [check] = answer.json()["hook_results"]["before_request_hooks"][0]["checks"]
    assert check["data"]["responseData"] == {"memories": 1, "fallback": ""}
    assert "Tea." in given["messages"][0]["content"]
    assert without_injected(given["messages"]) == [{"role": "user", "content": QUESTION}]
    assert given["temperature"] == 0.5
    [first] = assemblies(service)
    assert (first.headers["x-end-user-id"], first.json()["session_id"], first.json()["model"]) == (
        "isla",
        "s-1",
        "gpt-4o",
    )
    [turn] = captured
    assert (turn["user_id"], turn["session_id"]) == ("isla", "s-1")
    assert turn["messages"] == [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]


async def test_a_turn_is_not_captured_before_its_tools_are_called_and_tools_stay(gateway: str) -> None:
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
    async with chatting(gateway) as (chat, service, client):
        answer, given = await chat.ask({"_user": "isla"}, tools=tools)
        captured = await turns(service, client)

    assert answer.json()["choices"][0]["message"]["tool_calls"]
    assert given["tools"] == tools
    assert captured == []


@pytest.mark.parametrize("name", ["", " ", "\u200b", "*"])
async def test_a_blank_name_and_all_users_get_no_memory_and_no_capture(gateway: str, name: str) -> None:
    async with chatting(gateway) as (chat, service, client):
        in_metadata, given = await chat.ask({"_user": name}, user="isla")
        in_request, given_too = await chat.ask(user=name)
        captured = await turns(service, client)

    assert (in_metadata.status_code, in_request.status_code) == (200, 200)
    assert given["messages"] == given_too["messages"] == [{"role": "user", "content": QUESTION}]
    assert (assemblies(service), captured) == ([], [])


@pytest.mark.parametrize("fault", [*FAULTS, hangs, drips], ids=lambda fault: fault.__name__)
async def test_every_chat_goes_on_unchanged_whatever_the_service_does(gateway: str, fault: Any) -> None:
    deadline_ms = 5000 if fault in FAULTS else 45
    async with chatting(gateway, behaviour=fault, deadline_ms=deadline_ms) as (chat, _, _):
        answer, given = await chat.ask()

    assert answer.status_code == 200, answer.text
    assert given["messages"] == [{"role": "user", "content": QUESTION}]


async def test_a_chat_goes_on_without_the_webhook_and_with_a_wrong_key(gateway: str) -> None:
    async with chatting(gateway, key="wrong") as (chat, service, _):
        refused, given = await chat.ask()
    async with running() as provider:
        provider.behaviour = model
        down, given_too = await Chat(gateway, "http://127.0.0.1:1", provider, KEY).ask()

    assert (refused.status_code, down.status_code) == (200, 200), refused.text + down.text
    assert given["messages"] == given_too["messages"] == [{"role": "user", "content": QUESTION}]
    assert assemblies(service) == []


async def test_odd_calls_of_the_webhook_are_told_or_change_nothing() -> None:
    authorization = {"authorization": f"Bearer {KEY}"}
    async with running() as service:
        client = Client(service.url, "rk_test", agent_id="a", deadline_ms=5000)
        with served(client) as url:
            async with httpx.AsyncClient(base_url=url, headers=authorization) as host:
                odd = [await host.post("/", content=text) for text in (b"{", b"7", b"{}", b'{"requestType": "embed"}')]
                unknown = await host.post("/", content=b"{}", headers={b"authorization": b"Bearer \xe9"})
        await asyncio.to_thread(client.close)

    assert [one.status_code for one in odd] == [400, 200, 200, 200]
    assert [one.json() for one in odd[1:]] == [{"verdict": True}] * 3
    assert unknown.status_code == 401
    assert assemblies(service) == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ("Content-Length: 1000000", 401),
        (f"Authorization: Bearer {KEY}\r\nContent-Length: -1", 411),
        (f"Authorization: Bearer {KEY}\r\nTransfer-Encoding: chunked", 411),
        (f"Authorization: Bearer {KEY}\r\nContent-Length: 99999999999", 413),
    ],
)
def test_a_body_that_is_not_taken_is_not_waited_for(headers: str, status: int) -> None:
    client = Client("http://127.0.0.1:1", "rk_test", agent_id="a")
    with client, served(client) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            connection.sendall(f"POST / HTTP/1.1\r\nHost: x\r\n{headers}\r\n\r\n".encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b""))

    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_it_does_not_start_without_a_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("REMEMBRANCER_WEBHOOK_KEY", " ")

    with pytest.raises(SystemExit):
        main([])

    assert "REMEMBRANCER_WEBHOOK_KEY: set a key" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_program_of_the_page_serves_until_it_is_interrupted(number: signal.Signals) -> None:
    async with running() as service:
        environment = {"PATH": os.environ["PATH"], "REMEMBRANCER_WEBHOOK_KEY": KEY}
        settings = {"REMEMBRANCER_URL": service.url, "REMEMBRANCER_API_KEY": "rk_test", "REMEMBRANCER_AGENT_ID": "a"}
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from remembrancer_client.portkey import main; main(['--port', '0', '--deadline-ms', '200'])",
            env=environment | settings,
            stdout=asyncio.subprocess.PIPE,
        )
        assert program.stdout is not None
        url = (await program.stdout.readline()).decode().split()[-1]
        async with httpx.AsyncClient(base_url=url) as host:
            refused = await host.post("/", json={})
        program.send_signal(number)
        status = await program.wait()

    assert (refused.status_code, status) == (401, 0)
