"""Names of agents near at hand: as many questions to the servers as ids cost, and never another place's agent."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.identity_cache import INSTANCE_SECONDS, CachedDirectory
from remembrancer.adapters.redis.sweep import RedisSweep
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.scope import Principal
from tests.integration.engine.tenant import Tenant

NAME = "Concierge"


class Asked(PostgresDirectory):
    """Counts what it is asked."""

    count = 0

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        self.count += 1
        return await super().agent_named(principal, name)


class LaterClock(SystemClock):
    """May be put forward."""

    ahead = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead


class Instance:
    """One that has just started."""

    def __init__(self, tenant: Tenant, redis: RedisClient) -> None:
        self.store = Asked(tenant.database)
        self.clock = LaterClock()
        # What Redis says late would be asked of the store as well, on a busy machine.
        self.directory = CachedDirectory(self.store, redis, self.clock, wait_seconds=20)

    async def find(self, principal: Principal, name: str = NAME) -> UUID | None:
        found = await self.directory.agent_named(principal, name)
        return found.agent_id if found else None


async def test_a_name_is_asked_of_the_store_once_by_all_instances(tenant: Tenant, redis: RedisClient) -> None:
    named = await tenant.with_agent(NAME)
    first, second = Instance(tenant, redis), Instance(tenant, redis)

    found = [await instance.find(named.principal) for instance in (first, first, second, second)]

    assert found == [named.agent_id] * 4
    assert (first.store.count, second.store.count) == (1, 0)


async def test_a_name_in_hand_is_asked_of_nobody(
    tenant: Tenant, redis: RedisClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = await tenant.with_agent(NAME)
    instance = Instance(tenant, redis)
    await instance.find(named.principal)

    async def refused(*_: Any) -> None:
        raise AssertionError("Redis was asked")

    monkeypatch.setattr(redis, "get", refused)

    assert await instance.find(named.principal) == named.agent_id
    assert instance.store.count == 1


async def test_the_id_of_a_name_is_remembered_for_longer_than_it_is_believed(
    tenant: Tenant, redis: RedisClient
) -> None:
    named = await tenant.with_agent(NAME)
    instance = Instance(tenant, redis)
    principal = named.principal
    before = instance.directory.remembered_id(principal, NAME)
    await instance.find(principal)
    instance.clock.ahead = INSTANCE_SECONDS + 3600

    assert before is None
    assert instance.directory.remembered_id(principal, NAME) == named.agent_id
    assert instance.directory.remembered_id(replace(principal, environment="development"), NAME) is None
    assert instance.directory.remembered_id(replace(principal, project_id="another"), NAME) is None
    assert instance.directory.remembered_id(replace(principal, org_id=uuid4()), NAME) is None


async def test_a_name_that_is_unknown_is_not_cached_so_that_the_new_agent_works_at_once(
    tenant: Tenant, redis: RedisClient
) -> None:
    instance = Instance(tenant, redis)
    before = await instance.find(tenant.principal)
    named = await tenant.with_agent(NAME)

    assert before is None
    assert await instance.find(tenant.principal) == named.agent_id


async def test_a_cached_name_is_no_other_places(tenant: Tenant, stranger: Tenant, redis: RedisClient) -> None:
    named = await tenant.with_agent(NAME)
    instance = Instance(tenant, redis)
    await instance.find(named.principal)

    assert await instance.find(stranger.principal) is None
    assert await instance.find(replace(named.principal, environment="development")) is None


async def test_erasing_an_agent_drops_the_names_and_what_is_remembered_follows(
    tenant: Tenant, redis: RedisClient
) -> None:
    old = await tenant.with_agent(NAME)
    instance = Instance(tenant, redis)
    await instance.find(old.principal)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("DELETE FROM agents WHERE agent_id = %s", [old.agent_id])
    new = await tenant.with_agent(NAME)

    await RedisSweep(redis).sweep(tenant.org_id, old.agent_id, [], text_only=False)
    instance.clock.ahead = INSTANCE_SECONDS + 1

    assert await instance.find(new.principal) == new.agent_id
    assert instance.directory.remembered_id(new.principal, NAME) == new.agent_id
