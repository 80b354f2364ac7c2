"""Processor time of one assembly by part, in the request and after it, with the embedding of its question beside it.

Times are those of the processor, not of a clock on the wall: of all threads of the instance, and of the servers that it
asks. They hardly depend on other work on the machine. The time of each thread is divided among parts by samples of its
stack (py-spy, which `pip install py-spy` adds and which reads another process), taken in calls of their own, since
sampling costs time too; samples of a thread that waits count for nothing.

    python -m benchmarks.processor --before FOLDER    another checkout with its own .venv, in turns with this one

Writes benchmarks/results/processor.json and docs/benchmarks.md; `make costs` computes prices from the result.
"""

import argparse
import asyncio
import json
import os
import shutil
import struct
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
from rich.console import Console

from benchmarks import assembly, figures
from benchmarks.assembly import FUNCTION, QUESTIONS, AssemblyRow, Client
from local import log_files
from local.servers import ports
from local.stack import Stack, StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder

SIZE = 1_000
"""Memories of the agent."""
TIERS: Mapping[str, Mapping[str, str]] = {"map": {}, "postgres": {"WITHOUT_MAPS": "true"}, "turn_cache": {}}
VERSIONS = ("before", "after")
DEPLOYED = {"STAGE": "dev", "LOG_EVERY": "20"}
"""As in a deployment; the local stack sends, logs and measures everything at once."""
ROOT = Path(__file__).parents[1]
BOUNDS = {"ASSEMBLY_MS": "900", "RETRIEVAL_MS": "850"} | dict.fromkeys(
    ("DIRECTIVE_MS", "HOT_MS", "COLD_MS", "LEXICAL_MS"), "800"
)
"""Long enough for whole answers however busy the machine is: work that is abandoned costs less."""
SAMPLES_A_SECOND = 400
PARTS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("embedding", ("/onnxruntime/", "/tokenizers/", "/adapters/models/onnx")),
    ("Postgres client", ("/psycopg", "/adapters/postgres/")),
    ("Redis client", ("/redis/", "/hiredis/")),
    ("SQS", ("/botocore/", "/boto3/", "/urllib3/", "/aws/sqs_queue", "/usecases/usage/")),
    ("metrics", ("/runtime/telemetry", "/aws_lambda_powertools/")),
    (
        "runtime client",
        (
            "/awslambdaric/",
            "/runtime/extensions_api",
            "/runtime/after_response",
            "/http/client.py",
            "/runtime/http/events",
        ),
    ),
    (
        "composing",
        ("/assembly/compose", "/assembly/scoring", "/domain/context/", "/domain/ranking/", "/memory_columns"),
    ),
    ("searching the map", ("/domain/memory_map/", "/domain/lexical_index/", "/map_index", "/memory_maps")),
    ("credential", ("/usecases/identity/", "/adapters/identity/", "/domain/identity/")),
    ("request and response", ("/runtime/http/", "/runtime/endpoints/", "/domain/requests/")),
    ("retrieval", ("/usecases/retrieval/", "/usecases/assembly/", "/domain/retrieval/", "/usecases/capture/")),
    ("other code of the engine", ("/remembrancer/",)),
)
"""Parts by the innermost frame whose file contains one of these; a stack without any is the event loop's."""
WAITS = (
    "/selectors.py",
    "/threading.py",
    "/concurrent/futures/thread.py",
    "/lambda_runtime_client.py",
    "/socket.py",
    "/runtime/event_loop.py",
)
"""Files of the innermost frame of a thread that waits; the sampler takes one that has just been woken for running."""
_SCHEDULED = 2
"""The kernel's kind of clock that counts nanoseconds for which a process was scheduled."""
LOG, LOOP, RUNTIME = "log", "event loop", "runtime client"


@dataclass(slots=True)
class Row:
    """Milliseconds of the processor for one assembly, a number for each round, and samples by part."""

    tier: str
    instance: list[float] = field(default_factory=list)
    in_request: list[float] = field(default_factory=list)
    billed: list[float] = field(default_factory=list)
    log_bytes: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)
    servers: dict[str, list[float]] = field(default_factory=dict)
    threads: dict[str, list[float]] = field(default_factory=dict)
    samples: dict[str, Counter[str]] = field(default_factory=dict)
    tiers: Counter[str] = field(default_factory=Counter)

    @classmethod
    def together(cls, tier: str, runs: Sequence[Mapping[str, Any]]) -> "Row":
        """The rounds and samples of several runs, each of `raw`."""
        row = cls(tier)
        for run in runs:
            for name in ("instance", "in_request", "billed", "log_bytes", "embedding"):
                getattr(row, name).extend(run[name])
            for name, values in run["servers"].items():
                row.servers.setdefault(name, []).extend(values)
            for name, values in run["threads"].items():
                row.threads.setdefault(name, []).extend(values)
            for name, found in run["samples"].items():
                row.samples.setdefault(name, Counter()).update(found)
            row.tiers.update(run["tiers"])
        return row

    def raw(self) -> dict[str, Any]:
        """All rounds, for `together`."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def as_json(self) -> dict[str, Any]:
        """For the result file: medians, and each part's time by its share of the samples."""
        instance, inside, floor = median(self.instance), median(self.in_request), median(self.embedding)
        parts = self.parts()
        return {
            "tier": self.tier,
            "rounds": len(self.instance),
            "answered": dict(self.tiers),
            "instance_ms": round(instance, 2),
            "in_request_ms": round(inside, 2),
            "after_request_ms": round(instance - inside, 2),
            "billed_ms": round(median(self.billed), 2),
            "log_bytes": round(sum(self.log_bytes) / len(self.log_bytes)),
            "embedding_alone_ms": round(floor, 2),
            "times_the_embedding": round(instance / floor, 2),
            "servers_ms": {name: round(median(values), 2) for name, values in self.servers.items()},
            "parts_ms": {name: round(part, 2) for name, part in sorted(parts.items(), key=lambda one: -one[1])},
            "samples": sum(found.total() for found in self.samples.values()),
        }

    def parts(self) -> dict[str, float]:
        """Milliseconds of each part. Threads that have ended are those in which the runtime client waits for events."""
        spent = {name: median(values) for name, values in self.threads.items()}
        found = {RUNTIME: max(median(self.instance) - sum(spent.values()), 0.0)}
        for thread, milliseconds in spent.items():
            samples = self.samples.get(thread) or Counter({LOOP: 1})
            for part, number in samples.items():
                found[part] = found.get(part, 0.0) + milliseconds * number / samples.total()
        return found


class Processes:
    """Processor time of an instance and of the servers, from the kernel's accounts."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self._stack = stack
        self._folder = folder / "stack"
        self._meter = folder / "meter"

    @property
    def instance(self) -> int:
        """The process id of the only instance of assembly."""
        (process_id,) = self._stack.functions[FUNCTION].process_ids
        return process_id

    def metered(self) -> tuple[float, float]:
        """Since the start: milliseconds of the processor in the handler, and milliseconds that Lambda would bill."""
        _, inside, billed = struct.unpack("qqq", Path(f"{self._meter}.{self.instance}").read_bytes())
        return inside / 1e6, billed / 1e6

    def log_bytes(self) -> int:
        """The size of the function's log, with the older lines of one that was shortened, once at most in a round."""
        path = self._folder / "logs" / f"{FUNCTION}.log"
        older = log_files.previous(path)
        return path.stat().st_size + (older.stat().st_size if older.exists() else 0)

    def servers(self) -> dict[str, float]:
        """Milliseconds of each server and of the worker that counts usage."""
        stack = self._stack
        return {
            "Postgres": _family_ms(ports.listeners(stack.postgres.port)),
            "Redis": _family_ms(ports.listeners(stack.valkey.port)),
            "side effects": sum(map(spent_ms, stack.functions["SideEffectsFunction"].process_ids)),
        }


def spent_ms(process_id: int) -> float:
    """Milliseconds of the processor of all threads of a process, also of those that have ended."""
    return time.clock_gettime((~process_id << 3) | _SCHEDULED) * 1000


def _family_ms(process_ids: Iterable[int]) -> float:
    """With the children, as Postgres has one for each connection."""
    parents = set(process_ids)
    family = set(parents)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent in parents:
            family.add(int(path.parent.name))
    total = 0.0
    for process_id in family:
        with suppress(OSError):
            total += spent_ms(process_id)
    return total


def part_of(frames: Sequence[str]) -> str:
    """The part of a stack; frames outermost first."""
    if any("/logging/" in frame for frame in frames):
        return LOG
    for frame in reversed(frames):
        for name, marks in PARTS:
            if any(mark in frame for mark in marks):
                return name
    return LOOP


def samples_of(stacks: str) -> tuple[dict[int, str], dict[str, Counter[str]]]:
    """Names of threads by their ids, and samples of each by part, of py-spy's raw format: frames separated by
    semicolons, the first of which is `thread (id): name`, without a name for one that has just ended, then the number
    of samples.
    """
    names: dict[int, str] = {}
    found: dict[str, Counter[str]] = {}
    for line in stacks.splitlines():
        stack, _, number = line.rpartition(" ")
        thread, *frames = stack.split(";")
        identifier, _, name = thread.removeprefix("thread (").partition(")")
        name = name.removeprefix(": ")
        names[int(identifier)] = name
        if frames and not any(wait in frames[-1] for wait in WAITS):
            found.setdefault(name, Counter())[part_of(frames)] += int(number)
    return names, found


def threads_ms(process_id: int) -> dict[int, float]:
    """Milliseconds of each thread that lives."""
    found = {}
    for task in Path(f"/proc/{process_id}/task").iterdir():
        with suppress(OSError):
            found[int(task.name)] = int((task / "schedstat").read_text().split()[0]) / 1e6
    return found


async def measure(client: Client, processes: Processes, row: Row, embedder: OnnxEmbedder, options: Any) -> None:
    """Rounds of calls for the times, each with as many embeddings in this process, then calls for the parts."""
    await client.warm(_asked(row))
    await client.run(_asked(row), options.calls)
    threads: dict[int, list[float]] = {}
    for number in range(options.rounds):
        spent, servers = spent_ms(processes.instance), processes.servers()
        inside, billed, log_bytes = *processes.metered(), processes.log_bytes()
        by_thread = threads_ms(processes.instance)
        answered = _asked(row)
        await client.run(answered, options.calls)
        await client.stack.drain()
        row.instance.append((spent_ms(processes.instance) - spent) / options.calls)
        for identifier, milliseconds in threads_ms(processes.instance).items():
            one = (milliseconds - by_thread.get(identifier, 0.0)) / options.calls
            threads.setdefault(identifier, []).append(one)
        now_inside, now_billed = processes.metered()
        row.in_request.append((now_inside - inside) / options.calls)
        row.billed.append((now_billed - billed) / options.calls)
        row.log_bytes.append((processes.log_bytes() - log_bytes) / options.calls)
        for name, now in processes.servers().items():
            row.servers.setdefault(name, []).append((now - servers[name]) / options.calls)
        row.tiers += answered.tiers
        for call in range(options.calls):
            before = time.process_time()
            await embedder.embed([f"{QUESTIONS[call % len(QUESTIONS)]} {number} {call}"])
            row.embedding.append((time.process_time() - before) * 1000)
            await asyncio.sleep(0.002)
    names, row.samples = samples_of(await _sampled(client, processes, row, options))
    for identifier, values in threads.items():
        # A thread of the runtime client lives for one event only.
        if len(values) == options.rounds and identifier in names:
            row.threads[names[identifier]] = values


def _asked(row: Row) -> AssemblyRow:
    return AssemblyRow(SIZE, row.tier, 1)


async def _sampled(client: Client, processes: Processes, row: Row, options: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "stacks"
        sampling = await asyncio.create_subprocess_exec(
            options.spy, "record", "--pid", str(processes.instance), "--rate", str(SAMPLES_A_SECOND), "--nonblocking",
            "--threads", "--full-filenames", "--format", "raw", "--duration", str(options.seconds), "--output", output,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        ended = asyncio.ensure_future(sampling.wait())
        while not ended.done():
            await client.run(_asked(row), 20)
        if await ended:
            raise RuntimeError("py-spy could not read the instance")
        return output.read_text()


@asynccontextmanager
async def _stack(directory: Path, environment: Mapping[str, str]) -> AsyncIterator[Stack]:
    without = frozenset({"MaintainFunction", "EmbedFunction"})
    settings = StackSettings(
        directory=directory, port=0, start_seconds=60, instances=1, environment=environment, without=without
    )
    stack = Stack(settings)
    await stack.start()
    try:
        yield stack
    finally:
        await stack.stop()


async def main() -> None:
    """Measures both versions in turns, or, as a process of its own, one of them once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--before", type=lambda text: Path(text).resolve(), help="a checkout of an earlier version, with its own .venv"
    )
    parser.add_argument("--turns", type=int, default=2, help="of each version")
    parser.add_argument("--calls", type=int, default=100, help="of each round")
    parser.add_argument("--rounds", type=int, default=3, help="of each turn")
    parser.add_argument("--seconds", type=int, default=8, help="of sampling, for each tier and turn")
    parser.add_argument("--pause-ms", type=float, default=10.0, help="between calls")
    parser.add_argument("--tiers", nargs="+", default=list(TIERS), choices=list(TIERS))
    parser.add_argument("--spy", default=shutil.which("py-spy"), help="the program py-spy")
    parser.add_argument("--only", type=Path, help="measure the version in this folder once, into this file")
    parser.add_argument("--print", action="store_true", help="writes neither results nor the page")
    options = parser.parse_args()
    if options.only:
        rows = await _one_turn(options)
        options.only.write_text(json.dumps([row.raw() for row in rows]), encoding="utf-8")
        return
    folders = {"before": options.before, "after": ROOT}
    runs: dict[str, list[Any]] = {name: [] for name in VERSIONS if folders[name] is not None}
    for _ in range(options.turns):
        for name, found in runs.items():
            found.append(await _turn(folders[name], options))
    results = {
        name: [
            Row.together(tier, [row for turn in found for row in turn if row["tier"] == tier]) for tier in options.tiers
        ]
        for name, found in runs.items()
    }
    written = {name: [row.as_json() for row in rows] for name, rows in results.items()}
    Console().print(written)
    if not options.print:
        figures.write("processor", written)
        figures.document("processor", markdown(written))


async def _turn(folder: Path, options: Any) -> Any:
    """This file's measurement in a process of the version in `folder`."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        arguments = [str(folder / ".venv" / "bin" / "python"), __file__, "--only", file.name, "--tiers", *options.tiers]
        for name in ("calls", "rounds", "seconds", "pause-ms", "spy"):
            arguments += [f"--{name}", str(getattr(options, name.replace("-", "_")))]
        process = await asyncio.create_subprocess_exec(
            *arguments, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}
        )
        if await process.wait():
            raise RuntimeError(f"{folder} was not measured")
        return json.load(file)


async def _one_turn(options: Any) -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        meter = Path(folder) / "meter"
        for tier in options.tiers:
            environment = {
                **DEPLOYED,
                **BOUNDS,
                **TIERS[tier],
                "PYTHONPATH": str(assembly.METERED),
                "METER_FILE": str(meter),
            }
            async with _stack(Path(folder) / "stack", environment) as stack:
                await assembly.load(stack, [SIZE], 10_000, 20)
                row = Row(tier)
                await _measured(stack, row, Path(folder), options)
            rows.append(row)
    return rows


async def _measured(stack: Stack, row: Row, folder: Path, options: Any) -> None:
    key = await assembly.new_key(stack)
    embedder = OnnxEmbedder(StackSettings().models)
    await embedder.warm()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(30)) as session:
        client = Client(session, stack, key, options.pause_ms)
        await measure(client, Processes(stack, folder), row, embedder, options)
    embedder.close()


def markdown(results: Mapping[str, Any]) -> list[str]:
    """The lines of docs/benchmarks.md."""
    machine = figures.machine()
    versions = [name for name in VERSIONS if name in results]
    lines = [
        f"An agent of {SIZE:,} memories, one caller, {machine['cores']} cores, {machine['architecture']}, Python "
        f"{machine['python']}. Milliseconds of the processor for one assembly, medians of rounds.",
        "",
        "| tier | version | instance | in the request | after it | embedding alone | times the embedding "
        "| Postgres | Redis | side effects |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    by_tier = {
        tier: [(name, row) for name in versions for row in results[name] if row["tier"] == tier] for tier in TIERS
    }
    for tier, found in by_tier.items():
        for name, row in found:
            cells = [row["instance_ms"], row["in_request_ms"], row["after_request_ms"], row["embedding_alone_ms"]]
            cells += [row["times_the_embedding"], *row["servers_ms"].values()]
            lines.append(f"| {tier} | {name} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")
    columns = [(tier, name, row) for tier, found in by_tier.items() for name, row in found]
    lines += ["", "| part, ms | " + " | ".join(f"{tier}, {name}" for tier, name, _ in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    names = dict.fromkeys(part for *_, row in columns for part in row["parts_ms"])
    for part in names:
        cells = [row["parts_ms"].get(part, 0.0) for *_, row in columns]
        lines.append(f"| {part} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return lines


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    asyncio.run(main())
