"""Token buckets in Redis: as many requests as the limit says, from however many instances."""

from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from local.servers import Cache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.rate_limits import RedisRateLimits
from remembrancer.domain.identity.scope import RateLimit
from tests.cache import client_of

# So slow that nothing comes back while a test runs.
SLOW = RateLimit(per_second=0.001, burst=3)


@pytest.fixture
async def raw(valkey_server: Cache) -> AsyncIterator["Redis"]:
    async with Redis.from_url(valkey_server.url) as client:
        yield client


ORG_ID = uuid4()


def bucket(key_id: UUID) -> str:
    return f"rate:{{{ORG_ID}}}:{key_id}"


async def test_a_burst_is_taken_and_then_there_is_a_wait(redis: RedisClient) -> None:
    limits, key_id = RedisRateLimits(redis), uuid4()

    waits = [await limits.take(ORG_ID, {key_id: SLOW}) for _ in range(5)]

    assert waits[:3] == [0, 0, 0]
    assert all(900 < wait <= 1000 for wait in waits[3:])


async def test_instances_share_a_bucket_and_credentials_do_not(valkey_server: Cache, redis: RedisClient) -> None:
    other_redis = client_of(valkey_server, timeout_ms=5000)
    first, second, key_id = RedisRateLimits(redis), RedisRateLimits(other_redis), uuid4()

    shared = [await limits.take(ORG_ID, {key_id: SLOW}) for limits in (first, second, first, second)]
    own = await second.take(ORG_ID, {uuid4(): SLOW})

    assert [wait > 0 for wait in shared] == [False, False, False, True]
    assert own == 0
    await other_redis.close()


async def test_tokens_come_back_with_time_up_to_the_burst(redis: RedisClient, raw: "Redis") -> None:
    limits, key_id = RedisRateLimits(redis), uuid4()
    seconds, _ = await raw.time()

    await raw.set(bucket(key_id), f"1 0 {seconds - 2000.5}")
    one_after_another = [await limits.take(ORG_ID, {key_id: SLOW}) for _ in range(3)]
    await raw.set(bucket(key_id), f"1 0 {seconds - 1_000_000}")
    after_long = [await limits.take(ORG_ID, {key_id: SLOW}) for _ in range(4)]

    assert [wait > 0 for wait in one_after_another] == [False, False, True]
    assert [wait > 0 for wait in after_long] == [False, False, False, True]


async def test_a_clock_that_went_back_gives_nothing_and_takes_nothing(redis: RedisClient, raw: "Redis") -> None:
    key_id = uuid4()
    seconds, _ = await raw.time()
    await raw.set(bucket(key_id), f"1 1.5 {seconds + 3600}")

    assert await RedisRateLimits(redis).take(ORG_ID, {key_id: SLOW}) == 0
    assert await RedisRateLimits(redis).take(ORG_ID, {key_id: SLOW}) > 0


@pytest.mark.parametrize("garbage", ["", "1", "1 x y", "2 0 0", "null", "\0"])
async def test_what_cannot_be_read_is_a_full_bucket(redis: RedisClient, raw: "Redis", garbage: str) -> None:
    key_id = uuid4()
    await raw.set(bucket(key_id), garbage)

    assert await RedisRateLimits(redis).take(ORG_ID, {key_id: SLOW}) == 0


async def test_a_bucket_lives_until_it_is_full_again(redis: RedisClient, raw: "Redis") -> None:
    key_id = uuid4()

    await RedisRateLimits(redis).take(ORG_ID, {key_id: RateLimit(per_second=2, burst=20)})

    assert 0 < await raw.ttl(bucket(key_id)) <= 1


@pytest.mark.parametrize("per_second", [1e-9, 1e-16, 1e-30])
async def test_the_slowest_rate_is_a_limit_too(redis: RedisClient, per_second: float) -> None:
    limits, key_id = RedisRateLimits(redis), uuid4()

    waits = [await limits.take(ORG_ID, {key_id: RateLimit(per_second=per_second, burst=1)}) for _ in range(2)]

    assert [wait > 0 for wait in waits] == [False, True]


async def test_a_token_is_taken_of_each_bucket_or_of_none(redis: RedisClient, raw: "Redis") -> None:
    limits, key_id, other_key = RedisRateLimits(redis), uuid4(), uuid4()
    shared, tight = uuid4(), RateLimit(per_second=0.0005, burst=1)

    waits = [await limits.take(ORG_ID, {shared: SLOW, key_id: tight}) for _ in range(4)]
    left = [await limits.take(ORG_ID, {shared: SLOW, other_key: SLOW}) for _ in range(3)]
    tokens = [str(await raw.get(bucket(one))).split()[1] for one in (key_id, other_key)]

    # A key that is refused takes nothing from the others of its organization.
    assert [wait > 0 for wait in waits] == [False, True, True, True]
    assert all(1900 < wait <= 2000 for wait in waits[1:])
    assert [wait > 0 for wait in left] == [False, False, True]
    assert [round(float(level)) for level in tokens] == [0, 1]
