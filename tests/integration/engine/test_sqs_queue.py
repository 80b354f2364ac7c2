"""Messages to SQS, at the local AWS."""

import json
from collections import Counter
from collections.abc import Iterator
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from local import queues
from local.faults.proxy import FaultProxy
from local.servers import AwsServer
from remembrancer.adapters.aws import sqs_dead_letters
from remembrancer.adapters.aws.sqs_dead_letters import SqsDeadLetters
from remembrancer.adapters.aws.sqs_queue import SEND_SECONDS, SqsQueue
from remembrancer.errors import StoreTimeout, StoreUnavailable


@pytest.fixture
def aws(aws_server: AwsServer, monkeypatch: pytest.MonkeyPatch) -> AwsServer:
    """The environment of a function: credentials and a region."""
    for name, value in aws_server.credentials.items():
        monkeypatch.setenv(name, value)
    return aws_server


@pytest.fixture
def queue_url(aws: AwsServer) -> Iterator[str]:
    client = queues.connect(aws.endpoint_url)
    url = client.create_queue(QueueName=f"queue-{uuid4()}")["QueueUrl"]
    yield url
    client.delete_queue(QueueUrl=url)
    client.close()


def received(aws: AwsServer, url: str, *, most: int = 1000) -> list[Any]:
    """Messages of the queue, taken out of it for now."""
    client = queues.connect(aws.endpoint_url)
    bodies: list[Any] = []
    while len(bodies) < most and (
        messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
    ):
        bodies += [json.loads(message["Body"]) for message in messages]
    client.close()
    return bodies


async def test_more_messages_than_a_call_takes_arrive_each_once(aws: AwsServer, queue_url: str) -> None:
    messages = [{"number": number, "memory_id": str(UUID(int=number))} for number in range(25)]

    await SqsQueue(queue_url, endpoint_url=aws.endpoint_url).send(messages)

    assert sorted(received(aws, queue_url), key=str) == sorted(messages, key=str)


async def test_organizations_take_turns_and_what_one_sends_in_bulk_waits_behind_its_single_messages(
    aws: AwsServer, queue_url: str
) -> None:
    queue = SqsQueue(queue_url, endpoint_url=aws.endpoint_url)
    await queue.send([{"org_id": "importer", "number": number} for number in range(200)])
    await queue.send([{"org_id": "second", "number": number} for number in range(100)])
    received(aws, queue_url, most=20)

    await queue.send([{"org_id": "other"}])
    await queue.send([{"org_id": "importer", "number": "single"}])
    later = received(aws, queue_url, most=40)

    assert later[:2] == [{"org_id": "other"}, {"org_id": "importer", "number": "single"}]
    # Two in three of the others are one organization's, and yet both are served.
    assert Counter(message["org_id"] for message in later[2:]) == {"importer": 18, "second": 20}


async def test_nothing_to_send_sends_nothing(aws: AwsServer, queue_url: str) -> None:
    await SqsQueue(queue_url, endpoint_url=aws.endpoint_url).send([])

    assert received(aws, queue_url) == []


async def test_an_endpoint_that_is_down_is_unavailable(aws: AwsServer) -> None:
    # Port 9 of this machine: nothing listens there.
    queue = SqsQueue("http://127.0.0.1:9/123456789012/queue", endpoint_url="http://127.0.0.1:9")

    with pytest.raises(StoreUnavailable) as raised:
        await queue.send([{"number": 1}])

    assert raised.value.cause == "EndpointConnectionError"


async def test_a_queue_that_hangs_costs_one_call_its_bound_and_is_used_again_when_it_answers(
    aws: AwsServer, queue_url: str
) -> None:
    proxy = FaultProxy(urlsplit(aws.endpoint_url).port or 0)
    await proxy.start()
    queue = SqsQueue(queue_url, endpoint_url=f"http://127.0.0.1:{proxy.port}")
    await queue.send([{"number": 0}])
    await proxy.set("hang")

    seconds = []
    for _ in range(5):
        started = monotonic()
        with pytest.raises(StoreTimeout):
            await queue.send([{"number": 1}] * 100)
        seconds.append(monotonic() - started)
    await proxy.set("none")
    end = monotonic() + 20
    while True:
        try:
            await queue.send([{"number": 2}])
            break
        except StoreTimeout:
            assert monotonic() < end
    await queue.close()
    await proxy.stop()

    assert seconds[0] < SEND_SECONDS + 0.5
    assert max(seconds[1:]) < 0.1
    assert {"number": 2} in received(aws, queue_url)


async def test_a_queue_that_does_not_exist_is_unavailable(aws: AwsServer) -> None:
    queue = SqsQueue(f"{aws.endpoint_url}/123456789012/missing", endpoint_url=aws.endpoint_url)

    with pytest.raises(StoreUnavailable):
        await queue.send([{"number": 1}])


async def test_a_message_that_sqs_refuses_is_unavailable(aws: AwsServer, queue_url: str) -> None:
    queue = SqsQueue(queue_url, endpoint_url=aws.endpoint_url)

    with pytest.raises(StoreUnavailable):
        await queue.send([{"text": "x" * 2_000_000}])


async def test_dead_letters_are_held_while_they_are_looked_at_and_go_or_stay(aws: AwsServer, queue_url: str) -> None:
    await SqsQueue(queue_url, endpoint_url=aws.endpoint_url).send([{"number": number} for number in range(25)])
    dead_letters = SqsDeadLetters([queue_url, ""], endpoint_url=aws.endpoint_url)

    letters, are_all = await dead_letters.receive()
    meanwhile = await dead_letters.receive()
    await dead_letters.delete(letters[:20])
    await dead_letters.release(letters[20:])
    left, are_left_all = await dead_letters.receive()
    await dead_letters.release(left)

    numbers = [json.loads(letter.body) for letter in letters]
    assert sorted(number["number"] for number in numbers) == list(range(25))
    assert meanwhile == ([], False)
    assert (are_all, len(left), are_left_all) == (True, 5, True)
    assert sorted(received(aws, queue_url), key=str) == sorted(numbers[20:], key=str)


async def test_of_very_many_dead_letters_some_are_looked_at_and_it_is_said(
    aws: AwsServer, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqs_dead_letters, "_MOST", 20)
    await SqsQueue(queue_url, endpoint_url=aws.endpoint_url).send([{"number": number} for number in range(31)])

    letters, are_all = await SqsDeadLetters([queue_url], endpoint_url=aws.endpoint_url).receive()

    assert (len(letters), are_all) == (20, False)


async def test_when_one_queue_fails_no_message_of_the_others_stays_held(aws: AwsServer, queue_url: str) -> None:
    await SqsQueue(queue_url, endpoint_url=aws.endpoint_url).send([{"number": number} for number in range(12)])
    missing = f"{aws.endpoint_url}/123456789012/missing"

    with pytest.raises(StoreUnavailable):
        await SqsDeadLetters([queue_url, missing], endpoint_url=aws.endpoint_url).receive()

    letters, are_all = await SqsDeadLetters([queue_url], endpoint_url=aws.endpoint_url).receive()
    assert (len(letters), are_all) == (12, True)


async def test_dead_letters_of_an_endpoint_that_is_down_are_unavailable(aws: AwsServer) -> None:
    dead_letters = SqsDeadLetters(["http://127.0.0.1:9/123456789012/queue"], endpoint_url="http://127.0.0.1:9")

    with pytest.raises(StoreUnavailable):
        await dead_letters.receive()
