"""Links, lists and removes audit entries, and adds those of reads."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.domain.audit import chain
from remembrancer.domain.audit.chain import Checkpoint
from remembrancer.domain.identity.scope import EVERY_NAME, Principal
from remembrancer.errors import AuditTrailChanged
from remembrancer.ports.audit import AuditPage, Sign
from remembrancer.ports.usage import UsageEvent

# The setting is checked here too, since instances know settings for a minute.
_READS_AUDITED = "o.settings ->> 'audit' = 'all'"
_READ = f"""
    INSERT INTO audit_entries (org_id, at, action, actor, project_id, environment, user_id, object)
    SELECT o.org_id, %(at)s, %(action)s, %(actor)s, %(project_id)s, %(environment)s, %(user_id)s::text, %(target)s::text
    FROM organizations o WHERE o.org_id = %(org_id)s AND {_READS_AUDITED}"""  # noqa: S608
# The place is that of the agent, or of a memory, '' where these are gone: nobody's, and not everybody's. Then without
# the end user, whom no erasure would find there.
_USES = f"""
    INSERT INTO audit_entries (org_id, at, action, actor, project_id, environment, agent_id, user_id, memory_ids)
    SELECT o.org_id, used.at, used.action, used.actor, coalesce(place.project_id, ''), coalesce(place.environment, ''),
           used.agent_id, CASE WHEN place.project_id IS NOT NULL THEN used.user_id END,
           ARRAY(SELECT jsonb_array_elements_text(used.memory_ids)::uuid)
    FROM jsonb_to_recordset(%(uses)s) AS used (at timestamptz, action text, actor text, agent_id uuid, user_id text,
                                               memory_ids jsonb)
    JOIN organizations o ON o.org_id = %(org_id)s AND {_READS_AUDITED}
    LEFT JOIN LATERAL (
        SELECT a.project_id, a.environment FROM agents a WHERE a.org_id = o.org_id AND a.agent_id = used.agent_id
        UNION ALL
        SELECT m.project_id, m.environment FROM memories m WHERE m.org_id = o.org_id AND used.agent_id IS NULL
            AND m.memory_id = ANY(ARRAY(SELECT jsonb_array_elements_text(used.memory_ids)::uuid))
        LIMIT 1) place ON true"""  # noqa: S608
_OF_CHAIN = 7
"""So many columns of a row are the chain's; those of an entry follow."""
_ACTIONS = {"assembly": "assembleContext", "query": "queryMemories"}

_WAITING = """
    SELECT entry_id FROM audit_entries WHERE org_id = %(org_id)s AND position IS NULL
    ORDER BY entry_id LIMIT %(limit)s"""
_BEGIN = """
    INSERT INTO audit_chains (org_id, from_hash, hash)
    SELECT org_id, %(genesis)s, %(genesis)s FROM organizations WHERE org_id = %(org_id)s ON CONFLICT DO NOTHING"""
_CHAIN_COLUMNS = "c.from_position, c.from_hash, c.position, c.hash, c.signed_at, c.public_key, c.signature"
_CHAIN = f"SELECT {_CHAIN_COLUMNS} FROM audit_chains c WHERE c.org_id = %(org_id)s FOR UPDATE"  # noqa: S608
# An erased end user gets a number for each entry that nothing leads back from: also one that was on its way.
_ERASED = """
    EXISTS (SELECT FROM erasures e JOIN organizations o ON o.org_id = e.org_id
            WHERE e.org_id = w.org_id AND e.kind = 'user'
              AND e.subject_hash = subject_hash(o.subject_key, 'user', w.user_id)
              AND (e.project_id IS NULL OR (e.project_id = w.project_id AND e.environment = w.environment))
              AND (e.state = 'running' OR w.at <= e.finished_at))"""
_NAME_SUBJECTS = f"""
    INSERT INTO audit_subjects (org_id, project_id, environment, user_id)
    SELECT DISTINCT w.org_id, w.project_id, w.environment, w.user_id FROM audit_entries w
    WHERE w.org_id = %(org_id)s AND w.entry_id = ANY(%(ids)s) AND w.user_id IS NOT NULL AND NOT {_ERASED}
    ON CONFLICT (org_id, project_id, environment, user_id) DO UPDATE SET used_at = now()
    WHERE audit_subjects.used_at < now() - interval '1 day'"""  # noqa: S608
_COLUMNS = "w.at, w.action, w.actor, w.project_id, w.environment, w.agent_id, w.object, w.memory_ids, w.nonce"
_TO_LINK = f"""
    SELECT w.entry_id, {_COLUMNS}, CASE WHEN w.user_id IS NULL THEN NULL
                                        WHEN {_ERASED} THEN gen_random_uuid()
                                        ELSE coalesce(s.subject, gen_random_uuid()) END
    FROM audit_entries w
    LEFT JOIN audit_subjects s ON s.org_id = w.org_id AND s.project_id = w.project_id
         AND s.environment = w.environment AND s.user_id = w.user_id
    WHERE w.org_id = %(org_id)s AND w.entry_id = ANY(%(ids)s)
    ORDER BY w.entry_id"""  # noqa: S608
_LINK = """
    UPDATE audit_entries e SET position = linked.position, digest = linked.digest, hash = linked.hash,
                               subject = linked.subject, user_id = NULL
    FROM unnest(%(ids)s::bigint[], %(positions)s::bigint[], %(digests)s::bytea[], %(hashes)s::bytea[],
                %(subjects)s::uuid[]) AS linked (entry_id, position, digest, hash, subject)
    WHERE e.org_id = %(org_id)s AND e.entry_id = linked.entry_id"""
_SIGN = """
    UPDATE audit_chains SET from_position = %(from_position)s, from_hash = %(from_hash)s, position = %(position)s,
        hash = %(hash)s, signed_at = %(signed_at)s, public_key = %(public_key)s, signature = %(signature)s
    WHERE org_id = %(org_id)s"""
# One statement, so that the entries are those of the checkpoint: one row without an entry where there are none.
_PAGE = f"""
    SELECT {_CHAIN_COLUMNS}, e.*
    FROM audit_chains c LEFT JOIN LATERAL (
        SELECT w.position, w.digest, w.hash, {_COLUMNS}, w.subject,
               w.project_id IS NULL OR (w.project_id = %(project_id)s AND w.environment = %(environment)s)
        FROM audit_entries w WHERE w.org_id = c.org_id AND w.position > %(after)s AND w.position <= c.position
        ORDER BY w.position LIMIT %(limit)s) e ON true
    WHERE c.org_id = %(org_id)s
    ORDER BY e.position"""  # noqa: S608
_LAST = "SELECT max(position) FROM audit_entries WHERE org_id = %(org_id)s AND position IS NOT NULL"
_IS_OLD = """
    SELECT at < %(before)s FROM audit_entries WHERE org_id = %(org_id)s AND position IS NOT NULL
    ORDER BY position LIMIT 1"""
_OLDEST = f"""
    SELECT w.position, w.digest, w.hash, {_COLUMNS}, w.subject FROM audit_entries w
    WHERE w.org_id = %(org_id)s AND w.position IS NOT NULL ORDER BY w.position LIMIT %(limit)s"""  # noqa: S608
_REMOVE = "DELETE FROM audit_entries WHERE org_id = %(org_id)s AND position <= %(position)s"
_FORGET_UNUSED = "DELETE FROM audit_subjects WHERE org_id = %(org_id)s AND used_at < %(before)s - interval '1 day'"
_FORGET = """
    UPDATE audit_entries SET user_id = NULL, subject = gen_random_uuid()
    WHERE org_id = %(org_id)s AND position IS NULL AND user_id = %(subject)s
      AND (%(project_id)s::text IS NULL OR (project_id = %(project_id)s AND environment = %(environment)s))"""
_FORGET_SUBJECT = """
    DELETE FROM audit_subjects WHERE org_id = %(org_id)s AND user_id = %(subject)s
      AND (%(project_id)s::text IS NULL OR (project_id = %(project_id)s AND environment = %(environment)s))"""


class PostgresAuditTrail:
    """Serves the AuditTrail port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, principal: Principal, action: str, target: str | None, at: datetime) -> None:
        end_user = principal.end_user
        parameters = {
            "org_id": principal.org_id,
            "at": at,
            "action": action,
            "actor": principal.actor,
            "project_id": principal.project_id,
            "environment": principal.environment,
            "user_id": end_user.name,
            "target": target or (EVERY_NAME if end_user.is_all else None),
        }
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            await transaction.execute(_READ, parameters)

    @repeated
    async def link(self, org_id: UUID, sign: Sign, limit: int) -> int:
        """The row of the chain is locked, for which no writer waits."""
        parameters = {"org_id": org_id, "limit": limit, "genesis": chain.genesis(str(org_id))}
        async with self._database.transaction(org_id) as transaction:
            checkpoint = await locked(transaction, org_id)
            parameters["ids"] = [row[0] for row in await transaction.fetch(_WAITING, parameters)]
            if checkpoint is None or not parameters["ids"]:
                return 0
            await _require_unchanged(transaction, checkpoint, sign)
            await transaction.execute(_NAME_SUBJECTS, parameters)
            rows = await transaction.fetch(_TO_LINK, parameters)
            before, digests, hashes = bytes.fromhex(checkpoint.hash), [], []
            for row in rows:
                digests.append(chain.digest(_entry(row[1:])))
                hashes.append(before := chain.link(before, digests[-1]))
            linked = parameters | {
                "positions": [checkpoint.position + number for number in range(1, len(rows) + 1)],
                "digests": digests,
                "hashes": hashes,
                "subjects": [row[-1] for row in rows],
            }
            await transaction.execute(_LINK, linked)
            last = replace(checkpoint, position=checkpoint.position + len(rows), hash=before.hex())
            await _signed(transaction, last, sign)
            return len(rows)

    async def waits(self, org_id: UUID) -> bool:
        (rows,) = await self._database.read(org_id, (_WAITING, {"org_id": org_id, "limit": 1}))
        return bool(rows)

    async def page(self, principal: Principal, after: int, limit: int) -> AuditPage:
        """Entries that are linked later are left to the next page, or to the next export."""
        parameters = {
            "org_id": principal.org_id,
            "project_id": principal.project_id,
            "environment": principal.environment,
            "after": after,
            "limit": limit,
        }
        (rows,) = await self._database.read(principal.org_id, (_PAGE, parameters))
        signed_at = 4
        if not rows or rows[0][signed_at] is None:
            return AuditPage([], None)
        checkpoint = _checkpoint(principal.org_id, rows[0][:_OF_CHAIN])
        entries = [_shown(row[_OF_CHAIN:]) for row in rows if row[_OF_CHAIN] is not None]
        is_last = len(entries) < limit or entries[-1]["position"] == checkpoint.position
        return AuditPage(entries, checkpoint if is_last else None)

    @repeated
    async def remove(self, org_id: UUID, before: datetime, sign: Sign, limit: int) -> int:
        """Only what still has the hashes that it was linked with: nothing changed is signed away."""
        parameters = {"org_id": org_id, "before": before, "limit": limit}
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_FORGET_UNUSED, parameters)
            if await transaction.fetch(_IS_OLD, parameters) != [(True,)]:
                return 0
            checkpoint = await locked(transaction, org_id)
            if checkpoint is None:
                return 0
            await _require_unchanged(transaction, checkpoint, sign)
            position, from_hash = checkpoint.from_position, bytes.fromhex(checkpoint.from_hash)
            for at_position, _, entry_hash, at, *columns in await transaction.fetch(_OLDEST, parameters):
                if at >= before:
                    break
                position, from_hash = position + 1, chain.link(from_hash, chain.digest(_entry((at, *columns))))
                if (at_position, entry_hash) != (position, from_hash):
                    raise AuditTrailChanged
            removed = await transaction.execute(_REMOVE, parameters | {"position": position})
            await _signed(transaction, replace(checkpoint, from_position=position, from_hash=from_hash.hex()), sign)
            return removed


async def add_uses(transaction: Transaction, org_id: UUID, events: Sequence[UsageEvent]) -> None:
    """The entries of assemblies and queries, where the organization audits reads."""
    from psycopg.types.json import Jsonb

    uses = [
        {
            "at": event.at.isoformat(),
            "action": _ACTIONS[event.kind],
            "actor": event.actor or "service",
            "agent_id": str(event.agent_id) if event.agent_id else None,
            "user_id": event.user_id,
            "memory_ids": [str(one) for one in event.memory_ids],
        }
        for event in events
    ]
    await transaction.execute(_USES, {"org_id": org_id, "uses": Jsonb(uses)})


async def forget_subject(transaction: Transaction, parameters: dict[str, Any]) -> None:
    """Erases what leads from entries back to an end user; the parameters are an erasure's."""
    await locked(transaction, parameters["org_id"])
    await transaction.execute(_FORGET, parameters)
    await transaction.execute(_FORGET_SUBJECT, parameters)


async def locked(transaction: Transaction, org_id: UUID) -> Checkpoint | None:
    """The chain as it is, until the transaction ends; None when there is no such organization."""
    parameters = {"org_id": org_id, "genesis": chain.genesis(str(org_id))}
    await transaction.execute(_BEGIN, parameters)
    rows = await transaction.fetch(_CHAIN, parameters)
    return _checkpoint(org_id, rows[0]) if rows else None


async def _require_unchanged(transaction: Transaction, checkpoint: Checkpoint, sign: Sign) -> None:
    """Raises AuditTrailChanged unless the organization's key has signed this checkpoint, or it is the very first.

    Nothing is signed on top of what somebody else wrote: it would become part of the chain.
    """
    ((last,),) = await transaction.fetch(_LAST, {"org_id": checkpoint.org_id})
    is_first = checkpoint.from_position == checkpoint.position == 0 and not checkpoint.signature
    # Ed25519 signs the same message always alike.
    is_signed = sign(checkpoint.message) == (checkpoint.public_key, checkpoint.signature)
    if not (is_first or is_signed) or (checkpoint.from_position if last is None else last) != checkpoint.position:
        raise AuditTrailChanged


async def _signed(transaction: Transaction, checkpoint: Checkpoint, sign: Sign) -> None:
    at = datetime.now(UTC)
    public_key, signature = sign(replace(checkpoint, at=at.isoformat()).message)
    parameters = {
        "org_id": checkpoint.org_id,
        "from_position": checkpoint.from_position,
        "from_hash": bytes.fromhex(checkpoint.from_hash),
        "position": checkpoint.position,
        "hash": bytes.fromhex(checkpoint.hash),
        "signed_at": at,
        "public_key": bytes.fromhex(public_key),
        "signature": bytes.fromhex(signature),
    }
    await transaction.execute(_SIGN, parameters)


def _checkpoint(org_id: UUID, row: Row) -> Checkpoint:
    from_position, from_hash, position, last_hash, signed_at, public_key, signature = row
    at = signed_at.astimezone(UTC).isoformat() if signed_at else ""
    return Checkpoint(
        str(org_id), from_position, from_hash.hex(), position, last_hash.hex(), at,
        (public_key or b"").hex(), (signature or b"").hex(),
    )  # fmt: skip


def _entry(columns: Row) -> dict[str, Any]:
    """What an entry says, from its columns and its subject; without what it does not have."""
    at, action, actor, project_id, environment, agent_id, target, memory_ids, nonce, subject = columns
    fields = {
        "at": at.astimezone(UTC).isoformat(),
        "action": action,
        "actor": actor,
        "project_id": project_id,
        "environment": environment,
        "agent_id": agent_id and str(agent_id),
        "object": target,
        "memory_ids": memory_ids and [str(one) for one in memory_ids],
        "subject": subject and str(subject),
        "nonce": str(nonce),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _shown(row: Row) -> dict[str, Any]:
    position, entry_digest, entry_hash, *columns, is_visible = row
    told = _entry(tuple(columns)) if is_visible else {"digest": entry_digest.hex()}
    return {"position": position, **told, "hash": entry_hash.hex()}
