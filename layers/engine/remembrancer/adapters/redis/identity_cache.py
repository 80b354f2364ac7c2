"""Keys and agents near at hand: in the instance for seconds, in Redis for minutes, else from the store.

Only what exists is cached, so that a new key or agent works at once. A key that is revoked leaves Redis with its
revocation and the instances within `INSTANCE_SECONDS`.
"""

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.records import UNREADABLE
from remembrancer.domain.scope import Principal
from remembrancer.errors import StoreError
from remembrancer.ports.identity import Agent, Credentials, Directory, Organization
from remembrancer.ports.system import Clock

INSTANCE_SECONDS = 3.0
ORGANIZATION_SECONDS = 60.0
REDIS_SECONDS = 300
_SCHEMA = b"1"
_ENTRIES = 1024

Value = TypeVar("Value")


class _Tiers:
    """The instance's own dictionary, bounded and least recently used, over Redis."""

    def __init__(self, client: RedisClient, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._near: OrderedDict[str, tuple[float, Any]] = OrderedDict()

    async def find(
        self,
        key: str,
        load: Callable[[], Awaitable[Value | None]],
        encode: Callable[[Value], Any],
        decode: Callable[[Any], Value],
    ) -> Value | None:
        """Redis failing is a miss; the store failing is the caller's to handle."""
        near = self._near.get(key)
        if near is not None and near[0] > self._clock.monotonic():
            self._near.move_to_end(key)
            value: Value = near[1]
            return value
        cached = await self._from_redis(key, decode)
        found = cached if cached is not None else await load()
        if found is None:
            return None
        self._near[key] = (self._clock.monotonic() + INSTANCE_SECONDS, found)
        if len(self._near) > _ENTRIES:
            self._near.popitem(last=False)
        if cached is None:
            await self._to_redis(key, _SCHEMA + json.dumps(encode(found)).encode())
        return found

    async def _from_redis(self, key: str, decode: Callable[[Any], Value]) -> Value | None:
        try:
            value = await self._client.get(key)
            return decode(json.loads(value[1:])) if value is not None and value.startswith(_SCHEMA) else None
        except (StoreError, *UNREADABLE):
            return None

    async def _to_redis(self, key: str, value: bytes) -> None:
        try:
            await self._client.put(key, value, seconds=REDIS_SECONDS)
        except StoreError:
            return


class CachedCredentials:
    """Serves the Credentials port over another."""

    def __init__(self, store: Credentials, client: RedisClient, clock: Clock) -> None:
        self._store = store
        self._tiers = _Tiers(client, clock)

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        """By the hash: the key's text is never in Redis."""
        return await self._tiers.find(
            f"key:{key_sha256.hex()}", lambda: self._store.resolve(key_sha256), _principal_json, _principal
        )


class CachedDirectory:
    """Serves the Directory port over another."""

    def __init__(self, store: Directory, client: RedisClient, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._organizations: OrderedDict[UUID, tuple[float, Organization]] = OrderedDict()
        self._tiers = _Tiers(client, clock)

    async def organization(self, org_id: UUID) -> Organization | None:
        """In the instance only: with the term key in Redis, the index would reveal words to whoever reads both."""
        near = self._organizations.get(org_id)
        if near is not None and near[0] > self._clock.monotonic():
            return near[1]
        found = await self._store.organization(org_id)
        if found is not None:
            self._organizations[org_id] = (self._clock.monotonic() + ORGANIZATION_SECONDS, found)
            if len(self._organizations) > _ENTRIES:
                self._organizations.popitem(last=False)
        return found

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        """The organization is part of the key: another's agent is never found."""
        return await self._tiers.find(
            f"{org_id}:agent:{{{agent_id}}}", lambda: self._store.agent(org_id, agent_id), _agent_json, _agent
        )


def _principal_json(principal: Principal) -> dict[str, Any]:
    return {
        "org_id": str(principal.org_id),
        "project_id": principal.project_id,
        "environment": principal.environment,
        "key_id": str(principal.key_id),
        "scopes": sorted(principal.scopes),
        "end_users": principal.end_users,
        "end_user_required": principal.end_user_required,
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
    )


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
