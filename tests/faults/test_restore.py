"""A database that was restored beside caches that were not: no answer knows of the life that was taken back."""

import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID, uuid4

import psycopg
import pytest
import redis

from local.servers import Cache, PostgresServer
from local.servers.postgres import OWNER, SUPERUSER
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, begin_life
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.bootstrap import Instance, schema
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import LIFE_BITS, Change
from tests.cache import cache, client_of
from tests.e2e.conftest import Loop
from tests.faults.instance import BOUNDS, Agent, Answer, AssemblyInstance, create_agent
from tests.integration.engine.tenant import Tenant

pytestmark = pytest.mark.long

Value = TypeVar("Value")

KEPT = "Fish is delivered on Thursdays by Kerrera Shellfish"
FORGOTTEN_LATER = "Fish is delivered to the back door on Thursdays"
WRITTEN_LATER = "Fish is delivered on Thursdays by a robot"
WRITTEN_AFTERWARDS = "Fish is delivered on Thursdays in crates of ice"
QUESTION = "Who delivers the fish on Thursdays?"
LATER_TURN = "later turn"
WARM_ROUNDS = 3
CONNECTIONS = 4
PATIENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Rig:
    """A warm instance, its servers, and an agent whose life is taken back."""

    postgres: PostgresServer
    valkey: Cache
    agent: Agent
    instance: AssemblyInstance
    loop: Loop

    def snapshot(self) -> None:
        copy(self.postgres, "remembrancer", "kept")

    def restore(self) -> None:
        """The database as of the snapshot; Redis and the instance as they are."""
        copy(self.postgres, "kept", "remembrancer")

    def state(self) -> Change:
        async def read(tenant: Tenant) -> Change:
            state = await PostgresDirectory(tenant.database).state(tenant.org_id, tenant.agent_id)
            assert state is not None
            return state.change

        return self.do(read)

    def write(self, content: str) -> None:
        async def write(tenant: Tenant) -> tuple[UUID, ...]:
            await tenant.remember_texts(content)
            return ()

        self._told(write)

    def forget(self, content: str) -> None:
        async def forget(tenant: Tenant) -> tuple[UUID, ...]:
            ((identifier,),) = await tenant.fetch("SELECT memory_id FROM memories WHERE content = %s", content)
            change = await PostgresMemoryLife(tenant.database).forget(tenant.principal, identifier, datetime.now(UTC))
            assert change is not None
            return (identifier,)

        self._told(forget)

    def direct(self, text: str) -> None:
        async def direct(tenant: Tenant) -> tuple[UUID, ...]:
            directive = await PostgresDirectory(tenant.database).put_directive(
                tenant.org_id, tenant.agent_id, text, "system_first"
            )
            assert directive is not None
            client = client_of(self.valkey)
            await RedisAgentCache(client).put_directive(tenant.org_id, tenant.agent_id, directive)
            await client.close()
            return ()

        self._told(direct)

    def _told(self, write: Callable[[Tenant], Coroutine[Any, Any, tuple[UUID, ...]]]) -> None:
        """A write, of which Redis is told before it is acknowledged."""

        async def told(tenant: Tenant) -> None:
            gone = await write(tenant)
            state = await PostgresDirectory(tenant.database).state(tenant.org_id, tenant.agent_id)
            assert state is not None
            client = client_of(self.valkey)
            await RedisAgentCache(client).changed(tenant.org_id, tenant.agent_id, state.change, gone)
            await client.close()

        self.do(told)

    def do(self, work: Callable[[Tenant], Coroutine[Any, Any, Value]]) -> Value:
        """As the memories function would, in an instance of its own."""

        async def done() -> Value:
            database = Database(self.postgres.app_url)
            principal = Principal(self.agent.org_id, "project", "production", UUID(int=1), frozenset({"admin"}))
            organization = await PostgresDirectory(database).organization(self.agent.org_id)
            assert organization is not None
            tenant = Tenant(
                replace(principal, sees_all=True), self.agent.agent_id, organization.term_key, b"", database
            )
            try:
                return await work(tenant)
            finally:
                await database.close()

        return self.loop.run(done())

    def ask(self, turn_id: str = "") -> Answer:
        """In a turn of this name, or in a new session."""
        place = {"session_id": str(UUID(int=7)), "turn_id": turn_id} if turn_id else {"session_id": str(uuid4())}
        answer = self.instance.assemble(QUESTION, **place)
        self.instance.follow_up()
        return answer

    def warm(self, turn_id: str) -> None:
        for _ in range(WARM_ROUNDS):
            self.ask(turn_id)
            self.ask()
            self.instance.query(QUESTION)

    def later_life(self) -> None:
        """What the restore takes back, cached wherever it can be."""
        self.forget(FORGOTTEN_LATER)
        self.write(WRITTEN_LATER)
        self.direct("Be long.")
        self.instance.later(10)
        self.warm(LATER_TURN)
        assert WRITTEN_LATER in injected(self.ask())
        assert WRITTEN_LATER in injected(self.ask(LATER_TURN))
        assert self.ask().body["metadata"]["directive_version"] == 2


def copy(postgres: PostgresServer, source: str, target: str) -> None:
    """While nobody is connected: a backend that was ended takes its time, and the instance comes back by itself."""
    with psycopg.connect(postgres.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        for statement in (
            f"DROP DATABASE IF EXISTS {target}",
            f"CREATE DATABASE {target} OWNER {OWNER} TEMPLATE {source}",
        ):
            until = time.monotonic() + PATIENCE_SECONDS
            while True:
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = 'remembrancer'"
                )
                try:
                    connection.execute(statement.encode())
                    break
                except psycopg.errors.ObjectInUse:
                    assert time.monotonic() < until


@dataclass(frozen=True)
class Servers:
    """Postgres, with a copy of the agent as it was made, and Redis."""

    postgres: PostgresServer
    valkey: Cache
    agent: Agent


@pytest.fixture(scope="module")
def servers(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    directory = tmp_path_factory.mktemp("restore")
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as valkey,
    ):
        agent = loop.run(create_agent(postgres, [KEPT, FORGOTTEN_LATER]))
        copy(postgres, "remembrancer", "furnished")
        yield Servers(postgres, valkey, agent)


@pytest.fixture
def rig(loop: Loop, servers: Servers) -> Iterator[Rig]:
    """As if the test before had not been: nothing in Redis, and an instance of its own."""
    postgres, valkey, agent = servers.postgres, servers.valkey, servers.agent
    copy(postgres, "furnished", "remembrancer")
    with redis.Redis.from_url(valkey.url) as client:
        client.flushall()
    instance = AssemblyInstance(agent, database_url=postgres.app_url, redis_url=valkey.url, **BOUNDS)
    rig = Rig(postgres, valkey, agent, instance, loop)
    rig.warm("turn")
    rig.snapshot()
    rig.later_life()
    yield rig
    instance.close()


def injected(answer: Answer) -> str:
    return "\n".join(str(message["content"]) for message in answer.body["messages"])


def reconnect(rig: Rig) -> None:
    """The restore has ended every connection: reads that meet that fail, until none of them is left."""
    end = time.monotonic() + PATIENCE_SECONDS
    in_a_row = 0
    while in_a_row < CONNECTIONS:
        reason = rig.instance.assemble("Which connections are gone?").reason
        in_a_row = 0 if reason else in_a_row + 1
        assert time.monotonic() < end, reason


def assert_restored(rig: Rig, turn_id: str = "") -> None:
    answer = rig.ask(turn_id)

    text = injected(answer)
    assert answer.reason == ""
    assert KEPT in text
    assert FORGOTTEN_LATER in text
    assert WRITTEN_LATER not in text
    assert answer.body["metadata"]["directive_version"] == 1
    assert "Be brief." in text


def assert_found_restored(rig: Rig) -> None:
    found = {result["content"] for result in rig.instance.query(QUESTION).body["memories"]}
    assert {KEPT, FORGOTTEN_LATER} <= found
    assert WRITTEN_LATER not in found


def test_caches_that_are_ahead_of_the_store_are_not_believed(rig: Rig) -> None:
    """Also before anybody has said that it was restored."""
    rig.restore()
    reconnect(rig)

    assert_restored(rig)
    assert_restored(rig, LATER_TURN)
    assert_restored(rig)
    assert_found_restored(rig)


def test_counters_that_have_caught_up_with_the_caches_are_of_another_life(rig: Rig) -> None:
    """The same number of writes and removals as before, so that old and new counters would be equal."""
    former = rig.state()
    rig.restore()
    rig.loop.run(begin_life(rig.postgres.owner_url, datetime.now(UTC)))
    begun = rig.state()

    # The same writes again, but of other memories: Redis is told of each.
    rig.forget(KEPT)
    rig.write(WRITTEN_AFTERWARDS)
    caught_up = rig.state()
    reconnect(rig)
    text = injected(rig.ask())

    assert begun.version % (1 << LIFE_BITS) == 0
    assert caught_up.version - begun.version == 2
    assert caught_up.removals > former.removals
    assert (KEPT in text, WRITTEN_LATER in text) == (False, False)
    assert FORGOTTEN_LATER in text
    assert WRITTEN_AFTERWARDS in text
    assert_is_lasting(rig, text)


def assert_is_lasting(rig: Rig, text: str) -> None:
    """Whatever is cached by now says the same."""
    for turn_id in ("", LATER_TURN, "new turn", "new turn", ""):
        again = injected(rig.ask(turn_id))
        assert [one in again for one in (KEPT, FORGOTTEN_LATER, WRITTEN_LATER, WRITTEN_AFTERWARDS)] == [
            one in text for one in (KEPT, FORGOTTEN_LATER, WRITTEN_LATER, WRITTEN_AFTERWARDS)
        ]


async def _by_deployment(instance: Instance) -> dict[str, Any]:
    """What the migration does where the stack points the service at another database."""
    same = {"Database": "restored"}
    assert "restored" not in await schema.deployed(
        instance, {"ResourceProperties": same, "OldResourceProperties": same}
    )
    event = {"ResourceProperties": same, "OldResourceProperties": {"Database": "before"}}
    outcome: dict[str, Any] = (await schema.deployed(instance, event))["restored"]
    return outcome


@pytest.mark.parametrize("begin", [schema.restored, _by_deployment], ids=["task", "deployment"])
def test_a_restored_database_begins_a_life_and_the_cache_is_emptied(
    rig: Rig, begin: Callable[[Instance], Coroutine[Any, Any, dict[str, Any]]]
) -> None:
    rig.restore()
    former = rig.state()
    instance = Instance(
        {
            "DATABASE_URL": rig.postgres.owner_url,
            **rig.valkey.environment,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }
    )

    done = instance.loop.run(begin(instance))
    instance.loop.run(instance.redis.close())
    reconnect(rig)

    assert done["agents"] == 1
    assert done["cache"] > 0
    assert rig.state().life > former.life
    assert_restored(rig)
    assert_restored(rig, LATER_TURN)
    assert_found_restored(rig)


def test_two_restores_of_one_snapshot_are_two_lives(rig: Rig) -> None:
    rig.restore()
    rig.loop.run(begin_life(rig.postgres.owner_url, datetime(2026, 5, 1, 12, 0, tzinfo=UTC)))
    first = rig.state()
    rig.restore()
    rig.loop.run(begin_life(rig.postgres.owner_url, datetime(2026, 5, 1, 12, 1, tzinfo=UTC)))

    assert first.life < rig.state().life


def test_without_redis_the_task_says_so(rig: Rig) -> None:
    instance = Instance({"DATABASE_URL": rig.postgres.owner_url, "REDIS_URL": "redis://127.0.0.1:9"})

    done = instance.loop.run(schema.restored(instance))

    assert done == {"agents": 1, "cache": None}
