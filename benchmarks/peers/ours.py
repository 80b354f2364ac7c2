"""Remembrancer in the comparison: the local stack with all deployed parts, asked through its front door."""

import asyncio
import json
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
from pgvector.psycopg import register_vector

from benchmarks import corpus, figures, talkative
from benchmarks.peers import others
from benchmarks.peers.freezing import frozen
from benchmarks.peers.worker import rss_mb
from benchmarks.talkative import TalkativeLine
from local import dev_env
from local.evaluation.dataset import Dataset, Question
from local.evaluation.examinee import Answer, Examinee
from local.stack import Stack, StackSettings
from remembrancer.adapters.postgres.connection.database import Database

_TIMEOUT_SECONDS = 60.0
_WARM_UP = 40
"""Questions that are not measured: they start instances and load maps."""
_FUNCTIONS = {"query": "QueryFunction", "assembly": "AssembleFunction"}
SETTINGS = (
    "defaults: maps in the instance, search by meaning and words; `function` is the time from the event to the answer, "
    "`door` that of an HTTP client of the local front door"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question's answer, and whether it said that a source was missing."""

    ids: Sequence[str]
    door_ms: float
    function_ms: float
    complete: bool


class Ours:
    """A stack in a folder, which keeps its organization and what it has stored for another run."""

    def __init__(self, stack: Stack, examinee: Examinee, folder: Path) -> None:
        self._stack, self._examinee, self._folder = stack, examinee, folder
        self._restore()

    async def learn(self, dataset: Dataset) -> float:
        """Seconds until the last memory has its vector; agents that were learned before are left out."""
        started = time.perf_counter()
        for agent, lines in dataset.memories.items():
            if agent not in self._examinee.agents:
                await self._examinee.learn(Dataset({agent: lines}, ()), learned=lambda _: None)
                self._keep()
        return time.perf_counter() - started

    def knows(self, dataset: Dataset) -> bool:
        """Whether the data set's agents were stored before."""
        return dataset.memories.keys() <= self._examinee.agents.keys()

    async def stored(self, agent: str) -> int:
        """How many memories of the agent the service lists."""
        return len([one async for one in self._examinee.stored(agent)])

    def has_others(self, number: int) -> bool:
        """Whether so many memories of others are in the kept database, from this run or an earlier one."""
        return (self._folder / f"others-{number}").exists()

    async def add_others(self, known: Sequence[TalkativeLine], model: str, number: int) -> None:
        """Memories of other agents, into the tables."""
        sizes = others.sizes(number)
        await asyncio.to_thread(_load, self._stack.postgres.superuser_url, sizes, known, model)
        database = Database(self._stack.database_url, statement_ms=60_000)
        await talkative.merge(database, sizes)
        await database.close()
        (self._folder / f"others-{number}").touch()

    async def ask(self, way: str, questions: Sequence[Question], limit: int, pause_ms: float) -> list[Asked]:
        """Each question, one after the other, by `way`: query or assembly."""
        asked = []
        for question in questions:
            asked.append(_asked(await self._one(way, question, limit)))
            await asyncio.sleep(pause_ms / 1000)
        return asked

    async def warm(self, questions: Sequence[Question], limit: int) -> None:
        """Asks both ways until maps are loaded and instances have done their work after responses."""
        for way in _FUNCTIONS:
            await self.ask(way, questions[:_WARM_UP], limit, 20.0)
        await self._stack.drain()

    def rss_mb(self) -> dict[str, float]:
        """MB of the largest instance that answers each way."""
        pools = {way: self._stack.functions[name].process_ids for way, name in _FUNCTIONS.items()}
        return {way: max(rss_mb(Path(f"/proc/{pid}/status")) for pid in pids) for way, pids in pools.items()}

    async def waterfall(self, questions: Sequence[Question]) -> dict[str, Any]:
        """The median start and duration of each stage of an assembly, of those that were complete."""
        starts: dict[str, list[float]] = defaultdict(list)
        durations: dict[str, list[float]] = defaultdict(list)
        for question in questions:
            metadata = await self._explained(question)
            if not metadata["fallback_reason"]:
                explained = metadata["explanation"]["started_ms"]
                for name, source in metadata["sources"].items():
                    if source["status"] != "skipped":
                        starts[name].append(source["started_ms"])
                        durations[name].append(source["latency_ms"])
                for name, duration in metadata["timings_ms"].items():
                    starts[name].append(explained.get(name, 0.0))
                    durations[name].append(duration)
        stages = {
            name: {
                "started_ms": round(figures.percentile(starts[name], 0.5), 3),
                "ms": round(figures.percentile(durations[name], 0.5), 3),
            }
            for name in starts
        }
        total = stages.pop("total", {"ms": 0.0})
        return {"total_ms": total["ms"], "stages": stages}

    @property
    def superuser_url(self) -> str:
        """Of the stack's Postgres, to count rows and to stop it by signal."""
        return self._stack.postgres.superuser_url

    async def freeze(self, questions: Sequence[Question], limit: int, seconds: float) -> dict[str, Any]:
        """What each way answers, once a second, while Postgres stands still."""
        found = {}
        for way in _FUNCTIONS:
            pid = self._stack.postgres.pid
            assert pid is not None
            async with frozen(pid, seconds):
                started = [self._later(way, one, limit, place) for place, one in enumerate(questions)]
                found[way] = await asyncio.gather(*started)
            await self.ask(way, questions, limit, 200.0)
        return found

    async def _explained(self, question: Question) -> Any:
        body = {
            "org_id": self._examinee.org_id,
            "agent_id": self._examinee.agents[question.agent],
            "model": "gpt-4o",
            "request_id": str(uuid4()),
            "messages": [{"role": "user", "content": f"{question.text} Tell me again."}],
            "options": {"explain": True},
        }
        response = await self._examinee.client.post("/v1/context/assemble", json=body)
        return response.raise_for_status().json()["metadata"]

    async def _later(self, way: str, question: Question, limit: int, seconds: float) -> dict[str, Any]:
        await asyncio.sleep(seconds)
        started = time.perf_counter()
        try:
            answer = await self._one(way, question, limit)
            told: dict[str, Any] = {"rows": len(answer.ids), "said": ", ".join(answer.degraded)}
        except Exception as error:  # as for every other system
            told = {"error": type(error).__name__}
        return told | {"ms": (time.perf_counter() - started) * 1000}

    async def _one(self, way: str, question: Question, limit: int) -> Answer:
        if way == "query":
            return await self._examinee.query(question, {"k": limit})
        return await self._examinee.assemble(question, {})

    def _keep(self) -> None:
        known = {agent: {own: sorted(ids) for own, ids in of.items()} for agent, of in self._examinee.memories.items()}
        text = json.dumps({"agents": self._examinee.agents, "memories": known})
        (self._folder / "learned.json").write_text(text, encoding="utf-8")

    def _restore(self) -> None:
        path = self._folder / "learned.json"
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            self._examinee.agents.update(kept["agents"])
            for agent, known in kept["memories"].items():
                self._examinee.memories[agent] = {own: frozenset(ids) for own, ids in known.items()}


@asynccontextmanager
async def started(folder: Path) -> AsyncIterator[Ours]:
    """The stack of this folder, with its organization."""
    # No maintenance runs: it would queue the others' memories, which never went through the queues.
    settings = StackSettings(directory=folder, port=0, start_seconds=60, without=frozenset({"MaintainFunction"}))
    stack = Stack(settings)
    await stack.start()
    try:
        known = await dev_env.ensure(
            folder / "dev.env", stack.url, owner_database_url=stack.owner_database_url, organization="Peers"
        )
        headers = {"X-API-Key": known.api_key}
        async with httpx.AsyncClient(base_url=stack.url, headers=headers, timeout=_TIMEOUT_SECONDS) as client:
            yield Ours(stack, Examinee(client, known.org_id), folder)
    finally:
        await stack.stop()


def copied(source: Path, target: Path) -> None:
    """Copies a stopped stack with the owners of its files, which are another user's."""
    partial = target.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    subprocess.run(["cp", "-a", str(source), str(partial)], check=True)
    partial.rename(target)


def _asked(answer: Answer) -> Asked:
    return Asked(answer.ids, answer.took.client, answer.took.function, not answer.degraded)


def _load(url: str, sizes: Sequence[int], known: Sequence[TalkativeLine], model: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        register_vector(connection)
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET maintenance_work_mem = '1GB'")
        definitions = corpus.drop_indexes(connection, "memory_vectors")
        corpus.add_organization(connection)
        talkative.load(connection, sizes, known, model)
        for _, definition in definitions:
            connection.execute(definition.encode())
        connection.execute("VACUUM ANALYZE")


def question_texts(questions: Sequence[Question]) -> Iterator[tuple[str, str]]:
    """Owner and text of each, as `benchmarks.peers.worker` takes them."""
    return ((one.agent, one.text) for one in questions)
