"""One warm assembly instance whose servers can be broken, and whose embedder can."""

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from local.faults.embedder import FaultyEmbedder
from local.servers import PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import FirstKey, PostgresDirectory, create_organization
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.bootstrap import Instance, memories, query
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.errors import StoreError
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from remembrancer.usecases.encryption.opening import Keyless
from tests.builders import SetClock
from tests.cache import KIND
from tests.integration.engine.tenant import Tenant

# Wide, and in the order of the real ones, so that a busy machine is not taken for a fault.
BOUNDS = {
    "ASSEMBLY_MS": "2000",
    "RETRIEVAL_MS": "1600",
    "COLD_MS": "1500",
    "LEXICAL_MS": "1500",
    "DIRECTIVE_MS": "1000",
    "HOT_MS": "1000",
}
FISH = "Fish is delivered on Thursdays by Kerrera Shellfish"
QUESTION = "Who delivers the fish on Thursdays?"


@dataclass(slots=True)
class _AfterResponse:
    """Keeps what is left for after the response until it is asked to be done."""

    work: Work = field(default_factory=Work)
    registered: bool = True

    def finish(self, work: Work) -> None:
        self.work = work

    def once(self, name: str, work: Any) -> None:
        return

    def always(self, name: str, work: Any, *, when: Any) -> None:
        return

    def at_end(self, name: str, work: Any, *, when: Any) -> None:
        return


class _Context:
    aws_request_id = "request"

    def get_remaining_time_in_millis(self) -> int:
        return 30_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What the caller got, and after how long."""

    status: int
    body: Mapping[str, Any]
    elapsed_ms: float

    @property
    def metadata(self) -> Mapping[str, Any]:
        metadata: Mapping[str, Any] = self.body["metadata"]
        return metadata

    @property
    def reason(self) -> str:
        return str(self.metadata["fallback_reason"])


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with a directive and embedded memories, and the key that opens it."""

    org_id: UUID
    agent_id: UUID
    api_key: str


async def create_agent(servers: PostgresServer, texts: Sequence[str]) -> Agent:
    """In a database without the schema or with it."""
    await migrate(servers.owner_url, packaged())
    api_key = secrets.token_urlsafe(32)
    key = FirstKey("key", sha256(api_key.encode()).digest(), ("admin",))
    principal = await create_organization(
        servers.owner_url, name="Organization", project_id="project", environment="production", key=key
    )
    database = Database(servers.app_url)
    directory = PostgresDirectory(database, Keyless())
    organization = await directory.organization(principal.org_id)
    agent = await directory.create(principal, uuid4(), "agent")
    assert organization is not None
    assert agent is not None
    await directory.put_directive(principal.org_id, agent.agent_id, "Be brief.", "system_first")
    tenant = Tenant(principal, agent.agent_id, organization.term_key, b"", database)
    ids = await tenant.remember_texts(*texts)
    embedder, store = OnnxEmbedder(StackSettings().models), PostgresEmbeddingStore(database)
    pending = await store.pending(principal.org_id, ids, embedder.model)
    vectors = await embedder.embed([one.memory.content for one in pending])
    await store.store(principal.org_id, pending, vectors, embedder.model)
    embedder.close()
    await database.close()
    return Agent(principal.org_id, agent.agent_id, api_key)


class AssemblyInstance:
    """The function's handler as Lambda would call it; work after the response is done when the caller says so."""

    confirmed_seconds = 0.0
    """Every request asks Postgres, so that each sees what is broken."""
    has_maps = True

    def __init__(self, agent: Agent, *, database_url: str, redis_url: str, **environment: str) -> None:
        self._instance = Instance(
            {
                "DATABASE_URL": database_url,
                "REDIS_URL": redis_url,
                "REDIS_CLUSTER": str(KIND != "server"),
                "MODELS_DIR": str(StackSettings().models),
                "AWS_REGION": "us-east-1",
                "AWS_ACCESS_KEY_ID": "key",
                "AWS_SECRET_ACCESS_KEY": "secret",
                **environment,
            }
        )
        self._instance.confirmed_seconds, self._instance.has_maps = self.confirmed_seconds, self.has_maps
        self._clock = SetClock(start=None)
        self._instance.__dict__["clock"] = self._clock
        self.embedder = FaultyEmbedder(self._instance.embedder)
        self._instance.__dict__["embedder"] = self.embedder
        self._after_response = _AfterResponse()
        self._agent = agent
        self.late_by_ms = 0.0
        api = assembly_api(self._instance)

        async def assemble(request: HttpRequest, work: Work) -> HttpResponse:
            """The event loop of a busy machine may have no turn between the end of an answer and its deadline."""
            response = await api.assemble(request, work)
            time.sleep(self.late_by_ms / 1000)
            return response

        self._handler = http_handler(
            {"POST /v1/context/assemble": assemble},
            loop=self._instance.loop,
            after_response=self._after_response,
            last_resort=api.last_resort,
            within_ms=api.within_ms,
        )

    def assemble(self, question: str, **fields: Any) -> Answer:
        """One request, HTTP event in and out; blocks."""
        body = {
            "org_id": str(self._agent.org_id),
            "agent_id": str(self._agent.agent_id),
            "model": "gpt-4o",
            "request_id": "request",
            "messages": [{"role": "user", "content": question}],
            **fields,
        }
        return self._post(self._handler, "/v1/context/assemble", body)

    def query(self, question: str, **fields: Any) -> Answer:
        """The query function's handler in the same instance."""
        body = {"query": question, "agent_id": str(self._agent.agent_id), **fields}
        return self._post(self._query_handler, "/memory/query", body)

    def write(self, content: str) -> Answer:
        """The memories function's handler in the same instance."""
        body = {"content": content, "agent_id": str(self._agent.agent_id)}
        return self._post(self._memories_handler, "/v1/memories", body)

    def forget(self, memory_id: str) -> Answer:
        """The same; the response comes when no later answer may have the memory."""
        return self._post(self._memories_handler, f"/v1/memories/{memory_id}", {}, method="DELETE")

    @cached_property
    def _query_handler(self) -> LambdaHandler:
        return self._serving(query.routes(self._instance))

    @cached_property
    def _memories_handler(self) -> LambdaHandler:
        return self._serving(memories.routes(self._instance))

    def _serving(self, routes: Mapping[str, Endpoint]) -> LambdaHandler:
        return http_handler(routes, loop=self._instance.loop, after_response=_AfterResponse())

    def _post(self, handler: LambdaHandler, path: str, body: Mapping[str, Any], *, method: str = "POST") -> Answer:
        event = {
            "version": "2.0",
            "rawPath": path,
            "headers": {"x-api-key": self._agent.api_key},
            "requestContext": {"http": {"method": method}},
            "body": json.dumps(body) if body else "",
        }
        started = time.perf_counter()
        response = handler(event, _Context())
        elapsed_ms = (time.perf_counter() - started) * 1000
        return Answer(response["statusCode"], json.loads(response.get("body") or "{}"), elapsed_ms)

    @property
    def left_over(self) -> frozenset[str]:
        """The work that the last response left, by name."""
        return frozenset(name for name, _ in self._after_response.work.items)

    def follow_up(self) -> None:
        """What the last response left, but for its messages and figures; what fails is left undone."""

        async def do() -> None:
            for name, work in self._after_response.work.items:
                if name not in {"usage", "telemetry"}:
                    with suppress(StoreError):
                        if (begun := work()) is not None:
                            await begun

        self._instance.loop.run(do())

    def deliver_usage(self) -> None:
        """What the last response used, to the queue or past it; StoreError when it is kept for the next."""

        async def do() -> None:
            for name, work in self._after_response.work.items:
                if name == "usage" and (begun := work()) is not None:
                    await begun

        self._instance.loop.run(do())

    def without_keys(self) -> None:
        """As if it had not seen the organization yet: its data key and its term key come from the store and KMS."""
        self._instance.key_ring.forget(self._agent.org_id)
        directory = self._instance.directory
        assert isinstance(directory, CachedDirectory)
        directory._organizations.discard(self._agent.org_id)

    def later(self, seconds: float) -> None:
        """Lets time pass for what is kept and what is tried again."""
        self._clock.seconds += seconds

    def without_maps(self, *, shared_ones: bool = True) -> None:
        """From now on the stores answer; without `shared_ones` the map in Redis does."""
        self._instance.maps.drop(self._agent.org_id, self._agent.agent_id)
        if shared_ones:
            self._instance.loop.run(self._instance.redis.drop(self._shared_map))

    def without_confirmations(self) -> None:
        """As if Postgres had not answered it yet."""
        for agent in self._instance.known_agents:
            agent.confirmed = None

    @property
    def shares_map(self) -> bool:
        """Whether Redis has the agent's map."""
        found: list[str] = self._instance.loop.run(self._instance.redis.names(self._shared_map))
        return bool(found)

    @property
    def _shared_map(self) -> str:
        return f"{self._agent.org_id}:map:{{{self._agent.agent_id}}}"

    def close(self) -> None:
        """Lets go of the servers."""

        async def close() -> None:
            await self._instance.database.close()
            await self._instance.redis.close()

        self._instance.loop.run(close())


class WithoutMaps(AssemblyInstance):
    """One whose searches Postgres always answers."""

    has_maps = False
