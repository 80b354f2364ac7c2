"""What docs/operations.md tells operators to run does what it says."""

import re
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.lexical_index import PostgresLexicalIndex
from tests.integration.engine.tenant import Tenant

PAGE = Path(__file__).resolve().parents[3] / "docs" / "operations.md"
COUNTS = "SELECT indexed_documents, content_words, context_words, vectors FROM agents ORDER BY agent_id"


def statements() -> str:
    (block,) = re.findall(r"^```sql\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(block)


async def run(migrated: PostgresServer, **variables: str) -> None:
    """As psql does with `:'name'`."""
    text = re.sub(r":'(\w+)'", lambda match: "'" + variables[match[1]].replace("'", "''") + "'", statements())
    async with await AsyncConnection.connect(migrated.owner_url, autocommit=True) as connection:
        await connection.execute(text.encode())


async def test_an_erasure_takes_everything_of_an_end_user_and_nothing_else(
    migrated: PostgresServer, tenant: Tenant, stranger: Tenant, observer: AsyncConnection[Any]
) -> None:
    own = await tenant.remember_texts("likes tea", "drinks it black", user_id="o'erased")
    kept = await tenant.remember_texts("likes coffee", user_id="kept")
    shared = await tenant.remember_texts("opens at nine")
    foreign = await stranger.remember_texts("likes tea", user_id="o'erased")
    await tenant.embed([*own, *kept, *shared])

    await run(migrated, org_id=str(tenant.org_id), user_id="o'erased")

    cursor = await observer.execute(
        "SELECT memory_id FROM memories WHERE org_id IN (%s, %s)", [tenant.org_id, stranger.org_id]
    )
    assert {row[0] for row in await cursor.fetchall()} == {*kept, *shared, *foreign}
    rows = await tenant.fetch("SELECT DISTINCT memory_id FROM memory_vectors")
    assert {row[0] for row in rows} == {*kept, *shared}
    assert await tenant.fetch(COUNTS) == [(2, 4, 0, 2)]
    await PostgresLexicalIndex(tenant.database).merge(tenant.org_id, tenant.agent_id)
    terms = {term for (term,) in await tenant.fetch("SELECT term FROM term_blocks")}
    wanted = tenant.wanted("likes coffee opens nine")
    assert terms == {term for term, word in zip(wanted.terms, wanted.word, strict=True) if word >= 0}


async def test_an_erasure_of_nobody_leaves_the_counts_as_the_writes_kept_them(
    migrated: PostgresServer, tenant: Tenant
) -> None:
    await tenant.embed(await tenant.remember_texts("likes tea", "likes coffee and cake"))
    before = await tenant.fetch(COUNTS)

    await run(migrated, org_id=str(tenant.org_id), user_id="nobody")

    assert await tenant.fetch(COUNTS) == before
