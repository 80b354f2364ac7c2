"""Idempotency keys of read requests; losing one only loses a refusal."""

from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.requests.idempotency import Once

KEY_SECONDS = 24 * 3600

# Key: one request's. Arguments: hash of the request, seconds. The first value stays until it expires.
_FIRST = """
local known = redis.call('GET', KEYS[1])
if known then return known end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
"""


class RedisRequestKeys:
    """Serves the RequestKeys port; values are `1` and the hash; values of other versions are ignored."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def is_same(self, org_id: UUID, once: Once) -> bool:
        asked = b"1 " + once.request.hex().encode()
        known = await self._client.script(_FIRST, [f"{org_id}:request:{{{once.key.hex()}}}"], [asked, KEY_SECONDS])
        return bytes(known) == asked or not known.startswith(b"1 ")
