"""The local stack with its dependencies behind proxies, callers that note what they are told, and what is stored."""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import boto3
import httpx
import psycopg

from benchmarks.outages.clocks import ClockedPostgres, Clocks
from benchmarks.outages.model import FaultyModel
from local import template as sam
from local.faults.proxy_process import ProxyProcess
from local.servers import AwsServer
from local.servers.aws import REGION
from local.stack import Stack, StackSettings
from local.template import FunctionSpec
from tests.e2e.conftest import PATIENT, PROJECT, START_SECONDS, Loop, NewTenant, Tenant, tenants
from tests.identity_provider import AUDIENCE, IdentityProvider

PAUSE_SECONDS = 0.3
"""Between requests of one caller."""
CALL_SECONDS = 60.0
"""Longer than any function takes; a real caller of assembly waits a fraction of a second."""
KEPT = 40
"""Memories before the outage."""
IDLE_SECONDS = 2
HOUR = 3600
"""Silence after which the capture model reads."""


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
    """Threads that call until they are stopped, one for each kind; each question is asked once."""

    tenant: Tenant
    headers: Callable[[], Mapping[str, str]]
    calls: list[Call] = field(default_factory=list)
    acknowledged: set[UUID] = field(default_factory=set)
    conversations: set[UUID] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self, kinds: Sequence[str]) -> None:
        """One thread for each kind."""
        for kind in kinds:
            thread = threading.Thread(target=self._call, args=(kind,))
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Returns when every call has ended."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    @property
    def told(self) -> int:
        """The memories in all answers."""
        return sum(call.told for call in self.calls)

    def _call(self, kind: str) -> None:
        with httpx.Client(base_url=self.tenant.stack.url, timeout=CALL_SECONDS) as client:
            while not self._stopping.is_set():
                self.calls.append(self._one(client, kind))
                self._stopping.wait(PAUSE_SECONDS)

    def _one(self, client: httpx.Client, kind: str) -> Call:
        """One request of this kind; a status of 0 is no answer."""
        path, body = REQUESTS[kind](self.tenant, next(self._numbers))
        began = time.monotonic()
        try:
            answer = client.post(path, json=body, headers=dict(self.headers()))
        except httpx.TransportError as error:
            return Call(kind, began, time.monotonic(), 0, type(error).__name__)
        call = Call(kind, began, time.monotonic(), answer.status_code)
        content = answer.json()
        if not answer.is_success:
            return replace(call, missing=content.get("error", {}).get("code", "no reason"))
        match kind:
            case "write":
                self.acknowledged.add(UUID(content["id"]))
                return call
            case "converse":
                self.conversations.add(UUID(content["conversation_id"]))
                return call
            case "query":
                return replace(call, missing=",".join(content["degraded"]), told=len(content["memories"]))
            case _:
                said = content["metadata"]
                return replace(call, missing=said["fallback_reason"], told=said["memories_injected"])


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


def _converse(tenant: Tenant, number: int) -> Body:
    said = f"I am allergic to nuts, and I live in house {number} of Harbour Street."
    return "/v1/conversations", {
        "agent_id": tenant.agent_id,
        "session_id": f"chat {number}",
        "messages": [{"role": "user", "content": said}],
    }


REQUESTS: Mapping[str, Callable[[Tenant, int], Body]] = {
    "write": _write,
    "query": _query,
    "assemble": _assemble,
    "converse": _converse,
}


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database has: memories that were acknowledged, memories without a vector or a comparison, conversations
    that were acknowledged and those that wait for capture, and counted uses.
    """

    memories: int
    waiting: int
    conversations: int
    unread: int
    uses: int


_STORED = """
    SELECT
      (SELECT count(*) FROM memories WHERE memory_id = ANY(%(memories)s)),
      (SELECT count(*) FROM memories WHERE org_id = %(org_id)s AND status = 'active'
         AND (embedding_state <> 'ready' OR cluster_id IS NULL)),
      (SELECT count(*) FROM conversations WHERE conversation_id = ANY(%(conversations)s)),
      (SELECT count(*) FROM conversations WHERE org_id = %(org_id)s AND pending > 0),
      (SELECT coalesce(sum(usage_count), 0)::int8 FROM memories WHERE org_id = %(org_id)s)"""


class FaultyStack(Stack):
    """Its functions have the password of Redis from a secret, and may have clocks of their own."""

    clocks: Clocks | None = None

    async def _wire(self) -> sam.Application:
        application = await super()._wire()
        return replace(application, functions=tuple(map(self._own, application.functions)))

    def _own(self, function: FunctionSpec) -> FunctionSpec:
        redis = urlsplit(function.environment["REDIS_URL"])
        without_password = urlunsplit(redis._replace(netloc=redis.netloc.rpartition("@")[2]))
        clock = self.clocks.of_function(function.name) if self.clocks else {}
        return replace(function, environment={**function.environment, "REDIS_URL": without_password, **clock})


@dataclass
class Rig:
    """A stack whose AWS, identity provider and capture model can be broken too."""

    stack: FaultyStack
    loop: Loop
    aws: AwsServer
    aws_proxy: ProxyProcess
    provider: IdentityProvider
    model: FaultyModel
    clocks: Clocks | None
    new_tenant: NewTenant

    def tenant(self) -> Tenant:
        """One with memories, whose functions are warm."""
        tenant = self.new_tenant()
        tenant.direct("Be brief.")
        tenant.remember(*(f"Guest number {number} asked for table {number % 97}." for number in range(KEPT)))
        tenant.until_embedded()
        return tenant

    def encrypted(self) -> Tenant:
        """One whose texts are sealed."""
        tenant = self.tenant()
        self.loop.run(self.stack.invoke("MigrateFunction", {"task": "encrypt_organization", "org_id": tenant.org_id}))
        return tenant

    def token(self, tenant: Tenant) -> Mapping[str, str]:
        """The headers of an end user with a token."""
        place: dict[str, Any] = {"org_id": tenant.org_id, "project_id": PROJECT, "environment": "production"}
        token = self.provider.token(**place, sub="ada", scope="assemble query write", exp=int(time.time()) + HOUR)
        return {"Authorization": f"Bearer {token}"}

    def stored(self, callers: Callers) -> Stored:
        """As the superuser sees it, past everything that is broken for the functions."""
        with psycopg.connect(self.stack.postgres.superuser_url) as connection:
            row = connection.execute(
                _STORED,
                {
                    "memories": list(callers.acknowledged),
                    "conversations": list(callers.conversations),
                    "org_id": callers.tenant.org_id,
                },
            ).fetchone()
        assert row is not None
        return Stored(*map(int, row))

    def break_store(self, name: str, fault: str, delay_ms: float = 0.0) -> None:
        """A switch of the stack: `postgres` or `redis`."""
        assert self.stack.faults is not None
        self.loop.run(self.stack.faults.set(name, fault, delay_ms))

    def store_proxy(self, name: str) -> ProxyProcess:
        """The proxy in front of the store's first node."""
        assert self.stack.faults is not None
        return self.stack.faults._proxies[name][0]

    def renew_instances(self) -> None:
        """Ends all functions' instances, as Lambda does with old ones: new ones know nothing."""

        async def renew() -> None:
            await asyncio.gather(*(pool.renew() for pool in self.stack.functions.values()))

        self.loop.run(renew())


@contextmanager
def rig(
    directory: Path, loop: Loop, *, cache: str = "server", clocks: bool = False, visibility_seconds: int | None = None
) -> Iterator[Rig]:
    """Starts it: `clocks` that can be set; the other options are those of a stack."""
    with ExitStack() as ending:
        aws = ending.enter_context(AwsServer(directory / "aws"))
        proxy = ProxyProcess(aws.port)
        ending.callback(proxy.close)
        provider = IdentityProvider()
        ending.callback(provider.close)
        model = FaultyModel()
        loop.run(model.start())
        ending.callback(lambda: loop.run(model.stop()))
        own_clocks = ending.enter_context(Clocks.kept(directory / "clocks")) if clocks else None
        arn, tell = ending.enter_context(_secret(aws))
        stack = FaultyStack(
            StackSettings(
                directory=directory,
                port=0,
                environment=PATIENT
                | {"JWT_ISSUER": provider.issuer, "JWT_AUDIENCE": AUDIENCE, "KMS_KEY_ID": aws.kms_key_id}
                | {"CAPTURE_MODEL": "openai", "CAPTURE_MODEL_URL": f"{model.url}/v1", "CAPTURE_MODEL_NAME": "model"}
                | {"CAPTURE_IDLE_SECONDS": str(IDLE_SECONDS), "REDIS_SECRET_ARN": arn},
                existing={"AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.port}"},
                start_seconds=START_SECONDS,
                cache=cache,
                visibility_seconds=visibility_seconds,
                faults=True,
            )
        )
        if own_clocks is not None:
            stack.clocks, stack.postgres = own_clocks, ClockedPostgres(directory / "postgres", own_clocks)
        stack.valkey.start()
        tell(urlsplit(stack.valkey.url).password or "")
        loop.run(stack.start())
        ending.callback(lambda: loop.run(stack.stop()))
        new_tenant = ending.enter_context(contextmanager(tenants)(stack, loop))
        yield Rig(stack, loop, aws, proxy, provider, model, own_clocks, new_tenant)


@contextmanager
def _secret(aws: AwsServer) -> Iterator[tuple[str, Callable[[str], object]]]:
    """The ARN of a secret, and what changes its text."""
    with closing(
        boto3.client(
            "secretsmanager",
            endpoint_url=aws.endpoint_url,
            region_name=REGION,
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )
    ) as client:
        arn = client.create_secret(Name="redis", SecretString="none yet")["ARN"]
        yield arn, lambda text: client.update_secret(SecretId=arn, SecretString=text)
