"""Notes which memories and conversations wait without a message, since the queue did not take it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database

# Due in the next run, and the attempt does not count: a queue that is away for hours is no reason to give up.
_UNSENT = """
    UPDATE {table} SET queued_at = 'epoch', requeues = greatest(requeues - 1, 0)
    WHERE {key} = ANY(ARRAY(
        SELECT {key} FROM {table} WHERE org_id = %(org_id)s AND {key} = ANY(%(ids)s) ORDER BY {key} FOR UPDATE))"""
_TABLES = {"memory_id": "memories", "conversation_id": "conversations"}


class PostgresUnsentWork:
    """Serves the UnsentWork port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """One transaction for each organization; rows are locked in the order of their ids, as everywhere."""
        waiting: defaultdict[tuple[UUID, str], list[UUID]] = defaultdict(list)
        for message in messages:
            key = next(name for name in _TABLES if name in message)
            waiting[UUID(message["org_id"]), key].append(UUID(message[key]))
        for (org_id, key), ids in waiting.items():
            async with self._database.transaction(org_id) as transaction:
                statement = _UNSENT.format(table=_TABLES[key], key=key)
                await transaction.execute(statement, {"org_id": org_id, "ids": ids})
