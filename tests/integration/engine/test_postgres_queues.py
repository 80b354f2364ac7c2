"""Queues in Postgres: nothing acknowledged is lost, nobody waits behind another organization."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from remembrancer.adapters.postgres import queues
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.queues import PostgresDeadLetters, PostgresQueue, Received, backlogs, expire
from remembrancer.ports.system import MOST_RECEIVES
from tests.integration.engine.tenant import Tenant

_names = count()


@pytest.fixture
def name() -> str:
    return f"queue-{next(_names)}"


def messages(tenant: Tenant, number: int) -> list[dict[str, Any]]:
    return [{"org_id": str(tenant.org_id), "memory_id": str(UUID(int=one))} for one in range(number)]


def bodies(received: list[Received]) -> list[Any]:
    return [json.loads(message.body) for message in received]


async def let_time_pass(observer: AsyncConnection[Any], name: str) -> None:
    """As if every message had been away for as long as it is hidden."""
    await observer.execute("UPDATE queue_messages SET visible_at = now() WHERE queue = %s", [name])


async def test_each_message_is_received_once_by_many_workers_at_once(
    database: Database, tenant: Tenant, name: str
) -> None:
    queue = PostgresQueue(database, name)
    await queue.send(messages(tenant, 95))

    async def work() -> list[Any]:
        mine: list[Any] = []
        while received := await queue.receive(10):
            mine += bodies(received)
            await queue.delete(received)
        return mine

    done = [one for of_worker in await asyncio.gather(*(work() for _ in range(6))) for one in of_worker]
    left = [one for one in await backlogs(database) if one.queue == name]

    # A worker that finds all candidates locked ends early, but a message is never handed out twice.
    assert max(Counter(map(str, done)).values()) == 1
    assert len(done) + sum(one.messages for one in left) == 95


async def test_a_message_whose_worker_died_comes_back_and_its_late_deletion_takes_nothing(
    database: Database, tenant: Tenant, name: str, observer: AsyncConnection[Any]
) -> None:
    queue = PostgresQueue(database, name)
    await queue.send(messages(tenant, 1))

    first = await queue.receive(10)
    hidden = await queue.receive(10)
    await let_time_pass(observer, name)
    second = await queue.receive(10)
    await queue.delete(first)
    (left,) = [one for one in await backlogs(database) if one.queue == name]
    await queue.delete(second)

    assert hidden == []
    assert [(one.message_id, one.receives) for one in second] == [(first[0].message_id, 2)]
    assert left.messages == 1
    assert name not in {one.queue for one in await backlogs(database)}


async def test_after_the_last_delivery_a_message_is_a_dead_letter_and_only_there(
    database: Database, tenant: Tenant, name: str, observer: AsyncConnection[Any]
) -> None:
    queue, dead = PostgresQueue(database, name), PostgresDeadLetters(database, [f"{name}.dead"])
    await queue.send(messages(tenant, 1))

    deliveries = 0
    while await queue.receive(10):
        deliveries += 1
        await let_time_pass(observer, name)
    letters, is_all = await dead.receive()
    held, _ = await dead.receive()
    await dead.release(letters)
    again, _ = await dead.receive()
    await dead.delete(again)

    assert deliveries == MOST_RECEIVES
    assert [json.loads(letter.body) for letter in letters] == messages(tenant, 1)
    assert is_all
    assert held == []
    assert [one.handle for one in again] == [one.handle for one in letters]
    assert f"{name}.dead" not in {one.queue for one in await backlogs(database)}


async def test_dead_letters_that_somebody_else_looks_at_are_reported(
    database: Database, tenant: Tenant, name: str
) -> None:
    await PostgresQueue(database, f"{name}.dead").send(messages(tenant, 1))
    dead = PostgresDeadLetters(database, [f"{name}.dead"])

    await dead.receive()
    _, is_all = await dead.receive()

    assert not is_all


async def test_a_delayed_message_is_not_received_before_its_time(
    database: Database, tenant: Tenant, name: str, observer: AsyncConnection[Any]
) -> None:
    queue = PostgresQueue(database, name)
    await queue.send(messages(tenant, 1), delay_seconds=60)

    early = await queue.receive(10)
    await let_time_pass(observer, name)
    later = await queue.receive(10)

    assert early == []
    assert bodies(later) == messages(tenant, 1)


async def test_organizations_take_turns_and_single_messages_do_not_wait_behind_a_bulk(
    database: Database, tenant: Tenant, stranger: Tenant, name: str
) -> None:
    queue = PostgresQueue(database, name)
    await queue.send(messages(tenant, 200))
    await queue.send(messages(stranger, 100))
    single = {"org_id": str(tenant.org_id), "memory_id": "single"}

    await queue.send([single])
    received = bodies(await queue.receive(10))

    assert single in received
    assert Counter(message["org_id"] for message in received)[str(stranger.org_id)] >= 4


async def test_a_message_of_an_organization_that_is_gone_is_dropped_and_the_others_are_sent(
    database: Database, tenant: Tenant, name: str
) -> None:
    queue = PostgresQueue(database, name)

    await queue.send([*messages(tenant, 1), {"org_id": str(uuid4())}])

    assert bodies(await queue.receive(10)) == messages(tenant, 1)


async def test_old_dead_letters_are_deleted_and_messages_are_not(
    database: Database, tenant: Tenant, name: str, observer: AsyncConnection[Any]
) -> None:
    for queue in (name, f"{name}.dead"):
        await PostgresQueue(database, queue).send(messages(tenant, 1))
    await observer.execute(
        "UPDATE queue_messages SET sent_at = now() - interval '15 days' WHERE queue LIKE %s", [f"{name}%"]
    )

    await expire(database)

    assert {one.queue for one in await backlogs(database) if one.queue.startswith(f"{name}.") or one.queue == name} == {
        name
    }


async def test_receiving_reads_few_rows_of_a_long_queue(
    database: Database, tenant: Tenant, name: str, observer: AsyncConnection[Any]
) -> None:
    await PostgresQueue(database, name).send(messages(tenant, 20_000))
    await observer.execute("ANALYZE queue_messages")
    parameters = {"queue": name, "most": 10, "most_receives": 5, "dead": ".dead", "hidden": 60}

    cursor = await observer.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {queues._RECEIVE}", parameters)
    ((plan,),) = await cursor.fetchall()

    read = [node["Actual Rows"] * node["Actual Loops"] for node in nodes(plan[0]["Plan"]) if "Relation Name" in node]
    assert max(read) <= 100


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
