"""Replaces personal data in texts before they are processed, for organizations that enable it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from remembrancer.domain.capture.conversation import Utterance
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import search
from remembrancer.ports.models import PhoneNumbers


@dataclass(frozen=True, slots=True)
class Redactor:
    """Redacts memories when they are written or changed, and messages of conversations before they are stored."""

    phones: PhoneNumbers

    async def redact(self, organization: Organization, memories: Sequence[NewMemory]) -> Sequence[NewMemory]:
        """The memories in the form to be stored; runs on a thread, since long texts full of digits take long."""
        wanted = organization.redaction
        if not wanted.kinds:
            return memories
        return await asyncio.to_thread(
            lambda: [search.of_memory(memory, wanted, self.phones.spans) for memory in memories]
        )

    async def redact_spoken(
        self, organization: Organization, utterances: Sequence[Utterance]
    ) -> Sequence[tuple[Utterance, Mapping[str, int]]]:
        """The same for messages of a conversation, with the number of replacements by kind."""
        wanted = organization.redaction
        if not wanted.kinds:
            return [(utterance, {}) for utterance in utterances]
        return await asyncio.to_thread(
            lambda: [search.of_utterance(utterance, wanted, self.phones.spans) for utterance in utterances]
        )
