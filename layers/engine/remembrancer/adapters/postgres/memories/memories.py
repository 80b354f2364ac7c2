"""Memories for the API: written, read and listed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, add_texts, room_for_texts
from remembrancer.adapters.postgres.memories.relations import RELATED
from remembrancer.adapters.postgres.memories.rows import DAY, MEMORY_COLUMNS, MEMORY_WIDTH, place, to_memory
from remembrancer.adapters.postgres.memories.written_columns import written_columns
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change, MemoryVersion, day_of
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.memories.stored_memory import MOST_CHAIN, MOST_RELATIONS, MOST_VERSIONS, Relation, StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import QuotaExceeded
from remembrancer.ports.memories import Listing, WriteReport, WriteResult

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
        tokens_cl100k, valid_from, expires_at, occurred_from, occurred_to, created_at, sealed, sealed_context,
        key_version, redactions, provenance)
    VALUES (
        %(memory_id)s, %(org_id)s, %(project_id)s, %(environment)s, %(agent_id)s, %(user_id)s, %(session_id)s,
        %(content)s, %(summary)s, %(context)s, %(category)s, %(source)s, %(confidence)s, %(importance)s, %(quality)s,
        %(tags)s, %(metadata)s, %(content_sha256)s, %(client_ref)s, %(supersedes)s, %(tokens_o200k)s,
        %(tokens_cl100k)s, %(valid_from)s, %(expires_at)s, %(occurred_from)s, %(occurred_to)s, %(created_at)s,
        %(sealed)s, %(sealed_context)s, %(key_version)s, %(redactions)s, %(provenance)s)"""

_SUPERSEDE = """
    UPDATE memories SET status = 'superseded', superseded_by = %(memory_id)s, updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(supersedes)s AND status = 'active'"""
# Only memories that the principal may see: an end user cannot replace another's memory.
_LIVE = f"""
    SELECT user_id FROM memories m
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(memory_id)s AND status = 'active'
      AND {conditions.user("m")}"""  # noqa: S608 - constants only
STORED = f"""
    SELECT {MEMORY_COLUMNS}, m.context, m.metadata, m.embedding_state, m.embedding_error, m.client_ref,
           m.superseded_by, m.updated_at, m.deleted_at, m.deleted_from, m.sealed_context, m.redactions,
           m.provenance
    FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.org_id = %(org_id)s AND m.project_id = %(project_id)s AND m.environment = %(environment)s
      AND (m.status <> 'deleted' OR %(deleted)s)
      AND {conditions.user("m")}"""  # noqa: S608 - constants only

_GET = STORED + " AND m.memory_id = %(memory_id)s"

LIST = (
    STORED
    + """
      AND (%(agent_id)s::uuid IS NULL OR m.agent_id = %(agent_id)s)
      AND (%(category)s::text IS NULL OR m.category = %(category)s)
      AND (%(tag)s::text IS NULL OR %(tag)s = ANY(m.tags))
      AND (%(since)s::timestamptz IS NULL OR m.created_at >= %(since)s)
      AND (%(status)s::text IS NULL OR m.status = %(status)s)
      AND (%(embedding_state)s::text IS NULL OR m.embedding_state = %(embedding_state)s)
      AND (%(client_ref)s::text IS NULL OR m.client_ref = %(client_ref)s)
      AND (%(after_at)s::timestamptz IS NULL OR (m.created_at, m.memory_id) < (%(after_at)s, %(after_id)s))
    ORDER BY m.created_at DESC, m.memory_id DESC
    LIMIT %(limit)s"""
)
# A separate condition, so that the entries are read first, from their index.
LIST_BY_METADATA = LIST.replace("ORDER BY", f"AND m.memory_id IN ({conditions.WITH_METADATA})\n    ORDER BY")

_CHAIN = f"""
    WITH RECURSIVE older AS (
        SELECT memory_id, 0 AS step FROM memories WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s
        UNION ALL
        SELECT m.memory_id, older.step - 1 FROM memories m JOIN older ON m.superseded_by = older.memory_id
        WHERE m.org_id = %(org_id)s AND older.step > -%(most_chain)s
    ), newer AS (
        SELECT memory_id, superseded_by, 0 AS step FROM memories
        WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s
        UNION ALL
        SELECT m.memory_id, m.superseded_by, newer.step + 1
        FROM memories m JOIN newer ON m.memory_id = newer.superseded_by
        WHERE m.org_id = %(org_id)s AND newer.step < %(most_chain)s
    )
    SELECT s.memory_id, s.step
    FROM (SELECT memory_id, step FROM older UNION SELECT memory_id, step FROM newer) s JOIN memories m USING (memory_id)
    WHERE m.org_id = %(org_id)s AND (m.status <> 'deleted' OR m.memory_id = %(memory_id)s)
      AND {conditions.user("m")}
    ORDER BY s.step, m.created_at, s.memory_id"""  # noqa: S608

_VERSIONS = """
    SELECT version, coalesce(content, ''), summary, context, replaced_at, sealed, sealed_context FROM memory_versions
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s AND (%(before)s::integer IS NULL OR version < %(before)s)
    ORDER BY version DESC LIMIT %(most_versions)s"""


class PostgresMemories:
    """Serves the Memories port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas

    async def write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], *, once: Once | None = None
    ) -> WriteReport:
        """Locks agents in the order of their ids, before any memory, like every writer.

        The organization's count of texts is locked at the end. If there are too many, it is locked again before
        writing, and only as many memories are written as the quota allows.
        """
        try:
            return await self._write(principal, writes, once, is_full=False)
        except QuotaExceeded:
            return await self._write(principal, writes, once, is_full=True)

    @repeated
    async def _write(
        self, principal: Principal, writes: Mapping[int, MemoryWrite], once: Once | None, *, is_full: bool
    ) -> WriteReport:
        async with (
            self._database.transaction(principal.org_id) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return WriteReport(_again(claim.before))
            report = await write_memories(transaction, principal, writes, self._quotas if is_full else None)
            accepted = sum(result.status == "accepted" for result in report.results.values())
            await add_texts(transaction, principal.org_id, accepted, self._quotas)
            if any(result.memory_id is not None for result in report.results.values()):
                memories = [write.memory for write in writes.values()]
                claim.keep(
                    {
                        str(place): [str(result.memory_id or ""), result.status]
                        for place, result in report.results.items()
                    },
                    agents=[memory.agent_id for memory in memories],
                    users=[principal.user_id, *(memory.user_id for memory in memories)],
                )
            return report

    async def get(
        self, principal: Principal, memory_id: UUID, *, deleted: bool = False, before: int | None = None
    ) -> StoredMemory | None:
        """One transaction, so that versions and relations match the memory as read."""
        parameters = place(principal) | {
            "memory_id": memory_id,
            "deleted": deleted,
            "before": before,
            "most_versions": MOST_VERSIONS,
            "most_chain": MOST_CHAIN,
            "most_relations": MOST_RELATIONS,
        }
        rows, versions, chain, relations = await self._database.read(
            principal.org_id, (_GET, parameters), (_VERSIONS, parameters), (_CHAIN, parameters), (RELATED, parameters)
        )
        if not rows:
            return None
        return replace(
            to_stored(rows[0]),
            versions=tuple(MemoryVersion(*row) for row in reversed(versions)),
            chain=tuple(row[0] for row in chain),
            relations=tuple(Relation(*row) for row in relations),
        )

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        after_at, after_id = listing.after or (None, None)
        parameters = place(principal) | {
            "deleted": False,
            "agent_id": listing.agent_id,
            "category": listing.category,
            "tag": listing.tag,
            "since": listing.since,
            "status": listing.status,
            "embedding_state": listing.embedding_state,
            "client_ref": listing.client_ref,
            "metadata": Jsonb(dict(listing.metadata)) if listing.metadata else None,
            "after_at": after_at,
            "after_id": after_id,
            "limit": listing.limit,
        }
        statement = LIST_BY_METADATA if listing.metadata else LIST
        (rows,) = await self._database.read(principal.org_id, (statement, parameters))
        return [to_stored(row) for row in rows]


async def write_memories(
    transaction: Transaction, principal: Principal, writes: Mapping[int, MemoryWrite], quotas: Quotas | None
) -> WriteReport:
    """With `quotas`, writes only as many as they allow."""
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
        writer = _Writer(transaction, principal, agent_id, live, room)
        written = await writer.write(list(of_agent.values()), known)
        room = writer.room
        results |= dict(zip(of_agent, written, strict=True))
        changes[agent_id] = await live.finish()
    return WriteReport(results, changes)


async def _lock(transaction: Transaction, principal: Principal, agent_id: UUID) -> LiveSet | None:
    return await LiveSet.lock(
        transaction, principal.org_id, agent_id, project_id=principal.project_id, environment=principal.environment
    )


def _again(answer: Mapping[str, Any]) -> dict[int, WriteResult]:
    """The stored answer of a repeated request."""
    return {
        int(position): WriteResult(UUID(memory_id) if memory_id else None, status)
        for position, (memory_id, status) in answer.items()
    }


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
        hashes = [digest for write in writes for digest in (write.fingerprint, write.undated)]
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
        self, transaction: Transaction, principal: Principal, agent_id: UUID, live: LiveSet, room: int | None
    ) -> None:
        self.room = room
        self._transaction = transaction
        self._principal = principal
        self._agent_id = agent_id
        self._live = live

    async def write(self, writes: Sequence[MemoryWrite], known: _Known) -> list[WriteResult]:
        results = [await self._write_one(write, known) for write in writes]
        accepted = [write for write, result in zip(writes, results, strict=True) if result.status == "accepted"]
        # In this order, since a later memory of the batch may supersede an earlier one.
        await self._live.enter(accepted)
        await self._live.leave([result.gone for result in results if result.gone is not None])
        return results

    async def _write_one(self, write: MemoryWrite, known: _Known) -> WriteResult:
        if (existing := known.find(write)) is not None:
            return WriteResult(existing, "duplicate")
        memory = write.memory
        if memory.supersedes is not None and (refusal := await self._refusal(memory.supersedes, memory.user_id)):
            return WriteResult(None, refusal)
        if self.room == 0:
            return WriteResult(None, "quota_exceeded")
        await self._transaction.execute(_INSERT, _insert_row(self._principal, write))
        if memory.supersedes is not None:
            await self._supersede(memory.supersedes, write.memory_id)
            known.forget(memory.supersedes)
        self.room = None if self.room is None else self.room - 1
        known.add(write.memory_id, memory.client_ref, memory.user_id, write.fingerprint)
        return WriteResult(write.memory_id, "accepted", gone=memory.supersedes)

    async def _refusal(self, memory_id: UUID, owner: str | None) -> str | None:
        """Why this memory cannot be superseded by one of `owner`.

        It is looked up among the memories that the writer sees; for a writer without an end user, among those that the
        new memory's end user sees.
        """
        acting = {"user_id": self._principal.user_id or owner}
        parameters = place(self._principal) | acting | {"agent_id": self._agent_id, "memory_id": memory_id}
        rows = await self._transaction.fetch(_LIVE, parameters)
        if not rows:
            return "unknown_supersedes"
        return None if self._principal.may_change(rows[0][0]) else "shared_supersedes"

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


def to_stored(row: Row) -> StoredMemory:
    """The memory from a row selected by STORED."""
    context, metadata, state, error, client_ref, superseded_by, updated_at, *rest = row[MEMORY_WIDTH:]
    memory = to_memory(row)
    return StoredMemory(
        memory=memory,
        context=context,
        metadata=metadata,
        version=memory.version,
        embedding_state=state,
        embedding_error=error,
        client_ref=client_ref,
        superseded_by=superseded_by,
        updated_at=updated_at,
        deleted_at=rest[0],
        deleted_from=rest[1],
        sealed_context=rest[2],
        redactions=rest[3],
        provenance=rest[4],
    )
