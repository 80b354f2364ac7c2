"""Changing what is remembered: the next search is right, earlier texts are kept, nothing is changed by two at once."""

import asyncio
from dataclasses import replace

import pytest

from local.servers import PostgresServer
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.identity.directory import configure_organization
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import Conflict, NotFound, RequestError, VersionMismatch
from tests.integration.engine.desk import Desk
from tests.integration.engine.later import LaterWork
from tests.integration.engine.tenant import MODEL, Tenant

COFFEE = "The coffee machine is in the kitchen."
TEA = "The kettle stands in the cellar."


async def test_a_new_text_is_a_new_version_of_the_same_memory_and_found_at_once(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.embed(identifier)

    stored = await desk.revise(identifier, content=TEA, summary="kettle")

    assert (stored.version, stored.memory.content, stored.memory.summary) == (2, TEA, "kettle")
    assert [(one.version, one.content, one.summary) for one in stored.versions] == [(1, COFFEE, None)]
    assert stored.embedding_state == "pending"
    assert await desk.by_words("coffee") == set()
    assert await desk.by_words("kettle") == {identifier}
    assert await desk.by_meaning(COFFEE) == set()
    assert await desk.hot() == {}
    assert desk.queue.messages == [{"org_id": str(desk.tenant.org_id), "memory_id": str(identifier)}]
    await desk.assert_counts_are_true()

    await desk.embed(identifier)

    assert await desk.by_meaning(TEA) == {identifier}
    await desk.assert_counts_are_true()


async def test_a_changed_text_is_redacted_too_and_what_is_restored_stays_as_it_was(
    desk: Desk, migrated: PostgresServer
) -> None:
    (before,) = await desk.tenant.remember_texts("Ann was ann@quokka.example.")
    await configure_organization(migrated.owner_url, desk.tenant.org_id, {"redact_pii": ["email"]})
    (identifier,) = await desk.tenant.remember_texts(COFFEE)

    changed = await desk.revise(identifier, content="Ask ann@quokka.example or bob@quokka.example.", summary="a@b.io")
    await desk.reviser.forget(before, desk.tenant.principal, LaterWork())
    restored = await desk.reviser.restore(before, desk.tenant.principal, LaterWork())

    assert (changed.memory.content, changed.memory.summary) == ("Ask [EMAIL] or [EMAIL].", "[EMAIL]")
    assert changed.redactions == {"email": 3}
    assert (restored.memory.content, restored.redactions) == ("Ann was ann@quokka.example.", {})


async def test_a_vector_of_the_text_before_never_comes_back(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    store = PostgresEmbeddingStore(desk.tenant.database)
    pending = await store.pending(desk.tenant.org_id, [identifier], MODEL)
    vectors = await HashEmbedder().embed([one.memory.content for one in pending])

    await desk.revise(identifier, content=TEA)
    report = await store.store(desk.tenant.org_id, pending, vectors, MODEL)

    assert report.memories == []
    assert await desk.by_meaning(COFFEE) == set()


async def test_other_fields_change_without_a_new_version_and_are_searched_by_at_once(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE, tags=("old",))
    await desk.embed(identifier)

    stored = await desk.revise(identifier, tags=["new"], category="preference", confidence=0.3)

    assert (stored.version, stored.embedding_state, stored.versions) == (1, "ready", ())
    assert await desk.by_meaning(COFFEE, Filters(tags=("new",), categories=("preference",))) == {identifier}
    assert await desk.by_meaning(COFFEE, Filters(tags=("old",))) == set()
    assert await desk.by_meaning(COFFEE, Filters(min_confidence=0.4)) == set()
    assert await desk.hot() == {}
    assert desk.queue.messages == []
    await desk.assert_counts_are_true()


async def test_a_memory_that_is_to_expire_in_the_past_is_gone_at_once(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.embed(identifier)

    await desk.revise(identifier, expires_at="2020-01-01")

    assert await desk.by_words("coffee") == set()
    assert await desk.by_meaning(COFFEE) == set()
    assert await desk.hot() == {}


async def test_an_archived_memory_leaves_every_search_and_comes_back(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.embed(identifier)

    archived = await desk.revise(identifier, status="archived")
    while_archived = await desk.by_words("coffee"), await desk.by_meaning(COFFEE), await desk.hot()
    await desk.assert_counts_are_true()
    again = await desk.revise(identifier, status="active")
    await desk.embed(identifier)

    assert archived.memory.status == "archived"
    assert while_archived == (set(), set(), {})
    assert again.memory.status == "active"
    assert await desk.by_words("coffee") == await desk.by_meaning(COFFEE) == {identifier}
    await desk.assert_counts_are_true()


async def test_the_text_of_another_active_memory_is_refused_and_named(desk: Desk) -> None:
    first, second = await desk.tenant.remember_texts(COFFEE, TEA)

    with pytest.raises(Conflict) as refused:
        await desk.revise(second, content=COFFEE)

    assert refused.value.code == "duplicate_memory"
    assert str(first) in refused.value.fields["content"]
    assert await desk.by_words("kettle") == {second}


async def test_another_end_users_memory_of_the_same_text_is_no_conflict(desk: Desk) -> None:
    await desk.tenant.remember_texts(COFFEE, user_id="bob")
    (of_ann,) = await desk.tenant.remember_texts(TEA, user_id="ann")

    assert (await desk.revise(of_ann, content=COFFEE)).version == 2


async def test_a_change_for_another_version_is_refused(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.revise(identifier, version=1, content=TEA)

    with pytest.raises(VersionMismatch):
        await desk.revise(identifier, version=1, content="Third.")

    assert (await desk.revise(identifier, version=2, content="Third.")).version == 3


async def test_changes_at_once_all_count_and_lose_nothing(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)

    changed = await asyncio.gather(
        desk.revise(identifier, content=TEA), desk.revise(identifier, tags=["a"]), desk.revise(identifier, summary="s")
    )
    stored = await PostgresMemories(desk.tenant.database).get(desk.tenant.principal, identifier)

    assert len(changed) == 3
    assert stored is not None
    assert (stored.memory.content, stored.memory.tags, stored.memory.summary) == (TEA, ("a",), "s")
    assert [one.version for one in stored.versions] == [1, 2]
    await desk.assert_counts_are_true()


async def test_a_superseded_memory_does_not_become_active_by_a_change(desk: Desk) -> None:
    (old,) = await desk.tenant.remember_texts(COFFEE)
    await desk.tenant.remember_texts(TEA, supersedes=old)

    with pytest.raises(Conflict) as refused:
        await desk.revise(old, status="active")

    assert refused.value.code == "superseded"


async def test_a_forgotten_memory_is_out_of_every_search_and_answers_as_if_it_were_none(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.embed(identifier)

    first = await desk.forget(identifier)
    second = await desk.forget(identifier)

    assert first.deleted_at is not None and first.deleted_at == second.deleted_at
    assert await desk.by_words("coffee") == await desk.by_meaning(COFFEE) == set()
    assert await desk.hot() == {}
    assert await PostgresMemories(desk.tenant.database).get(desk.tenant.principal, identifier) is None
    with pytest.raises(NotFound):
        await desk.revise(identifier, content=TEA)
    with pytest.raises(NotFound):
        await desk.reviser.rate(identifier, True, desk.tenant.principal, LaterWork())
    await desk.assert_counts_are_true()


async def test_a_restored_memory_is_found_by_its_words_at_once_and_hot_again_with_its_vector(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.embed(identifier)
    await desk.forget(identifier)

    stored = await desk.restore(identifier)
    by_words = await desk.by_words("coffee")
    await desk.embed(identifier)

    assert (stored.memory.status, stored.version, stored.deleted_at) == ("active", 1, None)
    assert by_words == {identifier}
    assert await desk.by_meaning(COFFEE) == {identifier}
    assert await desk.hot() == {identifier: COFFEE}
    await desk.assert_counts_are_true()


async def test_a_superseded_memory_comes_back_as_superseded(desk: Desk) -> None:
    (old,) = await desk.tenant.remember_texts(COFFEE)
    await desk.tenant.remember_texts(TEA, supersedes=old)
    await desk.forget(old)

    stored = await desk.restore(old)

    assert stored.memory.status == "superseded"
    assert await desk.by_words("coffee") == set()
    await desk.assert_counts_are_true()


async def test_what_was_remembered_anew_meanwhile_is_not_restored_beside_it(desk: Desk) -> None:
    (old,) = await desk.tenant.remember_texts(COFFEE)
    await desk.forget(old)
    (new,) = await desk.tenant.remember_texts(COFFEE)

    with pytest.raises(Conflict) as refused:
        await desk.restore(old)

    assert refused.value.code == "duplicate_memory"
    assert str(new) in refused.value.fields["content"]
    assert await desk.by_words("coffee") == {new}


async def test_a_memory_that_is_not_deleted_is_not_restored(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)

    with pytest.raises(Conflict) as refused:
        await desk.restore(identifier)

    assert refused.value.code == "not_deleted"


@pytest.mark.parametrize(("days", "comes_back"), [(6.9, True), (7.1, False)])
async def test_a_memory_can_be_restored_for_seven_days(desk: Desk, days: float, comes_back: bool) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    await desk.forget(identifier)
    desk.clock.seconds = days * 86_400

    try:
        restored = (await desk.restore(identifier)).memory.status == "active"
    except NotFound:
        restored = False

    assert restored is comes_back


async def test_an_end_user_changes_own_and_shared_memories_and_no_others(desk: Desk) -> None:
    (of_bob,) = await desk.tenant.remember_texts(COFFEE, user_id="bob")
    (shared,) = await desk.tenant.remember_texts(TEA)
    ann = replace(desk.tenant.principal, user_id="ann")
    refused: list[type[RequestError]] = []

    for attempt in (
        desk.revise(of_bob, principal=ann, tags=["x"]),
        desk.forget(of_bob, principal=ann),
        desk.reviser.rate(of_bob, True, ann, LaterWork()),
    ):
        with pytest.raises(NotFound) as raised:
            await attempt
        refused.append(type(raised.value))
    await desk.forget(of_bob)
    with pytest.raises(NotFound):
        await desk.restore(of_bob, principal=ann)

    assert len(refused) == 3
    assert (await desk.revise(shared, principal=ann, tags=["x"])).memory.tags == ("x",)


async def test_another_place_cannot_touch_a_memory(desk: Desk, stranger: Tenant) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    own = desk.tenant.principal

    for principal in (
        stranger.principal,
        replace(own, environment="development"),
        replace(own, project_id="other"),
    ):
        with pytest.raises(NotFound):
            await desk.revise(identifier, principal=principal, content=TEA)
        with pytest.raises(NotFound):
            await desk.forget(identifier, principal=principal)

    assert await desk.by_words("coffee") == {identifier}


async def test_feedback_counts_each_end_users_last_opinion_and_moves_the_quality(desk: Desk) -> None:
    (identifier,) = await desk.tenant.remember_texts(COFFEE)
    own = desk.tenant.principal
    ann, bob = replace(own, user_id="ann"), replace(own, user_id="bob")
    before = (await PostgresMemories(desk.tenant.database).get(own, identifier) or pytest.fail("gone")).memory.quality

    for principal, positive in ((ann, True), (ann, False), (bob, False), (own, False), (own, False)):
        rated = await desk.reviser.rate(identifier, positive, principal, LaterWork())

    stored = await PostgresMemories(desk.tenant.database).get(own, identifier) or pytest.fail("gone")
    assert (rated.positive_count, rated.negative_count) == (0, 4)
    assert (stored.memory.positive_count, stored.memory.negative_count) == (0, 4)
    assert stored.memory.quality < before
    assert await desk.tenant.fetch("SELECT count(*) FROM feedback") == [(4,)]
