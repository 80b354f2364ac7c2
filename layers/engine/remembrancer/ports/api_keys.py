"""Administration of API keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.key_request import KeyRequest
from remembrancer.domain.once import Once
from remembrancer.domain.scope import Principal, RateLimit


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What may be shown of a key; `limit` None means none of its own."""

    key_id: UUID
    name: str
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None
    end_user_required: bool
    limit: RateLimit | None
    created_at: datetime
    revoked_at: datetime | None = None
    expires_at: datetime | None = None


class ApiKeys(Protocol):
    """The keys of one project and environment, the principal's."""

    async def create(
        self, principal: Principal, key_id: UUID, key_sha256: bytes, key: KeyRequest, *, once: Once | None = None
    ) -> ApiKey:
        """Stores the key by the SHA-256 of its text; the one that was created `once` has another id."""
        ...

    async def list(
        self, principal: Principal, *, after: tuple[datetime, UUID] | None = None, limit: int = 100
    ) -> Sequence[ApiKey]:
        """Oldest first, revoked ones too; those behind the (created_at, key_id) of `after`."""
        ...

    async def revoke(self, principal: Principal, key_id: UUID) -> tuple[ApiKey, bytes] | None:
        """With its SHA-256; again it changes nothing. None when there is no such key."""
        ...


class RevokedKeys(Protocol):
    """What is near at hand of keys."""

    async def revoke(self, key_sha256: bytes) -> None:
        """Nobody finds the key there from now on; other instances forget it within seconds. StoreError."""
        ...
