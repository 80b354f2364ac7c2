"""Queue handlers of the functions that capture conversations, embed memories and apply usage events."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from remembrancer.domain.requests.field_types import uuid
from remembrancer.domain.requests.fields import OpenFields
from remembrancer.errors import InvalidRequest
from remembrancer.ports.system import Clock
from remembrancer.ports.usage import UsageEvent
from remembrancer.runtime.queues.sqs import POISONED, Failures, QueueMessage
from remembrancer.runtime.telemetry import count, emit
from remembrancer.usecases.capture.pending_turns import CaptureMessage, Capturer
from remembrancer.usecases.memories.embed import EmbedMessage, MemoryEmbedder
from remembrancer.usecases.usage import usage_events
from remembrancer.usecases.usage.apply_side_effects import SideEffects

EMBED_MESSAGE = OpenFields(org_id=uuid(required=True), memory_id=uuid(required=True))
CAPTURE_MESSAGE = OpenFields(org_id=uuid(required=True), conversation_id=uuid(required=True))

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EmbedWorker:
    """Embeds the memory that each message `{"org_id", "memory_id"}` names."""

    embedder: MemoryEmbedder

    async def consume(self, messages: list[QueueMessage]) -> Failures:
        """Malformed messages fail, and end in the dead-letter queue."""
        parsed: dict[str, EmbedMessage] = {}
        for message in messages:
            given = EMBED_MESSAGE.read(message.body)
            if not given.errors:
                parsed[message.message_id] = EmbedMessage(given["org_id"], given["memory_id"], message.last_try)
        failed = await self.embedder.embed(list(parsed.values()))
        return _poisoned(messages, parsed) | {
            message_id: failed[message] for message_id, message in parsed.items() if message in failed
        }


@dataclass(frozen=True, slots=True)
class CaptureWorker:
    """Decides on the pending turns of the conversation that each message `{"org_id", "conversation_id"}` names."""

    capturer: Capturer

    async def consume(self, messages: list[QueueMessage]) -> Failures:
        """Malformed messages fail, and end in the dead-letter queue."""
        parsed: dict[str, CaptureMessage] = {}
        for message in messages:
            given = CAPTURE_MESSAGE.read(message.body)
            if not given.errors:
                parsed[message.message_id] = CaptureMessage(given["org_id"], given["conversation_id"], message.last_try)
        report = await self.capturer.capture(parsed.values())
        counts = {"kept": report.kept, **report.dropped}
        emit(
            *(count("Turns", number, decision=decision) for decision, number in counts.items() if number),
            *(count("CaptureTokens", number, kind=kind) for kind, number in report.tokens.items() if number),
            *(count("Proposals", number, result=result) for result, number in report.proposals.items()),
        )
        return _poisoned(messages, parsed) | {
            message_id: report.failed[message] for message_id, message in parsed.items() if message in report.failed
        }


@dataclass(frozen=True, slots=True)
class SideEffectsWorker:
    """Handles messages `{"event_id", "org_id", "agent_id", "memory_ids", "kind", "at", "session_id", "user_id",
    "query_key"}`.
    """

    side_effects: SideEffects
    clock: Clock

    async def consume(self, messages: list[QueueMessage]) -> Failures:
        """Malformed messages fail, and end in the dead-letter queue."""
        events: dict[str, UsageEvent] = {}
        for message in messages:
            try:
                events[message.message_id] = usage_events.parse(message.body, now=self.clock.now())
            except InvalidRequest as error:
                logger.warning("poisoned_message", extra={"bad_fields": sorted(error.fields)})
        failed = await self.side_effects.apply(list(events.values()))
        return _poisoned(messages, events) | {
            message_id: failed[event.event_id] for message_id, event in events.items() if event.event_id in failed
        }


def _poisoned(messages: Sequence[QueueMessage], good: Collection[str]) -> Failures:
    return {message.message_id: POISONED for message in messages if message.message_id not in good}
