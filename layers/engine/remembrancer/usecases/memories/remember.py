"""Writes memories: stored before the answer; found by words immediately, by meaning once embedded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.identity.scope import Principal, read_only
from remembrancer.domain.memories import pins, write_request
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, PinnedFull, QuotaExceeded, RequestError
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Memories, WriteReport, WriteResult
from remembrancer.ports.system import Clock
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.retrieval.after_response import Afterwards


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """The result for one memory of a batch: `error` is set when it was refused, and nothing was stored.

    `redacted` counts the replacements in its texts by kind.
    """

    client_ref: str | None
    memory_id: UUID | None = None
    status: str = "error"
    error: RequestError | None = None
    redacted: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rememberer:
    """Redacts, precomputes, seals and stores memories, and queues them for embedding."""

    memories: Memories
    directory: Directory
    redactor: Redactor
    deriver: Deriver
    announcer: Announcer
    clock: Clock
    new_id: Callable[[], UUID]

    async def write_one(
        self, body: object, principal: Principal, afterwards: Afterwards, *, once: Once | None = None
    ) -> WriteOutcome:
        """Raises RequestError when it is refused."""
        (written,) = await self._write([body], principal, afterwards, once)
        if written.error is not None:
            raise written.error
        return written

    async def write_batch(
        self, body: object, principal: Principal, afterwards: Afterwards, *, once: Once | None = None
    ) -> Sequence[WriteOutcome]:
        """One result each, in order; a refused memory does not stop the others."""
        return await self._write(write_request.NEW_MEMORIES.parse(body)["memories"], principal, afterwards, once)

    async def _write(
        self, bodies: Sequence[Any], principal: Principal, afterwards: Afterwards, once: Once | None
    ) -> list[WriteOutcome]:
        organization = await self.directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        now = self.clock.now()
        parsed = [self._parse(body, principal, now) for body in bodies]
        parsed = await self._with_agents(parsed, principal)
        new = {position: item for position, item in enumerate(parsed) if isinstance(item, NewMemory)}
        new = dict(zip(new, await self.redactor.redact(organization, list(new.values())), strict=True))
        report = WriteReport({})
        if new:
            derived = await self.deriver.derive(organization, list(new.values()), [self.new_id() for _ in new])
            report = await self.deriver.stored(
                principal.org_id,
                derived,
                lambda writes: self.memories.write(principal, dict(zip(new, writes, strict=True)), once=once),
            )
            await self._announce(principal, new, report, afterwards)
        return [_written(new.get(position, item), report.results.get(position)) for position, item in enumerate(parsed)]

    def _parse(self, body: object, principal: Principal, now: datetime) -> NewMemory | WriteOutcome:
        reference = body.get("client_ref") if isinstance(body, dict) else None
        try:
            memory = write_request.parse(body, now=now)
            if memory.user_id is not None and principal.user_id not in {None, memory.user_id}:
                message = "A memory can only be written for the end user that the request acts for."
                raise Forbidden(message, code="end_user_not_allowed")
        except RequestError as error:
            return WriteOutcome(reference if isinstance(reference, str) else None, error=error)
        # A credential for certain end users never writes shared memories.
        return replace(memory, user_id=principal.user_id) if principal.is_restricted else memory

    async def _with_agents(
        self, parsed: Sequence[NewMemory | WriteOutcome], principal: Principal
    ) -> list[NewMemory | WriteOutcome]:
        """Resolves each agent name once; the store checks ids during the write."""
        names = {item.agent_name for item in parsed if isinstance(item, NewMemory) and item.agent_name is not None}
        found: dict[str, UUID | RequestError] = {}
        for name in names:
            try:
                found[name] = (await require_agent(principal, name, self.directory)).agent_id
            except NotFound as error:
                found[name] = error
        return [_of_agent(item, found) for item in parsed]

    async def _announce(
        self, principal: Principal, new: Mapping[int, NewMemory], report: WriteReport, afterwards: Afterwards
    ) -> None:
        """Announces `changes`, those of this write only."""
        accepted = [
            (new[position].agent_id, result)
            for position, result in report.results.items()
            if result.status == "accepted" and new[position].agent_id in report.changes
        ]
        for agent_id, change in report.changes.items():
            gone = [result.gone for agent, result in accepted if agent == agent_id and result.gone is not None]
            if any(agent == agent_id for agent, _ in accepted):
                await self.announcer.changed(principal.org_id, agent_id, change, gone, afterwards)
        ids = [result.memory_id for _, result in accepted if result.memory_id is not None]
        self.announcer.embed(principal.org_id, ids, afterwards)


def _of_agent(item: NewMemory | WriteOutcome, found: Mapping[str, UUID | RequestError]) -> NewMemory | WriteOutcome:
    if isinstance(item, WriteOutcome) or item.agent_name is None:
        return item
    agent = found[item.agent_name]
    return replace(item, agent_id=agent) if isinstance(agent, UUID) else WriteOutcome(item.client_ref, error=agent)


def _written(item: NewMemory | WriteOutcome, result: WriteResult | None) -> WriteOutcome:
    if isinstance(item, WriteOutcome):
        return item
    if result is None:
        # The data has changed since the first request: today the memory would be accepted.
        message = "The first request with this Idempotency-Key refused the memory; send it with another key."
        return WriteOutcome(item.client_ref, error=InvalidRequest(message))
    if result.memory_id is None:
        return WriteOutcome(item.client_ref, error=result.error or _refusal(result.status))
    return WriteOutcome(item.client_ref, result.memory_id, result.status, redacted=item.redactions)


def _refusal(status: str) -> RequestError:
    match status:
        case "unknown_agent":
            return NotFound("There is no such agent.", code="agent_not_found")
        case "shared_supersedes":
            return read_only()
        case "pinned_full":
            return PinnedFull(pins.MOST_TOKENS)
        case "quota_exceeded":
            return QuotaExceeded("memories")
        case _:
            problem = {"supersedes": "is not an active memory of this agent"}
            return InvalidRequest("The request has invalid fields: supersedes.", fields=problem)
