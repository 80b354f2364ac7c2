"""A simulated fleet: how many processes, which maps they hold, what Redis and Postgres have to do, and dollars.

For 1,000, 10,000 and 100,000 assemblies a second over agents that are asked by Zipf's law. One process is simulated
request by request: which agents' maps it holds, by their bytes and by how long ago they were used. Whether Redis holds
a map is known from its size and all requests together, as for any cache that drops what was not used for longest (Che,
Tung & Wang 2002). What one assembly costs was measured: `benchmarks.load`, `benchmarks.processor`.

`make fleet` writes benchmarks/results/fleet.json, and a table and a picture into docs/capacity.md.
"""

import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import figures
from remembrancer.adapters.redis.map_segments import ORGANIZATION_BYTES
from remembrancer.usecases.retrieval.memory_maps import MOST_BYTES
from scripts import request_cost
from scripts.idle_cost import read_prices

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
RATES = (1_000, 10_000, 100_000)
AGENTS_A_REQUEST = 10
"""Agents for each request a second: on average, each is asked every ten seconds."""
ZIPF = 1.0
MEMORIES = 1_000
"""Of each agent."""
AGENTS_OF_ORGANIZATION = 1_000
OWN_BYTES = 3_800 * MEMORIES
"""Of a map that the process has read from Postgres."""
SHARED_BYTES = 1_200 * MEMORIES
"""Of a map in the process that came from Redis."""
SEGMENT_BYTES = 730 * MEMORIES
"""Of a map in Redis."""
DECODING_MS = 1.9
TRANSFER_MS = 10.0
"""To read a map from Redis, at 75 MB a second: only an instance of Lambda does nothing else meanwhile."""
READING_MS = 7.0
"""Of the processor, to encode a map for Redis after an answer from Postgres."""
WAITING_MS = 6.3
"""That an answer from Postgres takes longer than one from a map (benchmarks.assembly, 1,000 memories)."""
SEARCH_MS = 0.6
"""Of Postgres, for an answer that no map gives."""
LAMBDA_LOAD, CONTAINER_LOAD, STORE_LOAD = 0.7, 0.6, 0.6
"""How busy each may be on average: Lambda as its autoscaling has it, a process below its knee."""
REDIS_GB, REDIS_MB_A_SECOND = 9.75, 117.0
"""Of a cache.r7g.large: three quarters of its memory, and its network at all times (0.937 Gbit/s)."""
DATABASE_CORES = 4
DATABASE, CACHE = "db.r7g.xlarge", "cache.r7g.large"
BYTES_OF_MEMORY = 4_200
PROCESS_GB = 1.0
RESPONSE_KB = 10
SAMPLE = 300_000
"""Requests that one process gets in the simulation, half of them before anything is counted."""
MILLION_A_MONTH = 2.592
"""Millions of requests in 30 days, for each request a second."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured: processor milliseconds of one assembly from a map, by part."""

    function_ms: float
    process_ms: float
    postgres_ms: float
    redis_ms: float
    worker_ms: float

    @classmethod
    def read(cls) -> "Costs":
        """From the result files."""
        (row,) = (row for row in figures.read("processor")["after"] if row["tier"] == "map")
        servers = row["servers_ms"]
        return cls(
            function_ms=row["instance_ms"],
            process_ms=figures.read("load")["costs"]["whole"]["processor_ms"],
            postgres_ms=servers["Postgres"],
            redis_ms=servers["Redis"],
            worker_ms=servers["side effects"],
        )


@dataclass(frozen=True, slots=True)
class Hits:
    """Shares of the requests by where their map was."""

    own: float
    redis: float
    postgres: float


@dataclass(frozen=True, slots=True)
class Fleet:
    """One way to run one rate. Cores and nodes are what is needed on average at the named load, rounded up."""

    rate: int
    kind: str
    processes: int
    hits: Hits
    redis_calls: int
    redis_mb: float
    redis_nodes: int
    postgres_cores: float
    databases: int
    dollars: Mapping[str, float]

    @property
    def together(self) -> float:
        """Dollars a month."""
        return sum(self.dollars.values())


def popularity(agents: int) -> NDArray[np.float64]:
    """Shares of the requests, most asked first."""
    weights = np.arange(1, agents + 1) ** -ZIPF
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def held(rates: NDArray[np.float64], places: float) -> NDArray[np.float64]:
    """Probability that each agent is in a cache with so many places that all requests share; `rates` a second.

    An agent is there if it was asked within the cache's characteristic time, which is such that all places are taken.
    """
    if places >= len(rates):
        return np.ones_like(rates)
    low, high = 0.0, 1.0
    while (1 - np.exp(-rates * high)).sum() < places:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 - np.exp(-rates * middle)).sum() < places else (low, middle)
    there: NDArray[np.float64] = 1 - np.exp(-rates * high)
    return there


def simulate(shares: NDArray[np.float64], in_redis: NDArray[np.float64], *, seed: int, sample: int = SAMPLE) -> Hits:
    """One process that gets agents with these shares of its requests."""
    chance = np.random.default_rng(seed)
    asked = chance.choice(len(shares), size=sample, p=shares / shares.sum())
    lucky = chance.random(sample) < in_redis[asked]
    maps: OrderedDict[int, int] = OrderedDict()
    found = {"own": 0, "redis": 0, "postgres": 0}
    taken = 0
    for number, (agent, is_shared) in enumerate(zip(asked.tolist(), lucky.tolist(), strict=True)):
        size = maps.pop(agent, 0)
        place = "own" if size else "redis" if is_shared else "postgres"
        if not size:
            size = SHARED_BYTES if is_shared else OWN_BYTES
            taken += size
        maps[agent] = size
        while taken > MOST_BYTES:
            taken -= maps.popitem(last=False)[1]
        if number >= sample // 2:
            found[place] += 1
    counted = sample - sample // 2
    return Hits(*(round(found[name] / counted, 4) for name in ("own", "redis", "postgres")))


def own_agents(shares: NDArray[np.float64], processes: int, *, seed: int) -> NDArray[np.float64]:
    """Shares of one process, where the requests of an agent go to the same processes: to one, or to as many as it needs
    so that none of them gets more than a quarter of its requests from this agent.
    """
    copies = np.maximum(np.ceil(shares * processes * 4), 1)
    mine = np.random.default_rng(seed).random(len(shares)) < copies / processes
    chosen: NDArray[np.float64] = np.where(mine, shares / copies, 0.0)
    return chosen


def fleet(kind: str, rate: int, costs: Costs, prices: Mapping[str, Any], *, sample: int = SAMPLE) -> Fleet:
    """`kind` is one of `KINDS`. The number of processes depends on the hits, and those on it: so twice."""
    shares = popularity(rate * AGENTS_A_REQUEST)
    organizations = math.ceil(len(shares) / AGENTS_OF_ORGANIZATION)
    in_redis = held(shares * rate, organizations * ORGANIZATION_BYTES / SEGMENT_BYTES)
    processes, hits = 1, Hits(0.5, 0.5, 0.0)
    for seed in (1, 2):
        processes = _processes(kind, rate, hits, costs)
        mine = own_agents(shares, processes, seed=seed) if kind == AFFINE else shares
        hits = simulate(mine, in_redis, seed=seed, sample=sample)
    processes = _processes(kind, rate, hits, costs)
    redis_mb = rate * hits.redis * SEGMENT_BYTES / 1e6
    redis_gb = organizations * ORGANIZATION_BYTES / 1e9
    nodes = math.ceil(
        max(
            rate * costs.redis_ms / 1000 / STORE_LOAD,
            redis_mb / REDIS_MB_A_SECOND / STORE_LOAD,
            redis_gb / REDIS_GB,
        )
    )
    cores = rate * (costs.postgres_ms + hits.postgres * SEARCH_MS) / 1000
    databases = math.ceil(cores / STORE_LOAD / DATABASE_CORES)
    return Fleet(
        rate=rate,
        kind=kind,
        processes=processes,
        hits=hits,
        redis_calls=round(rate * (1 + hits.redis + hits.postgres)),
        redis_mb=round(redis_mb, 1),
        redis_nodes=nodes,
        postgres_cores=round(cores, 1),
        databases=databases,
        dollars=dict(_dollars(kind, rate, processes, hits, nodes, databases, costs, prices)),
    )


def _busy_ms(kind: str, hits: Hits, costs: Costs) -> float:
    """For one assembly, an instance of Lambda with its waits, or the processor of a process that serves many."""
    if kind == LAMBDA:
        waits = hits.redis * TRANSFER_MS + hits.postgres * WAITING_MS
        return costs.function_ms + hits.redis * DECODING_MS + hits.postgres * READING_MS + waits
    return costs.process_ms + costs.worker_ms + hits.redis * DECODING_MS + hits.postgres * READING_MS


def _processes(kind: str, rate: int, hits: Hits, costs: Costs) -> int:
    load = LAMBDA_LOAD if kind == LAMBDA else CONTAINER_LOAD
    return math.ceil(rate * _busy_ms(kind, hits, costs) / 1000 / load)


def _dollars(
    kind: str,
    rate: int,
    processes: int,
    hits: Hits,
    nodes: int,
    databases: int,
    costs: Costs,
    prices: Mapping[str, Any],
) -> Iterator[tuple[str, float]]:
    hours, millions = prices["hours_a_month"], rate * MILLION_A_MONTH
    row = request_cost.row_of(request_cost.read_results()["after"])
    if kind == LAMBDA:
        billed = {**row, "instance_ms": _busy_ms(kind, hits, costs)}
        bill = request_cost.items("after", billed, prices, request_cost.function_gigabytes())
        yield (
            "compute",
            millions * sum(one.dollars for one in bill) + millions * request_cost.door("load_balancer", prices),
        )
    else:
        each = prices["hour"]["container_core"] + PROCESS_GB * prices["hour"]["container_gb"]
        unit = RESPONSE_KB * prices["load_balancer"]["unit_hour"]
        log = row["log_bytes"] / 1e3 * prices["log_gb"]
        yield "compute", processes * hours * each + millions * (unit + log)
    # Each with a copy in another zone.
    yield "Redis", nodes * 2 * hours * prices["hour"]["cache"][CACHE]
    storage = rate * AGENTS_A_REQUEST * MEMORIES * BYTES_OF_MEMORY / 1e9 * prices["month"]["storage_gb_with_standby"]
    yield "Postgres", databases * 2 * hours * prices["hour"]["database"][DATABASE] + storage


LAMBDA, CONTAINERS, AFFINE = "Lambda", "containers", "containers, by agent"
KINDS = (LAMBDA, CONTAINERS, AFFINE)


def main() -> None:
    """Simulates everything, then writes the result and the page."""
    costs, prices = Costs.read(), read_prices()
    fleets = [asdict(fleet(kind, rate, costs, prices)) for rate in RATES for kind in KINDS]
    figures.write("fleet", {"costs": asdict(costs), "prices": prices["as_of"], "fleets": fleets})
    figures.document("fleet", markdown(figures.read("fleet")), page=PAGE)


_HEADS = (
    "requests a second", "", "processes", "map: own, from Redis, from Postgres",
    "Redis: calls a second, MB a second, nodes",
    "Postgres: cores busy, databases", "compute, Redis, Postgres", "a month", "a million",
)  # fmt: skip


def markdown(results: Mapping[str, Any]) -> Sequence[str]:
    """The table of docs/capacity.md."""
    costs = Costs(**results["costs"])
    return [
        f"Processor time of one assembly from a map: {costs.function_ms:g} ms of a function or {costs.process_ms:g} ms "
        f"of a process, {costs.postgres_ms:g} ms of Postgres, {costs.redis_ms:g} ms of Redis, {costs.worker_ms:g} ms "
        f"of the worker that counts usage. Prices of {results['prices']}.",
        "",
        f"| {' | '.join(_HEADS)} |",
        f"|{'---|' * len(_HEADS)}",
        *(f"| {' | '.join(_cells(row))} |" for row in results["fleets"]),
    ]


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    hits, dollars = Hits(**row["hits"]), row["dollars"]
    together = sum(dollars.values())
    yield from (f"{row['rate']:,}", row["kind"], f"{row['processes']:,}")
    yield f"{hits.own:.0%}, {hits.redis:.0%}, {hits.postgres:.0%}"
    yield f"{row['redis_calls']:,}, {row['redis_mb']:,.0f}, {row['redis_nodes']:,}"
    yield f"{row['postgres_cores']:g}, {row['databases']:,}"
    yield ", ".join(f"${one:,.0f}" for one in dollars.values())
    yield f"**${together:,.0f}**"
    yield f"${together / row['rate'] / MILLION_A_MONTH:.2f}"


if __name__ == "__main__":
    main()
