"""Reads the dead-letter queues for an erasure; boto3 is imported by the first of them."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remembrancer.adapters.aws.sqs_queue import connect, translated
from remembrancer.domain.erasure.dead_letters import DeadLetter

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

HELD_SECONDS = 60
_MOST = 1000
"""So many of a queue are looked through at once."""


class SqsDeadLetters:
    """Serves the DeadLetters port for these queue URLs; an empty `endpoint_url` means AWS."""

    def __init__(self, queue_urls: Sequence[str], *, endpoint_url: str = "") -> None:
        self._queue_urls = [url for url in queue_urls if url]
        self._endpoint_url = endpoint_url
        self._client: SQSClient | None = None

    async def receive(self) -> Sequence[DeadLetter]:
        """Each queue on a thread; a queue that is empty takes a second to say so."""
        if not self._queue_urls:
            return []
        if self._client is None:
            self._client = await asyncio.to_thread(connect, self._endpoint_url)
        found = await asyncio.gather(*(asyncio.to_thread(self._receive, url) for url in self._queue_urls))
        return [letter for letters in found for letter in letters]

    async def delete(self, letters: Sequence[DeadLetter]) -> None:
        if letters:
            await asyncio.to_thread(self._delete, letters)

    async def release(self, letters: Sequence[DeadLetter]) -> None:
        if letters:
            await asyncio.to_thread(self._release, letters)

    def _receive(self, url: str) -> list[DeadLetter]:
        assert self._client is not None
        letters: list[DeadLetter] = []
        with translated():
            while len(letters) < _MOST:
                # A wait of a second asks every server of the queue.
                answer = self._client.receive_message(
                    QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1, VisibilityTimeout=HELD_SECONDS
                )
                messages = answer.get("Messages", [])
                if not messages:
                    break
                letters += [DeadLetter(url, message["ReceiptHandle"], message["Body"]) for message in messages]
        return letters

    def _delete(self, letters: Sequence[DeadLetter]) -> None:
        assert self._client is not None
        with translated():
            for letter in letters:
                self._client.delete_message(QueueUrl=letter.queue, ReceiptHandle=letter.handle)

    def _release(self, letters: Sequence[DeadLetter]) -> None:
        assert self._client is not None
        with translated():
            for letter in letters:
                self._client.change_message_visibility(
                    QueueUrl=letter.queue, ReceiptHandle=letter.handle, VisibilityTimeout=0
                )
