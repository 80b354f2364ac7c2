"""Makes memories of stored turns, one batch of queue messages at a time."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.capture import rules
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import PENDING, Conversation
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.capture import Conversations, Settled
from remembrancer.ports.encryption import Opener
from remembrancer.ports.identity import Directory
from remembrancer.ports.system import Queue
from remembrancer.usecases.capture.echoes import Echoes
from remembrancer.usecases.capture.sealed_turns import opened
from remembrancer.usecases.memories.precomputation import Deriver

TURNS = 100
"""Most turns that are settled in one transaction, which blocks other writers of their agent."""


@dataclass(frozen=True, slots=True)
class CaptureMessage:
    """A conversation with turns to settle."""

    org_id: UUID
    conversation_id: UUID


Failed = dict[CaptureMessage, str]
"""Messages that failed and are to be delivered again, with the reason."""


@dataclass(frozen=True, slots=True)
class Report:
    """Failed messages, the number of turns kept, and of turns dropped by reason."""

    failed: Failed
    kept: int
    dropped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Capturer:
    """Settles pending turns; idempotent: a repeated or late message changes nothing."""

    conversations: Conversations
    directory: Directory
    opener: Opener
    deriver: Deriver
    echoes: Echoes
    cache: AgentCache
    embed_queue: Queue

    async def capture(self, messages: Collection[CaptureMessage]) -> Report:
        """One conversation after the other, since those of one agent wait for each other anyway."""
        failed: Failed = {}
        kept, dropped = 0, Counter[str]()
        for message in dict.fromkeys(messages):
            try:
                while settled := await self._settle(message.org_id, message.conversation_id):
                    kept += settled.kept
                    dropped.update(settled.dropped)
            except _UnreadableError:
                failed[message] = "DecryptionFailed"
            except StoreError as error:
                failed[message] = error.cause
        return Report(failed, kept, dropped)

    async def _settle(self, org_id: UUID, conversation_id: UUID) -> Settled | None:
        """Settles the first pending turns; None when there are none."""
        conversation = await self.conversations.waiting(org_id, conversation_id, TURNS)
        organization = await self.directory.organization(org_id)
        if organization is None or conversation is None:
            return None
        if not any(turn.state == PENDING for turn in conversation.turns):
            return None
        turns = await opened(self.opener, org_id, conversation.turns)
        if any(turn.is_unreadable for turn in turns):
            # A later delivery may find the key.
            raise _UnreadableError
        read = replace(conversation, turns=[turn for turn in turns if not turn.is_forgotten])
        plan = await self.echoes.dropped(organization, read, rules.plan(read))
        settled = await self._stored(organization, read, plan)
        await self._announce(org_id, conversation.agent_id, settled)
        return settled

    async def _stored(self, organization: Organization, conversation: Conversation, plan: Plan) -> Settled:
        ids = {turn.number: turn.memory_id for turn in conversation.turns}
        numbers = list(plan.memories)
        derived = await self.deriver.derive(
            organization, [plan.memories[number] for number in numbers], [ids[number] for number in numbers]
        )

        async def store(writes: Sequence[MemoryWrite]) -> Settled:
            by_number = dict(zip(numbers, writes, strict=True))
            return await self.conversations.settle(conversation, by_number, plan.decisions, followed=plan.followed)

        return await self.deriver.stored(organization.org_id, derived, store)

    async def _announce(self, org_id: UUID, agent_id: UUID, settled: Settled) -> None:
        """Each step is recoverable: caches that miss a change are no longer trusted, and maintenance queues again."""
        try:
            if settled.change is not None:
                await self.cache.changed(org_id, agent_id, settled.change, ())
        except StoreError:
            pass
        try:
            await self.embed_queue.send(
                [{"org_id": str(org_id), "memory_id": str(memory_id)} for memory_id in settled.to_embed]
            )
        except StoreError:
            return


class _UnreadableError(Exception):
    """Text of a turn cannot be opened now."""
