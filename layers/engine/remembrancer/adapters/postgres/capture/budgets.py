"""Tokens of the capture model, by organization and day."""

from datetime import date
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Database

# One statement, so that of two calls that would each fit alone, only one gets the last tokens.
_RESERVE = """
    INSERT INTO capture_budgets AS budget (org_id, day, tokens, calls)
    SELECT %(org_id)s, %(day)s, %(tokens)s, 1 WHERE %(most)s::bigint IS NULL OR %(tokens)s::bigint <= %(most)s
    ON CONFLICT (org_id, day) DO UPDATE SET tokens = budget.tokens + excluded.tokens, calls = budget.calls + 1
    WHERE %(most)s::bigint IS NULL OR budget.tokens + excluded.tokens <= %(most)s
    RETURNING tokens"""
_CHARGE = """
    UPDATE capture_budgets SET tokens = greatest(tokens + %(more)s, 0) WHERE org_id = %(org_id)s AND day = %(day)s"""
# Yesterday's last calls are still charged.
_FORGET = "DELETE FROM capture_budgets WHERE org_id = %(org_id)s AND day < %(day)s::date - 31"


class PostgresModelBudget:
    """Serves the ModelBudget port."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def reserve(self, org_id: UUID, day: date, tokens: int, *, most: int | None) -> bool:
        """Also forgets what is older than a month."""
        parameters = {"org_id": org_id, "day": day, "tokens": tokens, "most": most}
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_FORGET, parameters)
            return bool(await transaction.fetch(_RESERVE, parameters))

    async def charge(self, org_id: UUID, day: date, *, reserved: int, used: int) -> None:
        parameters = {"org_id": org_id, "day": day, "more": used - reserved}
        async with self._database.transaction(org_id) as transaction:
            await transaction.execute(_CHARGE, parameters)
