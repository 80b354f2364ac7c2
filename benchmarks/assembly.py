"""Assembly through the front door by agent size, answering source and number of callers, compared with a lower bound.

The lower bound is the sum of the steps that no assembly can skip, measured in the same run: the query's embedding, one
Redis round trip and one search of the agent's vectors (in a map's arrays, or in Postgres). `make bench` runs it;
`python -m benchmarks.assembly --memories 500000 --agents 1000` has the specification's size.
"""

import argparse
import asyncio
import itertools
import json
import secrets
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import psycopg
from redis.asyncio import Redis
from rich.console import Console
from rich.table import Table

from benchmarks import corpus, figures, talkative
from local.stack import Stack, StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.domain.identity.scope import EVERYBODY, Scope
from remembrancer.domain.retrieval.filters import Filters

QUESTIONS = (
    "Which room do the Lindqvist sisters get?",
    "What does Tomasz like to cook?",
    "When is the fish delivered?",
    "Who repairs the boiler?",
    "What has the goose done now?",
    "Which guests have allergies?",
)
SIZES = (100, 1_000, 10_000, 100_000)
MOST_MAPPED = 20_000
METERED = Path(__file__).parent / "metered"
"""In PYTHONPATH, functions are measured, and with WITHOUT_MAPS have no maps."""
CALLERS = (1, 8)
FUNCTION = "AssembleFunction"
WARMING = 2
"""Callers that warm an instance up at the same time, as many as this machine has cores."""
ROUND = 40
"""Calls of one round of the warm-up."""
ROUNDS = 20
FLOORS = 60
TARGETS_MS: Mapping[str, tuple[float, float]] = {"map": (8.0, 20.0), "postgres": (20.0, 40.0)}
"""The specification's p50 and p99 of the total, in ms; for Postgres at 100,000 memories."""
STAGES_MS = {"embed": 4.0, "budget": 1.0, "score": 1.0, "pack": 2.0, "format": 1.0}
"""The most milliseconds that the specification gives a stage at p99."""
OVER_FLOOR = 1.5


@dataclass(slots=True)
class AssemblyRow:
    """Measurements of one agent, answered from one source."""

    size: int
    tier: str
    callers: int
    caller: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    reasons: Counter[str] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    floor: list[float] = field(default_factory=list)

    @property
    def total(self) -> list[float]:
        """Milliseconds in the function, from the event's arrival to its answer, of each call."""
        return self.stages["total"]

    @property
    def ratio(self) -> float:
        """The median total divided by the median lower bound."""
        return figures.percentile(self.total, 0.5) / figures.percentile(self.floor, 0.5)

    def as_json(self) -> dict[str, Any]:
        """The row for the result file: p50, p95 and p99 in milliseconds."""
        return {
            "memories": self.size,
            "tier": self.tier,
            "callers": self.callers,
            "caller_ms": figures.summary(self.caller),
            "stages_ms": {name: figures.summary(values) for name, values in self.stages.items()},
            "floor_ms": figures.summary(self.floor),
            "over_floor": round(self.ratio, 2),
            "reasons": dict(self.reasons),
            "tiers": dict(self.tiers),
        }


class Client:
    """Calls the front door as the agent's client."""

    def __init__(self, session: aiohttp.ClientSession, stack: Stack, key: str, pause_ms: float) -> None:
        self._session = session
        self._url = f"{stack.url}/v1/context/assemble"
        self._headers = {"X-API-Key": key, "Content-Type": "application/json"}
        self._pause_seconds = pause_ms / 1000
        self._numbers = itertools.count()
        self.stack = stack

    async def assemble(self, row: AssemblyRow) -> None:
        """Makes one call and records it in the row."""
        number = next(self._numbers)
        body: dict[str, Any] = {
            "org_id": str(corpus.ORGANIZATION),
            "agent_id": str(talkative.agent_id(row.size)),
            "model": "gpt-4o",
            "request_id": str(uuid.uuid4()),
            # The number at the end makes each question different, so that no cache answers it.
            "messages": [{"role": "user", "content": f"{QUESTIONS[number % len(QUESTIONS)]} {number}"}],
        }
        if row.tier == "turn_cache":
            body |= {"session_id": str(uuid.UUID(int=row.size)), "turn_id": "turn"}
        started = time.perf_counter()
        async with self._session.post(self._url, data=json.dumps(body), headers=self._headers) as response:
            metadata = (await response.json())["metadata"]
        row.caller.append((time.perf_counter() - started) * 1000)
        for name, source in metadata["sources"].items():
            if source["status"] != "skipped":
                row.stages[name].append(source["latency_ms"])
        for name, duration in metadata["timings_ms"].items():
            row.stages[name].append(duration)
        row.reasons[metadata["fallback_reason"]] += 1
        row.tiers[metadata["tier"]] += 1

    async def run(self, row: AssemblyRow, calls: int) -> None:
        """Makes `calls` calls, divided among the row's callers; each caller pauses between its calls."""
        left = iter(range(calls))

        async def caller() -> None:
            for _ in left:
                await self.assemble(row)
                await asyncio.sleep(self._pause_seconds)

        await asyncio.gather(*(caller() for _ in range(row.callers)))

    async def warm(self, row: AssemblyRow) -> None:
        """Calls until the expected source answers a whole round.

        Uses no more callers than the cores can serve: a busy instance does not load a map.
        """
        for _ in range(ROUNDS):
            trial = AssemblyRow(row.size, row.tier, min(row.callers, WARMING))
            await self.run(trial, ROUND)
            if set(trial.tiers) == {row.tier}:
                return


class Floor:
    """Measures the steps that no assembly can skip, with the pauses of the calls: processor caches have other data by
    then, as they have when a request comes.
    """

    def __init__(self, embedder: OnnxEmbedder, redis: Redis, search: PostgresSearch, pause_ms: float) -> None:
        self._embedder = embedder
        self._redis = redis
        self._search = search
        self._pause_seconds = pause_ms / 1000

    async def measure(self, row: AssemblyRow) -> None:
        """Records the lower bound in the row."""
        vectors = np.random.default_rng(row.size).standard_normal((row.size, corpus.DIMENSIONS), dtype=np.float32)
        for number in range(FLOORS):
            await asyncio.sleep(self._pause_seconds)
            started = time.perf_counter()
            question = f"{QUESTIONS[number % len(QUESTIONS)]} {number}"
            if row.tier != "turn_cache":
                vector = (await self._embedder.embed([question]))[0]
            await self._redis.get("none")
            if row.tier == "map":
                np.argpartition(vectors @ vector, -50 % row.size)
            elif row.tier == "postgres":
                scope = Scope(corpus.ORGANIZATION, None, None, talkative.agent_id(row.size), EVERYBODY)
                await self._search.nearest(
                    scope, vector, Filters(min_confidence=0.3), model=self._embedder.model, limit=50, now=corpus.NOW
                )
            row.floor.append((time.perf_counter() - started) * 1000)


async def main() -> None:
    """Prints the tables; with a single Redis also writes `benchmarks/results/assembly.json` and docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200, help="of each row")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="memories of the agents that are asked")
    parser.add_argument("--memories", type=int, default=30_000, help="of all other agents together")
    parser.add_argument("--agents", type=int, default=100, help="the others, of Zipf sizes")
    parser.add_argument("--pause-ms", type=float, default=20.0, help="between calls: other work shares the machine")
    parser.add_argument("--directory", type=Path, help="where the database stays, to be measured again")
    parser.add_argument("--load-only", action="store_true")
    # The lower bound asks one node for a key, which one of several might not have.
    parser.add_argument(
        "--cache", choices=("server", "cluster"), default="server", help="Redis, in cluster mode or not"
    )
    arguments = parser.parse_args()
    console = Console()
    if arguments.directory is not None:
        await _measure(arguments, arguments.directory, console)
        return
    with tempfile.TemporaryDirectory() as directory:
        await _measure(arguments, Path(directory), console)


async def _measure(arguments: argparse.Namespace, directory: Path, console: Console) -> None:
    rows: list[AssemblyRow] = []
    cache = arguments.cache
    async with local_stack(directory, {}, cache=cache) as stack:
        loaded = await load(stack, arguments.sizes, arguments.memories, arguments.agents)
        console.print("Seconds of loading:", loaded)
        if arguments.load_only:
            return
        rows += await measure(stack, plan(arguments.sizes, maps=True), arguments.calls, arguments.pause_ms, console)
    async with local_stack(directory, {"PYTHONPATH": str(METERED), "WITHOUT_MAPS": "true"}, cache=cache) as stack:
        rows += await measure(stack, plan(arguments.sizes, maps=False), arguments.calls, arguments.pause_ms, console)
    _show(rows, console)
    if cache != "server":
        return
    results = {"calls": arguments.calls, "others": arguments.memories, "rows": [row.as_json() for row in rows]}
    figures.document("assembly", _markdown(rows, arguments))
    console.print(f"Written to {figures.write('assembly', results)}", highlight=False)


@asynccontextmanager
async def local_stack(
    directory: Path, environment: Mapping[str, str], *, cache: str = "server"
) -> AsyncIterator[Stack]:
    # No maintenance runs: it would queue these memories, which never went through the queues.
    without = frozenset({"MaintainFunction", "EmbedFunction"})
    settings = StackSettings(
        directory=directory, port=0, start_seconds=60, environment=environment, without=without, cache=cache
    )
    stack = Stack(settings)
    await stack.start()
    try:
        yield stack
    finally:
        await stack.stop()


def plan(sizes: Sequence[int], *, maps: bool) -> list[AssemblyRow]:
    """Each source that can answer for an agent of this size, with one caller and with several."""
    rows = []
    for size in sizes:
        tier = "map" if maps and size <= MOST_MAPPED else "postgres"
        if maps or size <= MOST_MAPPED:
            rows += [AssemblyRow(size, tier, callers) for callers in CALLERS]
    if maps:
        mapped = [size for size in sizes if size <= MOST_MAPPED]
        rows += [AssemblyRow(max(mapped), "turn_cache", callers) for callers in CALLERS if mapped]
    return rows


async def load(stack: Stack, sizes: Sequence[int], memories: int, agents: int) -> dict[str, float]:
    """Fills the database; returns the seconds of each step, empty when the agents exist already."""
    with psycopg.connect(stack.postgres.superuser_url) as connection:
        known = connection.execute(
            "SELECT count(*) FROM agents WHERE agent_id = ANY(%s)", ([talkative.agent_id(size) for size in sizes],)
        ).fetchone()
    if known == (len(sizes),):
        return {}
    lines, model = await talkative.lines(StackSettings().models)
    others = corpus.agents(memories, agents)
    seconds = await asyncio.to_thread(
        corpus.load,
        stack.postgres.superuser_url,
        others,
        also=lambda connection: talkative.load(connection, sizes, lines, model),
    )
    started = time.monotonic()
    database = Database(stack.database_url, statement_ms=60_000)
    await talkative.merge(database, sizes)
    await database.close()
    # As autovacuum does in the minutes after so many writes.
    with psycopg.connect(stack.postgres.superuser_url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return seconds | {"words": round(time.monotonic() - started, 1)}


async def measure(
    stack: Stack, rows: Sequence[AssemblyRow], calls: int, pause_ms: float, console: Console
) -> Sequence[AssemblyRow]:
    """Measures each row and its lower bound in turn."""
    key = await new_key(stack)
    embedder = OnnxEmbedder(StackSettings().models)
    await embedder.warm()
    redis = Redis.from_url(stack.redis_url)
    database = Database(stack.database_url, statement_ms=60_000)
    await database.warm()
    floor = Floor(embedder, redis, PostgresSearch(database, model=embedder.model), pause_ms)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(30)) as session:
        client = Client(session, stack, key, pause_ms)
        for row in rows:
            await client.warm(row)
            await stack.drain()
            await floor.measure(row)
            await client.run(row, calls)
            await stack.drain()
            console.print(_line(row), highlight=False)
    await redis.aclose()
    await database.close()
    embedder.close()
    return rows


async def new_key(stack: Stack) -> str:
    """Creates an API key for the corpus' organization."""
    text = secrets.token_urlsafe(32)
    async with await psycopg.AsyncConnection.connect(stack.postgres.superuser_url) as connection:
        await connection.execute(
            "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes) "
            "VALUES (gen_random_uuid(), %s, %s, %s, 'bench', %s, '{admin}')",
            (corpus.ORGANIZATION, corpus.PROJECT, corpus.ENVIRONMENT, sha256(text.encode()).digest()),
        )
    return text


def _cells(row: AssemblyRow) -> Iterator[str]:
    total, floor = figures.summary(row.total), figures.summary(row.floor)
    targets = TARGETS_MS.get(row.tier)
    target = f"{targets[0]:.0f} / {targets[1]:.0f}" if targets and row.callers == 1 and _has_target(row) else ""
    caller = figures.summary(row.caller)
    yield from (f"{row.size:,}", row.tier, str(row.callers))
    yield " / ".join(f"{caller[name]:.1f}" for name in ("p50", "p95", "p99"))
    yield " / ".join(f"{total[name]:.1f}" for name in ("p50", "p95", "p99"))
    yield target
    yield f"{floor['p50']:.1f} / {floor['p99']:.1f}"
    yield f"{row.ratio:.2f}"
    yield f"{row.reasons[''] / len(row.caller):.0%}"


def _has_target(row: AssemblyRow) -> bool:
    return row.tier == "map" or row.size == max(SIZES)


_HEADS = (
    "memories", "tier", "callers", "caller p50/p95/p99", "function p50/p95/p99", "target p50/p99", "floor p50/p99",
    f"over floor (≤ {OVER_FLOOR})", "complete",
)  # fmt: skip


def _line(row: AssemblyRow) -> str:
    return "  ".join(_cells(row)) + f"  {dict(row.reasons.most_common(3))} {dict(row.tiers)}"


def _show(rows: Sequence[AssemblyRow], console: Console) -> None:
    table = Table(title="Assembly, milliseconds")
    for head in _HEADS:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*_cells(row))
    console.print(table)


def _markdown(rows: Sequence[AssemblyRow], arguments: argparse.Namespace) -> list[str]:
    machine = figures.machine()
    others = f"{arguments.memories:,} memories of {arguments.agents:,} other agents"
    lines = [
        f"{arguments.calls} calls a row, {others} beside them, {machine['cores']} cores, {machine['architecture']}, "
        f"Python {machine['python']}. Milliseconds. `caller` is HTTP in and out, `function` from the event's arrival "
        "to its answer. What is not complete said what was missing.",
        "",
        f"| {' | '.join(_HEADS)} |",
        f"|{'---|' * len(_HEADS)}",
        *(f"| {' | '.join(_cells(row))} |" for row in rows),
    ]
    for shown in rows:
        if shown.callers == 1 and shown.size == min(10_000, max(row.size for row in rows)):
            lines += ["", f"By stage, {shown.size:,} memories, {shown.tier}, one caller:", "", *_stages(shown)]
    return lines


def _stages(row: AssemblyRow) -> list[str]:
    return [
        "| stage | p50 | p95 | p99 | target, p99 |",
        "|---|---|---|---|---|",
        *(
            f"| {name} | {value['p50']:.2f} | {value['p95']:.2f} | {value['p99']:.2f} | {STAGES_MS.get(name, '')} |"
            for name, value in ((name, figures.summary(values)) for name, values in row.stages.items())
        ),
    ]


if __name__ == "__main__":
    asyncio.run(main())
