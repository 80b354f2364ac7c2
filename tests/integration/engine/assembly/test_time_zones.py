"""Whose days a question speaks of: those of the request's time zone, the end user's, the agent's, or UTC's."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.redis.identity_cache import CachedDirectory
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.identity.scope import EndUser
from tests.builders import message
from tests.integration.engine.assembly.bench import Bench
from tests.integration.engine.assembly.test_time import ready

EAST, WEST = "Pacific/Kiritimati", "Etc/GMT+12"
"""26 hours apart: their yesterdays are never the same."""
QUESTION = "Where was the coffee machine yesterday?"


def yesterday_in(zone: str, but_not_in: str) -> datetime:
    """An hour of yesterday there, and of another day elsewhere."""
    now = SystemClock().now()

    def is_yesterday(moment: datetime, name: str) -> bool:
        here = ZoneInfo(name)
        return moment.astimezone(here).date() == now.astimezone(here).date() - timedelta(days=1)

    hour = now.astimezone(UTC).replace(minute=30, second=0, microsecond=0)
    hours = [hour - timedelta(hours=back) for back in range(1, 72)]
    return next(one for one in hours if is_yesterday(one, zone) and not is_yesterday(one, but_not_in))


async def remembered(bench: Bench, zone: str, but_not_in: str) -> UUID:
    """Something that was so for a moment of yesterday there."""
    moment = yesterday_in(zone, but_not_in)
    (attic,) = await bench.tenant.remember_texts(
        "The coffee machine was in the attic.", occurred_from=moment, occurred_to=moment
    )
    await bench.tenant.embed([attic])
    return attic


async def asked(
    bench: Bench, options: AssemblyOptions, *, user_id: str | None = None, zone: str | None = None
) -> set[UUID]:
    request = bench.request(options=options, messages=[message(QUESTION)], end_user=EndUser(user_id), time_zone=zone)
    return {*(await bench.assemble(request)).memory_ids}


async def set_zones(bench: Bench, *, agents: str, end_users: str | None) -> None:
    """As the API does; an empty name removes the agent's."""
    tenant, cached = bench.tenant, bench.assembler.directory
    agent = await PostgresDirectory(tenant.database).switch(tenant.principal, tenant.agent_id, time_zone=agents)
    await PostgresDirectory(tenant.database).set_time_zone(tenant.principal, "ann", end_users)
    if isinstance(cached, CachedDirectory):
        assert agent is not None
        await cached.correct(agent, tenant.principal)
        await cached.correct_time_zone(tenant.principal, "ann", end_users)


@pytest.mark.parametrize("place", ["postgres", "vectors", "words", "map", "hot"])
async def test_yesterday_is_that_of_the_requests_time_zone(bench: Bench, place: str) -> None:
    attic = await remembered(bench, EAST, WEST)
    options = AssemblyOptions(skip=await ready(bench, place, attic, bench.coffee), relevance_floor=0.0)

    assert attic in await asked(bench, options, zone=EAST)
    assert attic not in await asked(bench, options, zone=WEST)


async def test_the_requests_zone_counts_before_the_end_users_and_that_before_the_agents(bench: Bench) -> None:
    attic, options = await remembered(bench, EAST, WEST), AssemblyOptions(skip=("hot",), relevance_floor=0.0)
    found = []

    for agents, end_users, requests in (
        ("", None, EAST),
        (EAST, None, None),
        (WEST, EAST, None),
        (EAST, WEST, None),
        (WEST, WEST, EAST),
        (EAST, EAST, WEST),
    ):
        await set_zones(bench, agents=agents, end_users=end_users)
        found.append(attic in await asked(bench, options, user_id="ann", zone=requests))

    assert found == [True, True, True, False, True, False]


async def test_the_end_users_zone_is_no_other_end_users(bench: Bench) -> None:
    attic, options = await remembered(bench, EAST, WEST), AssemblyOptions(skip=("hot",), relevance_floor=0.0)
    await set_zones(bench, agents=WEST, end_users=EAST)

    assert attic in await asked(bench, options, user_id="ann")
    assert attic not in await asked(bench, options, user_id="bob")
    assert attic not in await asked(bench, options)


async def test_a_turn_is_remembered_for_each_time_zone(bench: Bench) -> None:
    attic, options = await remembered(bench, EAST, WEST), AssemblyOptions(relevance_floor=0.0)
    turn = bench.request(options=options, messages=[message(QUESTION)], session_id="session", turn_id="turn")

    answers = [await bench.assemble(one) for one in (replace(turn, time_zone=EAST), replace(turn, time_zone=WEST))]

    assert [attic in answer.memory_ids for answer in answers] == [True, False]
