"""Queue triggers on a real SQS server with real function processes; a schedule's events as well."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from local import queues, sqs_event
from local.lambda_.instance import Sandbox
from local.lambda_.invocation import Delayed, FunctionError, InvokeResult
from local.lambda_.pool import FunctionPool
from local.queues import DrainTimeoutError, QueuePoller, drain
from local.schedules import Rate
from local.servers.aws import AwsServer
from local.template import FunctionSpec, QueueSpec, QueueTrigger, Schedule

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

FUNCTIONS = Path(__file__).parents[3] / "tests" / "functions_for_tests"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[SQSClient]":
    server = AwsServer(tmp_path_factory.mktemp("aws"))
    server.start()
    client = queues.connect(server.endpoint_url)
    yield client
    client.close()
    server.stop()


@dataclass(frozen=True, slots=True)
class Trigger:
    """A queue with a dead-letter queue, and the function that its messages go to."""

    client: "SQSClient"
    url: str
    dead_letter_url: str
    pool: FunctionPool
    poller: QueuePoller
    journal: Path

    def send(self, *bodies: Any) -> None:
        for start in range(0, len(bodies), 10):
            entries = [
                {"Id": str(index), "MessageBody": json.dumps(body)}
                for index, body in enumerate(bodies[start : start + 10])
            ]
            self.client.send_message_batch(QueueUrl=self.url, Entries=entries)  # type: ignore[arg-type]

    def batches(self) -> list[list[Any]]:
        """The bodies of each batch that the function got."""
        return [batch["bodies"] for batch in self.events()]

    def events(self) -> list[dict[str, Any]]:
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        return [json.loads(line) for line in lines]

    def dead_letters(self) -> list[Any]:
        messages = self.client.receive_message(QueueUrl=self.dead_letter_url, MaxNumberOfMessages=10).get(
            "Messages", []
        )
        return [json.loads(message["Body"]) for message in messages]


@pytest.fixture
async def open_trigger(
    client: "SQSClient", tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Callable[..., Any]]:
    opened: list[Trigger] = []

    async def open_one(*, visibility_timeout_s: int = 30, maximum: int = 4, **trigger: Any) -> Trigger:
        name = f"queue-{time.time_ns()}"
        specs = [
            QueueSpec(name, visibility_timeout_s, max_receive_count=2, dead_letter_queue=f"{name}-dead"),
            QueueSpec(f"{name}-dead"),
        ]
        urls = queues.create(client, specs)
        journal = tmp_path / "journal"
        function = FunctionSpec(
            "BatchesFunction", FUNCTIONS / "batches", "app.handler", environment={"JOURNAL": str(journal)}
        )
        pool = FunctionPool(function, Sandbox(), log_folder=tmp_path, maximum=maximum)
        await pool.prewarm(1)
        options = {"report_failures": True, **trigger}
        poller = QueuePoller(client, urls[name], QueueTrigger(name, **options), pool)
        opened.append(Trigger(client, urls[name], urls[f"{name}-dead"], pool, poller, journal))
        return opened[-1]

    yield open_one
    for trigger in opened:
        stopping = asyncio.ensure_future(trigger.poller.stop())
        await asyncio.sleep(0)
        # A call that waits for messages would go on for a second; some tests have deleted the queue.
        with suppress(ClientError):
            trigger.send({})
        await stopping
        await trigger.pool.stop()


async def eventually(condition: Callable[[], bool], *, within_s: float = 20.0) -> None:
    """Wait for something that must come; the limit only ends a failing test."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.02)


async def test_a_message_reaches_the_function_as_lambdas_event_and_is_deleted(open_trigger: Any) -> None:
    trigger = await open_trigger()
    trigger.client.send_message(
        QueueUrl=trigger.url,
        MessageBody='{"text": "grüße"}',
        MessageAttributes={
            "kind": {"DataType": "String", "StringValue": "embed"},
            "raw": {"DataType": "Binary", "BinaryValue": b"\x00\x01"},
        },
    )
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    [batch] = trigger.events()
    [record] = batch["event"]["Records"]
    assert batch["bodies"] == [{"text": "grüße"}]
    assert record["eventSource"] == "aws:sqs"
    assert record["eventSourceARN"].endswith(trigger.poller.queue)
    assert record["awsRegion"] == "us-east-1"
    assert record["attributes"]["ApproximateReceiveCount"] == "1"
    assert int(record["attributes"]["SentTimestamp"]) > 0
    assert set(record) >= {"messageId", "receiptHandle", "md5OfBody"}
    kind, raw = record["messageAttributes"]["kind"], record["messageAttributes"]["raw"]
    assert (kind["dataType"], kind["stringValue"], kind["stringListValues"]) == ("String", "embed", [])
    assert raw["binaryValue"] == "AAE="


async def test_batches_are_no_larger_than_asked_for(open_trigger: Any) -> None:
    trigger = await open_trigger(batch_size=3)
    trigger.send(*range_of_bodies(8))
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    batches = trigger.batches()
    assert max(map(len, batches)) == 3
    assert sorted(body["number"] for batch in batches for body in batch) == list(range(8))


async def test_a_window_collects_more_than_one_receive(open_trigger: Any) -> None:
    trigger = await open_trigger(batch_size=25, window_s=2)
    trigger.send(*range_of_bodies(40))
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    assert sorted(map(len, trigger.batches())) == [15, 25]


async def test_who_waits_for_the_queues_waits_for_no_window(open_trigger: Any) -> None:
    trigger = await open_trigger(batch_size=25, window_s=300)
    trigger.send(*range_of_bodies(3))
    await trigger.poller.start()

    await drain([trigger.poller], 60)

    assert sorted(map(len, trigger.batches())) == [3]


async def test_no_more_batches_run_at_once_than_the_maximum_concurrency(open_trigger: Any, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    trigger = await open_trigger(batch_size=1, maximum_concurrency=2, maximum=4)
    trigger.send(*({"number": number, "gate": str(gate)} for number in range(6)))
    await trigger.poller.start()
    await eventually(lambda: len(trigger.batches()) == 2)
    left = trigger.client.get_queue_attributes(QueueUrl=trigger.url, AttributeNames=["All"])["Attributes"]
    # Later one may have answered and not asked for its next event yet, so that the next batch starts another.
    instances = trigger.pool.size
    gate.touch()

    await drain([trigger.poller], 20)

    assert left["ApproximateNumberOfMessages"] == "4"
    assert instances == 2
    assert len(trigger.batches()) == 6


async def test_only_the_messages_that_failed_come_back(open_trigger: Any) -> None:
    trigger = await open_trigger(visibility_timeout_s=1)
    trigger.send({"number": 1}, {"number": 2, "fail": True}, {"number": 3})
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    received = [body["number"] for batch in trigger.batches() for body in batch]
    assert sorted(received) == [1, 2, 2, 3]
    assert trigger.dead_letters() == [{"number": 2, "fail": True}]


async def test_a_failing_function_gets_its_messages_again_until_the_dead_letter_queue_has_them(
    open_trigger: Any,
) -> None:
    trigger = await open_trigger(visibility_timeout_s=1)
    trigger.send({"raise": True})
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    counts = [event["event"]["Records"][0]["attributes"]["ApproximateReceiveCount"] for event in trigger.events()]
    assert counts == ["1", "2"]
    assert trigger.dead_letters() == [{"raise": True}]


async def test_an_answer_that_names_nothing_known_fails_the_whole_batch(open_trigger: Any) -> None:
    trigger = await open_trigger(visibility_timeout_s=1)
    trigger.send({"number": 1, "answer": {"batchItemFailures": [{"itemIdentifier": ""}]}}, {"number": 2})
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    assert sorted(body["number"] for body in trigger.dead_letters()) == [1, 2]


async def test_without_reporting_the_answer_does_not_matter(open_trigger: Any) -> None:
    trigger = await open_trigger(report_failures=False)
    trigger.send({"number": 1, "fail": True})
    await trigger.poller.start()

    await drain([trigger.poller], 20)

    assert len(trigger.batches()) == 1
    assert trigger.dead_letters() == []


async def test_draining_says_what_is_left(open_trigger: Any) -> None:
    trigger = await open_trigger()
    trigger.send({"raise": True})
    await trigger.poller.start()

    with pytest.raises(DrainTimeoutError, match=f"'{trigger.poller.queue}': "):
        await drain([trigger.poller], 1)


async def test_a_poller_that_has_stopped_takes_no_more_messages(open_trigger: Any) -> None:
    trigger = await open_trigger()
    await trigger.poller.start()
    await trigger.poller.stop()
    trigger.send({"number": 1})

    count = trigger.client.get_queue_attributes(QueueUrl=trigger.url, AttributeNames=["ApproximateNumberOfMessages"])[
        "Attributes"
    ]["ApproximateNumberOfMessages"]

    assert count == "1"
    assert trigger.batches() == []


async def test_polling_goes_on_after_the_queue_could_not_be_reached(open_trigger: Any) -> None:
    trigger = await open_trigger()
    await trigger.poller.start()
    trigger.client.delete_queue(QueueUrl=trigger.url)
    await asyncio.sleep(1.5)
    trigger.client.create_queue(QueueName=trigger.poller.queue)
    trigger.send({"number": 1})

    await drain([trigger.poller], 20)

    assert trigger.batches() == [[{"number": 1}]]


async def test_creating_queues_again_keeps_their_messages_and_takes_new_settings(client: "SQSClient") -> None:
    name = f"queue-{time.time_ns()}"
    [url] = queues.create(client, [QueueSpec(name, 10)]).values()
    client.send_message(QueueUrl=url, MessageBody="{}")

    again = queues.create(client, [QueueSpec(name, 20)])

    attributes = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert again == {name: url}
    assert attributes["VisibilityTimeout"] == "20"
    assert attributes["ApproximateNumberOfMessages"] == "1"


MESSAGES: "list[MessageTypeDef]" = [{"MessageId": "a"}, {"MessageId": "b"}]


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        (b"null", set()),
        (b"{}", set()),
        (b'{"batchItemFailures": null}', set()),
        (b'{"batchItemFailures": []}', set()),
        (b'{"batchItemFailures": [{"itemIdentifier": "b"}]}', {"b"}),
        (b'{"batchItemFailures": [{"itemIdentifier": "b"}, {"itemIdentifier": "c"}]}', {"a", "b"}),
        (b'{"batchItemFailures": [{"itemIdentifier": ""}]}', {"a", "b"}),
        (b'{"batchItemFailures": [{"itemIdentifier": null}]}', {"a", "b"}),
        (b'{"batchItemFailures": [{"id": "b"}]}', {"a", "b"}),
        (b'{"batchItemFailures": ["b"]}', {"a", "b"}),
        (b'{"batchItemFailures": "b"}', {"a", "b"}),
        (b'"done"', {"a", "b"}),
        (b"not json", {"a", "b"}),
    ],
)
def test_an_answer_says_which_messages_failed(answer: bytes, failed: set[str]) -> None:
    result = InvokeResult(answer, None, "id", 1.0, None)

    assert sqs_event.failed(result, MESSAGES, report_failures=True) == failed
    assert sqs_event.failed(result, MESSAGES, report_failures=False) == set()


def test_after_an_error_every_message_failed() -> None:
    result = InvokeResult(b"{}", FunctionError("ValueError", ""), "id", 1.0, None)

    assert sqs_event.failed(result, MESSAGES, report_failures=False) == {"a", "b"}


async def test_a_rate_invokes_its_function_again_and_again() -> None:
    events: list[dict[str, Any]] = []

    class Recorder:
        async def invoke(
            self, payload: bytes, *, trace_id: str | None = None, delayed: Delayed | None = None
        ) -> InvokeResult:
            events.append(json.loads(payload))
            return InvokeResult(b"null", None, "id", 1.0, None)

    rate = Rate(Schedule("EveryMoment", every_s=60), Recorder(), every_s=0.01)
    await rate.start()
    await eventually(lambda: len(events) >= 3)
    await rate.stop()

    assert events[0]["detail-type"] == "Scheduled Event"
    assert events[0]["source"] == "aws.events"
    assert events[0]["resources"] == ["arn:aws:events:us-east-1:123456789012:rule/EveryMoment"]
    assert len({event["id"] for event in events}) == len(events)


def range_of_bodies(count: int) -> list[dict[str, int]]:
    return [{"number": number} for number in range(count)]
