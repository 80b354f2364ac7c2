"""An API key as it may be shown, without its secret."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.identity.scope import RateLimit


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The visible fields of a key; `limit` None means that the key has no limit of its own."""

    key_id: UUID
    name: str
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None
    end_user_required: bool
    limit: RateLimit | None
    created_at: datetime
    revoked_at: datetime | None = None
    expires_at: datetime | None = None
