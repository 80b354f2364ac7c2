"""The local stack with its dependencies behind proxies, callers that note what they are told, and what is stored."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg

from local import queues
from local.faults.proxy_process import ProxyProcess
from local.servers import AwsServer
from local.stack import Stack, StackSettings
from tests.e2e.conftest import PATIENT, START_SECONDS, Loop, Tenant, tenants

PAUSE_SECONDS = 0.25
"""Between requests of one caller."""
CALL_SECONDS = 15.0
"""Longer than any function answers; a caller's own deadline is far shorter."""
POLL_SECONDS = 0.5
FINISH_SECONDS = 300.0
"""After so long what is not done counts as lost."""
ROOM = 40
"""Memories before the outage."""


@dataclass(frozen=True, slots=True)
class Call:
    """One answer: when it was asked for and came, and what it says is missing; `told` are the memories in it."""

    kind: str
    asked: float
    ended: float
    status: int
    missing: str = ""
    told: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing was missing."""
        return 200 <= self.status < 300 and not self.missing


@dataclass
class Callers:
    """Threads that write, assemble and query until they are stopped; each question is asked once."""

    tenant: Tenant
    calls: list[Call] = field(default_factory=list)
    acknowledged: set[UUID] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self, kinds: Sequence[str] = ("write", "assemble", "query")) -> None:
        """One thread for each kind."""
        self._stopping.clear()
        for kind in kinds:
            thread = threading.Thread(target=self._call, args=(kind,))
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Returns when every call has ended."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    @property
    def told(self) -> int:
        """The memories in all answers."""
        return sum(call.told for call in self.calls)

    def _call(self, kind: str) -> None:
        headers = self.tenant.client.headers
        with httpx.Client(base_url=self.tenant.stack.url, headers=headers, timeout=CALL_SECONDS) as client:
            while not self._stopping.is_set():
                self.calls.append(self.call(client, kind))
                self._stopping.wait(PAUSE_SECONDS)

    def call(self, client: httpx.Client, kind: str) -> Call:
        """One request of this kind; a status of 0 is no answer."""
        number, began = next(self._numbers), time.monotonic()
        path, body = REQUESTS[kind](self.tenant, number)
        try:
            answer = client.post(path, json=body)
        except httpx.TransportError as error:
            return Call(kind, began, time.monotonic(), 0, type(error).__name__)
        ended, content = time.monotonic(), answer.json()
        if answer.status_code >= 400:
            return Call(kind, began, ended, answer.status_code, content.get("error", {}).get("code", "no body"))
        if kind == "write":
            self.acknowledged.add(UUID(content["id"]))
            return Call(kind, began, ended, answer.status_code)
        if kind == "query":
            missing, told = ",".join(content["degraded"]), len(content["memories"])
        else:
            missing, told = content["metadata"]["fallback_reason"], content["metadata"]["memories_injected"]
        return Call(kind, began, ended, answer.status_code, missing, told)


Body = tuple[str, dict[str, Any]]


def _write(tenant: Tenant, number: int) -> Body:
    content = f"Guest {number} asked for table {random.Random(number).randrange(97)}."
    return "/v1/memories", {"agent_id": tenant.agent_id, "content": content}


def _query(tenant: Tenant, number: int) -> Body:
    return "/memory/query", {"query": f"Which table did guest {number} ask for?", "agent_id": tenant.agent_id}


def _assemble(tenant: Tenant, number: int) -> Body:
    return "/v1/context/assemble", {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": f"request-{number}",
        "messages": [{"role": "user", "content": f"Which table did guest {number} ask for?"}],
    }


REQUESTS: Mapping[str, Callable[[Tenant, int], Body]] = {"write": _write, "query": _query, "assemble": _assemble}


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database has: memories that were acknowledged and are there, those without a vector, counted uses."""

    there: int
    waiting: int
    counted: int


@dataclass
class Rig:
    """A stack whose AWS is behind a proxy, with one tenant."""

    stack: Stack
    tenant: Tenant
    aws: ProxyProcess
    directory: Path

    def stored(self, acknowledged: set[UUID]) -> Stored:
        """As the superuser sees it, past everything that is broken for the functions."""
        with psycopg.connect(self.stack.postgres.superuser_url) as connection:
            row = connection.execute(
                "SELECT count(*) FILTER (WHERE memory_id = ANY(%(ids)s)), "
                "count(*) FILTER (WHERE embedding_state <> 'ready' OR cluster_id IS NULL), "
                "coalesce(sum(usage_count), 0)::int8 FROM memories WHERE org_id = %(org_id)s",
                {"ids": list(acknowledged), "org_id": self.tenant.org_id},
            ).fetchone()
        assert row is not None
        return Stored(*map(int, row))

    def backlog(self) -> Counter[str]:
        """Messages of each queue that are not deleted, past the proxy."""
        with closing(queues.connect(f"http://127.0.0.1:{self._aws_port}")) as client:
            urls = client.list_queues().get("QueueUrls", [])
            return Counter({url.rsplit("/", 1)[1]: queues._backlog(client, url) for url in urls})

    _aws_port: int = 0

    def renew_instances(self, *names: str) -> None:
        """Ends the functions' processes, as Lambda does with old ones: new ones know nothing."""
        for name, pool in self.stack.functions.items():
            if not names or name in names:
                for process_id in pool.process_ids:
                    os.killpg(process_id, signal.SIGKILL)


@contextmanager
def rig(directory: Path, loop: Loop, *, cache: str = "server", **settings: Any) -> Iterator[Rig]:
    """Starts it; `settings` are variables of the functions' environment."""
    with ExitStack() as ending:
        aws = ending.enter_context(AwsServer(directory / "aws"))
        proxy = ProxyProcess(aws.port)
        ending.callback(proxy.close)
        endpoint = f"http://127.0.0.1:{proxy.port}"
        stack = Stack(
            StackSettings(
                directory=directory,
                port=0,
                environment=PATIENT | {"KMS_KEY_ID": aws.kms_key_id} | settings,
                existing={"AWS_ENDPOINT_URL": endpoint},
                start_seconds=START_SECONDS,
                cache=cache,
                faults=True,
            )
        )
        loop.run(stack.start())
        ending.callback(lambda: loop.run(stack.stop()))
        new_tenant = ending.enter_context(contextmanager(tenants)(stack, loop))
        tenant = new_tenant()
        tenant.direct("Be brief.")
        tenant.remember(*(f"Guest number {number} asked for table {number % 97}." for number in range(ROOM)))
        tenant.until_embedded()
        tenant.drain()
        yield Rig(stack, tenant, proxy, directory, aws.port)
