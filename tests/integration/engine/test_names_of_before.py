"""Names that were stored in any form come into the one that requests have, and nobody loses or gains a memory."""

import sys
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import Connection
from psycopg.types.json import Jsonb

from local.servers import PostgresServer
from local.servers.postgres import APPLICATION, SUPERUSER
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.migrations import migrate, packaged
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import EndUser, Scope, end_user_name
from remembrancer.domain.lexical_index import bm25, postings
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.domain.retrieval.filters import Filters
from tests.builders import NOW

BEFORE = 29
KEY = b"key of the organization"
COMPOSED, DECOMPOSED = "No\u00ebl", "Noe\u0308l"
PADDED, BLANK, INVISIBLE = f"\u3000{DECOMPOSED} ", " ", "\u200b"
OTHER = "noel"


class Before:
    """An organization in the schema of before, and an agent whose writer kept names as they came."""

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        self.org_id, self.agent_id = uuid4(), uuid4()
        self._documents: list[tuple[str, postings.Document]] = []
        self.run("SELECT set_config('remembrancer.org_id', %s, false)", str(self.org_id))
        self.run("INSERT INTO organizations (org_id, name, term_key) VALUES (%s, 'o', %s)", self.org_id, KEY)
        self.run("INSERT INTO projects VALUES (%s, 'p', 'p')", self.org_id)
        self.add_agent(self.agent_id, "a")

    def run(self, statement: str, *values: object) -> None:
        self.connection.execute(statement.encode(), values)

    def add_agent(self, agent_id: UUID, name: str) -> None:
        self.run(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name) "
            "VALUES (%s, %s, 'p', 'production', %s)",
            agent_id,
            self.org_id,
            name,
        )

    def remember(self, content: str, owner: str | None, *, client_ref: str | None = None) -> UUID:
        """A memory with a vector and a cluster, whose words are in its owner's blocks."""
        memory_id, cluster_id, number = uuid4(), uuid4(), len(self._documents)
        entry = bm25.index(content, None, key=KEY, stem=SnowballStemmer().stem)
        packed = postings.pack_terms(entry.terms)
        self._documents.append((owner or "", postings.Document(number, entry.content_words, 0, packed)))
        vector = str([1.0] + [0.0] * 383)
        self.run(
            "INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, owner, centroid, members, "
            "embedding_model) VALUES (%s, %s, %s, 'factual', %s, %s, 1, 'm')",
            cluster_id, self.org_id, self.agent_id, owner or "", vector,
        )  # fmt: skip
        self.run(
            "INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, user_id, content, category, "
            "source, confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k, created_at, "
            "document, client_ref, cluster_id) VALUES (%s, %s, 'p', 'production', %s, %s, %s, 'factual', 'extracted', "
            "1, 1, 1, sha256(%s), 1, 1, %s, %s, %s, %s)",
            memory_id, self.org_id, self.agent_id, owner, content, content.encode(), NOW, number, client_ref,
            cluster_id,
        )  # fmt: skip
        self.run(
            "INSERT INTO memory_vectors (memory_id, org_id, project_id, environment, agent_id, user_id, category, "
            "source, tier, tags, confidence, created_at, embedding_model, embedding) "
            "VALUES (%s, %s, 'p', 'production', %s, %s, 'factual', 'extracted', 'hot', '{}', 1, %s, 'm', %s)",
            memory_id, self.org_id, self.agent_id, owner, NOW, vector,
        )  # fmt: skip
        self.run(
            "INSERT INTO term_documents (org_id, agent_id, user_id, document, content_words, context_words, terms) "
            "VALUES (%s, %s, %s, %s, %s, 0, %s)",
            self.org_id, self.agent_id, owner or "", number, entry.content_words, packed,
        )  # fmt: skip
        return memory_id

    def merge(self) -> None:
        """All words into blocks, as the scheduled run does."""
        for owner in {owner for owner, _ in self._documents}:
            own = [document for name, document in self._documents if name == owner]
            for (term, block), packed in postings.merged({}, own, []).items():
                self.run(
                    "INSERT INTO index_blocks (org_id, term, agent_id, user_id, block, postings, packed) "
                    "VALUES (%s, %s, %s, %s, %s, %s, %s)",
                    self.org_id, term, self.agent_id, owner, block, len(packed) // postings.POSTING.itemsize, packed,
                )  # fmt: skip
        self.run("UPDATE index_owners SET waiting = 0, merged_documents = %s", len(self._documents))
        self.run("UPDATE agents SET indexed_documents = %s, next_document = %s", *[len(self._documents)] * 2)

    def converse(self, session_id: str, owner: str | None) -> UUID:
        conversation_id = uuid4()
        self.run(
            "INSERT INTO conversations (conversation_id, org_id, project_id, environment, agent_id, user_id, "
            "session_id) VALUES (%s, %s, 'p', 'production', %s, %s, %s)",
            conversation_id, self.org_id, self.agent_id, owner, session_id,
        )  # fmt: skip
        return conversation_id


@pytest.fixture
async def before(postgres_server: PostgresServer, empty: str, empty_url: str) -> Before:
    await migrate(empty_url, [one for one in packaged() if one.number <= BEFORE])
    return Before(psycopg.connect(postgres_server.url(SUPERUSER, empty), autocommit=True))


@pytest.fixture
def connection(before: Before) -> Iterator[Connection[Any]]:
    yield before.connection
    before.connection.close()


async def test_two_forms_of_a_name_become_one_person(
    before: Before, connection: Connection[Any], postgres_server: PostgresServer, empty: str, empty_url: str
) -> None:
    owners = [None, COMPOSED, DECOMPOSED, PADDED, OTHER]
    written = {owner: before.remember(f"amber {number}", owner) for number, owner in enumerate(owners)}
    same = [before.remember("amber twice", owner) for owner in (DECOMPOSED, COMPOSED, PADDED)]
    referred = [before.remember(f"amber {owner}", owner, client_ref="r") for owner in (DECOMPOSED, COMPOSED)]
    before.merge()

    await migrate(empty_url, packaged())

    database = Database(postgres_server.url(APPLICATION, empty))
    search = PostgresSearch(database, model="m")
    wanted = bm25.wanted("amber", key=KEY, stem=SnowballStemmer().stem)

    async def found(name: str) -> set[UUID]:
        scope = Scope(before.org_id, None, None, before.agent_id, EndUser(name))
        answer = await search.matching(scope, wanted, Filters(), limit=99, now=NOW)
        return {one.memory.id for one in answer.found}

    unmerged = await found(COMPOSED), await found(OTHER)
    await PostgresLexicalIndex(database).merge(before.org_id, before.agent_id)
    merged = await found(COMPOSED), await found(OTHER)
    await database.close()
    own = {written[owner] for owner in (None, COMPOSED, DECOMPOSED, PADDED)} | set(same) | set(referred)
    assert unmerged == merged == (own, {written[None], written[OTHER]})
    for table, column in (("memories", "user_id"), ("memory_vectors", "user_id"), ("memory_clusters", "owner")):
        names = {row[0] or None for row in connection.execute(f"SELECT {column} FROM {table}".encode()).fetchall()}
        assert names == {None, COMPOSED, OTHER}, table
    statuses = connection.execute("SELECT DISTINCT status FROM memories").fetchall()
    refs = connection.execute("SELECT memory_id FROM memories WHERE client_ref = 'r'").fetchall()
    assert statuses == [("active",)]
    # That of the form which requests have.
    assert refs == [(referred[1],)]


async def test_caches_of_an_agent_with_a_renamed_person_are_outdated(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    other = uuid4()
    before.add_agent(other, "b")
    before.remember("amber", DECOMPOSED)

    await migrate(empty_url, packaged())

    counters = dict(connection.execute("SELECT agent_id, ARRAY[version, removals] FROM agents").fetchall())
    assert counters == {before.agent_id: [1, 1], other: [0, 0]}
    assert connection.execute("SELECT change FROM memories").fetchall() == [(1,)]


async def test_a_blank_name_becomes_one_that_can_be_erased(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    for number, owner in enumerate((None, BLANK, INVISIBLE)):
        before.remember(f"amber {number}", owner)

    await migrate(empty_url, packaged())

    names = connection.execute("SELECT content, user_id FROM memories ORDER BY content").fetchall()
    assert names == [("amber 0", None), ("amber 1", "blank-name-20"), ("amber 2", "blank-name-e2808b")]


async def test_sessions_profiles_and_opinions_of_two_forms_come_together(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    memory_id = before.remember("amber", None)
    for owner in (DECOMPOSED, COMPOSED, OTHER):
        before.run(
            "INSERT INTO sessions VALUES (%s, %s, 's', %s, '{}', '{}', now())", before.org_id, before.agent_id, owner
        )
        before.run(
            "INSERT INTO profiles VALUES (%s, %s, %s, '{}', '{}', %s, now())",
            before.org_id, before.agent_id, owner, Jsonb({DECOMPOSED: 1.5, COMPOSED: 2, OTHER: 1}),
        )  # fmt: skip
        before.run(
            "INSERT INTO end_users VALUES (%s, 'p', 'production', %s, %s)", before.org_id, owner, f"Etc/{len(owner)}"
        )
        before.run(
            "INSERT INTO feedback (feedback_id, org_id, memory_id, user_id, positive) VALUES (%s, %s, %s, %s, true)",
            uuid4(), before.org_id, memory_id, owner,
        )  # fmt: skip
    conversations = {owner: before.converse("s", owner) for owner in (DECOMPOSED, COMPOSED, OTHER)}

    await migrate(empty_url, packaged())

    def names(statement: str) -> list[Any]:
        return sorted(row[0] or "" for row in connection.execute(statement.encode()).fetchall())

    assert names("SELECT user_id FROM sessions") == sorted([COMPOSED, OTHER])
    assert names("SELECT user_id FROM profiles") == sorted([COMPOSED, OTHER])
    zones = connection.execute("SELECT user_id, time_zone FROM end_users").fetchall()
    assert set(zones) == {(COMPOSED, "Etc/4"), (OTHER, "Etc/4")}
    assert names("SELECT user_id FROM feedback") == sorted(["", COMPOSED, OTHER])
    users = connection.execute("SELECT users FROM profiles").fetchall()
    assert users == [({COMPOSED: 3.5, OTHER: 1},)] * 2
    kept = connection.execute("SELECT conversation_id, user_id, session_id FROM conversations").fetchall()
    assert set(kept) == {
        (conversations[DECOMPOSED], COMPOSED, str(conversations[DECOMPOSED])),
        (conversations[COMPOSED], COMPOSED, "s"),
        (conversations[OTHER], OTHER, "s"),
    }


async def test_keys_and_erasures_that_run_name_the_same_people(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    before.run(
        "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users) "
        "VALUES (%s, %s, 'p', 'production', 'k', 'x', '{query}', %s)",
        uuid4(), before.org_id, [DECOMPOSED, OTHER, COMPOSED, f"{DECOMPOSED} *", "*"],
    )  # fmt: skip
    for state, subject in (("running", DECOMPOSED), ("done", None)):
        before.run(
            "INSERT INTO erasures (erasure_id, org_id, kind, subject, subject_hash, requested_by, state) "
            "VALUES (%s, %s, 'user', %s, 'x', %s, %s)",
            uuid4(), before.org_id, subject, uuid4(), state,
        )  # fmt: skip

    await migrate(empty_url, packaged())

    assert connection.execute("SELECT end_users FROM api_keys").fetchone() == ([COMPOSED, OTHER, f"{COMPOSED} *", "*"],)
    erased = connection.execute(
        "SELECT subject, subject_hash = subject_hash(subject_key, 'user', subject) FROM erasures "
        "JOIN organizations USING (org_id) ORDER BY state DESC"
    ).fetchall()
    assert erased == [(COMPOSED, True), (None, None)]


async def test_agents_keep_names_that_only_one_of_them_may_have(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    for name in ("re\u0301sume\u0301", COMPOSED, DECOMPOSED):
        before.add_agent(uuid4(), name)

    await migrate(empty_url, packaged())

    names = {row[0] for row in connection.execute("SELECT name FROM agents").fetchall()}
    assert names == {"a", "r\u00e9sum\u00e9", COMPOSED, DECOMPOSED}


async def test_older_code_stores_no_other_form_afterwards(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    await migrate(empty_url, packaged())

    before.remember("amber", DECOMPOSED)
    before.converse("s", PADDED)

    assert connection.execute("SELECT user_id FROM memories").fetchall() == [(COMPOSED,)]
    assert connection.execute("SELECT user_id FROM conversations").fetchall() == [(COMPOSED,)]


async def test_the_database_and_the_service_have_one_form_of_each_name(
    before: Before, connection: Connection[Any], empty_url: str
) -> None:
    await migrate(empty_url, packaged())
    letters = [chr(point) for point in range(1, sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    names = [
        *letters,
        *(f" {letter}x{letter}" for letter in letters[:0x3000]),
        DECOMPOSED,
        "a\u0315\u0300\u05ae\u0300b",
    ]

    rows = connection.execute("SELECT end_user_name(name) FROM unnest(%s::text[]) AS name", [names]).fetchall()

    # A character that either is too old to know has no other form there.
    different = [
        name
        for name, (stored,) in zip(names, rows, strict=True)
        if stored != (f"blank-name-{name.encode().hex()}" if is_blank(name) else end_user_name(name))
    ]
    assert different == []
