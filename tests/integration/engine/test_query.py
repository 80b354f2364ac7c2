"""The memory query from the use case down to the servers: its steps, their order and their account."""

import pytest

from remembrancer.adapters.redis.client import RedisClient
from tests.integration.engine.query_bench import QueryBench, ids, query_bench
from tests.integration.engine.tenant import Tenant

COFFEE = "The coffee machine is in the kitchen."
TEA = "The tea is beside the coffee machine in the kitchen."
LIFT = "The lift is out of order."


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient) -> QueryBench:
    return query_bench(tenant, redis)


async def test_the_answer_says_what_each_of_the_twelve_steps_did(bench: QueryBench) -> None:
    stored = await bench.tenant.remember_texts(COFFEE, TEA, LIFT)
    await bench.tenant.embed(stored)

    answer = await bench.ask("Where does the coffee machine stand?", k=2)

    assert ids(answer) == stored[:2] or ids(answer) == stored[1::-1]
    assert [step["step"] for step in answer["steps"]] == list(range(1, 13))
    assert answer["degraded"] == []
    assert answer["routing_info"]["candidates"] == 3
    assert bench.sent.messages[0]["memory_ids"] == [str(one) for one in ids(answer)]
