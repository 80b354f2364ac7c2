"""Functions and servers die under load, at random moments; afterwards nothing is missing and nothing is there twice.

SOAK_SECONDS makes the load last longer (`make soak`).
"""

import json
import os
import random
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import psycopg
import pytest
import redis

from local import queues
from tests.e2e.conftest import Tenant

LOAD_SECONDS = float(os.environ.get("SOAK_SECONDS", "5"))
SETTLE_SECONDS = 120.0
VISIBILITY_SECONDS = 1
BATCH = 5
FUNCTIONS = ("EmbedFunction", "SideEffectsFunction", "MemoriesFunction")


class Queues:
    """The stack's queues by their names, with messages that come back soon."""

    def __init__(self, tenant: Tenant) -> None:
        self.client = queues.connect(tenant.stack.aws_endpoint_url)
        urls = self.client.list_queues()["QueueUrls"]
        self.urls = {url.rsplit("/", 1)[1]: url for url in urls}
        for name in ("EmbedQueue", "SideEffectsQueue"):
            attributes = {"VisibilityTimeout": str(VISIBILITY_SECONDS)}
            self.client.set_queue_attributes(QueueUrl=self.url(name), Attributes=attributes)  # type: ignore[arg-type]

    def url(self, name: str) -> str:
        return next(url for known, url in self.urls.items() if known.endswith(name))

    def send(self, name: str, *bodies: str) -> None:
        entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(bodies)]
        answer = self.client.send_message_batch(QueueUrl=self.url(name), Entries=entries)  # type: ignore[arg-type]
        assert not answer.get("Failed")

    def take(self, name: str) -> list[str]:
        """All messages that are there, away from the queue."""
        taken: list[str] = []
        while messages := self.client.receive_message(QueueUrl=self.url(name), MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                taken.append(message["Body"])
                self.client.delete_message(QueueUrl=self.url(name), ReceiptHandle=message["ReceiptHandle"])
        return taken

    def send_back(self) -> None:
        """What an operator does with dead letters when the cause is gone."""
        for name, dead in (("EmbedQueue", "EmbedDeadLetterQueue"), ("SideEffectsQueue", "SideEffectsDeadLetterQueue")):
            for body in self.take(dead):
                self.send(name, body)


@dataclass
class Load:
    """Writers that repeat what was not acknowledged, and events of what was."""

    tenant: Tenant
    queues: Queues
    acknowledged: dict[str, str] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)
    stopping: threading.Event = field(default_factory=threading.Event)

    def write(self, writer: int) -> None:
        with httpx.Client(base_url=self.tenant.stack.url, headers=self.tenant.client.headers, timeout=10) as client:
            number = 0
            while not self.stopping.is_set():
                references = [f"{writer}-{number + step}" for step in range(BATCH)]
                number += BATCH
                memories = [
                    {
                        "agent_id": self.tenant.agent_id,
                        "content": f"Guest {one} asked for table {hash(one) % 97}.",
                        "client_ref": one,
                    }
                    for one in references
                ]
                results = self._until_acknowledged(client, memories)
                self.acknowledged |= {one: result["id"] for one, result in zip(references, results, strict=True)}
                self._use([result["id"] for result in results])

    def _until_acknowledged(self, client: httpx.Client, memories: list[dict[str, Any]]) -> list[Any]:
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end:
            try:
                answer = client.post("/v1/memories/batch", json={"memories": memories})
            except httpx.TransportError:
                continue
            if answer.status_code == 207 and all("id" in result for result in answer.json()["results"]):
                return list(answer.json()["results"])
            time.sleep(0.05)
        raise AssertionError("a write was never acknowledged")

    def _use(self, ids: list[str]) -> None:
        """One event for each, sent twice, as SQS may deliver it."""
        bodies = [
            json.dumps(
                {
                    "event_id": str(uuid.uuid4()),
                    "org_id": self.tenant.org_id,
                    "agent_id": self.tenant.agent_id,
                    "memory_ids": [one],
                    "kind": "assembly",
                    "at": datetime.now(UTC).isoformat(),
                    "session_id": "session",
                    "user_id": "ada",
                }
            )
            for one in ids
        ]
        self.queues.send("SideEffectsQueue", *bodies)
        self.queues.send("SideEffectsQueue", *reversed(bodies))
        self.used.update(ids)


def faults(tenant: Tenant, chance: random.Random) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each kind once in every round, in an order of its own."""

    def kill(name: str) -> None:
        for process_id in tenant.stack.functions[name].process_ids:
            if chance.random() < 0.7:
                os.killpg(process_id, signal.SIGKILL)

    def kill_redis() -> None:
        assert tenant.stack.valkey.pid is not None
        os.kill(tenant.stack.valkey.pid, signal.SIGKILL)
        while tenant.stack.valkey.is_running():
            time.sleep(0.01)
        tenant.stack.valkey.start()

    kinds: list[tuple[str, Callable[[], object]]] = [(name, lambda name=name: kill(name)) for name in FUNCTIONS]  # type: ignore[misc]
    kinds += [("Redis", kill_redis), ("Postgres", lambda: tenant.stack.postgres.restart("immediate"))]
    while True:
        chance.shuffle(kinds)
        yield from kinds


def settle(tenant: Tenant, queue: Queues, superuser: psycopg.Connection[Any]) -> None:
    """Time passes: what was lost is queued again, and dead letters are sent back, until nothing is left to do."""
    end = time.monotonic() + SETTLE_SECONDS
    while True:
        superuser.execute(
            "UPDATE memories SET queued_at = queued_at - interval '2 hours' WHERE org_id = %s AND cluster_id IS NULL",
            [tenant.org_id],
        )
        tenant.loop.run(tenant.stack.invoke("MaintainFunction", {}))
        queue.send_back()
        tenant.drain()
        ((left,),) = superuser.execute(
            "SELECT count(*) FROM memories WHERE org_id = %s AND cluster_id IS NULL", [tenant.org_id]
        ).fetchall()
        if left == 0:
            return
        assert time.monotonic() < end, f"{left} memories are not done"


@pytest.fixture
def superuser(tenant: Tenant) -> Iterator[Callable[[], psycopg.Connection[Any]]]:
    """Sees every row; connects anew, since Postgres goes away meanwhile."""
    connections: list[psycopg.Connection[Any]] = []

    def connect() -> psycopg.Connection[Any]:
        connections.append(psycopg.connect(tenant.stack.postgres.superuser_url, autocommit=True))
        return connections[-1]

    yield connect
    for connection in connections:
        connection.close()


def test_whatever_dies_every_memory_is_there_once_with_its_vector_and_every_use_counts_once(
    tenant: Tenant, superuser: Callable[[], psycopg.Connection[Any]]
) -> None:
    seed = random.randrange(1 << 32)
    queue = Queues(tenant)
    load = Load(tenant, queue)
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            load.write(number)
        except BaseException as error:
            failures.append(error)
            raise

    writers = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    for writer in writers:
        writer.start()
    chance = random.Random(seed)
    end = time.monotonic() + LOAD_SECONDS
    done = []
    for name, fault in faults(tenant, chance):
        time.sleep(chance.uniform(0.1, 0.9))
        fault()
        done.append(name)
        if time.monotonic() > end and len(done) >= 5:
            break
    load.stopping.set()
    for writer in writers:
        writer.join()
    connection = superuser()
    settle(tenant, queue, connection)

    def rows(statement: str) -> list[Any]:
        return connection.execute(statement, {"org_id": tenant.org_id, "agent_id": tenant.agent_id}).fetchall()

    assert failures == []
    stored = {
        row[0]: row[1:]
        for row in rows(
            "SELECT m.client_ref, m.memory_id::text, m.usage_count, m.embedding_state, v.memory_id IS NOT NULL "
            "FROM memories m LEFT JOIN memory_vectors v ON v.memory_id = m.memory_id WHERE m.org_id = %(org_id)s"
        )
    }
    counted = rows("SELECT count(*) FROM memories WHERE org_id = %(org_id)s")[0][0]
    assert counted == len(stored) == len(load.acknowledged), f"seed {seed}, after {done}"
    assert {one: row[0] for one, row in stored.items()} == load.acknowledged
    assert {row[2:] for row in stored.values()} == {("ready", True)}
    assert Counter({row[0]: row[1] for row in stored.values()}) == load.used
    assert rows("SELECT vectors, indexed_documents FROM agents WHERE agent_id = %(agent_id)s") == [(counted, counted)]
    assert rows("SELECT sum(members) FROM memory_clusters WHERE org_id = %(org_id)s") == [(counted,)]
    ((returned,),) = rows("SELECT returned::text[] FROM sessions WHERE org_id = %(org_id)s")
    assert len(set(returned)) == len(returned) == min(counted, 200)
    hot = hot_entries(tenant)
    assert len(hot) <= 50
    assert hot == set(load.acknowledged.values()) & hot


def hot_entries(tenant: Tenant) -> set[str]:
    """Ids of the hot set, whose records must be the same."""
    with redis.Redis.from_url(tenant.stack.redis_url) as client:
        key = "{org}:hot_{kind}:{{{agent}}}".format
        ids = client.zrange(key(org=tenant.org_id, kind="memories", agent=tenant.agent_id), 0, -1)
        records = client.hkeys(key(org=tenant.org_id, kind="records", agent=tenant.agent_id))
    assert len(ids) == len(set(ids))
    assert set(ids) == set(records)
    return {one.decode() for one in ids}


def test_the_same_messages_twice_in_reverse_and_among_poisoned_ones_come_to_the_same(
    tenant: Tenant, superuser: Callable[[], psycopg.Connection[Any]]
) -> None:
    queue = Queues(tenant)
    ids = tenant.remember(*(f"Guest {number} likes tea." for number in range(12)))
    load = Load(tenant, queue)
    tenant.drain()
    poison = ["no JSON", "[]", "{}", json.dumps({"org_id": "?", "memory_id": 7})]
    messages = [json.dumps({"org_id": tenant.org_id, "memory_id": one}) for one in ids]

    load._use(ids[:10])
    for bodies in (messages[:6] + poison, list(reversed(messages))[:10], messages[:10]):
        queue.send("EmbedQueue", *bodies)
    queue.send("SideEffectsQueue", *poison)
    tenant.drain()

    connection = superuser()
    states = connection.execute(
        "SELECT m.memory_id::text, m.usage_count, m.embedding_state, "
        "(SELECT count(*) FROM memory_vectors v WHERE v.memory_id = m.memory_id) FROM memories m WHERE org_id = %s",
        [tenant.org_id],
    ).fetchall()
    ((members,),) = connection.execute(
        "SELECT sum(members) FROM memory_clusters WHERE org_id = %s", [tenant.org_id]
    ).fetchall()
    assert {row[0]: row[1:] for row in states} == {one: (int(one in ids[:10]), "ready", 1) for one in ids}
    assert members == len(ids)
    assert sorted(queue.take("EmbedDeadLetterQueue")) == sorted(poison)
    assert sorted(queue.take("SideEffectsDeadLetterQueue")) == sorted(poison)
