"""Gives a batch of SQS to a worker as a whole; Powertools reads the records and reports the failed ones to SQS."""

import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from remembrancer.errors import InvalidRequest
from remembrancer.ports.system import MOST_RECEIVES
from remembrancer.runtime.after_response import Finisher, Work
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.messages import parse_json
from remembrancer.runtime.telemetry import count, described, emit

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QueueMessage:
    """One record: its parsed body, and whether this delivery is the last."""

    message_id: str
    body: Mapping[str, Any]
    last_try: bool


Failures = dict[str, str]
"""Ids of failed messages, with the reason."""
Consumer = Callable[[list[QueueMessage]], Coroutine[Any, Any, Failures]]
POISONED = "poisoned"
"""The reason for a message that cannot be parsed."""


def sqs_handler(
    consume: Consumer, *, loop: LoopThread, after_response: Finisher, most_receives: int = MOST_RECEIVES
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """The Lambda handler: `consume` gets a batch and returns the messages that failed.

    A message that is no JSON object fails alone. Needs ReportBatchItemFailures on the trigger.
    """

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        def consumed(records: list[SQSRecord]) -> Failures:
            messages, failed = _read(records, most_receives)
            return failed | _consumed(messages, lambda some: loop.run(consume(some), seconds=_seconds_left(context)))

        batch = _WholeBatch()
        try:
            with batch(event["Records"], consumed):
                batch.process()
        finally:
            after_response.finish(Work.of(context))
        if batch.causes:
            logger.warning("messages_failed", extra={"causes": dict(batch.causes), "of": len(event["Records"])})
            emit(count("MessagesFailed", batch.causes.total(), function=context.function_name))
        return dict(batch.response())

    return handle


class _WholeBatch(BatchProcessor):
    """Powertools' processor, whose handler gets all records at once and returns the failed ones."""

    def __init__(self) -> None:
        super().__init__(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
        self.causes: Counter[str] = Counter()

    def process(self) -> list[tuple[Any, ...]]:
        """The outcome of each record, in their order."""
        records = [SQSRecord(record) for record in self.records]
        failed: Failures = self.handler(records)
        self.causes = Counter(failed.values())
        return [
            self.failure_handler(record, (None, None, None))
            if record.message_id in failed
            else self.success_handler(record, None)
            for record in records
        ]


def _seconds_left(context: Any) -> float:
    return float(context.get_remaining_time_in_millis()) / 1000 - 0.5


def _consumed(messages: list[QueueMessage], consume: Callable[[list[QueueMessage]], Failures]) -> Failures:
    """On an unexpected exception, retries the batch message by message."""
    if not messages:
        return {}
    try:
        return consume(messages)
    except TimeoutError:
        raise
    except Exception as error:  # a bug: one message's exception must not fail the others
        logger.error("internal_error", extra=described(error))
        emit(count("InternalError"))
        if len(messages) == 1:
            return {messages[0].message_id: "internal_error"}
    failed: Failures = {}
    for message in messages:
        failed |= _consumed([message], consume)
    return failed


def _body(text: str) -> Any:
    """JSON parsed like API bodies, without NUL characters and lone surrogates; None when it is invalid."""
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except InvalidRequest as error:
        logger.warning("poisoned_message", extra={"bad_fields": sorted(error.fields)})
        return None


def _read(records: list[SQSRecord], most_receives: int) -> tuple[list[QueueMessage], Failures]:
    messages = []
    poisoned = {}
    for record in records:
        body = _body(record.body)
        if isinstance(body, dict):
            receives = int((record.get("attributes") or {}).get("ApproximateReceiveCount", "1"))
            messages.append(QueueMessage(record.message_id, body, receives >= most_receives))
        else:
            poisoned[record.message_id] = POISONED
    return messages, poisoned
