"""Changes stored memories: edits, deletion, restoration, the undoing of a supersession, feedback, relations."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from uuid import UUID

from remembrancer.domain.capture import proposals
from remembrancer.domain.capture.proposals import ProposedChange
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import edit_request, unsupersede_request
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.memories.prepared_write import MemoryWrite, Revision
from remembrancer.domain.memories.stored_memory import Relation, StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Conflict, NotFound, StoreUnavailable, VersionMismatch
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import ChangeResult, MemoryLife, Rated
from remembrancer.ports.system import Clock
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from remembrancer.usecases.retrieval.after_response import Afterwards

RESTORABLE = timedelta(days=7)
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Reviser:
    """Every change to a memory after it was written."""

    memories: MemoryReader
    life: MemoryLife
    directory: Directory
    redactor: Redactor
    deriver: Deriver
    announcer: Announcer
    clock: Clock
    new_id: Callable[[], UUID]

    async def revise(
        self, memory_id: UUID, body: object, principal: Principal, *, version: int | None, afterwards: Afterwards
    ) -> StoredMemory:
        """Returns the changed memory. `version` is the version to be changed; None means the current one, whichever
        it is.
        """
        edit = edit_request.parse(body)
        organization = await self._organization(principal)
        for _ in range(_ATTEMPTS):
            stored = await self.memories.get(principal, memory_id)
            if stored is None:
                raise _no_memory()
            if version not in {None, stored.version}:
                raise VersionMismatch(f"The memory has version {stored.version} by now.")
            if edit.status is not None and stored.memory.status == "superseded":
                raise Conflict("Another memory has replaced this one.", code="superseded")
            revision = await self._revision(organization, stored, edit, _proposed(stored, edit))
            outcome = await self._changed(principal, revision, self.life.revise)
            if outcome.status != "stale":
                await self._conclude(principal, memory_id, outcome, afterwards)
                return await self._stored(principal, memory_id)
        raise Conflict("Other requests are changing the memory; retry.", code="changed_meanwhile")

    async def forget(self, memory_id: UUID, principal: Principal, afterwards: Afterwards) -> StoredMemory:
        """Returns the deleted memory; a repeated deletion changes nothing."""
        outcome = await self.life.forget(principal, memory_id, self.clock.now())
        await self._conclude(principal, memory_id, outcome, afterwards)
        return await self._stored(principal, memory_id, deleted=True)

    async def restore(
        self, memory_id: UUID, principal: Principal, afterwards: Afterwards, *, once: Once | None = None
    ) -> StoredMemory:
        """Restores the status from before the deletion. Raises Conflict when the memory is not deleted, or an active
        memory has its text.

        A repetition of the request `once` returns the memory's current state, since answers are stored without text.
        """
        if once is not None and await self.life.was_done(principal, once):
            return await self._stored(principal, memory_id)
        organization = await self._organization(principal)
        for _ in range(_ATTEMPTS):
            stored = await self.memories.get(principal, memory_id, deleted=True)
            if stored is None or not self._is_restorable(stored):
                raise _no_memory()
            if stored.deleted_at is None:
                raise Conflict("The memory is not deleted.", code="not_deleted")
            revision = await self._revision(organization, stored, edit_request.Edit({}, stored.deleted_from))
            outcome = await self._changed(principal, revision, partial(self.life.restore, once=once))
            if outcome.status in {"done", "again"}:
                await self._conclude(principal, memory_id, outcome, afterwards)
                return await self._stored(principal, memory_id)
            if outcome.status not in {"stale", "unchanged"}:
                await self._conclude(principal, memory_id, outcome, afterwards)
        raise Conflict("Other requests are changing the memory; retry.", code="changed_meanwhile")

    async def unsupersede(
        self,
        memory_id: UUID,
        body: object,
        principal: Principal,
        afterwards: Afterwards,
        *,
        version: int | None = None,
        once: Once | None = None,
    ) -> StoredMemory:
        """Makes a superseded memory active again, in place of the one that superseded it, or beside it.

        Returns it; for an active memory nothing is done. Raises Conflict when it has another status, when that one is
        superseded too, or when an active memory has its text.
        """
        keep_both = unsupersede_request.parse(body)
        if once is not None and await self.life.was_done(principal, once):
            return await self._stored(principal, memory_id)
        organization = await self._organization(principal)
        for _ in range(_ATTEMPTS):
            stored = await self._stored(principal, memory_id)
            if version not in {None, stored.version}:
                raise VersionMismatch(f"The memory has version {stored.version} by now.")
            if stored.memory.status == "active":
                return stored
            if stored.memory.status != "superseded":
                raise Conflict("The memory is not superseded.", code="not_superseded")
            revision = await self._revision(organization, stored, edit_request.Edit({}, "active"))
            undo = partial(self.life.unsupersede, relation_id=self.new_id(), keep_both=keep_both, once=once)
            outcome = await self._changed(principal, revision, undo)
            if outcome.status == "replaced":
                message = f"The memory {outcome.other}, which replaced this one, was replaced too: undo that first."
                raise Conflict(message, code="superseded")
            if outcome.status not in {"stale", "unchanged"}:
                await self._conclude(principal, memory_id, outcome, afterwards)
                return await self._stored(principal, memory_id)
        raise Conflict("Other requests are changing the memory; retry.", code="changed_meanwhile")

    async def rate(
        self,
        memory_id: UUID,
        positive: bool,
        principal: Principal,
        afterwards: Afterwards,
        *,
        once: Once | None = None,
    ) -> Rated:
        """Returns the outcome, and the memory's new counts of feedback."""
        rated = await self.life.rate(principal, memory_id, self.new_id(), positive, once=once)
        await self._conclude(principal, memory_id, rated.outcome, afterwards)
        return rated

    async def relate(
        self, principal: Principal, relation: Relation, afterwards: Afterwards, *, once: Once | None = None
    ) -> tuple[Relation, bool]:
        """Returns the relation, and whether it is new."""
        related = await self.life.relate(principal, relation, once=once)
        if related is None:
            raise _no_memory()
        for agent_id, change in related.changes.items():
            await self.announcer.changed(principal.org_id, agent_id, change, (), afterwards)
        return related.relation, related.new

    async def unrelate(
        self, principal: Principal, memory_id: UUID, relation_id: UUID, afterwards: Afterwards
    ) -> Relation:
        """Returns the deleted relation. Raises NotFound."""
        related = await self.life.unrelate(principal, memory_id, relation_id)
        if related is None:
            raise NotFound("There is no such relation.", code="relation_not_found")
        for agent_id, change in related.changes.items():
            await self.announcer.changed(principal.org_id, agent_id, change, (), afterwards)
        return related.relation

    async def _revision(
        self,
        organization: Organization,
        stored: StoredMemory,
        edit: edit_request.Edit,
        proposed: ProposedChange | None = None,
    ) -> Revision:
        if stored.is_unreadable:
            # Never store the notice for unreadable text as the text.
            raise StoreUnavailable("The memory's text cannot be opened", cause="DecryptionFailed")
        before = _as_new(stored)
        if proposed is not None and proposed.action == "supersede":
            # The tokens of its line include that it replaces another.
            before = replace(before, supersedes=proposed.target)
        edited = edit.apply(before, now=self.clock.now()) if edit.fields else before
        (after,) = await self.redactor.redact(organization, [edited]) if edit.fields else [edited]
        (write,) = await self.deriver.derive(organization, [after], [stored.memory.id])
        text_changed = any(getattr(before, name) != getattr(after, name) for name in edit_request.TEXTS)
        status = edit.status or stored.memory.status
        is_approved = stored.memory.status == "pending_review" and status == "active"
        replaces = proposals.replaced(stored.provenance) if is_approved else None
        return Revision(stored, write, status, text_changed, proposed, is_kept=edit.is_kept, replaces=replaces)

    async def _changed(
        self, principal: Principal, revision: Revision, change: Callable[[Principal, Revision], Awaitable[ChangeResult]]
    ) -> ChangeResult:
        async def store(writes: Sequence[MemoryWrite]) -> ChangeResult:
            (write,) = writes
            return await change(principal, replace(revision, write=write))

        return await self.deriver.stored(principal.org_id, [revision.write], store)

    async def _conclude(
        self, principal: Principal, memory_id: UUID, outcome: ChangeResult, afterwards: Afterwards
    ) -> None:
        """Raises errors for the caller, announces changes."""
        if outcome.status == "not_found":
            raise _no_memory()
        if outcome.status == "duplicate":
            other = {"content": f"is the text of the active memory {outcome.other}"}
            raise Conflict("An active memory already has this text.", code="duplicate_memory", fields=other)
        if outcome.agent_id is None or outcome.change is None:
            return
        gone = [*([memory_id] if outcome.gone else []), *outcome.others]
        await self.announcer.changed(principal.org_id, outcome.agent_id, outcome.change, gone, afterwards)
        if outcome.to_embed:
            self.announcer.embed(principal.org_id, [memory_id], afterwards)

    def _is_restorable(self, stored: StoredMemory) -> bool:
        return stored.deleted_at is None or self.clock.now() - stored.deleted_at < RESTORABLE

    async def _organization(self, principal: Principal) -> Organization:
        organization = await self.directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        return organization

    async def _stored(self, principal: Principal, memory_id: UUID, *, deleted: bool = False) -> StoredMemory:
        stored = await self.memories.get(principal, memory_id, deleted=deleted)
        if stored is None:
            raise _no_memory()
        return stored


def _proposed(stored: StoredMemory, edit: edit_request.Edit) -> ProposedChange | None:
    """What a model proposed with this memory, where the edit makes it active: it waits for review, or nothing was
    carried out before.
    """
    proposed = proposals.of(stored.provenance)
    if proposed is None or edit.status != "active" or stored.memory.status == "active":
        return None
    return proposed if stored.memory.status == "pending_review" or proposed.outcome is None else None


def _as_new(stored: StoredMemory) -> NewMemory:
    memory = stored.memory
    return NewMemory(
        agent_id=memory.agent_id,
        content=memory.content,
        category=memory.category,
        source=memory.source,
        confidence=memory.confidence,
        importance=memory.importance,
        created_at=memory.created_at,
        summary=memory.summary,
        context=stored.context,
        tags=memory.tags,
        metadata=stored.metadata,
        redactions=stored.redactions,
        user_id=memory.user_id,
        session_id=memory.session_id,
        valid_from=memory.valid_from,
        expires_at=memory.expires_at,
        occurred_from=memory.occurred_from,
        occurred_to=memory.occurred_to,
        supersedes=memory.supersedes,
        client_ref=stored.client_ref,
        pinned_at=memory.pinned_at,
    )


def _no_memory() -> NotFound:
    return NotFound("There is no such memory.", code="memory_not_found")
