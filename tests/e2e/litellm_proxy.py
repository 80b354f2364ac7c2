"""The real LiteLLM proxy with our hook, between a stand-in model and a gate to the service; both keep what they got."""

import json
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from local.stack import ROOT

if TYPE_CHECKING:
    from tests.e2e.conftest import Tenant

LITELLM = ROOT / ".venv-litellm" / "bin" / "litellm"
DEADLINE_MS = "2000"
QUESTION = "When is the piano tuned?"
ANSWER = "On Tuesdays."
TOKENS = 21
TURN = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]
OPENAI_MODEL, ANTHROPIC_MODEL = "gpt-4o", "claude-sonnet-4-5"
"""Models whose windows are known, in the shapes of their providers; of `stand-in` nothing is known."""
START_SECONDS = 120.0
PROXY_KEY = "sk-of-the-test"

Server = TypeVar("Server", bound=ThreadingHTTPServer)


class StandIn(ThreadingHTTPServer):
    """A provider like OpenAI and like Anthropic, whose answer is always the same; `given` is what it was asked, and
    `headers` with what.

    The next `failures` requests get an error.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.given: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.failures = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        assert isinstance(self.server, StandIn)
        self.server.given.append(body)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
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
    if "/count_tokens" in path:
        return {"input_tokens": TOKENS}
    if path.endswith("/messages"):
        return _anthropic_answer()
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


def _anthropic_answer() -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
    return {**told, "content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn", "usage": usage}


def _anthropic_stream() -> bytes:
    whole, place = _anthropic_answer(), {"index": 0}
    stopped = {"stop_reason": "end_turn", "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", **place, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", **place, "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "content_block_stop", **place},
        {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return _events(events)


def _events(events: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()


def _stream(path: str, body: dict[str, Any]) -> bytes:
    if path.endswith("/messages"):
        return _anthropic_stream()
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
        return _events(numbered)
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
    tenant: "Tenant"

    def ask(self, shape: str, user: str | None = None, **fields: Any) -> httpx.Response:
        """One question in one of the shapes that clients use; the answer is read to its end."""
        path, body = SHAPES[shape]
        named = {} if user is None else {"metadata": {"user_id": user}} if path == "/v1/messages" else {"user": user}
        self.model.given.clear()
        self.model.headers.clear()
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
    """Stands where the service is: hands requests on to it, or does what is wrong; assemblies get these `options`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _GateHandler)
        self.service = ""
        self.fault = ""
        self.captured: list[dict[str, Any]] = []
        self.assembled: list[dict[str, Any]] = []
        self.options: dict[str, Any] = {}
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
            self._answer(*FAULTS[gate.fault])
            return
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in {"host", "connection", "content-length"}
        }
        if self.path == "/v1/conversations":
            gate.captured.append(json.loads(body))
        if self.path == "/v1/context/assemble":
            asked = json.loads(body)
            asked["options"] = {**(asked.get("options") or {}), **gate.options}
            gate.assembled.append(asked)
            body = json.dumps(asked).encode()
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


FAULTS = {
    "garbage": (200, b"<html>It works!</html>"),
    "redirect": (302, b""),
    "two megabytes": (200, b'{"messages": "' + b"x" * (2 << 20) + b'"}'),
    "failure": (502, b"Bad Gateway"),
}


def served(server: Server) -> Iterator[Server]:
    """Serves on a thread of its own."""
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def running(directory: Path, model: StandIn, gate: Gate, tenant: "Tenant") -> Iterator[Proxy]:
    """The proxy between the two, for this tenant."""
    gate.service = tenant.stack.url
    process, address = start(directory, model, gate, tenant)
    try:
        with httpx.Client(base_url=address, timeout=60, headers={"authorization": f"Bearer {PROXY_KEY}"}) as client:
            until_alive(client, process, directory / "proxy.log")
            yield Proxy(client, model, gate, tenant)
    finally:
        process.terminate()
        process.wait(timeout=30)


def start(directory: Path, model: StandIn, gate: Gate, tenant: "Tenant") -> tuple[subprocess.Popen[bytes], str]:
    config = {
        "model_list": [
            {
                "model_name": name,
                "litellm_params": {
                    "model": given,
                    "api_base": f"http://127.0.0.1:{model.server_port}{path}",
                    "api_key": "none",
                },
            }
            for name, given, path in (
                ("stand-in", "openai/stand-in", "/v1"),
                (OPENAI_MODEL, f"openai/{OPENAI_MODEL}", "/v1"),
                (ANTHROPIC_MODEL, f"anthropic/{ANTHROPIC_MODEL}", ""),
            )
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


def until_alive(client: httpx.Client, process: subprocess.Popen[bytes], log: Path | None = None) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            if client.get("/health/liveliness").status_code == 200:
                return
        except httpx.HTTPError:
            pass
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(log.read_text()[-3000:] if log else "the proxy did not start")
        time.sleep(0.2)
