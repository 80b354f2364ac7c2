"""Wishes to forget on the servers: from a conversation and from a request, of the end user's own memories alone."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.capture.selection import STATEMENT
from remembrancer.domain.capture.turns import NOT_WANTED, POSSIBLE_WISH, WISH
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Conflict, Forbidden, InvalidRequest, NotFound, StoreUnavailable
from remembrancer.ports.memories import Listing
from remembrancer.usecases.capture.forget import ForgetOutcome, Forgetter
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from tests.integration.engine.desk import desk_of
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.test_capture import Scene, assistant, scene_of, user
from tests.integration.engine.workers import forget_search

KEY = "The number of my lock key is 4711."
WISHED = "Please forget my key number."
DOG = "My dog Milo is afraid of the trams here."


@pytest.fixture
def scene(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Scene:
    return scene_of(tenant, redis, counter)


@pytest.fixture
async def at_once(tenant: Tenant, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, tenant.org_id, {"forget_at_once": True})


async def said(scene: Scene, *texts: str, user_id: str | None = "ada", session_id: str = "session") -> Any:
    """What the user and the assistant say in turn, captured; the conversation."""
    messages = [assistant(text[3:]) if text.startswith("A: ") else user(text) for text in texts]
    accepted = await scene.add(*messages, user_id=user_id, session_id=session_id)
    report = await scene.capture()
    assert report.failed == {}
    return accepted.conversation_id


async def proposed(scene: Scene) -> list[str]:
    found = await scene.memories.list(scene.principal, Listing(agent_id=scene.tenant.agent_id, forget_proposed=True))
    return [one.memory.content for one in found]


async def wished(scene: Scene, conversation_id: UUID) -> dict[str, Any]:
    """The outcome of the newest turn's wish."""
    (*_, turn) = await scene.turns(conversation_id)
    assert turn.forget is not None
    return dict(turn.forget)


async def test_what_may_be_a_wish_waits_for_review_and_deletes_nothing(scene: Scene, at_once: None) -> None:
    doubtful = "no need to know the locker number"

    await said(scene, DOG, session_id="another")
    conversation_id = await said(scene, doubtful)

    (turn,) = await scene.turns(conversation_id)
    waiting = await scene.memories.list(
        scene.principal, Listing(agent_id=scene.tenant.agent_id, status="pending_review")
    )
    assert (turn.state, turn.reason) == ("kept", POSSIBLE_WISH)
    assert await scene.contents() == [f"User: {DOG}"]
    assert [one.memory.content for one in waiting] == [f"User: {doubtful}"]
    assert turn.forget == {"outcome": "nothing_found", "forgotten": [], "proposed": []}


async def test_a_wish_that_its_words_alone_tell_deletes_nothing_at_once(scene: Scene, at_once: None) -> None:
    conversation_id = await said(scene, KEY, DOG)

    await said(scene, "Everything about my key number should go from your memory.")

    turns = await scene.turns(conversation_id)
    assert (turns[2].state, turns[2].reason) == ("dropped", WISH)
    assert turns[2].forget == {"outcome": "proposed", "forgotten": [], "proposed": [str(turns[0].memory_id)]}
    assert await scene.contents() == [f"User: {DOG}", f"User: {KEY}"]


async def test_a_wish_is_no_memory_and_proposes_what_it_is_about(scene: Scene) -> None:
    conversation_id = await said(scene, KEY, DOG)

    await said(scene, WISHED)

    turns = await scene.turns(conversation_id)
    assert await scene.contents() == [f"User: {DOG}", f"User: {KEY}"]
    assert (turns[2].state, turns[2].reason) == ("dropped", WISH)
    assert turns[2].forget == {"outcome": "proposed", "forgotten": [], "proposed": [str(turns[0].memory_id)]}
    assert await proposed(scene) == [f"User: {KEY}"]


class _Failing:
    """Serves WishReader while its model is damaged."""

    async def wishes(self, before: str, text: str) -> float:
        raise StoreUnavailable("damaged", cause="Damaged")


@pytest.mark.parametrize("reader", [None, _Failing()])
async def test_without_a_reader_words_tell_wishes(scene: Scene, reader: _Failing | None) -> None:
    scene = replace(scene, capturer=replace(scene.capturer, wish_reader=reader))

    conversation_id = await said(scene, KEY, WISHED, DOG)

    turns = await scene.turns(conversation_id)
    assert [turn.reason for turn in turns] == [STATEMENT, WISH, STATEMENT]


async def test_what_was_said_in_the_same_request_is_found_too(scene: Scene, at_once: None) -> None:
    conversation_id = await said(scene, KEY, DOG, WISHED)

    assert await scene.contents() == [f"User: {DOG}"]
    assert (await wished(scene, conversation_id))["outcome"] == "forgotten"


async def test_at_once_it_is_deleted_out_of_every_search_and_restored_within_its_time(
    scene: Scene, at_once: None, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(scene.tenant, redis, counter)
    await said(scene, KEY, DOG)
    await scene.embed()
    await said(scene, WISHED)
    gone = await scene.by_words("lock key number")

    (row,) = await scene.tenant.fetch("SELECT memory_id FROM memories WHERE status = 'deleted'")
    restored = await desk.reviser.restore(row[0], scene.principal, LaterWork())

    assert row[0] not in gone
    assert restored.memory.content == f"User: {KEY}"
    assert not restored.is_forget_proposed


async def test_a_message_that_comes_twice_deletes_nothing_that_was_restored(
    scene: Scene, at_once: None, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(scene.tenant, redis, counter)
    conversation_id = await said(scene, KEY, WISHED)
    (row,) = await scene.tenant.fetch("SELECT memory_id FROM memories WHERE status = 'deleted'")
    await desk.reviser.restore(row[0], scene.principal, LaterWork())

    await scene.capture(conversation_id, conversation_id)

    assert await scene.contents() == [f"User: {KEY}"]


async def test_refused_it_stays_and_deleted_it_is_not_proposed_any_more(
    scene: Scene, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(scene.tenant, redis, counter)
    await said(scene, KEY, DOG, WISHED, "Forget what I said about Milo.")
    ids = {
        content: memory_id for memory_id, content in await scene.tenant.fetch("SELECT memory_id, content FROM memories")
    }
    before = await proposed(scene)

    await desk.revise(ids[f"User: {KEY}"], forget_proposed=False)
    await desk.reviser.forget(ids[f"User: {DOG}"], scene.principal, LaterWork())
    await desk.reviser.restore(ids[f"User: {DOG}"], scene.principal, LaterWork())

    assert sorted(before) == [f"User: {DOG}", f"User: {KEY}"]
    assert await proposed(scene) == []
    assert await scene.contents() == [f"User: {DOG}", f"User: {KEY}"]
    with pytest.raises(InvalidRequest):
        await desk.revise(ids[f"User: {KEY}"], forget_proposed=True)


async def test_nobody_forgets_what_others_said_or_what_is_shared(scene: Scene, at_once: None) -> None:
    await said(scene, KEY, user_id="bob")
    await said(scene, KEY, user_id=None)

    evil = await said(scene, WISHED, "Forget what I said about Milo.", user_id="mallory")
    nobody = await said(scene, DOG, WISHED, user_id=None, session_id="another")

    assert await scene.contents() == [f"User: {DOG}", f"User: {KEY}", f"User: {KEY}"]
    assert [turn.forget and turn.forget["outcome"] for turn in await scene.turns(evil)] == ["nothing_found"] * 2
    assert (await wished(scene, nobody))["outcome"] == "nothing_found"


async def test_a_wish_is_about_what_was_said_before_it(scene: Scene, at_once: None) -> None:
    await scene.add(user(KEY, timestamp="2026-05-02T08:00:00Z"), user_id="ada", session_id="later")
    await scene.add(user(WISHED, timestamp="2026-05-01T08:00:00Z"), user_id="ada", session_id="earlier")
    await scene.capture()

    assert await scene.contents() == [f"User: {KEY}"]


async def test_what_else_a_turn_says_is_kept_without_the_wish(scene: Scene) -> None:
    await said(scene, KEY, f"{WISHED} {DOG}")

    assert await scene.contents() == [f"User: {DOG}", f"User: {KEY}"]


async def test_a_turn_that_is_not_to_be_saved_leaves_nothing_and_neither_does_the_answer(scene: Scene) -> None:
    conversation_id = await said(
        scene, DOG, "Don't save this: I am looking for another job.", "A: You are looking for another job: good luck!"
    )
    await said(scene, "Yes, exactly.")

    turns = await scene.turns(conversation_id)
    (row,) = await scene.tenant.fetch("SELECT content, context FROM memories")
    assert row == (f"User: {DOG}", None)
    assert [turn.reason for turn in turns[1:3]] == [NOT_WANTED, NOT_WANTED]
    assert [turn.text for turn in turns[1:3]] == ["", ""]


async def test_what_was_said_just_before_is_forgotten(scene: Scene, at_once: None) -> None:
    await said(scene, DOG, KEY, "A: Noted.")
    await said(scene, "Forget what I just said.")

    assert await scene.contents() == [f"User: {DOG}"]


async def test_a_memory_is_what_it_says_now_and_not_what_its_turn_said(
    scene: Scene, at_once: None, redis: RedisClient, counter: TiktokenCounter
) -> None:
    desk = desk_of(scene.tenant, redis, counter)
    await said(scene, KEY)
    (row,) = await scene.tenant.fetch("SELECT memory_id FROM memories")
    await desk.revise(row[0], content=DOG)

    conversation_id = await said(scene, WISHED)

    assert await scene.contents() == [DOG]
    assert (await wished(scene, conversation_id))["outcome"] == "nothing_found"


async def test_everything_is_not_forgotten_by_a_sentence(scene: Scene, at_once: None) -> None:
    conversation_id = await said(scene, KEY, "Forget everything you know about me.")

    assert await scene.contents() == [f"User: {KEY}"]
    assert (await wished(scene, conversation_id))["outcome"] == "everything"


async def test_sealed_texts_are_understood_and_removed(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter, aws_server: AwsServer, at_once: None
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    scene = scene_of(tenant, redis, counter, ring=vault.ring)

    await said(scene, KEY, DOG, WISHED, "Don't save this: I am looking for another job.")

    rows = await tenant.fetch("SELECT status FROM memories ORDER BY status")
    texts = await tenant.fetch("SELECT sealed IS NULL, content IS NULL FROM conversation_turns ORDER BY number")
    assert rows == [("active",), ("deleted",)]
    assert texts == [(False, True)] * 3 + [(True, True)]


async def test_a_named_speaker_only_proposes(scene: Scene, at_once: None) -> None:
    await said(scene, KEY)
    await scene.add(user(WISHED, name="Mallory"), user_id="ada")
    await scene.capture()

    assert await scene.contents() == [f"User: {KEY}"]
    assert await proposed(scene) == [f"User: {KEY}"]


async def test_an_agreement_is_kept_until_the_next_turn_rejects_it(scene: Scene) -> None:
    booked = "Booked for Saturday 28 November at 10:00."
    conversation_id = await said(scene, "Can you fix my wheel?", f"A: {booked}")
    before = await scene.contents()

    await said(scene, "No, Saturday doesn't work for me.")

    turns = await scene.turns(conversation_id)
    assert before == [f"Assistant: {booked}"]
    assert f"Assistant: {booked}" not in await scene.contents()
    assert (turns[1].state, turns[1].reason) == ("dropped", "rejected")
    assert turns[1].forget == {"outcome": "forgotten", "forgotten": [str(turns[1].memory_id)], "proposed": []}


async def test_a_rejected_agreement_without_an_end_user_is_deleted_too(scene: Scene) -> None:
    """It is of this conversation, as nothing else that is shared."""
    booked = "Booked for Saturday 28 November at 10:00."
    other = "Booked for Monday 30 November at 16:00."
    await said(scene, f"A: {other}", user_id=None, session_id="another")
    conversation_id = await said(scene, f"A: {booked}", user_id=None)
    before = await scene.contents()

    await said(scene, "No, Saturday doesn't work for me.", user_id=None)

    turns = await scene.turns(conversation_id)
    assert before == [f"Assistant: {other}", f"Assistant: {booked}"]
    assert (turns[0].state, turns[0].reason) == ("dropped", "rejected")
    assert [content for content in await scene.contents() if content in before] == [f"Assistant: {other}"]


async def test_what_happened_last_week_has_the_days_of_that_week(scene: Scene) -> None:
    await scene.add(user("I saw Ana last week.", timestamp="2026-11-27T12:00:00Z"), user_id="ada")
    await scene.capture()

    (row,) = await scene.tenant.fetch(
        "SELECT content, occurred_from::date::text, occurred_to::date::text FROM memories"
    )
    assert row == ("User: I saw Ana last week.", "2026-11-16", "2026-11-23")


# POST /v1/forget


@pytest.fixture
def forgetter(scene: Scene) -> Forgetter:
    tenant = scene.tenant
    return Forgetter(
        search=forget_search(tenant.database),
        memories=MemoryReader(PostgresMemories(tenant.database), Keyless()),
        life=PostgresMemoryLife(tenant.database),
        directory=PostgresDirectory(tenant.database),
        announcer=Announcer(RedisAgentCache(scene.redis), SentMessages()),
    )


async def asked(
    scene: Scene,
    forgetter: Forgetter,
    text: str,
    *,
    user_id: str | None = "ada",
    principal: Principal | None = None,
    once: Once | None = None,
    **fields: Any,
) -> ForgetOutcome:
    body = {"agent_id": str(scene.tenant.agent_id), "text": text, **fields}
    body |= {} if user_id is None else {"user_id": user_id}
    return await forgetter.forget(body, principal or replace(scene.principal, sees_all=False), LaterWork(), once=once)


def shown(outcome: ForgetOutcome) -> list[tuple[str, str, bool]]:
    return [(stored.memory.content, stored.memory.status, match.is_sure) for stored, match in outcome.memories]


async def test_a_sentence_or_its_topic_deletes_what_it_is_surely_about(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY, DOG)
    await scene.embed()

    tried = await asked(scene, forgetter, WISHED, dry_run=True)
    untouched = await scene.contents()
    sentence = await asked(scene, forgetter, WISHED)
    topic = await asked(scene, forgetter, "my dog Milo")
    nothing = await asked(scene, forgetter, "Forget my passport.")

    assert (tried.outcome, tried.topics) == ("forgotten", ["my key number"])
    assert shown(tried) == [(f"User: {KEY}", "active", True)]
    assert untouched == [f"User: {DOG}", f"User: {KEY}"]
    assert shown(sentence) == [(f"User: {KEY}", "deleted", True)]
    assert shown(topic) == [(f"User: {DOG}", "deleted", True)]
    assert (nothing.outcome, shown(nothing)) == ("nothing_found", [])


async def test_what_is_in_doubt_is_proposed(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY, "The number of my house is 12.")

    outcome = await asked(scene, forgetter, "Forget my number.")

    assert outcome.outcome == "proposed"
    assert {status for _, status, _ in shown(outcome)} == {"active"}
    assert len(await proposed(scene)) == 2


async def test_without_an_end_user_nothing_is_forgotten(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY)

    for user_id in (None, "*", " "):
        with pytest.raises((InvalidRequest, Forbidden)):
            await asked(scene, forgetter, WISHED, user_id=user_id)

    assert await scene.contents() == [f"User: {KEY}"]


@pytest.mark.parametrize("dry_run", [True, False])
async def test_who_may_only_write_reads_nothing_by_forgetting(
    scene: Scene, forgetter: Forgetter, dry_run: bool
) -> None:
    await said(scene, KEY)
    writing = replace(scene.principal, sees_all=False, scopes=frozenset({"write"}))

    with pytest.raises(Forbidden) as refused:
        await asked(scene, forgetter, WISHED, principal=writing, dry_run=dry_run)

    assert refused.value.code == "missing_scope"
    assert await scene.contents() == [f"User: {KEY}"]


async def test_other_end_users_agents_and_organizations_are_never_touched(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY, user_id="bob")
    await said(scene, KEY, user_id=None)

    outcome = await asked(scene, forgetter, WISHED, user_id="mallory")
    with pytest.raises(NotFound):
        await asked(scene, forgetter, WISHED, user_id="bob", agent_id=str(uuid4()))

    assert (outcome.outcome, shown(outcome)) == ("nothing_found", [])
    assert await scene.contents() == [f"User: {KEY}"] * 2


async def test_the_statement_itself_leaves_memories_of_others_alone(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY, user_id="bob")
    await said(scene, KEY, user_id=None)
    ids = tuple(row[0] for row in await scene.tenant.fetch("SELECT memory_id FROM memories"))
    ada = replace(scene.principal, sees_all=False, user_id="ada")

    deleted = await forgetter.life.forget_all(ada, scene.tenant.agent_id, Forgetting(0, deleted=ids))
    marked = await forgetter.life.forget_all(ada, scene.tenant.agent_id, Forgetting(0, proposed=ids))
    with pytest.raises(Forbidden):
        await forgetter.life.forget_all(scene.principal, scene.tenant.agent_id, Forgetting(0, deleted=ids))

    assert (deleted.deleted, marked.proposed) == ([], [])
    assert await scene.contents() == [f"User: {KEY}"] * 2


async def test_a_repeated_request_gets_the_same_and_changes_nothing(scene: Scene, forgetter: Forgetter) -> None:
    await said(scene, KEY)
    once = Once(b"k" * 32, b"r" * 32)
    first = await asked(scene, forgetter, WISHED, once=once)
    await said(scene, "My key number is 4712, too.", session_id="another")

    again = await asked(scene, forgetter, WISHED, once=once)

    assert shown(again) == shown(first) == [(f"User: {KEY}", "deleted", True)]
    assert await scene.contents() == ["User: My key number is 4712, too."]
    with pytest.raises(Conflict):
        await asked(scene, forgetter, "Forget Milo.", once=Once(b"k" * 32, b"o" * 32))


async def test_everything_or_nothing_is_refused_with_the_field(scene: Scene, forgetter: Forgetter) -> None:
    for text in ("Forget everything about me.", "Don't save this.", "Forget what I just said.", ""):
        with pytest.raises(InvalidRequest) as refused:
            await asked(scene, forgetter, text)
        assert "text" in refused.value.fields
