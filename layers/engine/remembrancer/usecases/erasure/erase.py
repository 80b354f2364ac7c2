"""Erases all data of an end user, an agent or an organization, in bounded steps that can be resumed."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.erasure import dead_letters
from remembrancer.domain.erasure.dead_letters import DeadLetter
from remembrancer.domain.erasure.erasure import Asking, Erasure
from remembrancer.domain.erasure.erasure_request import ErasureRequest
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Forbidden, NotFound, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.erasure import DeadLetters, Erasures
from remembrancer.ports.system import Clock
from remembrancer.ports.upkeep import Upkeep

MEMORIES = 500
"""Most memories in one transaction, which blocks other writers of their agent."""
RECORDS = 5000


@dataclass(frozen=True, slots=True)
class Eraser:
    """Runs erasures; every step can be repeated, and the scheduled run completes unfinished erasures."""

    erasures: Erasures
    upkeep: Upkeep
    cache: AgentCache
    sweep: Callable[[UUID, UUID | None, Sequence[bytes], bool], Awaitable[None]]
    """Drops what the cache has of an agent, or of the organization without one, and these API keys; the last argument
    leaves what cannot hold anything of a single end user. StoreError.
    """
    forget_key: Callable[[bytes], Awaitable[None]]
    """Removes a revoked API key from the caches, by its SHA-256; StoreError."""
    dead_letters: DeadLetters
    clock: Clock
    new_id: Callable[[], UUID]

    async def request(
        self, request: ErasureRequest, principal: Principal, *, seconds: float, once: Once | None = None
    ) -> Erasure:
        """Erases as much as possible in `seconds`, within the principal's reach.

        Raises NotFound for a subject outside its project and environment; Forbidden for an organization that has other
        projects or environments, and for a principal that acts for one end user, unless that end user is the subject.
        """
        if principal.user_id is not None and (request.kind, request.subject) != ("user", principal.user_id):
            raise Forbidden("This credential can erase only its own end user's data.", code="end_user_not_allowed")
        if request.kind == "organization" and request.subject != str(principal.org_id):
            raise NotFound("There is no such organization.", code="organization_not_found")
        asking = Asking(
            principal.org_id, principal.project_id, principal.environment, principal.key_id, principal.actor
        )
        erasure = await self._begun(asking, request, once)
        await self.run(erasure, seconds=seconds)
        return erasure

    async def request_everywhere(self, org_id: UUID, request: ErasureRequest, *, seconds: float) -> tuple[UUID, bool]:
        """For the operator, in every project and environment: the erasure's id, and whether it is finished."""
        erasure = await self._begun(Asking(org_id), request, None)
        return erasure.erasure_id, erasure.state == "done" or await self.run(erasure, seconds=seconds)

    async def catch_up(self, *, until: float) -> Mapping[str, int]:
        """Continues erasures in every organization until this moment of the clock: how many were `erased`, and how
        many failed, for which no other one waits.
        """
        done = Counter[str]()
        for visit in await self.upkeep.organizations():
            if (seconds := until - self.clock.monotonic()) <= 0:
                break
            try:
                done.update(await self.resume(visit.org_id, seconds=seconds))
            except StoreError:
                done["erasures_failed"] += 1
        return done

    async def resume(self, org_id: UUID, *, seconds: float) -> Mapping[str, int]:
        """Continues unfinished erasures, oldest first, and counts as `catch_up` does."""
        end = self.clock.monotonic() + seconds
        done = Counter[str]()
        for erasure in await self.erasures.running(org_id):
            left = end - self.clock.monotonic()
            if left <= 0:
                break
            try:
                done["erased"] += await self.run(erasure, seconds=left)
            except StoreError:
                done["erasures_failed"] += 1
        return done

    async def run(self, erasure: Erasure, *, seconds: float) -> bool:
        """Runs one erasure; returns whether it is finished, possibly by an earlier run.

        Caches are cleared after the rows they are made from, and before the erasure is recorded as finished.
        """
        if erasure.state == "done":
            return True
        end = self.clock.monotonic() + seconds
        # First, so that no memory is made of a turn after the memories are erased.
        while await self.erasures.erase_conversations(erasure, RECORDS):
            if self.clock.monotonic() >= end:
                return False
        while (erased := await self.erasures.erase_memories(erasure, MEMORIES)) is not None:
            # Readers validate the cache against the store, and it is swept before the erasure ends.
            with suppress(StoreError):
                await self.cache.changed(erasure.org_id, erased.agent_id, erased.change, erased.memory_ids)
            if self.clock.monotonic() >= end:
                return False
        while await self.erasures.erase_records(erasure, RECORDS):
            if self.clock.monotonic() >= end:
                return False
        return await self._finish(erasure)

    async def _swept_dead_letters(self, erasure: Erasure) -> bool:
        """Deletes messages about the subject; False where there are some that could not be looked at."""
        letters, is_all = await self.dead_letters.receive()
        others: Sequence[DeadLetter] = letters
        try:
            meant = await self._meant(erasure, letters) if letters else set()
            await self.dead_letters.delete([letter for letter in letters if letter in meant])
            others = [letter for letter in letters if letter not in meant]
        finally:
            await self.dead_letters.release(others)
        return is_all

    async def _meant(self, erasure: Erasure, letters: Sequence[DeadLetter]) -> set[DeadLetter]:
        messages = [dead_letters.read(letter.body) for letter in letters]
        agents = {agent for one in messages if (agent := dead_letters.identifier(one.get("agent_id"))) is not None}
        stored = {found for one in messages for found in dead_letters.stored_ids(one)}
        elsewhere, left = await self.erasures.beyond(erasure, sorted(agents), sorted(stored))
        return {
            letter
            for letter, one in zip(letters, messages, strict=True)
            if dead_letters.tells_of(
                one, erasure.kind, erasure.subject or "", org_id=erasure.org_id, elsewhere=elsewhere, left=left
            )
        }

    async def _begun(self, asking: Asking, request: ErasureRequest, once: Once | None) -> Erasure:
        erasure = await self.erasures.request(asking, self.new_id(), request.kind, request.subject, once=once)
        if erasure is not None:
            return erasure
        if request.kind == "organization" and asking.project_id is not None:
            message = (
                "The organization has agents or keys in other projects or environments: only the operator can erase it."
            )
            raise Forbidden(message, code="beyond_credential")
        raise NotFound(f"There is no such {request.kind}.", code=f"{request.kind}_not_found")

    async def _finish(self, erasure: Erasure) -> bool:
        agent_id = UUID(erasure.subject) if erasure.kind == "agent" and erasure.subject else None
        try:
            keys = await self.erasures.keys(erasure)
            left = [key for key, ends in keys.items() if not ends]
            if not await self._swept_dead_letters(erasure):
                return False
            await self.sweep(erasure.org_id, agent_id, left, erasure.kind == "user")
            # Marked rather than dropped, since an instance that has read such a key before may write it back.
            for key in keys.keys() - set(left):
                await self.forget_key(key)
        except StoreError:
            return False
        await self.erasures.finish(erasure)
        # Sweep once more: instances may have written back data they had read before, and keys may have changed. None of
        # it is served any more, and all of it expires within minutes.
        with suppress(StoreError):
            await self.sweep(erasure.org_id, agent_id, left, erasure.kind == "user")
        return True
