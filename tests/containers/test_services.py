"""The services of compose.yaml, from the image's files: a first day, many at once, kills, and a backup."""

import json
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.containers.collector import Collector
from tests.containers.compose import Compose

pytestmark = pytest.mark.long
WAIT_SECONDS = 90.0
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


class Client:
    """A caller of one organization, with an agent."""

    def __init__(self, compose: Compose) -> None:
        compose.up("api", "worker")
        made = json.loads(compose.run("task", "create_organization", '{"organization": "Lark"}'))
        self.org_id = made["org_id"]
        self._compose = compose
        # Servers come and go: no connection is kept.
        self._http = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
        self._key = made["api_key"]
        self.agent = self.ask("POST", "/v1/agents", {"name": "lark"})["agent_id"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        url = self._compose.running["api"].url("8000", path)
        sent = {"x-api-key": self._key, **{name.replace("_", "-"): text for name, text in headers.items()}}
        answer = self._http.request(method, url, json=body, headers=sent)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def remember(self, text: str, **more: Any) -> str:
        body = {"agent_id": self.agent, "content": text, "category": "factual", **more}
        return str(self.ask("POST", "/v1/memories", body)["id"])

    def memory(self, memory_id: str) -> dict[str, Any]:
        return dict(self.ask("GET", f"/v1/memories/{memory_id}"))

    def are_embedded(self, memory_ids: list[str]) -> bool:
        """Asked of Postgres: many requests would slow down what is waited for."""
        ready = "SELECT count(*) FROM memories WHERE memory_id = ANY(%s::uuid[]) AND embedding_state = 'ready'"
        with psycopg.connect(self._compose.postgres.superuser_url) as connection:
            return connection.execute(ready, [memory_ids]).fetchone() == (len(memory_ids),)

    def assembled(self, question: str, **more: Any) -> str:
        """What the model would be told."""
        body = {
            "org_id": self.org_id,
            "agent_id": self.agent,
            "model": "gpt-4o",
            "request_id": str(uuid4()),
            "messages": [{"role": "user", "content": question}],
            **more,
        }
        trace = f"00-{TRACE}-00f067aa0ba902b7-01"
        answer = self.ask("POST", "/v1/context/assemble", body, x_deadline_ms="20000", traceparent=trace)
        return "\n".join(message["content"] for message in answer["messages"])


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.5)


def files(image: dict[str, Any]) -> dict[str, tuple[int, float]]:
    """Everything in the image, with size and time."""
    paths = (path for path in Path(image["root"]).rglob("*") if path.is_file())
    return {str(path): (path.stat().st_size, path.stat().st_mtime) for path in paths}


def queued(compose: Compose) -> list[tuple[str, int]]:
    with psycopg.connect(compose.postgres.superuser_url) as connection:
        rows = connection.execute("SELECT queue, count(*) FROM queue_messages GROUP BY queue").fetchall()
    return [(str(queue), int(number)) for queue, number in rows]


def let_time_pass(compose: Compose) -> None:
    """As if the messages of dead workers had been away for as long as they are hidden."""
    with psycopg.connect(compose.postgres.superuser_url, autocommit=True) as connection:
        connection.execute("UPDATE queue_messages SET visible_at = now()")


def test_a_first_day(compose: Compose, image: dict[str, Any], collector: Collector) -> None:
    before = files(image)
    client = Client(compose)
    client.ask("PUT", f"/v1/agents/{client.agent}/directive", {"text": "Answer in one sentence."})
    oat = client.remember("Oat milk costs nothing extra at the Lark.")
    client.remember("Dogs may sit in the garden of the Lark.")
    until(lambda: client.are_embedded([oat]))

    told = client.assembled("Does oat milk cost extra?")

    assert "Oat milk costs nothing extra" in told
    assert "Answer in one sentence." in told
    until(lambda: client.memory(oat)["usage_count"] == 1)
    page = httpx.get(compose.running["api"].url("9464", "/metrics")).text
    assert 'remembrancer_tier_total{tier="' in page
    assert 'remembrancer_assembly_latency_seconds_bucket{le="0.048"}' in page
    assert client.org_id not in page and client.agent not in page
    assert httpx.get(compose.running["api"].url("8000", "/metrics")).status_code == 404
    assert httpx.get(compose.running["worker"].url("9464", "/health")).status_code == 200
    compose.stop("api", "worker")
    (root,) = collector.named("POST /v1/context/assemble")
    assert root.trace_id.hex() == TRACE
    children = {span.name for span in collector.spans if span.parent_span_id == root.span_id}
    assert {"directive", "hot", "embed", "format"} <= children
    compose.up("api", "worker")
    assert "Oat milk costs nothing extra" in client.assembled("Does oat milk cost extra?")
    assert files(image) == before, "the root file system is read-only"


def test_many_callers_at_once_get_the_answers_they_get_alone(compose: Compose) -> None:
    clients = [Client(compose) for _ in range(2)]
    users = [f"user-{number}" for number in range(6)]
    written = {
        (client.org_id, user): client.remember(f"The locker of {user} has the number {place}{number}.", user_id=user)
        for place, client in enumerate(clients)
        for number, user in enumerate(users)
    }
    for client in clients:
        of_client = [memory_id for (org_id, _), memory_id in written.items() if org_id == client.org_id]
        until(partial(client.are_embedded, of_client))
    asks = [(client, user) for client in clients for user in users]

    def ask(pair: tuple[Client, str]) -> str:
        client, user = pair
        told = client.assembled("Which number has my locker?", user_id=user)
        # A number made of each request, by which the text for the model is set apart.
        return "\n".join(line for line in told.splitlines() if line.startswith("- "))

    alone = [ask(pair) for pair in asks]
    with ThreadPoolExecutor(12) as pool:
        together = list(pool.map(ask, asks * 5))

    assert len(set(alone)) == len(asks)
    assert together == alone * 5


def test_nothing_is_lost_when_workers_are_killed(compose: Compose) -> None:
    client = Client(compose)
    written = [
        client.remember(f"The shelf number {number} holds the parcels of street {number}.") for number in range(60)
    ]

    for hall in range(3):
        compose.stop("worker", number=signal.SIGKILL)
        compose.up("worker")
        more = [client.remember(f"The lamp number {number} stands in hall {hall}.") for number in range(10)]
        written += more
    compose.stop("worker", number=signal.SIGKILL)
    let_time_pass(compose)
    compose.up("worker")

    until(lambda: client.are_embedded(written))
    until(lambda: not queued(compose))


def test_a_backup_brings_back_what_was_there_and_what_was_cached_since_is_forgotten(
    compose: Compose, tmp_path: Path
) -> None:
    client = Client(compose)
    kept = client.remember("The key of the cellar hangs behind the door.")
    until(lambda: client.are_embedded([kept]))
    backup = tmp_path / "backup"

    compose.script("backup.sh", str(backup))
    later = client.remember("The key of the cellar is with the neighbour.")
    until(lambda: client.are_embedded([later]))
    assert "with the neighbour" in client.assembled("Where is the key of the cellar?")
    said = compose.script("restore.sh", str(backup))

    told = client.assembled("Where is the key of the cellar?")
    assert "behind the door" in told
    assert "with the neighbour" not in told
    assert "remembrancer_before_" in said
    again = client.remember("The cellar is cold.")
    until(lambda: client.are_embedded([again]))
