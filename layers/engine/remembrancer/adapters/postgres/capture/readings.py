"""Puts what a model has made of turns in the place of what the rules have made of them."""

from collections.abc import Collection, Sequence
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.memories import forgetting
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.memories.memory import Change

# Whatever somebody has done to a memory since is left alone: a change of any field takes the mark away.
_LOCK = """
    SELECT memory_id FROM memories m
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s) AND status = 'active'
      AND version = 1 AND pinned_at IS NULL AND positive_count + negative_count = 0
      AND provenance ? 'preliminary' AND NOT provenance ? 'forget_proposed'
      AND NOT EXISTS (
          SELECT FROM memory_relations r
          WHERE r.org_id = m.org_id
            AND ((r.to_memory_id = m.memory_id AND r.type <> 'similar')
                 OR (r.from_memory_id = m.memory_id AND r.type NOT IN ('similar', 'may_contradict'))))
    ORDER BY memory_id FOR UPDATE"""
_DELETE = "DELETE FROM memories WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)"
# Whoever has read the text of the rules, a caller or the worker that embeds it, sees that this is another.
_NEXT_VERSION = """
    UPDATE memories SET version = 2, provenance = jsonb_set(provenance, '{quote_version}', '2')
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)"""


class Replacement:
    """Replaces memories that are still as the rules made them, in a transaction that has locked the agent."""

    def __init__(self, transaction: Transaction, live: LiveSet, org_id: UUID, agent_id: UUID) -> None:
        self._transaction = transaction
        self._live = live
        self._place = {"org_id": org_id, "agent_id": agent_id}

    @classmethod
    async def begin(cls, transaction: Transaction, org_id: UUID, agent_id: UUID) -> "Replacement | None":
        """None when the agent is gone."""
        live = await LiveSet.lock(transaction, org_id, agent_id)
        return None if live is None else cls(transaction, live, org_id, agent_id)

    async def untouched(self, memory_ids: Collection[UUID]) -> set[UUID]:
        """Those that nobody has changed, rated, pinned, corrected, superseded or forgotten since; locks them."""
        rows = await self._transaction.fetch(_LOCK, self._place | {"ids": sorted(memory_ids)})
        return {row[0] for row in rows}

    async def drop(self, memory_ids: Sequence[UUID]) -> None:
        """Deletes memories so that they can be restored."""
        if memory_ids:
            await self._live.leave(memory_ids)
            await self._transaction.execute(forgetting.DELETE, self._place | {"ids": list(memory_ids), "now": None})

    async def make_room(self, memory_ids: Sequence[UUID]) -> None:
        """Removes memories whose ids other memories are to have."""
        if memory_ids:
            await self._live.leave(memory_ids)
            await self._transaction.execute(_DELETE, self._place | {"ids": list(memory_ids)})

    async def finish(self) -> Change:
        """Counts what has left; the agent's counters after that."""
        return await self._live.finish()

    async def replaced(self, memory_ids: Sequence[UUID]) -> None:
        """Marks the memories that have taken the place and the id of one of the rules, after they were written."""
        await self._transaction.execute(_NEXT_VERSION, self._place | {"ids": list(memory_ids)})
