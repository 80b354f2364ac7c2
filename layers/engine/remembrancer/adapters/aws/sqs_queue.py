"""Messages to SQS, off the event loop; boto3 is imported for the first message, not at start."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.errors import StoreTimeout, StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

SEND_SECONDS = 1.0
"""How long one call waits, connecting and a second attempt included; an instance gets no further event meanwhile."""
LATE_SECONDS = 0.5
# What SQS takes in one call.
_BATCH = 10
_AT_ONCE = 4
_BULK = ".bulk"
# Their own: a queue that hangs must not keep the threads that seal, open and index text for everybody.
_THREADS = ThreadPoolExecutor(max_workers=2 * _AT_ONCE, thread_name_prefix="sqs")

Value = TypeVar("Value")


class SqsQueue:
    """Serves the DelayedQueue port for one queue URL; an empty `endpoint_url` means AWS.

    After an unanswered call, calls fail within 5 ms until SQS answers a probe.
    """

    def __init__(self, queue_url: str, *, endpoint_url: str = "") -> None:
        self._queue_url = queue_url
        self._endpoint_url = endpoint_url
        self._client: SQSClient | None = None
        self._lock = threading.Lock()
        self._breaker = CircuitBreaker(self._probe, server="SQS", late_seconds=LATE_SECONDS, probe_seconds=SEND_SECONDS)

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        """Sends batches of ten, four at once. Raises StoreError when a message was not accepted, or after
        `SEND_SECONDS` without an answer.

        SQS delivers groups of messages in turn, once one of them takes more than its share (fair queues). A group is an
        organization's messages that are sent ten at most at a time, or those that are sent with more.
        """
        if not messages:
            return
        # Loading the library is no sign that the queue hangs.
        client = await _threaded(self._connected)
        places = asyncio.Semaphore(_AT_ONCE)
        suffix = _BULK if len(messages) > _BATCH else ""

        async def send(start: int) -> None:
            async with places:
                batch = messages[start : start + _BATCH]
                call = partial(_send_batch, client, self._queue_url, batch, suffix=suffix, delay_seconds=delay_seconds)
                await self._breaker.call(lambda: _bounded(call))

        sending = [asyncio.ensure_future(send(start)) for start in range(0, len(messages), _BATCH)]
        try:
            await asyncio.gather(*sending)
        finally:
            for batch in sending:
                batch.cancel()

    async def close(self) -> None:
        """Ends the probes of the circuit breaker."""
        await self._breaker.stop()

    async def _probe(self) -> None:
        client = await _threaded(self._connected)
        await _bounded(partial(_answers, client, self._queue_url))

    def _connected(self) -> "SQSClient":
        with self._lock:
            if self._client is None:
                self._client = connect(self._endpoint_url, seconds=SEND_SECONDS / 2)
            return self._client


async def _threaded(call: Callable[[], Value]) -> Value:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, call)


async def _bounded(call: Callable[[], Value]) -> Value:
    """StoreTimeout after `SEND_SECONDS`; its thread goes on until the driver gives up, soon after."""
    try:
        return await asyncio.wait_for(_threaded(call), SEND_SECONDS)
    except TimeoutError as error:
        raise StoreTimeout("SQS did not answer in time", cause="TimeoutError") from error


def _send_batch(
    client: "SQSClient", queue_url: str, messages: Sequence[Mapping[str, Any]], *, suffix: str, delay_seconds: int
) -> None:
    with translated():
        answer = client.send_message_batch(
            QueueUrl=queue_url,
            Entries=[
                {
                    "Id": str(number),
                    "MessageBody": json.dumps(message, default=str),
                    "MessageGroupId": f"{message.get('org_id')}{suffix}",
                    "DelaySeconds": delay_seconds,
                }
                for number, message in enumerate(messages)
            ],
        )
    if failed := answer.get("Failed"):
        raise StoreUnavailable(f"SQS refused {len(failed)} messages", cause=failed[0].get("Code", "Failed"))


def _answers(client: "SQSClient", queue_url: str) -> None:
    """A refusal is an answer too: senders need no permission to read the queue's attributes."""
    from botocore.exceptions import ClientError

    with translated():
        try:
            client.get_queue_attributes(QueueUrl=queue_url, AttributeNames=["QueueArn"])
        except ClientError:
            return


def connect(endpoint_url: str, *, seconds: float = 2.0) -> "SQSClient":
    """A client that waits so long for a connection, and for an answer, twice each."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        "sqs",
        endpoint_url=endpoint_url or None,
        config=Config(
            connect_timeout=min(seconds, 1.0),
            read_timeout=seconds,
            retries={"mode": "standard", "max_attempts": 2},
        ),
    )


@contextmanager
def translated() -> Iterator[None]:
    """The driver's errors as ours; they are imported together with it."""
    from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, ReadTimeoutError

    try:
        yield
    except (ConnectTimeoutError, ReadTimeoutError) as error:
        raise StoreTimeout("SQS did not answer in time", cause=type(error).__name__) from error
    except (BotoCoreError, ClientError) as error:
        raise StoreUnavailable("SQS is unavailable", cause=type(error).__name__) from error
