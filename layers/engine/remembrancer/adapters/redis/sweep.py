"""Removes every cached copy of what was erased."""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient

_WITHOUT_USERS = ("directive", "agent", "agent_name", "change")
"""Kinds of keys that hold nothing of a single end user; each other kind is dropped, those to come too."""
_OF_SEVERAL_AGENTS = ("query", "agent_name")
"""Kinds of keys that may hold ids of an agent or of its memories, and do not name the agent."""


class RedisSweep:
    """Serves the CacheSweep port by the names of keys, which begin with the organization and its kind."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def sweep(self, org_id: UUID, agent_id: UUID | None, keys: Sequence[bytes], *, text_only: bool) -> None:
        """Looks through the whole key space: slow in a large cache, and complete whatever is kept there."""
        for name in await self._client.names(f"{org_id}:*"):
            kind = name.split(":")[1]
            is_meant = agent_id is None or str(agent_id) in name or kind in _OF_SEVERAL_AGENTS
            if is_meant and not (text_only and kind in _WITHOUT_USERS):
                await self._client.drop(name)
        for key in keys:
            await self._client.drop(f"key:{key.hex()}")

    async def clear(self) -> int:
        """Drops every key there is; how many. For a cache that knows what the store has lost."""
        names = await self._client.names("*")
        for name in names:
            await self._client.drop(name)
        return len(names)
