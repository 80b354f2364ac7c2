"""Replaces personal data in texts before they are processed, for organizations that enable it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from remembrancer.domain.capture.conversation import Utterance
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import search
from remembrancer.domain.personal_data.personal_numbers import PhoneFinder


@dataclass(frozen=True, slots=True)
class Redactor:
    """Redacts memories when they are written or changed, and messages of conversations before they are stored."""

    find_phones: PhoneFinder

    async def redact(self, organization: Organization, memories: Sequence[NewMemory]) -> Sequence[NewMemory]:
        """The memories in the form to be stored; runs on a thread, since long texts full of digits take long."""
        wanted = organization.redaction
        if not wanted.kinds:
            return memories
        return await asyncio.to_thread(
            lambda: [search.of_memory(memory, wanted, self.find_phones) for memory in memories]
        )

    async def redact_spoken(
        self, organization: Organization, utterances: Sequence[Utterance]
    ) -> Sequence[tuple[Utterance, Mapping[str, int]]]:
        """The same for messages of a conversation, with the number of replacements by kind."""
        wanted = organization.redaction
        if not wanted.kinds:
            return [(utterance, {}) for utterance in utterances]
        return await asyncio.to_thread(
            lambda: [search.of_utterance(utterance, wanted, self.find_phones) for utterance in utterances]
        )
