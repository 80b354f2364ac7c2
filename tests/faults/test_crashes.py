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
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import psycopg
import pytest
import redis

from local import queues
from tests.e2e.conftest import NewTenant, Tenant

pytestmark = pytest.mark.long

LOAD_SECONDS = float(os.environ.get("SOAK_SECONDS", "5"))
FINISH_SECONDS = 120.0
VISIBILITY_SECONDS = 1
LONG_POLL_SECONDS = 1.5
"""A receive call that waits keeps the visibility timeout of when it began, and waits a second at most."""
BATCH = 5
FUNCTIONS = ("EmbedFunction", "CaptureFunction", "SideEffectsFunction", "MemoriesFunction")
QUEUES = ("Embed", "Capture", "SideEffects")


class Queues:
    """The stack's queues by their names, with messages that come back soon."""

    def __init__(self, tenant: Tenant) -> None:
        self.client = queues.connect(tenant.stack.aws_endpoint_url)
        urls = self.client.list_queues()["QueueUrls"]
        self.urls = {url.rsplit("/", 1)[1]: url for url in urls}
        for name in QUEUES:
            attributes = {"VisibilityTimeout": str(VISIBILITY_SECONDS)}
            self.client.set_queue_attributes(QueueUrl=self.url(f"{name}Queue"), Attributes=attributes)  # type: ignore[arg-type]
        time.sleep(LONG_POLL_SECONDS)

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

    def send_back(self) -> int:
        """What an operator does with dead letters when the cause is gone; how many there were."""
        sent = 0
        for name in QUEUES:
            for body in self.take(f"{name}DeadLetterQueue"):
                self.send(f"{name}Queue", body)
                sent += 1
        return sent


@dataclass
class Load:
    """Writers that repeat what was not acknowledged, and events and opinions of what was."""

    tenant: Tenant
    queues: Queues
    acknowledged: dict[str, str] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)
    praised: Counter[str] = field(default_factory=Counter)
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
                results = until_acknowledged(client, "/v1/memories/batch", {"memories": memories})["results"]
                self.acknowledged |= {one: result["id"] for one, result in zip(references, results, strict=True)}
                self.use([result["id"] for result in results])
                self._praise(client, results[0]["id"])

    def _praise(self, client: httpx.Client, memory_id: str) -> None:
        """Of nobody in particular, so that each call would count; sent with a key until it is acknowledged."""
        path, key = f"/v1/memories/{memory_id}/feedback", {"Idempotency-Key": str(uuid.uuid4())}
        self.praised[memory_id] += 1
        counts = until_acknowledged(client, path, {"feedback": "positive"}, key)
        assert counts["positive_count"] == 1

    def use(self, ids: list[str]) -> None:
        """One event for each, sent twice, as SQS may deliver it."""
        bodies = [event(self.tenant, one, datetime.now(UTC)) for one in ids]
        self.queues.send("SideEffectsQueue", *bodies)
        self.queues.send("SideEffectsQueue", *reversed(bodies))
        self.used.update(ids)


def event(tenant: Tenant, memory_id: str, at: datetime) -> str:
    """Of an assembly that used this memory."""
    return json.dumps(
        {
            "event_id": str(uuid.uuid4()),
            "org_id": tenant.org_id,
            "agent_id": tenant.agent_id,
            "memory_ids": [memory_id],
            "kind": "assembly",
            "at": at.isoformat(),
            "session_id": "session",
            "user_id": "ada",
        }
    )


def until_acknowledged(
    client: httpx.Client, path: str, body: dict[str, Any], headers: dict[str, str] | None = None
) -> dict[str, Any]:
    end = time.monotonic() + FINISH_SECONDS
    while time.monotonic() < end:
        try:
            answer = client.post(path, json=body, headers=headers)
        except httpx.TransportError:
            continue
        if answer.is_success:
            acknowledged: dict[str, Any] = answer.json()
            return acknowledged
        assert answer.status_code >= 500, answer.text
        time.sleep(0.05)
    raise AssertionError("a write was never acknowledged")


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


def finish(tenant: Tenant, queue: Queues, superuser: psycopg.Connection[Any]) -> None:
    """Time passes: what was lost is queued again, and dead letters are sent back, until nothing is left to do."""
    end = time.monotonic() + FINISH_SECONDS
    while True:
        superuser.execute(
            "UPDATE memories SET queued_at = queued_at - interval '2 hours' WHERE org_id = %s AND cluster_id IS NULL",
            [tenant.org_id],
        )
        superuser.execute(
            "UPDATE conversations SET queued_at = queued_at - interval '2 hours' WHERE org_id = %s AND pending > 0",
            [tenant.org_id],
        )
        tenant.loop.run(tenant.stack.invoke("MaintainFunction", {}))
        sent_back = queue.send_back()
        tenant.drain()
        ((left,),) = superuser.execute(
            "SELECT (SELECT count(*) FROM memories WHERE org_id = %(org_id)s AND cluster_id IS NULL) "
            "+ (SELECT count(*) FROM conversation_turns WHERE org_id = %(org_id)s AND state = 'pending')",
            {"org_id": tenant.org_id},
        ).fetchall()
        # What was sent back may have failed again, and with it the last count of a use.
        if left == 0 and sent_back == 0:
            return
        assert time.monotonic() < end, f"{left} memories and turns are not done, {sent_back} messages were sent back"


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
    finish(tenant, queue, connection)

    def rows(statement: str) -> list[Any]:
        return connection.execute(statement, {"org_id": tenant.org_id, "agent_id": tenant.agent_id}).fetchall()

    assert failures == []
    stored = {
        row[0]: row[1:]
        for row in rows(
            "SELECT m.client_ref, m.memory_id::text, m.usage_count, m.positive_count, m.embedding_state, "
            "v.memory_id IS NOT NULL "
            "FROM memories m LEFT JOIN memory_vectors v ON v.memory_id = m.memory_id WHERE m.org_id = %(org_id)s"
        )
    }
    counted = rows("SELECT count(*) FROM memories WHERE org_id = %(org_id)s")[0][0]
    assert counted == len(stored) == len(load.acknowledged), f"seed {seed}, after {done}"
    assert {one: row[0] for one, row in stored.items()} == load.acknowledged
    assert {row[3:] for row in stored.values()} == {("ready", True)}
    assert Counter({row[0]: row[1] for row in stored.values()}) == load.used
    assert Counter({row[0]: row[2] for row in stored.values() if row[2]}) == load.praised
    assert rows("SELECT vectors, indexed_documents FROM agents WHERE agent_id = %(agent_id)s") == [(counted, counted)]
    assert rows("SELECT sum(members) FROM memory_clusters WHERE org_id = %(org_id)s") == [(counted,)]
    ((returned,),) = rows("SELECT returned::text[] FROM sessions WHERE org_id = %(org_id)s")
    assert len(set(returned)) == len(returned) == min(counted, 200)
    hot = hot_entries(tenant)
    assert len(hot) <= 50
    assert hot == set(load.acknowledged.values()) & hot


@dataclass
class Talk:
    """Speakers that repeat what was not acknowledged, each time with the turns before it, as clients do."""

    tenant: Tenant
    said: dict[str, list[str]] = field(default_factory=dict)
    stopping: threading.Event = field(default_factory=threading.Event)

    def speak(self, speaker: int) -> None:
        session = f"session {speaker}"
        texts = self.said[session] = []
        with httpx.Client(base_url=self.tenant.stack.url, headers=self.tenant.client.headers, timeout=10) as client:
            while not self.stopping.is_set():
                number = len(texts)
                texts += [f"I have reserved table {number} for guest {speaker}-{number}, beside the window.", "Thanks!"]
                messages = [{"role": "user", "content": text} for text in texts[-6:]]
                body = {"agent_id": self.tenant.agent_id, "session_id": session, "messages": messages}
                stored = until_acknowledged(client, "/v1/conversations", body)
                first = max(len(texts) - 5, 1)
                assert [turn["number"] for turn in stored["turns"]] == list(range(first, len(texts) + 1))


def test_whatever_dies_every_turn_has_its_memory_once_with_both_neighbours_and_its_vector(
    tenant: Tenant, superuser: Callable[[], psycopg.Connection[Any]]
) -> None:
    seed = random.randrange(1 << 32)
    queue = Queues(tenant)
    talk = Talk(tenant)
    failures: list[BaseException] = []

    def speak(number: int) -> None:
        try:
            talk.speak(number)
        except BaseException as error:
            failures.append(error)
            raise

    speakers = [threading.Thread(target=speak, args=(number,)) for number in range(2)]
    for speaker in speakers:
        speaker.start()
    chance = random.Random(seed)
    end = time.monotonic() + LOAD_SECONDS
    done = []
    for name, fault in faults(tenant, chance):
        time.sleep(chance.uniform(0.1, 0.9))
        fault()
        done.append(name)
        if time.monotonic() > end and len(done) >= 6:
            break
    talk.stopping.set()
    for speaker in speakers:
        speaker.join()
    connection = superuser()
    finish(tenant, queue, connection)

    def rows(statement: str) -> list[Any]:
        return connection.execute(statement, {"org_id": tenant.org_id, "agent_id": tenant.agent_id}).fetchall()

    assert failures == []
    texts = rows(
        "SELECT session_id, array_agg(content ORDER BY number) FROM conversation_turns JOIN conversations "
        "USING (org_id, conversation_id) WHERE org_id = %(org_id)s GROUP BY session_id"
    )
    assert dict(texts) == talk.said, f"seed {seed}, after {done}"
    assert rows("SELECT sum(pending), sum(turns) FROM conversations WHERE org_id = %(org_id)s") == [
        (0, sum(map(len, talk.said.values())))
    ]
    kept = sorted(f"User: {text}" for texts in talk.said.values() for text in texts if text != "Thanks!")
    stored = rows(
        "SELECT m.content, m.context LIKE '%%User: Thanks!', m.embedding_state, v.memory_id IS NOT NULL "
        "FROM memories m LEFT JOIN memory_vectors v ON v.memory_id = m.memory_id WHERE m.org_id = %(org_id)s"
    )
    assert sorted(row[0] for row in stored) == kept
    assert {row[1:] for row in stored} == {(True, "ready", True)}
    turns = rows(
        "SELECT count(*), count(m.memory_id) FROM conversation_turns t LEFT JOIN memories m USING (org_id, memory_id) "
        "WHERE t.org_id = %(org_id)s AND t.state = 'kept'"
    )
    assert turns == [(len(kept), len(kept))]
    assert rows("SELECT vectors, indexed_documents FROM agents WHERE agent_id = %(agent_id)s") == [
        (len(kept), len(kept))
    ]


def hot_entries(tenant: Tenant) -> set[str]:
    """Ids of the hot set, whose records must be the same."""
    with redis.Redis.from_url(tenant.stack.redis_url) as client:
        key = "{org}:hot_{kind}:{{{agent}}}".format
        ids = client.zrange(key(org=tenant.org_id, kind="memories", agent=tenant.agent_id), 0, -1)
        records = client.hkeys(key(org=tenant.org_id, kind="records", agent=tenant.agent_id))
    assert len(ids) == len(set(ids))
    assert set(ids) == set(records)
    return {one.decode() for one in ids}


POISON = ["no JSON", "[]", "{}", json.dumps({"org_id": "?", "memory_id": 7})]
GUESTS = 12
USED = 6


def test_the_same_messages_twice_in_reverse_and_among_poisoned_ones_come_to_the_same(
    tenant: Tenant, new_tenant: NewTenant, superuser: Callable[[], psycopg.Connection[Any]]
) -> None:
    """As for somebody whose messages came once and in order."""
    other = new_tenant()
    queue = Queues(tenant)
    moments = [datetime.now(UTC) - timedelta(seconds=GUESTS - number) for number in range(USED)]
    ids, events = {}, {}
    for one in (tenant, other):
        ids[one.org_id] = one.remember(*(f"Guest {number} likes tea." for number in range(GUESTS)))
        used = zip(ids[one.org_id], moments, strict=False)
        events[one.org_id] = [event(one, memory_id, at) for memory_id, at in used]
    embeddings = [json.dumps({"org_id": tenant.org_id, "memory_id": one}) for one in ids[tenant.org_id]]

    queue.send("SideEffectsQueue", *events[other.org_id])
    uses = events[tenant.org_id]
    for bodies in ([*uses[:3], *POISON, *uses[3:]], uses[::-1], uses):
        queue.send("SideEffectsQueue", *bodies)
    for bodies in ([*embeddings[:3], *POISON, *embeddings[3:6]], embeddings[::-1][:10], embeddings[:10]):
        queue.send("EmbedQueue", *bodies)
    tenant.drain()

    connection = superuser()
    mixed, ordered = end_state(connection, tenant), end_state(connection, other)
    assert mixed == ordered
    assert [memory["uses"] for memory in mixed["memories"]] == [1] * USED + [0] * (GUESTS - USED)
    assert {(memory["state"], memory["vectors"]) for memory in mixed["memories"]} == {("ready", 1)}
    assert sorted(queue.take("EmbedDeadLetterQueue")) == sorted(POISON)
    assert sorted(queue.take("SideEffectsDeadLetterQueue")) == sorted(POISON)


def test_capture_messages_twice_in_reverse_and_among_poisoned_ones_make_each_memory_once(
    tenant: Tenant, new_tenant: NewTenant, superuser: Callable[[], psycopg.Connection[Any]]
) -> None:
    other = new_tenant()
    queue = Queues(tenant)
    queue.take("CaptureDeadLetterQueue")
    messages: dict[str, list[str]] = {}
    for one in (tenant, other):
        messages[one.org_id] = []
        for guest in range(GUESTS // 2):
            chat = [f"I am guest {guest} and I like tea.", "Thanks!", f"I was born in Ghent, in room {guest}."]
            body = {
                "agent_id": one.agent_id,
                "session_id": f"guest {guest}",
                "messages": [{"role": "user", "content": text} for text in chat],
            }
            stored = one.client.post("/v1/conversations", json=body).json()
            named = {"org_id": one.org_id, "conversation_id": stored["conversation_id"]}
            messages[one.org_id].append(json.dumps(named))

    bodies = messages[tenant.org_id]
    for several in ([*bodies[:2], *POISON, *bodies[2:]], bodies[::-1], bodies):
        queue.send("CaptureQueue", *several)
    tenant.drain()

    connection = superuser()
    recount_clusters(connection, tenant, other)
    mixed, ordered = end_state(connection, tenant), end_state(connection, other)
    # A memory that was embedded before its context grew may have come into the hot set; the other one's was never made.
    assert mixed.pop("hot") | ordered.pop("hot") <= {memory["content"] for memory in ordered["memories"]}
    assert mixed == ordered
    assert len(mixed["memories"]) == GUESTS
    assert {(memory["state"], memory["vectors"]) for memory in mixed["memories"]} == {("ready", 1)}
    assert sorted(queue.take("CaptureDeadLetterQueue")) == sorted(POISON)


def recount_clusters(connection: psycopg.Connection[Any], *tenants: Tenant) -> None:
    """As the scheduled run does after some days: a memory that was embedded twice joined its cluster twice."""
    for one in tenants:
        connection.execute(
            "UPDATE memory_clusters SET refreshed_at = refreshed_at - interval '1 year', refreshed_change = -1 "
            "WHERE org_id = %s",
            [one.org_id],
        )
        # The schedule may have visited it a moment ago.
        connection.execute(
            "UPDATE organizations SET maintenance_due_at = now() - interval '1 year' WHERE org_id = %s", [one.org_id]
        )
    tenants[0].loop.run(tenants[0].stack.invoke("MaintainFunction", {}))


def end_state(connection: psycopg.Connection[Any], tenant: Tenant) -> dict[str, Any]:
    """Everything that the two workers write, with texts in place of ids."""
    statements = {
        "memories": (
            "SELECT jsonb_build_object('content', m.content, 'uses', usage_count, 'injections', retrieval_count, "
            "'at', last_accessed_at, 'state', embedding_state, 'vectors', (SELECT count(*) FROM memory_vectors v "
            "WHERE v.memory_id = m.memory_id)) FROM memories m WHERE org_id = %s ORDER BY length(content), content"
        ),
        "sessions": (
            "SELECT jsonb_build_array(user_id, session_id, returned_at, (SELECT jsonb_agg(m.content ORDER BY n) "
            "FROM unnest(returned) WITH ORDINALITY AS r (id, n) JOIN memories m ON m.memory_id = r.id)) "
            "FROM sessions WHERE org_id = %s"
        ),
        "profiles": (
            "SELECT jsonb_build_array(user_id, categories, tags, users, updated_at) FROM profiles WHERE org_id = %s"
        ),
        "events": "SELECT count(*) FROM applied_events WHERE org_id = %s",
        "clusters": "SELECT sum(members) FROM memory_clusters WHERE org_id = %s",
        "agents": "SELECT jsonb_build_array(vectors, indexed_documents) FROM agents WHERE org_id = %s",
    }
    found = {name: connection.execute(statement, [tenant.org_id]) for name, statement in statements.items()}
    state: dict[str, Any] = {name: [row[0] for row in cursor.fetchall()] for name, cursor in found.items()}
    contents = connection.execute("SELECT memory_id::text, content FROM memories WHERE org_id = %s", [tenant.org_id])
    names = dict(contents.fetchall())
    return state | {"hot": {names[one] for one in hot_entries(tenant)}}
