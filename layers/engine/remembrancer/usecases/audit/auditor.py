"""Links audit entries under the organization's key, removes those that are too old, and records reads."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from remembrancer.domain.identity.scope import Principal
from remembrancer.errors import AuditTrailChanged
from remembrancer.ports.audit import AuditPage, AuditTrail, Sign
from remembrancer.ports.identity import Directory
from remembrancer.ports.system import Clock
from remembrancer.usecases.retrieval.after_response import Afterwards

LINKED = 1000
"""Most entries of one transaction."""


@dataclass(frozen=True, slots=True)
class Auditor:
    """The signature of checkpoints needs the organization's term key, and so KMS where it encrypts."""

    trail: AuditTrail
    directory: Directory
    signer: Callable[[bytes], Sign]
    clock: Clock

    def note_read(self, principal: Principal, action: str, target: str | None, afterwards: Afterwards) -> None:
        """After the response, where the organization audits reads.

        The time is that of the answer: an end user who is erased before the entry is stored is not named anew.
        """
        at = self.clock.now()

        async def note() -> None:
            organization = await self.directory.organization(principal.org_id)
            if organization is not None and organization.audits_reads:
                await self.trail.read(principal, action, target, at)

        afterwards.add("audit", note, first=True)

    async def link(self, org_id: UUID, limit: int = LINKED) -> int:
        """How many entries were linked; StoreError without the key."""
        if not await self.trail.waits(org_id):
            return 0
        organization = await self.directory.organization(org_id)
        return await self.trail.link(org_id, self.signer(organization.term_key), limit) if organization else 0

    async def page(self, principal: Principal, after: int, limit: int) -> AuditPage:
        """The first page links the entries that wait before it is read; a changed trail is shown as it is."""
        if after == 0:
            with suppress(AuditTrailChanged):
                await self.link(principal.org_id)
        return await self.trail.page(principal, after, limit)

    async def remove_old(self, org_id: UUID, now: datetime, limit: int) -> int:
        """How many entries were removed that are older than the organization's setting."""
        organization = await self.directory.organization(org_id)
        if organization is None:
            return 0
        before = now - timedelta(days=organization.audit_days)
        return await self.trail.remove(org_id, before, self.signer(organization.term_key), limit)
