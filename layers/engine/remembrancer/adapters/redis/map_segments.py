"""Packed memory maps: one hash for each agent, with parts of bounded size, in the cluster slot of the agent's keys."""

import re
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.cache import StoredSegment

SECONDS = 3600
"""Lifetime of a segment since its last use."""
ORGANIZATION_BYTES = 256_000_000
"""Of an organization's segments together; beyond, those unused for longest go."""
_WRITING_SECONDS = 60
_MOST_PARTS = 24
"""Parts of a segment: with 100 KB each they are read in one round trip."""
_WRITTEN_AT_ONCE = 5
_BEHIND = 25
"""Additions that a stored segment may lack; a reader reads twice as many beside the embedding."""
_OLD_SECONDS = 600
"""Age of a stored segment at which a newer one of the same memories replaces it, since it counts their use."""
_SCHEMA = "1"

# Beginning of scripts: whether the cache has the same removals as the caller.
_SAME_REMOVALS = """
local version, removals = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
local is_same = removals == ARGV[2] and tonumber(version) >= tonumber(ARGV[1])
"""

# Keys: change, map. Arguments: version and removals of the caller's map, its age as seconds since 1970, most additions
# behind, seconds of age, lifetime.
_WANTS = (
    _SAME_REMOVALS
    + """
if not is_same then return 0 end
local known = redis.call('HMGET', KEYS[2], 'version', 'removals', 'read_at')
if known[2] ~= ARGV[2] or tonumber(known[1]) + tonumber(ARGV[4]) <= tonumber(ARGV[1])
    or tonumber(known[3]) + tonumber(ARGV[5]) <= tonumber(ARGV[3]) then return 1 end
redis.call('EXPIRE', KEYS[2], ARGV[6])
return 0
"""
)

# Keys: the new map. Arguments: seconds, then names and values.
_PUT = """
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""

# Keys: change, map, the new map. Arguments: version, removals, lifetime. A removal during the write ends it.
_FINISH = (
    _SAME_REMOVALS
    + """
if not is_same or redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('UNLINK', KEYS[3])
    return 0
end
redis.call('RENAME', KEYS[3], KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
"""
)

# Key: map. Argument: generation.
_DROP = "if redis.call('HGET', KEYS[1], 'generation') == ARGV[1] then redis.call('UNLINK', KEYS[1]) end"

# Keys: agents by their last use, their bytes and the total. Arguments: agent, its bytes or '' where they stay as they
# are, lifetime, most bytes. Returns the agents whose segments have to go.
_USE = """
local gone, now = {}, tonumber(redis.call('TIME')[1])
local function leave(agent)
    redis.call('HINCRBY', KEYS[2], 'total', -tonumber(redis.call('HGET', KEYS[2], agent) or 0))
    redis.call('HDEL', KEYS[2], agent)
    redis.call('ZREM', KEYS[1], agent)
end
for _, agent in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], 0, now - ARGV[3], 'LIMIT', 0, 100)) do leave(agent) end
local bytes = tonumber(ARGV[2]) or tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0)
leave(ARGV[1])
local total = redis.call('HINCRBY', KEYS[2], 'total', bytes)
redis.call('HSET', KEYS[2], ARGV[1], bytes)
redis.call('ZADD', KEYS[1], now, ARGV[1])
while total > tonumber(ARGV[4]) do
    local oldest = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
    if not oldest then break end
    gone[#gone + 1] = oldest
    leave(oldest)
    total = tonumber(redis.call('HGET', KEYS[2], 'total'))
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return gone
"""


class RedisSegments:
    """Serves the SegmentCache port."""

    def __init__(self, client: RedisClient, *, organization_bytes: int = ORGANIZATION_BYTES) -> None:
        """`organization_bytes` bounds the segments of each organization together."""
        self._client = client
        self._organization_bytes = organization_bytes

    async def read(self, org_id: UUID, agent_id: UUID) -> StoredSegment | None:
        names = ["description", *map(str, range(_MOST_PARTS))]
        known, *parts = await self._client.fields(_key(org_id, "map", agent_id), names)
        described = _DESCRIPTION.fullmatch((known or b"").decode(errors="replace"))
        if described is None:
            return None
        number = int(described["parts"])
        present = [part for part in parts[:number] if part is not None]
        if len(present) != number:
            # Read by an instance as damaged, so that it is dropped.
            present = []
        return StoredSegment(
            described["generation"],
            Change(int(described["version"]), int(described["removals"])),
            float(described["read_at"]),
            described["sealed"] == "1",
            present,
        )

    async def wants(self, org_id: UUID, agent_id: UUID, change: Change, read_at: float) -> bool:
        keys = [_key(org_id, name, agent_id) for name in ("change", "map")]
        arguments = [change.version, change.removals, read_at, _BEHIND, _OLD_SECONDS, SECONDS]
        if await self._client.script(_WANTS, keys, arguments):
            return True
        await self._use(org_id, agent_id, None)
        return False

    async def write(self, org_id: UUID, agent_id: UUID, segment: StoredSegment) -> bool:
        """Under a key of its own until it is complete."""
        if len(segment.parts) > _MOST_PARTS or not await self._use(org_id, agent_id, segment.nbytes):
            return False
        change, generation = segment.change, segment.generation
        written = _key(org_id, "map", agent_id) + f":{generation}"
        counters = f"{change.version} {change.removals} {segment.read_at}"
        described = f"{_SCHEMA} {generation} {len(segment.parts)} {int(segment.is_sealed)} {counters}"
        fields = {
            "description": described, "generation": generation, "version": change.version,
            "removals": change.removals, "read_at": segment.read_at,
        }  # fmt: skip
        flat = [value for pair in fields.items() for value in pair]
        await self._client.script(_PUT, [written], [_WRITING_SECONDS, *flat])
        for first in range(0, len(segment.parts), _WRITTEN_AT_ONCE):
            parts = enumerate(segment.parts[first : first + _WRITTEN_AT_ONCE], first)
            numbered = [value for pair in parts for value in pair]
            await self._client.script(_PUT, [written], [_WRITING_SECONDS, *numbered])
        keys = [*(_key(org_id, name, agent_id) for name in ("change", "map")), written]
        return bool(await self._client.script(_FINISH, keys, [change.version, change.removals, SECONDS]))

    async def drop(self, org_id: UUID, agent_id: UUID, generation: str) -> None:
        await self._client.script(_DROP, [_key(org_id, "map", agent_id)], [generation])

    async def _use(self, org_id: UUID, agent_id: UUID, nbytes: int | None) -> bool:
        """Notes the use, and removes what has to go; False when that is the agent's own segment."""
        keys = [f"{org_id}:{name}:{{maps}}" for name in ("map_uses", "map_sizes")]
        size = "" if nbytes is None else nbytes
        arguments = [str(agent_id), size, SECONDS, self._organization_bytes]
        gone = [UUID(found.decode()) for found in await self._client.script(_USE, keys, arguments)]
        for other in gone:
            await self._client.drop(_key(org_id, "map", other))
        return agent_id not in gone


_DESCRIPTION = re.compile(
    _SCHEMA + r" (?P<generation>[0-9a-f]+) (?P<parts>\d{1,4}) (?P<sealed>[01]) (?P<version>\d+) (?P<removals>\d+) "
    r"(?P<read_at>\d+\.\d+)"
)


def _key(org_id: UUID, name: str, agent_id: UUID) -> str:
    """The same form as the keys of the agent cache, which removes maps."""
    return f"{org_id}:{name}:{{{agent_id}}}"
