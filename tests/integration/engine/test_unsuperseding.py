"""Undoing a supersession: the memory is found again at once, and what had replaced it is not."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.identity.directory import configure_organization
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.memories.stored_memory import Relation, StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Conflict, Forbidden, NotFound, StoreUnavailable, VersionMismatch
from remembrancer.ports.memories import Settlement
from tests.builders import ago
from tests.integration.engine.desk import Desk
from tests.integration.engine.locks import LOCK_VECTOR, stopped
from tests.integration.engine.tenant import MODEL
from tests.integration.engine.workers import consolidation

KITCHEN, HALL = "The coffee machine is in the kitchen.", "The coffee machine is in the hall."


async def superseded(desk: Desk, *texts: str) -> list[UUID]:
    """Memories that replaced each other, all of them embedded in their time."""
    ids: list[UUID] = []
    for text in texts:
        ids += await desk.tenant.remember_texts(text, supersedes=ids[-1] if ids else None)
        await desk.embed(ids[-1])
    return ids


async def read(desk: Desk, memory_id: UUID) -> StoredMemory:
    stored = await PostgresMemories(desk.tenant.database).get(desk.tenant.principal, memory_id)
    assert stored is not None
    return stored


async def statuses(desk: Desk, *memory_ids: UUID) -> list[tuple[str, UUID | None]]:
    stored = [await read(desk, one) for one in memory_ids]
    return [(one.memory.status, one.superseded_by) for one in stored]


async def counters(desk: Desk) -> tuple[int, int]:
    ((version, removals),) = await desk.tenant.fetch(
        "SELECT version, removals FROM agents WHERE agent_id = %s", desk.tenant.agent_id
    )
    return version, removals


async def test_the_memory_takes_the_place_of_the_one_that_superseded_it(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    (other,) = await superseded(desk, "The stairs are open.")
    before = await counters(desk)

    stored = await desk.unsupersede(old)
    at_once = await desk.by_words("coffee"), await desk.by_meaning(HALL), await desk.hot()
    await desk.embed(old)

    assert (stored.memory.status, stored.superseded_by, stored.memory.content) == ("active", None, KITCHEN)
    assert at_once == ({old}, {other}, {other: "The stairs are open."})
    assert await desk.by_meaning(KITCHEN) == {old, other}
    assert await desk.hot() == {old: KITCHEN, other: "The stairs are open."}
    assert await statuses(desk, old, new) == [("active", None), ("superseded", old)]
    assert stored.chain == (await read(desk, new)).chain == (new, old)
    assert (await read(desk, new)).memory.supersedes is None
    assert (await counters(desk))[1] > before[1]
    await desk.assert_counts_are_true()


async def test_the_undoing_can_be_undone(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    await desk.unsupersede(old)
    await desk.embed(old)

    stored = await desk.unsupersede(new)
    await desk.embed(new)

    assert await statuses(desk, old, new) == [("superseded", new), ("active", None)]
    assert stored.chain == (old, new)
    assert await desk.hot() == {new: HALL}
    await desk.assert_counts_are_true()


async def test_doing_it_again_changes_nothing(desk: Desk) -> None:
    """Without a key, and with the key of the request that did it, even when it was superseded again since."""
    old, new = await superseded(desk, KITCHEN, HALL)
    request = Once(b"key", b"request")
    await desk.unsupersede(old, once=request)
    after = await counters(desk)

    again = await desk.unsupersede(old)
    repeated = await desk.unsupersede(old, once=request)
    unchanged = await counters(desk)
    await desk.unsupersede(new)
    late = await desk.unsupersede(old, once=request)
    with pytest.raises(Conflict) as reused:
        await desk.unsupersede(old, once=Once(b"key", b"another request"))

    assert [one.memory.status for one in (again, repeated, late)] == ["active", "active", "superseded"]
    assert unchanged == after
    assert reused.value.code == "idempotency_key_reused"


async def test_two_at_once_do_it_once(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    before = await counters(desk)

    done = await asyncio.gather(*(desk.unsupersede(old) for _ in range(3)))

    assert {one.memory.status for one in done} == {"active"}
    assert await statuses(desk, old, new) == [("active", None), ("superseded", old)]
    assert (await counters(desk))[0] == before[0] + 1
    await desk.assert_counts_are_true()


async def test_both_can_be_kept(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)

    stored = await desk.unsupersede(old, keep_both=True)
    await desk.embed(old)

    assert await statuses(desk, old, new) == [("active", None), ("active", None)]
    assert {one.type for one in stored.relations} == {"compatible"}
    assert (await read(desk, new)).memory.supersedes is None
    assert await desk.by_words("coffee") == await desk.by_meaning(HALL) == {old, new}
    assert (await read(desk, old)).memory.conflicts == []
    await desk.assert_counts_are_true()


async def by_settling(desk: Desk) -> list[UUID]:
    ids: list[UUID] = []
    for days, text in ((2, "Deliveries come on Tuesdays."), (1, "Deliveries come on Thursdays.")):
        ids += await desk.tenant.remember_texts(text, created_at=ago(days=days))
        await desk.embed(ids[-1])
    relation = Relation(uuid4(), ids[1], ids[0], "may_contradict", 0.5)
    related = await PostgresMemoryLife(desk.tenant.database).relate(desk.tenant.principal, relation)
    assert related is not None
    settled = await PostgresConflicts(desk.tenant.database).settle(
        desk.tenant.principal, related.relation.relation_id, Settlement(keeps_newer=True)
    )
    assert settled.superseded == ids[0]
    return ids


async def by_merging(desk: Desk) -> list[UUID]:
    """Two that differ in a sign only."""
    ids: list[UUID] = []
    for days, text in ((2, HALL), (1, HALL.replace(".", "!"))):
        ids += await desk.tenant.remember_texts(text, created_at=ago(days=days))
        await desk.embed(ids[-1])
    return ids


@pytest.mark.parametrize("keep_both", [False, True])
@pytest.mark.parametrize("done", [by_settling, by_merging])
async def test_whatever_superseded_it_is_undone_and_not_done_again(
    desk: Desk, migrated: PostgresServer, done: Callable[[Desk], Awaitable[list[UUID]]], keep_both: bool
) -> None:
    await configure_organization(migrated.owner_url, desk.tenant.org_id, {"near_duplicates": "merge"})
    old, new = await done(desk)
    before = await statuses(desk, old, new)

    await desk.unsupersede(old, keep_both=keep_both)
    await desk.embed(old)
    await desk.tenant.fetch("UPDATE memories SET cluster_id = NULL RETURNING 1")
    await consolidation(desk.tenant.database).consolidate(desk.tenant.org_id, [old, new], MODEL)

    after = ("active", None) if keep_both else ("superseded", old)
    assert before == [("superseded", new), ("active", None)]
    assert await statuses(desk, old, new) == [("active", None), after]
    assert (await read(desk, old)).memory.conflicts == []
    await desk.assert_counts_are_true()


async def test_of_a_chain_the_newest_is_undone_first(desk: Desk) -> None:
    first, second, third = await superseded(desk, KITCHEN, HALL, "The coffee machine is in the cellar.")

    with pytest.raises(Conflict) as refused:
        await desk.unsupersede(first)
    unchanged = await statuses(desk, first, second, third)
    await desk.unsupersede(second)
    await desk.unsupersede(first)

    assert refused.value.code == "superseded"
    assert str(second) in refused.value.message
    assert unchanged == [("superseded", second), ("superseded", third), ("active", None)]
    assert await statuses(desk, first, second, third) == [
        ("active", None),
        ("superseded", first),
        ("superseded", second),
    ]
    assert (await read(desk, first)).chain == (third, second, first)


async def test_any_of_a_chain_can_be_active_beside_the_newest(desk: Desk) -> None:
    first, second, third = await superseded(desk, KITCHEN, HALL, "The coffee machine is in the cellar.")

    await desk.unsupersede(first, keep_both=True)

    assert await statuses(desk, first, second, third) == [("active", None), ("superseded", third), ("active", None)]
    await desk.assert_counts_are_true()


async def test_an_active_memory_with_the_same_text_is_no_second_time_there(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    (other,) = await desk.tenant.remember_texts(KITCHEN)

    with pytest.raises(Conflict) as refused:
        await desk.unsupersede(old)

    assert refused.value.code == "duplicate_memory"
    assert str(other) in refused.value.fields["content"]
    assert await statuses(desk, old, new) == [("superseded", new), ("active", None)]
    await desk.assert_counts_are_true()


async def test_the_one_that_leaves_may_have_the_same_text(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    await desk.revise(new, content=KITCHEN)

    with pytest.raises(Conflict):
        await desk.unsupersede(old, keep_both=True)
    await desk.unsupersede(old)

    assert await statuses(desk, old, new) == [("active", None), ("superseded", old)]
    await desk.assert_counts_are_true()


@pytest.mark.parametrize("end", ["archived", "deleted", "erased"])
async def test_what_is_no_longer_active_stays_as_it_is(desk: Desk, end: str) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)
    if end == "archived":
        await desk.revise(new, status="archived")
    else:
        await desk.forget(new)
    if end == "erased":
        await desk.tenant.fetch("DELETE FROM memories WHERE memory_id = %s RETURNING 1", new)

    stored = await desk.unsupersede(old)

    rows = await desk.tenant.fetch("SELECT status FROM memories WHERE memory_id = %s", new)
    assert stored.memory.status == "active"
    assert rows == ([] if end == "erased" else [(end,)])
    await desk.assert_counts_are_true()


async def test_another_version_is_not_touched(desk: Desk) -> None:
    old, new = await superseded(desk, KITCHEN, HALL)

    with pytest.raises(VersionMismatch):
        await desk.unsupersede(old, version=2)
    still = await statuses(desk, old, new)
    await desk.unsupersede(old, version=1)

    assert still == [("superseded", new), ("active", None)]
    assert await statuses(desk, old, new) == [("active", None), ("superseded", old)]


async def test_only_a_superseded_memory_can_be_unsuperseded(desk: Desk) -> None:
    (archived,) = await desk.tenant.remember_texts(KITCHEN)
    await desk.revise(archived, status="archived")
    (deleted,) = await desk.tenant.remember_texts(HALL)
    await desk.forget(deleted)

    with pytest.raises(Conflict) as refused:
        await desk.unsupersede(archived)
    with pytest.raises(NotFound):
        await desk.unsupersede(deleted)

    assert refused.value.code == "not_superseded"


async def test_whoever_does_not_see_or_may_not_change_both_changes_nothing(desk: Desk) -> None:
    """A shared memory that was replaced by one of Ann's: Bob sees the first, and nothing says what the other is."""
    (shared,) = await desk.tenant.remember_texts(KITCHEN)
    (of_ann,) = await desk.tenant.remember_texts(HALL, supersedes=shared, user_id="ann")
    everybody = desk.tenant.principal
    bob, ann = (replace(everybody, sees_all=False, user_id=name) for name in ("bob", "ann"))
    before = await statuses(desk, shared, of_ann)

    with pytest.raises(NotFound):
        await desk.unsupersede(shared, principal=bob)
    with pytest.raises(NotFound):
        await desk.unsupersede(shared, principal=bob, keep_both=True)
    with pytest.raises(Forbidden) as read_only:
        await desk.unsupersede(shared, principal=replace(ann, end_user_required=True))
    with pytest.raises(NotFound):
        await desk.unsupersede(shared, principal=replace(everybody, environment="development"))
    unchanged = await statuses(desk, shared, of_ann)
    await desk.unsupersede(shared, principal=ann)

    assert read_only.value.code == "shared_read_only"
    assert unchanged == before == [("superseded", of_ann), ("active", None)]
    assert await statuses(desk, shared, of_ann) == [("active", None), ("superseded", shared)]


async def test_killed_between_it_has_done_nothing_and_the_next_time_everything(
    desk: Desk, migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    """Killed when the words of the newer memory have left the index, and its vector is to follow."""
    old, new = await superseded(desk, KITCHEN, HALL)
    before = await counters(desk)
    async with stopped(migrated, observer) as other:
        await other.hold(new, LOCK_VECTOR)
        reviser = replace(desk.reviser, life=PostgresMemoryLife(other.database))
        undoing = asyncio.ensure_future(replace(desk, reviser=reviser).unsupersede(old))
        await other.kill()
        with pytest.raises(StoreUnavailable):
            await undoing
        await other.holder.rollback()

    unchanged = await statuses(desk, old, new), await counters(desk), await desk.by_words("coffee")
    await desk.assert_counts_are_true()
    await desk.unsupersede(old)

    assert unchanged == ([("superseded", new), ("active", None)], before, {new})
    assert await statuses(desk, old, new) == [("active", None), ("superseded", old)]
    await desk.assert_counts_are_true()
