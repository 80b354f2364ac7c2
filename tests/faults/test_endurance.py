"""Mixed load for a while: memory, connections, files, keys and queues stay what they were.

Runs where ENDURANCE_SECONDS says for how long (`make endurance`); benchmarks/results/endurance.json has the figures, of
which `benchmarks.plots` draws docs/images/endurance.svg.
"""

import os
import random
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import mean
from typing import Any

import httpx
import psycopg
import pytest
import redis

from benchmarks import figures, plots
from local import queues
from tests.e2e.conftest import Tenant

pytestmark = pytest.mark.long

SECONDS = float(os.environ.get("ENDURANCE_SECONDS", "0"))
WARM = 0.25
"""The part in which instances start, maps are made and statements are prepared."""
SAMPLES = 60
CALLERS = 3
PAUSE_SECONDS = float(os.environ.get("ENDURANCE_PAUSE", "0"))
"""Between the requests of one caller, for a load that leaves the machine some rest."""
LIVE = 300
"""Memories that are there at once: what a writer adds beyond them it deletes."""
MEGABYTE = 1 << 20
TAIL_BYTES = 1 << 16
"""Of a function's log, in which its last count of its maps is looked for."""
MAY_GROW = 1.15
"""Caches are still filling."""
SLACK = {"MB": 8.0, "": 4.0}


@dataclass
class Load:
    """Workers that write, change, rate, delete, query and assemble; how long each took, and when."""

    tenant: Tenant
    latencies: list[tuple[float, str, float]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    memories: list[str] = field(default_factory=list)

    def work(self, seed: int) -> None:
        chance = random.Random(seed)
        numbers = count()
        with httpx.Client(base_url=self.tenant.stack.url, headers=self.tenant.client.headers, timeout=30) as client:
            while not self.stopping.is_set():
                kind, send = chance.choice(KINDS)
                began = time.perf_counter()
                answer = send(self, client, chance, f"{seed}-{next(numbers)}")
                self.latencies.append((time.monotonic(), kind, time.perf_counter() - began))
                self.stopping.wait(PAUSE_SECONDS)
                if answer.status_code >= 400 and answer.status_code not in {404, 409}:
                    self.refused.append(f"{kind}: {answer.status_code} {answer.text[:200]}")

    def one(self, chance: random.Random) -> str:
        known = self.memories[-LIVE:]
        return chance.choice(known) if known else str(uuid.uuid4())


def write(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    contents = [f"Guest {name}-{number} asked for table {chance.randrange(97)}." for number in range(5)]
    body = {"memories": [{"agent_id": load.tenant.agent_id, "content": content} for content in contents]}
    answer = client.post("/v1/memories/batch", json=body, headers={"Idempotency-Key": name})
    if answer.is_success:
        load.memories += [result["id"] for result in answer.json()["results"]]
    while len(load.memories) > LIVE:
        client.delete(f"/v1/memories/{load.memories.pop(0)}")
    return answer


def change(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    return client.patch(f"/v1/memories/{load.one(chance)}", json={"content": f"Guest {name} changed tables."})


def rate(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    return client.post(f"/v1/memories/{load.one(chance)}/feedback", json={"feedback": "positive"})


def query(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    body = {"query": f"Who asked for table {chance.randrange(97)}?", "agent_id": load.tenant.agent_id}
    return client.post("/memory/query", json=body)


def assemble(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    body = {
        "org_id": load.tenant.org_id,
        "agent_id": load.tenant.agent_id,
        "model": "gpt-4o",
        "request_id": name,
        "session_id": str(uuid.UUID(int=chance.randrange(8))),
        "messages": [{"role": "user", "content": f"Who asked for table {chance.randrange(97)}?"}],
    }
    return client.post("/v1/context/assemble", json=body)


def read(load: Load, client: httpx.Client, chance: random.Random, name: str) -> httpx.Response:
    return client.get("/v1/memories", params={"agent_id": load.tenant.agent_id, "limit": "20"})


Send = Callable[[Load, httpx.Client, random.Random, str], httpx.Response]
KINDS: list[tuple[str, Send]] = [
    ("write", write), ("change", change), ("rate", rate), ("read", read),
    ("query", query), ("query", query), ("assemble", assemble), ("assemble", assemble), ("assemble", assemble),
]  # fmt: skip


def sample(tenant: Tenant) -> dict[str, float]:
    """Megabytes, files and maps of an instance of each function on average, and what the servers and queues hold."""
    stack = tenant.stack
    measured: dict[str, float] = {}
    instances = 0
    for name, pool in stack.functions.items():
        processes = [Path(f"/proc/{process_id}") for process_id in pool.process_ids]
        if processes:
            measured[f"{name} MB"] = mean(map(resident, processes)) / MEGABYTE
            measured[f"{name} files"] = mean(len(list((process / "fd").iterdir())) for process in processes)
        instances += len(processes)
    for name in ("AssembleFunction", "QueryFunction"):
        measured[f"{name} maps MB"] = map_bytes(stack.aws.directory.parent / "logs" / f"{name}.log") / MEGABYTE
    with psycopg.connect(stack.postgres.superuser_url) as connection:
        measured |= of_postgres(connection, instances)
    with redis.Redis.from_url(stack.redis_url) as client:
        information: Any = client.info()
        measured["Redis keys"] = float(client.dbsize())
    measured["Redis connections"] = information["connected_clients"] / instances
    measured["Redis MB"] = information["used_memory"] / MEGABYTE
    with closing(queues.connect(stack.aws_endpoint_url)) as sqs:
        for url in sqs.list_queues()["QueueUrls"]:
            measured[f"{url.rsplit('/', 1)[1]} messages"] = queues.backlog(sqs, url)
    return measured


_SIZES = """
    SELECT sum(pg_table_size(oid)) / %(megabyte)s, sum(pg_indexes_size(oid)) / %(megabyte)s
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"""
_OLDEST = """
    SELECT coalesce(extract(epoch FROM now() - min(updated_at)), 0) FROM memories WHERE embedding_state = 'pending'"""


def of_postgres(connection: psycopg.Connection[Any], instances: int) -> Iterator[tuple[str, float]]:
    """Connections of an instance, sizes of tables and indexes, and how long the oldest memory waits for its vector."""

    def row(statement: str) -> Sequence[Any]:
        (found,) = connection.execute(statement, {"megabyte": MEGABYTE}).fetchall()
        return tuple(map(float, found))

    (connections,) = row("SELECT count(*) FROM pg_stat_activity WHERE usename = 'remembrancer_app'")
    tables, indexes = row(_SIZES)
    (oldest,) = row(_OLDEST)
    (live,) = row("SELECT count(*) FROM memories WHERE status = 'active'")
    yield from {
        "Postgres connections": connections / instances,
        "tables MB": tables,
        "indexes MB": indexes,
        "oldest without a vector s": oldest,
        "live memories": live,
    }.items()


def map_bytes(log: Path) -> float:
    """What the function last said that the maps of an instance take, on average of its last lines; 0 before that."""
    if not log.exists():
        return 0.0
    with log.open("rb") as file:
        file.seek(max(log.stat().st_size - TAIL_BYTES, 0))
        said = [float(found) for found in _MAP_BYTES.findall(file.read())]
    return mean(said[-CALLERS:]) if said else 0.0


_MAP_BYTES = re.compile(rb'"MapBytes": ?\[?([0-9.]+)')


def resident(process: Path) -> int:
    """Bytes of a process and of those that it started."""
    pages = int((process / "statm").read_text().split()[1])
    children = (process / "task" / process.name / "children").read_text().split()
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(Path(f"/proc/{child}")) for child in children)


@pytest.mark.skipif(SECONDS == 0, reason="ENDURANCE_SECONDS is not set")
def test_under_mixed_load_nothing_grows_that_should_not(tenant: Tenant) -> None:
    load = Load(tenant)
    workers = [threading.Thread(target=load.work, args=(number,)) for number in range(CALLERS)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    samples: list[dict[str, float]] = []
    while (now := time.monotonic() - began) < SECONDS:
        samples.append({"seconds": round(now, 1), **sample(tenant)})
        time.sleep(SECONDS / SAMPLES)
    load.stopping.set()
    for worker in workers:
        worker.join()

    kinds = sorted({kind for _, kind, _ in load.latencies})
    result = {
        "seconds": SECONDS,
        "callers": CALLERS,
        "pause_seconds": PAUSE_SECONDS,
        "requests": len(load.latencies),
        "samples": [{name: round(value, 2) for name, value in one.items()} for one in samples],
        "p99_ms": {kind: [latency(load, kind, began, place) for place in range(PARTS)] for kind in kinds},
    }
    figures.write("endurance", result)
    plots.write("endurance.svg")
    assert load.refused == []
    assert grown([one for one in samples if one["seconds"] > SECONDS * WARM]) == {}


PARTS = 20
"""Of the whole time, for percentiles."""


def grown(samples: Sequence[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """What was more in the last third than in the first one, with both averages; tables grow with what is written."""
    third = max(len(samples) // 3, 1)
    names = set(samples[0]) & set(samples[-1]) - {"seconds", "tables MB", "indexes MB"}
    pairs = {name: (average(samples[:third], name), average(samples[-third:], name)) for name in sorted(names)}
    return {
        name: pair
        for name, pair in pairs.items()
        if pair[1] > pair[0] * MAY_GROW + SLACK["MB" if name.endswith("MB") else ""]
    }


def average(samples: Sequence[dict[str, float]], name: str) -> float:
    return round(mean(one[name] for one in samples if name in one), 1)


def latency(load: Load, kind: str, began: float, place: int) -> float | None:
    """p99 in ms of one part of the time; a timing never fails a test."""
    start = began + SECONDS * place / PARTS
    taken = [took for at, one, took in load.latencies if one == kind and start <= at < start + SECONDS / PARTS]
    return round(figures.percentile(taken, 0.99) * 1000, 1) if taken else None
