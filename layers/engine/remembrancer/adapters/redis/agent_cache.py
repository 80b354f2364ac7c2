"""An agent's directive, change counters and hot set. All keys of one agent share a hash tag, hence a cluster slot."""

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import overload
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.growth import Growth
from remembrancer.adapters.redis.records import (
    PROMPT_FIELD,
    decode_directive,
    decode_memory,
    decode_pins,
    decode_prompt,
    decode_told,
    decode_turn,
    encode_directive,
    encode_memory,
    encode_pins,
    encode_prompt,
    encode_told,
    encode_turn,
    told_field,
)
from remembrancer.domain.context.prefix import Prompt
from remembrancer.domain.context.told import MOST_BLOCKS, ToldBlock
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.memory import Change, Directive, Memory
from remembrancer.domain.memories.pins import Pins, owner_of
from remembrancer.domain.retrieval.freshness import Confirmation, StoreState
from remembrancer.domain.retrieval.hot_score import CAPACITY
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentSnapshot, HotEntry

HOT_SECONDS = 300
DIRECTIVE_SECONDS = 3600
CHANGE_SECONDS = 7 * 86_400
TURN_SECONDS = 600
TOLD_SECONDS = 3600
"""Providers keep a prefix for less."""
CONFIRMATION_SECONDS = 300
"""As long as a confirmation may hold."""
_CLOCKS_SECONDS = 0.1
"""For clocks of instances that do not run at the same speed."""
LARGE_TURNS_AT_A_TIME = 2_000
"""Most new query turns of an organization in `TURN_SECONDS`: with 200 candidates and vectors some 50 MB."""

# Common beginning of scripts that need the server's own time, and its name. A server makes a new replication id when it
# starts and when it is promoted: whenever writes may have been lost. A user that may not run INFO gets no id.
_SERVER = """
local info = redis.pcall('INFO', 'replication')
local server = type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

# Keys: directive, change, hot set, hot records, turn, confirmation, what the session was told, what is pinned.
# Arguments: end user, '' for shared only or '*' for all; limit; change counter of the caller; seconds of the session.
# A reader with the current state of the memories needs only the ids of the hot ones. A reader whose map is still
# arriving may need either, so it gets both.
_READ = (
    _SERVER
    + """
local change = redis.call('GET', KEYS[2])
local ids = redis.call('ZREVRANGE', KEYS[3], 0, -1)
local records = {}
if #ids > 0 and not (change and change == ARGV[3]) then
    for _, record in ipairs(redis.call('HMGET', KEYS[4], unpack(ids))) do
        local stop = record and string.find(record, '\\0', 1, true)
        if stop then
            local user = string.sub(record, 2, stop - 1)
            if ARGV[1] == '*' or user == '' or user == ARGV[1] then
                records[#records + 1] = record
                if #records == tonumber(ARGV[2]) then break end
            end
        end
    end
end
local turn, confirmed = unpack(redis.call('MGET', KEYS[5], KEYS[6]))
local told = redis.call('HGETALL', KEYS[7])
local pinned = not (change and change == ARGV[3]) and redis.call('GET', KEYS[8])
-- A replica, which takes no writes, answers all the same.
if #told > 0 then redis.pcall('EXPIRE', KEYS[7], ARGV[4]) end
return {redis.call('GET', KEYS[1]), change, records, turn, server, ids, now, confirmed, told, pinned}
"""
)

# Key: confirmation. Arguments: seconds of its life, then server, time of the question, version and removals; or nothing
# more, for a contradiction, which ends all answers to questions before its arrival. Of the answers that this server was
# told, the one to the latest question counts.
_CONFIRM = (
    _SERVER
    + """
local told, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%x+) (%d+)')
local known = told == server and tonumber(at) <= now and tonumber(at) or 0
if #ARGV == 1 then
    redis.call('SET', KEYS[1], server .. string.format(' %.0f', now), 'EX', ARGV[1])
elseif server == ARGV[2] and tonumber(ARGV[3]) > known and tonumber(ARGV[3]) <= now then
    redis.call('SET', KEYS[1], table.concat(ARGV, ' ', 2), 'EX', ARGV[1])
end
"""
)

# Key: what the session was told. Arguments: seconds, most fields, number of those that go, these, then field, value of
# each block and of the prompt. Of too many, the older half goes; the prompt, which has no number, stays.
_PUT_TOLD = """
local gone = tonumber(ARGV[3])
if gone > 0 then redis.call('HDEL', KEYS[1], unpack(ARGV, 4, 3 + gone)) end
for i = 4 + gone, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[2]) then
    local fields = redis.call('HKEYS', KEYS[1])
    local function number(field) return tonumber(string.match(field, '^%d+') or math.huge) end
    table.sort(fields, function(field, other) return number(field) < number(other) end)
    redis.call('HDEL', KEYS[1], unpack(fields, 1, math.floor(#fields / 2)))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""

# Common beginning of scripts on the hot set: the cached change counters of the agent, and the removal of all its data.
_KNOWN = """
local version, removals = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
version, removals = tonumber(version), tonumber(removals)
local function know(new_version, new_removals, seconds)
    if not version or version < tonumber(new_version) then
        redis.call('SET', KEYS[1], new_version .. ' ' .. new_removals, 'EX', seconds)
    end
end
"""

# Keys: change, hot set, hot records, map.
# Arguments: version and removals as of which the entries were read, seconds of the change, capacity, seconds of the
# set, then id, score, record of each entry. Entries read before a removal must not be stored again.
_PUT_HOT = (
    _KNOWN
    + """
if removals and removals > tonumber(ARGV[2]) then return 0 end
if not removals or removals < tonumber(ARGV[2]) then redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4]) end
know(ARGV[1], ARGV[2], ARGV[3])
for i = 6, #ARGV, 3 do
    redis.call('ZADD', KEYS[2], ARGV[i + 1], ARGV[i])
    redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 2])
end
local surplus = redis.call('ZRANGE', KEYS[2], 0, -1 - tonumber(ARGV[4]))
if #surplus > 0 then
    redis.call('ZREM', KEYS[2], unpack(surplus))
    redis.call('HDEL', KEYS[3], unpack(surplus))
end
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[5])
return 1
"""
)

# Keys: change, hot set, hot records, map. Arguments: version, removals, seconds of the change, then removed ids.
# A removal that was never announced leaves a gap in the removal count; then the set cannot be trusted. A packed map
# goes with every removal: nothing can be taken out of it.
_CHANGED = (
    _KNOWN
    + """
if not removals or removals < tonumber(ARGV[2]) then redis.call('UNLINK', KEYS[4]) end
local told = #ARGV > 3 and 1 or 0
if not removals or removals < tonumber(ARGV[2]) - told then
    redis.call('DEL', KEYS[2], KEYS[3])
else
    for i = 4, #ARGV do
        redis.call('ZREM', KEYS[2], ARGV[i])
        redis.call('HDEL', KEYS[3], ARGV[i])
    end
end
know(ARGV[1], ARGV[2], ARGV[3])
"""
)

# Keys: as above. Arguments: removals as of which the entries were read, seconds, then id, score, record of each entry.
# Entries that changed since then were removed, or must not be overwritten. A set that has missed a removal is not kept
# alive.
_RESCORE = (
    _KNOWN
    + """
if removals ~= tonumber(ARGV[1]) then return end
for i = 3, #ARGV, 3 do
    if redis.call('ZSCORE', KEYS[2], ARGV[i]) then
        redis.call('ZADD', KEYS[2], ARGV[i + 1], ARGV[i])
        redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 2])
    end
end
redis.call('EXPIRE', KEYS[2], ARGV[2])
redis.call('EXPIRE', KEYS[3], ARGV[2])
"""
)

# Key: directive. Arguments: value, version, seconds. The version stands between the schema byte and a NUL.
_PUT_DIRECTIVE = """
local cached = redis.call('GET', KEYS[1])
if cached then
    local stop = string.find(cached, '\\0', 1, true)
    local version = stop and tonumber(string.sub(cached, 2, stop - 1))
    if version and version > tonumber(ARGV[2]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3])
return 1
"""


class HotRecords(Sequence[Memory]):
    """The memories of a hot set's records, decoded when they are first asked for; unreadable ones are left out."""

    __slots__ = ("_decoded", "_records")

    def __init__(self, records: Sequence[bytes]) -> None:
        self._records = records
        self._decoded: list[Memory] | None = None

    def __len__(self) -> int:
        return len(self._memories())

    @overload
    def __getitem__(self, place: int) -> Memory: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Memory]: ...

    def __getitem__(self, place: int | slice) -> Memory | Sequence[Memory]:
        return self._memories()[place]

    def __iter__(self) -> Iterator[Memory]:
        return iter(self._memories())

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of the same memories, as lists are."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _memories(self) -> list[Memory]:
        if self._decoded is None:
            self._decoded = [memory for record in self._records if (memory := decode_memory(record)) is not None]
        return self._decoded


class RedisAgentCache:
    """Serves the AgentCache port."""

    def __init__(self, client: RedisClient) -> None:
        self._client = client
        self._large_turns = Growth(client, "turn", most=LARGE_TURNS_AT_A_TIME, seconds=TURN_SECONDS)

    async def read(
        self,
        org_id: UUID,
        agent_id: UUID,
        end_user: EndUser,
        limit: int,
        *,
        known: Change | None = None,
        turn: str = "",
        session: str = "",
    ) -> AgentSnapshot:
        others = ("confirmed", f"told:{session}", _pinned(end_user))
        names = ("directive", "change", "hot_memories", "hot_records", f"turn:{turn}", *others)
        keys = _keys(org_id, names, agent_id)
        state = f"{known.version} {known.removals}" if known else ""
        directive, sent, records, remembered, server, ids, now_ms, confirmed, told, pinned = await self._client.script(
            _READ, keys, [end_user.text or "", limit, state, TOLD_SECONDS]
        )
        return AgentSnapshot(
            directive=decode_directive(directive, agent_id),
            change=_decode_change(sent),
            hot=HotRecords(records),
            hot_ids=_numbers(ids),
            turn=decode_turn(remembered),
            server=server.decode(),
            at_ms=now_ms,
            told=tuple(decode_told(told)),
            pinned=decode_pins(pinned, agent_id, owner_of(end_user)),
            prompt=decode_prompt(told),
            confirmed=_decode_confirmation(confirmed, server, now_ms),
        )

    async def put_turn(self, org_id: UUID, agent_id: UUID, turn: str, remembered: Turn) -> None:
        """Stores ids, figures and vectors only. Large turns are limited per organization, so that no caller fills
        the shared Redis.
        """
        if remembered.vectors is not None and not await self._large_turns.admits(org_id):
            return
        await self._client.put(_key(org_id, f"turn:{turn}", agent_id), encode_turn(remembered), seconds=TURN_SECONDS)

    async def put_told(
        self,
        org_id: UUID,
        agent_id: UUID,
        session: str,
        told: Sequence[ToldBlock],
        gone: Sequence[ToldBlock] = (),
        *,
        prompt: Prompt | None = None,
    ) -> None:
        """Stores hashes, ids and versions only."""
        arguments: list[object] = [TOLD_SECONDS, MOST_BLOCKS + 1, len(gone), *map(told_field, gone)]
        for block in told:
            arguments += [told_field(block), encode_told(block)]
        if prompt is not None:
            arguments += [PROMPT_FIELD, encode_prompt(prompt.recorded())]
        await self._client.script(_PUT_TOLD, [_key(org_id, f"told:{session}", agent_id)], arguments)

    async def put_pinned(self, org_id: UUID, agent_id: UUID, end_user: EndUser, pins: Pins) -> None:
        """Stores text as the hot set does: sealed where it is sealed."""
        await self._client.put(_key(org_id, _pinned(end_user), agent_id), encode_pins(pins), seconds=HOT_SECONDS)

    async def put_directive(self, org_id: UUID, agent_id: UUID, directive: Directive) -> None:
        arguments = [encode_directive(directive, agent_id), directive.version, DIRECTIVE_SECONDS]
        await self._client.script(_PUT_DIRECTIVE, [_key(org_id, "directive", agent_id)], arguments)

    async def put_hot(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry], as_of: Change) -> None:
        """Extends the set's life of five minutes; the set of an agent without traffic expires."""
        if not entries:
            return
        arguments: list[object] = [as_of.version, as_of.removals, CHANGE_SECONDS, CAPACITY, HOT_SECONDS]
        for entry in entries:
            arguments += [str(entry.memory.id), entry.score, encode_memory(entry.memory)]
        await self._client.script(_PUT_HOT, _hot_keys(org_id, agent_id), arguments)

    async def rescore(self, org_id: UUID, agent_id: UUID, entries: Sequence[HotEntry], as_of: Change) -> None:
        """Also extends the set's life of five minutes."""
        if not entries:
            return
        arguments: list[object] = [as_of.removals, HOT_SECONDS]
        for entry in entries:
            arguments += [str(entry.memory.id), entry.score, encode_memory(entry.memory)]
        await self._client.script(_RESCORE, _hot_keys(org_id, agent_id), arguments)

    async def changed(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID] = ()) -> None:
        arguments = [change.version, change.removals, CHANGE_SECONDS, *map(str, gone)]
        await self._client.script(_CHANGED, _hot_keys(org_id, agent_id), arguments)

    async def confirm(self, org_id: UUID, agent_id: UUID, server: str, stored: Change, asked_ms: int) -> None:
        arguments = [CONFIRMATION_SECONDS, server, asked_ms, stored.version, stored.removals]
        await self._client.script(_CONFIRM, [_key(org_id, "confirmed", agent_id)], arguments)

    async def contradict(self, org_id: UUID, agent_id: UUID) -> None:
        await self._client.script(_CONFIRM, [_key(org_id, "confirmed", agent_id)], [CONFIRMATION_SECONDS])


class WritersAgentCache(RedisAgentCache):
    """For writers, whose callers rely on it that what they removed is in no later answer.

    An instance may go by a confirmation of Postgres for `confirmed_seconds`. So a change that Redis did not take fails
    only when every confirmation from before it has ended.
    """

    def __init__(self, client: RedisClient, *, confirmed_seconds: float) -> None:
        super().__init__(client)
        self._wait_seconds = confirmed_seconds and confirmed_seconds + _CLOCKS_SECONDS

    async def put_directive(self, org_id: UUID, agent_id: UUID, directive: Directive) -> None:
        try:
            await super().put_directive(org_id, agent_id, directive)
        except StoreError:
            await self.wait_until_current()
            raise

    async def changed(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID] = ()) -> None:
        try:
            await super().changed(org_id, agent_id, change, gone)
        except StoreError:
            await self.wait_until_current()
            raise

    async def wait_until_current(self) -> None:
        """Returns when every confirmation from before this call has ended."""
        if self._wait_seconds:
            await asyncio.sleep(self._wait_seconds)


def _numbers(ids: Sequence[bytes]) -> tuple[int, ...]:
    """The ids as numbers; none where any is damaged."""
    try:
        return tuple([int(identifier.replace(b"-", b""), 16) for identifier in ids])
    except ValueError:
        return ()


def _decode_change(value: bytes | None) -> Change | None:
    match = _CHANGE.fullmatch(value or b"")
    return Change(int(match[1]), int(match[2])) if match else None


_CHANGE = re.compile(rb"(\d{1,19}) (\d{1,19})")


def _decode_confirmation(value: bytes | None, server: bytes, now_ms: int) -> Confirmation | None:
    """None where another server was confirmed, or at a time that this server has not reached: its data is of before."""
    match = _CONFIRMATION.fullmatch(value or b"")
    if match is None or match["server"] != server or int(match["at_ms"]) > now_ms:
        return None
    change = _decode_change(match["change"])
    named = None if change is None else server.decode()
    return Confirmation(named, StoreState(change), (now_ms - int(match["at_ms"])) / 1000)


_CONFIRMATION = re.compile(rb"(?P<server>[0-9a-f]+) (?P<at_ms>\d{1,19})(?: (?P<change>\d+ \d+))?")


def _pinned(end_user: EndUser) -> str:
    """The name of a key: names of end users may have any characters."""
    return f"pinned:{hashlib.sha256((owner_of(end_user).name or '').encode()).hexdigest()[:32]}"


def _hot_keys(org_id: UUID, agent_id: UUID) -> list[str]:
    return _keys(org_id, ("change", "hot_memories", "hot_records", "map"), agent_id)


def _key(org_id: UUID, name: str, agent_id: UUID) -> str:
    return _keys(org_id, (name,), agent_id)[0]


def _keys(org_id: UUID, names: Sequence[str], agent_id: UUID) -> list[str]:
    organization, agent = str(org_id), str(agent_id)
    return [f"{organization}:{name}:{{{agent}}}" for name in names]
