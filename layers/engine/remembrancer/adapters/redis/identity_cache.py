"""Caches API keys and agents in the instance for seconds and in Redis for minutes, organizations in the instance only.

Missing records are not cached, so a new key or agent works at once. A revoked key is marked in Redis, so that no
instance that read it earlier can cache it again; instances drop it within `INSTANCE_SECONDS`.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, TypeVar
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.dataclass_json import DataclassJson
from remembrancer.adapters.redis.records import UNREADABLE
from remembrancer.adapters.refresh_ahead import RefreshAhead, Times
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.errors import StoreError
from remembrancer.ports.identity import Credentials, Directory
from remembrancer.ports.system import Clock

INSTANCE_SECONDS = 3.0
ORGANIZATION_SECONDS = 60.0
REDIS_SECONDS = 300
RENEWED_AFTER_SECONDS = 150.0
"""Age from which an entry in Redis is read again from the store, concurrently with the request that uses it.

So recently used credentials stay cached for this long when the store fails.
"""
PAUSE_SECONDS = 1.0
"""Seconds to wait after the store failed to return an organization; otherwise every request would wait for a failing
attempt.
"""
_LOAD_SECONDS = 2.0
_RENEWAL_SECONDS = 1.0
_MOST_NAMES = 10_000
"""Most agent names whose ids an instance remembers."""
_SCHEMA = b"7"
_GONE = _SCHEMA + b"null"

# Key. Arguments: value, the value that marks a revoked record, seconds.
_PUT_UNLESS_GONE = """
if redis.call('GET', KEYS[1]) ~= ARGV[2] then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3]) end
"""

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Lookup(Generic[Value]):
    """The result of a read: whether Redis or the store had a definite answer, and the value, None for a missing
    record.
    """

    is_known: bool
    value: Value | None = None
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class _Kind(Generic[Key, Value]):
    """Where records of one kind are found, and their form in Redis.

    `comes_back`: after a record is gone, there may be another one under the same key. `weigh` gives the bytes of large
    records.
    """

    name: Callable[[Key], str]
    load: Callable[[Key], Awaitable[Value | None]]
    encode: Callable[[Value], Any]
    decode: Callable[[Any], Value]
    comes_back: bool = False
    weigh: Callable[[Value], int] = lambda _: 0


class _Records(Generic[Key, Value]):
    """Records of one kind: instance cache, then Redis, then the store.

    After `wait_seconds` without an answer from Redis, the store is asked too, and the first definite answer wins: a
    longer check would cost a request its memories. Redis failing or late counts as a miss; the store failing raises
    StoreError.
    """

    def __init__(self, kind: _Kind[Key, Value], client: RedisClient, clock: Clock, wait_seconds: float) -> None:
        self._kind = kind
        self._client = client
        self._clock = clock
        self._wait_seconds = wait_seconds
        self._late: set[asyncio.Future[Any]] = set()
        times = Times(INSTANCE_SECONDS, INSTANCE_SECONDS, load_seconds=_LOAD_SECONDS)
        self._kept = RefreshAhead[Key, Value | None](
            self._find, clock, times, weigh=lambda found: 0 if found is None else kind.weigh(found)
        )

    async def find(self, key: Key) -> Value | None:
        """The record; None when there is none."""
        return await self._kept.get(key)

    async def mark_gone(self, key: Key) -> None:
        """Marks a record as revoked, for longer than any instance keeps an earlier read. Raises StoreError."""
        try:
            await self._client.put(self._kind.name(key), _GONE, seconds=REDIS_SECONDS)
        finally:
            self._kept.discard(key)

    async def correct(self, key: Key, value: Value) -> None:
        """Replaces what was read before. Raises StoreError."""
        try:
            await self._put(key, self._record(value))
        finally:
            self._kept.discard(key)

    async def _find(self, key: Key) -> Value | None:
        reading = self._begun(self._from_redis(key))
        await asyncio.wait({reading}, timeout=self._wait_seconds)
        in_time = reading.done()
        read = reading.result() if in_time else await self._sooner(reading, key)
        if read.is_old:
            self._begun(self._renew(key))
        found = await self._kind.load(key) if in_time and not read.is_known else read.value
        if found is not None and not read.is_known:
            writing = self._begun(self._to_redis(reading, key, self._record(found)))
            if in_time:
                await asyncio.wait({writing}, timeout=self._wait_seconds)
        return found

    def _begun(self, asked: Coroutine[Any, Any, Answer]) -> asyncio.Future[Answer]:
        """Starts the load; it continues when its caller gives up, so that the connection stays usable."""
        work = asyncio.ensure_future(asked)
        self._late.add(work)
        work.add_done_callback(self._late.discard)
        return work

    async def _sooner(self, reading: "asyncio.Future[_Lookup[Value]]", key: Key) -> "_Lookup[Value]":
        """The late answer of Redis, or the store's, whichever comes first."""
        loading = asyncio.ensure_future(self._kind.load(key))
        try:
            either: set[asyncio.Future[Any]] = {reading, loading}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done() and _failed(loading):
                await asyncio.wait({reading})
            if reading.done() and reading.result().is_known:
                return reading.result()
            return _Lookup(False, await loading)
        finally:
            loading.cancel()
            loading.add_done_callback(_failed)

    async def _from_redis(self, key: Key) -> "_Lookup[Value]":
        try:
            value = await self._client.get(self._kind.name(key))
            if value is None or not value.startswith(_SCHEMA):
                return _Lookup(False)
            if value == _GONE:
                return _Lookup(True)
            stored_at, data = json.loads(value[1:])
            age = self._clock.now().timestamp() - stored_at
            return _Lookup(True, self._kind.decode(data), age > RENEWED_AFTER_SECONDS)
        except (StoreError, *UNREADABLE):
            return _Lookup(False)

    async def _renew(self, key: Key) -> None:
        """Reads again from the store; when that fails, the next reader tries again."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_RENEWAL_SECONDS):
                found = await self._kind.load(key)
                if found is None and self._kind.comes_back:
                    await self._client.drop(self._kind.name(key))
                else:
                    await self._put(key, _GONE if found is None else self._record(found))

    def _record(self, value: Value) -> bytes:
        return _SCHEMA + json.dumps([self._clock.now().timestamp(), self._kind.encode(value)]).encode()

    async def _to_redis(self, reading: "asyncio.Future[_Lookup[Value]]", key: Key, value: bytes) -> None:
        """Stores the record in Redis, unless Redis has it already."""
        if not (await reading).is_known:
            with suppress(StoreError):
                await self._put(key, value)

    async def _put(self, key: Key, value: bytes) -> None:
        await self._client.script(_PUT_UNLESS_GONE, [self._kind.name(key)], [value, _GONE, REDIS_SECONDS])


def _failed(loading: asyncio.Future[Any]) -> bool:
    """Whether the store has failed; marks its error as retrieved."""
    return loading.done() and not loading.cancelled() and isinstance(loading.exception(), StoreError)


def _weight(principal: Principal) -> int:
    return principal.nbytes


class CachedCredentials:
    """Serves the Credentials port over another."""

    def __init__(self, store: Credentials, client: RedisClient, clock: Clock, *, wait_seconds: float = 1.0) -> None:
        # Keyed by the hash: the key's text is never in Redis.
        keys = _Kind(lambda key: f"key:{key.hex()}", store.resolve, _principal_json, _principal, weigh=_weight)

        async def limit(org_id: UUID) -> list[RateLimit]:
            """Empty where there is no limit, so that this is cached as well."""
            found = await store.limit(org_id)
            return [] if found is None else [found]

        limits = _Kind(lambda org_id: f"{org_id}:rate_limit", limit, _limits_json, _limits)
        self._keys = _Records[bytes, Principal](keys, client, clock, wait_seconds)
        self._limits = _Records[UUID, list[RateLimit]](limits, client, clock, wait_seconds)

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        return await self._keys.find(key_sha256)

    async def limit(self, org_id: UUID) -> RateLimit | None:
        return next(iter(await self._limits.find(org_id) or ()), None)

    async def revoke(self, key_sha256: bytes) -> None:
        """The key is not found in the caches any more; other instances forget it within seconds. StoreError."""
        await self._keys.mark_gone(key_sha256)


class CachedDirectory:
    """Serves the Directory port over another, and the ChangedAgents port."""

    def __init__(self, store: Directory, client: RedisClient, clock: Clock, *, wait_seconds: float = 1.0) -> None:
        self._store = store

        async def agent(key: tuple[UUID, UUID]) -> Agent | None:
            return await store.agent(*key)

        # The organization is part of the key, so that agents of other organizations are never found.
        agents = _Kind(lambda key: f"{key[0]}:agent:{{{key[1]}}}", agent, _AGENT.encode, _agent)
        self._agents = _Records[tuple[UUID, UUID], Agent](agents, client, clock, wait_seconds)

        async def named(key: _AgentName) -> Agent | None:
            return await store.agent_named(key.principal, key.place[-1])

        names = _Kind(_AgentName.key, named, _AGENT.encode, _agent, comes_back=True)
        self._named = _Records[_AgentName, Agent](names, client, clock, wait_seconds)

        async def time_zone(key: tuple[UUID, str, str, str]) -> list[str]:
            """Empty where none is set, so that this is cached as well."""
            found = await store.time_zone(*key)
            return [] if found is None else [found]

        zones = _Kind(_end_user_key, time_zone, lambda names: names, list[str])
        self._time_zones = _Records[tuple[UUID, str, str, str], list[str]](zones, client, clock, wait_seconds)
        self._ids: OrderedDict[_AgentName, UUID] = OrderedDict()
        times = Times(ORGANIZATION_SECONDS, REDIS_SECONDS, PAUSE_SECONDS, wait_seconds, _LOAD_SECONDS)
        self._organizations = RefreshAhead[UUID, Organization | None](store.organization, clock, times)

    async def organization(self, org_id: UUID) -> Organization | None:
        """Cached in the instance only: with the term key in Redis, a reader of both would learn words from the
        index.
        """
        return await self._organizations.get(org_id)

    def remembered_organization(self, org_id: UUID) -> Organization | None:
        """What `organization` would return at once; None when it is old enough to be read again."""
        kept = self._organizations.kept(org_id)
        return kept[0] if kept is not None and kept[1] < ORGANIZATION_SECONDS else None

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        return await self._agents.find((org_id, agent_id))

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        """Like `agent`; project and environment are part of the key, and erasing any agent drops the keys of all
        names.
        """
        key = _AgentName.of(principal, name)
        self._ids.pop(key, None)
        found = await self._named.find(key)
        if found is not None:
            self._ids[key] = found.agent_id
            if len(self._ids) > _MOST_NAMES:
                self._ids.popitem(last=False)
        return found

    async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
        """Always from the store: it is only read for a refusal."""
        return await self._store.names_like(principal, name)

    async def correct(self, agent: Agent, principal: Principal) -> None:
        """Replaces the agent by id and by name. A reader that read the store before may put back what it read, for
        `REDIS_SECONDS`.
        """
        await asyncio.gather(
            self._agents.correct((principal.org_id, agent.agent_id), agent),
            self._named.correct(_AgentName.of(principal, agent.name), agent),
        )

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        return next(iter(await self._time_zones.find((org_id, project_id, environment, end_user)) or ()), None)

    async def correct_time_zone(self, principal: Principal, end_user: str, time_zone: str | None) -> None:
        """Replaces what an end user has set, like `correct`."""
        place = (principal.org_id, principal.project_id, principal.environment, end_user)
        await self._time_zones.correct(place, [] if time_zone is None else [time_zone])

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        """Remembered without expiry, since it is only a hint: the caller verifies it by `agent_named` concurrently."""
        return self._ids.get(_AgentName.of(principal, name))


@dataclass(frozen=True, slots=True)
class _AgentName:
    """An agent's name in its project and environment; the same for all callers."""

    place: tuple[UUID, str, str, str]
    principal: Principal = field(compare=False)

    @classmethod
    def of(cls, principal: Principal, name: str) -> "_AgentName":
        return cls((principal.org_id, principal.project_id, principal.environment, name), principal)

    def key(self) -> str:
        org_id, *named = self.place
        return f"{org_id}:agent_name:{sha256(json.dumps(named).encode()).hexdigest()}"


def _end_user_key(place: tuple[UUID, str, str, str]) -> str:
    """Holds a hash in place of the end user's name, which nobody shall read in Redis."""
    org_id, *named = place
    return f"{org_id}:end_user:{sha256(json.dumps(named).encode()).hexdigest()}"


def _principal_json(principal: Principal) -> dict[str, Any]:
    return {
        "org_id": str(principal.org_id),
        "project_id": principal.project_id,
        "environment": principal.environment,
        "key_id": str(principal.key_id),
        "scopes": sorted(principal.scopes),
        "end_users": principal.end_users,
        "end_user_required": principal.end_user_required,
        "limits": _limits_json([principal.limit] if principal.limit else []),
        "expires_at": principal.expires_at.isoformat() if principal.expires_at else None,
    }


def _principal(data: Any) -> Principal:
    return Principal(
        org_id=UUID(data["org_id"]),
        project_id=data["project_id"],
        environment=data["environment"],
        key_id=UUID(data["key_id"]),
        scopes=frozenset(data["scopes"]),
        end_users=None if data["end_users"] is None else tuple(data["end_users"]),
        end_user_required=data["end_user_required"],
        limit=next(iter(_limits(data["limits"])), None),
        expires_at=datetime.fromisoformat(data["expires_at"]) if data["expires_at"] else None,
    )


def _limits_json(limits: list[RateLimit]) -> Any:
    return [[limit.per_second, limit.burst] for limit in limits]


def _limits(data: Any) -> list[RateLimit]:
    return [RateLimit(per_second, burst) for per_second, burst in data]


_AGENT = DataclassJson(Agent)


def _agent(data: Any) -> Agent:
    return Agent(**_AGENT.decode(data))
