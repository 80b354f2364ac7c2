"""Quotas, checked in the transaction that adds a row, so that two requests cannot use the last free row."""

from collections.abc import Mapping
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.domain.memories import quotas as kinds
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.errors import QuotaExceeded

DEFAULT_QUOTAS = Quotas()

# Does not block rows that refer to the organization; blocks other transactions that add rows of these kinds.
_LOCK_ORGANIZATION = "SELECT settings FROM organizations WHERE org_id = %(org_id)s FOR NO KEY UPDATE"
# Counts up to the quota at most.
_COUNT: Mapping[str, str] = {
    kind: f"SELECT count(*) FROM (SELECT FROM {kind_table} WHERE org_id = %(org_id)s LIMIT %(most)s) counted"  # noqa: S608
    for kind, kind_table in {"agents": "agents", "directives": "directives", "keys": "api_keys"}.items()
}

# Counting texts would take too long, so their number is stored. It is locked from here to the end of the transaction,
# so this comes last.
_ADD_TEXTS = """
    INSERT INTO stored_texts AS stored (org_id, texts) VALUES (%(org_id)s, %(more)s)
    ON CONFLICT (org_id) DO UPDATE SET texts = stored.texts + excluded.texts
    RETURNING texts, (SELECT settings FROM organizations WHERE org_id = %(org_id)s)"""

# Turns are counted in the same row, for the same reason.
_ADD_TURNS = """
    INSERT INTO stored_texts AS stored (org_id, texts, turns) VALUES (%(org_id)s, 0, %(more)s)
    ON CONFLICT (org_id) DO UPDATE SET turns = stored.turns + excluded.turns
    RETURNING texts, turns, (SELECT settings FROM organizations WHERE org_id = %(org_id)s)"""


async def require_room(transaction: Transaction, org_id: UUID, kind: str, quotas: Quotas) -> None:
    """Requires room for one more agent, directive or key. Raises QuotaExceeded when the quota is reached."""
    rows = await transaction.fetch(_LOCK_ORGANIZATION, {"org_id": org_id})
    most = quotas.most(kind, kinds.own(rows[0][0] if rows else {}, kind))
    if most is None:
        return
    ((count,),) = await transaction.fetch(_COUNT[kind], {"org_id": org_id, "most": most})
    if count >= most:
        raise QuotaExceeded(kind)


async def room_for_texts(transaction: Transaction, org_id: UUID, quotas: Quotas) -> int | None:
    """How many more texts the quota allows; blocks others that add texts until the transaction ends. None for no
    limit.
    """
    ((texts, settings),) = await transaction.fetch(_ADD_TEXTS, {"org_id": org_id, "more": 0})
    most = quotas.most("memories", kinds.own(settings, "memories"))
    return None if most is None else max(most - texts, 0)


async def add_texts(transaction: Transaction, org_id: UUID, more: int, quotas: Quotas) -> None:
    """Counts texts that this transaction has stored. Raises QuotaExceeded when they are too many."""
    if not more:
        return
    ((texts, settings),) = await transaction.fetch(_ADD_TEXTS, {"org_id": org_id, "more": more})
    most = quotas.most("memories", kinds.own(settings, "memories"))
    if most is not None and texts > most:
        raise QuotaExceeded("memories")


async def add_turns(transaction: Transaction, org_id: UUID, more: int, quotas: Quotas) -> None:
    """Counts turns that this transaction has stored; blocks others that add texts or turns until it ends. Raises
    QuotaExceeded when they are too many, and when no memory could be made of them.
    """
    if not more:
        return
    ((texts, turns, settings),) = await transaction.fetch(_ADD_TURNS, {"org_id": org_id, "more": more})
    most_texts = quotas.most("memories", kinds.own(settings, "memories"))
    most_turns = quotas.most("turns", kinds.own(settings, "turns"))
    if most_texts is not None and texts >= most_texts:
        raise QuotaExceeded("memories")
    if most_turns is not None and turns > most_turns:
        raise QuotaExceeded("turns")
