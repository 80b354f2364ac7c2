"""Embedding models of any size, and a change of the model under load: whole functions on a database of their own."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import boto3
import psycopg
import pytest
from awslambdaric.lambda_context import LambdaContext

from local.servers import AwsServer, Cache, PostgresServer
from local.servers.postgres import APPLICATION, OWNER, SUPERUSER
from local.stack import StackSettings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.vector_index import DEFINITIONS
from remembrancer.adapters.postgres.search.vector_tables import EXACT_ROWS, prepare_tables
from remembrancer.bootstrap import Instance, memories, query, schema, upkeep, workers
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.domain.identity.organization_request import NewOrganization
from remembrancer.domain.identity.scope import KEY_SCOPES
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.errors import ConfigurationError
from remembrancer.runtime.http.router import http_handler
from remembrancer.usecases.memories.embed import EmbedMessage
from tests.builders import SetClock
from tests.integration.engine.embedding_server import EmbeddingServer, embedding_server

SMALL = {"EMBEDDER_MODEL": "small", "EMBEDDER_DIMENSIONS": "256"}
LARGE = {"EMBEDDER_MODEL": "large", "EMBEDDER_DIMENSIONS": "1536"}
AFTER_SMALL = {
    **LARGE,
    "PREVIOUS_EMBEDDER": "openai",
    "PREVIOUS_EMBEDDER_MODEL": "small",
    "PREVIOUS_EMBEDDER_DIMENSIONS": "256",
}
QUERY = "/memory/query"
FEWEST_ANSWERS = 20
"""What readers get at least while a model changes."""


@pytest.fixture
async def server() -> AsyncIterator[EmbeddingServer]:
    async with embedding_server() as server:
        yield server


@dataclass
class Function:
    """The functions of one configuration, in one instance."""

    instance: Instance
    handle: Callable[[dict[str, Any], Any], dict[str, Any]]

    def call(self, path: str, body: Mapping[str, Any], api_key: str, *, method: str = "POST") -> dict[str, Any]:
        event = {
            "version": "2.0",
            "rawPath": path,
            "headers": {"content-type": "application/json", "x-request-id": "r", "x-api-key": api_key},
            "requestContext": {"http": {"method": method, "path": path, "sourceIp": "203.0.113.7"}},
            "body": json.dumps(body),
            "isBase64Encoded": False,
        }
        context = LambdaContext("invocation-1", {}, {}, int((time.time() + 60) * 1000))
        answer = self.handle(event, context)
        assert answer["statusCode"] < 300, answer
        return dict(json.loads(answer["body"] or "{}"))


@dataclass
class World:
    """A database of its own with one organization and one agent."""

    environment: Mapping[str, str]
    owner_url: str
    superuser_url: str
    ends: ExitStack
    counter: TiktokenCounter
    """Every instance's: to read the vocabularies takes long."""
    api_key: str = ""
    org_id: str = ""
    agent_id: str = ""
    clock: SetClock = field(default_factory=lambda: SetClock(start=None))
    exact_rows: int = EXACT_ROWS

    def instance(self, **environment: str) -> Instance:
        instance = Instance({**self.environment, **environment})
        instance.__dict__ |= {"clock": self.clock, "counter": self.counter}
        return instance

    def migrate(self, **environment: str) -> None:
        """As the migrating function of a deployment with these settings."""
        instance = self.instance(**environment, DATABASE_URL=self.owner_url)
        instance.loop.run(schema.migrate(instance))
        if not self.api_key:
            asked = NewOrganization("Organization", "proj_main", "production", "key", KEY_SCOPES)
            made = instance.loop.run(schema.create_organization(instance, asked))
            self.api_key, self.org_id = made["api_key"], made["org_id"]

    def function(self, **environment: str) -> Function:
        """Assembly, query and writes."""
        instance = self.instance(**environment)
        instance.__dict__["search"] = PostgresSearch(
            instance.database, model=instance.embedder.model, tables=instance.vector_tables, exact_rows=self.exact_rows
        )
        api = assembly_api(instance)
        routes = {"POST /v1/context/assemble": api.assemble} | query.routes(instance) | memories.routes(instance)
        self.ends.callback(_close, instance)
        handle = http_handler(routes, loop=instance.loop, after_response=instance.after_response)
        return Function(instance, handle)

    def worker(self, **environment: str) -> Instance:
        instance = self.instance(**environment)
        self.ends.callback(_close, instance)
        return instance

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            return connection.execute(statement.encode()).fetchall()

    def remember(self, function: Function, *texts: str) -> list[UUID]:
        """The ids, not embedded yet."""
        written = []
        for text in texts:
            answer = function.call("/v1/memories", {"agent_id": self.agent_id, "content": text}, self.api_key)
            written.append(UUID(answer["id"]))
        return written

    def ask(self, function: Function, question: str, **fields: Any) -> dict[str, Any]:
        body = {"agent_id": self.agent_id, "query": question, "computation_tier": "medium", **fields}
        return function.call(QUERY, body, self.api_key)

    def assemble(self, function: Function, question: str) -> dict[str, Any]:
        body = {
            "org_id": self.org_id,
            "agent_id": self.agent_id,
            "model": "gpt-4o",
            "request_id": "r",
            "messages": [{"role": "user", "content": question}],
        }
        return function.call("/v1/context/assemble", body, self.api_key)

    def embed(self, worker: Instance, *ids: UUID) -> dict[EmbedMessage, str]:
        """As the embedding function does with these messages."""
        embedder = workers.embed_worker(worker).embedder
        return worker.loop.run(embedder.embed([EmbedMessage(UUID(self.org_id), one) for one in ids]))

    def maintain(self, worker: Instance) -> Mapping[str, int]:
        return dict(worker.loop.run(upkeep.maintenance(worker).maintenance.run()))

    def queued(self) -> Iterator[UUID]:
        """Receives and deletes the messages of the embedding queue."""
        client = boto3.client("sqs", endpoint_url=self.environment["AWS_ENDPOINT_URL"])
        while messages := client.receive_message(
            QueueUrl=self.environment["EMBED_QUEUE_URL"], MaxNumberOfMessages=10
        ).get("Messages"):
            for message in messages:
                client.delete_message(
                    QueueUrl=self.environment["EMBED_QUEUE_URL"], ReceiptHandle=message["ReceiptHandle"]
                )
                yield UUID(json.loads(message["Body"])["memory_id"])
        client.close()

    def serving(self) -> str | None:
        ((model,),) = self.rows("SELECT embedding_model FROM organizations")
        return None if model is None else str(model)


def _close(instance: Instance) -> None:
    instance.loop.run(instance.database.close())
    instance.loop.run(instance.redis.close())
    for name in ("embedder", "previous_embedder"):
        if (embedder := instance.__dict__.get(name)) is not None and hasattr(embedder, "_server"):
            instance.loop.run(embedder._server.close())
    if "packaged_embedder" in instance.__dict__:
        instance.packaged_embedder.close()


@pytest.fixture
def world(
    postgres_server: PostgresServer,
    empty: str,
    valkey_server: Cache,
    aws_server: AwsServer,
    server: EmbeddingServer,
    counter: TiktokenCounter,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[World]:
    for name, value in aws_server.environment.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("sqs", endpoint_url=aws_server.endpoint_url)
    queue_url = client.create_queue(QueueName=f"embed-{uuid4()}")["QueueUrl"]
    client.close()
    slow = ("ASSEMBLY_MS", "RETRIEVAL_MS", "DIRECTIVE_MS", "HOT_MS", "COLD_MS", "LEXICAL_MS")
    environment = {
        **aws_server.environment,
        **dict.fromkeys(slow, "20000"),
        "AWS_ENDPOINT_URL": aws_server.endpoint_url,
        "DATABASE_URL": postgres_server.url(APPLICATION, empty),
        **valkey_server.environment,
        "EMBED_QUEUE_URL": queue_url,
        "MODELS_DIR": str(StackSettings().models),
        "EMBEDDER": "openai",
        "EMBEDDER_URL": server.url,
        "RATE_LIMIT_PER_SECOND": "0",
    }
    with ExitStack() as ends:
        urls = postgres_server.url(OWNER, empty), postgres_server.url(SUPERUSER, empty)
        yield World(environment, *urls, ends, counter)


def begun(world: World, **environment: str) -> Function:
    """A deployment with its organization and agent."""
    world.migrate(**environment)
    function = world.function(**environment)
    made = function.call("/v1/agents", {"name": "agent"}, world.api_key)
    world.agent_id = made["agent_id"]
    return function


@pytest.mark.parametrize("exact_rows", [EXACT_ROWS, 0])
async def test_1536_dimensions_from_the_write_to_the_answer(
    world: World, server: EmbeddingServer, exact_rows: int
) -> None:
    world.exact_rows = exact_rows
    function = await asyncio.to_thread(begun, world, **LARGE)
    ids = await asyncio.to_thread(world.remember, function, "said1 tea", "said2 coffee")
    failed = await asyncio.to_thread(world.embed, function.instance, *ids)

    found = await asyncio.to_thread(world.ask, function, "asked2", explain=True)

    assert failed == {}
    assert found["memories"][0]["id"] == str(ids[1])
    assert found["degraded"] == []
    assert {asked["dimensions"] for asked in server.asked} == {1536}
    assert world.rows("SELECT model, dimensions, vectors FROM embedding_models WHERE model LIKE 'large%'") == [
        ("large/1536d", 1536, "memory_vectors_m1")
    ]
    assert world.rows("SELECT count(*), min(vector_dims(embedding)) FROM memory_vectors_m1") == [(2, 1536)]
    assert world.rows("SELECT count(*) FROM memory_vectors") == [(0,)]
    assert await asyncio.to_thread(asks_no_server, world, server, function)


async def test_vectors_follow_their_memories_into_another_table(world: World) -> None:
    function = await asyncio.to_thread(begun, world, **SMALL)
    changed, deleted = await asyncio.to_thread(world.remember, function, "said1 tea", "said2 coffee")
    await asyncio.to_thread(world.embed, function.instance, changed, deleted)
    paths = [f"/v1/memories/{one}" for one in (changed, deleted)]
    ((vectors,),) = world.rows("SELECT embedding::text FROM memory_vectors_m1 ORDER BY created_at LIMIT 1")

    change = {"category": "preference", "tags": ["drinks"]}
    await asyncio.to_thread(function.call, paths[0], change, world.api_key, method="PATCH")
    await asyncio.to_thread(function.call, paths[1], {}, world.api_key, method="DELETE")

    assert world.rows("SELECT memory_id, category, tags, embedding::text FROM memory_vectors_m1") == [
        (changed, "preference", ["drinks"], vectors)
    ]


def asks_no_server(world: World, server: EmbeddingServer, function: Function) -> bool:
    """Whether assembly soon finds a question's vector in the cache, which is filled after the response."""
    for _ in range(30):
        asked = len(server.asked)
        world.assemble(function, "Who said coffee at the harbour?")
        if len(server.asked) == asked:
            return True
    return False


def is_found(answer: Mapping[str, Any], memory_id: UUID) -> bool:
    return str(memory_id) in [one["id"] for one in answer["memories"]]


@dataclass
class Load:
    """Readers and writers in instances of two configurations, as during a deployment.

    The questions share no word with the memories: only vectors of the model that serves find them.
    """

    world: World
    functions: tuple[Function, Function]
    written: list[UUID]
    asked: int = 0
    answered: int = 0
    missed: list[int] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, function: Function) -> None:
        while not self.is_over.is_set():
            # Every memory in turn, and the newest one each second time.
            self.asked += 1
            number = (self.asked // 2 if self.asked % 2 else -1) % len(self.written)
            answer = await asyncio.to_thread(self.world.ask, function, f"asked{number}")
            # What a busy machine was late with is named, and no answer to this question.
            is_late = any("timeout" in reason.lower() for reason in answer["degraded"])
            if not is_late and not is_found(answer, self.written[number]):
                self.missed.append(number)
            self.answered += not is_late

    async def write(self) -> None:
        while not self.is_over.is_set():
            number = len(self.written)
            function = self.functions[number % 2]
            (identifier,) = await asyncio.to_thread(self.world.remember, function, f"said{number} tea")
            assert await asyncio.to_thread(self.world.embed, function.instance, identifier) == {}
            self.written.append(identifier)

    async def _until_answered(self) -> None:
        end = time.monotonic() + 120
        while self.answered < FEWEST_ANSWERS:
            assert time.monotonic() < end, "readers get no whole answer"
            await asyncio.sleep(0.01)

    async def change(self, worker: Instance, model: str) -> None:
        try:
            for _ in range(100):
                await asyncio.to_thread(self.world.maintain, worker)
                if self.world.serving() == model:
                    return
                await embed_queued(self.world, worker)
                await self._until_answered()
        finally:
            self.is_over.set()


async def embed_queued(world: World, worker: Instance) -> list[UUID]:
    """In batches, as the queue hands them over."""
    queued = await asyncio.to_thread(list, world.queued())
    for first in range(0, len(queued), 10):
        assert await asyncio.to_thread(world.embed, worker, *queued[first : first + 10]) == {}
    return queued


async def test_the_old_vectors_serve_while_memories_are_embedded_again_under_load(
    world: World, server: EmbeddingServer
) -> None:
    before = await asyncio.to_thread(begun, world, **SMALL)
    ids = await asyncio.to_thread(world.remember, before, *(f"said{number} tea" for number in range(20)))
    assert await asyncio.to_thread(world.embed, before.instance, *ids) == {}
    await asyncio.to_thread(world.maintain, before.instance)
    assert world.serving() == "small/256d"
    await asyncio.to_thread(world.migrate, **AFTER_SMALL)
    after = await asyncio.to_thread(world.function, **AFTER_SMALL)
    load = Load(world, (before, after), ids)

    await asyncio.gather(load.read(before), load.read(after), load.write(), load.change(after.instance, "large/1536d"))

    assert world.serving() == "large/1536d"
    assert load.missed == []
    assert load.answered >= FEWEST_ANSWERS
    # What instances of the configuration before have still embedded gets its vector, too.
    world.clock.seconds += 7200
    await asyncio.to_thread(world.maintain, after.instance)
    await embed_queued(world, after.instance)
    number = len(load.written)
    ((table,),) = world.rows("SELECT vectors FROM embedding_models WHERE model = 'large/1536d'")
    assert world.rows(f"SELECT count(*), count(DISTINCT memory_id) FROM {table}") == [(number, number)]
    assert world.rows("SELECT count(*) FROM memories WHERE status = 'active'") == [(number,)]
    server.down.add("small")
    # Instances have read the organization again; their maps are still those with the old vectors.
    world.clock.seconds += 200
    for one in (0, number - 1):
        assert is_found(await asyncio.to_thread(world.ask, after, f"asked{one}"), load.written[one])


async def test_a_change_survives_lost_messages_failing_servers_and_restarts(
    world: World, server: EmbeddingServer
) -> None:
    before = await asyncio.to_thread(begun, world, **SMALL)
    ids = await asyncio.to_thread(world.remember, before, *(f"said{number} tea" for number in range(6)))
    await asyncio.to_thread(world.embed, before.instance, *ids)
    await asyncio.to_thread(world.maintain, before.instance)
    await asyncio.to_thread(list, world.queued())
    await asyncio.to_thread(world.migrate, **AFTER_SMALL)
    worker = await asyncio.to_thread(world.worker, **AFTER_SMALL)

    # The messages of the first run are lost, those of the second fail, the third run ends after two memories.
    await asyncio.to_thread(world.maintain, worker)
    assert len(await asyncio.to_thread(list, world.queued())) == 6
    server.down.add("large")
    world.clock.seconds += 3600
    await asyncio.to_thread(world.maintain, worker)
    failed = [one for one in world.queued() if await asyncio.to_thread(world.embed, worker, one)]
    server.down.clear()
    world.clock.seconds += 3600
    await asyncio.to_thread(world.maintain, worker)
    first_two = await asyncio.to_thread(list, world.queued())
    await asyncio.to_thread(world.embed, worker, *first_two[:2])
    await asyncio.to_thread(world.embed, worker, *first_two[:2])
    await asyncio.to_thread(world.maintain, worker)

    assert len(failed) == 6
    assert world.serving() == "small/256d"
    found = [await asyncio.to_thread(world.ask, before, f"asked{number}") for number in range(6)]
    assert all(is_found(answer, one) for answer, one in zip(found, ids, strict=True))
    assert world.rows("SELECT DISTINCT embedding_state FROM memories") == [("ready",)]

    again = await asyncio.to_thread(world.function, **AFTER_SMALL)
    world.clock.seconds += 7200
    await asyncio.to_thread(world.maintain, again.instance)
    rest = await asyncio.to_thread(list, world.queued())
    await asyncio.to_thread(world.embed, again.instance, *rest)
    await asyncio.to_thread(world.maintain, again.instance)

    assert sorted(rest) == sorted(first_two[2:])
    assert world.serving() == "large/1536d"
    world.clock.seconds += 7 * 86_400
    kept = await asyncio.to_thread(world.maintain, again.instance)
    tables = dict(world.rows("SELECT model, vectors FROM embedding_models"))
    assert kept["retired"] == 6
    assert world.rows(f"SELECT count(*) FROM {tables['small/256d']}") == [(0,)]
    assert world.rows(f"SELECT count(*) FROM {tables['large/1536d']}") == [(6,)]


async def test_without_the_model_before_words_find_what_has_no_vector_yet_and_answers_say_so(world: World) -> None:
    before = await asyncio.to_thread(begun, world, **SMALL)
    ids = await asyncio.to_thread(world.remember, before, "said0 tea", "said1 coffee")
    await asyncio.to_thread(world.embed, before.instance, *ids)
    await asyncio.to_thread(world.maintain, before.instance)
    await asyncio.to_thread(world.migrate, **LARGE)
    after = await asyncio.to_thread(world.function, **LARGE)

    by_words = await asyncio.to_thread(world.ask, after, "Who said coffee?")
    assembled = await asyncio.to_thread(world.assemble, after, "Who said coffee?")
    await asyncio.to_thread(world.maintain, after.instance)
    await asyncio.to_thread(world.embed, after.instance, *await asyncio.to_thread(list, world.queued()))
    await asyncio.to_thread(world.maintain, after.instance)
    world.clock.seconds += 3600
    complete = await asyncio.to_thread(world.ask, after, "asked1")

    assert is_found(by_words, ids[1])
    assert "incomplete_embeddings" in by_words["degraded"]
    assert assembled["metadata"]["sources"]["cold"]["short_result"] is True
    assert is_found(complete, ids[1])
    assert complete["degraded"] == []


async def test_tables_are_made_for_one_length_and_dropped_long_after_their_model(world: World) -> None:
    small, index = VectorSpace("small", 256), DEFINITIONS["hnsw"]
    await asyncio.to_thread(world.migrate, **LARGE)

    created = await prepare_tables(world.owner_url, [small], index=index)
    again = await prepare_tables(world.owner_url, [small], index=index)
    with pytest.raises(ConfigurationError, match="have 256 dimensions in the database, not 512"):
        await prepare_tables(world.owner_url, [VectorSpace("small", 512)], index=index)
    world.rows("UPDATE embedding_models SET wanted_at = now() - interval '8 days' WHERE model = 'small' RETURNING 1")
    await prepare_tables(world.owner_url, [VectorSpace("large/1536d", 1536)], index=index)

    assert (created, again) == (["memory_vectors_m2"], [])
    assert world.rows("SELECT vectors FROM embedding_models WHERE dimensions <> 384") == [("memory_vectors_m1",)]
    assert world.rows("SELECT to_regclass('memory_vectors_m2')::text") == [(None,)]
    assert world.rows("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'memory\\_vectors%'") == [("memory_vectors_m1",)]
