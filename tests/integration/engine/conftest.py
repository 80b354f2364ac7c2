"""The engine's adapters on the session's servers; every test has an organization of its own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count
from typing import Any

import psycopg
import pytest

from local.servers import Cache, PostgresServer
from local.servers.postgres import OWNER, SUPERUSER
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.redis.client import RedisClient
from tests.builders import MODELS
from tests.cache import client_of
from tests.integration.engine.desk import Desk, desk_of
from tests.integration.engine.tenant import Tenant, create_tenant

_numbers = count()


@pytest.fixture(scope="session")
def migrated(postgres_server: PostgresServer) -> PostgresServer:
    """Postgres with the schema of this version."""
    asyncio.run(migrate(postgres_server.owner_url, packaged()))
    return postgres_server


@pytest.fixture
async def database(migrated: PostgresServer) -> AsyncIterator[Database]:
    """A pool in the functions' own role."""
    database = Database(migrated.app_url)
    yield database
    await database.close()


@pytest.fixture
async def tenant(migrated: PostgresServer, database: Database) -> Tenant:
    return await create_tenant(migrated.owner_url, database)


@pytest.fixture
async def stranger(migrated: PostgresServer, database: Database) -> Tenant:
    """Another organization."""
    return await create_tenant(migrated.owner_url, database)


@pytest.fixture
async def observer(migrated: PostgresServer) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """A superuser, who sees every row: to know what is there, never to test what others see."""
    async with await psycopg.AsyncConnection.connect(migrated.superuser_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
async def redis(valkey_server: Cache) -> AsyncIterator[RedisClient]:
    client = client_of(valkey_server, timeout_ms=5000)
    yield client
    # What goes on beside requests would open a connection again, which nobody closes.
    going_on = asyncio.all_tasks() - {asyncio.current_task()}
    for task in going_on:
        task.cancel()
    if going_on:
        await asyncio.wait(going_on, timeout=20)
    await client.close()


@pytest.fixture
def empty(postgres_server: PostgresServer) -> Iterator[str]:
    """The name of an empty database that the owner owns."""
    name = f"migrations_{next(_numbers)}"
    with psycopg.connect(postgres_server.url(SUPERUSER), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} OWNER {OWNER}")
    yield name
    with psycopg.connect(postgres_server.url(SUPERUSER), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def empty_url(postgres_server: PostgresServer, empty: str) -> str:
    return postgres_server.url(OWNER, empty)


@pytest.fixture(scope="session")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
def desk(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Desk:
    return desk_of(tenant, redis, counter)
