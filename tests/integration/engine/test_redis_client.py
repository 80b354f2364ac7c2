"""The commands of one instance to Redis: each gets its own answer, whatever happens to the one before."""

import asyncio
from contextlib import suppress
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from local.servers import Cache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.errors import StoreError, StoreTimeout
from tests.cache import client_of

# Keeps the server busy for as many milliseconds as ARGV[1] says, then answers with the key's value.
BUSY = """
local function now() local time = redis.call('TIME'); return time[1] * 1000 + time[2] / 1000 end
redis.replicate_commands()
local until_ms = now() + tonumber(ARGV[1])
while now() < until_ms do end
return redis.call('GET', KEYS[1])
"""


async def test_the_answer_of_an_abandoned_command_is_not_taken_for_that_of_the_next(redis: RedisClient) -> None:
    abandoned, wanted = str(uuid4()), str(uuid4())
    await redis.put(abandoned, b"abandoned", seconds=60)
    await redis.put(wanted, b"wanted", seconds=60)

    asking = asyncio.ensure_future(redis.script(BUSY, [abandoned], [100]))
    await asyncio.sleep(0.01)
    asking.cancel()
    await asyncio.wait({asking})
    await _answering(redis)

    assert [await redis.get(wanted) for _ in range(2)] == [b"wanted", b"wanted"]


async def test_a_command_that_takes_too_long_times_out(valkey_server: Cache, redis: RedisClient) -> None:
    hasty = client_of(valkey_server, timeout_ms=50)

    with pytest.raises(StoreTimeout):
        await hasty.script(BUSY, [str(uuid4())], [300])
    await hasty.close()
    await _answering(redis)


async def _answering(redis: RedisClient) -> None:
    """A server that runs a script for long refuses other commands."""
    while True:
        with suppress(StoreError):
            return await redis.ping()
        await asyncio.sleep(0.01)


async def test_a_script_that_the_server_has_forgotten_is_sent_again(valkey_server: Cache, redis: RedisClient) -> None:
    key = str(uuid4())
    await redis.put(key, b"value", seconds=60)
    script = f"return redis.call('GET', KEYS[1]) -- {key}"
    answers = [await redis.script(script, [key], [])]
    async with Redis.from_url(valkey_server.url) as operator:
        await operator.script_flush()

    answers.append(await redis.script(script, [key], []))

    assert answers == [b"value", b"value"]


async def test_connections_that_the_server_has_closed_are_opened_again(
    valkey_server: Cache, redis: RedisClient
) -> None:
    key = str(uuid4())
    await redis.put(key, b"value", seconds=60)
    async with Redis.from_url(valkey_server.url) as operator:
        await operator.client_kill_filter(_type="normal", skipme=True)

    assert await redis.get(key) == b"value"


async def test_names_are_found_on_every_page(redis: RedisClient) -> None:
    prefix = str(uuid4())
    names = {f"{prefix}:{number}" for number in range(25)}
    for name in names:
        await redis.put(name, b"", seconds=60)

    assert set(await redis.names(f"{prefix}:*")) == names
