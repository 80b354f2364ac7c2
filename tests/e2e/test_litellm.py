"""The real LiteLLM proxy with our hook, between a stand-in model and a gate to the service; both keep what they got."""

import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from local.stack import ROOT, Stack
from tests.e2e.conftest import Loop, Tenant, tenants

LITELLM = ROOT / ".venv-litellm" / "bin" / "litellm"
DEADLINE_MS = "2000"
QUESTION = "When is the piano tuned?"
ANSWER = "On Tuesdays."
TURN = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]
START_SECONDS = 120.0
PROXY_KEY = "sk-of-the-test"

Server = TypeVar("Server", bound=ThreadingHTTPServer)

pytestmark = pytest.mark.skipif(not LITELLM.exists(), reason="make test installs the proxy; make .venv-litellm/done")


class StandIn(ThreadingHTTPServer):
    """An OpenAI-compatible provider whose answer is always the same; `given` is what it was asked.

    The next `failures` requests get an error.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.given: list[dict[str, Any]] = []
        self.failures = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert isinstance(self.server, StandIn)
        self.server.given.append(body)
        if self.server.failures:
            self.server.failures -= 1
            self.send_error(500)
            return
        content = _stream(self.path, body) if body.get("stream") else json.dumps(_answer(self.path, body)).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


def _answer(path: str, body: dict[str, Any]) -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if path.endswith("/responses"):
        text = {"type": "output_text", "text": ANSWER, "annotations": []}
        message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]}
        requested = {"type": "function_call", "id": "f", "call_id": "f", "name": "look", "arguments": "{}"}
        tokens = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": body["model"],
            "output": [message, {**requested, "status": "completed"}] if body.get("tools") else [message],
            "usage": tokens,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
    calls_tool = bool(body.get("tools")) and body["messages"][-1]["role"] == "user"
    call: dict[str, Any] = {"id": "call-1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    said = {"content": "I look.", "tool_calls": [call]} if calls_tool else {"content": ANSWER}
    choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": "stop"}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def _stream(path: str, body: dict[str, Any]) -> bytes:
    if path.endswith("/responses"):
        whole = _answer(path, body)
        message = whole["output"][0]
        (part,) = message["content"]
        begun = {**whole, "status": "in_progress", "output": []}
        place = {"item_id": "m", "output_index": 0}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}},
            {"type": "response.content_part.added", **place, "content_index": 0, "part": {**part, "text": ""}},
            {"type": "response.output_text.delta", **place, "content_index": 0, "delta": part["text"]},
            {"type": "response.output_text.done", **place, "content_index": 0, "text": part["text"]},
            {"type": "response.content_part.done", **place, "content_index": 0, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": message},
            *(event for call in whole["output"][1:] for event in _called(call)),
            {"type": "response.completed", "response": whole},
        ]
        numbered = [{**event, "sequence_number": number} for number, event in enumerate(events)]
        return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in numbered).encode()
    said = _answer(path, body)["choices"][0]["message"]
    calls = [{"index": 0, **call} for call in said.get("tool_calls", [])]
    deltas = [({**said, "tool_calls": calls} if calls else said, None), ({}, "tool_calls" if calls else "stop")]
    common = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [
        {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in deltas
    ]
    return ("".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n").encode()


def _called(call: dict[str, Any]) -> Iterator[dict[str, Any]]:
    place = {"item_id": call["id"], "output_index": 1}
    yield {"type": "response.output_item.added", "output_index": 1, "item": {**call, "arguments": ""}}
    yield {"type": "response.function_call_arguments.delta", **place, "delta": call["arguments"]}
    yield {"type": "response.function_call_arguments.done", **place, "arguments": call["arguments"], "name": "look"}
    yield {"type": "response.output_item.done", "output_index": 1, "item": call}


@dataclass
class Proxy:
    """The running proxy, and the model behind it."""

    client: httpx.Client
    model: StandIn
    gate: "Gate"

    def ask(self, shape: str, user: str | None = None, **fields: Any) -> httpx.Response:
        """One question in one of the shapes that clients use; the answer is read to its end."""
        path, body = SHAPES[shape]
        named = {} if user is None else {"metadata": {"user_id": user}} if path == "/v1/messages" else {"user": user}
        self.model.given.clear()
        headers = fields.pop("headers", {})
        return self.client.post(path, json={"model": "stand-in", **body, **named, **fields}, headers=headers)

    @property
    def given(self) -> str:
        """All that the model was asked, as text."""
        return json.dumps(self.model.given)


_CHAT = {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]}
_ANTHROPIC = {
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
    "max_tokens": 100,
}
_RESPONSES = {
    "instructions": "Be brief.",
    "input": [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}],
}
SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": ("/v1/chat/completions", _CHAT),
    "chat, streaming": ("/v1/chat/completions", {**_CHAT, "stream": True}),
    "messages": ("/v1/messages", _ANTHROPIC),
    "messages, streaming": ("/v1/messages", {**_ANTHROPIC, "stream": True}),
    "responses": ("/v1/responses", _RESPONSES),
    "responses, streaming": ("/v1/responses", {**_RESPONSES, "stream": True}),
    "responses, plain": ("/v1/responses", {"input": QUESTION}),
}


class Gate(ThreadingHTTPServer):
    """Stands where the service is: hands requests on to it, or does what is wrong."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _GateHandler)
        self.service = ""
        self.fault = ""
        self.captured: list[dict[str, Any]] = []
        self.released = threading.Event()


class _GateHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers["content-length"])))

    def _handle(self, body: bytes) -> None:
        gate = self.server
        assert isinstance(gate, Gate)
        if gate.fault == "hangs":
            gate.released.wait(60)
        if gate.fault in {"hangs", "resets"}:
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.close_connection = True
            return
        if gate.fault:
            self._answer(*_FAULTS[gate.fault])
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() not in {"host", "connection"}}
        if self.path == "/v1/conversations":
            gate.captured.append(json.loads(body))
        answer = httpx.request(self.command, gate.service + self.path, content=body, headers=headers, timeout=30)
        self._answer(answer.status_code, answer.content)

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if 300 <= status < 400:
            self.send_header("location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


_FAULTS = {
    "garbage": (200, b"<html>It works!</html>"),
    "redirect": (302, b""),
    "two megabytes": (200, b'{"messages": "' + b"x" * (2 << 20) + b'"}'),
    "failure": (502, b"Bad Gateway"),
}


@pytest.fixture(scope="module")
def gate() -> Iterator[Gate]:
    yield from _served(Gate())


@pytest.fixture(scope="module")
def model() -> Iterator[StandIn]:
    yield from _served(StandIn())


def _served(server: Server) -> Iterator[Server]:
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def tenant(stack: Stack, loop: Loop) -> Iterator[Tenant]:
    for new_tenant in tenants(stack, loop):
        yield new_tenant()


@pytest.fixture(scope="module")
def proxy(gate: Gate, model: StandIn, tenant: Tenant, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Starting it takes half a minute, so that one serves all tests."""
    directory = tmp_path_factory.mktemp("proxy")
    gate.service = tenant.stack.url
    process, address = start(directory, model, gate, tenant)
    try:
        with httpx.Client(base_url=address, timeout=60, headers={"authorization": f"Bearer {PROXY_KEY}"}) as client:
            _until_alive(client, process, directory)
            yield Proxy(client, model, gate)
    finally:
        process.terminate()
        process.wait(timeout=30)


def start(directory: Path, model: StandIn, gate: Gate, tenant: Tenant) -> tuple[subprocess.Popen[bytes], str]:
    config = {
        "model_list": [
            {
                "model_name": "stand-in",
                "litellm_params": {
                    "model": "openai/stand-in",
                    "api_base": f"http://127.0.0.1:{model.server_port}/v1",
                    "api_key": "none",
                },
            }
        ],
        "litellm_settings": {"callbacks": "remembrancer_client.litellm.hook"},
    }
    path = directory / "config.yaml"
    path.write_text(json.dumps(config))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(LITELLM), "--config", str(path), "--host", "127.0.0.1", "--port", str(port), "--telemetry", "False"]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "LITELLM_MASTER_KEY": PROXY_KEY,
        "REMEMBRANCER_URL": f"http://127.0.0.1:{gate.server_port}",
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
        "REMEMBRANCER_DEADLINE_MS": DEADLINE_MS,
    }
    with (directory / "proxy.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=directory, env=environment)
    return process, f"http://127.0.0.1:{port}"


def _until_alive(client: httpx.Client, process: subprocess.Popen[bytes], directory: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            if client.get("/health/liveliness").status_code == 200:
                return
        except httpx.HTTPError:
            pass
        assert process.poll() is None, (directory / "proxy.log").read_text()[-3000:]
        assert time.monotonic() < end, (directory / "proxy.log").read_text()[-3000:]
        time.sleep(0.2)


def test_memories_arrive_at_the_model_in_every_shape(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")

    for shape in SHAPES:
        answer = proxy.ask(shape)
        assert answer.status_code == 200, (shape, answer.text)
        assert ANSWER in answer.text, shape
        assert proxy.given.count("Mr Sutherland") == 1, shape
        assert proxy.given.count(QUESTION) == 1, shape
        assert "Be brief." in proxy.given or shape == "responses, plain"
        assert "For " not in proxy.given, shape
        assert answer.headers["x-memories-injected"] == "1", shape

    for shape in SHAPES:
        given = {}
        for user in ("isla", "ada"):
            assert proxy.ask(shape, user=user).status_code == 200, shape
            given[user] = proxy.given
        assert ["For Isla" in given["isla"], "For Ada" in given["isla"]] == [True, False], shape
        assert ["For Isla" in given["ada"], "For Ada" in given["ada"]] == [False, True], shape


def test_each_turn_of_an_end_user_is_captured_in_every_shape_without_what_was_injected(
    proxy: Proxy, tenant: Tenant
) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    proxy.gate.captured.clear()

    for shape in SHAPES:
        proxy.ask(shape)
        proxy.ask(shape, user="isla", headers={"X-Remembrancer-Skip": "1"})
        assert proxy.ask(shape, user="isla").status_code == 200, shape
        assert proxy.given.count("Mr Sutherland") == 1, shape

    captured = _captured(proxy, len(SHAPES))
    assert [body["messages"] for body in captured] == [TURN] * len(SHAPES)
    assert {(body["agent_id"], body["user_id"]) for body in captured} == {(tenant.agent_id, "isla")}
    # The same opening in all shapes is the same session.
    assert len({body["session_id"] for body in captured}) == 1


def test_a_turn_with_tools_is_captured_once_with_the_final_answer(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    parameters = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": parameters}}]
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]

    first = proxy.ask("chat", user="isla", tools=tools, messages=said)
    called = first.json()["choices"][0]["message"]
    result = {"role": "tool", "tool_call_id": "call-1", "content": "Out of tune."}
    proxy.ask("chat", user="isla", tools=tools, messages=[*said, called, result], metadata={"session_id": "s-1"})

    (captured,) = _captured(proxy, 1)
    assert called["tool_calls"]
    assert captured["messages"] == TURN
    assert captured["session_id"] == "s-1"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_no_turn_is_captured_before_its_tools_are_called_in_the_other_shapes(proxy: Proxy, stream: bool) -> None:
    proxy.gate.captured.clear()
    schema = {"type": "object", "properties": {}}
    of_anthropic = [{"name": "look", "description": "Looks.", "input_schema": schema}]
    of_responses = [{"type": "function", "name": "look", "description": "Looks.", "parameters": schema}]

    called = [
        proxy.ask("messages", user="isla", tools=of_anthropic, stream=stream),
        proxy.ask("responses", user="isla", tools=of_responses, stream=stream),
    ]

    assert all("look" in answer.text for answer in called), [answer.text for answer in called]
    _captured(proxy, 0)


def test_an_answer_to_the_second_attempt_is_captured(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    proxy.model.failures = 1

    answer = proxy.ask("chat", user="isla")

    assert answer.status_code == 200, answer.text
    assert len(proxy.model.given) == 2
    (captured,) = _captured(proxy, 1)
    assert captured["messages"] == TURN


def test_a_call_id_may_be_used_again_after_a_call_that_failed(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    again = {"x-litellm-call-id": "the-client's-own"}

    proxy.model.failures = 100
    failed = proxy.ask("chat", user="ada", headers=again)
    proxy.model.failures = 0
    answer = proxy.ask("chat", user="isla", headers=again)

    assert (failed.status_code, answer.status_code) == (500, 200)
    (captured,) = _captured(proxy, 1)
    assert captured["messages"] == TURN


def test_the_name_of_all_end_users_gets_no_memory_and_no_capture(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")
    proxy.gate.captured.clear()

    for shape in SHAPES:
        answer = proxy.ask(shape, user="*")
        assert answer.status_code == 200, (shape, answer.text)
        assert "Sundays" not in proxy.given, shape
        assert "x-memories-injected" not in answer.headers, shape

    _captured(proxy, 0)
    assert {body["user_id"] for body in proxy.gate.captured} == {"ada"}


def test_what_the_proxy_keeps_out_of_its_logs_is_not_captured(proxy: Proxy) -> None:
    """As `turn_off_message_logging` does for all requests."""
    proxy.gate.captured.clear()

    for shape in SHAPES:
        answer = proxy.ask(shape, user="isla", headers={"litellm-enable-message-redaction": "true"})
        assert ANSWER in answer.text, shape

    _captured(proxy, 0)


def test_what_is_said_in_one_chat_is_known_in_the_next_without_a_second_call(proxy: Proxy, tenant: Tenant) -> None:
    for user, place in (("isla", "blue pot"), ("ada", "third barrel")):
        said = f"I keep my spare key under the {place} in the yard."
        proxy.ask("chat", user=user, messages=[{"role": "user", "content": said}])

    question = [{"role": "user", "content": "Where do I keep my spare key?"}]
    end = time.monotonic() + 60
    while "blue pot" not in proxy.given:
        assert time.monotonic() < end, proxy.given
        proxy.ask("chat", user="isla", messages=question)

    assert "third barrel" not in proxy.given
    proxy.ask("chat", messages=question)
    assert "blue pot" not in proxy.given


def _captured(proxy: Proxy, number: int) -> Sequence[dict[str, Any]]:
    """As many turns as there have to be, and no more; sessions are sent beside each other."""
    end = time.monotonic() + 120
    proxy.ask("chat", user="ada", messages=[{"role": "user", "content": "That is all."}])
    while True:
        captured = [body for body in proxy.gate.captured if body["user_id"] == "isla"]
        if len(captured) >= number and len(captured) < len(proxy.gate.captured):
            break
        assert time.monotonic() < end, proxy.gate.captured
        time.sleep(0.05)
    assert len(captured) == number, captured
    return captured


def test_a_request_can_opt_out(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")

    answer = proxy.ask("chat", headers={"X-Remembrancer-Skip": "1"})

    assert "Sutherland" not in proxy.given
    assert "x-memories-injected" not in answer.headers


@pytest.mark.parametrize("fault", ["resets", "hangs", *_FAULTS])
def test_every_chat_succeeds_whatever_the_service_does(proxy: Proxy, tenant: Tenant, fault: str) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    _until_remembered(proxy)

    proxy.gate.captured.clear()
    proxy.gate.fault = fault
    try:
        for shape in [*SHAPES, "chat"]:
            answer = proxy.ask(shape, user="isla")
            assert answer.status_code == 200, (shape, answer.text)
            assert ANSWER in answer.text, shape
            assert "Sutherland" not in proxy.given, shape
    finally:
        proxy.gate.fault = ""
        proxy.gate.released.set()
        proxy.gate.released = threading.Event()

    _until_remembered(proxy)
    # Nothing that was said meanwhile is lost.
    assert [body["messages"] for body in _captured(proxy, len(SHAPES) + 1)] == [TURN] * (len(SHAPES) + 1)


def _until_remembered(proxy: Proxy) -> None:
    """The breaker closes by itself when the service is back."""
    end = time.monotonic() + 60
    while proxy.ask("chat").status_code == 200 and "Sutherland" not in proxy.given:
        assert time.monotonic() < end
        time.sleep(0.2)
