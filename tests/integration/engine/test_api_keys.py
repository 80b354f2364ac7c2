"""API keys: made, shown once, listed, and revoked on every warm instance within seconds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from local.servers import Cache
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import INSTANCE_SECONDS, CachedCredentials
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.errors import Forbidden, NotFound, StoreUnavailable
from remembrancer.keys import fingerprint
from remembrancer.usecases.identity.key_keeper import KeyKeeper
from tests.builders import SetClock
from tests.cache import client_of
from tests.integration.engine.tenant import Tenant

END = datetime(2100, 1, 1, tzinfo=UTC)


class WarmInstance:
    """One of several instances with a cache of its own, and the same Redis and Postgres."""

    def __init__(self, tenant: Tenant, redis: RedisClient) -> None:
        self.clock = SetClock(datetime.now(UTC))
        self.credentials = CachedCredentials(PostgresCredentials(tenant.database), redis, self.clock)
        self.keeper = KeyKeeper(PostgresApiKeys(tenant.database), self.credentials.revoke, uuid4)

    async def lets_in(self, text: str) -> bool:
        return await self.credentials.resolve(fingerprint(text)) is not None


@pytest.fixture
def instances(tenant: Tenant, redis: RedisClient) -> tuple[WarmInstance, WarmInstance]:
    return WarmInstance(tenant, redis), WarmInstance(tenant, redis)


EVERYTHING = KeyRequest("proxy", ("query", "write"), ("ada", "team-*"), True, RateLimit(2.5, 7), END)


async def test_a_new_key_is_a_principal_with_all_that_was_asked_for(
    tenant: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, second = instances

    key, text = await first.keeper.create(tenant.principal, EVERYTHING)

    expected = Principal(
        tenant.org_id,
        tenant.principal.project_id,
        tenant.principal.environment,
        key.key_id,
        frozenset({"query", "write"}),
        ("ada", "team-*"),
        True,
        limit=RateLimit(2.5, 7),
        expires_at=END,
    )
    assert await first.credentials.resolve(fingerprint(text)) == expected
    assert await second.credentials.resolve(fingerprint(text)) == expected
    assert text.startswith("rk_")
    assert text not in repr(await first.keeper.list(tenant.principal))


async def test_a_revoked_key_ends_on_two_warm_instances_within_five_seconds(
    tenant: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, second = instances
    key, text = await first.keeper.create(tenant.principal, EVERYTHING)
    assert await first.lets_in(text)
    assert await second.lets_in(text)

    revoked = await first.keeper.revoke(tenant.principal, key.key_id)

    assert revoked.revoked_at is not None
    assert not await first.lets_in(text)
    second.clock.seconds += INSTANCE_SECONDS + 0.001
    assert not await second.lets_in(text)
    assert INSTANCE_SECONDS < 5


async def test_a_key_that_has_expired_is_not_found_and_is_listed(
    tenant: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, second = instances
    ended = SystemClock().now() - timedelta(seconds=1)

    key, text = await first.keeper.create(tenant.principal, replace(EVERYTHING, expires_at=ended))

    assert not await first.lets_in(text)
    assert not await second.lets_in(text)
    assert (key.expires_at, key.revoked_at) == (ended, None)
    assert key in await first.keeper.list(tenant.principal)


async def test_who_read_a_key_before_it_was_revoked_does_not_bring_it_back(
    tenant: Tenant, redis: RedisClient, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, _ = instances
    key, text = await first.keeper.create(tenant.principal, EVERYTHING)

    class RevokedMeanwhile(PostgresCredentials):
        async def resolve(self, key_sha256: bytes) -> Principal | None:
            found = await super().resolve(key_sha256)
            await first.keeper.revoke(tenant.principal, key.key_id)
            return found

    slow = CachedCredentials(RevokedMeanwhile(tenant.database), redis, SetClock(datetime.now(UTC)))
    assert await slow.resolve(fingerprint(text)) is not None

    assert not await WarmInstance(tenant, redis).lets_in(text)


async def test_revoking_again_is_harmless_and_keeps_the_first_moment(
    tenant: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, _ = instances
    key, _ = await first.keeper.create(tenant.principal, EVERYTHING)

    once = await first.keeper.revoke(tenant.principal, key.key_id)
    again = await first.keeper.revoke(tenant.principal, key.key_id)

    assert once == again
    assert once in await first.keeper.list(tenant.principal)


async def test_without_redis_a_revocation_says_that_it_has_to_be_said_again(
    tenant: Tenant, stoppable_valkey: Cache
) -> None:
    redis = client_of(stoppable_valkey)
    instance = WarmInstance(tenant, redis)
    key, _ = await instance.keeper.create(tenant.principal, EVERYTHING)
    stoppable_valkey.stop()

    with pytest.raises(StoreUnavailable):
        await instance.keeper.revoke(tenant.principal, key.key_id)

    await redis.close()


async def test_keys_of_another_place_are_not_there(
    tenant: Tenant, stranger: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, _ = instances
    key, text = await first.keeper.create(tenant.principal, EVERYTHING)

    for asking in (stranger.principal, replace(tenant.principal, environment="staging")):
        with pytest.raises(NotFound):
            await first.keeper.revoke(asking, key.key_id)
        assert key.key_id not in [known.key_id for known in await first.keeper.list(asking)]
    assert await first.lets_in(text)


async def test_who_acts_for_certain_end_users_cannot_make_a_key_for_others(
    tenant: Tenant, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, _ = instances
    restricted = replace(tenant.principal, end_users=("ada",), user_id="ada")
    of_a_token = replace(tenant.principal, user_id="ada", user_is_fixed=True)

    for asking in (restricted, of_a_token):
        with pytest.raises(Forbidden):
            await first.keeper.create(asking, EVERYTHING)
        with pytest.raises(Forbidden):
            await first.keeper.revoke(asking, uuid4())
        with pytest.raises(Forbidden):
            await first.keeper.list(asking)


async def test_an_organizations_limit_is_near_at_hand(
    tenant: Tenant, redis: RedisClient, instances: tuple[WarmInstance, WarmInstance]
) -> None:
    first, second = instances
    assert await first.credentials.limit(tenant.org_id) is None
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE organizations SET rate_per_second = 5", ())
    stored = await PostgresCredentials(tenant.database).limit(tenant.org_id)

    kept = await second.credentials.limit(tenant.org_id)
    await redis.drop(f"{tenant.org_id}:rate_limit")
    renewed = await second.credentials.limit(tenant.org_id)
    second.clock.seconds += INSTANCE_SECONDS + 1

    assert stored == RateLimit(5, 10)
    assert (kept, renewed) == (None, None)
    assert await second.credentials.limit(tenant.org_id) == RateLimit(5, 10)
