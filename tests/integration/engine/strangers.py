"""What another end user writes between two equal questions, and an answer's numbers without those of the clock."""

from datetime import UTC, datetime
from typing import Any

from remembrancer.adapters.postgres.search import lexical_index
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from tests.integration.engine.tenant import Tenant

QUESTION = "What did Marta say about the divorce?"
SHARED = ("The office is closed on Friday.", "A divorce needs two signatures.", "The lift is out of order.")
OF_ADA = ("My divorce was in May.", "I drink tea.", "My sister asked about the signatures.")
OF_BOB = tuple(f"Marta: the divorce of number {number} said a lot about signatures." for number in range(12))
MOMENT = datetime(2026, 3, 20, tzinfo=UTC)
"""Always the same, so that no factor ages between two answers."""
_OF_THE_CLOCK = frozenset({"timings_ms", "started_ms", "latency_ms", "deadline_ms", "request_id", "status_ms"})


def numbers(answer: Any) -> Any:
    """Everything that is said, but how long it took."""
    if isinstance(answer, dict):
        return {name: numbers(value) for name, value in answer.items() if name not in _OF_THE_CLOCK}
    return [numbers(value) for value in answer] if isinstance(answer, list | tuple) else answer


async def furnish(tenant: Tenant) -> None:
    """Memories of nobody and of Ada, with vectors."""
    await tenant.embed(await tenant.remember_texts(*SHARED))
    await tenant.embed(await tenant.remember_texts(*OF_ADA, user_id="ada"))


async def bob_writes(tenant: Tenant) -> None:
    """Texts that share words and a name with the question; some of them are merged, and some leave."""
    written = await tenant.remember_texts(*OF_BOB, user_id="bob")
    await tenant.embed(written)


async def merge(tenant: Tenant, monkeypatch: Any) -> None:
    """Everybody's words into blocks, however few."""
    monkeypatch.setattr(lexical_index, "OWN_TAIL", 1)
    await PostgresLexicalIndex(tenant.database).merge(tenant.org_id, tenant.agent_id)
