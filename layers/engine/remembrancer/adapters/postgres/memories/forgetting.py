"""Deletes memories so that they can be restored, and proposes that, for wishes to forget."""

from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.capture import proposals
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.ports.memories import Forgotten

DELETE = """
    UPDATE memories SET deleted_from = status, deleted_at = coalesce(%(now)s::timestamptz, now()), status = 'deleted',
                        updated_at = now(), provenance = provenance - 'forget_proposed',
                        embedding_state = CASE embedding_state WHEN 'pending' THEN 'dropped' ELSE embedding_state END
    WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)"""

# What is shared has no end user, and is not found here, but for the memory of the turn itself.
_LOCK = """
    SELECT memory_id, status FROM memories
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND memory_id = ANY(%(ids)s)
      AND (user_id = %(user_id)s OR memory_id = %(rejected)s) AND status IN ('active', 'pending_review')
    ORDER BY memory_id FOR UPDATE"""
_PROPOSE = """
    UPDATE memories SET provenance = coalesce(provenance, '{}') || %(proposal)s, updated_at = now()
    WHERE org_id = %(org_id)s AND memory_id = ANY(%(ids)s)"""


async def forget(
    transaction: Transaction,
    live: LiveSet,
    place: dict[str, Any],
    wish: Forgetting,
    source: dict[str, Any],
    *,
    rejected: UUID | None = None,
) -> Forgotten:
    """`place` has the organization, the agent and the end user whose memories alone are touched, beside the one that
    was made of the `rejected` turn; `source` says where the end user wished it. The caller finishes the live set.
    """
    owned = place | {"ids": sorted({*wish.deleted, *wish.proposed}), "rejected": rejected}
    found: dict[UUID, str] = dict(await transaction.fetch(_LOCK, owned))
    deleted = [memory_id for memory_id in wish.deleted if memory_id in found]
    proposed = [memory_id for memory_id in wish.proposed if memory_id in found and memory_id not in deleted]
    if deleted:
        await live.leave([memory_id for memory_id in deleted if found[memory_id] == "active"])
        await transaction.execute(DELETE, place | {"ids": deleted, "now": None})
    if proposed:
        proposal = Jsonb({proposals.FORGET: source})
        await transaction.execute(_PROPOSE, place | {"ids": proposed, "proposal": proposal})
    return Forgotten(deleted, proposed)
