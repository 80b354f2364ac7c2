"""Mixed load for a while: memory, connections and open files stay what they were.

Runs where ENDURANCE_SECONDS says for how long (`make endurance`); benchmarks/results/endurance.json has the figures.
"""

import json
import os
import random
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import mean, median
from typing import Any

import httpx
import psycopg
import pytest
import redis

from local.stack import ROOT
from tests.e2e.conftest import Tenant

pytestmark = pytest.mark.long

SECONDS = float(os.environ.get("ENDURANCE_SECONDS", "0"))
WARM = 0.25
"""The part in which instances start, maps are made and statements are prepared."""
SAMPLES = 60
LIVE = 300
"""Memories that are there at once: what a writer adds beyond them it deletes."""
MEGABYTE = 1 << 20
RESULT = ROOT / "benchmarks" / "results" / "endurance.json"


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
    """Megabytes and files of an instance of each function, and what the servers hold for each instance."""
    stack = tenant.stack
    measured: dict[str, float] = {}
    instances = 0
    for name, pool in stack.functions.items():
        processes = [Path(f"/proc/{process_id}") for process_id in pool.process_ids]
        if processes:
            measured[f"{name} MB"] = mean(map(resident, processes)) / MEGABYTE
            measured[f"{name} files"] = mean(len(list((process / "fd").iterdir())) for process in processes)
        instances += len(processes)
    with psycopg.connect(stack.postgres.superuser_url) as connection:
        ((connections,),) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'remembrancer_app'"
        ).fetchall()
    measured["Postgres connections"] = connections / instances
    with redis.Redis.from_url(stack.redis_url) as client:
        information: Any = client.info()
    measured["Redis connections"] = information["connected_clients"] / instances
    measured["Redis MB"] = information["used_memory"] / MEGABYTE
    return measured


def resident(process: Path) -> int:
    """Bytes of a process and of those that it started."""
    pages = int((process / "statm").read_text().split()[1])
    children = (process / "task" / process.name / "children").read_text().split()
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(Path(f"/proc/{child}")) for child in children)


@pytest.mark.skipif(SECONDS == 0, reason="ENDURANCE_SECONDS is not set")
def test_under_mixed_load_memory_connections_and_files_do_not_grow(tenant: Tenant) -> None:
    load = Load(tenant)
    workers = [threading.Thread(target=load.work, args=(number,)) for number in range(3)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    samples: list[tuple[float, dict[str, float]]] = []
    while (now := time.monotonic() - began) < SECONDS:
        if now > SECONDS * WARM:
            samples.append((now, sample(tenant)))
        time.sleep(SECONDS / SAMPLES)
    load.stopping.set()
    for worker in workers:
        worker.join()

    third = max(len(samples) // 3, 1)
    before, after = ([one for _, one in chosen] for chosen in (samples[:third], samples[-third:]))
    names = set(before[0]) & set(after[0])
    figures = {name: (average(before, name), average(after, name)) for name in sorted(names)}
    result = {
        "seconds": SECONDS,
        "requests": len(load.latencies),
        "before_and_after": figures,
        "p50_ms_before_and_after": latencies(load, began),
    }
    RESULT.write_text(json.dumps(result, indent=1) + "\n")
    assert load.refused == []
    # Some slack for caches that are still filling.
    grown = {
        name: pair
        for name, pair in figures.items()
        if pair[1] > (pair[0] * 1.15 + 8 if name.endswith("MB") else pair[0] + 4)
    }
    assert grown == {}


def average(samples: list[dict[str, float]], name: str) -> float:
    return round(mean(one[name] for one in samples if name in one), 1)


def latencies(load: Load, began: float) -> dict[str, list[float]]:
    """A timing never fails a test."""
    start, end = began + SECONDS * WARM, began + SECONDS
    third = (end - start) / 3

    def typical(kind: str, since: float, until: float) -> float:
        taken = [took for at, one, took in load.latencies if one == kind and since <= at < until]
        return round(median(taken) * 1000, 1) if taken else 0.0

    kinds = sorted({kind for _, kind, _ in load.latencies})
    return {kind: [typical(kind, start, start + third), typical(kind, end - third, end)] for kind in kinds}
