"""Idempotency keys of requests that change nothing: each is answered anew, or refused if its key was another's."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.requests import idempotency as requests
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import StoreError
from remembrancer.ports.cache import RequestKeys

KNOWN_SECONDS = 0.01
"""What looking a key up may cost in time; a Redis that is slower is not waited for."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Refuses an idempotency key that came with another read before."""

    keys: RequestKeys

    async def require_same(self, org_id: UUID, once: Once | None) -> None:
        """Conflict when the key came with another request. Fails open: there is nothing to be done twice."""
        if once is None:
            return
        try:
            async with asyncio.timeout(KNOWN_SECONDS):
                is_same = await self.keys.is_same(org_id, once)
        except (StoreError, TimeoutError):
            return
        if not is_same:
            raise requests.reused()
