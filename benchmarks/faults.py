"""Assembly with each source broken in each way, at the real deadlines: histogram, reasons, and how it comes back.

The handler runs in this process, behind TCP proxies that break what runs through them. `python -m benchmarks.faults`.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import figures
from local.servers import PostgresServer, ValkeyServer
from tests.e2e.conftest import Loop
from tests.faults.instance import AssemblyInstance, create_agent
from tests.faults.proxy import FaultProxy, through

CASES = [
    ("", "none"),
    *(("redis", fault) for fault in ("refuse", "reset", "hang", "delay", "garbage")),
    *(("postgres", fault) for fault in ("refuse", "reset", "hang", "delay", "garbage")),
    *(("embedder", fault) for fault in ("dead", "hang", "delay", "garbage")),
]
EDGES_MS = (5, 10, 20, 30, 40, 44, 48, 60)
DELAY_MS = 30.0
WARM_UP = 30
PAUSE_SECONDS = 0.02
"""Between calls: work after the response has its time, as on Lambda."""


@dataclass(frozen=True)
class _Row:
    source: str
    fault: str
    maps: bool
    durations: Sequence[float]
    reasons: Counter[str]
    statuses: Counter[int]
    back_after: int

    @property
    def histogram(self) -> list[int]:
        """Calls up to each edge, and beyond the last."""
        counts = [0] * (len(EDGES_MS) + 1)
        for duration in self.durations:
            counts[sum(duration > edge for edge in EDGES_MS)] += 1
        return counts


def main() -> None:
    """Prints a line a case and writes `benchmarks/results/faults.json` and docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    arguments = parser.parse_args()
    console, loop = Console(), Loop()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        with PostgresServer(folder / "postgres") as postgres, ValkeyServer(folder / "valkey") as valkey:
            rows = _run(postgres, valkey, loop, arguments.calls, console)
        loop.close()
    figures.write("faults", {"calls": arguments.calls, "cases": [_json(row) for row in rows]})
    figures.document("faults", _markdown(rows, arguments.calls))


def _run(postgres: PostgresServer, valkey: ValkeyServer, loop: Loop, calls: int, console: Console) -> list[_Row]:
    texts = [f"Guest {number} wants fish on Thursdays, and room {number}" for number in range(100)]
    agent = loop.run(create_agent(postgres, texts))
    proxies = {"postgres": FaultProxy(postgres.port), "redis": FaultProxy(valkey.port)}
    for proxy in proxies.values():
        loop.run(proxy.start())
    rows = []
    for maps in (False, True):
        instance = AssemblyInstance(
            agent,
            database_url=through(proxies["postgres"], postgres.app_url),
            redis_url=through(proxies["redis"], valkey.url),
            MAP_MEMORIES="20000" if maps else "0",
        )
        for source, fault in CASES:
            row = _case(instance, proxies, loop, source, fault, calls, maps=maps)
            rows.append(row)
            console.print(_line(row), highlight=False)
        instance.close()
    for proxy in proxies.values():
        loop.run(proxy.stop())
    return rows


def _case(
    instance: AssemblyInstance,
    proxies: dict[str, FaultProxy],
    loop: Loop,
    source: str,
    fault: Any,
    calls: int,
    *,
    maps: bool,
) -> _Row:
    for number in range(WARM_UP):
        _ask(instance, number)
    if source == "embedder":
        instance.embedder.fault, instance.embedder.delay_ms = fault, DELAY_MS
    elif source:
        loop.run(proxies[source].set(fault, delay_ms=DELAY_MS))
    answers = [_ask(instance, number) for number in range(calls)]
    instance.embedder.fault = "none"
    for proxy in proxies.values():
        loop.run(proxy.set("none"))
    back_after = 1
    while _ask(instance, back_after).reason and back_after < calls:
        back_after += 1
    return _Row(
        source or "none",
        fault,
        maps,
        [answer.elapsed_ms for answer in answers],
        Counter(_kinds(answer.reason) for answer in answers),
        Counter(answer.status for answer in answers),
        back_after,
    )


def _ask(instance: AssemblyInstance, number: int) -> Any:
    answer = instance.assemble(f"Which guest wants fish, and in which room, {number}?")
    instance.follow_up()
    time.sleep(PAUSE_SECONDS)
    return answer


def _kinds(reason: str) -> str:
    return ", ".join(one.partition(":")[0] for one in reason.split(",")) or "complete"


def _line(row: _Row) -> str:
    summary = figures.summary(row.durations)
    return (
        f"{'map' if row.maps else 'postgres':9}{row.source:9}{row.fault:8} p50 {summary['p50']:6.2f} "
        f"p99 {summary['p99']:6.2f}  {dict(row.reasons.most_common(2))} {dict(row.statuses)} "
        f"back after {row.back_after}"
    )


def _json(row: _Row) -> dict[str, Any]:
    return {
        "tier": "map" if row.maps else "postgres",
        "source": row.source,
        "fault": row.fault,
        "ms": figures.summary(row.durations),
        "histogram": dict(zip([*map(str, EDGES_MS), "beyond"], row.histogram, strict=True)),
        "reasons": dict(row.reasons),
        "statuses": {str(status): number for status, number in row.statuses.items()},
        "back_after_calls": row.back_after,
    }


def _markdown(rows: Sequence[_Row], calls: int) -> list[str]:
    machine = figures.machine()
    edges = " | ".join(f"≤ {edge}" for edge in EDGES_MS)
    return [
        f"{calls} calls each, at the default deadlines (48 ms), {machine['cores']} cores, {machine['architecture']}, "
        f"Python {machine['python']}. Answers by milliseconds; `delay` is {DELAY_MS:.0f} ms more for each of the "
        "source's answers. Calls until the first complete answer once the source is whole again stand last.",
        "",
        f"| tier | source | fault | p50 | p99 | {edges} | beyond | most frequent answer | back after |",
        "|---|---|---|" + "---|" * (len(EDGES_MS) + 5),
        *(
            f"| {'map' if row.maps else 'postgres'} | {row.source} | {row.fault} | "
            f"{figures.summary(row.durations)['p50']:.1f} | {figures.summary(row.durations)['p99']:.1f} | "
            f"{' | '.join(map(str, row.histogram))} | {row.reasons.most_common(1)[0][0]} | {row.back_after} |"
            for row in rows
        ),
    ]


if __name__ == "__main__":
    main()
