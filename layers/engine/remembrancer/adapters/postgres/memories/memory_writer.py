"""Writes batches of memories inside a transaction."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.memories import pins as stored_pins
from remembrancer.adapters.postgres.memories.quotas import room_for_texts
from remembrancer.adapters.postgres.memories.rows import DAY, place
from remembrancer.adapters.postgres.memories.written_columns import written_columns
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.capture import proposals
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import pins
from remembrancer.domain.memories.memory import Change, day_of
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.errors import PinnedFull
from remembrancer.ports.memories import WriteReport, WriteResult

NONE: Mapping[UUID, UUID] = MappingProxyType({})

# All transactions lock rows in the order of their ids, which prevents deadlocks.
_LOCK_SUPERSEDED = """
    SELECT 1 FROM memories
    WHERE org_id = %s AND agent_id = ANY(%s) AND memory_id = ANY(%s) ORDER BY memory_id FOR UPDATE"""

_EXISTING = f"""
    SELECT memory_id, client_ref, user_id, content_sha256, status, {DAY} FROM memories
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s
      AND (client_ref = ANY(%(refs)s) OR (status = 'active' AND content_sha256 = ANY(%(hashes)s)))"""  # noqa: S608 - constants only

_INSERT = """
    INSERT INTO memories (
        memory_id, org_id, project_id, environment, agent_id, user_id, session_id, content, summary, context, category,
        source, confidence, importance, quality, tags, metadata, content_sha256, client_ref, supersedes, tokens_o200k,
        tokens_cl100k, valid_from, expires_at, occurred_from, occurred_to, pinned_at, created_at, sealed,
        sealed_context, key_version, redactions, provenance, status)
    VALUES (
        %(memory_id)s, %(org_id)s, %(project_id)s, %(environment)s, %(agent_id)s, %(user_id)s, %(session_id)s,
        %(content)s, %(summary)s, %(context)s, %(category)s, %(source)s, %(confidence)s, %(importance)s, %(quality)s,
        %(tags)s, %(metadata)s, %(content_sha256)s, %(client_ref)s, %(supersedes)s, %(tokens_o200k)s,
        %(tokens_cl100k)s, %(valid_from)s, %(expires_at)s, %(occurred_from)s, %(occurred_to)s, %(pinned_at)s,
        %(created_at)s, %(sealed)s, %(sealed_context)s, %(key_version)s, %(redactions)s, %(provenance)s,
        %(status)s)"""

_SUPERSEDE = """
    UPDATE memories SET status = 'superseded', superseded_by = %(memory_id)s, updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(supersedes)s AND status = 'active'"""
# Only memories that the principal may see: an end user cannot replace another's memory.
_LIVE = f"""
    SELECT user_id, pinned_at FROM memories m
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(memory_id)s AND status = 'active'
      AND {conditions.user("m")}"""  # noqa: S608 - constants only


async def write_memories(
    transaction: Transaction,
    principal: Principal,
    writes: Mapping[int, MemoryWrite],
    quotas: Quotas | None,
    *,
    reviewed: Mapping[UUID, UUID] = NONE,
) -> WriteReport:
    """With `quotas`, writes only as many as they allow. Memories in `reviewed` wait for approval, each beside another
    that may have its text.
    """
    by_agent: dict[UUID, dict[int, MemoryWrite]] = {}
    for position, write in writes.items():
        by_agent.setdefault(write.memory.agent_id, {})[position] = write
    locked = {agent_id: await _lock(transaction, principal, agent_id) for agent_id in sorted(by_agent)}
    superseded = [write.memory.supersedes for write in writes.values() if write.memory.supersedes is not None]
    if superseded:
        await transaction.fetch(_LOCK_SUPERSEDED, (principal.org_id, list(by_agent), superseded))
    room = None if quotas is None else await room_for_texts(transaction, principal.org_id, quotas)
    results: dict[int, WriteResult] = {}
    changes: dict[UUID, Change] = {}
    for agent_id, live in locked.items():
        of_agent = by_agent[agent_id]
        if live is None:
            results |= dict.fromkeys(of_agent, WriteResult(None, "unknown_agent"))
            continue
        live.require_key(list(of_agent.values()))
        known = await _Known.load(transaction, principal.org_id, agent_id, list(of_agent.values()))
        for beside in reviewed.values():
            known.forget(beside)
        writer = _Writer(transaction, principal, agent_id, live, room, reviewed)
        written = await writer.write(list(of_agent.values()), known)
        room = writer.room
        results |= dict(zip(of_agent, written, strict=True))
        changes[agent_id] = await live.finish()
    return WriteReport(results, changes)


async def _lock(transaction: Transaction, principal: Principal, agent_id: UUID) -> LiveSet | None:
    return await LiveSet.lock(
        transaction, principal.org_id, agent_id, project_id=principal.project_id, environment=principal.environment
    )


class _Known:
    """The existing memories of the agent that match a batch: by end user and client reference, by end user and
    fingerprint, and by the day too.
    """

    def __init__(self) -> None:
        self.by_ref: dict[tuple[str | None, str], UUID] = {}
        self.by_text: dict[tuple[str | None, bytes], UUID] = {}
        self.by_day: dict[tuple[str | None, bytes, date], UUID] = {}

    @classmethod
    async def load(
        cls, transaction: Transaction, org_id: UUID, agent_id: UUID, writes: Sequence[MemoryWrite]
    ) -> "_Known":
        known = cls()
        refs = [write.memory.client_ref for write in writes if write.memory.client_ref]
        hashes = [one for write in writes for one in (write.fingerprint, write.undated)]
        parameters = {"org_id": org_id, "agent_id": agent_id, "refs": refs, "hashes": hashes}
        for memory_id, client_ref, user_id, fingerprint, status, day in await transaction.fetch(_EXISTING, parameters):
            known.add(memory_id, client_ref, user_id, bytes(fingerprint) if status == "active" else None, day)
        return known

    def add(
        self,
        memory_id: UUID,
        client_ref: str | None,
        user_id: str | None,
        fingerprint: bytes | None,
        day: date | None = None,
    ) -> None:
        if client_ref:
            self.by_ref[user_id, client_ref] = memory_id
        if fingerprint:
            self.by_text[user_id, fingerprint] = memory_id
        if fingerprint and day:
            self.by_day[user_id, fingerprint, day] = memory_id

    def find(self, write: MemoryWrite) -> UUID | None:
        memory, day = write.memory, day_of(write.memory)
        by_ref = self.by_ref.get((memory.user_id, memory.client_ref)) if memory.client_ref else None
        by_day = None if day is None else self.by_day.get((memory.user_id, write.undated, day))
        return by_ref or self.by_text.get((memory.user_id, write.fingerprint)) or by_day

    def forget(self, memory_id: UUID) -> None:
        self.by_text = {key: known for key, known in self.by_text.items() if known != memory_id}
        self.by_day = {key: known for key, known in self.by_day.items() if known != memory_id}


class _Writer:
    """Writes one batch inside one transaction; `room` is how many more memories the quota allows, None for no limit."""

    def __init__(
        self,
        transaction: Transaction,
        principal: Principal,
        agent_id: UUID,
        live: LiveSet,
        room: int | None,
        reviewed: Collection[UUID],
    ) -> None:
        self.room = room
        self._reviewed = reviewed
        self._transaction = transaction
        self._principal = principal
        self._agent_id = agent_id
        self._live = live
        self._pinned: list[UUID] = []

    async def write(self, writes: Sequence[MemoryWrite], known: _Known) -> list[WriteResult]:
        results = [await self._write_one(write, known) for write in writes]
        accepted = [write for write, result in zip(writes, results, strict=True) if result.status == "accepted"]
        # In this order, since a later memory of the batch may supersede an earlier one.
        await self._live.enter(accepted)
        # Not a mere addition, which a map may lack for a while.
        await self._live.touched(self._pinned)
        await self._live.leave([result.gone for result in results if result.gone is not None])
        return results

    async def _write_one(self, write: MemoryWrite, known: _Known) -> WriteResult:
        if (existing := known.find(write)) is not None:
            return WriteResult(existing, "duplicate")
        memory = write.memory
        pinned_at = memory.pinned_at
        if memory.supersedes is not None:
            refusal, before = await self._superseded(memory.supersedes, memory.user_id)
            if refusal:
                return WriteResult(None, refusal)
            pinned_at = before if memory.pinned is None else pinned_at
        if self.room == 0:
            return WriteResult(None, "quota_exceeded")
        if pinned_at is not None and (full := await self._has_no_room(write)):
            if not proposals.is_pin_proposed(memory.provenance):
                return full
            # Of what capture would pin, the proposal is left.
            pinned_at = None
        status = "pending_review" if write.memory_id in self._reviewed else "active"
        row = _insert_row(self._principal, write) | {"pinned_at": pinned_at, "status": status}
        await self._transaction.execute(_INSERT, row)
        if pinned_at is not None:
            self._pinned.append(write.memory_id)
        if memory.supersedes is not None:
            await self._supersede(memory.supersedes, write.memory_id)
            known.forget(memory.supersedes)
        self.room = None if self.room is None else self.room - 1
        known.add(write.memory_id, memory.client_ref, memory.user_id, write.fingerprint)
        return WriteResult(write.memory_id, "accepted", gone=memory.supersedes)

    async def _has_no_room(self, write: MemoryWrite) -> WriteResult | None:
        """The refusal of a memory that cannot be pinned beside the others."""
        memory, own = write.memory, pins.tokens_of(write.tokens)
        but = [] if memory.supersedes is None else [memory.supersedes]
        org_id = self._principal.org_id
        pinned = await stored_pins.tokens(self._transaction, org_id, self._agent_id, memory.user_id, but=but)
        if pinned + own <= pins.MOST_TOKENS:
            return None
        return WriteResult(None, "pinned_full", error=PinnedFull(pins.MOST_TOKENS, pinned, own))

    async def _superseded(self, memory_id: UUID, owner: str | None) -> tuple[str | None, datetime | None]:
        """Why this memory cannot be superseded by one of `owner`, and since when it is pinned.

        It is looked up among the memories that the writer sees; for a writer without an end user, among those that the
        new memory's end user sees.
        """
        acting = {"user_id": self._principal.user_id or owner}
        parameters = place(self._principal) | acting | {"agent_id": self._agent_id, "memory_id": memory_id}
        rows = await self._transaction.fetch(_LIVE, parameters)
        if not rows:
            return "unknown_supersedes", None
        user_id, pinned_at = rows[0]
        return None if self._principal.may_change(user_id) else "shared_supersedes", pinned_at

    async def _supersede(self, old: UUID, new: UUID) -> None:
        org_id = self._principal.org_id
        parameters = {"org_id": org_id, "agent_id": self._agent_id, "memory_id": new, "supersedes": old}
        await self._transaction.execute(_SUPERSEDE, parameters)


def _insert_row(principal: Principal, write: MemoryWrite) -> dict[str, Any]:
    memory = write.memory
    return written_columns(write) | {
        "memory_id": write.memory_id,
        "org_id": principal.org_id,
        "project_id": principal.project_id,
        "environment": principal.environment,
        "agent_id": memory.agent_id,
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "client_ref": memory.client_ref,
        "supersedes": memory.supersedes,
        "created_at": memory.created_at,
        "provenance": None if memory.provenance is None else Jsonb(dict(memory.provenance)),
    }
