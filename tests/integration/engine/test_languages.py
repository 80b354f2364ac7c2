"""An organization changes its languages: terms are made anew while the old ones serve."""

from dataclasses import replace
from uuid import UUID

import psycopg
import pytest

from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.lexical_search import LexicalSearch
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import IndexedText
from remembrancer.domain.lexical_index.words import VERSION
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.search import Cursor
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.retrieval import terms
from remembrancer.usecases.upkeep.reindexing import BEGIN_AFTER, FINISH_AFTER, Reindexing
from tests.builders import NOW, SetClock
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.tenant import MODEL, Tenant

HEATING = "Im Januar werden die Heizungen abgelesen."
DOG = "Der Hund von Herrn Lindner bellt."
QUESTION = "Wann wird die Heizung abgelesen?"
STEMMER = SnowballStemmer()


def reindexing(
    tenant: Tenant, redis: RedisClient, clock: SetClock, *, directory: PostgresDirectory, opener: Cipher
) -> Reindexing:
    return Reindexing(
        directory=directory,
        stemmer=STEMMER,
        opener=opener,
        index=PostgresLexicalIndex(tenant.database),
        cache=RedisAgentCache(redis),
        clock=clock,
    )


async def found(tenant: Tenant, organization: Organization, question: str) -> list[UUID]:
    search = LexicalSearch(tenant.database, model=MODEL, statement_ms=5000)
    wanted = terms.wanted(question, organization, STEMMER)
    answer = await search.matching(tenant.scope(), wanted, Filters(), limit=5, now=NOW)
    return [memory.id for memory in answer.memories]


async def languages(tenant: Tenant) -> list[str | None]:
    """Of the terms of live documents."""
    rows = await tenant.fetch("SELECT languages FROM term_documents WHERE left_at IS NULL ORDER BY languages")
    return [row[0] for row in rows]


async def test_terms_are_made_anew_while_the_old_ones_serve(
    tenant: Tenant, redis: RedisClient, migrated: PostgresServer
) -> None:
    heating, _ = await tenant.remember_texts(HEATING, DOG)
    clock, directory = SetClock(None), PostgresDirectory(tenant.database)
    rewriting = reindexing(tenant, redis, clock, directory=directory, opener=Keyless())

    in_force = await configure_organization(migrated.owner_url, tenant.org_id, {"languages": ["german"]})
    changed = await directory.organization(tenant.org_id)
    assert in_force == {"languages": ["german"]}
    assert changed is not None
    assert (changed.languages, changed.former_languages) == (("german",), ("english",))
    assert await found(tenant, changed, QUESTION) == [heating]
    german = replace(changed, former_languages=())
    assert await found(tenant, german, "Welche Heizungen?") == []
    before = await PostgresMapSource(tenant.database, model=MODEL, dimensions=384).change(
        tenant.org_id, tenant.agent_id
    )

    assert (await rewriting.catch_up(until=clock.monotonic() + 30))["reindexed"] == 0
    clock.seconds = BEGIN_AFTER.total_seconds() + 60
    assert (await rewriting.catch_up(until=clock.monotonic() + 30))["reindexed"] >= 2

    assert await languages(tenant) == ["german", "german"]
    assert await found(tenant, german, "Welche Heizungen?") == [heating]
    after = await PostgresMapSource(tenant.database, model=MODEL, dimensions=384).change(tenant.org_id, tenant.agent_id)
    assert before is not None and after is not None and after.version > before.version
    still = await directory.organization(tenant.org_id)
    assert still is not None and still.former_languages == ("english",)

    clock.seconds = FINISH_AFTER.total_seconds() + 60
    await rewriting.catch_up(until=clock.monotonic() + 30)
    done = await directory.organization(tenant.org_id)
    assert done is not None and (done.languages, done.former_languages) == (("german",), ())
    counts = "SELECT indexed_documents, content_words FROM agents"
    own = "SELECT count(*), sum(content_words) FROM term_documents WHERE left_at IS NULL"
    assert await tenant.fetch(counts) == await tenant.fetch(own)


async def test_terms_of_earlier_rules_for_words_are_made_anew_where_they_differ(
    tenant: Tenant, redis: RedisClient, migrated: PostgresServer
) -> None:
    nuts, question = "मुझे मूंगफली से एलर्जी है।", "मूँगफली"
    write = tenant.write(nuts)
    pieces = tuple((bm25.term_hash(tenant.term_key, piece), 1, 0) for piece in ("म", "झ", "गफल", "स", "एलर", "ज", "ह"))
    (result,) = await tenant.remember(replace(write, indexed=IndexedText(pieces, content_words=7)))
    await tenant.remember_texts(DOG)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE term_documents SET words = NULL WHERE org_id = %s", [tenant.org_id])
    async with await psycopg.AsyncConnection.connect(migrated.owner_url) as connection:
        await connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(tenant.org_id)])
        await connection.execute("UPDATE organizations SET languages_changed_at = now()")
    clock, directory = SetClock(None, BEGIN_AFTER.total_seconds() + 60), PostgresDirectory(tenant.database)
    rewriting = reindexing(tenant, redis, clock, directory=directory, opener=Keyless())
    maps = PostgresMapSource(tenant.database, model=MODEL, dimensions=384)
    organization = await directory.organization(tenant.org_id)
    before = await maps.change(tenant.org_id, tenant.agent_id)
    assert organization is not None and organization.former_languages == ()
    assert await found(tenant, organization, question) == []

    await rewriting.catch_up(until=clock.monotonic() + 30)

    assert await found(tenant, organization, question) == [result.memory_id]
    assert await tenant.fetch(
        "SELECT t.document, t.words FROM term_documents t WHERE left_at IS NULL ORDER BY t.document"
    ) == [(1, VERSION), (2, VERSION)]
    after = await maps.change(tenant.org_id, tenant.agent_id)
    assert before is not None and after is not None and after.version > before.version
    news = Cursor(before.version, UUID(int=2**128 - 1))
    page = await maps.page(tenant.org_id, tenant.agent_id, news, since=before.version, limit=9)
    assert page is not None and [memory.content for memory in page.rows.memories] == [nuts]
    assert (await rewriting.catch_up(until=clock.monotonic() + 30))["reindexed"] == 0


async def test_without_languages_it_is_english_again(tenant: Tenant, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, tenant.org_id, {"languages": ["dutch", "english"]})

    assert await configure_organization(migrated.owner_url, tenant.org_id, {"languages": None}) == {}

    organization = await PostgresDirectory(tenant.database).organization(tenant.org_id)
    assert organization is not None
    assert organization.languages == ("english",)
    assert set(organization.former_languages) == {"english", "dutch"}


async def test_a_text_that_changes_meanwhile_keeps_its_own_terms(tenant: Tenant, redis: RedisClient) -> None:
    await tenant.remember_texts(HEATING)
    store = PostgresLexicalIndex(tenant.database)
    (seen,) = await store.outdated_texts(tenant.org_id, tenant.agent_id, ("german",), after=-1, limit=5)
    organization = Organization(tenant.org_id, tenant.term_key, ("german",))
    entry = terms.indexed(HEATING, None, organization, STEMMER)

    first = await store.replace_terms(tenant.org_id, tenant.agent_id, [(seen, entry)])
    again = await store.replace_terms(tenant.org_id, tenant.agent_id, [(seen, entry)])

    assert first is not None
    assert again is None
    assert await languages(tenant) == ["german"]


@pytest.mark.timeout(120)
async def test_sealed_texts_are_opened_for_it_and_unreadable_ones_keep_their_terms(
    tenant: Tenant, redis: RedisClient, migrated: PostgresServer, aws_server: AwsServer
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await vault.remember_texts(HEATING, context="Frau Brandt fragte nach Terminen.")
    await vault.remember_texts(DOG)
    await configure_organization(migrated.owner_url, tenant.org_id, {"languages": ["german"]})
    clock = SetClock(None, BEGIN_AFTER.total_seconds() + 60)
    directory = PostgresDirectory(tenant.database, vault.ring)

    closed = reindexing(tenant, redis, clock, directory=directory, opener=Keyless())
    await closed.catch_up(until=clock.monotonic() + 30)
    assert await languages(tenant) == ["english", "english"]

    await reindexing(tenant, redis, clock, directory=directory, opener=vault.ring).catch_up(
        until=clock.monotonic() + 30
    )
    assert await languages(tenant) == ["german", "german"]
    german = await directory.organization(tenant.org_id)
    assert german is not None
    assert len(await found(tenant, german, "Welcher Termin?")) == 1
