"""Different queries leave a bounded trace in Redis, and one that does not tell what was asked."""

import asyncio
import hashlib
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.growth import Growth
from remembrancer.adapters.redis.query_cache import COUNTED, KEYS_A_DAY, TEXTS_AN_HOUR, RedisQueryCache
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser, Scope
from remembrancer.domain.requests.idempotency import Once
from tests.builders import unit_vector

MODEL = "model"
KEY = b"k" * 32
VECTOR = unit_vector(1)


def scope_of(org_id: UUID) -> Scope:
    return Scope(org_id, "project", "production")


async def names(redis: RedisClient, org_id: UUID, kind: str) -> list[str]:
    return [name for name in await redis.names(f"{org_id}:*") if name.split(":")[1] == kind]


async def memory_usage(redis: RedisClient, name: str) -> int:
    return int(await redis.script("return redis.call('MEMORY', 'USAGE', KEYS[1])", [name], []))


async def test_an_organization_leaves_no_more_than_its_share_of_vectors(redis: RedisClient) -> None:
    cache = RedisQueryCache(redis, texts_an_hour=20)
    org_id, other = uuid4(), uuid4()

    for number in range(30):
        await cache.put_text(scope_of(org_id), MODEL, f"query {number}", VECTOR, key=KEY)
    await cache.put_text(scope_of(other), MODEL, "query", VECTOR, key=KEY)

    kept = await names(redis, org_id, "emb")
    assert len(kept) == 20
    assert len(await names(redis, other, "emb")) == 1
    assert TEXTS_AN_HOUR * await memory_usage(redis, kept[0]) < 4_000_000
    assert await cache.text(scope_of(org_id), MODEL, "query 7", key=KEY) is not None


async def test_an_organization_leaves_no_more_than_its_share_of_turns(redis: RedisClient) -> None:
    cache = RedisQueryCache(redis, turns_at_a_time=20)
    org_id = uuid4()

    for number in range(30):
        await cache.put_turn(org_id, "place", f"turn{number}", VECTOR[None])

    assert len(await names(redis, org_id, "hyde")) == 20


async def test_different_queries_are_counted_up_to_a_bound_and_known_ones_go_on(redis: RedisClient) -> None:
    results = RedisQueryCache(redis, counted=20)
    org_id = uuid4()

    await results.asked(org_id, [(f"{number:032x}", 1) for number in range(30)])
    await results.asked(org_id, [(f"{3:032x}", 2), (f"{25:032x}", 1)])

    kept = await names(redis, org_id, "asked")
    assert len(kept) == 20
    assert COUNTED * await memory_usage(redis, kept[0]) < 1_500_000
    assert (await results.find(org_id, f"{3:032x}"))[1] == 3
    assert (await results.find(org_id, f"{25:032x}"))[1] == 0


async def test_keys_of_repeated_queries_are_kept_up_to_a_bound_and_known_ones_still_tell(redis: RedisClient) -> None:
    cache = RedisQueryCache(redis, keys_a_day=20)
    org_id = uuid4()
    asked = [Once(bytes([number]) * 32, b"a" * 32) for number in range(30)]

    first = [await cache.is_same(org_id, once) for once in asked]
    other = [await cache.is_same(org_id, replace(once, request=b"b" * 32)) for once in asked]

    assert first == [True] * 30
    assert other == [False] * 20 + [True] * 10
    kept = await names(redis, org_id, "request")
    assert len(kept) == 20
    assert KEYS_A_DAY * await memory_usage(redis, kept[0]) < 25_000_000


async def test_a_new_window_admits_again(redis: RedisClient) -> None:
    growth = Growth(redis, "test", most=2, seconds=1)
    org_id = uuid4()

    first = [await growth.admits(org_id) for _ in range(3)]
    await asyncio.sleep(1.1)

    assert first == [True, True, False]
    assert await growth.admits(org_id)


@pytest.mark.parametrize("text", ["Where is the coffee machine?", ""])
async def test_the_name_of_a_vector_tells_its_text_only_with_the_organizations_key(
    redis: RedisClient, text: str
) -> None:
    cache = RedisQueryCache(redis)
    org_id = uuid4()

    await cache.put_text(scope_of(org_id), MODEL, text, VECTOR, key=KEY)

    (name,) = await names(redis, org_id, "emb")
    plain = hashlib.sha256(f"{MODEL}\x00384\x00{text}".encode()).hexdigest()
    assert plain[:24] not in name
    assert await cache.text(scope_of(org_id), MODEL, text, key=b"o" * 32) is None
    assert await cache.text(scope_of(org_id), MODEL, text, key=KEY) is not None


async def test_a_text_that_was_asked_in_another_scope_is_not_known_in_this_one(redis: RedisClient) -> None:
    cache = RedisQueryCache(redis)
    asked = Scope(uuid4(), "project", "production", uuid4(), EndUser("ada"))
    others = [
        replace(asked, end_user=EndUser("bob")),
        replace(asked, end_user=NOBODY),
        replace(asked, end_user=EVERYBODY),
        replace(asked, agent_id=uuid4()),
        replace(asked, agent_id=None),
        replace(asked, project_id="another"),
        replace(asked, environment="staging"),
        replace(asked, org_id=uuid4()),
    ]

    await cache.put_text(asked, MODEL, "Where is the coffee machine?", VECTOR, key=KEY)

    known = [
        await cache.text(scope, MODEL, "Where is the coffee machine?", key=KEY) is not None
        for scope in [asked, *others]
    ]
    assert known == [True, *[False] * len(others)]
