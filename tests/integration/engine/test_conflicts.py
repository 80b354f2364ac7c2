"""Possible conflicts: found by the worker, marked in every place of search, listed, settled, and ended."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import Forbidden, InvalidRequest, NotFound
from remembrancer.ports.memories import ConflictPage, PossibleConflict, Settlement
from remembrancer.ports.search import Cursor
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.conflicts import ConflictFinder, ConflictSettler
from remembrancer.usecases.memories.embed import EmbedMessage
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from tests.builders import NOW, ago
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant, word_vector
from tests.integration.engine.workers import memory_embedder

TUESDAYS, THURSDAYS = "Deliveries come on Tuesdays.", "Deliveries come on Thursdays."
SUPERSEDE, KEEP_BOTH = Settlement(keeps_newer=True), Settlement()


async def written(tenant: Tenant, redis: RedisClient, *texts: str, **fields: Any) -> list[UUID]:
    """Written one after the other and embedded by the worker, the first the oldest."""
    ids = []
    for number, text in enumerate(texts):
        (one,) = await tenant.remember_texts(text, **{"created_at": ago(days=50 - number), **fields})
        assert await memory_embedder(tenant.database, redis).embed([EmbedMessage(tenant.org_id, one)]) == {}
        ids.append(one)
    return ids


async def relations(tenant: Tenant, kind: str = "may_contradict") -> list[tuple[UUID, UUID, str | None]]:
    rows = await tenant.fetch(
        "SELECT from_memory_id, to_memory_id, differs_in FROM memory_relations WHERE type = %s ORDER BY created_at",
        kind,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def listed(tenant: Tenant, **page: Any) -> Sequence[PossibleConflict]:
    found, memories = await PostgresConflicts(tenant.database).list(
        tenant.principal, ConflictPage(**{"agent_id": tenant.agent_id, "limit": 10, **page})
    )
    assert {end for one in found for end in (one.newer, one.older)} <= memories.keys()
    return found


async def memory(tenant: Tenant, memory_id: UUID) -> Memory:
    stored = await PostgresMemories(tenant.database).get(tenant.principal, memory_id)
    assert stored is not None
    return stored.memory


async def settle(tenant: Tenant, conflict_id: UUID, settlement: Settlement, **changes: Any) -> Any:
    principal = replace(tenant.principal, **changes)
    return await PostgresConflicts(tenant.database).settle(principal, conflict_id, settlement)


def settler(tenant: Tenant, redis: RedisClient) -> ConflictSettler:
    return ConflictSettler(
        PostgresConflicts(tenant.database),
        MemoryReader(PostgresMemories(tenant.database), Keyless()),
        Announcer(RedisAgentCache(redis), SentMessages()),
    )


@pytest.mark.parametrize("exact_rows", [5000, 0])
async def test_the_worker_flags_a_pair_when_the_second_is_embedded(
    tenant: Tenant, redis: RedisClient, exact_rows: int
) -> None:
    """By reading all vectors, and by the index. Doing it again changes nothing."""
    search = PostgresConflicts(tenant.database, exact_rows=exact_rows)
    embedder = replace(memory_embedder(tenant.database, redis), conflicts=ConflictFinder(search, Keyless()))
    ids = []
    for number, text in enumerate((TUESDAYS, "Deliveries come by boat.", THURSDAYS)):
        ids += await tenant.remember_texts(text, created_at=ago(days=9 - number))
        assert await embedder.embed([EmbedMessage(tenant.org_id, ids[-1])]) == {}
    await tenant.fetch("UPDATE memories SET cluster_id = NULL WHERE memory_id = ANY(%s) RETURNING 1", ids)

    assert await embedder.embed([EmbedMessage(tenant.org_id, one) for one in ids]) == {}

    older, other, newer = [await memory(tenant, one) for one in ids]
    (conflict,) = await listed(tenant)
    assert await relations(tenant) == [(ids[2], ids[0], "day")]
    assert (older.contradicts, older.contradicted_by) == ((), (ids[2],))
    assert (newer.contradicts, newer.contradicted_by) == ((ids[0],), ())
    assert other.conflicts == []
    assert (conflict.newer, conflict.older, conflict.differs_in) == (ids[2], ids[0], "day")
    assert 0.45 < conflict.confidence < 1


async def test_an_older_one_that_is_written_later_is_the_older_one(tenant: Tenant, redis: RedisClient) -> None:
    (newer,) = await written(tenant, redis, THURSDAYS, created_at=ago(days=1))
    (older,) = await written(tenant, redis, TUESDAYS, created_at=ago(days=30))

    assert await relations(tenant) == [(newer, older, "day")]


async def test_only_live_memories_of_one_agent_and_owner_are_compared(tenant: Tenant, redis: RedisClient) -> None:
    second = await tenant.with_agent("second")
    past, future = datetime.now(UTC) - timedelta(days=1), datetime.now(UTC) + timedelta(days=1)
    await written(tenant, redis, TUESDAYS, user_id="ada")
    await written(tenant, redis, "Deliveries come on Mondays.", occurred_to=past)
    await written(tenant, redis, "Deliveries come on Fridays.", expires_at=past)
    await written(tenant, redis, "Deliveries come on Sundays.", valid_from=future)
    await written(second, redis, "Deliveries come on Wednesdays.")

    await written(tenant, redis, THURSDAYS)
    await written(tenant, redis, "Deliveries come on Saturdays.", user_id="bob")

    assert await relations(tenant) == []
    assert await written(tenant, redis, THURSDAYS, user_id="ada")
    assert len(await relations(tenant)) == 1


async def test_a_text_that_changed_while_it_was_compared_is_not_flagged(tenant: Tenant, redis: RedisClient) -> None:
    (older,) = await written(tenant, redis, TUESDAYS)
    (newer,) = await tenant.remember_texts(THURSDAYS)
    await tenant.embed([newer])
    search = PostgresConflicts(tenant.database)
    (pair,) = await search.near(tenant.org_id, [newer], MODEL)
    await tenant.fetch("UPDATE memories SET version = 2 WHERE memory_id = %s RETURNING 1", older)

    class Late(PostgresConflicts):
        async def near(self, *_: Any) -> Any:
            return [pair]

    assert await ConflictFinder(Late(tenant.database), Keyless()).find(tenant.org_id, [newer], MODEL) == []
    assert await relations(tenant) == []


async def test_sealed_memories_are_compared_by_their_texts_and_relations_hold_none(
    tenant: Tenant, redis: RedisClient, aws_server: AwsServer, observer: AsyncConnection[Any]
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    ids = await vault.remember_texts(TUESDAYS, created_at=ago(days=2))
    ids += await vault.remember_texts(THURSDAYS, created_at=ago(days=1))
    search = PostgresConflicts(tenant.database)
    embedder = replace(
        memory_embedder(tenant.database, redis), conflicts=ConflictFinder(search, vault.ring), opener=vault.ring
    )

    assert await embedder.embed([EmbedMessage(tenant.org_id, one) for one in ids]) == {}

    rows = await (await observer.execute("SELECT r::text FROM memory_relations r")).fetchall()
    desk = ConflictSettler(
        PostgresConflicts(tenant.database), vault.reader, Announcer(RedisAgentCache(redis), SentMessages())
    )
    (conflict,), memories = await desk.list(tenant.principal, ConflictPage(tenant.agent_id, 5))
    assert await relations(tenant) == [(ids[1], ids[0], "day")]
    assert [memories[one].memory.content for one in (conflict.newer, conflict.older)] == [THURSDAYS, TUESDAYS]
    assert not any("Deliver" in row[0] or "uesday" in row[0] for row in rows)


async def test_every_place_of_search_has_the_marks(tenant: Tenant, redis: RedisClient) -> None:
    """Postgres by vector and by words, rows by id, the map of before, and the hot set."""
    source = PostgresMapSource(tenant.database, model=MODEL, dimensions=HashEmbedder().dimensions)
    (older,) = await written(tenant, redis, TUESDAYS)
    before = await source.change(tenant.org_id, tenant.agent_id)
    assert before is not None
    (newer,) = await written(tenant, redis, THURSDAYS, created_at=ago(days=1))
    search, scope = PostgresSearch(tenant.database, model=MODEL), tenant.scope()

    near = await search.nearest(scope, await word_vector(TUESDAYS), Filters(), model=MODEL, limit=5, now=NOW)
    words = await search.matching(scope, tenant.wanted("deliveries"), Filters(), limit=5, now=NOW)
    rows = await source.rows(tenant.org_id, tenant.agent_id, [older, newer])
    after = await source.change(tenant.org_id, tenant.agent_id)
    changed = await source.page(
        tenant.org_id, tenant.agent_id, Cursor(before.version, UUID(int=0)), since=before.version, limit=9
    )
    snapshot = await RedisAgentCache(redis).read(tenant.org_id, tenant.agent_id, EVERYBODY, 9)

    assert changed is not None and after is not None
    for found in (near.memories, words.memories, rows, changed.rows.memories):
        assert {one.id: one.contradicted_by for one in found} == {older: (newer,), newer: ()}
    assert after.removals > before.removals
    assert [one for one in snapshot.hot if not one.conflicts] == []


async def test_a_conflict_leads_to_no_neighbour_and_to_no_boost(tenant: Tenant, redis: RedisClient) -> None:
    ids = await written(tenant, redis, TUESDAYS, THURSDAYS)
    recall = PostgresRecall(tenant.database)

    neighbours = await recall.neighbours(tenant.scope(), [ids[0]], model=MODEL, limit=9, now=NOW)
    around = await recall.circumstances(tenant.scope(), ids, vector=None, model=MODEL, session_id=None, now=NOW)

    assert len(await relations(tenant)) == 1
    assert list(neighbours) == []
    assert list(around.edges) == []


@pytest.mark.parametrize("keeps", ["newer", "older", "the newer by default"])
async def test_one_supersedes_the_other(tenant: Tenant, redis: RedisClient, keeps: str) -> None:
    older, newer = await written(tenant, redis, TUESDAYS, THURSDAYS)
    (conflict,) = await listed(tenant)
    keep, gone = (older, newer) if keeps == "older" else (newer, older)
    settlement = SUPERSEDE if "default" in keeps else Settlement(keep)

    settled = await settle(tenant, conflict.conflict_id, settlement)

    rows = await tenant.fetch("SELECT memory_id, superseded_by FROM memories WHERE status = 'superseded'")
    words = await PostgresSearch(tenant.database, model=MODEL).matching(
        tenant.scope(), tenant.wanted("deliveries"), Filters(), limit=5, now=NOW
    )
    assert (settled.status, settled.kept, settled.superseded) == ("done", (keep,), gone)
    assert rows == [(gone, keep)]
    assert [one.id for one in words.memories] == [keep]
    assert (await memory(tenant, keep)).conflicts == []
    assert (await listed(tenant), await relations(tenant)) == ([], [])
    assert (await settle(tenant, conflict.conflict_id, settlement)).status == "not_found"


@pytest.mark.parametrize("tokens", [20, 501])
async def test_the_kept_one_takes_the_pin_of_the_other_where_it_fits(
    tenant: Tenant, redis: RedisClient, tokens: int
) -> None:
    (older,) = await written(tenant, redis, TUESDAYS, pinned_at=NOW)
    (newer,) = await written(tenant, redis, THURSDAYS)
    await tenant.fetch("UPDATE memories SET tokens_o200k = %s WHERE memory_id = %s RETURNING 1", tokens, newer)
    (conflict,) = await listed(tenant)

    await settle(tenant, conflict.conflict_id, Settlement(newer))

    assert (await memory(tenant, newer)).pinned_at == (NOW if tokens == 20 else None)
    assert (await memory(tenant, older)).status == "superseded"


async def test_both_are_kept_and_not_flagged_again_until_a_text_changes(tenant: Tenant, redis: RedisClient) -> None:
    older, newer = await written(tenant, redis, TUESDAYS, THURSDAYS)
    (conflict,) = await listed(tenant)

    settled = await settle(tenant, conflict.conflict_id, KEEP_BOTH)
    await tenant.fetch("UPDATE memories SET cluster_id = NULL RETURNING 1")
    await memory_embedder(tenant.database, redis).embed([EmbedMessage(tenant.org_id, newer)])
    again = await relations(tenant)
    await revise(tenant, newer, "Deliveries come on Fridays.")
    await memory_embedder(tenant.database, redis).embed([EmbedMessage(tenant.org_id, newer)])

    assert (settled.status, set(settled.kept), settled.superseded) == ("done", {older, newer}, None)
    assert again == []
    assert await relations(tenant) == [(newer, older, "day")]
    assert await relations(tenant, "compatible") == []


async def revise(tenant: Tenant, memory_id: UUID, text: str) -> None:
    stored = await PostgresMemories(tenant.database).get(tenant.principal, memory_id)
    assert stored is not None
    write = replace(tenant.write(text, created_at=stored.memory.created_at), memory_id=memory_id)
    outcome = await PostgresMemoryLife(tenant.database).revise(
        tenant.principal, Revision(stored, write, "active", text_changed=True)
    )
    assert outcome.status == "done"


@pytest.mark.parametrize("end", ["forgotten", "superseded", "archived", "other text"])
async def test_a_conflict_ends_with_one_of_its_memories(tenant: Tenant, redis: RedisClient, end: str) -> None:
    """The marks of the other go too, and caches that know its row of before are not believed any more."""
    older, newer = await written(tenant, redis, TUESDAYS, THURSDAYS)
    cache = RedisAgentCache(redis)
    before = await PostgresMapSource(tenant.database, model=MODEL, dimensions=384).change(
        tenant.org_id, tenant.agent_id
    )
    life, memories = PostgresMemoryLife(tenant.database), PostgresMemories(tenant.database)
    if end == "forgotten":
        await life.forget(tenant.principal, newer, NOW)
    elif end == "superseded":
        await tenant.remember(tenant.write("Deliveries have ended.", supersedes=newer))
    elif end == "other text":
        await revise(tenant, newer, "Nothing is delivered.")
    else:
        stored = await memories.get(tenant.principal, newer)
        assert stored is not None
        write = replace(tenant.write(THURSDAYS), memory_id=newer)
        await life.revise(tenant.principal, Revision(stored, write, "archived"))

    after = await PostgresMapSource(tenant.database, model=MODEL, dimensions=384).change(tenant.org_id, tenant.agent_id)
    assert before is not None and after is not None
    assert (await memory(tenant, older)).conflicts == []
    assert (await listed(tenant), await relations(tenant)) == ([], [])
    # One more than the caller announces: the hot set is dropped as a whole.
    assert after.removals == before.removals + 2
    await cache.changed(tenant.org_id, tenant.agent_id, after, [newer])
    assert (await cache.read(tenant.org_id, tenant.agent_id, EVERYBODY, 9)).hot == []


async def test_a_restored_memory_is_compared_again(tenant: Tenant, redis: RedisClient) -> None:
    older, newer = await written(tenant, redis, TUESDAYS, THURSDAYS)
    life, memories = PostgresMemoryLife(tenant.database), PostgresMemories(tenant.database)
    await life.forget(tenant.principal, newer, NOW)
    stored = await memories.get(tenant.principal, newer, deleted=True)
    assert stored is not None
    write = replace(tenant.write(THURSDAYS, created_at=stored.memory.created_at), memory_id=newer)

    await life.restore(tenant.principal, Revision(stored, write, "active"))
    await memory_embedder(tenant.database, redis).embed([EmbedMessage(tenant.org_id, newer)])

    assert [(one.newer, one.older) for one in await listed(tenant)] == [(newer, older)]


async def test_a_relation_by_hand_marks_its_memories_and_its_deletion_unmarks_them(tenant: Tenant) -> None:
    """In either direction; but not across owners, since a row may not name what its reader may not see."""
    older, newer = [
        *await tenant.remember_texts("Tea is good.", created_at=ago(days=2)),
        *await tenant.remember_texts("Tea is bad.", created_at=ago(days=1)),
    ]
    (private,) = await tenant.remember_texts("Tea is fine.", user_id="ada")
    edges = PostgresMemoryLife(tenant.database)

    related = await edges.relate(tenant.principal, Relation(uuid4(), older, newer, "may_contradict", 0.5))
    await edges.relate(tenant.principal, Relation(uuid4(), private, older, "may_contradict", 0.5))
    marked = [(await memory(tenant, one)).conflicts for one in (older, newer, private)]
    found = await listed(tenant)
    assert related is not None
    await edges.unrelate(tenant.principal, older, related.relation.relation_id)

    assert marked == [[{"id": str(newer), "is_newer": True}], [{"id": str(older), "is_newer": False}], []]
    assert [(one.newer, one.older, one.differs_in) for one in found] == [(newer, older, None)]
    assert [(await memory(tenant, one)).conflicts for one in (older, newer)] == [[], []]
    assert await listed(tenant) == []


@pytest.mark.parametrize("turned", [False, True])
async def test_of_two_of_one_moment_the_newer_is_the_one_that_the_relation_comes_from(
    tenant: Tenant, turned: bool
) -> None:
    """As of two statements of one conversation."""
    ids = await tenant.remember_texts("Tea at five.", "Tea at six.", created_at=ago(days=1))
    older, newer = sorted(ids, reverse=turned)

    await PostgresMemoryLife(tenant.database).relate(
        tenant.principal, Relation(uuid4(), newer, older, "may_contradict", 0.5)
    )

    assert (await memory(tenant, older)).contradicted_by == (newer,)
    assert (await memory(tenant, newer)).contradicts == (older,)
    assert [(one.newer, one.older) for one in await listed(tenant)] == [(newer, older)]


async def test_two_relations_that_contradict_each_other_mark_a_pair_once(tenant: Tenant) -> None:
    first, second = sorted(await tenant.remember_texts("Tea at five.", "Tea at six.", created_at=ago(days=1)))
    edges = PostgresMemoryLife(tenant.database)

    for newer, older in ((first, second), (second, first)):
        await edges.relate(tenant.principal, Relation(uuid4(), newer, older, "may_contradict", 0.5))

    assert (await memory(tenant, first)).conflicts == [{"id": str(second), "is_newer": True}]
    assert (await memory(tenant, second)).conflicts == [{"id": str(first), "is_newer": False}]


async def test_conflicts_are_listed_in_pages_the_latest_found_first(tenant: Tenant, redis: RedisClient) -> None:
    days = ["Mondays", "Tuesdays", "Thursdays", "Fridays"]
    ids = await written(tenant, redis, *(f"Deliveries come on {day}." for day in days))

    everything = await listed(tenant)
    pages = [everything[0]]
    while page := await listed(tenant, limit=2, after=(pages[-1].found_at, pages[-1].conflict_id)):
        pages += page

    assert len(everything) == 6
    assert pages == list(everything)
    assert everything == sorted(everything, key=lambda one: (one.found_at, one.conflict_id), reverse=True)
    assert {one.newer for one in everything} == set(ids[1:])


async def test_who_may_see_and_settle(tenant: Tenant, stranger: Tenant, redis: RedisClient) -> None:
    shared = await written(tenant, redis, TUESDAYS, THURSDAYS)
    await written(tenant, redis, TUESDAYS, THURSDAYS, user_id="ada")
    own = replace(tenant, principal=replace(tenant.principal, sees_all=False, user_id="ada"))
    others = replace(tenant, principal=replace(tenant.principal, sees_all=False, user_id="bob"))
    elsewhere = replace(tenant, principal=replace(tenant.principal, environment="staging"))

    by_ada, by_bob = await listed(own), await listed(others)
    private = next(one for one in by_ada if one.newer not in shared)

    assert (len(by_ada), [one.newer for one in by_bob]) == (2, [shared[1]])
    assert await listed(elsewhere) == []
    for one in (others, elsewhere, stranger):
        assert (await settle(one, private.conflict_id, SUPERSEDE)).status == "not_found"
    restricted = replace(own.principal, end_users=("ada",))
    with pytest.raises(Forbidden):
        await PostgresConflicts(tenant.database).settle(restricted, by_bob[0].conflict_id, KEEP_BOTH)
    assert (await settle(own, private.conflict_id, SUPERSEDE)).status == "done"


async def test_the_same_request_settles_once_and_two_at_once_settle_once(tenant: Tenant, redis: RedisClient) -> None:
    await written(tenant, redis, TUESDAYS, THURSDAYS)
    (conflict,) = await listed(tenant)
    desk, once = settler(tenant, redis), Once(b"key", b"request")

    results = await asyncio.gather(
        *(desk.settle(tenant.principal, conflict.conflict_id, SUPERSEDE, LaterWork(), once=once) for _ in range(3))
    )

    assert sorted(one.status for one in results) == ["again", "again", "done"]
    assert len({(one.kept, one.superseded) for one in results}) == 1
    with pytest.raises(NotFound):
        await desk.settle(tenant.principal, conflict.conflict_id, SUPERSEDE, LaterWork())


async def test_what_is_to_be_kept_must_be_of_the_conflict_and_valid(tenant: Tenant, redis: RedisClient) -> None:
    older, _ = await written(tenant, redis, TUESDAYS, THURSDAYS)
    (conflict,) = await listed(tenant)
    desk = settler(tenant, redis)
    await tenant.fetch(
        "UPDATE memories SET valid_from = now() + interval '1 day' WHERE memory_id = %s RETURNING 1", older
    )

    for keep in (uuid4(), older):
        with pytest.raises(InvalidRequest) as refused:
            await desk.settle(tenant.principal, conflict.conflict_id, Settlement(keep), LaterWork())
        assert list(refused.value.fields) == ["keep"]
    assert len(await listed(tenant)) == 1
