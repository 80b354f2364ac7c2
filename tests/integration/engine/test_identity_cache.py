"""Keys, organizations and agents: from Redis when it has them, from Postgres when it has not or is down."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection
from redis.asyncio import Redis

from local.servers import Cache, PostgresServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import (
    INSTANCE_SECONDS,
    ORGANIZATION_SECONDS,
    REDIS_SECONDS,
    RENEWED_AFTER_SECONDS,
    CachedCredentials,
    CachedDirectory,
)
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import StoreUnavailable
from tests.builders import SetClock
from tests.cache import client_of
from tests.integration.engine.tenant import ENVIRONMENT, PROJECT_ID, Tenant, create_tenant


class Identity:
    """The cached ports of one instance; a new one is a new instance with nothing near at hand."""

    def __init__(self, tenant: Tenant, redis: RedisClient, clock: SetClock | None = None) -> None:
        self.credentials = CachedCredentials(PostgresCredentials(tenant.database), redis, clock or SystemClock())
        self.directory = CachedDirectory(PostgresDirectory(tenant.database), redis, clock or SystemClock())
        self._tenant = tenant

    async def everything(self) -> tuple[Principal | None, Organization | None, Agent | None]:
        return (
            await self.credentials.resolve(self._tenant.key_sha256),
            await self.directory.organization(self._tenant.org_id),
            await self.directory.agent(self._tenant.org_id, self._tenant.agent_id),
        )


@pytest.fixture
async def raw(valkey_server: Cache) -> AsyncIterator["Redis"]:
    client = Redis.from_url(valkey_server.url)
    await client.flushall()
    yield client
    await client.aclose()


async def stored(tenant: Tenant) -> tuple[Principal | None, Organization | None, Agent | None]:
    directory = PostgresDirectory(tenant.database)
    return (
        await PostgresCredentials(tenant.database).resolve(tenant.key_sha256),
        await directory.organization(tenant.org_id),
        await directory.agent(tenant.org_id, tenant.agent_id),
    )


async def test_what_comes_through_the_cache_is_what_the_store_has(
    tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    expected = await stored(tenant)

    first = await Identity(tenant, redis).everything()
    from_redis = await Identity(tenant, redis).everything()

    assert None not in expected
    assert first == expected
    assert from_redis == expected


END = datetime(2100, 1, 1, tzinfo=UTC)


async def test_a_key_with_every_restriction_comes_back_from_redis(
    tenant: Tenant, redis: RedisClient, raw: "Redis", stoppable_postgres: PostgresServer
) -> None:
    restricted = replace(
        tenant.principal,
        sees_all=False,
        end_users=("ann", "team-*"),
        end_user_required=True,
        scopes=frozenset({"query"}),
        expires_at=END,
    )
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            "UPDATE api_keys SET end_users = %s, end_user_required = true, scopes = %s, expires_at = %s",
            (["ann", "team-*"], ["query"], END),
        )
    await Identity(tenant, redis).everything()
    stoppable_postgres.stop()

    assert await Identity(tenant, redis).credentials.resolve(tenant.key_sha256) == restricted


async def test_keys_and_agents_that_redis_has_need_no_postgres(
    tenant: Tenant, redis: RedisClient, raw: "Redis", stoppable_postgres: PostgresServer
) -> None:
    principal, _, agent = await stored(tenant)
    await Identity(tenant, redis).everything()
    stoppable_postgres.stop()
    identity = Identity(tenant, redis)

    assert await identity.credentials.resolve(tenant.key_sha256) == principal
    assert await identity.directory.agent(tenant.org_id, tenant.agent_id) == agent


async def test_an_organization_with_its_term_key_is_never_in_redis(
    tenant: Tenant, redis: RedisClient, raw: "Redis", stoppable_postgres: PostgresServer
) -> None:
    """Whoever reads the index and Redis must not learn words."""
    await Identity(tenant, redis).everything()
    values = [await raw.get(one) or b"" for one in await raw.keys()]
    stoppable_postgres.stop()

    with pytest.raises(StoreUnavailable):
        await Identity(tenant, redis).directory.organization(tenant.org_id)

    assert values
    assert not [
        value for value in values if tenant.term_key.hex() in str(value) or repr(tenant.term_key)[2:-1] in str(value)
    ]


async def test_what_is_near_at_hand_needs_neither(
    tenant: Tenant, stoppable_valkey: Cache, stoppable_postgres: PostgresServer
) -> None:
    redis = client_of(stoppable_valkey)
    identity = Identity(tenant, redis, SetClock(datetime.now(UTC)))
    expected = await identity.everything()
    stoppable_postgres.stop()
    stoppable_valkey.stop()

    assert await identity.everything() == expected
    await redis.close()


async def test_a_revoked_key_ends_within_the_instances_seconds_when_it_leaves_redis(
    tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    clock = SetClock(datetime.now(UTC))
    identity = Identity(tenant, redis, clock)
    assert await identity.credentials.resolve(tenant.key_sha256) is not None
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE api_keys SET revoked_at = now()")
    await raw.flushall()

    clock.seconds += INSTANCE_SECONDS + 0.001

    assert await identity.credentials.resolve(tenant.key_sha256) is None


async def test_a_revoked_key_ends_on_every_warm_instance_within_five_seconds(
    tenant: Tenant, redis: RedisClient
) -> None:
    clock = SetClock(datetime.now(UTC))
    here, elsewhere = (Identity(tenant, redis, clock).credentials for _ in range(2))
    before = [await one.resolve(tenant.key_sha256) for one in (here, elsewhere)]
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE api_keys SET revoked_at = now()")

    await here.revoke(tenant.key_sha256)
    at_once = await here.resolve(tenant.key_sha256)
    clock.seconds += INSTANCE_SECONDS + 0.001
    soon = await elsewhere.resolve(tenant.key_sha256)

    assert None not in before
    assert at_once is None
    assert soon is None
    assert INSTANCE_SECONDS < 5


async def test_an_agent_that_is_switched_off_is_corrected_by_id_and_by_name(tenant: Tenant, redis: RedisClient) -> None:
    """Here at once, and on other instances when what they keep themselves has ended."""
    here, clock = Identity(tenant, redis).directory, SetClock()
    there = Identity(tenant, redis, clock).directory
    principal = tenant.principal

    async def seen(directory: CachedDirectory) -> list[bool]:
        found = await directory.agent(tenant.org_id, tenant.agent_id), await directory.agent_named(principal, "agent")
        return [agent.uses_memories for agent in found if agent is not None]

    before = [await seen(here), await seen(there)]
    switched = await PostgresDirectory(tenant.database).switch(principal, tenant.agent_id, enabled=False)
    assert switched is not None
    await here.correct(switched, principal)
    at_once = await seen(here)
    clock.seconds += INSTANCE_SECONDS + 0.1

    assert before == [[True, True]] * 2
    assert [at_once, await seen(there)] == [[False, False]] * 2


async def test_with_redis_down_the_store_answers(tenant: Tenant, stoppable_valkey: Cache) -> None:
    redis = client_of(stoppable_valkey)
    stoppable_valkey.stop()

    assert await Identity(tenant, redis).everything() == await stored(tenant)
    await redis.close()


async def test_with_both_down_the_store_is_unavailable(
    tenant: Tenant, stoppable_valkey: Cache, stoppable_postgres: PostgresServer
) -> None:
    redis = client_of(stoppable_valkey)
    identity = Identity(tenant, redis)
    stoppable_valkey.stop()
    stoppable_postgres.stop()

    with pytest.raises(StoreUnavailable):
        await identity.credentials.resolve(tenant.key_sha256)
    with pytest.raises(StoreUnavailable):
        await identity.directory.organization(tenant.org_id)
    with pytest.raises(StoreUnavailable):
        await identity.directory.agent(tenant.org_id, tenant.agent_id)
    await redis.close()


async def test_the_unknown_is_not_cached_so_that_the_new_works_at_once(
    migrated: PostgresServer, tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    identity = Identity(tenant, redis)
    key = sha256(uuid4().bytes).digest()
    agent_id = uuid4()

    before = (await identity.credentials.resolve(key), await identity.directory.agent(tenant.org_id, agent_id))
    kept = await raw.keys()
    await PostgresDirectory(tenant.database).create(tenant.principal, agent_id, "new")
    newcomer = await create_tenant(migrated.owner_url, tenant.database)
    after = await identity.directory.agent(tenant.org_id, agent_id)

    assert before == (None, None)
    assert kept == []
    assert after is not None
    assert await identity.credentials.resolve(newcomer.key_sha256) == replace(newcomer.principal, sees_all=False)


async def test_anothers_agent_is_never_found_even_when_it_is_cached(
    tenant: Tenant, stranger: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    identity = Identity(tenant, redis)
    await identity.everything()

    assert await identity.directory.agent(stranger.org_id, tenant.agent_id) is None


async def test_every_key_lives_for_a_time(tenant: Tenant, redis: RedisClient, raw: "Redis") -> None:
    await Identity(tenant, redis).everything()

    lives = [await raw.ttl(one) for one in await raw.keys()]

    assert len(lives) == 2
    assert all(0 < life <= REDIS_SECONDS for life in lives)


@pytest.mark.parametrize(
    "garbage",
    [b"", b"3", b"3not json", b"3{}", b"3[]", b"2null", b'3[0, {"org_id": 3}]', b'3["x", null]', b"3\xff\xfe", b"2{}"],
)
async def test_an_unreadable_value_is_a_miss_and_replaced(
    tenant: Tenant, redis: RedisClient, raw: "Redis", garbage: bytes
) -> None:
    expected = await stored(tenant)
    await Identity(tenant, redis).everything()
    for one in await raw.keys():
        await raw.set(one, garbage)

    assert await Identity(tenant, redis).everything() == expected
    assert garbage not in [await raw.get(one) for one in await raw.keys()]


async def test_a_cached_agent_keeps_its_identity(tenant: Tenant, redis: RedisClient, raw: "Redis") -> None:
    await Identity(tenant, redis).everything()

    agent = await Identity(tenant, redis).directory.agent(tenant.org_id, tenant.agent_id)

    assert agent is not None
    assert isinstance(agent.agent_id, UUID)
    assert agent.created_at is not None
    assert agent.created_at.tzinfo is not None


class HangingRedis(RedisClient):
    """Takes what it is asked, and never answers."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.Event().wait()
        return None


async def test_a_redis_that_hangs_is_not_waited_for(tenant: Tenant, valkey_server: Cache) -> None:
    redis = HangingRedis(valkey_server.url)

    everything = await asyncio.wait_for(Identity(tenant, redis).everything(), 30)

    assert everything == await stored(tenant)
    await redis.close()


class LateRedis(RedisClient):
    """Answers after the store was asked too."""

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0.2)
        return await super().get(key)


@pytest.mark.parametrize("store", ["hangs", "is down"])
async def test_what_redis_says_late_counts_where_the_store_says_nothing(
    tenant: Tenant, redis: RedisClient, valkey_server: Cache, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = await Identity(tenant, redis).everything()
    late = LateRedis(valkey_server.url, timeout_ms=5000)

    async def silent(*_: Any) -> Any:
        if store == "is down":
            raise StoreUnavailable("down", cause="OperationalError")
        await asyncio.Event().wait()

    monkeypatch.setattr(PostgresCredentials, "resolve", silent)
    monkeypatch.setattr(PostgresDirectory, "agent", silent)
    credentials = CachedCredentials(PostgresCredentials(tenant.database), late, SystemClock(), wait_seconds=0.02)
    directory = CachedDirectory(PostgresDirectory(tenant.database), late, SystemClock(), wait_seconds=0.02)
    async with asyncio.timeout(30):
        principal = await credentials.resolve(tenant.key_sha256)
        agent = await directory.agent(tenant.org_id, tenant.agent_id)

    assert (principal, agent) == (known[0], known[-1])
    await late.close()


async def test_what_the_store_said_before_redis_could_is_in_redis_afterwards(
    tenant: Tenant, redis: RedisClient, valkey_server: Cache, raw: "Redis"
) -> None:
    late = LateRedis(valkey_server.url, timeout_ms=5000)
    credentials = CachedCredentials(PostgresCredentials(tenant.database), late, SystemClock(), wait_seconds=0)

    await credentials.resolve(tenant.key_sha256)
    before = await raw.keys("key:*")
    async with asyncio.timeout(30):
        while not await raw.keys("key:*"):
            await asyncio.sleep(0.01)

    assert before == []
    await late.close()


async def test_what_redis_has_had_for_long_is_read_again_beside_the_request(
    tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    clock = SetClock(start=None)
    known = await Identity(tenant, redis).everything()
    for name in await raw.keys():
        await raw.expire(name, 100)
    clock.seconds = RENEWED_AFTER_SECONDS - 10
    await Identity(tenant, redis, clock).everything()
    await asyncio.sleep(0.2)
    young = [await raw.ttl(name) for name in await raw.keys()]

    clock.seconds = RENEWED_AFTER_SECONDS + 10
    asked = await Identity(tenant, redis, clock).everything()
    async with asyncio.timeout(30):
        while min([await raw.ttl(name) for name in await raw.keys()]) <= 100:
            await asyncio.sleep(0.01)

    assert asked == known
    assert max(young) <= 100


async def test_a_key_whose_revocation_redis_missed_ends_when_it_is_read_again(
    tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    clock = SetClock(start=None)
    await Identity(tenant, redis).everything()
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE api_keys SET revoked_at = now()")
    clock.seconds = RENEWED_AFTER_SECONDS + 10

    before = await Identity(tenant, redis, clock).credentials.resolve(tenant.key_sha256)
    async with asyncio.timeout(30):
        while await Identity(tenant, redis, clock).credentials.resolve(tenant.key_sha256):
            await asyncio.sleep(0.01)

    assert before is not None


async def test_a_name_whose_agent_is_gone_may_be_another_ones(
    tenant: Tenant, redis: RedisClient, raw: "Redis", observer: AsyncConnection[Any]
) -> None:
    """As where an erasure has deleted the agent, and Redis is not swept yet."""
    clock, principal = SetClock(start=None), tenant.principal
    store = PostgresDirectory(tenant.database)

    async def found() -> Agent | None:
        return await Identity(tenant, redis, clock).directory.agent_named(principal, "support")

    async def made() -> Agent:
        agent = await store.create(principal, uuid4(), "support")
        assert agent is not None
        return agent

    old = await made()
    assert await found() == old
    await observer.execute("DELETE FROM agents WHERE agent_id = %s", [old.agent_id])
    new = await made()
    await Identity(tenant, redis, clock).directory.correct(new, principal)
    corrected = await found()
    await observer.execute("DELETE FROM agents WHERE agent_id = %s", [new.agent_id])
    clock.seconds = RENEWED_AFTER_SECONDS + 10
    await found()
    async with asyncio.timeout(30):
        while await raw.keys("*agent_name*"):
            await asyncio.sleep(0.01)
    newest = await made()

    assert corrected == new
    assert await found() == newest


class SilentDirectory(PostgresDirectory):
    """The store's own, until it is told to hang, to be down, or to be slow with a changed organization."""

    fault = ""
    asked = 0
    changed: Organization | None = None

    async def organization(self, org_id: UUID) -> Organization | None:
        self.asked += 1
        match self.fault:
            case "hangs":
                await asyncio.Event().wait()
            case "is down":
                raise StoreUnavailable("down", cause="OperationalError")
            case "is slow":
                await asyncio.sleep(0.1)
        return self.changed or await super().organization(org_id)


@pytest.mark.parametrize("fault", ["hangs", "is down"])
async def test_an_organization_outlives_a_store_that_says_nothing_for_minutes_and_no_longer(
    tenant: Tenant, redis: RedisClient, fault: str
) -> None:
    clock = SetClock(start=None)
    store = SilentDirectory(tenant.database)
    directory = CachedDirectory(store, redis, clock, wait_seconds=0.02)
    known = await directory.organization(tenant.org_id)

    store.fault = fault
    clock.seconds = ORGANIZATION_SECONDS + 1
    stale = [await directory.organization(tenant.org_id) for _ in range(3)]
    clock.seconds = REDIS_SECONDS + 1
    with pytest.raises((StoreUnavailable, TimeoutError)):
        await asyncio.wait_for(directory.organization(tenant.org_id), 0.5)
    store.fault = ""
    clock.seconds += 60

    assert stale == [known] * 3
    # Once while it is kept, once when it has ended; not by every request: each would wait for it.
    assert store.asked == 3
    assert await directory.organization(tenant.org_id) == known


async def test_a_change_of_an_organization_is_heard_from_a_store_that_is_slow(
    tenant: Tenant, redis: RedisClient
) -> None:
    clock = SetClock(start=None)
    store = SilentDirectory(tenant.database)
    directory = CachedDirectory(store, redis, clock, wait_seconds=0.01)
    known = await directory.organization(tenant.org_id)
    assert known is not None

    store.changed = replace(known, term_key=b"another")
    store.fault = "is slow"
    clock.seconds = ORGANIZATION_SECONDS + 1
    first = await directory.organization(tenant.org_id)
    async with asyncio.timeout(30):
        while await directory.organization(tenant.org_id) != store.changed:
            await asyncio.sleep(0.01)

    assert first == known


async def test_requests_that_come_together_look_a_key_up_once(tenant: Tenant, redis: RedisClient, raw: "Redis") -> None:
    asked = 0

    class Counting(PostgresCredentials):
        async def resolve(self, key_sha256: bytes) -> Principal | None:
            nonlocal asked
            asked += 1
            return await super().resolve(key_sha256)

    credentials = CachedCredentials(Counting(tenant.database), redis, SystemClock())

    found = await asyncio.gather(*(credentials.resolve(tenant.key_sha256) for _ in range(20)))

    assert found == [replace(tenant.principal, sees_all=False)] * 20
    assert asked == 1


async def test_a_key_that_is_being_read_when_it_is_revoked_is_not_kept(
    tenant: Tenant, redis: RedisClient, raw: "Redis"
) -> None:
    reading, revoked = asyncio.Event(), asyncio.Event()

    class Slow(PostgresCredentials):
        async def resolve(self, key_sha256: bytes) -> Principal | None:
            found = await super().resolve(key_sha256)
            reading.set()
            await revoked.wait()
            return found

    credentials = CachedCredentials(Slow(tenant.database), redis, SetClock())
    before = asyncio.ensure_future(credentials.resolve(tenant.key_sha256))
    await reading.wait()
    await credentials.revoke(tenant.key_sha256)
    revoked.set()

    assert await before is not None
    assert await credentials.resolve(tenant.key_sha256) is None


@pytest.mark.parametrize("name", ["ann", "Noël, \N{SNOWMAN}"])
async def test_an_end_users_time_zone_is_kept_and_replaced(tenant: Tenant, redis: RedisClient, name: str) -> None:
    """That none is set is kept as well; the name stands in no key."""
    clock = SetClock()
    here, there = (CachedDirectory(PostgresDirectory(tenant.database), redis, clock) for _ in range(2))
    place = (tenant.org_id, PROJECT_ID, ENVIRONMENT, name)
    stored = PostgresDirectory(tenant.database)

    before = await here.time_zone(*place)
    await stored.set_time_zone(tenant.principal, name, "Asia/Tokyo")
    kept = await here.time_zone(*place)
    await here.correct_time_zone(tenant.principal, name, "Asia/Tokyo")
    corrected = [await directory.time_zone(*place) for directory in (here, there)]
    await stored.set_time_zone(tenant.principal, name, None)
    await here.correct_time_zone(tenant.principal, name, None)

    assert (before, kept, corrected, await here.time_zone(*place)) == (None, None, ["Asia/Tokyo"] * 2, None)
    assert [key for key in await redis.names(f"{tenant.org_id}:end_user:*") if name in key] == []
