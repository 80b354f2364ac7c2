"""Reads the dead-letter queues for an erasure; boto3 is imported by the first of them."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from remembrancer.adapters.aws.sqs_queue import connect, translated
from remembrancer.domain.erasure.dead_letters import DeadLetter
from remembrancer.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import (
        ChangeMessageVisibilityBatchRequestEntryTypeDef,
        DeleteMessageBatchRequestEntryTypeDef,
    )

HELD_SECONDS = 60
_MOST = 1000
"""So many of a queue are looked through at once."""
_AT_ONCE = 10
"""SQS' own limit for one call."""
_HELD: Final = "ApproximateNumberOfMessagesNotVisible"


class SqsDeadLetters:
    """Serves the DeadLetters port for these queue URLs; an empty `endpoint_url` means AWS."""

    def __init__(self, queue_urls: Sequence[str], *, endpoint_url: str = "") -> None:
        self._queue_urls = [url for url in queue_urls if url]
        self._endpoint_url = endpoint_url
        self._client: SQSClient | None = None

    async def receive(self) -> tuple[Sequence[DeadLetter], bool]:
        """Each queue on a thread; a queue that is empty takes a second to say so."""
        if not self._queue_urls:
            return [], True
        if self._client is None:
            self._client = await asyncio.to_thread(connect, self._endpoint_url)
        asked = [asyncio.to_thread(self._receive, url) for url in self._queue_urls]
        found = await asyncio.gather(*asked, return_exceptions=True)
        received = [answer for answer in found if not isinstance(answer, BaseException)]
        letters = [letter for of_queue, _ in received for letter in of_queue]
        for failure in found:
            if isinstance(failure, BaseException):
                with suppress(StoreError):
                    await self.release(letters)
                raise failure
        return letters, all(is_all for _, is_all in received)

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        if letters:
            await asyncio.to_thread(self._delete, letters)

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        if letters:
            await asyncio.to_thread(self._release, letters)

    def _receive(self, url: str) -> tuple[list[DeadLetter], bool]:
        assert self._client is not None
        letters: list[DeadLetter] = []
        with translated():
            is_all = not self._held_elsewhere(url)
            while len(letters) < _MOST:
                # A wait of a second asks every server of the queue.
                answer = self._client.receive_message(
                    QueueUrl=url, MaxNumberOfMessages=_AT_ONCE, WaitTimeSeconds=1, VisibilityTimeout=HELD_SECONDS
                )
                messages = answer.get("Messages", [])
                if not messages:
                    return letters, is_all
                letters += [DeadLetter(url, message["ReceiptHandle"], message["Body"]) for message in messages]
        return letters, False

    def _held_elsewhere(self, url: str) -> bool:
        """Whether another erasure, or an operator, is looking at messages; approximate, as all that SQS counts."""
        assert self._client is not None
        answer = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=[_HELD])
        return int(answer["Attributes"][_HELD]) > 0

    def _delete(self, letters: Sequence[DeadLetter]) -> None:
        assert self._client is not None
        with translated():
            for url, batch in _batches(letters):
                entries: list[DeleteMessageBatchRequestEntryTypeDef] = [
                    {"Id": str(n), "ReceiptHandle": letter.handle} for n, letter in enumerate(batch)
                ]
                answer = self._client.delete_message_batch(QueueUrl=url, Entries=entries)
                if failed := answer.get("Failed"):
                    raise StoreUnavailable("SQS did not delete all messages", cause=failed[0]["Code"])

    def _release(self, letters: Sequence[DeadLetter]) -> None:
        """A message that cannot be released is free after `HELD_SECONDS`."""
        assert self._client is not None
        with translated():
            for url, batch in _batches(letters):
                entries: list[ChangeMessageVisibilityBatchRequestEntryTypeDef] = [
                    {"Id": str(n), "ReceiptHandle": letter.handle, "VisibilityTimeout": 0}
                    for n, letter in enumerate(batch)
                ]
                self._client.change_message_visibility_batch(QueueUrl=url, Entries=entries)


def _batches(letters: Sequence[DeadLetter]) -> Iterator[tuple[str, Sequence[DeadLetter]]]:
    """By queue, as many as one call takes."""
    for url, of_queue in groupby(sorted(letters, key=attrgetter("queue")), attrgetter("queue")):
        several = list(of_queue)
        for first in range(0, len(several), _AT_ONCE):
            yield url, several[first : first + _AT_ONCE]
