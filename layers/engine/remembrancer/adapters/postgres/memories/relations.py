"""Relations between memories: added, repeated, deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.requests.idempotency import Once
from remembrancer.ports.memories import Related

# A principal sees an edge if it may see both of its ends.
# The edges are read first, then both ends by their keys: a planner that underestimates the organization would join all
# of its memories with each other.
RELATED = f"""
    SELECT r.relation_id, r.from_memory_id, r.to_memory_id, r.type, r.confidence
    FROM (SELECT * FROM memory_relations
          WHERE org_id = %(org_id)s AND (from_memory_id = %(memory_id)s OR to_memory_id = %(memory_id)s) OFFSET 0) r
    CROSS JOIN LATERAL (
        SELECT status, user_id FROM memories m WHERE m.org_id = %(org_id)s AND m.memory_id = r.from_memory_id
        OFFSET 0) f
    CROSS JOIN LATERAL (
        SELECT status, user_id FROM memories m WHERE m.org_id = %(org_id)s AND m.memory_id = r.to_memory_id
        OFFSET 0) t
    WHERE f.status <> 'deleted' AND {conditions.user("f")} AND t.status <> 'deleted' AND {conditions.user("t")}
    ORDER BY r.created_at, r.relation_id LIMIT %(most_relations)s + 1"""  # noqa: S608 - constants only

_ENDS = f"""
    SELECT memory_id, agent_id, user_id FROM memories m
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND memory_id = ANY(%(ends)s) AND status <> 'deleted'
      AND {conditions.user("m")}"""  # noqa: S608
# In the order of their ids: the checks of the foreign keys would lock the ends in the order of their columns, which can
# be a deadlock with a worker that compares both.
_LOCK_MEMORIES = """
    SELECT 1 FROM memories WHERE org_id = %(org_id)s AND memory_id = ANY(%(ends)s) ORDER BY memory_id FOR UPDATE"""
_RELATE = """
    INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence)
    VALUES (%(relation_id)s, %(org_id)s, %(from_memory_id)s, %(to_memory_id)s, %(type)s, %(confidence)s)
    ON CONFLICT (from_memory_id, to_memory_id, type) DO NOTHING"""
_SAME = """
    SELECT relation_id, from_memory_id, to_memory_id, type, confidence FROM memory_relations
    WHERE org_id = %(org_id)s AND from_memory_id = %(from_memory_id)s AND to_memory_id = %(to_memory_id)s
      AND type = %(type)s"""
_OF_MEMORY = """
    SELECT relation_id, from_memory_id, to_memory_id, type, confidence FROM memory_relations
    WHERE org_id = %(org_id)s AND relation_id = %(relation_id)s
      AND (from_memory_id = %(memory_id)s OR to_memory_id = %(memory_id)s)"""
_UNRELATE = "DELETE FROM memory_relations WHERE org_id = %(org_id)s AND relation_id = %(relation_id)s"


class PostgresRelations:
    """The relations of `PostgresMemoryLife`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @repeated
    async def relate(self, principal: Principal, relation: Relation, *, once: Once | None = None) -> Related | None:
        """Locks the agents' rows before any write, like every writer, and then those of the memories."""
        parameters = {
            "org_id": principal.org_id,
            "relation_id": relation.relation_id,
            "from_memory_id": relation.from_memory_id,
            "to_memory_id": relation.to_memory_id,
            "type": relation.type,
            "confidence": relation.confidence,
        }
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return _again(relation, claim.before)
            ends = await _ends(transaction, principal, relation)
            if ends is None:
                return None
            live = await _lock(transaction, principal.org_id, ends.agents)
            await transaction.fetch(_LOCK_MEMORIES, parameters | {"ends": ends.memories})
            new = await transaction.execute(_RELATE, parameters) == 1
            if new:
                await _mark(transaction, principal.org_id, relation, live)
            stored = Relation(*(await transaction.fetch(_SAME, parameters))[0])
            answer = {"relation_id": str(stored.relation_id), "confidence": stored.confidence, "new": new}
            claim.keep(answer, agents=ends.agents, users=ends.users)
            return Related(stored, new, await _finish(live) if new else {})

    @repeated
    async def unrelate(self, principal: Principal, memory_id: UUID, relation_id: UUID) -> Related | None:
        """Only where the principal may see both ends."""
        parameters = {"org_id": principal.org_id, "relation_id": relation_id, "memory_id": memory_id}
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            rows = await transaction.fetch(_OF_MEMORY, parameters)
            ends = await _ends(transaction, principal, Relation(*rows[0])) if rows else None
            if ends is None:
                return None
            live = await _lock(transaction, principal.org_id, ends.agents)
            await transaction.fetch(_LOCK_MEMORIES, parameters | {"ends": ends.memories})
            undone = await transaction.execute(_UNRELATE, parameters) == 1
            await _mark(transaction, principal.org_id, Relation(*rows[0]), live)
            return Related(Relation(*rows[0]), False, await _finish(live)) if undone else None


@dataclass(frozen=True, slots=True)
class _Ends:
    """The memories at both ends, their owners and agents; agents in order."""

    memories: Sequence[UUID]
    agents: Sequence[UUID]
    users: Sequence[str | None]


async def _ends(transaction: Transaction, principal: Principal, relation: Relation) -> _Ends | None:
    """None when the principal cannot see an end; raises Forbidden when it may not change both."""
    ends = {relation.from_memory_id, relation.to_memory_id}
    rows = await transaction.fetch(_ENDS, place(principal) | {"ends": list(ends)})
    if len(rows) < len(ends):
        return None
    for _, _, owner in rows:
        principal.require_change(owner)
    return _Ends(sorted(ends), sorted({row[1] for row in rows}), [row[2] for row in rows])


def _again(relation: Relation, answer: Mapping[str, Any]) -> Related:
    """The stored answer of a repeated request; ends and type come from the request."""
    stored = replace(relation, relation_id=UUID(answer["relation_id"]), confidence=answer["confidence"])
    return Related(stored, answer["new"], {})


async def _lock(transaction: Transaction, org_id: UUID, agents: Sequence[UUID]) -> Mapping[UUID, LiveSet]:
    locked: dict[UUID, Any] = {agent_id: await LiveSet.lock(transaction, org_id, agent_id) for agent_id in agents}
    return {agent_id: live for agent_id, live in locked.items() if live is not None}


async def _mark(transaction: Transaction, org_id: UUID, relation: Relation, live: Mapping[UUID, LiveSet]) -> None:
    """A possible conflict is also in the rows of its memories, which are of one agent."""
    if relation.type == "may_contradict" and len(live) == 1:
        (agent,) = live.values()
        await agent.marked([relation.from_memory_id, relation.to_memory_id])


async def _finish(live: Mapping[UUID, LiveSet]) -> Mapping[UUID, Change]:
    changes = {}
    for agent_id, live_set in live.items():
        live_set.related()
        changes[agent_id] = await live_set.finish()
    return changes
