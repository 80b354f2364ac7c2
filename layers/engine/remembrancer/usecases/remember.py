"""Writing memories: stored before they are acknowledged, found by their words at once, by their meaning soon."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain import memory_request
from remembrancer.domain.memory import NewMemory
from remembrancer.domain.scope import Principal
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, RequestError, StaleDataKey
from remembrancer.ports.identity import Directory, Organization
from remembrancer.ports.memories import Memories, MemoryWrite, WriteReport, WriteResult
from remembrancer.ports.system import Clock
from remembrancer.usecases.announce import Announcer
from remembrancer.usecases.authorise import require_agent
from remembrancer.usecases.bounded import Afterwards
from remembrancer.usecases.derive import Deriver


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one memory of a batch: `error` is set when it was refused, and nothing was stored then."""

    client_ref: str | None
    memory_id: UUID | None = None
    status: str = "error"
    error: RequestError | None = None


@dataclass(frozen=True, slots=True)
class Rememberer:
    """The use case of writing."""

    memories: Memories
    directory: Directory
    deriver: Deriver
    announcer: Announcer
    clock: Clock
    new_id: Callable[[], UUID]

    async def write_one(self, body: object, principal: Principal, afterwards: Afterwards) -> Written:
        """Raises RequestError when it is refused."""
        written = (await self._write([body], principal, afterwards))[0]
        if written.error is not None:
            raise written.error
        return written

    async def write_batch(self, body: object, principal: Principal, afterwards: Afterwards) -> Sequence[Written]:
        """One result each, in order; a refused memory does not stop the others."""
        return await self._write(memory_request.parse_batch(body), principal, afterwards)

    async def _write(self, bodies: Sequence[Any], principal: Principal, afterwards: Afterwards) -> list[Written]:
        organization = await self.directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        now = self.clock.now()
        parsed = [self._parse(body, principal, now) for body in bodies]
        results: list[Written | None] = [item if isinstance(item, Written) else None for item in parsed]
        by_agent: dict[UUID, list[int]] = {}
        for position, item in enumerate(parsed):
            if isinstance(item, NewMemory):
                by_agent.setdefault(item.agent_id, []).append(position)
        for agent_id, positions in by_agent.items():
            memories = [item for position in positions if isinstance(item := parsed[position], NewMemory)]
            written = await self._write_agent(principal, organization, agent_id, memories, afterwards)
            for position, result in zip(positions, written, strict=True):
                results[position] = result
        return [result for result in results if result is not None]

    def _parse(self, body: object, principal: Principal, now: datetime) -> NewMemory | Written:
        reference = body.get("client_ref") if isinstance(body, dict) else None
        try:
            memory = memory_request.parse(body, now=now)
            if memory.user_id is not None and principal.user_id not in {None, memory.user_id}:
                raise Forbidden("A memory can only be written for the end user that the request acts for.")
        except RequestError as error:
            return Written(reference if isinstance(reference, str) else None, error=error)
        return memory

    async def _write_agent(
        self,
        principal: Principal,
        organization: Organization,
        agent_id: UUID,
        memories: Sequence[NewMemory],
        afterwards: Afterwards,
    ) -> list[Written]:
        try:
            await require_agent(principal, agent_id, self.directory)
        except NotFound as error:
            return [Written(memory.client_ref, error=error) for memory in memories]
        writes = await self.deriver.derive(organization, memories, [self.new_id() for _ in memories])
        report = await self._store(principal, agent_id, writes)
        accepted = [result for result in report.results if result.status == "accepted"]
        if accepted and report.change:
            gone = [result.gone for result in accepted if result.gone is not None]
            await self.announcer.changed(principal.org_id, agent_id, report.change, gone, afterwards)
            ids = [result.memory_id for result in accepted if result.memory_id is not None]
            self.announcer.embed(principal.org_id, ids, afterwards)
        return [_written(write.memory, result) for write, result in zip(writes, report.results, strict=True)]

    async def _store(self, principal: Principal, agent_id: UUID, writes: Sequence[MemoryWrite]) -> WriteReport:
        """Again where the organization's data key is newer than what is known here."""
        try:
            return await self.memories.write(principal, agent_id, writes)
        except StaleDataKey as stale:
            writes = await self.deriver.sealed(principal.org_id, writes, version=stale.version)
            return await self.memories.write(principal, agent_id, writes)


def _written(memory: NewMemory, result: WriteResult) -> Written:
    if result.status == "unknown_supersedes":
        problem = {"supersedes": "is not an active memory of this agent"}
        return Written(
            memory.client_ref, error=InvalidRequest("The request has invalid fields: supersedes.", fields=problem)
        )
    if result.status == "unknown_agent":
        return Written(memory.client_ref, error=NotFound("There is no such agent.", code="agent_not_found"))
    return Written(memory.client_ref, result.memory_id, result.status)
