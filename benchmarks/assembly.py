"""Assembly of the sample agent through the front door, by stage, beside the floor that no assembly can beat.

The floor is one query embedding, one Redis round trip and one Postgres round trip, one after the other, measured in the
same run. Run by `make bench`.
"""

import argparse
import asyncio
import secrets
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import psycopg
from redis.asyncio import Redis
from rich.console import Console
from rich.table import Table

from benchmarks import figures
from local import sample
from local.stack import Stack, StackSettings
from remembrancer.adapters.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.postgres.identity import NewKey, create_organization

QUESTIONS = (
    "Which room do the Lindqvist sisters get?",
    "What does Tomasz like to cook?",
    "When is the fish delivered?",
    "Who repairs the boiler?",
    "What has the goose done now?",
    "Which guests have allergies?",
)
WARM_UP = 20


async def main() -> None:
    """Prints the table and writes `benchmarks/results/assembly.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--callers", type=int, default=1)
    parser.add_argument(
        "--pause-ms", type=float, default=20.0, help="between calls: background work shares the machine"
    )
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as directory:
        stack = Stack(StackSettings(directory=Path(directory), port=0))
        with console.status("Starting") as status:
            await stack.start(status.update)
        try:
            client = await _client(stack, console)
            await asyncio.gather(*(_assemble(client, number, defaultdict(list)) for number in range(WARM_UP)))
            floor = await _floor(stack, arguments.calls)
            stages: dict[str, list[float]] = defaultdict(list)
            reasons = await _run(client, arguments, stages)
        finally:
            await stack.stop()
    results = {
        "calls": arguments.calls,
        "callers": arguments.callers,
        "memories": len(sample.read().lines),
        "stages_ms": {name: figures.summary(values) for name, values in stages.items()},
        "floor_ms": figures.summary(floor),
        "fallback_reasons": dict(reasons),
    }
    _show(console, results)
    figures.document("assembly", _markdown(results))
    console.print(f"Written to {figures.write('assembly', results)}", highlight=False)


class _Client:
    def __init__(self, url: str, key: str, loaded: sample.Sample) -> None:
        self.http = httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}, timeout=30)
        self.loaded = loaded


async def _client(stack: Stack, console: Console) -> _Client:
    text = secrets.token_urlsafe(32)
    key = NewKey("bench", sha256(text.encode()).digest(), ("admin",))
    principal = await create_organization(
        stack.owner_database_url, name="Bench", project_id="proj_bench", environment="development", key=key
    )
    loaded = await sample.load(stack.url, text, org_id=str(principal.org_id), console=console)
    return _Client(stack.url, text, loaded)


async def _assemble(client: _Client, number: int, stages: dict[str, list[float]]) -> str:
    body = {
        "org_id": client.loaded.org_id,
        "agent_id": client.loaded.agent_id,
        "model": "gpt-4o",
        "request_id": str(uuid.uuid4()),
        # A number at the end makes each question another one, so that no cache answers it.
        "messages": [{"role": "user", "content": f"{QUESTIONS[number % len(QUESTIONS)]} {number}"}],
    }
    started = time.perf_counter()
    response = await client.http.post("/v1/context/assemble", json=body)
    stages["caller (HTTP in and out)"].append((time.perf_counter() - started) * 1000)
    metadata: dict[str, Any] = response.json()["metadata"]
    for name, source in metadata["sources"].items():
        stages[name].append(source["latency_ms"])
    for name, duration in metadata["timings_ms"].items():
        stages[name].append(duration)
    return str(metadata["fallback_reason"])


async def _run(client: _Client, arguments: argparse.Namespace, stages: dict[str, list[float]]) -> Counter[str]:
    numbers = iter(range(arguments.calls))
    reasons: Counter[str] = Counter()

    async def caller() -> None:
        for number in numbers:
            reasons[await _assemble(client, number, stages)] += 1
            await asyncio.sleep(arguments.pause_ms / 1000)

    await asyncio.gather(*(caller() for _ in range(arguments.callers)))
    return reasons


async def _floor(stack: Stack, calls: int) -> list[float]:
    embedder = OnnxEmbedder(StackSettings().models)
    await embedder.warm()
    redis = Redis.from_url(stack.redis_url)
    durations = []
    async with await psycopg.AsyncConnection.connect(stack.database_url, autocommit=True) as connection:
        for number in range(calls):
            started = time.perf_counter()
            await embedder.embed([f"{QUESTIONS[number % len(QUESTIONS)]} {number}"])
            await redis.get("none")
            await (await connection.execute("SELECT 1", binary=True)).fetchall()
            durations.append((time.perf_counter() - started) * 1000)
    await redis.aclose()
    embedder.close()
    return durations


def _markdown(results: dict[str, Any]) -> list[str]:
    machine = figures.machine()
    complete = results["fallback_reasons"].get("", 0) / results["calls"]
    rows = [
        *results["stages_ms"].items(),
        ("floor: embedding + Redis + Postgres, one after the other", results["floor_ms"]),
    ]
    return [
        f"Agent of {results['memories']} memories, {results['calls']} calls, {results['callers']} caller(s), "
        f"{machine['cores']} cores, {machine['architecture']}, Python {machine['python']}; "
        f"{complete:.0%} of the answers complete, the others said what was missing. Milliseconds.",
        "",
        "| stage | p50 | p95 | p99 |",
        "|---|---|---|---|",
        *(f"| {name} | {value['p50']:.2f} | {value['p95']:.2f} | {value['p99']:.2f} |" for name, value in rows),
    ]


def _show(console: Console, results: dict[str, Any]) -> None:
    table = Table(title=f"Assembly, {results['memories']} memories, {results['callers']} caller(s), milliseconds")
    table.add_column("stage")
    for column in ("p50", "p95", "p99"):
        table.add_column(column, justify="right")
    for name, values in [*results["stages_ms"].items(), ("floor", results["floor_ms"])]:
        table.add_row(name, *(f"{values[column]:.2f}" for column in ("p50", "p95", "p99")))
    console.print(table)
    console.print("fallback reasons:", results["fallback_reasons"])


if __name__ == "__main__":
    asyncio.run(main())
