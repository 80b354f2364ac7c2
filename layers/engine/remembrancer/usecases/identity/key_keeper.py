"""API keys: created, listed and revoked by an administrator of their project and environment."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remembrancer.domain.identity import key_request
from remembrancer.domain.identity.api_key import ApiKey
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import NotFound
from remembrancer.keys import fingerprint, new_api_key
from remembrancer.ports.identity import ApiKeys
from remembrancer.usecases.identity.authorise import require_unrestricted


@dataclass(frozen=True, slots=True)
class KeyKeeper:
    """Makes, lists and revokes API keys of a project and environment."""

    keys: ApiKeys
    forget: Callable[[bytes], Awaitable[None]]
    """Removes a revoked key from the caches, by its SHA-256: other instances forget it within seconds. StoreError."""
    new_id: Callable[[], UUID]

    async def create(self, principal: Principal, key: KeyRequest, *, once: Once | None = None) -> tuple[ApiKey, str]:
        """Returns the key and its text, which cannot be shown again: empty for a repetition of the request `once`.

        Raises Forbidden for a key with more rights than its creator.
        """
        require_unrestricted(principal, "manage keys")
        key = key_request.within(key, principal)
        text, key_id = new_api_key(), self.new_id()
        created = await self.keys.create(principal, key_id, fingerprint(text), key, once=once)
        return created, text if created.key_id == key_id else ""

    async def list(
        self, principal: Principal, *, after: tuple[datetime, UUID] | None = None, limit: int = 100
    ) -> Sequence[ApiKey]:
        """Lists keys after `after`, oldest first, including revoked ones."""
        require_unrestricted(principal, "manage keys")
        return await self.keys.list(principal, after=after, limit=limit)

    async def revoke(self, principal: Principal, key_id: UUID) -> ApiKey:
        """Takes effect everywhere within seconds; after a StoreError the call has to be repeated, which is safe."""
        require_unrestricted(principal, "manage keys")
        revoked = await self.keys.revoke(principal, key_id)
        if revoked is None:
            raise NotFound("There is no such key.", code="key_not_found")
        key, key_sha256 = revoked
        await self.forget(key_sha256)
        return key
