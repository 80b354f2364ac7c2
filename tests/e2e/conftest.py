"""One stack for all end-to-end tests: real servers, real functions in local Lambda instances, HTTP in and out."""

import asyncio
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg
import pytest

from local import queues, sample
from local.sample import Sample
from local.stack import Stack, StackSettings
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.domain.identity.scope import Principal
from tests import patience
from tests.cache import KIND
from tests.e2e import emulator as runtime_emulator
from tests.e2e import litellm_proxy as litellm
from tests.identity_provider import AUDIENCE, IdentityProvider

Value = TypeVar("Value")
PROJECT = "proj_test"

# So that a busy machine does not turn a test of content into a test of speed.
PATIENT = {
    "ASSEMBLY_MS": "2500",
    "RETRIEVAL_MS": "2400",
    "DIRECTIVE_MS": "2000",
    "HOT_MS": "2000",
    "COLD_MS": "2300",
    "LEXICAL_MS": "2300",
}
START_SECONDS = 60.0
VISIBILITY_SECONDS = 15
"""A message that a busy machine was late with comes again while a test waits for it."""


class Loop:
    """An event loop on its own thread, on which a stack lives while tests call it from theirs."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@dataclass(frozen=True)
class Tenant:
    """An organization with a key for everything and one agent, and a client that acts for it."""

    client: httpx.Client
    org_id: str
    agent_id: str
    stack: Stack
    loop: Loop

    def remember(self, *contents: str, **fields: Any) -> list[str]:
        memories = [{"agent_id": self.agent_id, "content": content, **fields} for content in contents]
        response = self.client.post("/v1/memories/batch", json={"memories": memories})
        assert response.status_code == 207, response.text
        return [result["id"] for result in response.json()["results"]]

    def direct(self, text: str) -> None:
        """Gives the agent a directive."""
        response = self.client.put(f"/v1/agents/{self.agent_id}/directive", json={"text": text})
        assert response.status_code == 200, response.text

    def assemble(self, question: str, **fields: Any) -> httpx.Response:
        body = {
            "org_id": self.org_id,
            "agent_id": self.agent_id,
            "model": "gpt-4o",
            "request_id": f"request-{uuid.uuid4()}",
            "messages": [{"role": "user", "content": question}],
        }
        return self.client.post("/v1/context/assemble", json={**body, **fields})

    def query(self, question: str, **fields: Any) -> httpx.Response:
        return self.client.post("/memory/query", json={"query": question, "agent_id": self.agent_id, **fields})

    def whole(self, question: str, **fields: Any) -> httpx.Response:
        """The answer to a query that no source was late for: a busy machine is asked again."""
        for _ in range(10):
            response = self.query(question, **fields)
            if response.status_code != 200 or not response.json()["degraded"]:
                break
        return response

    def complete(self, question: str, **fields: Any) -> httpx.Response:
        """The assembly that no source was late for: a busy machine is asked again."""
        for _ in range(10):
            response = self.assemble(question, **fields)
            if response.status_code != 200 or not response.json()["metadata"]["fallback_reason"]:
                break
        return response

    def until_embedded(self) -> None:
        """Returns when every memory has its vector, whatever else may wait in the queues."""
        parameters = {"agent_id": self.agent_id, "user_id": "*", "embedding_state": "pending", "limit": "1"}
        end = time.monotonic() + 60
        while self.client.get("/v1/memories", params=parameters).json()["memories"]:
            assert time.monotonic() < end, "memories are still without a vector"
            time.sleep(0.05)

    def drain(self) -> None:
        """Returns when the workers have done everything that is queued."""
        self.loop.run(self.stack.drain())


NewTenant = Callable[..., Tenant]


@pytest.fixture(scope="session")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def provider() -> Iterator[IdentityProvider]:
    """Whose tokens the stack takes."""
    provider = IdentityProvider()
    yield provider
    provider.close()


@pytest.fixture(scope="package")
def stack(loop: Loop, provider: IdentityProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    directory: Path = tmp_path_factory.mktemp("stack")
    tokens = {"JWT_ISSUER": provider.issuer, "JWT_AUDIENCE": AUDIENCE}
    stack = Stack(
        StackSettings(
            directory=directory,
            port=0,
            environment=PATIENT | tokens,
            start_seconds=START_SECONDS,
            visibility_seconds=VISIBILITY_SECONDS,
            durable=False,
            cache=KIND,
        )
    )
    loop.run(stack.start())
    yield stack
    loop.run(stack.stop())


@pytest.fixture
def new_tenant(stack: Stack, loop: Loop) -> Iterator[NewTenant]:
    yield from tenants(stack, loop)


def tenants(stack: Stack, loop: Loop) -> Iterator[NewTenant]:
    """Makes organizations; their clients close at the end."""
    clients: list[httpx.Client] = []

    def create(**key_fields: Any) -> Tenant:
        api_key = secrets.token_urlsafe(32)
        key = replace(FirstKey("test", sha256(api_key.encode()).digest(), ("admin", "all_users")), **key_fields)
        principal = loop.run(
            create_organization(
                stack.owner_database_url, name="Test", project_id=PROJECT, environment="production", key=key
            )
        )
        client = patience.client(stack, {"X-API-Key": api_key})
        clients.append(client)
        agent_id = _agent(stack, principal)
        return Tenant(client, str(principal.org_id), agent_id, stack, loop)

    yield create
    for client in clients:
        client.close()


def forget_waiting(stack: Stack, queue: str) -> None:
    """Deletes what waits in a queue, ten messages at a time: it may be purged once a minute only."""
    with closing(queues.connect(stack.aws_endpoint_url)) as client:
        url = client.get_queue_url(QueueName=queue)["QueueUrl"]
        while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            entries = [{"Id": str(n), "ReceiptHandle": one["ReceiptHandle"]} for n, one in enumerate(messages)]
            client.delete_message_batch(QueueUrl=url, Entries=entries)  # type: ignore[arg-type]


def _agent(stack: Stack, principal: Principal) -> str:
    """Made by the owner of the database: the key may not be allowed to."""
    agent_id, org_id = str(uuid.uuid4()), str(principal.org_id)
    with psycopg.connect(stack.owner_database_url) as connection:
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [org_id])
        connection.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name) "
            "VALUES (%s, %s, %s, 'production', 'agent')",
            [agent_id, org_id, PROJECT],
        )
    return agent_id


@pytest.fixture
def emulator() -> Path:
    """AWS's Runtime Interface Emulator for this machine."""
    return runtime_emulator.program()


@pytest.fixture
def tenant(new_tenant: NewTenant) -> Tenant:
    return new_tenant()


@dataclass(frozen=True)
class SampleTenant:
    """The sample organization, loaded through the public API."""

    tenant: Tenant
    sample: Sample


@pytest.fixture(scope="package")
def sample_tenant(stack: Stack, loop: Loop) -> Iterator[SampleTenant]:
    api_key = secrets.token_urlsafe(32)
    key = FirstKey("sample", sha256(api_key.encode()).digest(), ("admin", "all_users"))
    principal = loop.run(
        create_organization(
            stack.owner_database_url, name="Sample", project_id="proj_s", environment="development", key=key
        )
    )
    loaded = loop.run(sample.load(stack.url, api_key, org_id=str(principal.org_id)))
    with patience.client(stack, {"X-API-Key": api_key}) as client:
        yield SampleTenant(Tenant(client, loaded.org_id, loaded.agent_id, stack, loop), loaded)


@pytest.fixture(scope="package")
def litellm_proxy(stack: Stack, loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[litellm.Proxy]:
    """Starting it takes half a minute, so that one serves all tests, with one tenant."""
    with ExitStack() as closing:
        model = closing.enter_context(contextmanager(litellm.served)(litellm.StandIn()))
        gate = closing.enter_context(contextmanager(litellm.served)(litellm.Gate()))
        new_tenant = closing.enter_context(contextmanager(tenants)(stack, loop))
        directory = tmp_path_factory.mktemp("proxy")
        yield closing.enter_context(contextmanager(litellm.running)(directory, model, gate, new_tenant()))
