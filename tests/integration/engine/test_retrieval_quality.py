"""No figure of retrieval falls: a small set of our own, through the real query path, embedded by the packaged model."""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from local.evaluation import dataset, metrics
from local.evaluation.dataset import Dataset
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.usecases.memories.embed import EmbedMessage
from tests import builders
from tests.integration.engine.query_bench import QueryBench, query_bench, without_maps
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.workers import memory_embedder

ROOT = Path(__file__).resolve().parents[3]
SET = ROOT / "benchmarks" / "quality"
MOST_LOST = 0.05
"""Of a recorded figure. Kinds in which one memory that changes places with its neighbour is more are not recorded."""


@dataclass
class Examination:
    """The set in an organization of its own: an agent for each of the set's, memories embedded and merged."""

    bench: QueryBench
    agents: dict[str, UUID]
    names: dict[UUID, str]

    async def ranking(self, agent: str, question: str) -> list[str]:
        """The set's ids, best first."""
        answer = await self.bench.ask(question, agent_id=str(self.agents[agent]), k=50, explain=False)
        return [self.names[UUID(memory["id"])] for memory in answer["memories"]]


@pytest.fixture
async def embedder() -> AsyncIterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(ROOT / "layers" / "models" / "build")
    yield embedder
    embedder.close()


async def examination(tenant: Tenant, redis: RedisClient, embedder: OnnxEmbedder, data: Dataset) -> Examination:
    bench = query_bench(tenant, redis)
    bench = bench.searching(
        embedding=replace(bench.queries.retrieval.searcher.embedding, embedder=embedder),
        store=PostgresSearch(tenant.database, model=embedder.model),
        maps=without_maps(bench),
    )
    worker = replace(memory_embedder(tenant.database, redis), embedder=embedder)
    agents: dict[str, UUID] = {}
    names: dict[UUID, str] = {}
    numbers = count(1)
    for agent, lines in data.memories.items():
        own = await tenant.with_agent(agent)
        agents[agent] = own.agent_id
        # They join clusters in the order of their ids: here that of writing, since others each time are other figures.
        writes = [
            replace(
                own.derived(memory),
                memory_id=UUID(int=next(numbers)),
                tokens=dict.fromkeys(("o200k_base", "cl100k_base"), 10 + len(memory.content) // 4),
            )
            for memory in (new_memory(own, fields) for _, fields in lines)
        ]
        results = await own.remember(*writes)
        ids = [result.memory_id for result in results if result.memory_id is not None]
        names |= dict(zip(ids, (identifier for identifier, _ in lines), strict=True))
        assert await worker.embed([EmbedMessage(own.org_id, identifier) for identifier in ids]) == {}
    return Examination(bench, agents, names)


def new_memory(tenant: Tenant, fields: Mapping[str, Any]) -> NewMemory:
    created_at = datetime.fromisoformat(fields["created_at"])
    return builders.new_memory(agent_id=tenant.agent_id, **{**fields, "created_at": created_at})


async def test_no_figure_of_retrieval_falls(tenant: Tenant, redis: RedisClient, embedder: OnnxEmbedder) -> None:
    data = dataset.read([SET])
    examined = await examination(tenant, redis, embedder, data)
    figures: dict[str, list[dict[str, float]]] = defaultdict(list)

    for question in data.questions:
        judged = metrics.judge(await examined.ranking(question.agent, question.text), question.gold)
        figures[question.kind].append(judged)
        figures["all"].append(judged)

    found = {kind: metrics.means(several) for kind, several in figures.items()}
    recorded = json.loads((SET / "recorded.json").read_text(encoding="utf-8"))
    fallen = {
        f"{kind} {name}": (before, round(found[kind][name], 4))
        for kind, names in recorded.items()
        for name, before in names.items()
        if found[kind][name] < before * (1 - MOST_LOST)
    }
    assert fallen == {}, f"recorded and found; all that was found: {json.dumps(found)}"
