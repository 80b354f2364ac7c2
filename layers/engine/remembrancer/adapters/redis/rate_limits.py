"""Token buckets (one for each credential) in Redis: taken from in one step, refilled by the server's own clock."""

from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.scope import RateLimit

# Key: bucket. Arguments: tokens a second, most tokens. The bucket is "1 tokens seconds"; what is another is full.
# A refusal writes nothing: who asks too often does not push the time back at which there is a token again.
_TAKE = """
local rate, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local tokens, since = string.match(redis.call('GET', KEYS[1]) or '', '^1 (%S+) (%S+)$')
tokens, since = tonumber(tokens), tonumber(since)
if tokens and since then
    tokens = math.min(most, tokens + math.max(0, now - since) * rate)
else
    tokens = most
end
if tokens < 1 then return tostring((1 - tokens) / rate) end
local seconds = math.ceil((most - tokens + 1) / rate)
redis.call('SET', KEYS[1], string.format('1 %.6f %.6f', tokens - 1, now), 'EX', math.max(1, seconds))
return '0'
"""


class RedisRateLimits:
    """Serves the RateLimits port."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def take(self, key_id: UUID, limit: RateLimit) -> float:
        """One round trip."""
        wait = await self._client.script(_TAKE, [f"rate:{{{key_id}}}"], [limit.per_second, max(limit.burst, 1)])
        return float(wait)
