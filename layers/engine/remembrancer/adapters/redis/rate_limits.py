"""Token buckets in Redis: updated atomically, refilled by the server's own clock."""

from collections.abc import Mapping
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import RateLimit

# Keys: buckets. Arguments, for each: tokens a second, most tokens. A bucket is "1 tokens seconds"; any other value
# counts as full. A refusal writes nothing, so that further requests do not delay the next token.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local levels, wait = {}, 0
for index, key in ipairs(KEYS) do
    local rate, most = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
    local tokens, since = string.match(redis.call('GET', key) or '', '^1 (%S+) (%S+)$')
    tokens, since = tonumber(tokens), tonumber(since)
    if tokens and since then
        tokens = math.min(most, tokens + math.max(0, now - since) * rate)
    else
        tokens = most
    end
    levels[index] = tokens
    wait = math.max(wait, (1 - tokens) / rate)
end
if wait > 0 then return tostring(wait) end
for index, key in ipairs(KEYS) do
    local rate, most = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
    local seconds = math.ceil((most - levels[index] + 1) / rate)
    -- Redis takes no longer times than these thirty years.
    seconds = string.format('%d', math.max(1, math.min(seconds, 1e9)))
    redis.call('SET', key, string.format('1 %.6f %.6f', levels[index] - 1, now), 'EX', seconds)
end
return '0'
"""


class RedisRateLimits:
    """Serves the RateLimits port."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client

    async def take(self, org_id: UUID, buckets: Mapping[UUID, RateLimit]) -> float:
        """Takes tokens in one round trip; all buckets of an organization share a slot of a cluster."""
        keys = [f"rate:{{{org_id}}}:{owner}" for owner in buckets]
        arguments = [part for limit in buckets.values() for part in (limit.per_second, max(limit.burst, 1))]
        return float(await self._client.script(_TAKE, keys, arguments))
