"""Bounds the new keys of one kind that an organization may leave in Redis, so that none fills it for all others."""

from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient

# Key: count. Arguments: how many, seconds. The time runs from the first.
_ADMIT = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return count
"""


class Growth:
    """Counts in fixed windows: with keys that live as long as a window, at most twice `most` are alive."""

    def __init__(self, client: RedisClient, kind: str, *, most: int, seconds: int) -> None:
        self._client = client
        self._kind = kind
        self._most = most
        self._seconds = seconds

    async def admits(self, org_id: UUID, new: int = 1) -> bool:
        """Whether `new` more are within the bound; they count in either case."""
        count = await self._client.script(_ADMIT, [f"{org_id}:growth:{self._kind}"], [new, self._seconds])
        return int(count) <= self._most
