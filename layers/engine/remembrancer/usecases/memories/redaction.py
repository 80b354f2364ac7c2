"""Replaces personal data in texts before anything is derived from them, where the organization wants that."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.personal_data import search
from remembrancer.ports.models import PhoneNumbers


@dataclass(frozen=True, slots=True)
class Redactor:
    """Part of writing and of changing."""

    phones: PhoneNumbers

    async def redact(self, organization: Organization, memories: Sequence[NewMemory]) -> Sequence[NewMemory]:
        """As they are to be stored; on a thread, since long texts full of digits take their time."""
        wanted = organization.redaction
        if not wanted.kinds:
            return memories
        return await asyncio.to_thread(
            lambda: [search.of_memory(memory, wanted, self.phones.spans) for memory in memories]
        )
