"""Assembly with each fault of each source, at the real deadlines: histogram of latencies, reasons, and recovery.

The handler runs in this process; TCP proxies in other processes break its connections. `make bench-faults` runs it, or
`python -m benchmarks.faults --tier map` for one answering source, `--cache cluster` for Redis in cluster mode; rows of
the others are kept from the last run, if that run had the same setting of `--let-sleep`.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import awake, figures
from benchmarks.awake import Awake
from benchmarks.lateness import Lateness
from local.faults.proxy import through
from local.faults.proxy_process import ProxyProcess
from local.servers import Cache, PostgresServer, cache_of
from local.servers.valkey_cluster import KINDS
from tests.e2e.conftest import Loop
from tests.faults.instance import AssemblyInstance, WithoutMaps, create_agent

CASES = [
    ("", "none"),
    *(("redis", fault) for fault in ("refuse", "reset", "hang", "delay", "garbage")),
    *(("postgres", fault) for fault in ("refuse", "reset", "hang", "delay", "garbage")),
    *(("embedder", fault) for fault in ("dead", "hang", "delay", "garbage")),
]
EDGES_MS = (5, 10, 20, 30, 40, 44, 48, 60)
DELAY_MS = 30.0
WARM_UP = 30
PAUSE_SECONDS = 0.005
"""Pause between calls; the work after the response is done before it."""
TIERS = ("postgres", "map")


@dataclass(frozen=True)
class FaultRow:
    """One fault of one source; `back_after` counts the calls from its repair to the first complete answer.

    `lateness` is the delay of the machine itself, from a concurrent process that only sleeps.
    """

    source: str
    fault: str
    tier: str
    durations: Sequence[float]
    lateness: Sequence[float]
    reasons: Counter[str]
    statuses: Counter[int]
    back_after: int

    @property
    def late_ms(self) -> float:
        """The lateness of one wake-up in a thousand; a call has about twenty waits."""
        return round(figures.percentile(self.lateness or [0.0], 0.999), 2)

    @property
    def histogram(self) -> list[int]:
        """Number of calls up to each edge, and above the last edge."""
        counts = [0] * (len(EDGES_MS) + 1)
        for duration in self.durations:
            counts[sum(duration > edge for edge in EDGES_MS)] += 1
        return counts


def main() -> None:
    """Prints a line for each case; writes `benchmarks/results/faults.json` and docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--tier", choices=TIERS, nargs="+", default=TIERS)
    parser.add_argument(
        "--cache", choices=KINDS, default="server", help="Redis: one server, or a cluster of 1 or 3 nodes"
    )
    awake.add_option(parser)
    arguments = parser.parse_args()
    loop = Loop()
    try:
        with tempfile.TemporaryDirectory() as directory:
            folder = Path(directory)
            with (
                Awake(wanted=not arguments.let_sleep),
                PostgresServer(folder / "postgres") as postgres,
                cache_of(arguments.cache, folder / "valkey") as cache,
                Lateness(folder / "lateness") as lateness,
            ):
                console = Console()
                rows = run(postgres, cache, loop, arguments.calls, lateness, tiers=arguments.tier, console=console)
    finally:
        loop.close()
    last = figures.read("faults") or {}
    before = last.get("cases", []) if last.get("let_sleep") == arguments.let_sleep else []
    measured = [_json(row, arguments.cache) for row in rows]
    replaced = {(case["cache"], case["tier"]) for case in measured}
    cases = [case for case in before if (case["cache"], case["tier"]) not in replaced] + measured
    figures.write("faults", {"calls": arguments.calls, "let_sleep": arguments.let_sleep, "cases": cases})
    figures.document("faults", _markdown(cases, arguments))


def run(
    postgres: PostgresServer,
    cache: Cache,
    loop: Loop,
    calls: int,
    lateness: Lateness,
    *,
    tiers: Sequence[str] = TIERS,
    cases: Sequence[tuple[str, str]] = CASES,
    warm_up: int = WARM_UP,
    console: Console,
) -> list[FaultRow]:
    """One row for each answering source and case, in their order."""
    texts = [f"Guest {number} wants fish on Thursdays, and room {number}" for number in range(100)]
    agent = loop.run(create_agent(postgres, texts))
    nodes = [ProxyProcess(port) for port in cache.ports]
    cache.announce([proxy.port for proxy in nodes])
    proxies = {"postgres": [ProxyProcess(postgres.port)], "redis": nodes}
    rows = []
    for tier in tiers:
        kind = AssemblyInstance if tier == "map" else WithoutMaps
        instance = kind(
            agent,
            database_url=through(proxies["postgres"][0], postgres.app_url),
            redis_url=through(nodes[0], cache.url),
            REDIS_CLUSTER=str(cache.is_cluster),
        )
        for source, fault in cases:
            for number in range(warm_up):
                _ask(instance, number)
            row = _case(instance, proxies, source, fault, calls, lateness, tier=tier)
            rows.append(row)
            console.print(_line(row), highlight=False)
        instance.close()
    for proxy in chain(*proxies.values()):
        proxy.close()
    return rows


def _case(
    instance: AssemblyInstance,
    proxies: Mapping[str, Sequence[ProxyProcess]],
    source: str,
    fault: Any,
    calls: int,
    lateness: Lateness,
    *,
    tier: str,
) -> FaultRow:
    if source == "embedder":
        instance.embedder.fault, instance.embedder.delay_ms = fault, DELAY_MS
    elif source:
        for proxy in proxies[source]:
            proxy.set(fault, delay_ms=DELAY_MS)
    lateness.since_last()
    answers = [_ask(instance, number) for number in range(calls)]
    late = lateness.since_last()
    instance.embedder.fault = "none"
    for proxy in chain(*proxies.values()):
        proxy.set("none")
    back_after = 1
    while _ask(instance, back_after).reason and back_after < calls:
        back_after += 1
    return FaultRow(
        source or "none",
        fault,
        tier,
        [answer.elapsed_ms for answer in answers],
        late,
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


def _line(row: FaultRow) -> str:
    summary = figures.summary(row.durations)
    return (
        f"{row.tier:9}{row.source:9}{row.fault:8} p50 {summary['p50']:6.2f} "
        f"p99 {summary['p99']:6.2f}  {dict(row.reasons.most_common(2))} {dict(row.statuses)} "
        f"back after {row.back_after}, woken late {row.late_ms:.1f}"
    )


def _json(row: FaultRow, cache: str) -> dict[str, Any]:
    return {
        "cache": cache,
        "tier": row.tier,
        "source": row.source,
        "fault": row.fault,
        "ms": figures.summary(row.durations),
        "lateness_ms": row.late_ms,
        "histogram": dict(zip([*map(str, EDGES_MS), "beyond"], row.histogram, strict=True)),
        "reasons": dict(row.reasons),
        "statuses": {str(status): number for status, number in row.statuses.items()},
        "back_after_calls": row.back_after,
    }


def _markdown(cases: Sequence[Mapping[str, Any]], arguments: argparse.Namespace) -> list[str]:
    machine = figures.machine()
    edges = " | ".join(f"≤ {edge}" for edge in EDGES_MS)
    statuses = sorted({status for case in cases for status in case["statuses"]})
    return [
        f"{arguments.calls} calls each, at the default deadlines (48 ms), {machine['cores']} cores, "
        f"{machine['architecture']}, Python {machine['python']}; {awake.account(arguments)}. "
        f"Status of all answers: {', '.join(statuses)}. Milliseconds of the handler, then "
        f"how many calls took so long; `delay` is {DELAY_MS:.0f} ms more for each of the source's answers. Last, how "
        "many calls it took until an answer was complete again once the source was whole; and how late a process "
        "beside it that only sleeps was woken once in a thousand times, as any wait on these cores may end.",
        "",
        f"| Redis | tier | source | fault | p50 | p99 | {edges} | beyond | what answers said, by share | back after "
        "| late |",
        "|---|---|---|---|" + "---|" * (len(EDGES_MS) + 6),
        *(
            f"| {case['cache']} | {case['tier']} | {case['source']} | {case['fault']} | {case['ms']['p50']:.1f} | "
            f"{case['ms']['p99']:.1f} | {' | '.join(map(str, case['histogram'].values()))} | "
            f"{_shares(case['reasons'])} | {case['back_after_calls']} | {case['lateness_ms']:.1f} |"
            for case in cases
        ),
    ]


def _shares(reasons: Mapping[str, int]) -> str:
    total = sum(reasons.values())
    most = Counter(reasons).most_common(2)
    return "; ".join(f"{reason} {number / total:.0%}" for reason, number in most)


if __name__ == "__main__":
    main()
