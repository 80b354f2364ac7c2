"""The operator's side of encryption: one event names one organization; what is left to do is in the answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from remembrancer.domain.requests.field_types import anything, uuid
from remembrancer.domain.requests.fields import Fields
from remembrancer.usecases.encryption.encrypt import Encryption

SECONDS = 45.0
ORGANIZATION = Fields(task=anything(), org_id=uuid(required=True))
"""How long one call seals; the scheduled run goes on, and so does the next call."""


@dataclass(frozen=True, slots=True)
class EncryptionTasks:
    """`{"task", "org_id"}`; `kms_key_id` is what new keys are wrapped with."""

    encryption: Encryption
    kms_key_id: str

    async def turn_on(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Can be repeated: there is one first key."""
        org_id = _organization(event)
        await self.encryption.turn_on(org_id, self.kms_key_id)
        return await self._advance(org_id)

    async def rotate(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Repeated before it is finished it goes on; afterwards it begins the next rotation."""
        org_id = _organization(event)
        await self.encryption.rotate(org_id, self.kms_key_id)
        return await self._advance(org_id)

    async def rewrap(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """How many versions were wrapped anew."""
        return {"rewrapped": await self.encryption.rewrap(_organization(event), self.kms_key_id)}

    async def _advance(self, org_id: UUID) -> dict[str, Any]:
        until = self.encryption.clock.monotonic() + SECONDS
        return asdict(await self.encryption.advance(org_id, until=until))


def _organization(event: Mapping[str, Any]) -> UUID:
    org_id: UUID = ORGANIZATION.parse(event)["org_id"]
    return org_id
