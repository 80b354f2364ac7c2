"""Counts each usage event once: memories, sessions and profiles change in the transaction that stores the event.

Also counts tokens of the capture model, by organization and day.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.audit.trail import add_uses
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, to_memories
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.adapters.postgres.search.vector_tables import VectorTables, in_table
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.retrieval import session_history, usage_profile
from remembrancer.domain.retrieval.usage_profile import Profile, Use
from remembrancer.ports.usage import AppliedUsage, UsageEvent

# Events of an erased organization that are still in the queue count as done.
_NEW_EVENTS = """
    INSERT INTO applied_events (org_id, event_id)
    SELECT org_id, unnest(%s::uuid[]) FROM organizations WHERE org_id = %s
    ON CONFLICT DO NOTHING RETURNING event_id"""

_ERASED = """
    SELECT named.user_id, a.agent_id, max(coalesce(e.finished_at, now()))
    FROM organizations o CROSS JOIN unnest(%(users)s::text[]) AS named (user_id)
    JOIN erasures e ON e.org_id = o.org_id AND e.subject_hash = subject_hash(o.subject_key, 'user', named.user_id)
    JOIN agents a ON a.org_id = o.org_id AND a.agent_id = ANY(%(agents)s)
         AND (e.project_id IS NULL OR (e.project_id = a.project_id AND e.environment = a.environment))
    WHERE o.org_id = %(org_id)s
    GROUP BY named.user_id, a.agent_id"""
_USED = """
    SELECT memory_id, agent_id, category, tags, user_id, tier <> 'hot' AND status = 'active' FROM memories
    WHERE org_id = %s AND memory_id = ANY(%s)"""
# Locked in a fixed order, so that two workers never deadlock. Relations and versions being written refer to the rows in
# any order; a foreign key's check does not wait for this lock, nor this lock for the check.
_LOCK_MEMORIES = """
    SELECT 1 FROM memories WHERE org_id = %s AND memory_id = ANY(%s) ORDER BY memory_id FOR NO KEY UPDATE"""
_USE = """
    UPDATE memories m
    SET usage_count = usage_count + used.uses, retrieval_count = retrieval_count + used.injections,
        last_accessed_at = greatest(m.last_accessed_at, used.at)
    FROM unnest(%s::uuid[], %s::bigint[], %s::bigint[], %s::timestamptz[]) AS used (memory_id, uses, injections, at)
    WHERE m.org_id = %s AND m.memory_id = used.memory_id"""
_HEAT = """
    UPDATE memories SET tier = 'hot'
    WHERE org_id = %s AND agent_id = %s AND memory_id = ANY(%s) AND tier <> 'hot' AND status = 'active'
    RETURNING memory_id"""
_HEAT_VECTORS = """
    UPDATE memory_vectors SET tier = 'hot' WHERE org_id = %s AND agent_id = %s AND memory_id = ANY(%s)"""

# Inserts the row first where it is missing, so that it can be locked.
_OPEN_SESSIONS = """
    INSERT INTO sessions (org_id, agent_id, session_id, user_id, returned, returned_at, updated_at)
    SELECT %(org_id)s, agent_id, session_id, user_id, '{}', '{}', '-infinity'
    FROM unnest(%(agents)s::uuid[], %(sessions)s::text[], %(users)s::text[]) AS s (agent_id, session_id, user_id)
    ORDER BY session_id, agent_id, user_id
    ON CONFLICT DO NOTHING"""
_LOCK_SESSIONS = """
    SELECT s.agent_id, s.session_id, s.user_id, s.returned, s.returned_at FROM sessions s
    JOIN unnest(%(agents)s::uuid[], %(sessions)s::text[], %(users)s::text[]) AS key (agent_id, session_id, user_id)
         ON s.session_id = key.session_id AND s.agent_id = key.agent_id AND s.user_id IS NOT DISTINCT FROM key.user_id
    WHERE s.org_id = %(org_id)s
    ORDER BY s.session_id, s.agent_id, s.user_id FOR UPDATE OF s"""
_KEEP_SESSIONS = """
    UPDATE sessions s
    SET returned = kept.returned, returned_at = kept.returned_at, updated_at = kept.returned_at[1]
    FROM jsonb_to_recordset(%(rows)s)
         AS kept (agent_id uuid, session_id text, user_id text, returned uuid[], returned_at timestamptz[])
    WHERE s.org_id = %(org_id)s AND s.session_id = kept.session_id AND s.agent_id = kept.agent_id
      AND s.user_id IS NOT DISTINCT FROM kept.user_id"""

_OPEN_PROFILES = """
    INSERT INTO profiles (org_id, agent_id, user_id, categories, tags, users, updated_at)
    SELECT %(org_id)s, agent_id, user_id, '{}', '{}', '{}', '-infinity'
    FROM unnest(%(agents)s::uuid[], %(users)s::text[]) AS p (agent_id, user_id)
    ORDER BY agent_id, user_id
    ON CONFLICT DO NOTHING"""
_LOCK_PROFILES = """
    SELECT p.agent_id, p.user_id, p.categories, p.tags, p.users,
           CASE WHEN isfinite(p.updated_at) THEN p.updated_at END
    FROM profiles p
    JOIN unnest(%(agents)s::uuid[], %(users)s::text[]) AS key (agent_id, user_id)
         ON p.agent_id = key.agent_id AND p.user_id = key.user_id
    WHERE p.org_id = %(org_id)s
    ORDER BY p.agent_id, p.user_id FOR UPDATE OF p"""
_KEEP_PROFILES = """
    UPDATE profiles p
    SET categories = kept.categories, tags = kept.tags, users = kept.users, updated_at = kept.at
    FROM jsonb_to_recordset(%(rows)s)
         AS kept (agent_id uuid, user_id text, categories jsonb, tags jsonb, users jsonb, at timestamptz)
    WHERE p.org_id = %(org_id)s AND p.agent_id = kept.agent_id AND p.user_id = kept.user_id"""

_CHANGE = "SELECT version, removals FROM agents WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s"
_CURRENT = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
    WHERE m.org_id = %(org_id)s AND m.agent_id = %(agent_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active'
      AND (m.expires_at IS NULL OR m.expires_at > %(now)s)"""  # noqa: S608 - constants only

# One statement, so that of two calls that would each fit alone, only one gets the last tokens.
_RESERVE_TOKENS = """
    INSERT INTO capture_budgets AS budget (org_id, day, tokens, calls)
    SELECT %(org_id)s, %(day)s, %(tokens)s, 1 WHERE %(most)s::bigint IS NULL OR %(tokens)s::bigint <= %(most)s
    ON CONFLICT (org_id, day) DO UPDATE SET tokens = budget.tokens + excluded.tokens, calls = budget.calls + 1
    WHERE %(most)s::bigint IS NULL OR budget.tokens + excluded.tokens <= %(most)s
    RETURNING tokens"""
_CHARGE_TOKENS = """
    UPDATE capture_budgets SET tokens = greatest(tokens + %(more)s, 0) WHERE org_id = %(org_id)s AND day = %(day)s"""
# Yesterday's last calls are still charged.
_FORGET_TOKENS = "DELETE FROM capture_budgets WHERE org_id = %(org_id)s AND day < %(day)s::date - 31"

_SessionKey = tuple[UUID, str, str | None]
_ProfileKey = tuple[UUID, str]


class PostgresUsage:
    """Serves the UsageStore port."""

    def __init__(self, database: Database, tables: VectorTables | None = None) -> None:
        self._database = database
        self._tables = tables or VectorTables()

    @repeated
    async def apply(self, org_id: UUID, events: Sequence[UsageEvent]) -> AppliedUsage:
        """An event's id and its effects share a transaction, so that a redelivery changes nothing."""
        async with self._database.transaction(org_id) as transaction:
            # Sorted, like the row locks below: two workers with the same events never deadlock.
            ids = sorted({event.event_id for event in events})
            new = {row[0] for row in await transaction.fetch(_NEW_EVENTS, (ids, org_id))}
            # Deduplicated, since a batch may contain an event twice.
            fresh = list({event.event_id: event for event in events if event.event_id in new}.values())
            await add_uses(transaction, org_id, fresh)
            return await _apply(transaction, org_id, fresh)

    async def current(
        self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID], now: datetime
    ) -> tuple[Change, Sequence[Memory]]:
        """Reads the counters first, so that the memories are never older than them."""
        parameters = {"org_id": org_id, "agent_id": agent_id, "ids": list(memory_ids), "now": now}
        _, table = await self._tables.serving(org_id, "")
        change, rows = await self._database.read(org_id, (_CHANGE, parameters), (in_table(_CURRENT, table), parameters))
        return Change(*change[0]) if change else Change(0, 0), to_memories(rows)

    async def reserve_tokens(self, org_id: UUID, day: date, tokens: int, *, most: int | None) -> bool:
        """Also forgets what is older than a month."""
        parameters = {"org_id": org_id, "day": day, "tokens": tokens, "most": most}
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_FORGET_TOKENS, parameters)
            return bool(await transaction.fetch(_RESERVE_TOKENS, parameters))

    async def charge_tokens(self, org_id: UUID, day: date, *, reserved: int, used: int) -> None:
        parameters = {"org_id": org_id, "day": day, "more": used - reserved}
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_CHARGE_TOKENS, parameters)


async def _apply(transaction: Transaction, org_id: UUID, events: Sequence[UsageEvent]) -> AppliedUsage:
    named = sorted({memory_id for event in events for memory_id in event.memory_ids})
    if not named:
        return AppliedUsage(events)
    known = {row[0]: _Used(*row[1:]) for row in await transaction.fetch(_USED, (org_id, named))}
    events = [_of_what_it_may_use(event, known) for event in events]
    counts = _Counts()
    for event in events:
        counts.add(event)
    ids = sorted(counts.uses)
    if not ids:
        return AppliedUsage(events)
    known = {memory_id: known[memory_id] for memory_id in ids}
    # Agents before memories, in the writers' lock order.
    cooled = sorted({used.agent_id for used in known.values() if used.cooled})
    live = {agent_id: await LiveSet.lock(transaction, org_id, agent_id) for agent_id in cooled}
    await transaction.fetch(_LOCK_MEMORIES, (org_id, ids))
    await transaction.execute(_USE, (ids, *counts.columns(ids), org_id))
    changes: dict[UUID, Change] = {}
    for agent_id, agent in live.items():
        if agent is not None:
            changes[agent_id] = await _heat(transaction, agent, org_id, agent_id, ids)
    said = await _without_erased(transaction, org_id, events, known)
    await _note_sessions(transaction, org_id, said, known)
    await _note_profiles(transaction, org_id, said, known)
    by_agent: dict[UUID, list[UUID]] = {}
    for memory_id, used in known.items():
        by_agent.setdefault(used.agent_id, []).append(memory_id)
    return AppliedUsage(events, by_agent, changes)


def _of_what_it_may_use(event: UsageEvent, known: "Mapping[UUID, _Used]") -> UsageEvent:
    """Drops memories that were erased, or belong to another agent or end user; each counts once."""

    def may_use(used: "_Used") -> bool:
        is_of_agent = event.agent_id in {None, used.agent_id}
        return is_of_agent and (event.user_id is None or used.user_id in {None, event.user_id})

    named = dict.fromkeys(event.memory_ids)
    return replace(
        event, memory_ids=tuple(memory_id for memory_id in named if memory_id in known and may_use(known[memory_id]))
    )


async def _without_erased(
    transaction: Transaction, org_id: UUID, events: Sequence[UsageEvent], known: "Mapping[UUID, _Used]"
) -> list[UsageEvent]:
    """Drops usage from before its end user was erased from the agent, so that it leaves no trace of the end user."""
    users = sorted({event.user_id for event in events if event.user_id is not None})
    if not users:
        return list(events)
    agents = sorted({used.agent_id for used in known.values()})
    rows = await transaction.fetch(_ERASED, {"org_id": org_id, "users": users, "agents": agents})
    erased: dict[tuple[str | None, UUID], datetime] = {(user, agent): at for user, agent, at in rows}

    def may_say(event: UsageEvent, memory_id: UUID) -> bool:
        until = erased.get((event.user_id, known[memory_id].agent_id))
        return until is None or event.at > until

    return [
        replace(
            event,
            memory_ids=tuple(
                memory_id for memory_id in event.memory_ids if memory_id in known and may_say(event, memory_id)
            ),
        )
        for event in events
    ]


@dataclass(frozen=True, slots=True)
class _Used:
    agent_id: UUID
    category: str
    tags: Sequence[str]
    user_id: str | None
    cooled: bool


@dataclass(slots=True)
class _Counts:
    uses: Counter[UUID] = field(default_factory=Counter)
    injections: Counter[UUID] = field(default_factory=Counter)
    last: dict[UUID, datetime] = field(default_factory=dict)

    def add(self, event: UsageEvent) -> None:
        for memory_id in event.memory_ids:
            self.uses[memory_id] += 1
            self.injections[memory_id] += event.kind == "assembly"
            self.last[memory_id] = max(event.at, self.last.get(memory_id, event.at))

    def columns(self, ids: Sequence[UUID]) -> tuple[list[int], list[int], list[datetime]]:
        return (
            [self.uses[memory_id] for memory_id in ids],
            [self.injections[memory_id] for memory_id in ids],
            [self.last[memory_id] for memory_id in ids],
        )


async def _heat(transaction: Transaction, agent: LiveSet, org_id: UUID, agent_id: UUID, ids: Sequence[UUID]) -> Change:
    """Updates the memory tier; readers filter by it, so the change is announced."""
    heated = [row[0] for row in await transaction.fetch(_HEAT, (org_id, agent_id, list(ids)))]
    await transaction.execute(_HEAT_VECTORS, (org_id, agent_id, heated))
    await agent.touched(heated)
    return await agent.finish()


async def _note_sessions(
    transaction: Transaction, org_id: UUID, events: Sequence[UsageEvent], known: dict[UUID, _Used]
) -> None:
    returned: dict[_SessionKey, list[session_history.Returned]] = {}
    for event in events:
        for memory_id in event.memory_ids:
            if event.session_id is not None and memory_id in known:
                key = (known[memory_id].agent_id, event.session_id, event.user_id)
                returned.setdefault(key, []).append((memory_id, event.at))
    if not returned:
        return
    agents, sessions, users = (list(column) for column in zip(*returned, strict=True))
    keys = {"org_id": org_id, "agents": agents, "sessions": sessions, "users": users}
    await transaction.execute(_OPEN_SESSIONS, keys)
    rows: list[dict[str, Any]] = []
    for agent_id, session_id, user_id, before, moments in await transaction.fetch(_LOCK_SESSIONS, keys):
        history = session_history.merge(
            list(zip(before, moments, strict=True)), returned[agent_id, session_id, user_id]
        )
        rows.append(
            {
                "agent_id": str(agent_id),
                "session_id": session_id,
                "user_id": user_id,
                "returned": [str(memory_id) for memory_id, _ in history],
                "returned_at": [at.isoformat() for _, at in history],
            }
        )
    await transaction.execute(_KEEP_SESSIONS, {"org_id": org_id, "rows": Jsonb(rows)})


async def _note_profiles(
    transaction: Transaction, org_id: UUID, events: Sequence[UsageEvent], known: dict[UUID, _Used]
) -> None:
    uses: dict[_ProfileKey, list[Use]] = {}
    for event in events:
        for memory_id in event.memory_ids:
            if event.user_id is not None and memory_id in known:
                used = known[memory_id]
                use = Use(event.at, used.category, tuple(used.tags), used.user_id)
                uses.setdefault((used.agent_id, event.user_id), []).append(use)
    if not uses:
        return
    agents, users = (list(column) for column in zip(*uses, strict=True))
    keys = {"org_id": org_id, "agents": agents, "users": users}
    await transaction.execute(_OPEN_PROFILES, keys)
    rows: list[dict[str, Any]] = []
    for agent_id, user_id, categories, tags, owners, at in await transaction.fetch(_LOCK_PROFILES, keys):
        before = None if at is None else Profile(at, categories, tags, owners)
        after = usage_profile.add(before, uses[agent_id, user_id])
        rows.append(
            {
                "agent_id": str(agent_id),
                "user_id": user_id,
                "categories": after.categories,
                "tags": after.tags,
                "users": after.users,
                "at": after.at.isoformat(),
            }
        )
    await transaction.execute(_KEEP_PROFILES, {"org_id": org_id, "rows": Jsonb(rows)})
