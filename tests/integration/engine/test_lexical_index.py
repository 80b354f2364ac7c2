"""The packed index under random lives of memories: always a textbook BM25 over those that live, merged or not."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.search import lexical_index
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.lexical_index import AgentIndex
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.searchable_memories import LONGEST_TAIL, LiveSet
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.search import WordHits
from tests.builders import NOW
from tests.integration.engine.tenant import MODEL, Tenant, create_tenant
from tests.integration.engine.textbook import of_content, textbook

VOCABULARY = ["amber", "birch", "cedar", "delta", "ember", "frost"]
QUESTION = "amber birch unknown frost"

OWNERS = (None, "ann", "bob")
READERS = (EVERYBODY, NOBODY, EndUser("ann"), EndUser("bob"), EndUser("carol"))

texts = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8).map(" ".join)
contexts = st.none() | texts

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), texts, contexts, st.sampled_from(OWNERS)),
        st.tuples(st.just("supersede"), st.integers(0, 30), texts),
        st.tuples(st.just("rewrite"), st.integers(0, 30), texts),
        st.tuples(st.just("delete"), st.integers(0, 30)),
        st.tuples(st.just("restore"), st.integers(0, 30)),
        st.tuples(st.just("merge")),
        st.tuples(st.just("crash"), st.integers(0, 30)),
        st.tuples(st.just("crash in merge")),
    ),
    max_size=12,
)


class Crash(Exception):
    """The process dies here: the transaction is never committed."""


@dataclass
class Life:
    """An agent's memories, and what should be found of them."""

    tenant: Tenant
    live: dict[UUID, MemoryWrite] = field(default_factory=dict)
    gone: dict[UUID, MemoryWrite] = field(default_factory=dict)
    number: int = 0

    def derived(self, text: str, context: str | None = None, **changes: object) -> MemoryWrite:
        """A number makes each text another one."""
        self.number += 1
        return self.tenant.write(f"{text} {self.number}x", context=context, **changes)

    def pick(self, number: int) -> MemoryWrite | None:
        return list(self.live.values())[number % len(self.live)] if self.live else None

    async def step(self, name: str, *arguments: object) -> None:
        await getattr(self, name.replace(" ", "_"))(*arguments)

    async def write(self, text: str, context: str | None, owner: str | None = None) -> None:
        write = self.derived(text, context, user_id=owner)
        await self.tenant.remember(write)
        self.live[write.memory_id] = write

    async def supersede(self, number: int, text: str) -> None:
        if (old := self.pick(number)) is not None:
            write = self.derived(text, supersedes=old.memory_id, user_id=old.memory.user_id)
            await self.tenant.remember(write)
            self.gone[old.memory_id] = self.live.pop(old.memory_id)
            self.live[write.memory_id] = write

    async def rewrite(self, number: int, text: str) -> None:
        """What changing a memory's text comes to."""
        if (old := self.pick(number)) is not None:
            new = replace(self.derived(text, user_id=old.memory.user_id), memory_id=old.memory_id)
            await self.change("active", leaving=[old], entering=[new])
            self.live[old.memory_id] = new

    async def delete(self, number: int) -> None:
        if (old := self.pick(number)) is not None:
            await self.change("archived", leaving=[old])
            self.gone[old.memory_id] = self.live.pop(old.memory_id)

    async def restore(self, number: int) -> None:
        if self.gone:
            write = list(self.gone.values())[number % len(self.gone)]
            await self.change("active", entering=[write])
            self.live[write.memory_id] = self.gone.pop(write.memory_id)

    async def merge(self) -> None:
        await PostgresLexicalIndex(self.tenant.database).merge(self.tenant.org_id, self.tenant.agent_id)

    async def crash(self, number: int) -> None:
        if (old := self.pick(number)) is not None:
            with pytest.raises(Crash):
                await self.change("archived", leaving=[old], crash=True)

    async def crash_in_merge(self) -> None:
        async def merge_and_crash() -> None:
            async with self.tenant.database.transaction(self.tenant.org_id) as transaction:
                await AgentIndex(transaction, self.tenant.org_id, self.tenant.agent_id).merge()
                raise Crash

        with pytest.raises(Crash):
            await merge_and_crash()

    async def change(
        self,
        status: str,
        *,
        leaving: Sequence[MemoryWrite] = (),
        entering: Sequence[MemoryWrite] = (),
        crash: bool = False,
    ) -> None:
        org_id, agent_id = self.tenant.org_id, self.tenant.agent_id
        ids = [write.memory_id for write in (*leaving, *entering)]
        async with self.tenant.database.transaction(org_id) as transaction:
            live = await LiveSet.lock(transaction, org_id, agent_id)
            assert live is not None
            await transaction.execute("UPDATE memories SET status = %s WHERE memory_id = ANY(%s)", (status, ids))
            await live.leave([write.memory_id for write in leaving])
            await live.enter(entering)
            await live.finish()
            if crash:
                raise Crash

    async def found(self, reader: EndUser = EVERYBODY) -> WordHits:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        scope, terms = replace(self.tenant.scope(), end_user=reader), self.tenant.wanted(QUESTION)
        return await search.matching(scope, terms, Filters(), limit=100, now=NOW)


async def assert_found_is_true(life: Life) -> None:
    """For each reader, as if there were nothing but what they may read."""
    for reader in READERS:
        await assert_found_is_true_for(life, reader)


async def assert_found_is_true_for(life: Life, reader: EndUser) -> None:
    answer = await life.found(reader)
    living = [write for write in life.live.values() if reader.sees(write.memory.user_id)]
    expected, content = textbook(living, QUESTION), of_content(living, QUESTION)
    assert answer.left_out == ()
    assert {matched.memory.id: matched.lexical for matched in answer.found} == pytest.approx(expected)
    assert {matched.memory.id: matched.content for matched in answer.found} == pytest.approx(
        {identifier: content.get(identifier, 0.0) for identifier in expected}
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, own_tail=st.sampled_from([1, 3]))
async def test_after_every_step_of_any_life_scores_are_those_of_a_textbook_over_what_each_may_read(
    migrated: PostgresServer,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[tuple[object, ...]],
    own_tail: int,
) -> None:
    monkeypatch.setattr(lexical_index, "OWN_TAIL", own_tail)
    life = Life(await create_tenant(migrated.owner_url, database))

    for name, *arguments in steps:
        await life.step(str(name), *arguments)

        await assert_found_is_true(life)

    monkeypatch.setattr(lexical_index, "OWN_TAIL", 1)
    await life.merge()
    await assert_found_is_true(life)
    await assert_index_is_tidy(life)


async def assert_index_is_tidy(life: Life) -> None:
    """Nothing waits, and nothing is left of a memory that is gone."""
    documents = await life.tenant.fetch("SELECT document FROM memories WHERE status = 'active' ORDER BY document")
    assert await life.tenant.fetch("SELECT document FROM term_documents ORDER BY document") == documents
    owners = {write.memory.user_id or "" for write in life.live.values()}
    kept = await life.tenant.fetch("SELECT user_id FROM index_owners WHERE documents > 0 OR waiting > 0")
    assert {row[0] for row in kept} == owners
    postings = await life.tenant.fetch("SELECT coalesce(sum(postings), 0)::bigint FROM index_blocks")
    assert postings == [(sum(len(write.indexed.terms) for write in life.live.values()),)]
    assert await life.tenant.fetch("SELECT count(*) FROM index_blocks WHERE octet_length(packed) <> 8 * postings") == [
        (0,)
    ]


async def test_unmerged_and_merged_give_the_same_answer(tenant: Tenant) -> None:
    life = Life(tenant)
    for number in range(30):
        await life.write(" ".join(VOCABULARY[number % 6 : number % 6 + 3]), VOCABULARY[number % 5])
    before = await life.found()

    await life.merge()

    assert (await life.found()) == before
    assert len(before.found) > 20


async def test_documents_of_several_blocks_are_found(tenant: Tenant) -> None:
    life = Life(tenant)
    for start in (0, 4095, 4097, 20_000):
        async with tenant.database.transaction(tenant.org_id) as transaction:
            await transaction.execute("UPDATE agents SET next_document = %s", (start,))
        await life.write("amber birch", None)
        await life.write("amber", "frost")
    await assert_found_is_true(life)

    await life.merge()

    await assert_found_is_true(life)
    assert await tenant.fetch("SELECT DISTINCT block FROM index_blocks ORDER BY block") == [(0,), (1,), (4,)]


async def test_writers_and_merges_at_the_same_time_lose_nothing(tenant: Tenant) -> None:
    life = Life(tenant)
    for _ in range(10):
        await life.write("amber birch", None)
    first = list(life.live)

    async def keep_merging() -> None:
        for _ in range(15):
            await life.merge()

    async def keep_writing(word: str) -> None:
        for _ in range(12):
            await life.write(f"{word} frost", None)

    async def keep_deleting() -> None:
        for identifier in first:
            await life.change("archived", leaving=[life.live[identifier]])
            del life.live[identifier]

    await asyncio.gather(keep_merging(), keep_writing("amber"), keep_writing("birch"), keep_deleting())

    await assert_found_is_true(life)
    await life.merge()
    await assert_found_is_true(life)
    await assert_index_is_tidy(life)


async def test_a_search_during_merges_sees_each_as_a_whole(tenant: Tenant) -> None:
    """Every answer is the same while documents move from one place to the other."""
    life = Life(tenant)
    for _ in range(5):
        await life.write("amber birch", None)
    before = await life.found()
    searching = True

    async def search() -> list[WordHits]:
        answers = []
        while searching:
            answers.append(await life.found())
        return answers

    async def move() -> None:
        for _ in range(20):
            await life.merge()
            async with tenant.database.transaction(tenant.org_id) as transaction:
                await transaction.execute("DELETE FROM index_blocks")
                await transaction.execute("UPDATE index_owners SET merged_documents = 0, waiting = documents")

    task = asyncio.ensure_future(search())
    await move()
    searching = False
    answers = await task

    assert answers
    assert all(answer == before for answer in answers)


async def test_the_workers_merge_once_enough_has_come_together(tenant: Tenant) -> None:
    index = PostgresLexicalIndex(tenant.database)
    tail = "SELECT waiting FROM index_owners"
    await tenant.remember(*(tenant.write(f"amber {number}") for number in range(lexical_index.TAIL - 1)))

    await index.tidy(tenant.org_id, tenant.agent_id)
    before = await tenant.fetch(tail)
    await tenant.remember_texts("birch")
    await index.tidy(tenant.org_id, tenant.agent_id)

    assert before == [(lexical_index.TAIL - 1,)]
    assert await tenant.fetch(tail) == [(0,)]


async def test_few_memories_of_an_end_user_are_searched_as_they_are(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical_index, "OWN_TAIL", 3)
    index = PostgresLexicalIndex(tenant.database)
    waiting = "SELECT user_id, waiting FROM index_owners ORDER BY user_id"
    await tenant.remember(*(tenant.write(f"amber {number}", user_id="ann") for number in range(2)))
    await tenant.remember(*(tenant.write(f"amber {number}", user_id="bob") for number in range(3)))

    await index.tidy(tenant.org_id, tenant.agent_id)

    assert await tenant.fetch(waiting) == [("ann", 2), ("bob", 0)]
    assert await index.untidy(tenant.org_id, NOW.replace(year=2999), 10) == []
    assert await tenant.fetch("SELECT DISTINCT user_id FROM index_blocks") == [("bob",)]


async def test_of_an_owner_that_is_gone_nothing_is_left(tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexical_index, "OWN_TAIL", 2)
    life = Life(tenant)
    for _ in range(3):
        await life.write("amber", None, "ann")
    await life.write("amber", None, "bob")
    await life.merge()
    for write in list(life.live.values())[:3]:
        await life.change("archived", leaving=[write])

    await life.merge()

    for table in ("index_owners", "index_blocks", "term_documents"):
        assert await tenant.fetch(f"SELECT count(*) FROM {table} WHERE user_id = 'ann'") == [(0,)]


async def test_documents_that_an_older_version_writes_and_merges_are_counted_and_found(tenant: Tenant) -> None:
    """It says nothing of their owner, and has blocks of its own."""
    life = Life(tenant)
    await life.write("amber", None, "ann")
    await life.write("birch", None, None)
    rows = await tenant.fetch("SELECT agent_id, document, content_words, context_words, terms FROM term_documents")
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("DELETE FROM term_documents")
        await transaction.execute("DELETE FROM index_owners")
        for row in rows:
            await transaction.execute(
                "INSERT INTO term_documents (org_id, agent_id, document, content_words, context_words, terms) "
                "VALUES (%s, %s, %s, %s, %s, %s)",
                (tenant.org_id, *row),
            )
        await transaction.execute(
            "INSERT INTO term_blocks (org_id, term, agent_id, block, postings, packed) VALUES (%s, 1, %s, 0, 1, '')",
            (tenant.org_id, tenant.agent_id),
        )
        await transaction.execute("UPDATE agents SET merged_documents = 2")

    await assert_found_is_true(life)
    await life.merge()

    await assert_found_is_true(life)
    assert await tenant.fetch("SELECT (SELECT count(*) FROM term_blocks), merged_documents FROM agents") == [(0, 0)]


async def test_what_writers_leave_to_the_workers_is_bounded(tenant: Tenant) -> None:
    life = Life(tenant)
    batches = [[life.derived("amber birch") for _ in range(100)] for _ in range(12)]

    for batch in batches:
        await tenant.remember(*batch)
        life.live |= {write.memory_id: write for write in batch}

    ((tail,),) = await tenant.fetch("SELECT waiting FROM index_owners")
    assert 0 < tail <= LONGEST_TAIL
    answer = await life.found()
    assert len(answer.found) == 100
    assert {round(matched.lexical or 0, 9) for matched in answer.found} == {
        round(score, 9) for score in textbook(list(life.live.values()), QUESTION).values()
    }


async def test_agents_with_something_left_over_are_found_for_maintenance(tenant: Tenant, stranger: Tenant) -> None:
    index = PostgresLexicalIndex(tenant.database)
    quiet = await tenant.with_agent("quiet")
    life = Life(await tenant.with_agent("with something left"))
    await tenant.remember_texts("amber")
    await stranger.remember_texts("amber")
    await life.write("amber", None)
    await life.merge()
    await life.delete(0)

    untidy = await index.untidy(tenant.org_id, NOW.replace(year=2999), 10)
    fresh = await index.untidy(tenant.org_id, NOW.replace(year=1999), 10)

    assert set(untidy) == {tenant.agent_id, life.tenant.agent_id}
    assert quiet.agent_id not in untidy
    assert fresh == []


async def test_words_too_common_to_read_are_left_out_and_named_and_rare_ones_are_not(tenant: Tenant) -> None:
    life = Life(tenant)
    for number in range(40):
        await life.write("amber birch" if number < 4 else "birch", None)
    await life.merge()
    amber, birch = (tenant.wanted(word).terms[0] for word in ("amber", "birch"))
    search = PostgresSearch(tenant.database, model=MODEL, most_postings=20)

    both = await search.matching(tenant.scope(), QueryTerms.of([birch, amber]), Filters(), limit=100, now=NOW)
    alone = await search.matching(tenant.scope(), QueryTerms.of([birch]), Filters(), limit=100, now=NOW)

    assert both.left_out == (birch,)
    assert len(both.found) == 4
    assert {matched.terms for matched in both.found} == {(amber,)}
    full = await life.found()
    assert [matched.memory.id for matched in both.found] == [matched.memory.id for matched in full.found[:4]]
    # Even the rarest word of the query is too common: one block is read as a whole or not at all.
    assert alone.left_out == (birch,)


async def test_of_a_single_word_that_is_too_common_the_newest_documents_are_read(tenant: Tenant) -> None:
    life = Life(tenant)
    for start in (0, 4096):
        async with tenant.database.transaction(tenant.org_id) as transaction:
            await transaction.execute("UPDATE agents SET next_document = %s", (start,))
        for _ in range(15):
            await life.write("birch", None)
    newest = list(life.live)[15:]
    await life.merge()
    birch = tenant.wanted("birch").terms[0]
    search = PostgresSearch(tenant.database, model=MODEL, most_postings=20)

    answer = await search.matching(tenant.scope(), QueryTerms.of([birch]), Filters(), limit=100, now=NOW)

    assert answer.left_out == (birch,)
    assert {matched.memory.id for matched in answer.found} == set(newest)
    expected = textbook(list(life.live.values()), "birch")
    assert {matched.memory.id: matched.lexical for matched in answer.found} == pytest.approx(
        {identifier: expected[identifier] for identifier in newest}
    )
