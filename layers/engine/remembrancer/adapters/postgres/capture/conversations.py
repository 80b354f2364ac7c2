"""Conversations and their turns."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.capture import extractions, readings, wishes
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.memories.context_growth import grow
from remembrancer.adapters.postgres.memories.idempotent_requests import claimed
from remembrancer.adapters.postgres.memories.memory_writer import NONE, write_memories
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, add_texts, add_turns
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.capture import repetition
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.capture.repetition import STANDS_ALONE, Known, Place, Said
from remembrancer.domain.capture.turns import (
    DROPPED,
    KEPT,
    NOT_EXTRACTED,
    NOT_WANTED,
    PENDING,
    REJECTED,
    REPEATED,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import QuotaExceeded, StaleDataKey, StoreUnavailable
from remembrancer.ports.capture import NOTHING, TARGET_GONE, Added, ConversationListing, Decided, ExtractedWrite
from remembrancer.ports.memories import WriteReport

MOST_TURNS = 500
"""Most turns of a conversation in one read: the newest."""

_AGENT = """
    SELECT (SELECT max(usable) FROM data_keys WHERE org_id = %(org_id)s) FROM agents
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND project_id = %(project_id)s
      AND environment = %(environment)s FOR KEY SHARE"""
# Serializes requests that add to one conversation: its turns are numbered without gaps.
_BEGIN = """
    INSERT INTO conversations AS c (conversation_id, org_id, project_id, environment, agent_id, user_id, session_id)
    VALUES (%(conversation_id)s, %(org_id)s, %(project_id)s, %(environment)s, %(agent_id)s, %(user_id)s,
            %(session_id)s)
    ON CONFLICT (agent_id, coalesce(user_id, ''), session_id) DO UPDATE SET turns = c.turns
    RETURNING conversation_id, turns"""
_KNOWN = """
    SELECT number, fingerprint, (observed_at AT TIME ZONE 'UTC')::date, after, turn_id FROM conversation_turns
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND fingerprint = ANY(%(fingerprints)s)"""
_INSERT = """
    INSERT INTO conversation_turns (
        org_id, conversation_id, number, after, turn_id, memory_id, role, content, speaker, sealed, key_version,
        fingerprint, client_ref, observed_at, redactions)
    SELECT %(org_id)s, %(conversation_id)s, said.*
    FROM unnest(%(number)s::integer[], %(after)s::integer[], %(turn_id)s::text[], %(memory_id)s::uuid[],
                %(role)s::text[], %(content)s::text[], %(speaker)s::text[], %(sealed)s::bytea[],
                %(key_version)s::integer[], %(fingerprint)s::bytea[], %(client_ref)s::text[],
                %(observed_at)s::timestamptz[], %(redactions)s::jsonb[]) AS said"""
_COUNT = """
    UPDATE conversations SET turns = turns + %(new)s, pending = pending + %(new)s, queued_at = now(), requeues = 0,
                             updated_at = now()
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"""

_CONVERSATION = """
    SELECT conversation_id, org_id, project_id, environment, agent_id, user_id, session_id, created_at, updated_at,
           pending
    FROM conversations c"""
_WIDTH = 10
"""So many columns a conversation has; those of a turn may follow."""
_ONE = _CONVERSATION + " WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"
_SEEN = f"""
    org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s AND {conditions.user("c")}"""
_ONE_SEEN = f"{_CONVERSATION} WHERE {_SEEN} AND conversation_id = %(conversation_id)s"
_TURN_OF = """
    SELECT number, memory_id, role, content, speaker, sealed, key_version, fingerprint, client_ref, observed_at,
           redactions, state, reason, after, turn_id, forget, unread
    FROM conversation_turns t WHERE org_id = %(org_id)s AND conversation_id ="""
_TURN = f"{_TURN_OF} %(conversation_id)s"
# Each with the first turn of its user among the first 20, or its first turn.
_LIST = f"""
    SELECT c.*, t.* FROM (
        {_CONVERSATION}
        WHERE {_SEEN}
          AND (%(agent_id)s::uuid IS NULL OR agent_id = %(agent_id)s)
          AND (%(session_id)s::text IS NULL OR session_id = %(session_id)s)
          AND (%(after_at)s::timestamptz IS NULL OR (updated_at, conversation_id) < (%(after_at)s, %(after_id)s))
        ORDER BY updated_at DESC, conversation_id DESC LIMIT %(limit)s) c
    LEFT JOIN LATERAL ({_TURN_OF} c.conversation_id AND number <= 20
                       ORDER BY role <> 'user', number LIMIT 1) t ON true
    ORDER BY c.updated_at DESC, c.conversation_id DESC"""  # noqa: S608 - constants only
_TURNS = f"""
    SELECT * FROM (
        {_TURN} AND (%(before)s::integer IS NULL OR number < %(before)s) ORDER BY number DESC LIMIT %(limit)s
    ) newest ORDER BY number"""  # noqa: S608 - constants only
# With each such turn the one before it, whose memory gets it as context, and the context of that one.
_WAITING = f"""
    WITH RECURSIVE waiting AS (
        SELECT number, after, 0 AS step FROM (
            SELECT number, after FROM conversation_turns
            WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND {{wait}}
            ORDER BY number LIMIT %(limit)s) chosen
        UNION
        SELECT t.number, t.after, waiting.step + 1 FROM waiting
        JOIN conversation_turns t ON t.conversation_id = %(conversation_id)s AND t.number = waiting.after
        WHERE t.org_id = %(org_id)s AND waiting.step < 2
    )
    {_TURN} AND number IN (SELECT number FROM waiting) ORDER BY number"""  # noqa: S608 - constants only
_PENDING = _WAITING.format(wait="state = 'pending'")
_UNREAD = _WAITING.format(wait="unread")

_LOCK = "SELECT 1 FROM conversations WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s FOR UPDATE"
_STATES = """
    SELECT number, state, role, reason, unread FROM conversation_turns
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND number = ANY(%(numbers)s)"""
_DECIDE = """
    UPDATE conversation_turns t SET state = decided.state, reason = decided.reason, captured_at = now(),
                                    forget = decided.forget, unread = t.number = ANY(%(unread)s)
    FROM unnest(%(numbers)s::integer[], %(states)s::text[], %(reasons)s::text[], %(forget)s::jsonb[])
         AS decided (number, state, reason, forget)
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND t.number = decided.number"""
# What was said before a wish to forget is not read later: something that is to be forgotten would come back.
_READ = """
    UPDATE conversation_turns SET unread = false
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND unread AND number < %(before)s"""
# As when their time is over: the user does not want them to be kept.
_UNWANTED = """
    UPDATE conversation_turns
    SET content = NULL, speaker = NULL, sealed = NULL, key_version = NULL, client_ref = NULL, redactions = '{}'
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s AND number = ANY(%(unwanted)s)"""
_NO_LONGER_PENDING = """
    UPDATE conversations SET pending = pending - %(no_longer)s, queued_at = now(), requeues = 0
    WHERE org_id = %(org_id)s AND conversation_id = %(conversation_id)s"""


class PostgresConversations:
    """Serves the Conversations port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        self._database = database
        self._quotas = quotas

    @repeated
    async def add(
        self,
        principal: Principal,
        conversation: Conversation,
        turns: Sequence[Turn],
        *,
        once: Once | None = None,
    ) -> Added | None:
        """Locks the conversation's row until its turns are stored."""
        parameters = _parameters(conversation)
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
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
            numbers, known = await _add(transaction, parameters, newest, turns)
            await add_turns(transaction, principal.org_id, len(set(numbers)) - len(known), self._quotas)
            claim.keep(
                {"conversation_id": str(conversation_id), "numbers": list(numbers), "known": sorted(known)},
                agents=[conversation.agent_id],
                users=[conversation.user_id],
            )
            return Added(conversation_id, numbers, known)

    async def waiting(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """One round trip, by the primary keys."""
        return await self._waiting(_PENDING, org_id, conversation_id, limit)

    async def unread(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        """One round trip, by the primary keys."""
        return await self._waiting(_UNREAD, org_id, conversation_id, limit)

    async def _waiting(self, statement: str, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        parameters = {"org_id": org_id, "conversation_id": conversation_id, "limit": limit}
        found, turns = await self._database.read(org_id, (_ONE, parameters), (statement, parameters))
        return replace(Conversation(*found[0]), turns=[_to_turn(row) for row in turns]) if found else None

    async def store_decisions(
        self,
        conversation: Conversation,
        writes: Mapping[int, MemoryWrite],
        decisions: Sequence[Decision],
        *,
        followed: Collection[int] = (),
        contradicts: Mapping[int, Sequence[UUID]] = NOTHING,
        forgetting: Sequence[Forgetting] = (),
        held: Collection[int] = (),
        unread: Collection[int] = (),
    ) -> Decided:
        """Locks the conversation before its agent; nothing that has locked an agent waits for a conversation."""
        by_rules = [
            ExtractedWrite(number, write, contradicts.get(number, ()), is_reviewed=number in held)
            for number, write in writes.items()
        ]
        decide = partial(self._decide, conversation, by_rules, decisions, followed, forgetting, unread)
        try:
            return await decide(quotas=None)
        except QuotaExceeded:
            return await decide(quotas=self._quotas)

    @repeated
    async def store_reading(
        self, conversation: Conversation, writes: Sequence[ExtractedWrite], decisions: Sequence[Decision]
    ) -> Decided:
        """Locks the conversation before its agent, as above."""
        parameters = _parameters(conversation)
        org_id, agent_id = conversation.org_id, conversation.agent_id
        ids = {turn.number: turn.memory_id for turn in conversation.turns}
        seen = {turn.number: turn.state for turn in conversation.turns}
        async with self._database.transaction(org_id) as transaction:
            if not await transaction.fetch(_LOCK, parameters):
                return Decided()
            stored = await _states(transaction, parameters, [decision.number for decision in decisions])
            due = [decision for decision in decisions if stored[decision.number].is_unread]
            swap = await readings.Replacement.begin(transaction, org_id, agent_id)
            if swap is None:
                return Decided()
            kept = {one.number for one in due if stored[one.number].state == KEPT}
            untouched = await swap.untouched([ids[number] for number in kept])
            # An assistant's turn may have been answered since.
            changed = {
                one.number
                for one in due
                if seen[one.number] == stored[one.number].state
                and (one.number not in kept or ids[one.number] in untouched)
            }
            new = [write for write in writes if write.number in changed]
            replaced = sorted({ids[one.number] for one in new if one.number in kept and not one.is_reviewed})
            dropped = [ids[one.number] for one in due if one.number in changed & kept and one.state == DROPPED]
            await swap.make_room(replaced)
            await swap.drop(dropped)
            change = await swap.finish()
            # What waits for approval stands beside the memory of the rules until then.
            reviewed = {one.write.memory_id: ids[one.number] for one in new if one.is_reviewed}
            report = await _written(transaction, conversation, new, None, reviewed)
            accepted = [new[place] for place, result in report.results.items() if result.status == "accepted"]
            await add_texts(transaction, org_id, len(accepted), self._quotas)
            await swap.replaced([one.write.memory_id for one in accepted if one.write.memory_id in replaced])
            completed = await extractions.complete(transaction, org_id, agent_id, accepted)
            decided = [
                _decided(one, new, report) if one.number in changed else stored[one.number].decision(one.number)
                for one in due
            ]
            await transaction.execute(_DECIDE, parameters | _decision_columns(decided, {}))
            await transaction.execute(_NO_LONGER_PENDING, parameters | {"no_longer": len(due)})
        is_new = {one.number for one in due if stored[one.number].state == KEPT}
        return Decided(
            to_embed=[one.write.memory_id for one in accepted if not one.is_reviewed],
            change=completed or report.changes.get(agent_id, change),
            dropped=Counter(one.reason for one in decided if one.state == DROPPED and one.number in is_new),
            gone=[*replaced, *dropped, *(one.gone for one in report.results.values() if one.gone is not None)],
        )

    @repeated
    async def _decide(
        self,
        conversation: Conversation,
        writes: Sequence[ExtractedWrite],
        decisions: Sequence[Decision],
        followed: Collection[int],
        forgetting: Sequence[Forgetting],
        unread: Collection[int],
        *,
        quotas: Quotas | None,
    ) -> Decided:
        parameters = _parameters(conversation)
        org_id, agent_id = conversation.org_id, conversation.agent_id
        async with self._database.transaction(org_id) as transaction:
            if not await transaction.fetch(_LOCK, parameters):
                return Decided()
            numbers = [*(write.number for write in writes), *(decision.number for decision in decisions)]
            states = await _states(transaction, parameters, numbers)
            due = {decision.number: decision for decision in decisions if _is_open(decision, states[decision.number])}
            new = [write for write in writes if write.number in due]
            reviewed = {one.write.memory_id: one.write.memory_id for one in new if one.is_reviewed}
            report = await _written(transaction, conversation, new, quotas, reviewed)
            accepted = [new[place] for place, result in report.results.items() if result.status == "accepted"]
            await add_texts(transaction, org_id, len(accepted), self._quotas)
            completed = await extractions.complete(transaction, org_id, agent_id, accepted)
            kept_before = [one.write for one in writes if one.number in followed and states[one.number].state == KEPT]
            grown, change = await grow(transaction, org_id, agent_id, kept_before)
            forgotten = await wishes.carry_out(
                transaction, conversation, [one for one in forgetting if one.number in due]
            )
            decided = [_decided(decision, new, report) for decision in due.values()]
            left = {
                one.number
                for one in decided
                if states[one.number].is_unread or (one.number in unread and one == due[one.number])
            }
            columns = _decision_columns(decided, forgotten.outcomes, left)
            await transaction.execute(_DECIDE, parameters | columns)
            unwanted = [decision.number for decision in decided if decision.reason == NOT_WANTED]
            await transaction.execute(_UNWANTED, parameters | {"unwanted": unwanted})
            wished = [one.number for one in forgetting if one.number in due and due[one.number].reason != REJECTED]
            read = await transaction.execute(_READ, parameters | {"before": max(wished)}) if wished else 0
            no_longer = read + sum(states[number].state == PENDING for number in due.keys() - left)
            await transaction.execute(_NO_LONGER_PENDING, parameters | {"no_longer": no_longer})
        return Decided(
            to_embed=[
                memory_id
                for memory_id in (*(one.write.memory_id for one in accepted if not one.is_reviewed), *grown)
                if memory_id not in forgotten.gone
            ],
            change=forgotten.change or change or completed or (report.changes.get(agent_id) if accepted else None),
            kept=sum(decision.state == KEPT for decision in decided),
            dropped=Counter(decision.reason for decision in decided if decision.state == DROPPED),
            gone=[*(result.gone for result in report.results.values() if result.gone is not None), *forgotten.gone],
        )

    async def get(
        self, principal: Principal, conversation_id: UUID, *, before: int | None = None
    ) -> Conversation | None:
        """One round trip; the turns are returned only when the principal may see the conversation."""
        own = {"conversation_id": conversation_id, "before": before, "limit": MOST_TURNS}
        parameters = place(principal) | own
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
        return [
            replace(Conversation(*row[:_WIDTH]), turns=[] if row[_WIDTH] is None else [_to_turn(row[_WIDTH:])])
            for row in rows
        ]


async def _add(
    transaction: Transaction, parameters: dict[str, Any], newest: int, turns: Sequence[Turn]
) -> tuple[Sequence[int], frozenset[int]]:
    rows = await transaction.fetch(_KNOWN, parameters | {"fingerprints": [turn.fingerprint for turn in turns]})
    stored = [Known(number, bytes(fingerprint), *rest) for number, fingerprint, *rest in rows]
    said = [
        Said(turn.fingerprint, len(turn.text) >= STANDS_ALONE, turn.observed_at.astimezone(UTC).date(), turn.is_dated)
        for turn in turns
    ]
    places = repetition.places(said, stored, newest, turns[0].turn_id if turns else None)
    new = [(turn, place) for turn, place in zip(turns, places, strict=True) if place.is_new]
    if new:
        await transaction.execute(_INSERT, parameters | _columns([_turn_columns(turn, place) for turn, place in new]))
        await transaction.execute(_COUNT, parameters | {"new": len(new)})
    numbers = [place.number for place in places]
    return numbers, frozenset(numbers) - {place.number for _, place in new}


@dataclass(frozen=True, slots=True)
class _State:
    """Of a stored turn; empty for one that is gone."""

    state: str = ""
    role: str = ""
    reason: str | None = None
    is_unread: bool = False

    def decision(self, number: int) -> Decision:
        """The decision that the turn has already, so that nothing changes."""
        return Decision(number, self.state, self.reason or "")


async def _states(
    transaction: Transaction, parameters: Mapping[str, Any], numbers: Sequence[int]
) -> Mapping[int, _State]:
    """One for each of the numbers."""
    rows = await transaction.fetch(_STATES, {**parameters, "numbers": numbers})
    return dict.fromkeys(numbers, _State()) | {number: _State(*columns) for number, *columns in rows}


def _is_open(decision: Decision, before: _State) -> bool:
    """A turn of the assistant is dropped until the user's answer keeps it, or kept until that rejects it; all other
    decisions are final, and so is what a model has decided.
    """
    is_kept = (before.state, decision.state) == (DROPPED, KEPT) and before.reason != NOT_EXTRACTED
    is_answered = is_kept or (before.state == KEPT and decision.reason == REJECTED)
    return before.state == PENDING or (before.role == "assistant" and is_answered)


async def _written(
    transaction: Transaction,
    conversation: Conversation,
    new: Sequence[ExtractedWrite],
    quotas: Quotas | None,
    reviewed: Mapping[UUID, UUID] = NONE,
) -> WriteReport:
    """Results by place in `new`. Raises StoreUnavailable when a memory to be superseded is no longer there."""
    if not new:
        return WriteReport({})
    by_place = {place: memory.write for place, memory in enumerate(new)}
    report = await write_memories(transaction, _writer(conversation), by_place, quotas, reviewed=reviewed)
    if any(result.status in {"unknown_supersedes", "shared_supersedes"} for result in report.results.values()):
        raise StoreUnavailable("A memory to be superseded is gone", cause=TARGET_GONE)
    return report


def _decided(decision: Decision, new: Sequence[ExtractedWrite], report: WriteReport) -> Decision:
    """The decision after its memories were written, or all of them were refused."""
    results = [result for place, result in report.results.items() if new[place].number == decision.number]
    if not results or any(result.status == "accepted" for result in results):
        return decision
    reason = REPEATED if results[0].status == "duplicate" else results[0].status
    return Decision(decision.number, DROPPED, reason)


def _decision_columns(
    decisions: Sequence[Decision], outcomes: Mapping[int, Mapping[str, Any]], unread: Collection[int] = ()
) -> dict[str, Any]:
    forget = [outcomes.get(decision.number) for decision in decisions]
    return {
        "unread": list(unread),
        "forget": [None if outcome is None else Jsonb(outcome) for outcome in forget],
        "numbers": [decision.number for decision in decisions],
        "states": [decision.state for decision in decisions],
        "reasons": [decision.reason for decision in decisions],
    }


def _require_key(newest: int | None, turns: Sequence[Turn]) -> None:
    """Raises StaleDataKey unless all text is sealed under the newest data key, or there is none."""
    if newest is not None and {turn.key_version for turn in turns} - {newest}:
        raise StaleDataKey(newest)


def _writer(conversation: Conversation) -> Principal:
    """The writer of the conversation's memories, limited to the conversation's project and end user."""
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


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def _turn_columns(turn: Turn, place: Place) -> dict[str, Any]:
    return {
        "number": place.number,
        "after": place.after,
        "turn_id": turn.turn_id,
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
        after=row[13],
        turn_id=row[14],
        forget=row[15],
        is_unread=row[16],
    )
