"""The bound of pinned memories, and the pins of memories that supersede pinned ones."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.domain.memories.pins import MOST_TOKENS

# Of one prompt: the shared ones, and those of the end user, or of the one who has pinned most. Rows of one agent change
# only in transactions that have locked the agent, so nobody pins meanwhile.
_TOKENS = """
    SELECT coalesce(sum(tokens) FILTER (WHERE user_id IS NULL), 0)::integer
           + coalesce(max(tokens) FILTER (WHERE user_id = coalesce(%(owner)s::text, user_id)), 0)::integer
    FROM (SELECT user_id, sum(greatest(tokens_o200k, tokens_cl100k)) AS tokens FROM memories
          WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND pinned_at IS NOT NULL AND status = 'active'
            AND memory_id <> ALL(%(but)s)
          GROUP BY user_id) AS pinned"""
_PINNED = """
    SELECT pinned_at, user_id FROM memories
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(old)s AND pinned_at IS NOT NULL"""
_TAKE_OVER = """
    UPDATE memories SET pinned_at = %(pinned_at)s
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = %(new)s AND status = 'active'
      AND pinned_at IS NULL AND user_id IS NOT DISTINCT FROM %(owner)s::text
      AND greatest(tokens_o200k, tokens_cl100k) <= %(room)s"""


async def tokens(
    transaction: Transaction, org_id: UUID, agent_id: UUID, owner: str | None, *, but: Sequence[UUID] = ()
) -> int:
    """The tokens that are pinned beside these memories, in the prompts that one of this owner would stand in."""
    key = {"org_id": org_id, "agent_id": agent_id, "owner": owner, "but": list(but)}
    ((pinned,),) = await transaction.fetch(_TOKENS, key)
    return int(pinned)


async def take_over(transaction: Transaction, org_id: UUID, agent_id: UUID, *, old: UUID, new: UUID) -> bool:
    """Pins the memory that has superseded a pinned one of the same owner in its place, if it fits; returns whether."""
    key: dict[str, Any] = {"org_id": org_id, "agent_id": agent_id, "old": old, "new": new}
    rows = await transaction.fetch(_PINNED, key)
    if not rows:
        return False
    pinned_at, owner = rows[0]
    room = MOST_TOKENS - await tokens(transaction, org_id, agent_id, owner, but=[old, new])
    return await transaction.execute(_TAKE_OVER, key | {"pinned_at": pinned_at, "owner": owner, "room": room}) > 0
