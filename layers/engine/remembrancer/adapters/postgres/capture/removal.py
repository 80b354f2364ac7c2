"""Removes conversations: whole ones for an erasure or after long silence, and the texts of turns after their time.

Conversations are locked before their turns, in the order of their ids, like by the worker that makes memories of them.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database, Transaction

TURN_DAYS = 30
"""Days for which the texts of turns are kept in an organization without its own setting."""
CONVERSATIONS_KEPT = timedelta(days=180)
"""After the last turn. Until then rows without text prevent that a history is captured a second time."""
EXPIRED = "expired"
"""Why a turn was dropped that still waited when its time was over."""
AT_ONCE = 100
"""Most conversations in one transaction, during which their workers wait."""

_TURN_DAYS = "SELECT (settings ->> 'turn_days')::integer FROM organizations WHERE org_id = %s"

_CHOSEN = "SELECT conversation_id FROM conversations WHERE org_id = %(org_id)s AND "
_TURNS = """
    DELETE FROM conversation_turns WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM conversation_turns
        WHERE org_id = %(org_id)s AND conversation_id = ANY(%(conversations)s) LIMIT %(limit)s))"""
_CONVERSATIONS = """
    DELETE FROM conversations c WHERE c.org_id = %(org_id)s AND c.conversation_id = ANY(%(conversations)s)
      AND NOT EXISTS (SELECT FROM conversation_turns t WHERE t.conversation_id = c.conversation_id)"""

# The condition on the text is that of the index.
_OLD = """
    SELECT conversation_id, memory_id FROM conversation_turns
    WHERE org_id = %(org_id)s AND stored_at < %(before)s AND (content IS NOT NULL OR sealed IS NOT NULL)
    ORDER BY stored_at LIMIT %(limit)s"""
_LOCK = """
    SELECT conversation_id FROM conversations WHERE org_id = %(org_id)s AND conversation_id = ANY(%(conversations)s)
    ORDER BY conversation_id FOR UPDATE SKIP LOCKED"""
_OF_THESE = "org_id = %(org_id)s AND conversation_id = ANY(%(conversations)s) AND memory_id = ANY(%(memories)s)"
_NOT_PENDING = f"""
    UPDATE conversations c SET pending = c.pending - expired.turns
    FROM (SELECT conversation_id, count(*) AS turns FROM conversation_turns
          WHERE {_OF_THESE} AND (state = 'pending' OR unread) GROUP BY conversation_id) expired
    WHERE c.org_id = %(org_id)s AND c.conversation_id = expired.conversation_id"""  # noqa: S608 - constants only
_EMPTY = f"""
    UPDATE conversation_turns
    SET content = NULL, speaker = NULL, sealed = NULL, key_version = NULL, client_ref = NULL, redactions = '{{}}',
        reason = CASE state WHEN 'pending' THEN %(expired)s ELSE reason END, unread = false,
        state = CASE state WHEN 'pending' THEN 'dropped' ELSE state END
    WHERE {_OF_THESE}"""  # noqa: S608 - constants only


async def remove(
    transaction: Transaction, parameters: Mapping[str, Any], condition: str, limit: int, *, wait: bool = True
) -> dict[str, int]:
    """Deletes up to `limit` turns of the conversations that `condition` selects, and those without turns: the counts.

    Both are 0 when no conversation is left, or, without `wait`, when others have locked those that are left.
    """
    lock = "FOR UPDATE" if wait else "FOR UPDATE SKIP LOCKED"
    statement = f"{_CHOSEN} {condition} ORDER BY conversation_id LIMIT {AT_ONCE} {lock}"
    rows = await transaction.fetch(statement, parameters)
    if not rows:
        return {"turns": 0, "conversations": 0}
    chosen = {**parameters, "conversations": [row[0] for row in rows], "limit": limit}
    turns = await transaction.execute(_TURNS, chosen)
    return {"turns": turns, "conversations": await transaction.execute(_CONVERSATIONS, chosen)}


async def forget_texts(database: Database, org_id: UUID, now: datetime, limit: int) -> int:
    """Removes the texts of turns that were stored longer ago than the organization keeps them; returns their number."""
    (setting,) = await database.read(org_id, (_TURN_DAYS, [org_id]))
    days = setting[0][0] if setting and setting[0][0] is not None else TURN_DAYS
    parameters = {"org_id": org_id, "before": now - timedelta(days=days), "limit": limit, "expired": EXPIRED}
    async with database.transaction(org_id) as transaction:
        old = await transaction.fetch(_OLD, parameters)
        if not old:
            return 0
        parameters["memories"] = [row[1] for row in old]
        locked = await transaction.fetch(_LOCK, parameters | {"conversations": sorted({row[0] for row in old})})
        chosen = parameters | {"conversations": [row[0] for row in locked]}
        await transaction.execute(_NOT_PENDING, chosen)
        return await transaction.execute(_EMPTY, chosen)


async def forget_conversations(database: Database, org_id: UUID, now: datetime, limit: int) -> int:
    """Deletes conversations long after their last turn, and up to `limit` of their turns: the number of both."""
    parameters = {"org_id": org_id, "before": now - CONVERSATIONS_KEPT}
    async with database.transaction(org_id) as transaction:
        counts = await remove(transaction, parameters, "updated_at < %(before)s", limit, wait=False)
    return sum(counts.values())
