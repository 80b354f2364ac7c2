"""Erases in bounded steps: conversations, memories, agent by agent, then the rows of every other table that names the
subject.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.audit.trail import forget_subject
from remembrancer.adapters.postgres.capture import removal
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search.lexical_index import AgentIndex
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.erasure.erasure import Asking, ErasedMemories, Erasure
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.requests.idempotency import Once

_COLUMNS = "erasure_id, org_id, kind, subject, state, counts, requested_at, finished_at, project_id, environment"
# Does not block rows that refer to the organization.
_LOCK_ORGANIZATION = "SELECT subject_key FROM organizations WHERE org_id = %(org_id)s FOR NO KEY UPDATE"
# An agent is erased once: a repeated request returns its record.
_SAME = f"""
    SELECT {_COLUMNS} FROM erasures
    WHERE org_id = %(org_id)s AND kind = %(kind)s
      AND subject_hash = subject_hash(%(subject_key)s, %(kind)s, %(subject)s)
      AND project_id IS NOT DISTINCT FROM %(project_id)s::text
      AND environment IS NOT DISTINCT FROM %(environment)s::text
      AND (state = 'running' OR kind = 'agent')
    ORDER BY state DESC, requested_at DESC LIMIT 1"""  # noqa: S608
_REQUEST = f"""
    INSERT INTO erasures (
        erasure_id, org_id, kind, subject, subject_hash, requested_by, project_id, environment)
    VALUES (%(erasure_id)s, %(org_id)s, %(kind)s, %(subject)s,
            subject_hash(%(subject_key)s, %(kind)s, %(subject)s), %(key_id)s, %(project_id)s, %(environment)s)
    RETURNING {_COLUMNS}"""  # noqa: S608
_FIND = f"""
    SELECT {_COLUMNS} FROM erasures e
    WHERE org_id = %(org_id)s AND erasure_id = %(erasure_id)s
      AND project_id = %(project_id)s AND environment = %(environment)s
      AND (%(user_id)s::text IS NULL OR kind = 'user' AND subject_hash = (
          SELECT subject_hash(o.subject_key, 'user', %(user_id)s) FROM organizations o WHERE o.org_id = e.org_id))"""  # noqa: S608
_ABOUT = f"""
    SELECT {_COLUMNS} FROM erasures e
    WHERE org_id = %(org_id)s AND kind = %(kind)s AND subject_hash = (
        SELECT subject_hash(o.subject_key, %(kind)s, %(subject)s) FROM organizations o WHERE o.org_id = e.org_id)
    ORDER BY requested_at DESC"""  # noqa: S608
_AGAIN = f"SELECT {_COLUMNS} FROM erasures WHERE org_id = %(org_id)s AND erasure_id = %(erasure_id)s::uuid"  # noqa: S608
_RUNNING = f"SELECT {_COLUMNS} FROM erasures WHERE org_id = %s AND state = 'running' ORDER BY requested_at"  # noqa: S608
_COUNTED = """
    UPDATE erasures SET counts = counts || jsonb_build_object(
        %(what)s::text, coalesce((counts ->> %(what)s::text)::bigint, 0) + %(rows)s::bigint)
    WHERE org_id = %(org_id)s AND erasure_id = %(erasure_id)s"""
_DONE = """
    UPDATE erasures SET state = 'done', subject = NULL, finished_at = now()
    WHERE org_id = %(org_id)s AND erasure_id = %(erasure_id)s AND state = 'running'"""

# The reach of an erasure: all, or the project and environment of the request. For rows that contain their project and
# environment, or belong to an agent, a memory or a key; the origin of a deleted key is unknown.
_HERE = """
    (%(project_id)s::text IS NULL OR (project_id = %(project_id)s AND environment = %(environment)s))"""
_AGENT_HERE = f"""(%(project_id)s::text IS NULL OR agent_id IN (
        SELECT agent_id FROM agents WHERE org_id = %(org_id)s AND {_HERE}))"""  # noqa: S608
_MEMORY_HERE = f"""(%(project_id)s::text IS NULL OR memory_id IN (
        SELECT memory_id FROM memories WHERE org_id = %(org_id)s AND {_HERE}))"""  # noqa: S608
_KEY_HERE = f"""(%(project_id)s::text IS NULL OR key_id NOT IN (
        SELECT key_id FROM api_keys WHERE org_id = %(org_id)s AND NOT {_HERE}))"""  # noqa: S608

_AGENT = f"SELECT 1 FROM agents WHERE org_id = %(org_id)s AND agent_id = %(subject)s::uuid AND {_HERE}"  # noqa: S608
_ELSEWHERE = f"""
    SELECT 1 FROM agents WHERE org_id = %(org_id)s AND NOT {_HERE}
    UNION ALL SELECT 1 FROM api_keys WHERE org_id = %(org_id)s AND NOT {_HERE} LIMIT 1"""  # noqa: S608

_AGENTS_ELSEWHERE = f"""
    SELECT agent_id FROM agents WHERE org_id = %(org_id)s AND agent_id = ANY(%(agents)s) AND NOT {_HERE}"""  # noqa: S608
_STILL_THERE = """
    SELECT memory_id FROM memories WHERE org_id = %(org_id)s AND memory_id = ANY(%(stored)s)
    UNION ALL
    SELECT conversation_id FROM conversations WHERE org_id = %(org_id)s AND conversation_id = ANY(%(stored)s)"""

# The memories and conversations to erase, by kind.
_MEANT: Mapping[str, str] = {
    "user": f"user_id = %(subject)s AND {_HERE}",
    "agent": "agent_id = %(subject)s::uuid",
    "organization": "true",
}
_CHOSEN = (
    "SELECT memory_id, status, cluster_id FROM memories WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND "
)

# Rows that depend on memories; the foreign keys would delete them too, but one by one.
_OF_MEMORIES: Mapping[str, str] = {
    "feedback": "DELETE FROM feedback WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)",
    "versions": "DELETE FROM memory_versions WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)",
    "relations": """
        DELETE FROM memory_relations
        WHERE org_id = %(org_id)s AND (from_memory_id = ANY(%(ids)s) OR to_memory_id = ANY(%(ids)s))""",
    "memories": "DELETE FROM memories WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)",
}
_UNSEEN = """
    UPDATE sessions s SET
        returned = ARRAY(SELECT r FROM unnest(s.returned) WITH ORDINALITY AS x (r, n)
                         WHERE r <> ALL(%(ids)s) ORDER BY n),
        returned_at = ARRAY(SELECT at FROM unnest(s.returned, s.returned_at) WITH ORDINALITY AS x (r, at, n)
                            WHERE r <> ALL(%(ids)s) ORDER BY n)
    WHERE s.org_id = %(org_id)s AND s.agent_id = %(agent_id)s AND s.returned && %(ids)s::uuid[]"""
# A centroid is a mean of vectors: clusters without members are deleted, others recomputed. Clusters of the erased end
# user are deleted in any case.
_DROP_CLUSTERS = """
    DELETE FROM memory_clusters c WHERE c.org_id = %(org_id)s AND c.cluster_id = ANY(%(clusters)s)
      AND NOT EXISTS (SELECT FROM memories m WHERE m.cluster_id = c.cluster_id)"""
_REFRESH_CLUSTERS = """
    UPDATE memory_clusters SET refreshed_change = 0, refreshed_at = 'epoch'
    WHERE org_id = %(org_id)s AND cluster_id = ANY(%(clusters)s)"""

_ROWS = "DELETE FROM {0} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {0} WHERE org_id = %(org_id)s {1} LIMIT %(limit)s))"
_HASH = "(SELECT subject_hash(o.subject_key, %(kind)s, %(subject)s) FROM organizations o WHERE o.org_id = %(org_id)s)"
# Other tables that contain the subject, by kind: the name for the counts, and the statement.
_RECORDS: Mapping[str, Mapping[str, str]] = {
    "user": {
        "feedback": _ROWS.format("feedback", f"AND user_id = %(subject)s AND {_MEMORY_HERE}"),
        "sessions": _ROWS.format("sessions", f"AND user_id = %(subject)s AND {_AGENT_HERE}"),
        "profiles": _ROWS.format("profiles", f"AND user_id = %(subject)s AND {_AGENT_HERE}"),
        "clusters": _ROWS.format("memory_clusters", f"AND owner = %(subject)s AND {_AGENT_HERE}"),
        "settings": _ROWS.format("end_users", f"AND user_id = %(subject)s AND {_HERE}"),
        "requests": _ROWS.format("idempotency_keys", f"AND subjects && ARRAY[{_HASH}] AND {_KEY_HERE}"),
        "mentions": f"""
            UPDATE profiles SET users = users - %(subject)s::text
            WHERE org_id = %(org_id)s AND users ? %(subject)s::text AND {_AGENT_HERE}""",  # noqa: S608
    },
    "agent": {
        "sessions": _ROWS.format("sessions", "AND agent_id = %(subject)s::uuid"),
        "profiles": _ROWS.format("profiles", "AND agent_id = %(subject)s::uuid"),
        "clusters": _ROWS.format("memory_clusters", "AND agent_id = %(subject)s::uuid"),
        "directives": _ROWS.format("directives", "AND agent_id = %(subject)s::uuid"),
        "blocks": _ROWS.format("index_blocks", "AND agent_id = %(subject)s::uuid"),
        "documents": _ROWS.format("term_documents", "AND agent_id = %(subject)s::uuid"),
        "requests": _ROWS.format("idempotency_keys", f"AND subjects && ARRAY[{_HASH}]"),
        "agents": _ROWS.format("agents", "AND agent_id = %(subject)s::uuid"),
    },
    "organization": {
        "sessions": _ROWS.format("sessions", ""),
        "profiles": _ROWS.format("profiles", ""),
        "clusters": _ROWS.format("memory_clusters", ""),
        "directives": _ROWS.format("directives", ""),
        "blocks": _ROWS.format("index_blocks", ""),
        "documents": _ROWS.format("term_documents", ""),
        "requests": _ROWS.format("idempotency_keys", ""),
        "events": _ROWS.format("applied_events", ""),
        "settings": _ROWS.format("end_users", ""),
        "agents": _ROWS.format("agents", ""),
    },
}
# A pattern that ends in `*` is a prefix for other end users too, even where an end user once had that name.
_IS_NAME = "right(%(subject)s::text, 1) <> '*'"
_KEYS: Mapping[str, str] = {
    "user": f"""
        SELECT key_sha256, array_remove(end_users, %(subject)s) = '{{}}' FROM api_keys
        WHERE org_id = %(org_id)s AND %(subject)s = ANY(end_users) AND {_IS_NAME} AND {_HERE}""",  # noqa: S608
    "organization": "SELECT key_sha256, true FROM api_keys WHERE org_id = %(org_id)s",
}
# Deleted last. A key for this end user alone has no end user left to act for.
_LAST: Mapping[str, str] = {
    "user": f"""
        UPDATE api_keys SET end_users = array_remove(end_users, %(subject)s),
                            revoked_at = CASE WHEN array_remove(end_users, %(subject)s) = '{{}}'
                                              THEN coalesce(revoked_at, now()) ELSE revoked_at END
        WHERE org_id = %(org_id)s AND %(subject)s = ANY(end_users) AND {_IS_NAME} AND {_HERE}""",  # noqa: S608
    "organization": "DELETE FROM organizations WHERE org_id = %(org_id)s",
}


class PostgresErasures:
    """Serves the Erasures port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @repeated
    async def request(
        self, asking: Asking, erasure_id: UUID, kind: str, subject: str, *, once: Once | None = None
    ) -> Erasure | None:
        """Locks the organization's row, so that two requests for one subject become one erasure."""
        parameters = {
            "org_id": asking.org_id,
            "project_id": asking.project_id,
            "environment": asking.environment,
            "key_id": asking.key_id,
            "erasure_id": erasure_id,
            "kind": kind,
            "subject": subject,
        }
        async with (
            self._database.transaction(asking.org_id, actor=asking.actor) as transaction,
            claimed(transaction, asking.org_id, asking.key_id, once) as claim,
        ):
            if claim.before is not None:
                rows = await transaction.fetch(_AGAIN, parameters | claim.before)
            else:
                rows = await self._begun(transaction, parameters)
                if rows:
                    # Contains no name, and is kept after the erasure.
                    claim.keep({"erasure_id": str(rows[0][0])})
        return Erasure(*rows[0]) if rows else None

    async def find(self, principal: Principal, erasure_id: UUID) -> Erasure | None:
        (rows,) = await self._database.read(principal.org_id, (_FIND, place(principal) | {"erasure_id": erasure_id}))
        return Erasure(*rows[0]) if rows else None

    async def about(self, org_id: UUID, kind: str, subject: str) -> Sequence[Erasure]:
        """Looks up by the hash of the subject, since records contain no names."""
        parameters = {"org_id": org_id, "kind": kind, "subject": subject}
        (rows,) = await self._database.read(org_id, (_ABOUT, parameters))
        return [Erasure(*row) for row in rows]

    async def running(self, org_id: UUID) -> Sequence[Erasure]:
        (rows,) = await self._database.read(org_id, (_RUNNING, [org_id]))
        return [Erasure(*row) for row in rows]

    @repeated
    async def erase_conversations(self, erasure: Erasure, limit: int) -> int:
        """Waits for a worker that makes memories of them: it has finished before, or finds nothing."""
        parameters = _parameters(erasure)
        async with self._database.transaction(erasure.org_id) as transaction:
            counts = await removal.remove(transaction, parameters, _MEANT[erasure.kind], limit)
            for what, rows in counts.items():
                if rows:
                    await transaction.execute(_COUNTED, parameters | {"what": what, "rows": rows})
        return sum(counts.values())

    @repeated
    async def erase_memories(self, erasure: Erasure, limit: int) -> ErasedMemories | None:
        """Locks agent and rows like every writer; index entries and vectors are deleted with the memories."""
        meant = _MEANT[erasure.kind]
        parameters = _parameters(erasure) | {"limit": limit}
        async with self._database.transaction(erasure.org_id) as transaction:
            find = f"SELECT agent_id FROM memories WHERE org_id = %(org_id)s AND {meant} LIMIT 1"  # noqa: S608
            agents = await transaction.fetch(find, parameters)
            if not agents:
                return None
            agent_id = agents[0][0]
            live = await LiveSet.lock(transaction, erasure.org_id, agent_id)
            if live is None:
                # A concurrent erasure has just deleted the agent.
                return ErasedMemories(agent_id, [], Change(0, 0))
            parameters["agent_id"] = agent_id
            rows = await transaction.fetch(
                f"{_CHOSEN} {meant} ORDER BY memory_id LIMIT %(limit)s FOR UPDATE", parameters
            )
            await live.leave([row[0] for row in rows if row[1] == "active"])
            if erasure.kind == "user":
                # Removes its terms from the blocks, and those of memories that left before; an agent's blocks are
                # deleted as a whole.
                while not await AgentIndex(transaction, erasure.org_id, agent_id).merge():
                    continue
            await self._delete(transaction, parameters, rows)
            return ErasedMemories(agent_id, [row[0] for row in rows], await live.finish())

    @repeated
    async def erase_records(self, erasure: Erasure, limit: int) -> int:
        parameters = _parameters(erasure) | {"limit": limit}
        async with self._database.transaction(erasure.org_id) as transaction:
            for what, statement in _RECORDS[erasure.kind].items():
                if rows := await transaction.execute(statement, parameters):
                    await transaction.execute(_COUNTED, parameters | {"what": what, "rows": rows})
                    return rows
        return 0

    async def keys(self, erasure: Erasure) -> Mapping[bytes, bool]:
        """No keys belong to an agent."""
        if erasure.kind not in _KEYS:
            return {}
        (rows,) = await self._database.read(erasure.org_id, (_KEYS[erasure.kind], _parameters(erasure)))
        return {bytes(key_sha256): ends for key_sha256, ends in rows}

    async def beyond(
        self, erasure: Erasure, agent_ids: Sequence[UUID], stored_ids: Sequence[UUID]
    ) -> tuple[frozenset[UUID], frozenset[UUID]]:
        parameters = _parameters(erasure) | {"agents": list(agent_ids), "stored": list(stored_ids)}
        agents, stored = await self._database.read(
            erasure.org_id, (_AGENTS_ELSEWHERE, parameters), (_STILL_THERE, parameters)
        )
        return frozenset(row[0] for row in agents), frozenset(row[0] for row in stored)

    @repeated
    async def finish(self, erasure: Erasure) -> None:
        parameters = _parameters(erasure)
        async with self._database.transaction(erasure.org_id) as transaction:
            if erasure.kind == "user":
                await forget_subject(transaction, parameters)
            if erasure.kind in _LAST and (rows := await transaction.execute(_LAST[erasure.kind], parameters)):
                what = "keys" if erasure.kind == "user" else "organizations"
                await transaction.execute(_COUNTED, parameters | {"what": what, "rows": rows})
            await transaction.execute(_DONE, parameters)

    async def _begun(self, transaction: Transaction, parameters: dict[str, Any]) -> list[Row]:
        organization = await transaction.fetch(_LOCK_ORGANIZATION, parameters)
        if not organization:
            return []
        known = parameters | {"subject_key": organization[0][0]}
        rows = await transaction.fetch(_SAME, known)
        if not rows and await self._is_reached(transaction, known):
            rows = await transaction.fetch(_REQUEST, known)
        return rows

    async def _is_reached(self, transaction: Transaction, parameters: dict[str, Any]) -> bool:
        if parameters["kind"] == "agent":
            return bool(await transaction.fetch(_AGENT, parameters))
        return parameters["kind"] == "user" or not await transaction.fetch(_ELSEWHERE, parameters)

    async def _delete(self, transaction: Transaction, parameters: dict[str, Any], rows: Sequence[Row]) -> None:
        ids = [row[0] for row in rows]
        chosen = parameters | {"ids": ids, "clusters": sorted({row[2] for row in rows if row[2] is not None})}
        await transaction.execute(_UNSEEN, chosen)
        for what, statement in _OF_MEMORIES.items():
            if deleted := await transaction.execute(statement, chosen):
                await transaction.execute(_COUNTED, parameters | {"what": what, "rows": deleted})
        await transaction.execute(_DROP_CLUSTERS, chosen)
        await transaction.execute(_REFRESH_CLUSTERS, chosen)


def _parameters(erasure: Erasure) -> dict[str, Any]:
    return {
        "org_id": erasure.org_id,
        "project_id": erasure.project_id,
        "environment": erasure.environment,
        "erasure_id": erasure.erasure_id,
        "kind": erasure.kind,
        "subject": erasure.subject,
    }
