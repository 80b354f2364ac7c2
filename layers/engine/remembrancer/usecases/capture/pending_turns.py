"""Makes memories of stored turns, one batch of queue messages at a time."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from uuid import UUID

from remembrancer.domain.capture import extracted, occurrence, rules, wishes
from remembrancer.domain.capture.extracted import Outcome
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import KEPT, NOT_WANTED, PENDING, Conversation
from remembrancer.domain.capture.wishes import Heard
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import QuotaExceeded, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.capture import TARGET_GONE, Conversations, Decided, ExtractedWrite
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.models import WishReader
from remembrancer.ports.system import Queue
from remembrancer.usecases.capture.corrections import Corrections, unlinked
from remembrancer.usecases.capture.echoes import Echoes
from remembrancer.usecases.capture.extract import Extraction, Extractor
from remembrancer.usecases.capture.forget import ForgetSearch
from remembrancer.usecases.capture.sealed_turns import opened
from remembrancer.usecases.identity import time_zones
from remembrancer.usecases.memories.precomputation import Deriver

TURNS = 100
"""Most turns that are decided in one transaction, which blocks other writers of their agent."""


@dataclass(frozen=True, slots=True)
class CaptureMessage:
    """A conversation with pending turns; `last_try` when a failure now moves the message to the dead-letter queue."""

    org_id: UUID
    conversation_id: UUID
    last_try: bool = False


CONCURRENT = 10
"""Most conversations that a model reads at a time: a batch of messages."""
MODEL_SECONDS = 5.0
"""Seconds after which no further window is begun: two calls of the model for one more still fit into the time-out."""
Failed = dict[CaptureMessage, str]
"""Messages that failed and are to be delivered again, with the reason."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Report:
    """Failed messages, the number of turns kept, and of turns dropped by reason.

    With a language model: its tokens by kind, and its proposals by what the gate said, `passed` among the reasons.
    """

    failed: Failed = field(default_factory=dict)
    kept: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    proposals: Counter[str] = field(default_factory=Counter)

    def add(self, extraction: Extraction) -> None:
        """Counts what a model has cost and proposed."""
        self.tokens.update(extraction.tokens)
        self.proposals.update(extraction.refused)
        if extraction.passed:
            self.proposals["passed"] += extraction.passed


@dataclass(frozen=True, slots=True)
class Capturer:
    """Decides on pending turns; idempotent: a repeated or late message changes nothing.

    `forget_search` is called for the first wish to forget, since it loads the embedding model. `wish_reader` is None
    without the packaged model.
    """

    conversations: Conversations
    directory: Directory
    opener: Cipher
    deriver: Deriver
    echoes: Echoes
    corrections: Corrections
    cache: AgentCache
    embed_queue: Queue
    forget_search: Callable[[], ForgetSearch]
    extractor: Extractor | None = None
    wish_reader: WishReader | None = None

    async def capture(self, messages: Collection[CaptureMessage]) -> Report:
        """By rules one conversation after the other, since those of one agent wait for each other anyway; with a model
        several at a time, since they wait for the model.
        """
        report = Report()
        places = asyncio.Semaphore(1 if self.extractor is None else CONCURRENT)
        end = math.inf if self.extractor is None else self.extractor.clock.monotonic() + MODEL_SECONDS

        async def captured(message: CaptureMessage) -> None:
            async with places:
                await self._capture(message, report, end)

        await asyncio.gather(*(captured(message) for message in dict.fromkeys(messages)))
        return report

    async def _capture(self, message: CaptureMessage, report: Report, end: float) -> None:
        """Windows that there is no time for now are found again by maintenance."""
        try:
            while await self._decide(message, report):
                if self.extractor is not None and self.extractor.clock.monotonic() >= end:
                    return
        except _UnreadableError:
            report.failed[message] = "DecryptionFailed"
        except StoreError as error:
            report.failed[message] = error.cause

    async def _decide(self, message: CaptureMessage, report: Report) -> bool:
        """Decides by rules on the first pending turns, or lets the model read the first unread ones; False when there
        are none, or the model is to read them later.
        """
        org_id = message.org_id
        conversation = await self.conversations.waiting(org_id, message.conversation_id, TURNS)
        organization = await self.directory.organization(org_id)
        if organization is None or conversation is None or not conversation.pending:
            return False
        extractor = self.extractor if organization.extraction.is_on else None
        if any(turn.state == PENDING for turn in conversation.turns):
            decided = await self._by_rules(organization, conversation, is_preliminary=extractor is not None)
        else:
            unread = await self.conversations.unread(org_id, message.conversation_id, extracted.WINDOW_TURNS)
            if unread is None or not any(turn.is_unread for turn in unread.turns):
                return False
            if extractor is not None and not extractor.is_due(unread):
                return False
            decided = await self._by_model(organization, unread, extractor, message, report)
        report.kept += decided.kept
        report.dropped.update(decided.dropped)
        await self._announce(org_id, conversation.agent_id, decided)
        return True

    async def _heard(self, conversation: Conversation) -> Heard:
        """The conversation with its text, without what its user does not want to be kept."""
        turns = await opened(self.opener, conversation.org_id, conversation.turns)
        if any(turn.is_unreadable for turn in turns):
            # A later delivery may find the key.
            raise _UnreadableError
        read = [turn for turn in turns if not turn.is_forgotten or turn.reason == NOT_WANTED]
        readable = replace(conversation, turns=read)
        return wishes.apart(readable, await self._wishes_read(readable))

    async def _wishes_read(self, conversation: Conversation) -> dict[int, float]:
        """What the reader says of turns that may be wishes; without it their words decide."""
        if self.wish_reader is None:
            return {}
        by_number = {turn.number: turn for turn in conversation.turns}
        found = {}
        try:
            for turn in wishes.worth_reading(conversation):
                before = by_number.get(turn.after or 0)
                found[turn.number] = await self.wish_reader.wishes("" if before is None else before.text, turn.text)
        except StoreError as error:
            logger.warning("wishes_not_read", extra={"cause": error.cause})
        return found

    async def _by_rules(
        self, organization: Organization, conversation: Conversation, *, is_preliminary: bool
    ) -> Decided:
        """`is_preliminary`: a model reads the turns later."""
        heard = await self._heard(conversation)
        zone = await self._zone(heard.conversation)
        by_rules = rules.plan(
            heard.conversation, pins_at_once=organization.pins_instructions, unwanted=heard.unwanted, zone=zone
        )
        plan = await self.echoes.dropped(organization, heard.conversation, by_rules)
        plan = await self.corrections.linked(organization, heard.conversation, plan)
        unread = extracted.to_read(plan, heard.conversation, heard.wishes) if is_preliminary else frozenset[int]()
        plan = extracted.preliminary(plan, unread)
        if heard.wishes:
            # Of a turn that was kept before, the plan has a new context only: what its memory says is stored.
            new = {
                turn.number: (turn.memory_id, plan.memories[turn.number].content)
                for turn in heard.conversation.turns
                if turn.number in plan.memories and turn.state != KEPT
            }
            forgetting = await self.forget_search().of_conversation(organization, heard, new)
            plan = rules.with_wishes(plan, forgetting, heard.doubtful)
        return await self._stored(organization, heard.conversation, plan, unread)

    async def _by_model(
        self,
        organization: Organization,
        conversation: Conversation,
        extractor: Extractor | None,
        message: CaptureMessage,
        report: Report,
    ) -> Decided:
        """Without a model, what the rules have decided stays, and so it does on the last try, where a memory to be
        superseded is gone, and where there is no room.
        """
        as_decided = partial(extracted.as_decided, conversation)
        if extractor is None:
            return await self._read(organization, conversation, as_decided())
        heard = await self._heard(conversation)
        zone = await self._zone(heard.conversation)
        shown = extracted.local(heard.without_silent_turns, zone)
        found = await extractor.extract(organization, shown, last_try=message.last_try)
        report.add(found)
        if found.reason:
            return await self._read(organization, conversation, as_decided(found.reason))
        read = {decision.number for decision in found.outcome.decisions}
        rest = [decision for decision in as_decided().decisions if decision.number not in read]
        outcome = replace(found.outcome, decisions=[*found.outcome.decisions, *rest])
        try:
            return await self._read(organization, conversation, outcome)
        except QuotaExceeded:
            reason = extracted.NO_ROOM
        except StoreError as error:
            if not message.last_try or error.cause != TARGET_GONE:
                raise
            reason = extracted.REFUSED
        logger.warning("capture_reading_left", extra={"reason": reason})
        return await self._read(organization, conversation, as_decided(reason))

    async def _zone(self, conversation: Conversation) -> tzinfo:
        """Of its user's days; not read where nothing depends on it."""
        if self.extractor is None and not any(occurrence.points(turn.text) for turn in conversation.turns):
            return UTC
        return await time_zones.of_conversation(conversation, self.directory)

    async def _stored(
        self, organization: Organization, conversation: Conversation, plan: Plan, unread: Collection[int]
    ) -> Decided:
        """Where a memory that a turn corrects is gone by now, that turn is stored as any other."""
        try:
            return await self._written(organization, conversation, plan, unread)
        except StoreError as error:
            apart = unlinked(plan)
            if error.cause != TARGET_GONE or apart is plan:
                raise
        return await self._written(organization, conversation, apart, unread)

    async def _written(
        self, organization: Organization, conversation: Conversation, plan: Plan, unread: Collection[int]
    ) -> Decided:
        ids = {turn.number: turn.memory_id for turn in conversation.turns}
        # A memory may supersede one of an earlier turn.
        numbers = sorted(plan.memories)
        memories = [plan.memories[number] for number in numbers]
        derived = await self.deriver.derive(organization, memories, [ids[number] for number in numbers])

        async def store(writes: Sequence[MemoryWrite]) -> Decided:
            return await self.conversations.store_decisions(
                conversation,
                dict(zip(numbers, writes, strict=True)),
                plan.decisions,
                followed=plan.followed,
                contradicts=plan.contradicts,
                forgetting=plan.forgetting,
                held=plan.held,
                unread=unread,
            )

        return await self.deriver.stored(organization.org_id, derived, store)

    async def _read(self, organization: Organization, conversation: Conversation, outcome: Outcome) -> Decided:
        made = outcome.memories
        derived = await self.deriver.derive(organization, [one.memory for one in made], [one.memory_id for one in made])

        async def store(writes: Sequence[MemoryWrite]) -> Decided:
            extracted_writes = [
                ExtractedWrite(
                    one.number, write, () if one.contradicts is None else (one.contradicts,), one.is_reviewed
                )
                for one, write in zip(made, writes, strict=True)
            ]
            return await self.conversations.store_reading(conversation, extracted_writes, outcome.decisions)

        return await self.deriver.stored(organization.org_id, derived, store)

    async def _announce(self, org_id: UUID, agent_id: UUID, decided: Decided) -> None:
        """Each step is recoverable: caches that miss a change are no longer trusted, and maintenance queues again."""
        try:
            if decided.change is not None:
                await self.cache.changed(org_id, agent_id, decided.change, decided.gone)
        except StoreError:
            pass
        try:
            await self.embed_queue.send(
                [{"org_id": str(org_id), "memory_id": str(memory_id)} for memory_id in decided.to_embed]
            )
        except StoreError:
            return


class _UnreadableError(Exception):
    """Text of a turn cannot be opened now."""
