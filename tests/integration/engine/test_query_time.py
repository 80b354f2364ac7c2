"""Memory queries about a time: every source, sub-turns, popular answers and relations."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.retrieval import query
from remembrancer.errors import InvalidRequest
from tests.builders import SetClock
from tests.integration.engine.assembly.test_time_zones import EAST, WEST, yesterday_in
from tests.integration.engine.query_bench import QueryBench, ids, query_bench
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.test_query_popular import ask, hit

ENDED = datetime(2024, 3, 31, tzinfo=UTC)
AS_OF: dict[str, Any] = {"as_of": "2023-01-01"}
NOW: dict[str, Any] = {}


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient) -> QueryBench:
    return query_bench(tenant, redis)


async def remembered(bench: QueryBench) -> list[Any]:
    """What was so until 2024, and what is so since then."""
    hall = await bench.tenant.remember_texts("The coffee machine is in the hall.", occurred_to=ENDED)
    cellar = await bench.tenant.remember_texts("The coffee machine stands in the cellar.", occurred_from=ENDED)
    await bench.tenant.embed([*hall, *cellar])
    return [*hall, *cellar]


@pytest.mark.parametrize("tier", ["low", "medium", "high"])
async def test_a_query_returns_what_is_true_at_the_time_that_it_asks_for(bench: QueryBench, tier: str) -> None:
    both = await remembered(bench)

    answers = [
        await ask(bench, computation_tier=tier),
        await ask(bench, computation_tier=tier, **AS_OF),
        await bench.ask("Where was the coffee machine in 2023?", computation_tier=tier),
    ]

    assert [[one in ids(answer) for one in both] for answer in answers] == [[False, True], [True, False], [True, True]]
    (old,) = [one for one in answers[1]["memories"] if one["id"] == str(both[0])]
    assert (old["occurred_from"], old["occurred_to"], old["conflicts"]) == (None, ENDED.isoformat(), [])


async def test_answers_are_kept_for_each_time_and_end_with_it(bench: QueryBench) -> None:
    both = await remembered(bench)
    soon = datetime.now(UTC) + timedelta(hours=1)
    (tea,) = await bench.tenant.remember_texts("Tea comes out of the coffee machine too.", occurred_to=soon)
    later = replace(bench, queries=replace(bench.queries, clock=SetClock(start=None, seconds=2 * 3600)))

    now, then = await ask(bench, 4), await ask(bench, 4, **AS_OF)
    after = await ask(later)

    assert hit(now) and hit(then) and not hit(after)
    assert [[one in ids(answer) for one in (*both, tea)] for answer in (now, then, after)] == [
        [False, True, True],
        [True, False, True],
        [False, True, False],
    ]


async def test_an_answer_kept_for_another_time_is_not_given_although_all_of_it_is_true_now(bench: QueryBench) -> None:
    (tea,) = await bench.tenant.remember_texts("Tea comes out of the coffee machine too.")
    (cellar,) = await bench.tenant.remember_texts("The coffee machine stands in the cellar.", occurred_from=ENDED)

    then, now = await ask(bench, 4, **AS_OF), await ask(bench)

    assert (hit(then), hit(now)) == (True, False)
    assert [{tea, cellar} & {*ids(answer)} for answer in (then, now)] == [{tea}, {tea, cellar}]


async def test_sub_turns_are_remembered_for_each_time(bench: QueryBench) -> None:
    both = await remembered(bench)
    turn: dict[str, Any] = {"session_id": "session", "turn_id": "turn"}

    answers = [await ask(bench, **turn, **time) for time in (NOW, AS_OF, NOW, AS_OF)]

    strategies = [answer["routing_info"]["vector_strategy"] for answer in answers]
    assert strategies[2:] == ["turn_cache", "turn_cache"]
    assert "turn_cache" not in strategies[:2]
    assert [[one in ids(answer) for one in both] for answer in answers] == [[False, True], [True, False]] * 2


async def test_a_relation_leads_to_nothing_that_has_ended(bench: QueryBench) -> None:
    both = await remembered(bench)
    (lift,) = await bench.tenant.remember_texts("The lift is out of order.")
    for one in both:
        await PostgresMemoryLife(bench.tenant.database).relate(
            bench.tenant.principal, Relation(uuid4(), lift, one, "supports", 0.9)
        )

    answer = await bench.ask("lift", traversal_depth=2, k=1, computation_tier="high")

    assert [one in ids(answer) for one in both] == [False, True]


@pytest.mark.parametrize("of", ["request", "end user", "agent"])
async def test_a_query_speaks_of_days_in_the_time_zone(bench: QueryBench, of: str) -> None:
    tenant, moment = bench.tenant, yesterday_in(EAST, but_not_in=WEST)
    (attic,) = await tenant.remember_texts(
        "The coffee machine was in the attic.", occurred_from=moment, occurred_to=moment
    )
    directory = PostgresDirectory(tenant.database)
    found = []

    for zone in (EAST, WEST):
        if of == "agent":
            await directory.switch(tenant.principal, tenant.agent_id, time_zone=zone)
        if of == "end user":
            await directory.set_time_zone(tenant.principal, "ann", zone)
        ann = replace(tenant.principal, user_id="ann")
        asked: dict[str, Any] = {"time_zone": zone} if of == "request" else {}
        answer = await bench.ask("Where was the coffee machine yesterday?", principal=ann, **asked)
        found.append(attic in ids(answer))

    assert found == [True, False]


def test_a_time_that_is_none_names_its_field() -> None:
    with pytest.raises(InvalidRequest) as refused:
        query.parse({"query": "x", "as_of": "then"})

    assert refused.value.fields == {"as_of": "must be an ISO 8601 date-time"}


@pytest.mark.parametrize("zone", ["Mars/Base", "", "europe/berlin"])
def test_a_time_zone_that_is_none_names_its_field(zone: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        query.parse({"query": "x", "time_zone": zone})

    assert set(refused.value.fields) == {"time_zone"}
