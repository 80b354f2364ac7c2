"""Dropping every copy of what was erased."""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient

_WITHOUT_USERS = ("directive", "agent", "change")
"""Kinds of keys that hold nothing of a single end user; each other kind is dropped, those to come too."""


class RedisSweep:
    """Serves the CacheSweep port by the names of keys, which begin with the organization and its kind."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def sweep(self, org_id: UUID, agent_id: UUID | None, keys: Sequence[bytes], *, text_only: bool) -> None:
        """Looks through the whole key space: slow in a large cache, and complete whatever is kept there."""
        pattern = f"{org_id}:*" if agent_id is None else f"{org_id}:*{agent_id}*"
        for name in await self._client.names(pattern):
            kind = name.split(":")[1]
            if not (text_only and kind in _WITHOUT_USERS):
                await self._client.drop(name)
        for key in keys:
            await self._client.drop(f"key:{key.hex()}")
