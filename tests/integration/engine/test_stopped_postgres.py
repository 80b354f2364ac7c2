"""Without Postgres every call fails with our error; it is stopped once for all of them."""

from collections.abc import Iterator
from typing import Any

import pytest

from local.servers import Cache, PostgresServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.redis.identity_cache import CachedCredentials, CachedDirectory
from remembrancer.errors import StoreError, StoreUnavailable
from tests.cache import client_of
from tests.integration.engine.store_calls import CREDENTIALS, DIRECTORY, POSTGRES, Call, cases, on_postgres


@pytest.fixture(scope="module")
def stopped_postgres(migrated: PostgresServer) -> Iterator[PostgresServer]:
    migrated.stop()
    yield migrated
    migrated.start()


@pytest.mark.parametrize(("kind", "call"), cases(POSTGRES))
async def test_with_postgres_gone_it_is_unavailable(stopped_postgres: PostgresServer, kind: type, call: Call) -> None:
    database = Database(stopped_postgres.app_url)

    with pytest.raises(StoreUnavailable):
        await call(on_postgres(kind, database))

    await database.close()


@pytest.mark.parametrize(("kind", "calls"), [(CachedCredentials, CREDENTIALS), (CachedDirectory, DIRECTORY)])
async def test_a_cache_over_a_store_fails_with_the_store(
    stopped_postgres: PostgresServer, valkey_server: Cache, kind: Any, calls: dict[str, Call]
) -> None:
    database, client = Database(stopped_postgres.app_url), client_of(valkey_server, timeout_ms=5000)
    store = PostgresCredentials(database) if kind is CachedCredentials else PostgresDirectory(database)

    for call in calls.values():
        with pytest.raises(StoreError):
            await call(kind(store, client, SystemClock()))

    await client.close()
