"""Conversations and their turns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.memories import write_memories
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, add_texts
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.capture.turns import Conversation, Decision, Turn
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import StaleDataKey
from remembrancer.ports.capture import Added, ConversationListing
from remembrancer.ports.memories import WriteReport

NEIGHBOURS = 4
"""Turns that are read before the first that waits: its context, and a question that it may answer."""
MOST_TURNS = 2000
"""Turns of a conversation that are shown at once: the newest."""

_AGENT = """
    SELECT (SELECT max(usable) FROM data_keys WHERE org_id = %(org_id)s) FROM agents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND project_id = %(project_id)s
      AND environment = %(environment)s FOR KEY SHARE"""
# Whoever adds to the same conversation waits here: its turns are numbered without gaps.
_BEGIN = """
    INSERT INTO conversations AS c (conversation_id, org_id, project_id, environment, agent_id, user_id, session_id)
    VALUES (%(conversation_id)s, %(org_id)s, %(project_id)s, %(environment)s, %(agent_id)s, %(user_id)s,
            %(session_id)s)
    ON CONFLICT (agent_id, coalesce(user_id, ''), session_id) DO UPDATE SET updated_at = now()
    RETURNING conversation_id, turns"""
_KNOWN = """
    SELECT number, fingerprint FROM conversation_turns
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND fingerprint = ANY(%(fingerprints)s)"""
_INSERT = """
    INSERT INTO conversation_turns (
        org_id, conversation_id, number, memory_id, role, content, speaker, sealed, key_version, fingerprint,
        client_ref, observed_at, redactions)
    VALUES (
        %(org_id)s, %(conversation_id)s, %(number)s, %(memory_id)s, %(role)s, %(content)s, %(speaker)s, %(sealed)s,
        %(key_version)s, %(fingerprint)s, %(client_ref)s, %(observed_at)s, %(redactions)s)"""
_COUNT = """
    UPDATE conversations SET turns = turns + %(new)s, pending = pending + %(new)s, queued_at = now(), requeues = 0
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"""

_CONVERSATION = """
    SELECT conversation_id, org_id, project_id, environment, agent_id, user_id, session_id, created_at, updated_at,
           pending
    FROM conversations c"""
_ONE = _CONVERSATION + " WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"
_SEEN = f"""
    org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s AND {conditions.user("c")}"""
_ONE_SEEN = f"{_CONVERSATION} WHERE {_SEEN} AND conversation_id = %(conversation_id)s"
_LIST = f"""{_CONVERSATION}
    WHERE {_SEEN} AND agent_id = %(agent_id)s
      AND (%(session_id)s::text IS NULL OR session_id = %(session_id)s)
      AND (%(after_at)s::timestamptz IS NULL OR (updated_at, conversation_id) < (%(after_at)s, %(after_id)s))
    ORDER BY updated_at DESC, conversation_id DESC LIMIT %(limit)s"""
_TURN = """
    SELECT number, memory_id, role, content, speaker, sealed, key_version, fingerprint, client_ref, observed_at,
           redactions, state, reason
    FROM conversation_turns t WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"""
_TURNS = f"""
    SELECT * FROM ({_TURN} ORDER BY number DESC LIMIT %(limit)s) newest ORDER BY number"""  # noqa: S608 - constants only
_WAITING = f"""{_TURN}
      AND number >= (SELECT min(number) FROM conversation_turns
                     WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND state = 'pending')
                    - %(neighbours)s
    ORDER BY number LIMIT %(limit)s"""  # noqa: S608 - constants only

_LOCK = "SELECT 1 FROM conversations WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s FOR UPDATE"
# A turn of the assistant is dropped until the user's answer keeps it; nothing else changes its mind.
_OPEN = """
    SELECT number, state FROM conversation_turns
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND number = ANY(%(numbers)s)
      AND (state = 'pending' OR (state = 'dropped' AND role = 'assistant'))"""
_DECIDE = """
    UPDATE conversation_turns SET state = %(state)s, reason = %(reason)s, captured_at = now()
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND number = %(number)s"""
_SETTLED = """
    UPDATE conversations SET pending = pending - %(settled)s, queued_at = now(), requeues = 0
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"""

DUPLICATE = "repeated"
"""Why a turn was dropped whose text is an active memory already."""


class PostgresConversations:
    """Serves the Conversations port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas

    async def add(
        self,
        principal: Principal,
        conversation: Conversation,
        turns: Sequence[Turn],
        *,
        once: Once | None = None,
    ) -> Added | None:
        """The conversation's row is locked until its turns are stored."""
        parameters = _parameters(conversation)
        async with (
            self._database.transaction(principal.org_id) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                numbers = claim.before["numbers"]
                return Added(UUID(claim.before["conversation_id"]), numbers, frozenset(claim.before["known"]))
            agents = await transaction.fetch(_AGENT, parameters)
            if not agents:
                return None
            _require_key(agents[0][0], turns)
            ((conversation_id, newest),) = await transaction.fetch(_BEGIN, parameters)
            parameters["conversation_id"] = conversation_id
            numbers, known = await self._add(transaction, parameters, newest, turns)
            claim.keep(
                {"conversation_id": str(conversation_id), "numbers": list(numbers), "known": sorted(known)},
                agents=[conversation.agent_id],
                users=[conversation.user_id],
            )
            return Added(conversation_id, numbers, known)

    async def waiting(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """One round trip, by the primary keys."""
        parameters = {
            "org_id": org_id,
            "conversation_id": conversation_id,
            "neighbours": NEIGHBOURS,
            "limit": limit + NEIGHBOURS,
        }
        found, turns = await self._database.read(org_id, (_ONE, parameters), (_WAITING, parameters))
        return replace(Conversation(*found[0]), turns=[_to_turn(row) for row in turns]) if found else None

    async def settle(
        self, conversation: Conversation, writes: Mapping[int, MemoryWrite], decisions: Sequence[Decision]
    ) -> WriteReport:
        """Locks the conversation before its agent; nothing that has locked an agent waits for a conversation."""
        parameters = _parameters(conversation)
        principal = _writer(conversation)
        async with self._database.transaction(conversation.org_id) as transaction:
            if not await transaction.fetch(_LOCK, parameters):
                return WriteReport({})
            numbers = [decision.number for decision in decisions]
            rows = await transaction.fetch(_OPEN, parameters | {"numbers": numbers})
            before: dict[int, str] = dict(rows)
            due = {number: write for number, write in writes.items() if number in before}
            report = await write_memories(transaction, principal, due, None) if due else WriteReport({})
            accepted = sum(result.status == "accepted" for result in report.results.values())
            await add_texts(transaction, conversation.org_id, accepted, self._quotas)
            for decision in decisions:
                if decision.number in before:
                    result = report.results.get(decision.number)
                    is_repeated = result is not None and result.status != "accepted"
                    state, reason = ("dropped", DUPLICATE) if is_repeated else (decision.state, decision.reason)
                    change = {"number": decision.number, "state": state, "reason": reason}
                    await transaction.execute(_DECIDE, parameters | change)
            settled = sum(state == "pending" for state in before.values())
            await transaction.execute(_SETTLED, parameters | {"settled": settled})
            return report

    async def get(self, principal: Principal, conversation_id: UUID) -> Conversation | None:
        """One round trip; the turns are released only when the conversation may be seen."""
        parameters = place(principal) | {"conversation_id": conversation_id, "limit": MOST_TURNS}
        found, turns = await self._database.read(principal.org_id, (_ONE_SEEN, parameters), (_TURNS, parameters))
        return replace(Conversation(*found[0]), turns=[_to_turn(row) for row in turns]) if found else None

    async def list(self, principal: Principal, listing: ConversationListing) -> Sequence[Conversation]:
        """Keyset pagination on (updated_at, conversation_id)."""
        after_at, after_id = listing.after or (None, None)
        parameters = place(principal) | {
            "agent_id": listing.agent_id,
            "session_id": listing.session_id,
            "after_at": after_at,
            "after_id": after_id,
            "limit": listing.limit,
        }
        (rows,) = await self._database.read(principal.org_id, (_LIST, parameters))
        return [Conversation(*row) for row in rows]

    async def _add(
        self, transaction: Transaction, parameters: dict[str, Any], newest: int, turns: Sequence[Turn]
    ) -> tuple[Sequence[int], frozenset[int]]:
        rows = await transaction.fetch(_KNOWN, parameters | {"fingerprints": [turn.fingerprint for turn in turns]})
        numbers = {bytes(fingerprint): number for number, fingerprint in rows}
        known = frozenset(numbers.values())
        new = 0
        for turn in turns:
            if turn.fingerprint not in numbers:
                new += 1
                numbers[turn.fingerprint] = newest + new
                await transaction.execute(_INSERT, parameters | _turn_columns(turn, newest + new))
        if new:
            await transaction.execute(_COUNT, parameters | {"new": new})
        return [numbers[turn.fingerprint] for turn in turns], known


def _require_key(newest: int | None, turns: Sequence[Turn]) -> None:
    """As for memories: all text comes sealed under the newest data key, or there is none."""
    if newest is not None and {turn.key_version for turn in turns} - {newest}:
        raise StaleDataKey(newest)


def _writer(conversation: Conversation) -> Principal:
    """Who writes the memories of a conversation: nobody's credential, confined to the conversation's own place."""
    return Principal(
        org_id=conversation.org_id,
        project_id=conversation.project_id,
        environment=conversation.environment,
        key_id=conversation.conversation_id,
        scopes=frozenset(),
        user_id=conversation.user_id,
    )


def _parameters(conversation: Conversation) -> dict[str, Any]:
    return {
        "conversation_id": conversation.conversation_id,
        "org_id": conversation.org_id,
        "project_id": conversation.project_id,
        "environment": conversation.environment,
        "agent_id": conversation.agent_id,
        "user_id": conversation.user_id,
        "session_id": conversation.session_id,
    }


def _turn_columns(turn: Turn, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "memory_id": turn.memory_id,
        "role": turn.role,
        "content": None if turn.sealed else turn.text,
        "speaker": None if turn.sealed else turn.speaker,
        "sealed": turn.sealed,
        "key_version": turn.key_version,
        "fingerprint": turn.fingerprint,
        "client_ref": turn.client_ref,
        "observed_at": turn.observed_at,
        "redactions": Jsonb(dict(turn.redactions)),
    }


def _to_turn(row: Row) -> Turn:
    return Turn(
        number=row[0],
        memory_id=row[1],
        role=row[2],
        text=row[3] or "",
        speaker=row[4],
        sealed=None if row[5] is None else bytes(row[5]),
        key_version=row[6],
        fingerprint=bytes(row[7]),
        client_ref=row[8],
        observed_at=row[9],
        redactions=row[10],
        state=row[11],
        reason=row[12],
    )
