"""Uses are counted, once, whether the queue takes them, refuses or hangs, and whether or not Postgres answers."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from local import queues
from local.faults.proxy import FaultProxy
from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.aws.sqs_queue import SEND_SECONDS, SqsQueue
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.errors import StoreError
from remembrancer.runtime.queues.sqs import QueueMessage
from remembrancer.runtime.queues.workers import SideEffectsWorker
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.usage.usage_delivery import MOST_KEPT, UsageDelivery
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.workers import side_effects


@dataclass(frozen=True)
class Rig:
    """One instance's delivery, to a queue whose connection can be broken, and the worker at the queue's other end."""

    tenant: Tenant
    memory_id: UUID
    delivery: UsageDelivery
    worker: SideEffectsWorker
    proxy: FaultProxy
    aws: AwsServer
    queue_url: str
    notes: list[tuple[str, int]] = field(default_factory=list)

    def event(self, **fields: Any) -> dict[str, Any]:
        return {
            "event_id": str(uuid4()),
            "org_id": str(self.tenant.org_id),
            "agent_id": str(self.tenant.agent_id),
            "memory_ids": [str(self.memory_id)],
            "kind": "assembly",
            "at": datetime.now(UTC).isoformat(),
            "session_id": None,
            "user_id": None,
            **fields,
        }

    async def counted(self) -> int:
        """After the worker has had everything that is in the queue."""
        client = queues.connect(self.aws.endpoint_url)
        while messages := client.receive_message(QueueUrl=self.queue_url, MaxNumberOfMessages=10).get("Messages", []):
            bodies = [QueueMessage(one["MessageId"], json.loads(one["Body"]), last_try=False) for one in messages]
            assert await self.worker.consume(bodies) == {}
        client.close()
        ((counted,),) = await self.tenant.fetch("SELECT usage_count FROM memories WHERE memory_id = %s", self.memory_id)
        return int(counted)


@pytest.fixture
async def rig(
    tenant: Tenant, redis: RedisClient, aws_server: AwsServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Rig]:
    for name, value in aws_server.credentials.items():
        monkeypatch.setenv(name, value)
    client = queues.connect(aws_server.endpoint_url)
    url = client.create_queue(QueueName=f"usage-{uuid4()}")["QueueUrl"]
    proxy = FaultProxy(urlsplit(aws_server.endpoint_url).port or 0)
    await proxy.start()
    queue = SqsQueue(url, endpoint_url=f"http://127.0.0.1:{proxy.port}")
    notes: list[tuple[str, int]] = []
    counting = side_effects(tenant.database, redis)
    delivery = UsageDelivery(
        queue, counting, BackgroundReads(SystemClock()), SystemClock(), note=lambda *note: notes.append(note)
    )
    (memory_id,) = await tenant.remember_texts("Fish on Thursdays.")
    worker = SideEffectsWorker(counting, SystemClock())
    yield Rig(tenant, memory_id, delivery, worker, proxy, aws_server, url, notes)
    await queue.close()
    await proxy.stop()
    client.delete_queue(QueueUrl=url)
    client.close()


@pytest.mark.parametrize("fault", ["refuse", "reset", "hang", "garbage", "throttle"])
async def test_a_broken_queue_loses_no_use_and_costs_one_request_its_bound(rig: Rig, fault: Any) -> None:
    await rig.delivery.send([rig.event()])
    await rig.proxy.set(fault)

    seconds = []
    for _ in range(10):
        started = monotonic()
        await rig.delivery.send([rig.event()])
        seconds.append(monotonic() - started)

    ((before_the_worker,),) = await rig.tenant.fetch("SELECT sum(usage_count) FROM memories")
    assert before_the_worker == 10
    assert await rig.counted() == 11
    assert rig.delivery.kept == 0
    if fault == "hang":
        assert seconds[0] < SEND_SECONDS + 1.0
        assert sum(seconds[1:]) < 2.0


async def test_what_the_queue_took_without_saying_so_is_counted_once(rig: Rig) -> None:
    """The message arrives, its answer does not."""
    event = rig.event()
    await SqsQueue(rig.queue_url, endpoint_url=rig.aws.endpoint_url).send([event])
    await rig.proxy.set("hang")

    await rig.delivery.send([event])
    await rig.delivery.send([event])

    assert await rig.counted() == 1


async def test_with_queue_and_postgres_down_uses_are_kept_and_go_out_with_the_next(
    rig: Rig, stoppable_postgres: PostgresServer
) -> None:
    await rig.proxy.set("refuse")
    stoppable_postgres.stop()
    for _ in range(3):
        with pytest.raises(StoreError):
            await rig.delivery.send([rig.event()])
    kept = rig.delivery.kept

    await rig.proxy.set("none")
    stoppable_postgres.start()
    await rig.delivery.send([rig.event()])

    assert (kept, rig.delivery.kept) == (3, 0)
    assert await rig.counted() == 4


async def test_what_is_kept_is_bounded_and_what_is_lost_is_noted(rig: Rig, stoppable_postgres: PostgresServer) -> None:
    await rig.proxy.set("refuse")
    stoppable_postgres.stop()

    with pytest.raises(StoreError):
        await rig.delivery.send([rig.event() for _ in range(MOST_KEPT + 7)])
    stoppable_postgres.start()

    assert rig.delivery.kept == MOST_KEPT
    assert rig.notes == [("UsageLost", 7)]


async def test_what_is_kept_goes_out_when_the_instance_ends(rig: Rig, stoppable_postgres: PostgresServer) -> None:
    await rig.proxy.set("refuse")
    stoppable_postgres.stop()
    with pytest.raises(StoreError):
        await rig.delivery.send([rig.event()])

    await rig.proxy.set("none")
    await rig.delivery.end()
    stoppable_postgres.start()

    assert rig.delivery.kept == 0
    assert rig.notes == []
    assert await rig.counted() == 1


async def test_what_cannot_go_out_when_the_instance_ends_is_noted_as_lost(
    rig: Rig, stoppable_postgres: PostgresServer
) -> None:
    await rig.proxy.set("refuse")
    stoppable_postgres.stop()
    with pytest.raises(StoreError):
        await rig.delivery.send([rig.event(), rig.event()])

    with pytest.raises(StoreError):
        await rig.delivery.end()
    stoppable_postgres.start()

    assert rig.notes == [("UsageLost", 2)]


async def test_an_event_that_nobody_could_count_does_not_hold_up_the_others(rig: Rig) -> None:
    await rig.proxy.set("refuse")

    await rig.delivery.send([rig.event(user_id="x" * 9000), rig.event()])

    assert await rig.counted() == 1
    assert rig.notes == [("UsageLost", 1), ("UsageCountedHere", 1)]
