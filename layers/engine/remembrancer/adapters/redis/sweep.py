"""Deletes every cached copy of erased data."""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient

_WITHOUT_USERS = ("directive", "agent", "agent_name", "change")
"""Kinds of keys without data of a single end user; every other kind is deleted, including kinds added in the future."""
_OF_SEVERAL_AGENTS = ("query", "agent_name")
"""Kinds of keys that may hold ids of an agent or of its memories, without the agent in the key."""


class RedisSweep:
    """Finds copies by key patterns; key names begin with the organization and the kind."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def sweep(self, org_id: UUID, agent_id: UUID | None, keys: Sequence[bytes], text_only: bool) -> None:
        """Scans the whole key space: slow in a large cache, but complete. `text_only` leaves what cannot hold anything
        of a single end user.
        """
        for name in await self._client.names(f"{org_id}:*"):
            kind = name.split(":")[1]
            is_meant = agent_id is None or str(agent_id) in name or kind in _OF_SEVERAL_AGENTS
            if is_meant and not (text_only and kind in _WITHOUT_USERS):
                await self._client.drop(name)
        for key in keys:
            await self._client.drop(f"key:{key.hex()}")

    async def clear(self) -> int:
        """Deletes all keys; returns their number. Used when the cache may hold what a restored store has lost."""
        names = await self._client.names("*")
        for name in names:
            await self._client.drop(name)
        return len(names)
