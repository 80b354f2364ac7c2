"""The first request of an agent on an instance that has never seen it, beside the next one, from the map that is there.

Each round starts a new instance of the assemble function and asks every agent twice. In every other round the agents'
maps are taken out of Redis before, so that Postgres answers first, as without maps that travel. Servers and functions
are real.
"""

import argparse
import asyncio
import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from redis.asyncio import Redis
from rich.console import Console
from rich.table import Table

from benchmarks import assembly, corpus, figures, talkative
from benchmarks.assembly import FUNCTION, AssemblyRow, Client
from local.stack import Stack

SIZES = {1_000: 1.3, 1_900: 1.3}
"""Memories of an agent, and how many times the median of a map that is there the first request may take."""
FAMILIAR = 100
"""Memories of an agent that is asked first on each instance, so that only the agents' maps are missing."""
_ENDING = 200
"""Most looks at whether an instance has ended, a twentieth of a second apart."""
_SHARING_SECONDS = 120.0
"""Longer than an instance waits after a failed write."""
REQUESTS = ("first, map from Redis", "first, map from Postgres", "next, map is there")


@dataclass(slots=True)
class FirstRow:
    """Measurements of the agents of about one size."""

    size: int
    request: str
    total: list[float] = field(default_factory=list)
    tiers: Counter[str] = field(default_factory=Counter)
    complete: int = 0

    def add(self, row: AssemblyRow) -> None:
        """Adds a row of one call."""
        self.total += row.total
        self.tiers += row.tiers
        self.complete += row.reasons[""]

    def as_json(self) -> dict[str, Any]:
        """The row for the result file, in milliseconds."""
        return {
            "memories": self.size,
            "request": self.request,
            "total_ms": figures.summary(self.total),
            "calls": len(self.total),
            "complete": self.complete,
            "tiers": dict(self.tiers),
        }


async def main() -> None:
    """Prints the table, writes `benchmarks/results/first_request.json` and docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="half of them with maps in Redis")
    parser.add_argument("--agents", type=int, default=6, help="of each size")
    parser.add_argument("--pause-ms", type=float, default=50.0, help="between calls: other work shares the machine")
    parser.add_argument("--directory", type=Path, help="where the database stays, to be measured again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        rows = await _measure(arguments, arguments.directory or Path(directory))
    console = Console()
    table = Table(title="First request of an agent, milliseconds")
    for head in _HEADS:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*_cells(row, rows))
    console.print(table)
    figures.document("first_request", _markdown(rows, arguments))
    figures.write("first_request", {"rounds": arguments.rounds, "rows": [row.as_json() for row in rows]})


async def _measure(arguments: argparse.Namespace, directory: Path) -> Sequence[FirstRow]:
    groups = {size: [size + number for number in range(arguments.agents)] for size in SIZES}
    sizes = [FAMILIAR, *(one for group in groups.values() for one in group)]
    rows = {(size, request): FirstRow(size, request) for size in SIZES for request in REQUESTS}
    async with assembly.local_stack(directory, {}) as stack, aiohttp.ClientSession() as session:
        await assembly.load(stack, sizes, 1_000, 5)
        client = Client(session, stack, await assembly.new_key(stack), arguments.pause_ms)
        redis = Redis.from_url(stack.redis_url)
        await _share(stack, client, redis, sizes)
        for number in range(arguments.rounds):
            shared = number % 2 == 0
            if not shared:
                await redis.delete(*(_key(size) for size in sizes))
            await _new_instance(stack)
            await client.run(AssemblyRow(FAMILIAR, "", 1), 5)
            for group, members in groups.items():
                for size in members:
                    await stack.drain()
                    await _one(client, size, rows[group, REQUESTS[0 if shared else 1]])
                    await _until_mapped(stack, client, size)
                    await _one(client, size, rows[group, REQUESTS[2]])
            await _share(stack, client, redis, sizes)
        await redis.aclose()
    return list(rows.values())


async def _one(client: Client, size: int, row: FirstRow) -> None:
    asked = AssemblyRow(size, "map", 1)
    await client.run(asked, 1)
    row.add(asked)


async def _until_mapped(stack: Stack, client: Client, size: int) -> None:
    """Asks until the instance has the agent's map, which is made between requests."""
    for _ in range(assembly.ROUNDS):
        await stack.drain()
        asked = AssemblyRow(size, "map", 1)
        await client.run(asked, 1)
        if asked.tiers["map"]:
            return
    raise RuntimeError(f"the instance never had the map of {size} memories")


async def _share(stack: Stack, client: Client, redis: Redis, sizes: Sequence[int]) -> None:
    """Asks until Redis has the map of every agent."""
    end = time.monotonic() + _SHARING_SECONDS
    missing = list(sizes)
    while missing:
        for size in missing:
            await client.run(AssemblyRow(size, "map", 1), 1)
            await stack.drain()
        missing = [size for size in missing if not await redis.exists(_key(size))]
        if time.monotonic() > end:
            raise RuntimeError(f"maps never came to Redis, of agents with so many memories: {missing}")


async def _new_instance(stack: Stack) -> None:
    pool = stack.functions[FUNCTION]
    for process_id in pool.process_ids:
        os.kill(process_id, signal.SIGKILL)
    for _ in range(_ENDING):
        if not pool.size:
            break
        await asyncio.sleep(0.05)
    await pool.prewarm(1)


def _key(size: int) -> str:
    return f"{corpus.ORGANIZATION}:map:{{{talkative.agent_id(size)}}}"


_HEADS = ("memories", "request", "calls", "function p50/p95/p99", "of the next (median)", "at most", "from", "complete")


def _cells(row: FirstRow, rows: Sequence[FirstRow]) -> list[str]:
    total = figures.summary(row.total)
    (following,) = (one for one in rows if (one.size, one.request) == (row.size, REQUESTS[2]))
    ratio = total["p50"] / figures.summary(following.total)["p50"]
    return [
        f"{row.size:,}",
        row.request,
        str(len(row.total)),
        " / ".join(f"{total[name]:.1f}" for name in ("p50", "p95", "p99")),
        f"{ratio:.2f}",
        f"{SIZES[row.size]}" if row.request == REQUESTS[0] else "",
        ", ".join(f"{tier} {count / len(row.total):.0%}" for tier, count in row.tiers.most_common()),
        f"{row.complete / len(row.total):.0%}",
    ]


def _markdown(rows: Sequence[FirstRow], arguments: argparse.Namespace) -> list[str]:
    machine = figures.machine()
    return [
        f"{arguments.rounds} new instances, {arguments.agents} agents of each size, {machine['cores']} cores, "
        f"{machine['architecture']}, Python {machine['python']}. Milliseconds in the function.",
        "",
        f"| {' | '.join(_HEADS)} |",
        f"|{'---|' * len(_HEADS)}",
        *(f"| {' | '.join(_cells(row, rows))} |" for row in rows),
    ]


if __name__ == "__main__":
    asyncio.run(main())
