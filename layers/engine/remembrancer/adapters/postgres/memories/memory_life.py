"""Changes of a stored memory: new texts, deletion, restoration, the undoing of a supersession, feedback."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.capture import extractions, readings
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories import forgetting, idempotent_requests
from remembrancer.adapters.postgres.memories import pins as stored_pins
from remembrancer.adapters.postgres.memories.idempotent_requests import RequestClaim, claimed
from remembrancer.adapters.postgres.memories.quotas import DEFAULT_QUOTAS, add_texts
from remembrancer.adapters.postgres.memories.relations import PostgresRelations
from remembrancer.adapters.postgres.memories.rows import DAY, place
from remembrancer.adapters.postgres.memories.written_columns import written_columns
from remembrancer.adapters.postgres.search import conditions
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.capture import proposals
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories import pins
from remembrancer.domain.memories.memory import day_of
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Forbidden, PinnedFull
from remembrancer.ports.memories import ChangeResult, Forgotten, Rated

_AGENT_OF = f"""
    SELECT agent_id FROM memories m
    WHERE org_id = %(org_id)s AND project_id = %(project_id)s AND environment = %(environment)s
      AND memory_id = %(memory_id)s AND {conditions.user("m")}"""  # noqa: S608 - constants only
# Locked in the order of their ids, like everywhere.
_LOCK = f"""
    SELECT memory_id, status, version, updated_at, user_id, {conditions.user("m")} FROM memories m
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)
    ORDER BY memory_id FOR UPDATE"""  # noqa: S608 - constants only
_SAME_TEXT = f"""
    SELECT memory_id FROM memories
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND coalesce(user_id, '') = coalesce(%(owner)s, '')
      AND (content_sha256 = %(content_sha256)s OR (content_sha256 = %(undated)s AND {DAY} = %(day)s::date))
      AND status = 'active' AND memory_id <> ALL(%(but)s)"""  # noqa: S608 - constants only

_KEEP_TEXT = """
    INSERT INTO memory_versions (
        org_id, memory_id, version, content, summary, context, sealed, sealed_context, key_version)
    SELECT org_id, memory_id, version, content, summary, context, sealed, sealed_context, key_version FROM memories
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s"""
# Two memories were found compatible by their texts of before.
_COMPARE_AGAIN = """
    DELETE FROM memory_relations
    WHERE org_id = %(org_id)s AND type = 'compatible'
      AND (from_memory_id = %(memory_id)s OR to_memory_id = %(memory_id)s)"""
# A memory that leaves before it was embedded no longer waits for a vector.
_UPDATE = """
    UPDATE memories SET
        content = %(content)s, summary = %(summary)s, context = %(context)s, sealed = %(sealed)s,
        sealed_context = %(sealed_context)s, key_version = %(key_version)s, category = %(category)s,
        source = %(source)s, confidence = %(confidence)s, importance = %(importance)s, quality = %(quality)s,
        tags = %(tags)s, metadata = %(metadata)s, redactions = %(redactions)s, content_sha256 = %(content_sha256)s,
        tokens_o200k = %(tokens_o200k)s, tokens_cl100k = %(tokens_cl100k)s,
        valid_from = %(valid_from)s, expires_at = %(expires_at)s, occurred_from = %(occurred_from)s,
        occurred_to = %(occurred_to)s, pinned_at = %(pinned_at)s, status = %(status)s,
        superseded_by = CASE %(status)s WHEN 'superseded' THEN superseded_by END,
        provenance = provenance - %(decided)s::text[],
        deleted_at = NULL, deleted_from = NULL, version = version + %(text_changed)s::int,
        embedding_state = CASE WHEN %(to_embed)s THEN 'pending'
                               WHEN %(status)s <> 'active' AND embedding_state = 'pending' THEN 'dropped'
                               ELSE embedding_state END,
        embedding_model = CASE WHEN %(to_embed)s THEN NULL ELSE embedding_model END,
        embedding_error = CASE WHEN %(to_embed)s THEN NULL ELSE embedding_error END,
        queued_at = CASE WHEN %(to_embed)s THEN now() ELSE queued_at END,
        requeues = CASE WHEN %(to_embed)s THEN 0 ELSE requeues END,
        cluster_id = CASE WHEN %(to_embed)s THEN NULL ELSE cluster_id END, updated_at = now()
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s"""
_FILTERED_BY = """
    UPDATE memory_vectors SET category = %(category)s, source = %(source)s, tags = %(tags)s,
                              confidence = %(confidence)s, valid_from = %(valid_from)s, expires_at = %(expires_at)s,
                              occurred_from = %(occurred_from)s, occurred_to = %(occurred_to)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(memory_id)s"""
_RETIRE = """
    UPDATE memories SET status = 'superseded', superseded_by = %(memory_id)s, updated_at = now(),
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND memory_id = %(other)s"""
# It replaces nothing any more, which its line in the injected text says too.
_RELEASE = """
    UPDATE memories SET supersedes = NULL
    WHERE org_id = %(org_id)s AND memory_id = %(other)s AND supersedes = %(memory_id)s"""
_COMPATIBLE = """
    INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence)
    SELECT %(relation_id)s, %(org_id)s, %(other)s, %(memory_id)s, 'compatible', 1
    WHERE NOT EXISTS (
        SELECT FROM memory_relations
        WHERE org_id = %(org_id)s AND type = 'compatible'
          AND from_memory_id = %(memory_id)s AND to_memory_id = %(other)s)
    ON CONFLICT (from_memory_id, to_memory_id, type) DO NOTHING"""
_OPINION = """
    SELECT positive FROM feedback WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s AND user_id = %(user_id)s"""
# The same opinion again is no change.
_RATE = """
    INSERT INTO feedback (feedback_id, org_id, memory_id, user_id, positive)
    VALUES (%(feedback_id)s, %(org_id)s, %(memory_id)s, %(user_id)s, %(positive)s)
    ON CONFLICT (memory_id, user_id) WHERE user_id IS NOT NULL
    DO UPDATE SET positive = excluded.positive, created_at = excluded.created_at
    WHERE feedback.positive <> excluded.positive"""
_COUNT = """
    UPDATE memories SET positive_count = greatest(positive_count + %(more_positive)s, 0),
                        negative_count = greatest(negative_count + %(more_negative)s, 0)
    WHERE org_id = %(org_id)s AND memory_id = %(memory_id)s
    RETURNING positive_count, negative_count"""


class PostgresMemoryLife(PostgresRelations):
    """Serves the MemoryLife port."""

    def __init__(self, database: Database, quotas: Quotas = DEFAULT_QUOTAS) -> None:
        super().__init__(database)
        self._quotas = quotas

    @repeated
    async def revise(self, principal: Principal, revision: Revision) -> ChangeResult:
        """Does nothing when the memory has changed since it was read."""
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            target = None if revision.proposed is None else revision.proposed.target
            memory = await _Locked.find(transaction, principal, revision.write.memory_id, target)
            if memory is None or memory.status == "deleted":
                return ChangeResult("not_found")
            outcome = await memory.become(revision)
            if outcome.status == "done" and revision.text_changed:
                await add_texts(transaction, principal.org_id, 1, self._quotas)
            return outcome

    @repeated
    async def forget(self, principal: Principal, memory_id: UUID, now: datetime) -> ChangeResult:
        """Out of every search when the transaction commits."""
        async with self._database.transaction(principal.org_id, actor=principal.actor) as transaction:
            memory = await _Locked.find(transaction, principal, memory_id)
            if memory is None:
                return ChangeResult("not_found")
            if memory.status == "deleted":
                return ChangeResult("unchanged", memory.agent_id)
            return await memory.delete(now)

    @repeated
    async def forget_all(
        self, principal: Principal, agent_id: UUID, wish: Forgetting, *, once: Once | None = None
    ) -> Forgotten:
        """In one transaction, under the lock of the agent."""
        if principal.user_id is None:
            raise Forbidden("Only what a named end user owns is forgotten.", code="forbidden")
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                deleted, proposed = ([UUID(memory_id) for memory_id in ids] for ids in claim.before)
                return Forgotten(deleted, proposed)
            live = await LiveSet.lock(
                transaction,
                principal.org_id,
                agent_id,
                project_id=principal.project_id,
                environment=principal.environment,
            )
            if live is None:
                return Forgotten()
            key = {"org_id": principal.org_id, "agent_id": agent_id, "user_id": principal.user_id}
            done = await forgetting.forget(transaction, live, key, wish, {})
            ids = [[str(memory_id) for memory_id in ids] for ids in (done.deleted, done.proposed)]
            claim.keep(ids, agents=[agent_id], users=[principal.user_id])
            return replace(done, change=await live.finish() if done.deleted else None)

    @repeated
    async def restore(self, principal: Principal, revision: Revision, *, once: Once | None = None) -> ChangeResult:
        """Does nothing when the memory is not deleted any more."""
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return ChangeResult("again")
            memory = await _Locked.find(transaction, principal, revision.write.memory_id)
            if memory is None:
                return ChangeResult("not_found")
            if memory.status != "deleted":
                return ChangeResult("unchanged", memory.agent_id)
            outcome = await memory.become(revision)
            if outcome.status == "done":
                memory.keep(claim, {"status": revision.status})
            return outcome

    @repeated
    async def unsupersede(
        self,
        principal: Principal,
        revision: Revision,
        relation_id: UUID,
        *,
        keep_both: bool = False,
        once: Once | None = None,
    ) -> ChangeResult:
        """Does nothing when the memory is not superseded any more."""
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return ChangeResult("again")
            by = revision.seen.superseded_by
            memory = await _Locked.find(transaction, principal, revision.write.memory_id, by)
            if memory is None or memory.status == "deleted":
                return ChangeResult("not_found")
            if memory.status != "superseded":
                return ChangeResult("unchanged", memory.agent_id)
            outcome = await memory.unsupersede(revision, relation_id if keep_both else None)
            if outcome.status == "done":
                memory.keep(claim, {"status": revision.status})
            return outcome

    async def was_done(self, principal: Principal, once: Once) -> bool:
        return await idempotent_requests.find(self._database, principal, once) is not None

    @repeated
    async def rate(
        self, principal: Principal, memory_id: UUID, feedback_id: UUID, positive: bool, *, once: Once | None = None
    ) -> Rated:
        """For an active memory, announces the change, since cached copies are outdated."""
        async with (
            self._database.transaction(principal.org_id, actor=principal.actor) as transaction,
            claimed(transaction, principal.org_id, principal.key_id, once) as claim,
        ):
            if claim.before is not None:
                return Rated(ChangeResult("again"), **claim.before)
            memory = await _Locked.find(transaction, principal, memory_id)
            if memory is None or memory.status == "deleted":
                return Rated(ChangeResult("not_found"))
            rated = await memory.rate(principal.user_id, feedback_id, positive)
            counts = {"positive_count": rated.positive_count, "negative_count": rated.negative_count}
            memory.keep(claim, counts, principal.user_id)
            return rated


@dataclass(frozen=True, slots=True)
class _Row:
    """A locked row; `is_seen` says whether the principal may see it."""

    memory_id: UUID
    status: str
    version: int
    updated_at: datetime
    owner: str | None
    is_seen: bool


class _Locked:
    """A memory, maybe another one of its agent, and the agent, locked by one transaction."""

    def __init__(
        self, transaction: Transaction, principal: Principal, agent_id: UUID, memory_id: UUID, live: LiveSet
    ) -> None:
        self._transaction = transaction
        self._principal = principal
        self._live = live
        self._key = {"org_id": principal.org_id, "agent_id": agent_id, "memory_id": memory_id}
        self.agent_id = agent_id
        self.memory_id = memory_id
        self.status = ""
        self._seen: tuple[int, datetime] = (0, datetime.min)
        self._owner: str | None = None
        self._other: _Row | None = None

    @classmethod
    async def find(
        cls, transaction: Transaction, principal: Principal, memory_id: UUID, other: UUID | None = None
    ) -> "_Locked | None":
        """None for a memory that the principal may not see; raises Forbidden for one that it may not change.

        Locks the agent before the rows, like every writer.
        """
        agents = await transaction.fetch(_AGENT_OF, place(principal) | {"memory_id": memory_id})
        live = await LiveSet.lock(transaction, principal.org_id, agents[0][0]) if agents else None
        if live is None:
            return None
        memory = cls(transaction, principal, agents[0][0], memory_id, live)
        ids = [memory_id] if other is None else [memory_id, other]
        rows = {
            row[0]: _Row(*row) for row in await transaction.fetch(_LOCK, memory._key | place(principal) | {"ids": ids})
        }
        if memory_id not in rows:
            return None
        memory.status = rows[memory_id].status
        memory._seen = (rows[memory_id].version, rows[memory_id].updated_at)
        memory._owner = rows[memory_id].owner
        memory._other = None if other is None else rows.get(other)
        principal.require_change(memory._owner)
        return memory

    def keep(self, claim: RequestClaim, answer: object, user_id: str | None = None) -> None:
        """Stores the answer of a request about this memory, by this end user."""
        others = [] if self._other is None else [self._other.owner]
        claim.keep(answer, agents=[self.agent_id], users=[self._owner, user_id, *others])

    async def become(self, revision: Revision) -> ChangeResult:
        replaced = await self._replaced(revision)
        return await self._obstacle(revision, leaving=replaced) or await self._become(revision, replaced)

    async def _replaced(self, revision: Revision) -> Sequence[UUID]:
        """The memory of the rules of which this one takes the place: none, or one that nobody has changed."""
        return [] if revision.replaces is None else list(await self._swap.untouched([revision.replaces]))

    @property
    def _swap(self) -> readings.Replacement:
        return readings.Replacement(self._transaction, self._live, self._principal.org_id, self.agent_id)

    async def unsupersede(self, revision: Revision, compatible_id: UUID | None) -> ChangeResult:
        """Without `compatible_id` this memory supersedes the other one; with it the other one stays, and a relation of
        this id says that they are compatible.
        """
        other = self._other
        if other is not None and not other.is_seen:
            return ChangeResult("not_found")
        if other is not None:
            self._principal.require_change(other.owner)
        retires = other is not None and other.status == "active" and compatible_id is None
        if obstacle := await self._obstacle(revision, leaving=[other.memory_id] if other and retires else []):
            return obstacle
        if other is None:
            return await self._become(revision)
        if other.status == "superseded" and compatible_id is None:
            return ChangeResult("replaced", self.agent_id, other=other.memory_id)
        values = self._key | {"other": other.memory_id, "relation_id": compatible_id}
        await self._transaction.execute(_RELEASE, values)
        if retires:
            await self._live.leave([other.memory_id])
            await self._transaction.execute(_RETIRE, values)
        elif compatible_id is not None:
            await self._transaction.execute(_COMPATIBLE, values)
            await self._live.touched([other.memory_id] if other.status == "active" else [])
        done = await self._become(revision)
        return replace(done, others=[other.memory_id])

    async def _obstacle(self, revision: Revision, *, leaving: Sequence[UUID]) -> ChangeResult | None:
        """Why the memory cannot become the revision; `leaving` are the other memories that leave with it."""
        if self._seen != (revision.seen.version, revision.seen.updated_at):
            return ChangeResult("stale", self.agent_id)
        self._live.require_key([revision.write])
        values = self._key | _values(revision) | {"but": [self.memory_id, *leaving]}
        if revision.status == "active" and (same := await self._transaction.fetch(_SAME_TEXT, values)):
            return ChangeResult("duplicate", self.agent_id, other=same[0][0])
        await self._require_room(revision, leaving)
        return None

    async def _require_room(self, revision: Revision, leaving: Sequence[UUID]) -> None:
        """Raises PinnedFull for a pinned memory that takes more room than before and has none."""
        seen, write = revision.seen.memory, revision.write
        if revision.status != "active" or write.memory.pinned_at is None:
            return
        own = pins.tokens_of(write.tokens)
        if seen.status == "active" and seen.pinned_at is not None and own <= pins.tokens_of(seen.tokens):
            return
        org_id, but = self._principal.org_id, [self.memory_id, *leaving]
        pinned = await stored_pins.tokens(self._transaction, org_id, self.agent_id, write.memory.user_id, but=but)
        if pinned + own > pins.MOST_TOKENS:
            raise PinnedFull(pins.MOST_TOKENS, pinned, own)

    async def _become(self, revision: Revision, replaced: Sequence[UUID] = ()) -> ChangeResult:
        was_live, is_live = self.status == "active", revision.status == "active"
        values = self._key | _values(revision)
        enters = is_live and (revision.text_changed or not was_live)
        leaves = was_live and (revision.text_changed or not is_live)
        await self._swap.drop(replaced)
        if leaves:
            await self._live.leave([self.memory_id])
        if revision.text_changed:
            await self._transaction.execute(_KEEP_TEXT, values)
            await self._transaction.execute(_COMPARE_AGAIN, values)
        await self._transaction.execute(_UPDATE, values | {"to_embed": enters})
        if enters:
            await self._live.enter([revision.write])
        elif is_live:
            await self._transaction.execute(_FILTERED_BY, values)
            await self._live.touched([self.memory_id])
        others = [*await self._approve(revision), *replaced]
        change = await self._live.finish()
        return ChangeResult("done", self.agent_id, change, gone=was_live, to_embed=enters, others=others)

    async def _approve(self, revision: Revision) -> Sequence[UUID]:
        """Carries out what was proposed with the memory; returns the memories that this has changed."""
        if revision.proposed is None:
            return []
        is_own = self._other is not None and self._other.owner == self._owner and self._other.status == "active"
        version = self._other.version if self._other is not None and is_own else None
        # Nothing supersedes before it is valid.
        is_valid = revision.write.memory.valid_from is None
        is_as_proposed = revision.seen.version == 1 and not revision.text_changed and is_valid
        outcome = proposals.decided(revision.proposed, version, is_as_proposed=is_as_proposed)
        await extractions.carry_out(
            self._transaction, self._live, self._key["org_id"], self.memory_id, revision.proposed.target, outcome
        )
        return [] if outcome == proposals.NOTHING else [revision.proposed.target]

    async def delete(self, now: datetime) -> ChangeResult:
        if self.status == "active":
            await self._live.leave([self.memory_id])
        await self._transaction.execute(forgetting.DELETE, self._key | {"ids": [self.memory_id], "now": now})
        return ChangeResult("done", self.agent_id, await self._live.finish(), gone=self.status == "active")

    async def rate(self, user_id: str | None, feedback_id: UUID, positive: bool) -> Rated:
        values = self._key | {"user_id": user_id, "feedback_id": feedback_id, "positive": positive}
        before = [row[0] for row in await self._transaction.fetch(_OPINION, values)]
        await self._transaction.execute(_RATE, values)
        more_positive = int(positive) - before.count(True)
        more_negative = int(not positive) - before.count(False)
        counts = {"more_positive": more_positive, "more_negative": more_negative}
        ((positive_count, negative_count),) = await self._transaction.fetch(_COUNT, self._key | counts)
        touches = self.status == "active" and any(counts.values())
        if touches:
            await self._live.touched([self.memory_id])
        outcome = ChangeResult("done", self.agent_id, await self._live.finish(), gone=touches)
        return Rated(outcome, positive_count, negative_count)


def _decided(revision: Revision) -> list[str]:
    """What is removed from the provenance: proposals that this change decides. Whatever is changed is not replaced by
    what a model makes of its turn.
    """
    decided = {
        proposals.PRELIMINARY: True,
        proposals.PIN: revision.write.memory.pinned is not None,
        proposals.FORGET: revision.is_kept or revision.text_changed,
    }
    return [proposal for proposal, is_decided in decided.items() if is_decided]


def _values(revision: Revision) -> dict[str, Any]:
    return written_columns(revision.write) | {
        "owner": revision.write.memory.user_id,
        "status": revision.status,
        "text_changed": revision.text_changed,
        "undated": revision.write.undated,
        "decided": _decided(revision),
        "day": day_of(revision.write.memory),
    }
