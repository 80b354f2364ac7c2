"""Conversations on the servers: stored, made memories of, found by words at once and by meaning soon."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer, PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.adapters.models.onnx_reader import OnnxReader
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory, configure_organization
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.capture.selection import ANSWERED, ASSISTANT, NO_STATEMENT, RULES, STATEMENT
from remembrancer.domain.capture.turns import Conversation, Turn
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import Conflict, Forbidden, InvalidRequest, NotFound, QuotaExceeded, StoreUnavailable
from remembrancer.ports.encryption import Cipher
from remembrancer.usecases.capture.add import ConversationIntake, IntakeReceipt
from remembrancer.usecases.capture.corrections import Corrections
from remembrancer.usecases.capture.echoes import Echoes
from remembrancer.usecases.capture.pending_turns import CaptureMessage, Capturer, Report
from remembrancer.usecases.capture.read import ConversationReader
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.embed import EmbedMessage
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from tests.builders import MODELS, SetClock
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import forget_search, maintenance, memory_embedder

PACKAGED = OnnxEmbedder(StackSettings().models)
GHENT = "I moved to Ghent last month to work at the harbour."
ASKED = "Shall I look for a dentist in Ghent who speaks English?"
YES = "Yes, please do."
DOG = "My dog Milo is afraid of the trams here."


def user(content: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def assistant(content: str) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


@dataclass(frozen=True, slots=True)
class Scene:
    """One warm instance of the functions that store conversations and decide on their turns."""

    tenant: Tenant
    intake: ConversationIntake
    capturer: Capturer
    reader: ConversationReader
    memories: MemoryReader
    redis: RedisClient
    capture_queue: SentMessages
    embed_queue: SentMessages

    @property
    def principal(self) -> Principal:
        return self.tenant.principal

    async def add(
        self, *messages: Mapping[str, Any], principal: Principal | None = None, **fields: Any
    ) -> IntakeReceipt:
        """Stores and queues, in the session `session` unless another is named."""
        once = fields.pop("once", None)
        later = LaterWork()
        body = {"agent_id": str(self.tenant.agent_id), "session_id": "session", "messages": list(messages), **fields}
        accepted = await self.intake.add(body, principal or self.principal, later, once=once)
        if later.names:
            await later.do("queue_capture")
        return accepted

    async def capture(self, *ids: UUID | None) -> Report:
        """Handles messages for these conversations, or those in the queue."""
        named = [one for one in ids if one is not None]
        queued = [UUID(message["conversation_id"]) for message in self.capture_queue.messages]
        self.capture_queue.messages.clear()
        return await self.capturer.capture([CaptureMessage(self.tenant.org_id, one) for one in named or queued])

    async def turns(self, conversation_id: UUID | None) -> Sequence[Turn]:
        assert conversation_id is not None
        found = await self.reader.get(self.principal, conversation_id, before=None)
        assert found is not None
        return found.turns

    async def decisions(self, conversation_id: UUID | None) -> list[tuple[str, str | None]]:
        return [(turn.state, turn.reason) for turn in await self.turns(conversation_id)]

    async def memory(self, memory_id: UUID) -> StoredMemory:
        stored = await self.memories.get(self.principal, memory_id)
        assert stored is not None
        return stored

    async def contents(self) -> list[str]:
        rows = await self.tenant.fetch("SELECT content FROM memories WHERE status = 'active' ORDER BY content")
        return [row[0] for row in rows]

    async def by_words(self, query: str) -> set[UUID]:
        search = PostgresSearch(self.tenant.database, model=MODEL)
        scope = self.tenant.scope()
        found = await search.matching(scope, self.tenant.wanted(query), Filters(), limit=50, now=SystemClock().now())
        return {matched.memory.id for matched in found.found}

    async def embed(self) -> int:
        """Handles what waits to be embedded; how many messages there were."""
        ids = [UUID(message["memory_id"]) for message in self.embed_queue.messages]
        self.embed_queue.messages.clear()
        embedder = memory_embedder(self.tenant.database, self.redis)
        assert await embedder.embed([EmbedMessage(self.tenant.org_id, one) for one in ids]) == {}
        return len(ids)


@pytest.fixture(scope="module")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
def scene(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Scene:
    return scene_of(tenant, redis, counter)


def scene_of(
    tenant: Tenant,
    redis: RedisClient,
    counter: TiktokenCounter,
    *,
    ring: Any = None,
    quotas: Quotas | None = None,
) -> Scene:
    keyless = Keyless()
    cipher: Cipher = ring or keyless
    conversations = PostgresConversations(tenant.database, quotas or Quotas())
    directory = PostgresDirectory(tenant.database, ring) if ring else PostgresDirectory(tenant.database)
    capture_queue, embed_queue = SentMessages(), SentMessages()
    intake = ConversationIntake(
        conversations=conversations,
        directory=directory,
        redactor=Redactor(find_phones),
        sealer=cipher,
        capture_queue=capture_queue,
        clock=SystemClock(),
        new_id=uuid4,
    )
    search = PostgresSearch(tenant.database, model="")
    capturer = Capturer(
        conversations=conversations,
        directory=directory,
        opener=cipher,
        deriver=Deriver(counter, SnowballStemmer(), cipher),
        echoes=Echoes(search, SnowballStemmer(), cipher, SystemClock()),
        corrections=Corrections(search, HashEmbedder(), PACKAGED, SnowballStemmer(), cipher, SystemClock()),
        cache=RedisAgentCache(redis),
        embed_queue=embed_queue,
        forget_search=lambda: forget_search(tenant.database, cipher),
        wish_reader=OnnxReader(PACKAGED),
    )
    memories = MemoryReader(PostgresMemories(tenant.database), cipher)
    reader = ConversationReader(conversations, cipher)
    return Scene(tenant, intake, capturer, reader, memories, redis, capture_queue, embed_queue)


async def test_a_conversation_becomes_memories_that_are_found_by_their_words_at_once(scene: Scene) -> None:
    accepted = await scene.add(user("Hello!"), user(GHENT, name="Ada"), assistant(ASKED), user(YES), user_id="ada")

    assert (accepted.numbers, accepted.known) == ([1, 2, 3, 4], frozenset())
    (message,) = scene.capture_queue.messages
    assert message == {
        "org_id": str(scene.tenant.org_id),
        "conversation_id": str(accepted.conversation_id),
        "agent_id": str(scene.tenant.agent_id),
        "user_id": "ada",
    }
    report = await scene.capture()
    assert (report.failed, report.kept, report.dropped) == ({}, 2, {NO_STATEMENT: 2})
    turns = await scene.turns(accepted.conversation_id)
    assert [(turn.state, turn.reason) for turn in turns] == [
        ("dropped", NO_STATEMENT),
        ("kept", STATEMENT),
        ("kept", ANSWERED),
        ("dropped", NO_STATEMENT),
    ]
    stored = await scene.memory(turns[1].memory_id)
    assert (stored.memory.content, stored.context) == (f"Ada: {GHENT}", f"User: Hello!\nAssistant: {ASKED}")
    assert (stored.memory.category, stored.memory.user_id, stored.memory.session_id) == ("episodic", "ada", "session")
    assert stored.memory.created_at == turns[1].observed_at
    assert stored.provenance == {
        "conversation_id": str(accepted.conversation_id),
        "turns": [2],
        "captured_by": RULES,
        "observed_at": turns[1].observed_at.isoformat(),
    }
    assert await scene.by_words("Who works at the harbour?") == {turns[1].memory_id, turns[2].memory_id}
    assert {UUID(message["memory_id"]) for message in scene.embed_queue.messages} == {
        turns[1].memory_id,
        turns[2].memory_id,
    }


async def test_the_next_turn_joins_the_context_and_the_old_vector_serves_until_the_new_one(scene: Scene) -> None:
    first = await scene.add(user(GHENT))
    await scene.capture()
    await scene.embed()
    (memory_id,) = await scene.by_words("harbour")

    await scene.add(assistant("Congratulations on the new job as a crane driver!"))
    await scene.capture()
    between = await scene.tenant.fetch("SELECT count(*) FROM memory_vectors WHERE memory_id = %s", memory_id)
    stored = await scene.memory(memory_id)
    found = await scene.by_words("crane driver")
    pending = stored.embedding_state
    embedded = await scene.embed()

    assert between == [(1,)]
    assert stored.context == "Assistant: Congratulations on the new job as a crane driver!"
    assert (stored.version, stored.versions) == (1, ())
    assert found == {memory_id}
    assert (pending, embedded) == ("pending", 1)
    assert (await scene.memory(memory_id)).embedding_state == "ready"
    assert await scene.decisions(first.conversation_id) == [("kept", STATEMENT), ("dropped", ASSISTANT)]
    rows = await scene.tenant.fetch("SELECT indexed_documents, vectors FROM agents")
    assert rows == [(1, 1)]


async def test_a_revision_of_what_was_read_before_the_context_grew_is_stale(scene: Scene) -> None:
    """It would write the smaller context back, and the context grows only once."""
    await scene.add(user(GHENT))
    await scene.capture()
    (memory_id,) = await scene.by_words("harbour")
    read_before = await scene.memory(memory_id)

    await scene.add(assistant("Congratulations on the new job as a crane driver!"))
    await scene.capture()
    write = replace(scene.tenant.write(read_before.memory.content), memory_id=memory_id)
    life = PostgresMemoryLife(scene.tenant.database)
    outcome = await life.revise(scene.tenant.principal, Revision(read_before, write, "active"))

    assert outcome.status == "stale"
    assert (await scene.memory(memory_id)).context == "Assistant: Congratulations on the new job as a crane driver!"


async def test_a_vector_of_the_smaller_context_does_not_count_for_the_larger_one(scene: Scene) -> None:
    await scene.add(user(GHENT))
    await scene.capture()
    ids = [UUID(message["memory_id"]) for message in scene.embed_queue.messages]
    read_before = await scene.tenant.pending(ids)

    await scene.add(assistant(ASKED))
    await scene.capture()
    vectors = await memory_embedder(scene.tenant.database, scene.redis).embedder.embed(["stale"])
    stored = await PostgresEmbeddingStore(scene.tenant.database).store(scene.tenant.org_id, read_before, vectors, MODEL)

    assert stored.memories == []
    assert (await scene.memory(ids[0])).embedding_state == "pending"


async def test_a_memory_that_somebody_changed_keeps_its_context(scene: Scene) -> None:
    await scene.add(user(GHENT))
    await scene.capture()
    (memory_id,) = await scene.by_words("harbour")
    await scene.tenant.fetch("SELECT 1")
    life = PostgresMemoryLife(scene.tenant.database)
    await life.forget(scene.principal, memory_id, SystemClock().now())

    await scene.add(assistant(ASKED))
    await scene.capture()

    stored = await scene.memories.get(scene.principal, memory_id, deleted=True)
    assert stored is not None
    assert (stored.memory.status, stored.context) == ("deleted", None)


async def test_an_answer_that_comes_later_keeps_the_assistants_turn(scene: Scene) -> None:
    first = await scene.add(user(GHENT), assistant(ASKED))
    await scene.capture()
    before = await scene.decisions(first.conversation_id)
    await scene.add(user(YES))
    report = await scene.capture()

    assert before == [("kept", STATEMENT), ("dropped", ASSISTANT)]
    assert await scene.decisions(first.conversation_id) == [
        ("kept", STATEMENT),
        ("kept", ANSWERED),
        ("dropped", NO_STATEMENT),
    ]
    assert report.kept == 1
    assert await scene.contents() == [f"Assistant: {ASKED}", f"User: {GHENT}"]


async def test_messages_that_come_twice_and_late_change_nothing(scene: Scene) -> None:
    first = await scene.add(user(GHENT), assistant(ASKED), user(YES), user(DOG))
    await asyncio.gather(*(scene.capture(first.conversation_id) for _ in range(4)))
    again = await scene.capture(first.conversation_id, first.conversation_id)

    assert (again.kept, again.dropped, again.failed) == (0, {}, {})
    assert await scene.contents() == [f"Assistant: {ASKED}", f"User: {GHENT}", f"User: {DOG}"]
    rows = await scene.tenant.fetch("SELECT pending, turns FROM conversations")
    assert rows == [(0, 4)]


class KilledError(BaseException):
    """The worker's process ends here."""


class MortalDatabase(Database):
    """Ends the worker after so many reads, statements and commits; never while `left` is None."""

    left: int | None = None

    def step(self) -> None:
        if self.left == 0:
            raise KilledError
        self.left = None if self.left is None else self.left - 1

    async def read(self, *arguments: Any, **named: Any) -> list[list[Any]]:
        self.step()
        return await super().read(*arguments, **named)

    @asynccontextmanager
    async def transaction(self, org_id: UUID | None, *, actor: str = "") -> AsyncIterator[Transaction]:
        async with super().transaction(org_id, actor=actor) as transaction:
            yield MortalTransaction(self, transaction)
            self.step()
        self.step()


class MortalTransaction(Transaction):
    """One of a mortal database."""

    def __init__(self, database: MortalDatabase, transaction: Transaction) -> None:
        super().__init__(transaction._connection)
        self._database = database

    async def fetch(self, statement: str, parameters: Any = ()) -> list[Any]:
        self._database.step()
        return await super().fetch(statement, parameters)

    async def execute(self, statement: str, parameters: Any = ()) -> int:
        self._database.step()
        return await super().execute(statement, parameters)


async def test_a_worker_that_is_killed_at_any_step_leaves_each_memory_there_once(
    tenant: Tenant, migrated: PostgresServer, redis: RedisClient, counter: TiktokenCounter
) -> None:
    """Killed while it decides on new turns, and while the next turns join what is there."""
    mortal = MortalDatabase(migrated.app_url)
    scene = scene_of(replace(tenant, database=mortal), redis, counter)
    steps, killed = -1, True
    while killed:
        steps, killed = steps + 1, False
        session = f"session {steps}"
        said = f"I moved to house number {steps} of the long street last month."
        for messages in ([user(said)], [assistant(ASKED), user(YES), user(f"I have {steps} apple trees behind it.")]):
            accepted = await scene.add(*messages, session_id=session)
            mortal.left = steps
            try:
                await scene.capture(accepted.conversation_id)
            except KilledError:
                killed = True
            mortal.left = None
            await scene.capture(accepted.conversation_id)

        states = await scene.decisions(accepted.conversation_id)
        assert [state for state, _ in states] == ["kept", states[1][0], "dropped", "kept"]
        assert ("pending", None) not in states
        first = next(turn for turn in await scene.turns(accepted.conversation_id) if turn.number == 1)
        assert (await scene.memory(first.memory_id)).context == f"Assistant: {ASKED}"

    assert steps > 15
    contents = await scene.contents()
    assert len(contents) == len(set(contents)) == 2 * (steps + 1) + 1
    rows = await tenant.fetch("SELECT indexed_documents FROM agents")
    assert rows == [(len(contents),)]
    assert await tenant.fetch("SELECT sum(pending) FROM conversations") == [(0,)]
    await mortal.close()


async def test_a_worker_that_saw_less_does_not_take_the_next_turn_from_the_context(scene: Scene) -> None:
    """Two workers read before either has written: one of them only the first turn."""
    conversations = PostgresConversations(scene.tenant.database)
    first = await scene.add(user(GHENT))
    assert first.conversation_id is not None
    early = await conversations.waiting(scene.tenant.org_id, first.conversation_id, 10)
    await scene.add(assistant(ASKED))
    late = await conversations.waiting(scene.tenant.org_id, first.conversation_id, 10)
    for seen in ([early, late], [late, early]):
        for one in seen:
            assert one is not None
            frozen = replace(scene.capturer, conversations=Frozen(conversations, one))  # type: ignore[arg-type]
            await frozen.capture([CaptureMessage(scene.tenant.org_id, one.conversation_id)])

    (memory_id,) = await scene.by_words("harbour")
    assert (await scene.memory(memory_id)).context == f"Assistant: {ASKED}"
    assert await scene.decisions(first.conversation_id) == [("kept", STATEMENT), ("dropped", ASSISTANT)]


class Frozen:
    """The conversations as they were read before, once."""

    def __init__(self, conversations: PostgresConversations, seen: Conversation) -> None:
        self._conversations = conversations
        self._seen: list[Conversation] = [seen]
        self.store_decisions = conversations.store_decisions

    async def waiting(self, org_id: UUID, conversation_id: UUID, limit: int) -> Conversation | None:
        return self._seen.pop() if self._seen else None


async def test_windows_of_a_conversation_in_any_overlap_store_each_turn_once(scene: Scene) -> None:
    chance = random.Random(7)
    texts = [
        text
        for number in range(12)
        for text in (f"{number}: I have planted row {number} of the apple trees today", "Ok")
    ]
    accepted = None
    end = 0
    while end < len(texts):
        start = chance.randrange(max(end - 6, 0), max(end - 1, 1))
        end = min(start + chance.randrange(2, 9), len(texts))
        accepted = await scene.add(*(user(text) for text in texts[start:end]))
        await scene.capture()

    assert accepted is not None
    assert [turn.text for turn in await scene.turns(accepted.conversation_id)] == texts
    assert len(await scene.contents()) == 12


async def test_the_same_text_in_another_conversation_is_dropped_as_repeated(scene: Scene) -> None:
    await scene.add(user(DOG))
    second = await scene.add(user(DOG), session_id="another")
    await scene.capture()

    assert await scene.decisions(second.conversation_id) == [("dropped", "repeated")]
    assert await scene.contents() == [f"User: {DOG}"]


PILLS = "I took my blood pressure pills and walked five kilometres today."


async def created(scene: Scene) -> list[date]:
    rows = await scene.tenant.fetch("SELECT created_at FROM memories WHERE status = 'active' ORDER BY created_at")
    return [row[0].astimezone(UTC).date() for row in rows]


@pytest.mark.parametrize("text", [PILLS, "I ran 5 km today."])
async def test_what_happens_again_is_a_memory_of_each_day(scene: Scene, text: str) -> None:
    """In one conversation and in another, and once a day in all of them."""
    for session, day in (("a", 1), ("a", 1), ("a", 8), ("b", 8), ("b", 15)):
        await scene.add(user(text), session_id=session, observed_at=f"2026-03-{day:02}T08:00:00Z")
        await scene.capture()

    assert await created(scene) == [date(2026, 3, day) for day in (1, 8, 15)]
    assert set(await scene.contents()) == {f"User: {text}"}


async def test_a_history_that_is_sent_again_on_other_days_adds_nothing_but_what_is_new(scene: Scene) -> None:
    history: list[dict[str, Any]] = []
    for day in (1, 8, 15):
        sent = [*history, user(PILLS)]
        accepted = await scene.add(*sent, observed_at=f"2026-03-{day:02}T08:00:00Z")
        assert len(accepted.known) == len(history)
        answered = await scene.add(
            *sent, assistant(f"Well done, day {day}!"), observed_at=f"2026-03-{day:02}T08:01:00Z"
        )
        assert len(answered.known) == len(sent)
        history = [*sent, assistant(f"Well done, day {day}!")]
        await scene.capture()
    again = await scene.add(*history, observed_at="2026-04-01T08:00:00Z")
    await scene.capture()

    assert len(again.known) == len(history) == 6
    assert await created(scene) == [date(2026, 3, day) for day in (1, 8, 15)]


async def test_a_dated_history_is_a_memory_of_each_of_its_days_however_often_it_is_sent(scene: Scene) -> None:
    messages = [user(PILLS, timestamp=f"2026-03-{day:02}T08:00:00Z") for day in (1, 8, 15)]

    first, again = await scene.add(*messages), await scene.add(*messages)
    await scene.capture()

    assert (first.numbers, again.numbers, len(again.known)) == ([1, 2, 3], [1, 2, 3], 3)
    assert await created(scene) == [date(2026, 3, day) for day in (1, 8, 15)]


async def test_the_same_short_answer_to_different_questions_is_kept_for_each(scene: Scene) -> None:
    colour, car = assistant("What is your favourite colour?"), assistant("And which colour is your car?")
    first = await scene.add(colour, user("Blue"), car, user("Blue"))
    again = await scene.add(colour, user("Blue"), car, user("Blue"))
    await scene.capture()

    assert (first.numbers, again.numbers, len(again.known)) == ([1, 2, 3, 4], [1, 2, 3, 4], 4)
    assert await scene.contents() == [
        "User: Blue (asked: And which colour is your car?)",
        "User: Blue (asked: What is your favourite colour?)",
    ]


async def test_a_request_with_an_idempotency_key_is_stored_once(scene: Scene) -> None:
    once = Once(b"key".ljust(32), b"request".ljust(32))
    first = await scene.add(user("Yes"), session_id=None, once=once)
    again = await scene.add(user("Yes"), session_id=None, once=once)

    assert again == first
    assert await scene.tenant.fetch("SELECT count(*) FROM conversations") == [(1,)]
    with pytest.raises(Conflict):
        await scene.add(user("Yes"), once=replace(once, request=b"other".ljust(32)))


async def test_without_a_session_each_request_is_a_conversation_that_can_be_continued(scene: Scene) -> None:
    first = await scene.add(user(GHENT), session_id=None)
    second = await scene.add(user(GHENT), session_id=None)
    third = await scene.add(user(DOG), session_id=str(first.conversation_id))

    assert first.conversation_id != second.conversation_id
    assert (third.conversation_id, third.numbers) == (first.conversation_id, [2])


async def test_messages_without_a_turn_make_no_conversation(scene: Scene) -> None:
    with pytest.raises(InvalidRequest):
        await scene.add({"role": "system", "content": "Be brief"}, assistant(""))

    assert scene.capture_queue.messages == []
    assert await scene.tenant.fetch("SELECT count(*) FROM conversations") == [(0,)]


async def test_personal_data_is_replaced_before_a_turn_is_stored(scene: Scene, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, scene.tenant.org_id, {"redact_pii": ["email"]})
    text = "My new address is ada@example.org, I moved yesterday"

    first = await scene.add(user(text, name="bob@example.org"))
    again = await scene.add(user(text, name="bob@example.org"))
    await scene.capture()

    (turn,) = await scene.turns(first.conversation_id)
    assert (turn.text, turn.speaker) == ("My new address is [EMAIL], I moved yesterday", "[EMAIL]")
    assert turn.redactions == {"email": 2}
    assert again.known == {1}
    assert (await scene.memory(turn.memory_id)).redactions == {"email": 2}


async def test_end_users_have_conversations_of_their_own(scene: Scene) -> None:
    everybody = scene.principal
    ada = replace(everybody, sees_all=False, user_id="ada", end_user_required=True)
    bob = replace(ada, user_id="bob")
    first = await scene.add(user(GHENT), principal=ada)
    second = await scene.add(user(GHENT), principal=bob, user_id="bob")
    assert first.conversation_id is not None

    assert first.conversation_id != second.conversation_id
    assert await scene.reader.get(bob, first.conversation_id, before=None) is None
    assert await scene.reader.get(ada, first.conversation_id, before=None) is not None
    with pytest.raises(Forbidden):
        await scene.add(user(GHENT), principal=ada, user_id="bob")
    await scene.capture()
    owners = await scene.tenant.fetch("SELECT user_id FROM memories ORDER BY user_id")
    assert owners == [("ada",), ("bob",)]


async def test_an_agent_of_another_place_is_not_found(scene: Scene, stranger: Tenant) -> None:
    for agent in (str(stranger.agent_id), str(uuid4()), "nobody"):
        with pytest.raises(NotFound):
            await scene.add(user(GHENT), agent_id=agent)
    accepted = await scene.add(user(GHENT), agent_id="agent")
    assert accepted.numbers == [1]
    with pytest.raises(InvalidRequest):
        await scene.add(user(GHENT), nonsense=1)


async def test_at_the_quota_nothing_is_accepted_and_what_was_accepted_is_dropped_visibly(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter
) -> None:
    scene = scene_of(tenant, redis, counter, quotas=Quotas(memories=1))
    accepted = await scene.add(user(GHENT), assistant("Good!"), user(DOG))
    report = await scene.capture()

    assert (report.failed, report.kept) == ({}, 1)
    assert ("dropped", "quota_exceeded") in await scene.decisions(accepted.conversation_id)
    with pytest.raises(QuotaExceeded):
        await scene.add(user("I have learned to play the cello since last year"))
    assert (await scene.add(user(GHENT))).known == {1}
    assert await tenant.fetch("SELECT turns FROM conversations") == [(3,)]


async def test_turns_are_stored_up_to_their_quota_and_make_room_when_they_are_deleted(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter
) -> None:
    scene = scene_of(tenant, redis, counter, quotas=Quotas(turns=3))
    await scene.add(user(GHENT), assistant("Good!"))

    said = await asyncio.gather(
        *(scene.add(user(f"I keep {n} geese"), session_id=f"s{n}") for n in range(4)), return_exceptions=True
    )
    again = await scene.add(user(GHENT), assistant("Good!"))

    refused = [error for error in said if isinstance(error, QuotaExceeded)]
    assert [list(error.fields) for error in refused] == [["turns"]] * 3
    assert again.known == frozenset({1, 2})
    assert await _counted(tenant) == (3, 3)
    await tenant.fetch("DELETE FROM conversations RETURNING 1")
    assert await _counted(tenant) == (0, 0)
    assert (await scene.add(user(DOG))).numbers == [1]


async def _counted(tenant: Tenant) -> tuple[int, int]:
    """Turns that are counted, and those that there are."""
    rows = await tenant.fetch("SELECT (SELECT turns FROM stored_texts), (SELECT count(*) FROM conversation_turns)")
    return rows[0][0], rows[0][1]


async def test_turns_of_an_encrypted_organization_are_sealed(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter, aws_server: AwsServer, observer: AsyncConnection[Any]
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    scene = scene_of(tenant, redis, counter, ring=vault.ring)
    stale = scene_of(tenant, redis, counter, ring=Vault.of(tenant, aws_server, vault.kms_key_id).ring)

    accepted = await scene.add(user(GHENT, name="Ada"))
    await scene.capture()
    await stale.add(assistant(ASKED))
    await vault.encryption.rotate(tenant.org_id, vault.kms_key_id)
    await stale.add(user(DOG))
    report = await stale.capture(accepted.conversation_id)

    assert report.failed == {}
    rows = await (
        await observer.execute("SELECT t::text FROM conversation_turns t WHERE org_id = %s", [tenant.org_id])
    ).fetchall()
    assert len(rows) == 3
    assert not any(word in row[0] for row in rows for word in ("Ghent", "Ada", "dentist", "Milo"))
    turns = await stale.turns(accepted.conversation_id)
    assert [(turn.speaker, turn.text) for turn in turns] == [("Ada", GHENT), (None, ASKED), (None, DOG)]
    stored = await stale.memory(turns[0].memory_id)
    assert (stored.memory.content, stored.context) == (f"Ada: {GHENT}", f"Assistant: {ASKED}")


async def test_turns_whose_key_is_not_at_hand_wait(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter, aws_server: AwsServer
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    scene = scene_of(tenant, redis, counter, ring=vault.ring)
    accepted = await scene.add(user(GHENT))
    assert accepted.conversation_id is not None
    message = CaptureMessage(tenant.org_id, accepted.conversation_id)
    vault.kms.is_down = True
    cold = Vault.of(tenant, aws_server, vault.kms_key_id)
    cold.kms.is_down = True
    blind = replace(scene.capturer, opener=cold.ring)

    failed = (await blind.capture([message])).failed
    kept = (await scene.capturer.capture([message])).kept

    assert failed == {message: "DecryptionFailed"}
    assert kept == 1


@dataclass
class Unreachable:
    """Serves Queue and AgentCache while their server is gone."""

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        raise StoreUnavailable("gone", cause="Gone")

    async def changed(self, *_: object) -> None:
        raise StoreUnavailable("gone", cause="Gone")


async def test_memories_are_stored_though_queue_and_cache_are_gone(scene: Scene) -> None:
    gone: Any = Unreachable()
    await scene.add(user(GHENT))
    report = await replace(scene, capturer=replace(scene.capturer, cache=gone, embed_queue=gone)).capture()

    assert (report.failed, report.kept) == ({}, 1)
    assert await scene.tenant.fetch("SELECT embedding_state FROM memories") == [("pending",)]


async def test_a_conversation_whose_message_was_lost_is_queued_again_each_time_later(scene: Scene) -> None:
    accepted = await scene.add(user(GHENT), user_id="ada")
    queue, clock = SentMessages(), SetClock(start=None)
    run = maintenance(
        scene.tenant.database, scene.redis, SentMessages(), of=[scene.tenant], capture_queue=queue, clock=clock
    )

    async def queued(seconds: float) -> int:
        clock.seconds += seconds
        queue.messages.clear()
        await run.run()
        return sum(message["conversation_id"] == str(accepted.conversation_id) for message in queue.messages)

    found = [await queued(seconds) for seconds in (30, 61, 61, 120, 3601, 3601)]
    assert found == [0, 1, 0, 1, 1, 1]
    await scene.capture(accepted.conversation_id)
    assert await queued(timedelta(days=1).total_seconds()) == 0


async def test_pages_of_a_long_conversation_are_read_backwards(scene: Scene) -> None:
    texts = [f"{number} boats lay in the harbour of Ostend that morning" for number in range(520)]
    accepted = await scene.add(*(user(text) for text in texts))
    assert accepted.conversation_id is not None

    newest = await scene.reader.get(scene.principal, accepted.conversation_id, before=None)
    older = await scene.reader.get(scene.principal, accepted.conversation_id, before=21)

    assert newest is not None
    assert older is not None
    assert [turn.number for turn in newest.turns] == list(range(21, 521))
    assert [turn.number for turn in older.turns] == list(range(1, 21))


async def test_what_is_so_is_one_memory_however_often_it_is_said_and_what_happens_one_a_day(scene: Scene) -> None:
    for day in ("2026-03-01", "2026-03-08", "2026-03-15"):
        said: dict[str, Any] = {"observed_at": day, "user_id": "ada"}
        await scene.add(user("I am vegan."), user("I ate pizza with Ana."), session_id=f"lunch {day}", **said)
        asked = assistant("What do you eat?")
        await scene.add(asked, user("I am vegan."), user("I went running."), session_id=f"dinner {day}", **said)
        assert (await scene.capture()).failed == {}

    rows = await scene.tenant.fetch("SELECT content, category, created_at::date::text FROM memories ORDER BY 1, 3")
    assert rows[0] == ("User: I am vegan.", "factual", "2026-03-01")
    assert [(content, day) for content, category, day in rows[1:] if category == "episodic"] == [
        (f"User: {text}", day)
        for text in ("I ate pizza with Ana.", "I went running.")
        for day in ("2026-03-01", "2026-03-08", "2026-03-15")
    ]
    assert len(rows) == 7
    assert await scene.tenant.fetch("SELECT count(*) FROM conversation_turns WHERE reason = 'repeated'") == [(5,)]
