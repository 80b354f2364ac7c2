"""Operator tasks for encryption: one event names one organization; the answer reports the remaining work."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.requests.field_types import anything, uuid
from remembrancer.domain.requests.fields import Fields
from remembrancer.usecases.encryption.encrypt import Encryption

SECONDS = 45.0
"""Seconds that one call seals; the scheduled run and further calls continue."""
ORGANIZATION = Fields(task=anything(), org_id=uuid(required=True))


@dataclass(frozen=True, slots=True)
class EncryptionTasks:
    """Handles events `{"task", "org_id"}`; `kms_key_id` is the KMS key that wraps new keys."""

    encryption: Encryption
    kms_key_id: str

    async def turn_on(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Repeatable: there is only one first key."""
        org_id = _organization(event)
        await self.encryption.turn_on(org_id, self.kms_key_id)
        return await self._advance(org_id)

    async def rotate(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Repeated before the rotation is finished, it continues; afterwards it starts the next one."""
        org_id = _organization(event)
        await self.encryption.rotate(org_id, self.kms_key_id)
        return await self._advance(org_id)

    async def rewrap(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the number of rewrapped versions."""
        return {"rewrapped": await self.encryption.rewrap(_organization(event), self.kms_key_id)}

    async def _advance(self, org_id: UUID) -> dict[str, Any]:
        until = self.encryption.clock.monotonic() + SECONDS
        return asdict(await self.encryption.advance(org_id, until=until))


def _organization(event: Mapping[str, Any]) -> UUID:
    org_id: UUID = ORGANIZATION.parse(event)["org_id"]
    return org_id
