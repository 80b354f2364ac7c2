"""How many memories one core imports and embeds, and which steps take the time.

Runs each function's work in this process, batch by batch, on real servers, without the front door and without queues.
It measures the processor time of this process and Postgres together, so that other load on the machine changes the
figures little. `python -m benchmarks.throughput` writes benchmarks/results/throughput.json.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from benchmarks import figures
from local import sample
from local.servers import PostgresServer, ValkeyServer
from local.stack import ROOT
from remembrancer.adapters.postgres.identity.directory import FirstKey, PostgresDirectory, create_organization
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.workers import embed_worker
from remembrancer.domain.identity.scope import Principal
from remembrancer.keys import fingerprint, new_api_key
from remembrancer.runtime.queues.sqs import QueueMessage
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.remember import Rememberer

IMPORT_BATCH = 100
EMBED_BATCH = 10
TICKS = 100


class Silence:
    """Replaces the embedding queue and the work after a response, which are not measured."""

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Discards the messages."""

    def add(self, name: str, work: Any, *, may_wait: bool = False, first: bool = False, if_sent: bool = False) -> None:
        """Discards the work."""


class Processor:
    """Processor seconds of this process and of all processes of a Postgres server, since this object was created."""

    def __init__(self, postgres: PostgresServer) -> None:
        self._postgres = postgres
        self._own, self._servers = time.process_time(), self._spent()

    def seconds(self) -> tuple[float, float]:
        """(own, Postgres)."""
        return time.process_time() - self._own, self._spent() - self._servers

    def _spent(self) -> float:
        total = 0
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self._postgres.pid or entry.parent.name == str(self._postgres.pid):
                total += int(fields[11]) + int(fields[12])
                # Includes the time of children that have ended.
                total += sum(map(int, fields[13:15])) if entry.parent.name == str(self._postgres.pid) else 0
        return total / TICKS


def contents(count: int) -> list[str]:
    """New texts of two or three sentences of the sample each."""
    lines = [line.content for line in sample.read().lines]
    chance = random.Random(1)
    return [f"{number}: " + " ".join(chance.sample(lines, chance.choice((2, 3)))) for number in range(count)]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        with PostgresServer(folder / "postgres") as postgres, ValkeyServer(folder / "valkey") as valkey:
            results = await measure(postgres, valkey, arguments.memories)
    print(figures.write("throughput", results))
    print(results)


async def measure(postgres: PostgresServer, valkey: ValkeyServer, count: int) -> dict[str, Any]:
    await migrate(postgres.owner_url, packaged())
    key = FirstKey("benchmark", fingerprint(new_api_key()), ("admin",))
    principal = await create_organization(
        postgres.owner_url, name="Benchmark", project_id="p", environment="production", key=key
    )
    models = ROOT / "layers" / "models" / "build"
    instance = Instance(
        {
            "DATABASE_URL": postgres.app_url,
            "REDIS_URL": valkey.url,
            "MODELS_DIR": str(models),
            "TIKTOKEN_CACHE_DIR": str(models / "tiktoken"),
            # Without encryption, no key is requested.
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_REGION": "us-east-1",
        }
    )
    agent = await PostgresDirectory(instance.database).create(principal, uuid4(), "agent")
    assert agent is not None
    texts = contents(count)
    written, ids = await importing(instance, principal, str(agent.agent_id), texts, postgres)
    embedded = await embedding(instance, principal, ids, postgres)
    model = await model_alone(instance, texts[: min(count, 300)])
    await instance.database.close()
    await instance.redis.close()
    return {"memories": count, "import": written, "embedding": embedded, "model_alone_ms": model}


async def importing(
    instance: Instance, principal: Principal, agent_id: str, texts: Sequence[str], postgres: PostgresServer
) -> tuple[dict[str, float], list[str]]:
    silence = Silence()
    rememberer = Rememberer(
        memories=PostgresMemories(instance.database),
        directory=instance.directory,
        redactor=Redactor(find_phones),
        deriver=Deriver(instance.counter, instance.stemmer, instance.key_ring),
        announcer=Announcer(instance.agent_cache, silence),
        clock=instance.clock,
        new_id=uuid4,
    )
    bodies = [{"agent_id": agent_id, "content": text, "client_ref": f"c{number}"} for number, text in enumerate(texts)]
    await instance.counter.warm()
    processor = Processor(postgres)
    ids: list[str] = []
    for start in range(0, len(bodies), IMPORT_BATCH):
        batch = {"memories": bodies[start : start + IMPORT_BATCH]}
        results = await rememberer.write_batch(batch, principal, silence)
        ids += [str(result.memory_id) for result in results]
    return rates(processor, len(texts)), ids


async def embedding(
    instance: Instance, principal: Principal, ids: Sequence[str], postgres: PostgresServer
) -> dict[str, float]:
    worker = embed_worker(instance)
    await instance.embedder.warm()
    processor = Processor(postgres)
    for start in range(0, len(ids), EMBED_BATCH):
        messages = [
            QueueMessage(one, {"org_id": str(principal.org_id), "memory_id": one}, last_try=False)
            for one in ids[start : start + EMBED_BATCH]
        ]
        assert await worker.consume(messages) == {}
    return rates(processor, len(ids))


async def model_alone(instance: Instance, texts: Sequence[str]) -> float:
    """Processor milliseconds for one text."""
    began = time.process_time()
    await instance.embedder.embed(texts)
    return round((time.process_time() - began) / len(texts) * 1000, 2)


def rates(processor: Processor, count: int) -> dict[str, float]:
    own, servers = processor.seconds()
    return {
        "function_ms": round(own / count * 1000, 2),
        "postgres_ms": round(servers / count * 1000, 2),
        "per_second_of_function_core": round(count / own),
        "per_second_of_both": round(count / (own + servers)),
    }


if __name__ == "__main__":
    asyncio.run(main())
