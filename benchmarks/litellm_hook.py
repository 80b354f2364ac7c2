"""How long the LiteLLM hook delays a chat while the service answers, during each fault, and with the breaker open.

Run `python -m benchmarks.litellm_hook`. The proxy is the real one (`make .venv-litellm/done`); the model and the
service are stand-ins in this process, so that only the hook is measured. Writes the table of docs/connect/litellm.md.
"""

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks import awake, figures
from benchmarks.awake import Awake
from local.servers.ports import free_port

ROOT = Path(__file__).parents[1]
LITELLM = ROOT / ".venv-litellm" / "bin" / "litellm"
DOCUMENT = ROOT / "docs" / "connect" / "litellm.md"
PROXY_KEY = "sk-of-the-benchmark"
START_SECONDS = 120.0
RECOVERY_SECONDS = 300.0
MESSAGES = [{"role": "user", "content": "When is the piano tuned?"}]
DEADLINE_MS = 45.0
TARGETS_MS = {"failing": DEADLINE_MS, "open": 1.0}
MOST_FAILING = 20
"""If the breaker is still closed after this number of chats, the benchmark fails."""

Responder = Callable[[Mapping[str, Any]], bytes | None]
"""Returns the bytes of the answer to a request's body; None for no answer."""


def http(status: str, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", "content-type: application/json", f"content-length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def completion(_: Mapping[str, Any]) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": "On Tuesdays."}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return http("200 OK", json.dumps(answer).encode())


def assembled(asked: Mapping[str, Any]) -> bytes:
    injected = {"role": "system", "content": "<memories-1>\n- The piano is tuned on Tuesdays.\n</memories-1>\n"}
    metadata = {"fallback_reason": "", "memory_ids": ["909f6b10-28a7-44bf-95c2-7ea8571d2158"]}
    answer = {"messages": [injected, *asked.get("messages", [])], "metadata": metadata, "request_id": "r"}
    return http("200 OK", json.dumps(answer).encode())


FAULTS: dict[str, Responder] = {
    "hangs": lambda _: None,
    "resets the connection": lambda _: b"",
    "garbage with status 200": lambda _: http("200 OK", b"<html>It works!</html>"),
    "a redirect": lambda _: http("302 Found", b"", "location: http://127.0.0.1:1/"),
    "2 MB": lambda _: http("200 OK", b'{"messages": "' + b"x" * (2 << 20) + b'"}'),
    "status 502": lambda _: http("502 Bad Gateway", b"Bad Gateway"),
}
DOWN = "is down"


@dataclass
class StandInServer:
    """A server that keeps its port after a restart; empty bytes as an answer reset the connection."""

    respond: Responder
    port: int = field(default_factory=free_port)
    _server: asyncio.Server | None = None
    _connections: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = field(default_factory=dict)

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, reuse_address=True)

    async def stop(self) -> None:
        """Closes open connections too, as the end of a process does."""
        assert self._server
        self._server.close()
        ending = [task for task in self._connections.values() if task]
        for connection in self._connections:
            connection.transport.abort()
        await asyncio.gather(*ending)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections[writer] = asyncio.current_task()
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = int(head.partition("content-length:")[2].partition("\r\n")[0] or 0)
                body = await reader.readexactly(length)
                answer = self.respond(json.loads(body) if body else {})
                if answer is None:
                    await reader.read()
                if not answer:
                    break
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            del self._connections[writer]
            writer.transport.abort()


@dataclass(frozen=True)
class Chat:
    """The result of one chat through the proxy."""

    hook_ms: float
    reason: str


@dataclass
class HookMeasurement:
    """Milliseconds by which the hook delayed chats, by fault of the service."""

    timer_ms: list[float] = field(default_factory=list)
    """The duration of a plain wait of 45 ms, which shows the delay of the machine itself."""
    healthy_ms: list[float] = field(default_factory=list)
    failing_ms: dict[str, list[float]] = field(default_factory=dict)
    open_ms: dict[str, list[float]] = field(default_factory=dict)


def main() -> None:
    """Prints the table, writes `benchmarks/results/litellm_hook.json` and the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="times that each fault begins")
    parser.add_argument("--calls", type=int, default=50, help="chats of each round with the breaker open")
    awake.add_option(parser)
    arguments = parser.parse_args()
    with Awake(wanted=not arguments.let_sleep):
        measured = asyncio.run(measure(arguments.rounds, arguments.calls))
    rows = [_row(name, measured) for name in measured.failing_ms]
    table = Table(title="For how long the hook holds up a chat, milliseconds")
    for column in ("service", *_COLUMNS):
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    figures.document("litellm_hook", _markdown(rows, measured, arguments), page=DOCUMENT)
    figures.write("litellm_hook", _results(measured, arguments))


async def measure(rounds: int, calls: int) -> HookMeasurement:
    """In each round the service answers, then fails until the breaker opens, then `calls` more chats follow."""
    measured = HookMeasurement()
    model, service = StandInServer(completion), StandInServer(assembled)
    await model.start()
    await service.start()
    headers = {"authorization": f"Bearer {PROXY_KEY}"}
    with _proxy(model.port, service.port) as url:
        async with httpx.AsyncClient(base_url=url, timeout=60, headers=headers) as client:
            await _until_alive(client)
            await _measure(client, service, rounds, calls, measured)
    await service.stop()
    await model.stop()
    return measured


async def _measure(
    client: httpx.AsyncClient, service: StandInServer, rounds: int, calls: int, measured: HookMeasurement
) -> None:
    for _ in range(calls):
        measured.healthy_ms.append((await _recovered(client)).hook_ms)
    for name in (DOWN, *FAULTS):
        for _ in range(rounds):
            await _recovered(client)
            started = time.perf_counter()
            await asyncio.sleep(DEADLINE_MS / 1000)
            measured.timer_ms.append((time.perf_counter() - started) * 1000)
            await _round(client, service, name, calls, measured)


async def _round(
    client: httpx.AsyncClient, service: StandInServer, name: str, calls: int, measured: HookMeasurement
) -> None:
    if name == DOWN:
        await service.stop()
    else:
        service.respond = FAULTS[name]
    failing = measured.failing_ms.setdefault(name, [])
    for _ in range(MOST_FAILING):
        chat = await _chat(client)
        if chat.reason == "circuit_open":
            break
        assert chat.reason, "the service answered"
        failing.append(chat.hook_ms)
    else:
        raise RuntimeError(f"the breaker did not open: {name}")
    for _ in range(calls):
        chat = await _chat(client)
        assert chat.reason == "circuit_open", chat
        measured.open_ms.setdefault(name, []).append(chat.hook_ms)
    service.respond = assembled
    if name == DOWN:
        await service.start()


async def _chat(client: httpx.AsyncClient) -> Chat:
    response = await client.post("/v1/chat/completions", json={"model": "stand-in", "messages": MESSAGES})
    response.raise_for_status()
    return Chat(float(response.headers["x-hook-ms"]), response.headers.get("x-context-fallback", ""))


async def _recovered(client: httpx.AsyncClient) -> Chat:
    """Waits for the first complete answer, after the breaker has closed by itself."""
    async with asyncio.timeout(RECOVERY_SECONDS):
        while (chat := await _chat(client)).reason:  # noqa: ASYNC110 - only an answer shows the breaker's state
            await asyncio.sleep(0.1)
    return chat


@contextmanager
def _proxy(model_port: int, service_port: int) -> Iterator[str]:
    """Starts a proxy and gives its URL; stops it at the end."""
    model = {"api_base": f"http://127.0.0.1:{model_port}/v1", "api_key": "none", "model": "openai/stand-in"}
    config = {
        "model_list": [{"model_name": "stand-in", "litellm_params": model}],
        "litellm_settings": {"callbacks": "benchmarks.timed_litellm_hook.hook"},
    }
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "config.yaml"
        path.write_text(json.dumps(config), encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": directory,
            "PYTHONPATH": f"{ROOT / 'clients' / 'python' / 'src'}{os.pathsep}{ROOT}",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
            "LITELLM_MASTER_KEY": PROXY_KEY,
            "REMEMBRANCER_URL": f"http://127.0.0.1:{service_port}",
            "REMEMBRANCER_API_KEY": "rk_of_the_benchmark",
            "REMEMBRANCER_ORG_ID": "0a000000-0000-4000-8000-000000000001",
            "REMEMBRANCER_AGENT_ID": "0b000000-0000-4000-8000-000000000001",
        }
        command = [str(LITELLM), "--config", str(path), "--host", "127.0.0.1", "--port", str(port)]
        with (Path(directory) / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=directory, env=environment)
        try:
            yield f"http://127.0.0.1:{port}"
        except TimeoutError:
            print((Path(directory) / "log").read_text(encoding="utf-8")[-3000:])
            raise
        finally:
            process.terminate()
            process.wait(timeout=30)


async def _until_alive(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            with suppress(httpx.TransportError):
                if (await client.get("/health/liveliness")).status_code == 200:
                    return
            await asyncio.sleep(0.2)


_COLUMNS = ("failing chats", "p50", "p95", "max", "breaker open: p50", "p95", "p99")


def _row(name: str, measured: HookMeasurement) -> list[str]:
    failing, opened = measured.failing_ms[name], measured.open_ms[name]
    first = [figures.percentile(failing, 0.5), figures.percentile(failing, 0.95), max(failing)]
    then = [figures.percentile(opened, share) for share in (0.5, 0.95, 0.99)]
    return [name, str(len(failing)), *(f"{value:.1f}" for value in first), *(f"{value:.3f}" for value in then)]


def _results(measured: HookMeasurement, arguments: argparse.Namespace) -> dict[str, Any]:
    def of(values: list[float]) -> dict[str, float]:
        return {**figures.summary(values), "max": round(max(values), 3), "chats": len(values)}

    return {
        "rounds": arguments.rounds,
        "targets_ms": TARGETS_MS,
        "timer_ms": of(measured.timer_ms),
        "healthy_ms": of(measured.healthy_ms),
        "failing_ms": {name: of(values) for name, values in measured.failing_ms.items()},
        "open_ms": {name: of(values) for name, values in measured.open_ms.items()},
    }


def _markdown(rows: list[list[str]], measured: HookMeasurement, arguments: argparse.Namespace) -> list[str]:
    machine = figures.machine()
    healthy, timer = figures.summary(measured.healthy_ms), figures.summary(measured.timer_ms)
    return [
        f"{arguments.rounds} times each, {machine['cores']} cores, {machine['architecture']}, "
        f"Python {machine['python']}; {awake.account(arguments)}. Milliseconds. "
        f"A service that answers at once: p50 {healthy['p50']:.1f}, p99 {healthy['p99']:.1f}. "
        f"A bare wait of 45 ms took p50 {timer['p50']:.1f}, p95 {timer['p95']:.1f}, "
        f"max {max(measured.timer_ms):.1f} on this machine meanwhile.",
        "",
        f"| service | {' | '.join(_COLUMNS)} |",
        f"|---|{'---|' * len(_COLUMNS)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


if __name__ == "__main__":
    main()
