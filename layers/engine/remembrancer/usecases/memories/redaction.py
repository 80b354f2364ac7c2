"""Replaces personal data in texts before they are processed, for organizations that enable it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import search
from remembrancer.ports.models import PhoneNumbers


@dataclass(frozen=True, slots=True)
class Redactor:
    """Redacts memories when they are written or changed."""

    phones: PhoneNumbers

    async def redact(self, organization: Organization, memories: Sequence[NewMemory]) -> Sequence[NewMemory]:
        """The memories in the form to be stored; runs on a thread, since long texts full of digits take long."""
        wanted = organization.redaction
        if not wanted.kinds:
            return memories
        return await asyncio.to_thread(
            lambda: [search.of_memory(memory, wanted, self.phones.spans) for memory in memories]
        )
