"""A side-effects queue that hangs or refuses costs one answer its bound; every answer's usage is counted, once."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

from local import queues
from local.faults.proxy import FaultProxy
from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.aws.sqs_queue import SEND_SECONDS
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.workers import side_effects_worker
from remembrancer.runtime.queues.sqs import QueueMessage
from tests.cache import cache
from tests.e2e.conftest import Loop
from tests.faults.instance import BOUNDS, FISH, QUESTION, Agent, AssemblyInstance, create_agent

pytestmark = pytest.mark.long

ANSWERS = 20
QUEUED = 8
USES = ("SELECT sum(usage_count)::int8 FROM memories", ())


@dataclass(frozen=True)
class Rig:
    """A warm instance, its queue, and the store that counts."""

    instance: AssemblyInstance
    agent: Agent
    queue: FaultProxy
    database: Database
    loop: Loop

    def counted(self) -> int:
        uses = self.database.read(self.agent.org_id, USES)
        ((rows,),) = (self.loop.run(uses),)
        return int(rows[0][0])


@pytest.fixture
def rig(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    directory = tmp_path_factory.mktemp("usage-queue")
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as valkey,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}.items():
            patch.setenv(name, value)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        agent = loop.run(create_agent(postgres, [FISH]))
        # It hangs or refuses throughout, so that whatever listens behind it hears nothing.
        queue = FaultProxy(valkey.port)
        loop.run(queue.start())
        endpoint = f"http://127.0.0.1:{queue.port}"
        instance = AssemblyInstance(
            agent,
            database_url=postgres.app_url,
            redis_url=valkey.url,
            SIDE_EFFECTS_QUEUE_URL=f"{endpoint}/123456789012/usage",
            AWS_ENDPOINT_URL=endpoint,
            **BOUNDS,
        )
        database = Database(postgres.app_url)
        yield Rig(instance, agent, queue, database, loop)
        loop.run(database.close())
        instance.close()
        loop.run(queue.stop())


@pytest.mark.parametrize("fault", ["hang", "refuse"])
def test_answers_beside_a_broken_queue_do_not_wait_for_each_other_and_each_is_counted(rig: Rig, fault: str) -> None:
    rig.loop.run(rig.queue.set(fault))  # type: ignore[arg-type]

    injected, seconds = 0, []
    for _ in range(ANSWERS):
        answer = rig.instance.assemble(QUESTION)
        injected += answer.metadata["memories_injected"]
        started = time.monotonic()
        rig.instance.deliver_usage()
        seconds.append(time.monotonic() - started)

    assert injected == ANSWERS
    assert rig.counted() == ANSWERS
    # The first loads the library too.
    assert sum(seconds[1:]) < (SEND_SECONDS + 1.0 if fault == "hang" else 5.0)


def test_only_answers_that_were_sent_are_counted_and_each_once_however_often_its_message_comes(
    loop: Loop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As in a stack whose queue is slow: answers that are late become `assembly_timeout`, messages come again."""
    directory = tmp_path_factory.mktemp("usage-queue")
    with (
        PostgresServer(directory / "postgres", durable=False) as postgres,
        cache(directory / "valkey") as valkey,
        AwsServer(directory / "aws") as aws,
        closing(queues.connect(aws.endpoint_url)) as sqs,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in aws.credentials.items():
            patch.setenv(name, value)
        agent = loop.run(create_agent(postgres, [FISH]))
        url = sqs.create_queue(QueueName="usage", Attributes={"VisibilityTimeout": "0"})["QueueUrl"]
        servers = {"database_url": postgres.app_url, "redis_url": valkey.url, "AWS_ENDPOINT_URL": aws.endpoint_url}
        settings = {**BOUNDS, "SIDE_EFFECTS_QUEUE_URL": url}
        instance = AssemblyInstance(agent, **servers, **settings)
        worker = Instance({"DATABASE_URL": postgres.app_url, "REDIS_URL": valkey.url})

        told = late = 0
        for number in range(QUEUED):
            # Later than the handler waits, not than the answer was made: the loop has counted it already.
            instance.late_by_ms = 2 * float(BOUNDS["ASSEMBLY_MS"]) if number % 4 == 1 else 0.0
            answer = instance.assemble(QUESTION)
            told += answer.metadata["memories_injected"]
            late += answer.reason == "assembly_timeout"
            instance.deliver_usage()
        for _ in range(3):
            # What was handled and not deleted comes again.
            received = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
            bodies = [QueueMessage(one["MessageId"], json.loads(one["Body"]), last_try=False) for one in received]
            assert worker.loop.run(side_effects_worker(worker).consume(bodies)) == {}
        (((counted,),),) = worker.loop.run(worker.database.read(agent.org_id, USES))
        for store in (worker.database, worker.redis):
            worker.loop.run(store.close())
        instance.close()

    assert late == QUEUED // 4
    assert (told, counted) == (QUEUED - late, QUEUED - late)
