"""Limits an organization's new keys of one kind, so that it cannot fill the shared Redis."""

from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient

# Key: count. Arguments: number of new keys, seconds. The window starts with the first.
_ADMIT = """
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return count
"""


class Growth:
    """Counts in fixed windows: when keys live as long as a window, at most twice `most` exist at a time."""

    def __init__(self, client: RedisClient, kind: str, *, most: int, seconds: int) -> None:
        self._client = client
        self._kind = kind
        self._most = most
        self._seconds = seconds

    async def admits(self, org_id: UUID, new: int = 1) -> bool:
        """Whether `new` further keys are within the limit; they are counted either way."""
        count = await self._client.script(_ADMIT, [f"{org_id}:growth:{self._kind}"], [new, self._seconds])
        return int(count) <= self._most
