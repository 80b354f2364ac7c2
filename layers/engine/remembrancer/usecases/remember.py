"""Writing memories: stored before they are acknowledged, found by their words at once, by their meaning soon."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain import formatter, lexical, memory_request
from remembrancer.domain.memory import Change, NewMemory, fingerprint, quality
from remembrancer.domain.scope import Principal
from remembrancer.domain.tokens import TokenCount
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, RequestError, StaleDataKey, StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.identity import Directory, Organization
from remembrancer.ports.memories import Memories, MemoryWrite, WriteReport, WriteResult
from remembrancer.ports.models import TokenCounter
from remembrancer.ports.sealing import Sealer
from remembrancer.ports.search import Stemmer
from remembrancer.ports.system import Clock, Queue
from remembrancer.usecases.authorise import require_agent
from remembrancer.usecases.bounded import Afterwards
from remembrancer.usecases.sealing import sealed

FAMILIES = ("o200k_base", "cl100k_base")


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
    cache: AgentCache
    embed_queue: Queue
    sealer: Sealer
    counter: TokenCounter
    stemmer: Stemmer
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
        writes = await self._derive(organization, memories)
        report = await self._store(principal, organization, agent_id, writes)
        accepted = [result for result in report.results if result.status == "accepted"]
        if accepted and report.change:
            await self._announce(principal.org_id, agent_id, report.change, accepted, afterwards)
        return [_written(write.memory, result) for write, result in zip(writes, report.results, strict=True)]

    async def _store(
        self, principal: Principal, organization: Organization, agent_id: UUID, writes: Sequence[MemoryWrite]
    ) -> WriteReport:
        """Sealed first where the organization has a data key; again where that is newer than what is known here."""
        if organization.encrypted:
            writes = await sealed(self.sealer, principal.org_id, writes)
        try:
            return await self.memories.write(principal, agent_id, writes)
        except StaleDataKey as stale:
            writes = await sealed(self.sealer, principal.org_id, writes, version=stale.version)
            return await self.memories.write(principal, agent_id, writes)

    async def _derive(self, organization: Organization, memories: Sequence[NewMemory]) -> list[MemoryWrite]:
        """What is computed once here so that no read has to: index terms, token counts with the wrapper, quality."""
        lines = [
            formatter.line(memory.content, memory.created_at, replaces=memory.supersedes is not None)
            for memory in memories
        ]
        counts: list[Sequence[TokenCount]] = [await self.counter.count_many(lines, family) for family in FAMILIES]
        indexed = await asyncio.to_thread(self._index, organization, memories)
        return [
            MemoryWrite(
                memory_id=self.new_id(),
                memory=memory,
                quality=quality(memory),
                terms=entry.terms,
                indexed_words=entry.length,
                tokens={family: counts[column][row].tokens for column, family in enumerate(FAMILIES)},
                fingerprint=fingerprint(memory.content, key=organization.term_key),
            )
            for row, (memory, entry) in enumerate(zip(memories, indexed, strict=True))
        ]

    def _index(self, organization: Organization, memories: Sequence[NewMemory]) -> list[lexical.IndexedText]:
        return [
            lexical.index(memory.content, memory.context, key=organization.term_key, stem=self.stemmer.stem)
            for memory in memories
        ]

    async def _announce(
        self,
        org_id: UUID,
        agent_id: UUID,
        change: Change,
        accepted: Sequence[WriteResult],
        afterwards: Afterwards,
    ) -> None:
        """The change is visible to the next read in every cache; a lost embedding message is found by maintenance."""
        gone = [result.gone for result in accepted if result.gone is not None]
        try:
            await self.cache.changed(org_id, agent_id, change, gone)
        except StoreError:
            # Tried again after the response; should that fail too, the hot set forgets what is gone in five minutes.
            afterwards.add("announce_change", lambda: self.cache.changed(org_id, agent_id, change, gone))
        messages = [{"org_id": str(org_id), "memory_id": str(result.memory_id)} for result in accepted]
        afterwards.add("queue_embedding", lambda: self.embed_queue.send(messages))


def _written(memory: NewMemory, result: WriteResult) -> Written:
    if result.status == "unknown_supersedes":
        problem = {"supersedes": "is not an active memory of this agent"}
        return Written(
            memory.client_ref, error=InvalidRequest("The request has invalid fields: supersedes.", fields=problem)
        )
    if result.status == "unknown_agent":
        return Written(memory.client_ref, error=NotFound("There is no such agent.", code="agent_not_found"))
    return Written(memory.client_ref, result.memory_id, result.status)
