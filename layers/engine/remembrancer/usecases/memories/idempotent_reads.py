"""Idempotency keys of read requests: repetitions are answered anew; a key that was used for another request is
refused.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.requests import idempotency as requests
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import StoreError
from remembrancer.ports.cache import QueryCache

KNOWN_SECONDS = 0.01
"""Most milliseconds for looking a key up; a slower Redis is not waited for."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Refuses an idempotency key that was used for another read."""

    cache: QueryCache

    async def require_same(self, org_id: UUID, once: Once | None) -> None:
        """Raises Conflict when the key was used for another request. Accepts when Redis fails, since a repeated read
        is harmless.
        """
        if once is None:
            return
        try:
            async with asyncio.timeout(KNOWN_SECONDS):
                is_same = await self.cache.is_same(org_id, once)
        except (StoreError, TimeoutError):
            return
        if not is_same:
            raise requests.reused()
