"""Writing memories: duplicates, replay, supersession, and statistics that never drift."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories import memories
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.rows import place
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.memories import Listing, WriteReport, WriteResult
from tests.builders import NOW, unit_vector
from tests.integration.engine.tenant import ENVIRONMENT, MODEL, PROJECT_ID, Tenant, create_tenant, word_vector

COFFEE = "The office has a coffee machine."
LIFT = "The lift is out of order."

_KEPT = "SELECT indexed_documents, content_words, context_words, vectors FROM agents WHERE agent_id = %s"
_COUNTED = """
    SELECT count(*), coalesce(sum(t.content_words), 0)::bigint, coalesce(sum(t.context_words), 0)::bigint,
           (SELECT count(*) FROM memory_vectors v WHERE v.agent_id = %s)
    FROM memories m LEFT JOIN term_documents t USING (org_id, agent_id, document)
    WHERE m.agent_id = %s AND m.status = 'active'"""


async def assert_statistics_are_true(tenant: Tenant) -> None:
    (kept,) = await tenant.fetch(_KEPT, tenant.agent_id)
    (counted,) = await tenant.fetch(_COUNTED, tenant.agent_id, tenant.agent_id)
    assert kept == counted
    stray = await tenant.fetch(
        "SELECT count(*) FROM term_documents t FULL JOIN memories m USING (org_id, agent_id, document) "
        "WHERE (t.terms IS NOT NULL AND t.left_at IS NULL) IS DISTINCT FROM (m.status IS NOT DISTINCT FROM 'active')"
    )
    assert stray == [(0,)]


async def by_words(tenant: Tenant, query: str) -> list[UUID]:
    search = PostgresSearch(tenant.database, model=MODEL)
    found = await search.matching(tenant.scope(), tenant.wanted(query), Filters(), limit=100, now=NOW)
    return [matched.memory.id for matched in found.found]


async def by_meaning(tenant: Tenant, query: str) -> list[UUID]:
    search = PostgresSearch(tenant.database, model=MODEL)
    vector = await word_vector(query)
    answer = await search.nearest(tenant.scope(), vector, Filters(), model=MODEL, limit=100, now=NOW)
    return [similar.memory.id for similar in answer.found]


def statuses(results: Any) -> list[str]:
    return [result.status for result in results]


async def test_a_batch_of_a_hundred_is_stored_in_its_order(tenant: Tenant) -> None:
    writes = [tenant.write(f"Room {number} has a window.") for number in range(100)]

    results = await tenant.remember(*writes)

    assert [(result.memory_id, result.status) for result in results] == [
        (write.memory_id, "accepted") for write in writes
    ]
    assert await tenant.fetch("SELECT count(*) FROM memories") == [(100,)]
    await assert_statistics_are_true(tenant)


async def test_every_field_of_a_memory_is_kept(tenant: Tenant) -> None:
    write = tenant.write(
        COFFEE,
        summary="Coffee",
        context="Where can I get a coffee?",
        category="episodic",
        source="imported",
        confidence=0.25,
        importance=0.75,
        tags=("office", "kitchen"),
        metadata={"floor": 3, "nested": {"list": [1, None, "ü"]}},
        user_id="ann",
        session_id="session",
        valid_from=NOW - timedelta(days=1),
        expires_at=NOW + timedelta(days=1),
        occurred_from=NOW - timedelta(days=3),
        occurred_to=NOW - timedelta(days=2),
        client_ref="reference",
        created_at=NOW - timedelta(hours=1, microseconds=7),
    )
    await tenant.remember(write)

    stored = await PostgresMemories(tenant.database).get(tenant.principal, write.memory_id)

    assert stored is not None
    given, kept = write.memory, stored.memory
    for name in (
        "agent_id", "content", "category", "source", "confidence", "importance", "created_at", "summary", "tags",
        "user_id", "session_id", "expires_at", "occurred_from", "occurred_to", "supersedes",
    ):  # fmt: skip
        assert getattr(kept, name) == getattr(given, name), name
    assert (stored.context, stored.metadata, stored.client_ref, stored.memory.valid_from) == (
        given.context,
        given.metadata,
        given.client_ref,
        given.valid_from,
    )
    assert (kept.id, kept.status, kept.tokens, kept.quality) == (write.memory_id, "active", write.tokens, 0.5)
    assert (stored.embedding_state, stored.embedding_error, kept.version) == ("pending", None, 1)
    assert (stored.chain, stored.relations) == ((write.memory_id,), ())


async def test_the_same_text_again_is_a_duplicate_within_a_batch_and_across(tenant: Tenant) -> None:
    first, again = await tenant.remember(tenant.write(COFFEE), tenant.write(COFFEE))
    (later,) = await tenant.remember(tenant.write(COFFEE))

    assert statuses([first, again, later]) == ["accepted", "duplicate", "duplicate"]
    assert {again.memory_id, later.memory_id} == {first.memory_id}
    assert await tenant.fetch("SELECT count(*) FROM memories") == [(1,)]
    await assert_statistics_are_true(tenant)


def on(day: int) -> datetime:
    """In March, in the evening: no other day in UTC."""
    return datetime(2026, 3, day, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    "fields",
    [
        lambda day: {"category": "episodic", "created_at": on(day)},
        lambda day: {"category": "episodic", "created_at": on(20), "occurred_from": on(day)},
        lambda day: {"category": "episodic", "created_at": on(20), "occurred_to": on(day)},
        lambda day: {"category": "factual", "created_at": on(20), "occurred_from": on(day)},
    ],
)
async def test_what_happens_on_three_days_is_three_memories_and_each_is_written_once(
    tenant: Tenant, fields: Callable[[int], dict[str, Any]]
) -> None:
    days = (1, 8, 1, 15)
    within = await tenant.remember(*(tenant.write(COFFEE, **fields(day)) for day in days))
    again = await tenant.remember(*(tenant.write(COFFEE, **fields(day)) for day in days))

    assert statuses(within) == ["accepted", "accepted", "duplicate", "accepted"]
    assert statuses(again) == ["duplicate"] * 4
    assert [one.memory_id for one in again] == [one.memory_id for one in within]
    await assert_statistics_are_true(tenant)


@pytest.mark.parametrize("category", ["factual", "preference", "procedural", "behavioral"])
async def test_what_is_so_on_any_day_is_one_memory(tenant: Tenant, category: str) -> None:
    results = await tenant.remember(
        *(tenant.write(COFFEE, category=category, created_at=on(day)) for day in (1, 8, 15))
    )

    assert statuses(results) == ["accepted", "duplicate", "duplicate"]


async def test_what_happened_and_was_stored_without_its_day_is_known_on_that_day(tenant: Tenant) -> None:
    """As earlier versions stored it."""
    write = tenant.write(COFFEE, category="episodic", created_at=on(1))
    (old,) = await tenant.remember(replace(write, fingerprint=write.undated))

    results = await tenant.remember(
        *(tenant.write(COFFEE, category="episodic", created_at=on(day)) for day in (1, 8)), tenant.write(COFFEE)
    )

    assert statuses(results) == ["duplicate", "accepted", "duplicate"]
    assert results[0].memory_id == results[2].memory_id == old.memory_id


async def test_an_event_cannot_become_one_that_is_known(tenant: Tenant) -> None:
    """Also where an earlier version has stored that one."""
    writes = [tenant.write(COFFEE, category="episodic", created_at=on(day)) for day in (1, 8, 15)]
    first, second, third = await tenant.remember(
        replace(writes[0], fingerprint=writes[0].undated), writes[1], writes[2]
    )
    assert third.memory_id is not None
    life = PostgresMemoryLife(tenant.database)
    outcomes = []
    for day in (1, 8, 9):
        stored = await PostgresMemories(tenant.database).get(tenant.principal, third.memory_id)
        assert stored is not None
        moved = tenant.write(COFFEE, category="episodic", created_at=on(15), occurred_from=on(day))
        write = replace(moved, memory_id=third.memory_id)
        outcomes.append(await life.revise(tenant.principal, Revision(stored, write, "active")))

    assert [one.status for one in outcomes] == ["duplicate", "duplicate", "done"]
    assert [one.other for one in outcomes[:2]] == [first.memory_id, second.memory_id]


async def test_the_same_text_of_two_end_users_and_of_nobody_is_three_memories(tenant: Tenant) -> None:
    writes = [tenant.write(COFFEE, user_id=user_id) for user_id in ("ann", "bob", None, "ann", None)]

    results = await tenant.remember(*writes)

    assert statuses(results) == ["accepted", "accepted", "accepted", "duplicate", "duplicate"]
    assert [results[3].memory_id, results[4].memory_id] == [results[0].memory_id, results[2].memory_id]


async def test_the_same_text_of_two_agents_is_two_memories(tenant: Tenant) -> None:
    other = await tenant.with_agent("other")

    results = [*await tenant.remember(tenant.write(COFFEE)), *await other.remember(other.write(COFFEE))]

    assert statuses(results) == ["accepted", "accepted"]


async def test_a_client_reference_replays_whatever_the_text_says(tenant: Tenant) -> None:
    first, within = await tenant.remember(tenant.write(COFFEE, client_ref="one"), tenant.write(LIFT, client_ref="one"))
    (later,) = await tenant.remember(tenant.write("Another text.", client_ref="one"))
    (other,) = await tenant.remember(tenant.write("Another text.", client_ref="two"))

    assert statuses([first, within, later, other]) == ["accepted", "duplicate", "duplicate", "accepted"]
    assert {within.memory_id, later.memory_id} == {first.memory_id}


async def test_a_replayed_batch_changes_nothing_and_gives_the_same_ids(tenant: Tenant) -> None:
    batch = [(COFFEE, "a"), (LIFT, "b"), (COFFEE, "c")]
    first = await tenant.remember(*(tenant.write(text, client_ref=reference) for text, reference in batch))
    before = await tenant.fetch("SELECT * FROM memories ORDER BY memory_id")

    again = await tenant.remember(*(tenant.write(text, client_ref=reference) for text, reference in batch))

    assert [result.memory_id for result in again] == [result.memory_id for result in first]
    assert statuses(again) == ["duplicate"] * 3
    assert await tenant.fetch("SELECT * FROM memories ORDER BY memory_id") == before


async def test_a_reference_of_a_superseded_memory_still_replays(tenant: Tenant) -> None:
    (old,) = await tenant.remember(tenant.write(COFFEE, client_ref="one"))
    await tenant.remember(tenant.write(LIFT, supersedes=old.memory_id))

    (replayed,) = await tenant.remember(tenant.write(COFFEE, client_ref="one"))

    assert replayed == WriteResult(old.memory_id, "duplicate")


async def test_a_superseded_memory_leaves_both_searches_and_the_statistics(tenant: Tenant) -> None:
    (old,) = await tenant.remember_texts("Ann works in Berlin since spring.")
    await tenant.embed([old])
    assert await by_words(tenant, "Berlin") == [old]
    assert await by_meaning(tenant, "Berlin") == [old]

    (result,) = await tenant.remember(tenant.write("Ann works in Lisbon.", supersedes=old))

    assert (result.status, result.gone) == ("accepted", old)
    assert await by_words(tenant, "Ann Berlin") == [result.memory_id]
    assert await by_meaning(tenant, "Berlin") == []
    await assert_statistics_are_true(tenant)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, old)
    assert stored is not None
    assert (stored.memory.status, stored.superseded_by) == ("superseded", result.memory_id)
    assert stored.chain == (old, result.memory_id)


async def test_superseding_before_the_embedding_exists_drops_it(tenant: Tenant) -> None:
    (old,) = await tenant.remember_texts(COFFEE)

    await tenant.remember(tenant.write(LIFT, supersedes=old))

    assert await tenant.pending([old]) == []
    assert await tenant.fetch("SELECT embedding_state FROM memories WHERE memory_id = %s", old) == [("dropped",)]


async def test_a_memory_is_superseded_once(tenant: Tenant) -> None:
    (old,) = await tenant.remember_texts(COFFEE)
    first, within = await tenant.remember(
        tenant.write(LIFT, supersedes=old), tenant.write("The lift works again.", supersedes=old)
    )
    (later,) = await tenant.remember(tenant.write("Yet another text.", supersedes=old))

    assert statuses([first, within, later]) == ["accepted", "unknown_supersedes", "unknown_supersedes"]
    assert await tenant.fetch("SELECT count(*) FROM memories") == [(2,)]
    await assert_statistics_are_true(tenant)


async def test_a_memory_is_superseded_within_its_own_batch(tenant: Tenant) -> None:
    old = tenant.write("Ann works in Berlin.")
    new = tenant.write("Ann works in Lisbon.", supersedes=old.memory_id)
    newest = tenant.write("Ann works in Porto.", supersedes=new.memory_id)

    results = await tenant.remember(old, new, newest)

    assert statuses(results) == ["accepted"] * 3
    assert await by_words(tenant, "Ann Berlin Lisbon Porto") == [newest.memory_id]
    assert await tenant.pending([old.memory_id, new.memory_id]) == []
    await assert_statistics_are_true(tenant)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, new.memory_id)
    assert stored is not None
    assert stored.chain == (old.memory_id, new.memory_id, newest.memory_id)


async def test_the_text_of_a_superseded_memory_may_be_written_again(tenant: Tenant) -> None:
    (old,) = await tenant.remember_texts(COFFEE)

    superseding, again = await tenant.remember(tenant.write(LIFT, supersedes=old), tenant.write(COFFEE))

    assert statuses([superseding, again]) == ["accepted", "accepted"]
    await assert_statistics_are_true(tenant)


async def test_a_memory_of_another_agent_or_organization_cannot_be_superseded(tenant: Tenant, stranger: Tenant) -> None:
    other = await tenant.with_agent("other")
    (of_agent,) = await other.remember_texts(COFFEE)
    (of_stranger,) = await stranger.remember_texts(COFFEE)

    results = await tenant.remember(
        tenant.write("One.", supersedes=of_agent),
        tenant.write("Two.", supersedes=of_stranger),
        tenant.write("Three.", supersedes=uuid4()),
    )

    assert statuses(results) == ["unknown_supersedes"] * 3
    assert await by_words(other, "coffee") == [of_agent]
    assert await by_words(stranger, "coffee") == [of_stranger]


async def test_an_end_user_cannot_supersede_a_memory_of_another(tenant: Tenant) -> None:
    (of_bob, of_nobody) = (
        *await tenant.remember_texts(COFFEE, user_id="bob"),
        *await tenant.remember_texts(LIFT),
    )
    acting = replace(tenant, principal=replace(tenant.principal, user_id="ann"))

    results = await acting.remember(
        acting.write("One.", user_id="ann", supersedes=of_bob),
        acting.write("Two.", user_id="ann", supersedes=of_nobody),
    )

    assert statuses(results) == ["unknown_supersedes", "accepted"]
    assert await by_words(tenant, "coffee") == [of_bob]


async def test_an_agent_of_another_place_is_unknown(tenant: Tenant, stranger: Tenant) -> None:
    development = await tenant.with_agent("agent", environment="development")
    for principal, agent_id in (
        (tenant.principal, uuid4()),
        (tenant.principal, stranger.agent_id),
        (tenant.principal, development.agent_id),
        (replace(tenant.principal, project_id="other"), tenant.agent_id),
    ):
        write = tenant.write(COFFEE)
        write = replace(write, memory=replace(write.memory, agent_id=agent_id))

        report = await PostgresMemories(tenant.database).write(principal, {0: write})

        assert report == WriteReport({0: WriteResult(None, "unknown_agent")})


async def test_a_batch_fails_as_a_whole_or_not_at_all(tenant: Tenant) -> None:
    broken = tenant.write(LIFT, created_at=NOW)
    # What validation refuses before: the table's own check is the last.
    broken = replace(broken, tokens={"o200k_base": 2**40, "cl100k_base": 1})

    with pytest.raises(Exception, match="out of range"):
        await tenant.remember(tenant.write(COFFEE), broken)

    assert await tenant.fetch("SELECT count(*) FROM memories") == [(0,)]
    await assert_statistics_are_true(tenant)


async def test_writers_of_the_same_text_at_once_store_it_once(tenant: Tenant) -> None:
    await tenant.database.warm()
    results = await asyncio.gather(*(tenant.remember(tenant.write(COFFEE)) for _ in range(8)))

    everyone = [result for batch in results for result in batch]
    assert sorted(statuses(everyone)) == ["accepted"] + ["duplicate"] * 7
    assert len({result.memory_id for result in everyone}) == 1
    await assert_statistics_are_true(tenant)


async def test_writers_that_supersede_the_same_memory_at_once_supersede_it_once(tenant: Tenant) -> None:
    (old,) = await tenant.remember_texts(COFFEE)

    await tenant.database.warm()
    results = await asyncio.gather(
        *(tenant.remember(tenant.write(f"Version {number}.", supersedes=old)) for number in range(6))
    )

    everyone = [result for batch in results for result in batch]
    assert sorted(statuses(everyone)) == ["accepted"] + ["unknown_supersedes"] * 5
    await assert_statistics_are_true(tenant)


async def test_writers_and_the_embedding_worker_at_once_keep_the_statistics(tenant: Tenant) -> None:
    ids = await tenant.remember_texts(*(f"Room {number} has a window." for number in range(30)))

    async def supersede(old: UUID) -> None:
        (result,) = await tenant.remember(tenant.write(f"New version of {old}.", supersedes=old))
        assert result.status == "accepted"

    await tenant.database.warm()
    await asyncio.gather(*(supersede(old) for old in ids[::2]), *(tenant.embed([one]) for one in ids))

    await assert_statistics_are_true(tenant)
    assert set(await by_meaning(tenant, "window")) == set(ids[1::2])


@dataclass(frozen=True, slots=True)
class Step:
    """One operation on the agent's memories; numbers choose among what exists."""

    kind: str
    text: int
    target: int
    user_id: str | None


STEPS = st.lists(
    st.builds(
        Step,
        kind=st.sampled_from(["write", "write", "supersede", "embed", "chain", "replay"]),
        text=st.integers(0, 6),
        target=st.integers(0, 20),
        user_id=st.sampled_from([None, "ann"]),
    ),
    min_size=1,
    max_size=12,
)


async def perform(tenant: Tenant, step: Step, known: list[UUID]) -> None:
    text = " ".join(["window"] * (step.text + 1))
    target = known[step.target % len(known)] if known else uuid4()
    if step.kind == "embed":
        await tenant.set_vectors(await _pending_ids(tenant, target), unit_vector(step.text)[None])
        return
    writes = [tenant.write(text, user_id=step.user_id)]
    if step.kind == "supersede":
        writes = [tenant.write(text, user_id=step.user_id, supersedes=target)]
    elif step.kind == "replay":
        writes = [tenant.write(text, client_ref=str(step.target)), tenant.write("door", client_ref=str(step.target))]
    elif step.kind == "chain":
        first = tenant.write(text + " floor", context="stairs", supersedes=target)
        writes = [first, tenant.write(text, user_id=step.user_id, supersedes=first.memory_id), tenant.write(text)]
    results = await tenant.remember(*writes)
    known += [result.memory_id for result in results if result.memory_id is not None]


async def _pending_ids(tenant: Tenant, target: UUID) -> list[UUID]:
    return [pending.memory.id for pending in await tenant.pending([target])]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_the_statistics_of_an_agent_always_equal_what_the_tables_hold(
    migrated: PostgresServer, database: Database, steps: list[Step]
) -> None:
    tenant = await create_tenant(migrated.owner_url, database)
    known: list[UUID] = []

    for step in steps:
        await perform(tenant, step, known)

        await assert_statistics_are_true(tenant)

    live = await tenant.fetch(
        "SELECT memory_id FROM memories JOIN term_documents USING (agent_id, document) WHERE content_words > 0"
    )
    assert set(await by_words(tenant, "window floor stairs door")) == {row[0] for row in live}


async def test_a_listing_pages_through_everything_once_newest_first(tenant: Tenant) -> None:
    # Seven moments for twenty memories: pages break inside a moment.
    writes = [tenant.write(f"Room {number}.", created_at=NOW + timedelta(seconds=number % 7)) for number in range(20)]
    await tenant.remember(*writes)
    memories = PostgresMemories(tenant.database)

    pages: list[StoredMemory] = []
    listing = Listing(tenant.agent_id, limit=3)
    while page := await memories.list(tenant.principal, listing):
        pages += page
        listing = replace(listing, after=(page[-1].memory.created_at, page[-1].memory.id))

    expected = sorted(writes, key=lambda write: (write.memory.created_at, write.memory_id), reverse=True)
    assert [stored.memory.id for stored in pages] == [write.memory_id for write in expected]


async def test_without_an_agent_a_listing_has_those_of_the_project_and_environment(tenant: Tenant) -> None:
    other = await tenant.with_agent("other")
    elsewhere = await tenant.with_agent("elsewhere", environment="development")
    own, of_other, _ = [await one.remember_texts(COFFEE) for one in (tenant, other, elsewhere)]

    found = await PostgresMemories(tenant.database).list(tenant.principal, Listing())

    assert {stored.memory.id for stored in found} == {*own, *of_other}


@pytest.mark.parametrize("statement", [memories.LIST, memories.EXPORT], ids=["listing", "export"])
async def test_a_page_of_a_project_is_read_from_an_index_in_its_order(tenant: Tenant, statement: str) -> None:
    await tenant.remember_texts(COFFEE)
    nothing = (
        "agent_id",
        "listed_user_id",
        "owner",
        "category",
        "tag",
        "since",
        "status",
        "embedding_state",
        "client_ref",
        "pinned",
        "pin_proposed",
        "forget_proposed",
    )
    parameters = dict.fromkeys(nothing) | place(tenant.principal)
    parameters |= {"deleted": False, "after_at": NOW, "after_id": uuid4(), "limit": 5}
    # Tables are small here, so that reading all of one would be the cheapest.
    planning = {"plan_cache_mode": "force_custom_plan", "enable_seqscan": "off", "enable_sort": "off"}

    (rows,) = await tenant.database.read(tenant.org_id, ("EXPLAIN " + statement, parameters), settings=planning)

    plan = "\n".join(row[0] for row in rows)
    assert "using memories_of_project" in plan
    assert "Sort" not in plan


async def test_a_listing_filters_by_each_of_its_fields(tenant: Tenant) -> None:
    plain = tenant.write("Plain.")
    ann = tenant.write("Of Ann.", user_id="ann", category="preference", tags=("food", "drink"))
    bob = tenant.write("Of Bob.", user_id="bob", created_at=NOW + timedelta(days=1))
    await tenant.remember(plain, ann, bob)
    await tenant.embed([plain.memory_id])
    memories = PostgresMemories(tenant.database)

    async def listed(**changes: Any) -> set[UUID]:
        found = await memories.list(tenant.principal, Listing(tenant.agent_id, **changes))
        return {stored.memory.id for stored in found}

    assert await listed() == {plain.memory_id, ann.memory_id, bob.memory_id}
    assert await listed(category="preference") == {ann.memory_id}
    assert await listed(tag="drink") == {ann.memory_id}
    assert await listed(since=NOW + timedelta(days=1)) == {bob.memory_id}
    assert await listed(embedding_state="ready") == {plain.memory_id}
    assert await listed(limit=2) == {bob.memory_id, max(plain.memory_id, ann.memory_id)}


async def test_a_principal_that_acts_for_an_end_user_never_lists_another_users_memories(tenant: Tenant) -> None:
    ann, bob, nobody = (tenant.write(f"Of {user_id}.", user_id=user_id) for user_id in ("ann", "bob", None))
    await tenant.remember(ann, bob, nobody)
    acting = replace(tenant.principal, user_id="ann")
    memories = PostgresMemories(tenant.database)

    everything = await memories.list(acting, Listing(tenant.agent_id))
    of_nobody = await memories.list(replace(tenant.principal, sees_all=False), Listing(tenant.agent_id))

    assert {stored.memory.id for stored in everything} == {ann.memory_id, nobody.memory_id}
    assert {stored.memory.id for stored in of_nobody} == {nobody.memory_id}
    assert await memories.get(acting, bob.memory_id) is None
    assert await memories.get(acting, ann.memory_id) is not None


async def test_a_memory_is_read_only_in_its_own_place(tenant: Tenant, stranger: Tenant) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    memories = PostgresMemories(tenant.database)

    assert await memories.get(tenant.principal, identifier) is not None
    for principal in (
        stranger.principal,
        replace(tenant.principal, environment="development"),
        replace(tenant.principal, project_id="other"),
        replace(tenant.principal, org_id=stranger.org_id),
    ):
        assert await memories.get(principal, identifier) is None
        assert await memories.list(principal, Listing(tenant.agent_id)) == []


async def test_place_names_are_those_of_the_principal(tenant: Tenant) -> None:
    await tenant.remember_texts(COFFEE)
    await tenant.embed([row[0] for row in await tenant.fetch("SELECT memory_id FROM memories")])

    for table in ("memories", "memory_vectors"):
        rows = await tenant.fetch(f"SELECT org_id, project_id, environment, agent_id FROM {table}")
        assert rows == [(tenant.org_id, PROJECT_ID, ENVIRONMENT, tenant.agent_id)]


async def test_stored_vectors_are_close_to_those_given(tenant: Tenant) -> None:
    (identifier,) = await tenant.remember_texts(COFFEE)
    given_vector = unit_vector(7)
    await tenant.set_vectors([identifier], given_vector[None])

    search = PostgresSearch(tenant.database, model=MODEL)
    answer = await search.nearest(tenant.scope(), given_vector, Filters(), model=MODEL, limit=1, now=NOW)

    vector = answer.found[0].memory.vector
    assert vector is not None
    assert vector.dtype == np.float32
    np.testing.assert_allclose(vector, given_vector, atol=1e-3)
