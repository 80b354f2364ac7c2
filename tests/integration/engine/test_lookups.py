"""What callers look memories up by: a reference of their own, entries of the metadata, whose they are."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from remembrancer.adapters.postgres.identity.directory import END_USERS, PostgresDirectory
from remembrancer.adapters.postgres.memories import memories
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.domain.identity.scope import Principal
from remembrancer.ports.memories import Listing
from tests.builders import NOW
from tests.integration.engine.tenant import Tenant

# Tables are small here, so that reading all of one would be the cheapest.
PLANNING = {"plan_cache_mode": "force_custom_plan", "enable_seqscan": "off", "enable_bitmapscan": "off"}


async def listed(tenant: Tenant, principal: Principal | None = None, **changes: Any) -> set[UUID]:
    listing = Listing(tenant.agent_id, **changes)
    found = await PostgresMemories(tenant.database).list(principal or tenant.principal, listing)
    return {stored.memory.id for stored in found}


async def plan_of(tenant: Tenant, statement: str, **parameters: Any) -> str:
    nothing = dict.fromkeys(
        (
            "category",
            "tag",
            "since",
            "status",
            "embedding_state",
            "client_ref",
            "metadata",
            "after_at",
            "after_id",
            "pinned",
            "pin_proposed",
            "forget_proposed",
        )
    )
    everything = place(tenant.principal) | nothing | {"agent_id": tenant.agent_id, "deleted": False, "limit": 5}
    asked = ("EXPLAIN " + statement, everything | parameters)
    (rows,) = await tenant.database.read(tenant.org_id, asked, settings=PLANNING)
    return "\n".join(row[0] for row in rows)


async def test_a_reference_finds_the_memories_of_every_end_user_that_may_be_seen(tenant: Tenant) -> None:
    own, anns = tenant.write("Of all.", client_ref="r-1"), tenant.write("Of Ann.", client_ref="r-1", user_id="ann")
    other = tenant.write("Another.", client_ref="r-2")
    await tenant.remember(own, anns, other)
    nobody, bob = (replace(tenant.principal, sees_all=False, user_id=user) for user in (None, "bob"))

    assert await listed(tenant, client_ref="r-1") == {own.memory_id, anns.memory_id}
    assert await listed(tenant, nobody, client_ref="r-1") == {own.memory_id}
    assert await listed(tenant, bob, client_ref="r-1") == {own.memory_id}
    assert await listed(tenant, client_ref="r-3") == set()


@pytest.fixture
async def crowd(tenant: Tenant, observer: psycopg.AsyncConnection[Any]) -> Tenant:
    """With so many memories that one by one would be slow, and the planner knows."""
    await tenant.remember(
        *(tenant.write(f"{n}", client_ref=f"r-{n}", user_id=f"user-{n % 7}", metadata={"n": n}) for n in range(300))
    )
    await observer.execute("ANALYZE memories, metadata_entries")
    return tenant


async def test_a_reference_is_looked_up_in_an_index(crowd: Tenant) -> None:
    plan = await plan_of(crowd, memories.LIST, client_ref="r-1")

    assert "memories_by_client_ref" in plan
    assert "client_ref = 'r-1'" in plan.partition("memories_by_client_ref")[2].partition("Filter")[0]


async def test_entries_of_the_metadata_find_what_has_all_of_them(tenant: Tenant) -> None:
    one = tenant.write("One.", metadata={"topic": "tea", "rank": 1, "new": True, "deep": {"topic": "tea"}})
    two = tenant.write("Two.", metadata={"topic": "tea", "rank": 2})
    three = tenant.write("Three.", metadata={"topic": ["tea"], "rank": "1"})
    await tenant.remember(one, two, three, tenant.write("Four."))

    assert await listed(tenant, metadata={"topic": "tea"}) == {one.memory_id, two.memory_id}
    assert await listed(tenant, metadata={"topic": "tea", "rank": 1}) == {one.memory_id}
    assert await listed(tenant, metadata={"rank": 1.0}) == {one.memory_id}
    assert await listed(tenant, metadata={"rank": "1"}) == {three.memory_id}
    assert await listed(tenant, metadata={"new": True}) == {one.memory_id}
    assert await listed(tenant, metadata={"new": 1}) == set()
    assert await listed(tenant, metadata={"topic": "Tea"}) == set()


async def test_a_page_by_metadata_is_the_newest_and_leads_to_the_next(tenant: Tenant) -> None:
    writes = [
        tenant.write(f"Number {number}.", metadata={"topic": "tea"}, created_at=NOW + timedelta(minutes=number))
        for number in range(5)
    ]
    await tenant.remember(*writes)
    newest = [write.memory_id for write in reversed(writes)]

    first = await listed(tenant, metadata={"topic": "tea"}, limit=2)
    after = (NOW + timedelta(minutes=3), newest[1])
    second = await listed(tenant, metadata={"topic": "tea"}, limit=2, after=after)

    assert (first, second) == (set(newest[:2]), set(newest[2:4]))


async def test_metadata_that_is_changed_is_found_by_what_it_is_now(tenant: Tenant) -> None:
    write = tenant.write("One.", metadata={"topic": "tea", "rank": 1})
    await tenant.remember(write)

    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            'UPDATE memories SET metadata = \'{"topic": "coffee", "rank": 1}\' WHERE memory_id = %s', [write.memory_id]
        )

    assert await listed(tenant, metadata={"topic": "tea"}) == set()
    assert await listed(tenant, metadata={"topic": "coffee", "rank": 1}) == {write.memory_id}


async def test_memories_that_are_gone_leave_no_entries(tenant: Tenant) -> None:
    write = tenant.write("One.", metadata={"topic": "tea"})
    await tenant.remember(write)

    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("DELETE FROM memories WHERE memory_id = %s", [write.memory_id])

    assert await tenant.fetch("SELECT count(*) FROM metadata_entries") == [(0,)]


async def test_another_end_users_metadata_finds_nothing(tenant: Tenant, stranger: Tenant) -> None:
    await tenant.remember(tenant.write("Of Ann.", metadata={"topic": "tea"}, user_id="ann"))
    nobody = replace(tenant.principal, sees_all=False)
    beside = await tenant.with_agent("beside")

    assert await listed(tenant, nobody, metadata={"topic": "tea"}) == set()
    assert await listed(tenant, replace(nobody, user_id="bob"), metadata={"topic": "tea"}) == set()
    assert await listed(beside, metadata={"topic": "tea"}) == set()
    assert await listed(replace(stranger, agent_id=tenant.agent_id), metadata={"topic": "tea"}) == set()


async def test_entries_are_read_from_their_index_before_the_memories(crowd: Tenant) -> None:
    plan = await plan_of(crowd, memories.LIST_BY_METADATA, metadata='{"n": 7}')

    assert "metadata_entries_pkey" in plan
    entries = plan.partition("metadata_entries_pkey")[2].partition("Index Cond:")[2].partition("\n")[0]
    assert "entry = ANY" in entries
    assert "using memories_listing" not in plan


async def test_search_by_vector_and_by_words_keeps_to_the_metadata(tenant: Tenant) -> None:
    from remembrancer.adapters.models.hash_embedder import HashEmbedder
    from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
    from remembrancer.domain.retrieval.filters import Filters
    from tests.integration.engine.tenant import MODEL

    one = tenant.write("Ann drinks tea.", metadata={"topic": "tea"})
    two = tenant.write("Bob drinks tea at noon.", metadata={"topic": "noon"})
    await tenant.remember(one, two)
    await tenant.embed([one.memory_id, two.memory_id])
    (vector,) = await HashEmbedder().embed(["drinks tea"])
    wanted = Filters(metadata={"topic": "tea"})

    for exact_rows in (5000, 0):
        search = PostgresSearch(tenant.database, model=MODEL, exact_rows=exact_rows)
        near = await search.nearest(tenant.scope(), vector, wanted, model=MODEL, limit=5, now=NOW)
        said = await search.matching(tenant.scope(), tenant.wanted("drinks tea"), wanted, limit=5, now=NOW)

        assert [one.memory.id for one in near.found] == [one.memory_id]
        assert [one.memory.id for one in said.found] == [one.memory_id]


async def test_end_users_are_those_with_memories_that_may_be_seen(tenant: Tenant, stranger: Tenant) -> None:
    for user in ("bob", "ann", None, "ann"):
        await tenant.remember(tenant.write(f"{uuid4()}", user_id=user))
    (gone,) = await tenant.remember_texts("Of Cid.", user_id="cid")
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE memories SET status = 'deleted' WHERE memory_id = %s", [gone])
    directory = PostgresDirectory(tenant.database)
    nobody = replace(tenant.principal, sees_all=False)

    assert await directory.end_users(tenant.principal, tenant.agent_id) == ["ann", "bob"]
    assert await directory.end_users(nobody, tenant.agent_id) == []
    assert await directory.end_users(replace(nobody, user_id="bob"), tenant.agent_id) == ["bob"]
    assert await directory.end_users(replace(nobody, user_id="cid"), tenant.agent_id) == []
    assert await directory.end_users(stranger.principal, tenant.agent_id) == []


async def test_end_users_come_in_pages(tenant: Tenant) -> None:
    await tenant.remember(*(tenant.write(f"{n}", user_id=f"user-{n % 7}") for n in range(21)))
    directory = PostgresDirectory(tenant.database)

    first = await directory.end_users(tenant.principal, tenant.agent_id, limit=3)
    second = await directory.end_users(tenant.principal, tenant.agent_id, after=first[-1], limit=3)
    third = await directory.end_users(tenant.principal, tenant.agent_id, after=second[-1], limit=3)

    assert [*first, *second, *third] == [f"user-{n}" for n in range(7)]


async def test_end_users_are_read_from_an_index(crowd: Tenant) -> None:
    plan = await plan_of(crowd, END_USERS, after="ann")

    assert plan.count("using memories_end_users") == 2, plan
    assert "Sort" not in plan


async def test_an_agent_is_named_in_its_own_environment(tenant: Tenant) -> None:
    elsewhere = await tenant.with_agent("Concierge", environment="development")
    own = await tenant.with_agent("Concierge")
    directory = PostgresDirectory(tenant.database)

    found = await directory.agent_named(own.principal, "Concierge")
    there = await directory.agent_named(elsewhere.principal, "Concierge")

    assert found is not None
    assert there is not None
    assert (found.agent_id, there.agent_id) == (own.agent_id, elsewhere.agent_id)
    assert await directory.agent_named(own.principal, "concierge") is None


async def test_a_name_is_nobody_elses(tenant: Tenant, stranger: Tenant) -> None:
    await tenant.with_agent("Concierge")

    assert await PostgresDirectory(tenant.database).agent_named(stranger.principal, "Concierge") is None
