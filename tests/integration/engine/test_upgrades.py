"""Migrations that move what is stored: nothing is lost on the way."""

from datetime import UTC, datetime, timedelta
from itertools import takewhile
from uuid import UUID, uuid4

import psycopg
from psycopg import Connection

from local.servers import PostgresServer
from local.servers.postgres import APPLICATION, SUPERUSER
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser, Scope
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.retrieval.filters import Filters
from tests.builders import NOW

KEY = b"key of the organization"
BEFORE_BLOCKS = 5


def remember(connection: Connection[object], org_id: UUID, agent_id: UUID, content: str, context: str | None) -> UUID:
    """A memory and its postings, one row each, as the fifth version of the schema has them."""
    memory_id = uuid4()
    entry = bm25.index(content, context, key=KEY, stem=SnowballStemmer().stem)
    connection.execute(
        "INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, content, context, category, "
        "source, confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k, indexed_words, "
        "created_at) "
        "VALUES (%s, %s, 'p', 'production', %s, %s, %s, 'factual', 'extracted', 1, 1, 1, sha256(%s), 1, 1, 5, %s)",
        (memory_id, org_id, agent_id, content, context, content.encode(), NOW),
    )
    for term, in_content, in_context in entry.terms:
        connection.execute(
            "INSERT INTO memory_terms VALUES (%s, %s, %s, %s, %s, %s)",
            (org_id, agent_id, term, memory_id, in_content, in_context),
        )
    return memory_id


async def test_postings_in_rows_of_their_own_become_packed_ones(
    postgres_server: PostgresServer, empty: str, empty_url: str
) -> None:
    await migrate(empty_url, packaged()[:BEFORE_BLOCKS])
    org_id, agent_id = uuid4(), uuid4()
    with psycopg.connect(empty_url) as connection:
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(org_id)])
        connection.execute("INSERT INTO organizations (org_id, name, term_key) VALUES (%s, 'o', %s)", (org_id, KEY))
        connection.execute("INSERT INTO projects VALUES (%s, 'p', 'p')", (org_id,))
        connection.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name, indexed_documents) "
            "VALUES (%s, %s, 'p', 'production', 'a', 3)",
            (agent_id, org_id),
        )
        coffee = remember(connection, org_id, agent_id, "coffee, coffee, coffee.", "About coffee machines.")
        machine = remember(connection, org_id, agent_id, "The machine is broken.", None)
        remember(connection, org_id, agent_id, "To be or not to be.", None)
        gone = remember(connection, org_id, agent_id, "The machine was new.", None)
        connection.execute("DELETE FROM memory_terms WHERE memory_id = %s", (gone,))
        connection.execute("UPDATE memories SET status = 'superseded' WHERE memory_id = %s", (gone,))

    await migrate(empty_url, packaged())

    database = Database(postgres_server.url(APPLICATION, empty))
    search = PostgresSearch(database, model="model")
    wanted = bm25.wanted("coffee machine", key=KEY, stem=SnowballStemmer().stem)
    scope = Scope(org_id, None, None, agent_id)
    before = await search.matching(scope, wanted, Filters(), limit=9, now=NOW)
    await PostgresLexicalIndex(database).merge(org_id, agent_id)
    after = await search.matching(scope, wanted, Filters(), limit=9, now=NOW)
    (counts,) = (
        await database.read(org_id, ("SELECT indexed_documents, content_words, context_words FROM agents", ()))
    )[0]
    (rows,) = await database.read(
        org_id, ("SELECT content_words, context_words, terms FROM term_documents ORDER BY content_words", ())
    )
    await database.close()
    assert [matched.memory.id for matched in before.found] == [coffee, machine]
    assert before == after
    assert counts == (3, 5, 2)
    assert [row[:2] for row in rows] == [(0, 0), (2, 0), (3, 2)]


async def test_every_organization_has_its_terms_looked_at_after_the_change_of_words(
    postgres_server: PostgresServer, empty: str, empty_url: str
) -> None:
    await migrate(empty_url, list(takewhile(lambda one: one.name != "words", packaged())))
    with psycopg.connect(postgres_server.url(SUPERUSER, empty)) as connection:
        for name in ("one", "two"):
            connection.execute(
                "INSERT INTO organizations (org_id, name, term_key) VALUES (%s, %s, %s)", (uuid4(), name, KEY)
            )

    await migrate(empty_url, packaged())

    database = Database(postgres_server.url(APPLICATION, empty))
    index_upkeep = PostgresLexicalIndex(database)
    visited = await index_upkeep.outdated_organizations(datetime.now(UTC) + timedelta(minutes=1))
    await database.close()
    assert len(visited) == 2


OF_EVERYBODY = 18


def index(connection: Connection[object], org_id: UUID, agent_id: UUID, texts: list[tuple[str, str | None]]) -> None:
    """Memories and their words, all merged into blocks of the whole agent, as the version before owners had them."""
    documents = []
    for number, (content, owner) in enumerate(texts):
        entry = bm25.index(content, None, key=KEY, stem=SnowballStemmer().stem)
        packed = postings.pack_terms(entry.terms)
        connection.execute(
            "INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, user_id, content, category, "
            "source, confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k, created_at, "
            "document) VALUES (%s, %s, 'p', 'production', %s, %s, %s, 'factual', 'extracted', 1, 1, 1, sha256(%s), 1, "
            "1, %s, %s)",
            (uuid4(), org_id, agent_id, owner, content, f"{owner} {content}".encode(), NOW, number),
        )
        connection.execute(
            "INSERT INTO term_documents (org_id, agent_id, document, content_words, context_words, terms) "
            "VALUES (%s, %s, %s, %s, 0, %s)",
            (org_id, agent_id, number, entry.content_words, packed),
        )
        documents.append(postings.Document(number, entry.content_words, 0, packed))
    for (term, block), packed in postings.merged({}, documents, []).items():
        connection.execute(
            "INSERT INTO term_blocks (org_id, term, agent_id, block, postings, packed) VALUES (%s, %s, %s, %s, %s, %s)",
            (org_id, term, agent_id, block, len(packed) // postings.POSTING.itemsize, packed),
        )
    words = sum(document.content_words for document in documents)
    connection.execute(
        "INSERT INTO agents (agent_id, org_id, project_id, environment, name) VALUES (%s, %s, 'p', 'production', %s) "
        "ON CONFLICT DO NOTHING",
        (agent_id, org_id, str(agent_id)),
    )
    connection.execute(
        "UPDATE agents SET indexed_documents = %s, content_words = %s, next_document = %s, merged_documents = %s "
        "WHERE agent_id = %s",
        (len(texts), words, len(texts), len(texts), agent_id),
    )


async def test_blocks_of_everybody_become_those_of_their_owners(
    postgres_server: PostgresServer, empty: str, empty_url: str
) -> None:
    await migrate(empty_url, [one for one in packaged() if one.number < OF_EVERYBODY])
    org_id, shared, mixed = uuid4(), uuid4(), uuid4()
    with psycopg.connect(postgres_server.url(SUPERUSER, empty)) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("INSERT INTO organizations (org_id, name, term_key) VALUES (%s, 'o', %s)", (org_id, KEY))
        connection.execute("INSERT INTO projects VALUES (%s, 'p', 'p')", (org_id,))
        index(connection, org_id, shared, [("amber birch", None), ("amber", None)])
        index(connection, org_id, mixed, [("amber birch", None), ("amber cedar", "ann"), ("amber cedar", "bob")])

    await migrate(empty_url, packaged())

    database = Database(postgres_server.url(APPLICATION, empty))
    search = PostgresSearch(database, model="model")
    wanted = bm25.wanted("amber cedar", key=KEY, stem=SnowballStemmer().stem)

    async def found(agent_id: UUID, end_user: EndUser) -> list[tuple[str, str | None, float]]:
        scope = Scope(org_id, None, None, agent_id, end_user)
        answer = await search.matching(scope, wanted, Filters(), limit=9, now=NOW)
        return [(one.memory.content, one.memory.user_id, one.lexical or 0.0) for one in answer.found]

    (kept,) = await database.read(org_id, ("SELECT agent_id FROM index_blocks GROUP BY agent_id", ()))
    (owners,) = await database.read(
        org_id,
        (
            "SELECT agent_id, user_id, documents, content_words::integer, waiting, merged_documents FROM index_owners",
            (),
        ),
    )
    before = [await found(shared, NOBODY), await found(mixed, EndUser("ann")), await found(mixed, EVERYBODY)]
    for agent_id in (shared, mixed):
        await PostgresLexicalIndex(database).merge(org_id, agent_id)
    after = [await found(shared, NOBODY), await found(mixed, EndUser("ann")), await found(mixed, EVERYBODY)]
    await database.close()
    assert [row[0] for row in kept] == [shared]
    assert set(owners) == {
        (shared, "", 2, 3, 0, 2),
        (mixed, "", 1, 2, 1, 0),
        (mixed, "ann", 1, 2, 1, 0),
        (mixed, "bob", 1, 2, 1, 0),
    }
    assert before == after
    assert [[one[:2] for one in answer] for answer in before] == [
        [("amber", None), ("amber birch", None)],
        [("amber cedar", "ann"), ("amber birch", None)],
        [("amber cedar", "bob"), ("amber cedar", "ann"), ("amber birch", None)],
    ]
