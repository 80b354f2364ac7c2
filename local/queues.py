"""SQS as Lambda's trigger: creates the template's queues and polls them, to invoke functions with their messages."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple, Unpack

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local import sqs_event
from local.lambda_.invocation import MAXIMUM_PAYLOAD_BYTES, Function, PayloadTooLargeError
from local.servers.aws import REGION
from local.template import QueueSpec, QueueTrigger

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import DeleteMessageBatchRequestEntryTypeDef, MessageTypeDef

_RECEIVE_LIMIT = 10  # SQS receives and deletes at most ten messages at once
_LONG_POLL_S = 1  # short, because stopping waits for it
_ANSWER_S = 5.0
_SHORT_POLL_PAUSE_S = 0.05
_WINDOW_PAUSE_S = 0.25  # between requests while a batch is incomplete; each request costs some 10 ms of CPU
_PAUSE_AFTER_ERROR_S = 1.0
_COUNTS: Final = (
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
)
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
_logger = logging.getLogger(__name__)


class DrainTimeoutError(Exception):
    """Queues did not become empty in time; the message contains their numbers of messages."""


def connect(endpoint_url: str) -> "SQSClient":
    """A client for the SQS at an endpoint, with placeholder credentials."""
    return boto3.client(
        "sqs",
        endpoint_url=endpoint_url,
        region_name=REGION,
        aws_access_key_id="local",
        aws_secret_access_key="local",
        # Shorter than botocore's minute: what a server that hung never read is asked again soon after it is back.
        config=Config(
            max_pool_connections=50,
            connect_timeout=_ANSWER_S,
            read_timeout=_ANSWER_S,
            retries={"mode": "standard", "max_attempts": 3},
        ),
    )


def create(client: "SQSClient", specs: Iterable[QueueSpec]) -> dict[str, str]:
    """Creates the queues, or updates the settings of existing ones. Returns URLs by logical id. Blocks the thread."""
    specs = tuple(specs)
    urls = {spec.name: client.create_queue(QueueName=spec.name)["QueueUrl"] for spec in specs}
    arns = {name: _arn(client, url) for name, url in urls.items()}
    for spec in specs:
        attributes = {"VisibilityTimeout": str(spec.visibility_timeout_s)}
        if spec.dead_letter_queue is not None:
            redrive = {"deadLetterTargetArn": arns[spec.dead_letter_queue], "maxReceiveCount": spec.max_receive_count}
            attributes["RedrivePolicy"] = json.dumps(redrive)
        client.set_queue_attributes(QueueUrl=urls[spec.name], Attributes=attributes)  # type: ignore[arg-type]
    return urls


class QueuePoller:
    """Invokes a function with batches of a queue's messages, as an event source mapping does.

    Messages that the function has processed are deleted; the others return after the queue's visibility timeout.
    Messages are received only when an invocation can start, so none of that timeout is spent on waiting.
    """

    def __init__(self, client: "SQSClient", url: str, trigger: QueueTrigger, function: Function) -> None:
        self._client = client
        self._url = url
        self._arn = ""
        self._trigger = trigger
        self._function = function
        self._free = asyncio.Semaphore(trigger.maximum_concurrency or 10)
        self._threads = ThreadPoolExecutor(4, thread_name_prefix=f"poller-{trigger.queue}")
        self._batches: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._hurried = asyncio.Event()

    @property
    def queue(self) -> str:
        """The queue's logical id."""
        return self._trigger.queue

    async def start(self) -> None:
        """Starts the polling tasks; returns at once."""
        self._arn = await self._call(_arn, self._client, self._url)
        self._task = asyncio.get_running_loop().create_task(self._poll())

    async def stop(self) -> None:
        """Stops polling and waits until running invocations end; at most a second if the queue is empty."""
        self._stopping = True
        if self._task is not None:
            await self._task
        await asyncio.gather(*self._batches)
        # Does not wait: a cancelled call may hang until the server ends.
        self._threads.shutdown(wait=False)

    def hurry(self, hurried: bool) -> None:
        """Whether incomplete batches are invoked at once, without waiting for the window's end."""
        if hurried:
            self._hurried.set()
        else:
            self._hurried.clear()

    async def unfinished(self) -> int:
        """The number of messages that are not deleted, visible or not, plus the number of running invocations."""
        return len(self._batches) + await self._call(backlog, self._client, self._url)

    async def _poll(self) -> None:
        while not self._stopping:
            await self._free.acquire()
            messages = await self._collect()
            if messages:
                batch = asyncio.get_running_loop().create_task(self._process(messages))
                self._batches.add(batch)
                batch.add_done_callback(self._finished)
            else:
                self._free.release()

    def _finished(self, batch: "asyncio.Task[None]") -> None:
        self._batches.discard(batch)
        self._free.release()

    async def _collect(self) -> "list[MessageTypeDef]":
        """The next batch: a full one, or the messages within the window after the first; empty without messages."""
        size, window_s = self._trigger.batch_size, self._trigger.window_s
        messages = await self._receive(size, _LONG_POLL_S)
        end = time.monotonic() + window_s
        while messages and window_s and len(messages) < size and not self._stopping:
            more = await self._receive(size - len(messages), 0)
            messages += more
            remaining_s = end - time.monotonic()
            if remaining_s <= 0 or (self._hurried.is_set() and not more):
                break
            if not more:
                await self._pause(min(remaining_s, _WINDOW_PAUSE_S))
        return messages

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), seconds)

    async def _receive(self, count: int, wait_s: int) -> "list[MessageTypeDef]":
        try:
            return await self._call(_receive, self._client, self._url, min(count, _RECEIVE_LIMIT), wait_s)
        except (BotoCoreError, ClientError) as error:
            _logger.warning("cannot receive", extra={"queue": self._trigger.queue, "reason": str(error)})
            await asyncio.sleep(_PAUSE_AFTER_ERROR_S)
            return []

    async def _process(self, messages: "Sequence[MessageTypeDef]") -> None:
        payload = sqs_event.build(messages, self._arn)
        if len(payload) > MAXIMUM_PAYLOAD_BYTES and len(messages) > 1:
            middle = len(messages) // 2
            await self._process(messages[:middle])
            await self._process(messages[middle:])
            return
        try:
            result = await self._function.invoke(payload)
        except PayloadTooLargeError as error:
            _logger.warning("message too large", extra={"queue": self._trigger.queue, "reason": str(error)})
            return
        failed = sqs_event.failed(result, messages, report_failures=self._trigger.report_failures)
        if failed:
            reason = "reported" if result.error is None else result.error.error_type
            extra = {"queue": self._trigger.queue, "failed": len(failed), "of": len(messages), "reason": reason}
            _logger.warning("messages failed", extra=extra)
        await self._delete([message for message in messages if message["MessageId"] not in failed])

    async def _delete(self, messages: "Sequence[MessageTypeDef]") -> None:
        for start in range(0, len(messages), _RECEIVE_LIMIT):
            handles = [message["ReceiptHandle"] for message in messages[start : start + _RECEIVE_LIMIT]]
            try:
                await self._call(_delete, self._client, self._url, handles)
            except (BotoCoreError, ClientError) as error:
                _logger.warning("cannot delete", extra={"queue": self._trigger.queue, "reason": str(error)})

    async def _call(self, function: Callable[[Unpack[Arguments]], Result], *arguments: *Arguments) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)


async def drain(pollers: Sequence[QueuePoller], timeout_s: float) -> None:
    """Waits until every queue is empty and no invocation runs; raises DrainTimeoutError.

    A failed message counts until it is in the dead-letter queue. Meanwhile no batch waits for its window.
    """
    for poller in pollers:
        poller.hurry(True)
    try:
        await _until_empty(pollers, timeout_s)
    finally:
        for poller in pollers:
            poller.hurry(False)


async def _until_empty(pollers: Sequence[QueuePoller], timeout_s: float) -> None:
    end = time.monotonic() + timeout_s
    quiet = 0
    while quiet < 2:  # twice, because one function may end by sending a message to another's queue
        left = {poller.queue: count for poller in pollers if (count := await poller.unfinished())}
        quiet = 0 if left else quiet + 1
        if left and time.monotonic() > end:
            raise DrainTimeoutError(f"not empty after {timeout_s:g} s: {left}")
        if left:
            await asyncio.sleep(_SHORT_POLL_PAUSE_S)


def _arn(client: "SQSClient", url: str) -> str:
    return client.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


def backlog(client: "SQSClient", url: str) -> int:
    """The number of messages that are not deleted, visible or not. Blocks the thread."""
    attributes = client.get_queue_attributes(QueueUrl=url, AttributeNames=[*_COUNTS])["Attributes"]
    return sum(int(attributes[name]) for name in _COUNTS)


def _receive(client: "SQSClient", url: str, count: int, wait_s: int) -> "list[MessageTypeDef]":
    response = client.receive_message(
        QueueUrl=url,
        MaxNumberOfMessages=count,
        WaitTimeSeconds=wait_s,
        MessageSystemAttributeNames=["All"],
        MessageAttributeNames=["All"],
    )
    return response.get("Messages", [])


def _delete(client: "SQSClient", url: str, handles: Sequence[str]) -> None:
    entries: list[DeleteMessageBatchRequestEntryTypeDef] = [
        {"Id": str(index), "ReceiptHandle": handle} for index, handle in enumerate(handles)
    ]
    response = client.delete_message_batch(QueueUrl=url, Entries=entries)
    for failure in response.get("Failed", []):
        _logger.warning("cannot delete", extra={"url": url, "reason": failure.get("Message", failure["Code"])})
