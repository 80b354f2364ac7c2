"""The audit trail of an organization."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.audit.chain import Checkpoint
from remembrancer.domain.identity.scope import Principal

Sign = Callable[[bytes], tuple[str, str]]
"""The public key, and the signature of the bytes, both in hexadecimal."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Entries in their order as JSON objects; the checkpoint with the last of them, None before it."""

    entries: Sequence[dict[str, Any]]
    checkpoint: Checkpoint | None


class AuditTrail(Protocol):
    """Changes write their entries themselves, in their transactions; here reads are added, and entries linked."""

    async def read(self, principal: Principal, action: str, target: str | None, at: datetime) -> None:
        """Adds the entry of a read at that time: its operation's name, of a thing or of the principal's end user."""
        ...

    async def waits(self, org_id: UUID) -> bool:
        """Whether there is an entry to link."""
        ...

    async def link(self, org_id: UUID, sign: Sign, limit: int) -> int:
        """Chains up to `limit` entries that wait, in the order of their arrival, and signs the checkpoint: how many.

        Raises AuditTrailChanged where the chain is not as it was signed; so does `remove`.
        """
        ...

    async def page(self, principal: Principal, after: int, limit: int) -> AuditPage:
        """The linked entries behind position `after`. Those of other projects and environments have digests only."""
        ...

    async def remove(self, org_id: UUID, before: datetime, sign: Sign, limit: int) -> int:
        """Removes up to `limit` of the oldest entries, if they are from before that time, and signs where the chain
        begins from then on: how many.
        """
        ...
