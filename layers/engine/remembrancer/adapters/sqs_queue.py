"""Messages to SQS, off the event loop; boto3 is loaded with the first message, not at start-up."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from remembrancer.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

# What SQS takes in one call.
_BATCH = 10
_AT_ONCE = 4
_BULK = ".bulk"


class SqsQueue:
    """Serves the Queue port for one queue URL; an empty `endpoint_url` means AWS."""

    def __init__(self, queue_url: str, *, endpoint_url: str = "") -> None:
        self._queue_url = queue_url
        self._endpoint_url = endpoint_url
        self._client: SQSClient | None = None
        self._lock = threading.Lock()

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """In batches of ten; StoreUnavailable when any was not accepted.

        SQS delivers groups of messages in turn, once one of them takes more than its share (fair queues). A group is an
        organization's messages that are sent ten at most at a time, or those that are sent with more.
        """
        if messages:
            await asyncio.to_thread(self._send_all, messages)

    def _send_all(self, messages: Sequence[Mapping[str, Any]]) -> None:
        batches = [messages[start : start + _BATCH] for start in range(0, len(messages), _BATCH)]
        suffix = _BULK if len(batches) > 1 else ""
        with translated(), ThreadPoolExecutor(min(len(batches), _AT_ONCE)) as pool:
            self._connected()
            list(pool.map(partial(self._send_batch, suffix=suffix), batches))

    def _send_batch(self, messages: Sequence[Mapping[str, Any]], *, suffix: str) -> None:
        answer = self._connected().send_message_batch(
            QueueUrl=self._queue_url,
            Entries=[
                {
                    "Id": str(number),
                    "MessageBody": json.dumps(message, default=str),
                    "MessageGroupId": f"{message.get('org_id')}{suffix}",
                }
                for number, message in enumerate(messages)
            ],
        )
        if failed := answer.get("Failed"):
            raise StoreUnavailable(f"SQS refused {len(failed)} messages", cause=failed[0].get("Code", "Failed"))

    def _connected(self) -> "SQSClient":
        with self._lock:
            if self._client is None:
                self._client = connect(self._endpoint_url)
            return self._client


def connect(endpoint_url: str) -> "SQSClient":
    """A client that gives up within seconds."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        "sqs",
        endpoint_url=endpoint_url or None,
        config=Config(connect_timeout=1, read_timeout=2, retries={"mode": "standard", "max_attempts": 2}),
    )


@contextmanager
def translated() -> Iterator[None]:
    """The driver's errors as ours; they are imported together with it."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise StoreUnavailable("SQS is unavailable", cause=type(error).__name__) from error
