"""Memories of a model that wait for approval: approving them does what was proposed, once; rejecting them nothing."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import configure_organization
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.memories import ConflictPage
from tests.integration.engine.desk import Desk
from tests.integration.engine.locks import LOCK_VECTOR, stopped
from tests.integration.engine.test_capture import scene_of, user
from tests.integration.engine.test_extraction import YORK as TURN
from tests.integration.engine.test_extraction import answer, known, reading, span

LEEDS, YORK = "User: I live in Leeds.", "User: I live in York."
CHOSEN = {"supersede": "I live in York.", "contradict": "The stairs are swept on Mondays."}
Pair = tuple[UUID, UUID]


async def captured(desk: Desk, redis: RedisClient, counter: TiktokenCounter, action: str = "supersede") -> Pair:
    """A memory, and one that a model has chosen, which corrects it, for certain or not."""
    plain = scene_of(desk.tenant, redis, counter)
    (older,) = await known(plain, LEEDS)
    async with reading(plain) as (scene, chat):
        await scene.add(user(TURN), user_id="ada")
        chat.instead = answer(span(CHOSEN[action], corrects="m1"))
        await scene.capture()
    chosen = "SELECT memory_id FROM memories WHERE provenance -> 'captured_by' ->> 'model' = 'small'"
    ((newer,),) = await desk.tenant.fetch(chosen)
    return older, newer


@pytest.fixture(params=["supersede"])
async def waiting(
    desk: Desk, migrated: PostgresServer, redis: RedisClient, counter: TiktokenCounter, request: pytest.FixtureRequest
) -> Pair:
    """Captured where memories of a model wait for approval."""
    await configure_organization(migrated.owner_url, desk.tenant.org_id, {"capture_review": True})
    return await captured(desk, redis, counter, request.param)


CONTRADICTS = pytest.mark.parametrize("waiting", ["contradict"], indirect=True)


async def read(desk: Desk, memory_id: UUID) -> StoredMemory:
    stored = await PostgresMemories(desk.tenant.database).get(desk.tenant.principal, memory_id, deleted=True)
    assert stored is not None
    return stored


async def proposed(desk: Desk, memory_id: UUID) -> dict[str, Any]:
    provenance = (await read(desk, memory_id)).provenance
    assert provenance is not None
    return dict(provenance["proposed"])


async def found(desk: Desk, pair: Pair) -> set[UUID]:
    """Which of the two are found by words; the memory of the rules may be, too."""
    return await desk.by_words("live") & set(pair)


async def statuses(desk: Desk, *memory_ids: UUID) -> list[str]:
    return [(await read(desk, one)).memory.status for one in memory_ids]


async def conflicts(desk: Desk) -> list[Pair]:
    page = ConflictPage(desk.tenant.agent_id, 10)
    found, _ = await PostgresConflicts(desk.tenant.database).list(desk.tenant.principal, page)
    return [(one.older, one.newer) for one in found]


async def test_what_waits_has_done_nothing_yet(desk: Desk, waiting: Pair) -> None:
    older, newer = waiting

    assert await statuses(desk, older, newer) == ["active", "pending_review"]
    assert await proposed(desk, newer) == {"action": "supersede", "target": str(older), "version": 1}
    assert await found(desk, (older, newer)) == {older}


async def test_an_approved_memory_supersedes_what_it_was_to_supersede(desk: Desk, waiting: Pair) -> None:
    older, newer = waiting

    approved = await desk.revise(newer, status="active")
    at_once = await found(desk, waiting), await desk.by_meaning(LEEDS)
    await desk.embed(newer)

    assert (approved.memory.status, approved.memory.supersedes, approved.chain) == ("active", older, (older, newer))
    assert (await read(desk, older)).superseded_by == newer
    assert (await proposed(desk, newer))["outcome"] == "superseded"
    assert at_once == ({newer}, set())
    assert await desk.hot() == {newer: YORK}
    await desk.assert_counts_are_true()


async def test_what_an_approval_superseded_is_brought_back(desk: Desk, waiting: Pair) -> None:
    older, newer = waiting
    await desk.revise(newer, status="active")

    await desk.unsupersede(older)

    assert await statuses(desk, older, newer) == ["active", "superseded"]
    assert await found(desk, (older, newer)) == {older}
    await desk.assert_counts_are_true()


async def test_what_a_model_superseded_without_approval_is_brought_back(
    desk: Desk, redis: RedisClient, counter: TiktokenCounter
) -> None:
    older, newer = await captured(desk, redis, counter)
    before = await statuses(desk, older, newer)

    await desk.unsupersede(older)

    assert before == ["superseded", "active"]
    assert await statuses(desk, older, newer) == ["active", "superseded"]
    assert await found(desk, (older, newer)) == {older}
    await desk.assert_counts_are_true()


@CONTRADICTS
async def test_an_approved_memory_contradicts_what_it_was_to_contradict(desk: Desk, waiting: Pair) -> None:
    older, newer = waiting

    approved = await desk.revise(newer, status="active")

    assert await statuses(desk, older, newer) == ["active", "active"]
    assert approved.memory.contradicts == (older,)
    assert await conflicts(desk) == [(older, newer)]
    assert (await proposed(desk, newer))["outcome"] == "related"
    await desk.assert_counts_are_true()


@pytest.mark.parametrize("changed", ["the other's text", "its own text", "its own text with the approval"])
async def test_a_text_that_changed_meanwhile_supersedes_nothing_but_may_contradict(
    desk: Desk, waiting: Pair, changed: str
) -> None:
    older, newer = waiting
    with_it: dict[str, Any] = {"status": "active"}
    if changed == "the other's text":
        await desk.revise(older, content="User lives in Leeds again.")
    elif changed == "its own text":
        await desk.revise(newer, content="User lives in New York.")
    else:
        with_it["content"] = "User lives in New York."

    await desk.revise(newer, **with_it)

    assert await statuses(desk, older, newer) == ["active", "active"]
    assert await conflicts(desk) == [(older, newer)]
    assert (await proposed(desk, newer))["outcome"] == "related"
    await desk.assert_counts_are_true()


@pytest.mark.parametrize("end", ["forgotten", "superseded", "archived"])
async def test_what_is_gone_meanwhile_is_left_alone(desk: Desk, waiting: Pair, end: str) -> None:
    older, newer = waiting
    if end == "forgotten":
        await desk.forget(older)
    elif end == "archived":
        await desk.revise(older, status="archived")
    else:
        await desk.tenant.remember_texts("User lives in Hull.", supersedes=older, user_id="ada")
    before = await statuses(desk, older)

    approved = await desk.revise(newer, status="active")

    assert (approved.memory.status, approved.memory.supersedes) == ("active", None)
    assert await statuses(desk, older) == before
    assert (await proposed(desk, newer))["outcome"] == "nothing"
    await desk.assert_counts_are_true()


async def test_a_rejected_memory_leaves_all_as_it_was(desk: Desk, waiting: Pair) -> None:
    """Also when it is restored, and when it is changed while it waits."""
    older, newer = waiting
    before = await read(desk, older)

    await desk.revise(newer, tags=["checked"])
    await desk.forget(newer)
    restored = await desk.restore(newer)

    assert restored.memory.status == "pending_review"
    assert await read(desk, older) == before
    assert "outcome" not in await proposed(desk, newer)
    await desk.assert_counts_are_true()


async def test_two_approvals_at_once_supersede_once(desk: Desk, waiting: Pair) -> None:
    older, newer = waiting
    ((before,),) = await desk.tenant.fetch("SELECT removals FROM agents")

    done = await asyncio.gather(*(desk.revise(newer, status="active") for _ in range(3)))

    ((after,),) = await desk.tenant.fetch("SELECT removals FROM agents")
    assert {one.memory.supersedes for one in done} == {older}
    assert await statuses(desk, older, newer) == ["superseded", "active"]
    assert after > before
    await desk.assert_counts_are_true()


async def test_killed_between_nothing_is_approved_and_the_next_time_all_of_it(
    desk: Desk, waiting: Pair, migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    """Killed when the memory is active, and the vector of the other one is to leave."""
    older, newer = waiting
    async with stopped(migrated, observer) as other:
        await other.hold(older, LOCK_VECTOR)
        reviser = replace(desk.reviser, life=PostgresMemoryLife(other.database))
        approving = asyncio.ensure_future(replace(desk, reviser=reviser).revise(newer, status="active"))
        await other.kill()
        with pytest.raises(StoreUnavailable):
            await approving
        await other.holder.rollback()

    unchanged = await statuses(desk, older, newer), await found(desk, waiting)
    await desk.assert_counts_are_true()
    await desk.revise(newer, status="active")

    assert unchanged == (["active", "pending_review"], {older})
    assert await statuses(desk, older, newer) == ["superseded", "active"]
    await desk.assert_counts_are_true()
