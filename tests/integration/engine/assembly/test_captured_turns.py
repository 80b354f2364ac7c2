"""The turns of assembled requests become memories, where the operator wants it and the credential may write."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from local.servers import PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.onnx_reader import OnnxReader
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.capture.assembled import MESSAGES
from remembrancer.domain.identity.scope import EndUser
from remembrancer.errors import StoreUnavailable
from remembrancer.usecases.capture.corrections import Corrections
from remembrancer.usecases.capture.echoes import Echoes
from remembrancer.usecases.capture.pending_turns import CaptureMessage, Capturer
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.precomputation import Deriver
from tests.builders import message
from tests.integration.engine.assembly.bench import COFFEE, TEA, Bench, injected
from tests.integration.engine.conversations import stored_at
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.workers import forget_search

PACKAGED = OnnxEmbedder(StackSettings().models)
LISBON = "I moved to Lisbon in May."
TURNS = """
    SELECT t.number, t.role, t.content, c.user_id, c.session_id FROM conversation_turns t
    JOIN conversations c USING (conversation_id) ORDER BY c.created_at, t.number"""


@pytest.fixture
async def capturing(bench: Bench) -> Bench:
    """The bench, with an agent whose requests are captured."""
    switched = await PostgresDirectory(bench.tenant.database).switch(
        bench.tenant.principal, bench.tenant.agent_id, capture=True
    )
    assert switched is not None
    assert (switched.capture, switched.enabled) == (True, True)
    return bench


async def assembled(bench: Bench, *messages: Any, user_id: str | None = "ann", **changes: Any) -> list[Any]:
    """The messages for the model, after all that is done after the response."""
    later = LaterWork()
    principal = changes.pop("principal", bench.tenant.principal)
    request = bench.request(messages=list(messages), end_user=EndUser(user_id), **changes)
    assembly = await bench.assemble(request, principal=principal, later=later)
    if "capture" in later.names:
        await later.do("capture")
    return list(assembly.messages)


async def turns(bench: Bench) -> list[tuple[Any, ...]]:
    return await bench.tenant.fetch(TURNS)


async def said(bench: Bench) -> list[str]:
    return [row[2] for row in await turns(bench)]


async def test_the_turn_of_a_request_is_stored_for_its_end_user_after_the_response(capturing: Bench) -> None:
    await assembled(capturing, message("Be kind.", role="system"), message(LISBON), session_id="chat")
    history = message(LISBON), message("How nice!", role="assistant"), message("Since then it rains.")

    await assembled(capturing, *history, session_id="chat")

    texts = [LISBON, "How nice!", "Since then it rains."]
    roles = ["user", "assistant", "user"]
    assert await turns(capturing) == [
        (number, role, text, "ann", "chat") for number, (role, text) in enumerate(zip(roles, texts, strict=True), 1)
    ]
    (conversation,) = {one["conversation_id"] for one in capturing.captures.messages}
    assert [one["user_id"] for one in capturing.captures.messages] == ["ann"] * 2
    assert conversation is not None


async def test_of_an_agent_that_is_not_switched_on_nothing_is_captured(bench: Bench) -> None:
    later = LaterWork()

    await bench.assemble(bench.request(messages=[message(LISBON)], end_user=EndUser("ann")), later=later)

    assert "capture" not in later.names
    assert await turns(bench) == []


async def test_the_switch_holds_at_once_whatever_caches_know(capturing: Bench) -> None:
    await assembled(capturing, message(LISBON))
    directory = PostgresDirectory(capturing.tenant.database)
    await directory.switch(capturing.tenant.principal, capturing.tenant.agent_id, capture=False)

    await assembled(capturing, message("I have a goose."))

    assert await said(capturing) == [LISBON]


async def test_capture_is_independent_of_the_switch_of_memories(capturing: Bench) -> None:
    directory = PostgresDirectory(capturing.tenant.database)
    switched = await directory.switch(capturing.tenant.principal, capturing.tenant.agent_id, enabled=False)
    assert switched is not None

    answer = await assembled(capturing, message(LISBON))

    assert (switched.enabled, switched.capture) == (False, True)
    assert COFFEE not in str(answer)
    assert await said(capturing) == [LISBON]


@pytest.mark.parametrize(
    ("scopes", "user_id", "is_captured"),
    [
        ({"assemble"}, "ann", False),
        ({"assemble", "query"}, "ann", False),
        ({"assemble", "write"}, "ann", True),
        ({"admin"}, "ann", True),
        ({"assemble", "write"}, None, False),
        ({"admin"}, None, False),
    ],
)
async def test_a_credential_captures_what_it_may_write_and_for_an_end_user_only(
    capturing: Bench, scopes: set[str], user_id: str | None, is_captured: bool
) -> None:
    principal = replace(capturing.tenant.principal, scopes=frozenset(scopes), sees_all=False)

    answer = await assembled(capturing, message(LISBON), user_id=user_id, principal=principal)

    assert len(answer) > 1
    assert await said(capturing) == ([LISBON] if is_captured else [])
    assert capturing.notes == ([] if is_captured else ["CaptureNotAllowed"])


async def test_a_credential_of_one_end_user_captures_for_that_one(capturing: Bench) -> None:
    own = replace(capturing.tenant.principal, sees_all=False, user_id="bob", user_is_fixed=True)

    await assembled(capturing, message(LISBON), user_id="bob", principal=own)

    assert [row[3] for row in await turns(capturing)] == ["bob"]


async def test_sub_turns_and_messages_of_systems_and_tools_are_not_captured(capturing: Bench) -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    started = [message("Be kind.", role="system"), message(LISBON)]
    working = [*started, call, message("SECRET", role="tool", tool_call_id="1")]
    done = [*working, message("It rains there.", role="assistant"), message("Yes, I know.")]

    for messages in (started, working, done):
        await assembled(capturing, *messages, session_id="chat")

    assert await said(capturing) == [LISBON, "It rains there.", "Yes, I know."]


async def test_of_a_long_history_the_end_is_captured_and_a_missed_turn_with_the_next(capturing: Bench) -> None:
    history = [message(f"I own {number} geese.", role="assistant" if number % 2 else "user") for number in range(41)]

    await assembled(capturing, *history[:39], session_id="chat")
    await assembled(capturing, *history, session_id="chat")

    assert await said(capturing) == [f"I own {number} geese." for number in range(39 - MESSAGES, 41)]


async def test_without_a_session_the_requests_of_a_chat_are_one_conversation(capturing: Bench) -> None:
    await assembled(capturing, message(LISBON))
    await assembled(capturing, message(LISBON), message("How nice!", role="assistant"), message("It rains."))
    await assembled(capturing, message("I have a goose."))
    await assembled(capturing, message(LISBON), user_id="bob")

    rows = await turns(capturing)
    assert [row[2] for row in rows] == [LISBON, "How nice!", "It rains.", "I have a goose.", LISBON]
    assert len({row[4] for row in rows[:3]}) == 1
    assert len({(row[3], row[4]) for row in rows}) == 3


async def test_personal_data_is_redacted_before_a_turn_is_stored(capturing: Bench, migrated: PostgresServer) -> None:
    settings = {"redact_pii": ["email"]}
    await configure_organization(migrated.owner_url, capturing.tenant.org_id, settings)

    await assembled(capturing, message("Write to ann@example.com."))

    assert await said(capturing) == ["Write to [EMAIL]."]


async def test_where_the_queue_or_the_store_fails_the_answer_is_as_without_capture(capturing: Bench) -> None:
    class Down:
        async def send(self, messages: Any) -> None:
            raise StoreUnavailable("The queue is down", cause="Down")

    intake = capturing.assembler.turns.intake()
    turns_of = replace(capturing.assembler.turns, intake=lambda: replace(intake, capture_queue=Down()))
    failing = replace(capturing, assembler=replace(capturing.assembler, turns=turns_of))

    with pytest.raises(StoreUnavailable):
        await assembled(failing, message(LISBON))

    # Maintenance queues the conversation again.
    assert await capturing.tenant.fetch("SELECT pending FROM conversations") == [(1,)]


async def test_a_quota_that_is_used_up_is_noted(capturing: Bench, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, capturing.tenant.org_id, {"quotas": {"memories": 2}})

    await assembled(capturing, message(LISBON))

    assert await said(capturing) == []
    assert capturing.notes == ["CaptureRefused"]


async def test_a_message_of_which_the_middle_is_left_out_is_noted(capturing: Bench) -> None:
    middle = "The tenant shall keep the stairs clean. " * 4000

    await assembled(capturing, message(f"{LISBON} {middle} My locker code is 4417."))

    stored = await said(capturing)
    assert stored[0].startswith(LISBON)
    assert stored[-1].endswith("My locker code is 4417.")
    assert capturing.notes == ["CaptureCut"]


async def test_the_times_of_messages_count(capturing: Bench) -> None:
    await assembled(capturing, message(LISBON, timestamp="2024-05-01T08:00:00Z"), message("It rains.", time="soon"))

    times = await capturing.tenant.fetch("SELECT observed_at FROM conversation_turns ORDER BY number")
    assert times[0][0] == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert times[1][0].year > 2024


async def test_what_is_so_is_one_memory_on_three_days_and_what_happens_three(
    capturing: Bench, counter: TiktokenCounter
) -> None:
    for day in (1, 8, 15):
        for text in ("I am vegan.", "I went running."):
            said_at = f"2026-03-{day:02}T08:00:00Z"
            await assembled(capturing, message(text, timestamp=said_at), session_id=f"{text} {day}")
    await capture_queued(capturing, counter)

    rows = await capturing.tenant.fetch(
        "SELECT content, category, created_at::date::text FROM memories WHERE provenance IS NOT NULL ORDER BY 1, 3"
    )
    assert rows == [
        ("User: I am vegan.", "factual", "2026-03-01"),
        ("User: I went running.", "episodic", "2026-03-01"),
        ("User: I went running.", "episodic", "2026-03-08"),
        ("User: I went running.", "episodic", "2026-03-15"),
    ]


async def capture_queued(bench: Bench, counter: TiktokenCounter) -> list[UUID]:
    """Captures what was queued, embeds it, and returns the new memories."""
    tenant, stemmer = bench.tenant, SnowballStemmer()
    embed = SentMessages()
    search = PostgresSearch(tenant.database, model="")
    capturer = Capturer(
        conversations=PostgresConversations(tenant.database),
        directory=bench.assembler.directory,
        opener=Keyless(),
        deriver=Deriver(counter, stemmer, Keyless()),
        cache=RedisAgentCache(bench.redis),
        embed_queue=embed,
        forget_search=lambda: forget_search(tenant.database),
        echoes=Echoes(search, stemmer, Keyless(), SystemClock()),
        corrections=Corrections(search, HashEmbedder(), PACKAGED, stemmer, Keyless(), SystemClock()),
        wish_reader=OnnxReader(PACKAGED),
    )
    wanted = [CaptureMessage(tenant.org_id, UUID(one["conversation_id"])) for one in bench.captures.messages]
    bench.captures.messages.clear()
    report = await capturer.capture(wanted)
    assert report.failed == {}
    new = [UUID(one["memory_id"]) for one in embed.messages]
    await tenant.embed(new)
    return new


async def test_fifty_turns_that_come_back_with_what_was_injected_leave_no_copy_of_a_memory(
    capturing: Bench, counter: TiktokenCounter
) -> None:
    """The client's history is what assembly returned; the model repeats what it was given, and the user agrees."""
    tenant = capturing.tenant
    await PostgresDirectory(tenant.database).put_directive(tenant.org_id, tenant.agent_id, "Never lie.", "user_prepend")
    before = {row[0] for row in await tenant.fetch("SELECT content FROM memories")}
    history: list[Any] = []
    own = []
    seen = set()
    for number in range(50):
        text = f"Where is the coffee machine number {number}? I own {number} geese."
        text = "Yes, exactly." if number % 5 == 4 else text
        own.append(text)
        history = await assembled(capturing, *history, message(text), session_id="chat")
        seen |= {known for known in (COFFEE, TEA) if known in str(history[-2:])}
        history.append(message(f"I remember: {COFFEE}" if number % 2 else COFFEE, role="assistant"))
        await capture_queued(capturing, counter)

    memories = [row[0] for row in await tenant.fetch("SELECT content FROM memories")]
    new = [content for content in memories if content not in before]
    assert COFFEE in seen, "nothing was injected that could come back"
    assert before <= set(memories)
    assert [content for content in new if COFFEE in content or TEA in content or "Never lie" in content] == []
    assert len(new) == len(set(new)) == sum("geese" in text for text in own)
    assert {row[0] for row in await tenant.fetch("SELECT reason FROM conversation_turns WHERE role = 'assistant'")} <= {
        "assistant",
        "echo",
    }


async def test_what_was_captured_is_injected_for_its_end_user_only(capturing: Bench, counter: TiktokenCounter) -> None:
    await assembled(capturing, message(LISBON))
    await capture_queued(capturing, counter)

    answers = {}
    for user in ("ann", "bob"):
        request = capturing.request(messages=[message("Who moved to Lisbon in May?")], end_user=EndUser(user))
        answers[user] = injected(await capturing.assemble(request))

    assert LISBON in answers["ann"]
    assert LISBON not in answers["bob"]


async def test_a_history_that_comes_back_after_its_texts_were_removed_is_not_captured_again(
    capturing: Bench, counter: TiktokenCounter
) -> None:
    """What was forgotten on request since would otherwise come back as new."""
    tenant = capturing.tenant
    await assembled(capturing, message(LISBON), session_id="chat")
    await capture_queued(capturing, counter)
    ((conversation_id,),) = await tenant.fetch("SELECT conversation_id FROM conversations")
    await stored_at(tenant, conversation_id, SystemClock().now() - timedelta(days=31))
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE memories SET status = 'deleted' WHERE provenance IS NOT NULL")
    await PostgresUpkeep(tenant.database).forget(tenant.org_id, SystemClock().now(), 10)

    await assembled(capturing, message(LISBON), message("I have a goose."), session_id="chat")
    await capture_queued(capturing, counter)

    assert await said(capturing) == [None, "I have a goose."]
    captured = await tenant.fetch("SELECT content, context, status FROM memories WHERE provenance IS NOT NULL")
    assert sorted((row[0], row[2]) for row in captured) == [
        ("User: I have a goose.", "active"),
        (f"User: {LISBON}", "deleted"),
    ]
    # A turn without text is nobody's context.
    assert {row[1] for row in captured if row[2] == "active"} == {None}
