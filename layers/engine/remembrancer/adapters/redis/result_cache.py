"""Cached answers to popular queries, and counts of repeated queries."""

from collections.abc import Sequence
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.growth import Growth

RESULT_SECONDS = 300
ASKED_SECONDS = 600

# Keys: result, count.
_FIND = "return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}"
COUNTED = 5_000
"""Most different queries of an organization counted in `ASKED_SECONDS`, at 0.2 kB each."""

# Key: count. Arguments: times, seconds, whether a new count may begin. The window starts with the first. Returns 0
# when a new count may not begin.
_ASKED = """
if ARGV[3] == '0' and redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 1
"""


class RedisPopularResults:
    """Serves the PopularResults port; both keys of a query share its hash tag."""

    def __init__(self, client: RedisClient, *, counted: int = COUNTED) -> None:
        self._client = client
        self._growth = Growth(client, "asked", most=counted, seconds=ASKED_SECONDS)

    async def find(self, org_id: UUID, query_key: str) -> tuple[bytes | None, int]:
        answer, asked = await self._client.script(_FIND, [_result(org_id, query_key), _count(org_id, query_key)], [])
        return answer, int(asked or 0)

    async def put(self, org_id: UUID, query_key: str, answer: bytes) -> None:
        await self._client.put(_result(org_id, query_key), answer, seconds=RESULT_SECONDS)

    async def asked(self, org_id: UUID, counts: Sequence[tuple[str, int]]) -> None:
        """Sequential calls: in a cluster the keys are on different nodes."""
        for query_key, times in counts:
            key = _count(org_id, query_key)
            known = await self._client.script(_ASKED, [key], [times, ASKED_SECONDS, 0])
            if not known and await self._growth.admits(org_id):
                await self._client.script(_ASKED, [key], [times, ASKED_SECONDS, 1])


def _result(org_id: UUID, query_key: str) -> str:
    return f"{org_id}:query:{{{query_key}}}"


def _count(org_id: UUID, query_key: str) -> str:
    return f"{org_id}:asked:{{{query_key}}}"
