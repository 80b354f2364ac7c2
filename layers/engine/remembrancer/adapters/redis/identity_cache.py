"""Keys and agents near at hand: in the instance for seconds, in Redis for minutes, else from the store.

Only what exists is cached, so that a new key or agent works at once. A key that is revoked is marked in Redis with its
revocation, so that nobody who read it before can put it back, and leaves the instances within `INSTANCE_SECONDS`.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, TypeVar
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.records import UNREADABLE
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.errors import StoreError
from remembrancer.ports.identity import Agent, Credentials, Directory, Organization
from remembrancer.ports.system import Clock

INSTANCE_SECONDS = 3.0
ORGANIZATION_SECONDS = 60.0
REDIS_SECONDS = 300
RENEWED_AFTER_SECONDS = 150.0
"""From then on an entry in Redis is read again from the store, beside the request that met it.

So a store that fails finds everybody who was here lately known for as long again.
"""
_RENEWAL_SECONDS = 1.0
_SCHEMA = b"4"
_GONE = _SCHEMA + b"null"
_ENTRIES = 1024

# Key. Arguments: value, what stands for gone, seconds.
_PUT_UNLESS_GONE = """
if redis.call('GET', KEYS[1]) ~= ARGV[2] then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[3]) end
"""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Read(Generic[Value]):
    """Whether Redis knows, and what: None for what is gone."""

    is_known: bool
    value: Value | None = None
    is_old: bool = False


class _Tiers:
    """The instance's own dictionary, bounded and least recently used, over Redis.

    Redis is waited for `wait_seconds`, then the store is asked too, and who knows first is believed: a check that waits
    longer costs a request its memories.
    """

    def __init__(self, client: RedisClient, clock: Clock, wait_seconds: float) -> None:
        self._client = client
        self._clock = clock
        self._wait_seconds = wait_seconds
        self._late: set[asyncio.Future[Any]] = set()
        self._near: OrderedDict[str, tuple[float, Any]] = OrderedDict()

    async def find(
        self,
        key: str,
        load: Callable[[], Awaitable[Value | None]],
        encode: Callable[[Value], Any],
        decode: Callable[[Any], Value],
    ) -> Value | None:
        """Redis failing or late is a miss; the store failing is the caller's to handle."""
        near = self._near.get(key)
        if near is not None and near[0] > self._clock.monotonic():
            self._near.move_to_end(key)
            value: Value = near[1]
            return value
        reading = self.begun(self._from_redis(key, decode))
        await asyncio.wait({reading}, timeout=self._wait_seconds)
        in_time = reading.done()
        read = reading.result() if in_time else await self._sooner(reading, load)
        if read.is_old:
            self.begun(self._renew(key, load, encode))
        found = await load() if in_time and not read.is_known else read.value
        if found is None:
            return None
        self._near[key] = (self._clock.monotonic() + INSTANCE_SECONDS, found)
        if len(self._near) > _ENTRIES:
            self._near.popitem(last=False)
        if not read.is_known:
            writing = self.begun(self._to_redis(reading, key, self._record(encode(found))))
            if in_time:
                await asyncio.wait({writing}, timeout=self._wait_seconds)
        return found

    async def mark_gone(self, key: str) -> None:
        """For longer than anybody holds what was read before. StoreError."""
        self._near.pop(key, None)
        await self._client.put(key, _GONE, seconds=REDIS_SECONDS)

    def begun(self, asked: Coroutine[Any, Any, Value]) -> asyncio.Future[Value]:
        """Goes on by itself if nobody waits any more, as far as the client lets it: the connection stays as it was."""
        work = asyncio.ensure_future(asked)
        self._late.add(work)
        work.add_done_callback(self._late.discard)
        return work

    async def _sooner(
        self, reading: "asyncio.Future[_Read[Value]]", load: Callable[[], Awaitable[Value | None]]
    ) -> "_Read[Value]":
        """What Redis says, which is late; or what the store has, if that comes sooner or alone."""
        loading = asyncio.ensure_future(load())
        try:
            either: set[asyncio.Future[Any]] = {reading, loading}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done() and _failed(loading):
                await asyncio.wait({reading})
            if reading.done() and reading.result().is_known:
                return reading.result()
            return _Read(False, await loading)
        finally:
            loading.cancel()
            loading.add_done_callback(_failed)

    async def _from_redis(self, key: str, decode: Callable[[Any], Value]) -> "_Read[Value]":
        try:
            value = await self._client.get(key)
            if value is None or not value.startswith(_SCHEMA):
                return _Read(False)
            if value == _GONE:
                return _Read(True)
            stored_at, data = json.loads(value[1:])
            age = self._clock.now().timestamp() - stored_at
            return _Read(True, decode(data), age > RENEWED_AFTER_SECONDS)
        except (StoreError, *UNREADABLE):
            return _Read(False)

    async def _renew(
        self, key: str, load: Callable[[], Awaitable[Value | None]], encode: Callable[[Value], Any]
    ) -> None:
        """What the store does not say now, another reader asks it again."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_RENEWAL_SECONDS):
                found = await load()
                value = _GONE if found is None else self._record(encode(found))
                await self._client.script(_PUT_UNLESS_GONE, [key], [value, _GONE, REDIS_SECONDS])

    def _record(self, data: Any) -> bytes:
        return _SCHEMA + json.dumps([self._clock.now().timestamp(), data]).encode()

    async def _to_redis(self, reading: "asyncio.Future[_Read[Any]]", key: str, value: bytes) -> None:
        """Unless it turns out to be there."""
        if (await reading).is_known:
            return
        try:
            await self._client.script(_PUT_UNLESS_GONE, [key], [value, _GONE, REDIS_SECONDS])
        except StoreError:
            return


def _failed(loading: asyncio.Future[Any]) -> bool:
    """Whether the store has; who asks has seen its error."""
    return loading.done() and not loading.cancelled() and isinstance(loading.exception(), StoreError)


class CachedCredentials:
    """Serves the Credentials port over another, and the RevokedKeys port."""

    def __init__(self, store: Credentials, client: RedisClient, clock: Clock, *, wait_seconds: float = 1.0) -> None:
        self._store = store
        self._tiers = _Tiers(client, clock, wait_seconds)

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """By the hash: the key's text is never in Redis."""
        return await self._tiers.find(
            _key(key_sha256), lambda: self._store.resolve(key_sha256), _principal_json, _principal
        )

    async def limit(self, org_id: UUID) -> RateLimit | None:
        """That there is none is worth remembering too."""

        async def load() -> list[RateLimit]:
            found = await self._store.limit(org_id)
            return [] if found is None else [found]

        limits = await self._tiers.find(f"{org_id}:rate_limit", load, _limits_json, _limits)
        return limits[0] if limits else None

    async def revoke(self, key_sha256: bytes) -> None:
        """Other instances follow within `INSTANCE_SECONDS`."""
        await self._tiers.mark_gone(_key(key_sha256))


@dataclass(slots=True)
class _Near:
    """An organization as the store had it at `loaded`; from `fresh_until` on the store is asked again."""

    value: Organization
    loaded: float
    fresh_until: float


class CachedDirectory:
    """Serves the Directory port over another."""

    def __init__(self, store: Directory, client: RedisClient, clock: Clock, *, wait_seconds: float = 1.0) -> None:
        self._store = store
        self._clock = clock
        self._wait_seconds = wait_seconds
        self._organizations: OrderedDict[UUID, _Near] = OrderedDict()
        self._ids: OrderedDict[str, UUID] = OrderedDict()
        self._tiers = _Tiers(client, clock, wait_seconds)

    async def organization(self, org_id: UUID) -> Organization | None:
        """In the instance only: with the term key in Redis, the index would reveal words to whoever reads both.

        While the store does not say, what it said before is good for `REDIS_SECONDS`, as what Redis knows is.
        """
        now = self._clock.monotonic()
        near = self._organizations.get(org_id)
        if near is None or near.loaded + REDIS_SECONDS < now:
            return self._remembered(org_id, await self._store.organization(org_id))
        if near.fresh_until > now:
            return near.value
        near.fresh_until = now + INSTANCE_SECONDS
        renewing = self._tiers.begun(self._renew(org_id))
        await asyncio.wait({renewing}, timeout=self._wait_seconds)
        if not renewing.done():
            return near.value
        renewing.result()
        renewed = self._organizations.get(org_id)
        return renewed.value if renewed is not None else None

    async def _renew(self, org_id: UUID) -> None:
        """Goes on beside the request, so that a store that is only slow is heard too."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_RENEWAL_SECONDS):
                self._remembered(org_id, await self._store.organization(org_id))

    def _remembered(self, org_id: UUID, found: Organization | None) -> Organization | None:
        self._organizations.pop(org_id, None)
        if found is not None:
            now = self._clock.monotonic()
            self._organizations[org_id] = _Near(found, now, now + ORGANIZATION_SECONDS)
            if len(self._organizations) > _ENTRIES:
                self._organizations.popitem(last=False)
        return found

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        """The organization is part of the key: another's agent is never found."""
        return await self._tiers.find(
            f"{org_id}:agent:{{{agent_id}}}", lambda: self._store.agent(org_id, agent_id), _agent_json, _agent
        )

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        """As by id; the place is part of the key, and erasing any agent drops the keys of all names."""
        key = _name_key(principal, name)
        self._ids.pop(key, None)
        found = await self._tiers.find(key, lambda: self._store.agent_named(principal, name), _agent_json, _agent)
        if found is not None:
            self._ids[key] = found.agent_id
            if len(self._ids) > _ENTRIES:
                self._ids.popitem(last=False)
        return found

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        """Without an end, as it is no answer: who begins work with it asks `agent_named` beside that."""
        return self._ids.get(_name_key(principal, name))


def _name_key(principal: Principal, name: str) -> str:
    place = json.dumps([principal.project_id, principal.environment, name])
    return f"{principal.org_id}:agent_name:{sha256(place.encode()).hexdigest()}"


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
    """None or one."""
    return [[limit.per_second, limit.burst] for limit in limits]


def _limits(data: Any) -> list[RateLimit]:
    return [RateLimit(per_second, burst) for per_second, burst in data]


def _key(key_sha256: bytes) -> str:
    return f"key:{key_sha256.hex()}"


def _agent_json(agent: Agent) -> dict[str, Any]:
    created_at = agent.created_at.isoformat() if agent.created_at else None
    return {
        "agent_id": str(agent.agent_id),
        "project_id": agent.project_id,
        "environment": agent.environment,
        "name": agent.name,
        "created_at": created_at,
    }


def _agent(data: Any) -> Agent:
    created_at = datetime.fromisoformat(data["created_at"]) if data["created_at"] else None
    return Agent(UUID(data["agent_id"]), data["project_id"], data["environment"], data["name"], created_at)
