"""Whatever an adapter's server does, callers see our errors and never the driver's."""

import asyncio
import contextlib
import inspect
import os
import signal
from collections.abc import Iterator

import pytest

from local.servers import Cache, PostgresServer, ValkeyServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.errors import StoreTimeout, StoreUnavailable
from tests.cache import client_of
from tests.integration.engine.store_calls import POSTGRES, REDIS, Call, cases, on_redis

# What touches no server, or only where something was opened before.
SILENT = {"close", "disconnect", "watch", "renew"}


@pytest.mark.parametrize("kind", [*POSTGRES, *REDIS])
def test_every_public_method_is_tried(kind: type) -> None:
    methods = {name for name, member in inspect.getmembers(kind, inspect.iscoroutinefunction) if name[0] != "_"}

    assert methods - SILENT == (POSTGRES | REDIS)[kind].keys()


@pytest.fixture
def hanging_valkey(valkey_server: Cache) -> Iterator[Cache]:
    """Accepts connections, by its system, and never answers."""
    assert valkey_server.pid is not None
    os.kill(valkey_server.pid, signal.SIGSTOP)
    yield valkey_server
    os.kill(valkey_server.pid, signal.SIGCONT)


@pytest.mark.parametrize(("kind", "call"), cases(REDIS))
async def test_when_redis_hangs_it_times_out(hanging_valkey: Cache, kind: type, call: Call) -> None:
    client = client_of(hanging_valkey, timeout_ms=20)

    with pytest.raises(StoreTimeout):
        await call(on_redis(kind, client))

    await client.close()


@pytest.mark.parametrize("user", [None, "wrong"], ids=["no password", "wrong password"])
async def test_a_redis_that_refuses_the_password_is_unavailable(valkey_server: Cache, user: str | None) -> None:
    credentials = "" if user is None else f":{user}@"
    client = RedisClient(f"redis://{credentials}127.0.0.1:{valkey_server.port}/0")

    with pytest.raises(StoreUnavailable):
        await client.ping()

    await client.close()


async def test_a_postgres_that_refuses_the_password_is_unavailable(migrated: PostgresServer) -> None:
    database = Database(f"postgresql://remembrancer_app:wrong@127.0.0.1:{migrated.port}/remembrancer")

    with pytest.raises(StoreUnavailable):
        await database.ping()

    await database.close()


async def test_a_kept_connection_that_redis_closed_is_mended_by_the_next_call(
    stoppable_valkey: Cache,
) -> None:
    client = client_of(stoppable_valkey, timeout_ms=5000)
    await asyncio.gather(*(client.ping() for _ in range(5)))

    stoppable_valkey.restart()

    await asyncio.gather(*(client.ping() for _ in range(10)))
    await client.put("key", b"value", seconds=60)
    assert await client.get("key") == b"value"
    await client.close()


async def test_a_script_that_redis_forgot_is_loaded_again(redis: RedisClient, valkey_server: Cache) -> None:
    script = "return ARGV[1]"
    before = await redis.script(script, ["key"], ["one"])
    valkey_server.restart()

    assert before == b"one"
    assert await redis.script(script, ["key"], ["two"]) == b"two"


async def test_a_call_given_up_leaves_the_redis_client_with_its_own_answers(
    hanging_valkey_for_a_moment: ValkeyServer,
) -> None:
    """An answer that arrives late must never be taken for another call's."""
    server = hanging_valkey_for_a_moment
    client = RedisClient(server.url, timeout_ms=5000)
    for number in range(5):
        await client.put(f"key:{number}", str(number).encode(), seconds=60)
    assert server.pid is not None
    os.kill(server.pid, signal.SIGSTOP)
    # The signal may take a moment.
    watcher = RedisClient(server.url, timeout_ms=50)
    with contextlib.suppress(StoreTimeout):
        while True:
            await watcher.ping()
    await watcher.close()
    calls = [asyncio.ensure_future(client.get("key:0")) for _ in range(5)]
    await asyncio.wait(calls, timeout=0.05)
    for call in calls:
        call.cancel()
    os.kill(server.pid, signal.SIGCONT)
    results = await asyncio.gather(*calls, return_exceptions=True)

    answers = [await client.get(f"key:{number}") for number in range(5)]

    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    assert answers == [str(number).encode() for number in range(5)]
    await client.close()


@pytest.fixture
def hanging_valkey_for_a_moment(valkey_server: Cache) -> Iterator[Cache]:
    yield valkey_server
    assert valkey_server.pid is not None
    os.kill(valkey_server.pid, signal.SIGCONT)
