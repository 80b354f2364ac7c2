"""Capture with a language model, over HTTP from a scripted server: what it proposes, what the gate lets through."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from local.servers import AwsServer, PostgresServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import (
    PostgresDirectory,
    configure_organization,
)
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.capture import extracted, prompt
from remembrancer.domain.capture.extraction import FIELDS, SCHEMA
from remembrancer.domain.capture.selection import RULES
from remembrancer.domain.capture.turns import EXTRACTED, REPEATED
from remembrancer.ports.models import TokenCounter
from remembrancer.runtime.endpoints.memory_json import stored_json
from remembrancer.usecases.capture.extract import Extractor
from remembrancer.usecases.capture.pending_turns import CaptureMessage, Report
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.redaction import Redactor
from remembrancer.usecases.memories.revise import Reviser
from tests import capture_cases
from tests.builders import MODELS, SetClock
from tests.capture_cases import Case
from tests.integration.engine.chat_server import ChatServer, chat_server, completion
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.later import LaterWork, SentMessages
from tests.integration.engine.tenant import Tenant
from tests.integration.engine.test_capture import KilledError, MortalDatabase, Scene, assistant, scene_of, user
from tests.integration.engine.workers import IDLE, maintenance

NUTS = "I'm allergic to nuts."
ALLERGIC = "User is allergic to nuts."


@dataclass(frozen=True, slots=True)
class Later:
    """A clock that is six minutes ahead: whatever was said, nobody has said anything since."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(minutes=6)

    def monotonic(self) -> float:
        return SystemClock().monotonic()


def proposal(text: str = ALLERGIC, quote: str = NUTS, turn: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "text": text,
        "category": "factual",
        "subject": text.split(maxsplit=1)[0],
        "occurred": None,
        "quote": quote,
        "source_turns": [turn],
        "action": "add",
        "target": None,
    } | fields


BOTH = (proposal("User lives in Leeds.", "I live in Leeds."), proposal("User works as a nurse.", "I work as a nurse."))
LEEDS = "I live in Leeds. I work as a nurse."


def answer(*proposals: Mapping[str, Any], tokens: tuple[int, int] = (900, 100)) -> tuple[int, bytes]:
    body = json.loads(completion(json.dumps({"memories": proposals})))
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return 200, json.dumps({**body, "usage": usage}).encode()


@pytest.fixture(scope="module")
def counter() -> Iterator[TiktokenCounter]:
    counter = TiktokenCounter(MODELS)
    yield counter
    counter.close()


@pytest.fixture
def plain(tenant: Tenant, redis: RedisClient, counter: TiktokenCounter) -> Scene:
    return scene_of(tenant, redis, counter)


@asynccontextmanager
async def reading(
    scene: Scene, *, clock: Any = None, tokens: int = 0, seconds: float = 5.0
) -> AsyncIterator[tuple[Scene, ChatServer]]:
    """The scene with a model that reads windows as soon as they are stored, unless another clock says when."""
    async with chat_server() as chat:
        server = JsonServer(chat.url, seconds=seconds)
        extractor = Extractor(
            model=OpenAiLanguageModel(server, "small"),
            usage=PostgresUsage(scene.tenant.database),
            search=PostgresSearch(scene.tenant.database, model=HashEmbedder().model),
            embedder=HashEmbedder(),
            stemmer=SnowballStemmer(),
            opener=scene.capturer.opener,
            clock=clock or Later(),
            tokens=tokens,
            idle=IDLE,
        )
        yield replace(scene, capturer=replace(scene.capturer, extractor=extractor)), chat
        await server.close()


async def known(scene: Scene, *texts: str, user_id: str | None = None) -> list[UUID]:
    """Memories that were there before, and are found by their meaning."""
    ids = await scene.tenant.remember_texts(*texts, user_id=user_id) if texts else []
    if ids:
        await scene.tenant.embed(ids)
    return ids


async def last_try(scene: Scene, conversation_id: UUID | None) -> Report:
    assert conversation_id is not None
    return await scene.capturer.capture([CaptureMessage(scene.tenant.org_id, conversation_id, last_try=True)])


async def test_a_proposal_that_a_turn_bears_out_becomes_a_memory_that_says_where_it_comes_from(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(assistant("What should I know?"), user(NUTS), user("Thanks!"), user_id="ada")
        chat.instead = answer(proposal(turn=2, category="preference"))
        report = await scene.capture()
        (asked,) = chat.asked

    turns = await scene.turns(accepted.conversation_id)
    stored = await scene.memory(turns[1].memory_id)
    shown = stored_json(stored)
    assert (report.failed, report.kept) == ({}, 1)
    assert (report.tokens, report.proposals) == ({"prompt": 900, "answer": 100}, {"passed": 1})
    assert [(turn.state, turn.reason) for turn in turns] == [
        ("dropped", extracted.NOT_EXTRACTED),
        ("kept", EXTRACTED),
        ("dropped", extracted.NOT_EXTRACTED),
    ]
    assert (stored.memory.content, stored.memory.category, stored.memory.user_id) == (ALLERGIC, "preference", "ada")
    assert stored.context == f"Assistant: What should I know?\nUser: {NUTS}"
    assert shown["provenance"] == {
        "conversation_id": str(accepted.conversation_id),
        "turns": [2],
        "captured_by": {"model": "small", "prompt": prompt.VERSION},
        "observed_at": turns[1].observed_at.isoformat(),
        "quote": NUTS,
    }
    assert await scene.by_words("allergic") == {turns[1].memory_id}
    assert [message["memory_id"] for message in scene.embed_queue.messages] == [str(turns[1].memory_id)]
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert "[2*]" in asked["messages"][1]["content"]


async def test_a_window_is_read_when_ten_turns_wait_or_nothing_more_is_said(plain: Scene) -> None:
    async with reading(plain, clock=SystemClock()) as (scene, chat):
        chat.instead = answer()
        first = await scene.add(*(user(f"My number {n} is {n * 7}.") for n in range(9)))
        await scene.capture()
        waiting = await scene.decisions(first.conversation_id)
        await scene.add(user("My number 9 is 63."))
        await scene.capture()

    assert {state for state, _ in waiting} == {"pending"}
    assert len(chat.asked) == 1
    assert {state for state, _ in await scene.decisions(first.conversation_id)} == {"dropped"}


@pytest.mark.parametrize("first_run", [1, 20, 40, 59])
async def test_a_window_is_read_when_it_was_silent_for_five_minutes_whenever_maintenance_runs(
    plain: Scene, first_run: int
) -> None:
    """Maintenance runs every minute or a little later; what it sends with a delay is received when that is over."""
    clock, queue = SetClock(), SentMessages()
    run = maintenance(
        plain.tenant.database, plain.redis, SentMessages(), of=[plain.tenant], capture_queue=queue, clock=clock
    )
    async with reading(plain, clock=clock) as (scene, chat):
        chat.instead = answer(proposal())
        accepted = await scene.add(user(NUTS))
        await scene.capture(accepted.conversation_id)
        async with scene.tenant.database.transaction(scene.tenant.org_id) as transaction:
            said_at = (clock.now(), clock.now())
            await transaction.execute("UPDATE conversations SET updated_at = %s, queued_at = %s", said_at)
        read_at: list[float] = []
        for run_at in range(first_run, 500, 61):
            clock.seconds = run_at
            queue.messages.clear()
            queue.delays.clear()
            await run.run()
            own = [message["conversation_id"] == str(accepted.conversation_id) for message in queue.messages]
            for delay in (delay for delay, is_own in zip(queue.delays, own, strict=True) if is_own):
                clock.seconds = run_at + delay
                await scene.capture(accepted.conversation_id)
                read_at += [clock.seconds] * (len(chat.asked) > len(read_at))

    assert len(read_at) == 1
    assert 300 <= read_at[0] <= 302
    assert await scene.decisions(accepted.conversation_id) == [("kept", EXTRACTED)]


@pytest.mark.parametrize(
    ("category", "occurred", "times"),
    [
        ("episodic", "2024-05-14", ("2024-05-14", "2024-05-15")),
        ("factual", "2024-05-14", ("2024-05-14", None)),
        ("factual", "2024-05-14/..", ("2024-05-14", None)),
        ("factual", "../2024-05-14", (None, "2024-05-15")),
        ("factual", "2024-05-14/2024-05-14", ("2024-05-14", "2024-05-15")),
    ],
)
async def test_when_it_happened_is_stored_with_the_memory(
    plain: Scene, category: str, occurred: str, times: tuple[str | None, str | None]
) -> None:
    async with reading(plain) as (scene, chat):
        await scene.add(user("I was ill yesterday."), observed_at=capture_cases.OBSERVED.isoformat())
        chat.instead = answer(
            proposal("User was ill yesterday.", "I was ill yesterday.", category=category, occurred=occurred)
        )
        await scene.capture()

    ((first, last),) = await scene.tenant.fetch("SELECT occurred_from, occurred_to FROM memories")
    assert [moment and moment.date().isoformat() for moment in (first, last)] == list(times)


@pytest.mark.parametrize("of", ["end user", "agent"])
async def test_yesterday_in_a_turn_is_that_of_the_time_zone(plain: Scene, of: str) -> None:
    """At 16 o'clock on 14 May in London it was 1 o'clock on 15 May in Tokyo."""
    tenant = plain.tenant
    if of == "agent":
        await PostgresDirectory(tenant.database).switch(tenant.principal, tenant.agent_id, time_zone="Asia/Tokyo")
    else:
        await PostgresDirectory(tenant.database).set_time_zone(tenant.principal, "ada", "Asia/Tokyo")
    async with reading(plain) as (scene, chat):
        await scene.add(user("I was ill yesterday."), user_id="ada", observed_at="2024-05-14T16:00:00+00:00")
        chat.instead = answer(
            proposal("User was ill yesterday.", "I was ill yesterday.", category="episodic", occurred="2024-05-14")
        )
        await scene.capture()

    (prompt,) = [asked for asked in chat.asked if "ill yesterday" in str(asked)]
    ((first, last, observed),) = await scene.tenant.fetch(
        "SELECT occurred_from, occurred_to, provenance ->> 'observed_at' FROM memories"
    )
    assert "Wednesday, 15 May 2024" in str(prompt)
    assert (first, last) == (datetime(2024, 5, 13, 15, tzinfo=UTC), datetime(2024, 5, 14, 15, tzinfo=UTC))
    assert observed == "2024-05-14T16:00:00+00:00"


async def test_where_text_is_encrypted_no_text_of_a_turn_is_stored_in_clear(
    tenant: Tenant, redis: RedisClient, counter: TiktokenCounter, aws_server: AwsServer
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    async with reading(scene_of(tenant, redis, counter, ring=vault.ring)) as (scene, chat):
        accepted = await scene.add(user(NUTS), user_id="ada")
        chat.instead = answer(proposal())
        await scene.capture()
        (turn,) = await scene.turns(accepted.conversation_id)
        shown = stored_json(await scene.memory(turn.memory_id))

    assert (shown["content"], shown["provenance"]["quote"]) == (ALLERGIC, NUTS)
    for table in ("memories", "conversation_turns", "conversations"):
        rows = await tenant.fetch(f"SELECT t::text FROM {table} t")
        assert rows
        assert not [row for row in rows if "nuts" in row[0]]


async def test_several_memories_of_one_turn_have_ids_of_their_own(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        await scene.add(user(LEEDS))
        chat.instead = answer(
            proposal("User lives in Leeds.", "I live in Leeds."),
            proposal("User works as a nurse.", "I work as a nurse."),
        )
        await scene.capture()

    assert await scene.contents() == ["User lives in Leeds.", "User works as a nurse."]


async def test_no_invention_is_written(plain: Scene) -> None:
    """Each case has an end user of its own, who has the memories that the case shows.

    The gate's own tests refuse every case; here are those that show memories, and a third of the others.
    """
    cases = [case for case in capture_cases.inventions() if case.window.shown or case.number % 3 == 0]
    async with reading(plain) as (scene, chat):
        for case in cases:
            await invent(scene, chat, case)

    rows = await plain.tenant.fetch(
        "SELECT content, provenance ->> 'captured_by' FROM memories WHERE user_id LIKE 'u%'"
    )
    shown = sum(len(case.window.shown) for case in cases)
    assert {captured_by for _, captured_by in rows} == {None, RULES}
    assert sum(captured_by is None for _, captured_by in rows) == shown
    assert len(chat.asked) == len(cases) >= 100


async def invent(scene: Scene, chat: ChatServer, case: Case) -> None:
    """The case's turns are captured, and the model answers with its proposal."""
    user_id = f"u{case.number}"
    await known(scene, *(memory.text for memory in case.window.shown.values()), user_id=user_id)
    messages = [
        {"role": line.role, "content": line.text} | ({"name": line.speaker} if line.speaker else {})
        for line in case.window.lines
    ]
    observed_at = capture_cases.OBSERVED.isoformat()
    accepted = await scene.add(*messages, user_id=user_id, session_id=user_id, observed_at=observed_at)
    fields = {name: getattr(case.proposal, name) for name in FIELDS}
    chat.instead = answer(fields)
    report = await scene.capture()
    assert (report.failed, report.proposals["passed"], report.proposals.total()) == ({}, 0, 1), case.name
    assert {state for state, _ in await scene.decisions(accepted.conversation_id)} <= {"kept", "dropped"}


async def test_a_turn_whose_proposals_are_refused_stays_as_rules_keep_it(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user(NUTS), user("My dog Milo is afraid of trams."))
        chat.instead = answer(proposal("User is allergic to milk."))
        report = await scene.capture()

    assert report.proposals == {"unsupported": 1}
    assert await scene.decisions(accepted.conversation_id) == [
        ("kept", extracted.REFUSED),
        ("dropped", extracted.NOT_EXTRACTED),
    ]
    assert await scene.contents() == [f"User: {NUTS}"]


@pytest.mark.parametrize(
    "says",
    [
        "I would remember that the user is allergic.",
        '{"memories": [{"text": "User is allergic to nuts."}]}',
        '```json\n{"memories": []}\n```',
        '{"memories": [], "memories": []}',
        '{"memories": [], "note": "done"}',
        '{"memories": [NaN]}',
        "[" * 30_000,
        '{"memories": ' + json.dumps([proposal() | {"category": "secret"}]) + "}",
        '{"memories": ' + json.dumps([proposal() | {"source_turns": [True]}]) + "}",
        '{"memories": ' + json.dumps([proposal() | {"text": "half \ud83d"}]) + "}",
        "",
    ],
)
async def test_where_the_model_answers_rubbish_rules_decide_after_a_second_try(plain: Scene, says: str) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user(NUTS), user("Thanks!"))
        chat.says = says
        report = await scene.capture()

    assert (report.failed, len(chat.asked)) == ({}, 2)
    assert await scene.decisions(accepted.conversation_id) == [
        ("kept", extracted.BAD_ANSWER),
        ("dropped", "no_statement"),
    ]
    assert await scene.contents() == [f"User: {NUTS}"]


@pytest.mark.parametrize("instead", [(500, b"{}"), (429, b"{}"), (200, b"no json"), (200, b'{"choices": []}')])
async def test_where_the_model_is_down_its_message_comes_again_and_rules_decide_on_the_last_try(
    plain: Scene, instead: tuple[int, bytes]
) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user(NUTS))
        chat.instead = instead
        first = await scene.capture()
        waiting = await scene.decisions(accepted.conversation_id)
        last = await last_try(scene, accepted.conversation_id)

    assert len(first.failed) == 1
    assert waiting == [("pending", None)]
    assert last.failed == {}
    assert await scene.decisions(accepted.conversation_id) == [("kept", extracted.UNAVAILABLE)]


async def test_where_the_model_is_late_rules_decide_on_the_last_try(plain: Scene) -> None:
    async with reading(plain, seconds=0.2) as (scene, chat):
        accepted = await scene.add(user(NUTS))
        chat.hangs = True
        report = await last_try(scene, accepted.conversation_id)

    assert report.failed == {}
    assert await scene.decisions(accepted.conversation_id) == [("kept", extracted.UNAVAILABLE)]


async def test_of_a_flood_only_the_first_proposals_are_looked_at(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        await scene.add(*(user(f"My locker {n} has the code {1000 + n}.") for n in range(10)))
        chat.instead = answer(
            *(
                proposal(
                    f"User's locker {n % 10} has the code {1000 + n % 10}.",
                    f"My locker {n % 10} has the code {1000 + n % 10}.",
                    n % 10 + 1,
                    subject=f"User's locker {n % 10}",
                )
                for n in range(200)
            )
        )
        report = await scene.capture()

    assert report.proposals == {"passed": 20, "too_many": 180}
    assert len(await scene.contents()) == 10


async def test_a_message_that_comes_twice_at_once_or_after_a_crash_writes_each_memory_once(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user(LEEDS))
        chat.instead = answer(
            proposal("User lives in Leeds.", "I live in Leeds."),
            proposal("User works as a nurse.", "I work as a nurse."),
        )
        crashing = replace(scene.capturer, deriver=replace(scene.capturer.deriver, counter=_Crashing()))
        with pytest.raises(_CrashError):
            await crashing.capture([CaptureMessage(scene.tenant.org_id, accepted.conversation_id or uuid4())])
        await asyncio.gather(*(last_try(scene, accepted.conversation_id) for _ in range(3)))
        await scene.capture(accepted.conversation_id)

    assert await scene.contents() == ["User lives in Leeds.", "User works as a nurse."]
    assert await scene.tenant.fetch("SELECT pending FROM conversations") == [(0,)]


async def test_a_worker_that_is_killed_at_any_step_leaves_each_memory_there_once_and_its_tokens_reserved(
    tenant: Tenant, migrated: PostgresServer, redis: RedisClient, counter: TiktokenCounter
) -> None:
    """Each time for another end user, then delivered again."""
    mortal = MortalDatabase(migrated.app_url)
    steps, killed, calls = -1, True, 0
    async with reading(scene_of(replace(tenant, database=mortal), redis, counter)) as (scene, chat):
        chat.instead = answer(*BOTH, tokens=(900, 100))
        while killed:
            steps, killed, calls = steps + 1, False, len(chat.asked)
            accepted = await scene.add(user(LEEDS), user_id=f"u{steps}", session_id=f"s{steps}")
            before = await spent(tenant)
            mortal.left = steps
            try:
                await scene.capture(accepted.conversation_id)
            except KilledError:
                killed = True
            mortal.left = None
            await scene.capture(accepted.conversation_id)
            used = 1000 * (len(chat.asked) - calls)

            assert await scene.decisions(accepted.conversation_id) == [("kept", EXTRACTED)]
            assert used <= await spent(tenant) - before <= used + RESERVED

    assert steps > 10
    contents = await plain_contents(tenant)
    assert contents == [("User lives in Leeds.", steps + 1), ("User works as a nurse.", steps + 1)]
    assert await tenant.fetch("SELECT sum(pending) FROM conversations") == [(0,)]
    assert used == 1000
    await mortal.close()


RESERVED = 6000
"""More than is reserved for the call with one turn."""


async def spent(tenant: Tenant) -> int:
    ((tokens,),) = await tenant.fetch("SELECT coalesce(sum(tokens), 0)::integer FROM capture_budgets")
    return int(tokens)


async def plain_contents(tenant: Tenant) -> list[Any]:
    return await tenant.fetch("SELECT content, count(*) FROM memories GROUP BY content ORDER BY content")


class _CrashError(Exception):
    """The worker died."""


class _Crashing:
    async def count_many(self, texts: Sequence[str], family: str) -> Any:
        raise _CrashError


async def test_a_superseded_memory_stays_in_the_chain_and_its_text_can_come_back(plain: Scene) -> None:
    (older,) = await known(plain, "User lives in Leeds.")
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I live in York."))
        chat.instead = answer(proposal("User lives in York.", "I live in York.", action="supersede", target="m1"))
        await scene.capture()
        (asked,) = chat.asked

    (turn,) = await scene.turns(accepted.conversation_id)
    newer = await scene.memory(turn.memory_id)
    assert "m1: User lives in Leeds." in asked["messages"][1]["content"]
    assert newer.chain == (older, turn.memory_id)
    assert (await scene.memory(older)).memory.status == "superseded"
    assert await scene.contents() == ["User lives in York."]

    undoing = scene.tenant.write("User lives in Leeds.", supersedes=turn.memory_id)
    (undone,) = await scene.tenant.remember(undoing)
    assert undone.status == "accepted"
    assert await scene.contents() == ["User lives in Leeds."]


async def test_of_two_turns_that_supersede_the_same_memory_the_first_does_and_both_are_written(plain: Scene) -> None:
    (older,) = await known(plain, "User lives in Leeds.")
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I live in York."), assistant("Nice."), user("I live in Bath now."))
        chat.instead = answer(
            proposal("User lives in York.", "I live in York.", action="supersede", target="m1"),
            proposal("User lives in Bath now.", "I live in Bath now.", turn=3, action="supersede", target="m1"),
        )
        report = await scene.capture()

    first, _, _ = await scene.turns(accepted.conversation_id)
    assert (report.failed, report.kept) == ({}, 2)
    assert (await scene.memory(first.memory_id)).chain == (older, first.memory_id)
    assert await scene.contents() == ["User lives in Bath now.", "User lives in York."]


@pytest.mark.parametrize("is_last", [False, True])
async def test_where_a_memory_to_be_superseded_is_gone_the_message_comes_again_and_rules_decide_on_the_last_try(
    plain: Scene, is_last: bool
) -> None:
    (older,) = await known(plain, "User lives in Leeds.")
    async with reading(plain) as (scene, chat):
        deriver = scene.capturer.deriver
        late = replace(deriver, counter=_Superseding(deriver.counter, scene.tenant, older))
        accepted = await scene.add(user("I live in York."))
        chat.instead = answer(proposal("User lives in York.", "I live in York.", action="supersede", target="m1"))
        capturer = replace(scene.capturer, deriver=late)
        message = CaptureMessage(scene.tenant.org_id, accepted.conversation_id or uuid4(), last_try=is_last)
        report = await capturer.capture([message])

    decision = ("kept", extracted.REFUSED) if is_last else ("pending", None)
    assert list(report.failed.values()) == ([] if is_last else ["TargetGone"])
    assert await scene.decisions(accepted.conversation_id) == [decision]
    assert await scene.contents() == ["User lives in Hull.", *(["User: I live in York."] if is_last else [])]


@dataclass
class _Superseding:
    """Counts tokens, and supersedes a memory before it does so for the first time."""

    counter: TokenCounter
    tenant: Tenant
    memory_id: UUID
    is_done: bool = False

    async def count_many(self, texts: Sequence[str], family: str) -> Any:
        if not self.is_done:
            self.is_done = True
            await self.tenant.remember(self.tenant.write("User lives in Hull.", supersedes=self.memory_id))
        return await self.counter.count_many(texts, family)


async def test_a_memory_that_is_not_made_untrue_is_never_hidden(plain: Scene) -> None:
    (older,) = await known(plain, "User is allergic to nuts.")
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I like nuts."))
        chat.instead = answer(proposal("User likes nuts.", "I like nuts.", action="supersede", target="m1"))
        await scene.capture()

    (turn,) = await scene.turns(accepted.conversation_id)
    relations = (await scene.memory(older)).relations
    assert await scene.contents() == ["User is allergic to nuts.", "User likes nuts."]
    assert (await scene.memory(older)).memory.conflicts == [{"id": str(turn.memory_id), "is_newer": True}]
    assert [(one.from_memory_id, one.to_memory_id, one.type) for one in relations] == [
        (turn.memory_id, older, "may_contradict")
    ]


async def test_a_duplicate_is_not_written(plain: Scene) -> None:
    await known(plain, "User lives in Leeds.")
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I live in Leeds."))
        chat.instead = answer(proposal("User lives in Leeds.", "I live in Leeds.", action="duplicate", target="m1"))
        await scene.capture()

    assert await scene.decisions(accepted.conversation_id) == [("dropped", REPEATED)]
    assert await scene.contents() == ["User lives in Leeds."]


async def test_a_memory_to_be_reviewed_is_found_by_nobody_until_it_is_approved(
    plain: Scene, migrated: PostgresServer, redis: RedisClient
) -> None:
    await configure_organization(migrated.owner_url, plain.tenant.org_id, {"capture_review": True})
    (older,) = await known(plain, "User lives in Leeds.")
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I live in York."))
        chat.instead = answer(proposal("User lives in York.", "I live in York.", action="supersede", target="m1"))
        await scene.capture()
    (turn,) = await scene.turns(accepted.conversation_id)
    stored = await scene.memory(turn.memory_id)
    found = await scene.by_words("York")
    indexed = await scene.tenant.fetch("SELECT indexed_documents, content_words FROM agents")
    listed = await scene.contents()

    reviser = Reviser(
        memories=scene.memories,
        life=PostgresMemoryLife(scene.tenant.database),
        directory=scene.capturer.directory,
        redactor=Redactor(find_phones),
        deriver=scene.capturer.deriver,
        announcer=Announcer(RedisAgentCache(redis), scene.embed_queue),
        clock=SystemClock(),
        new_id=uuid4,
    )
    approved = await reviser.revise(
        turn.memory_id, {"status": "active"}, scene.principal, version=None, afterwards=LaterWork()
    )

    assert (stored.memory.status, stored.relations, stored.embedding_state) == ("pending_review", (), "dropped")
    assert stored.provenance and stored.provenance["proposed"] == {
        "action": "supersede",
        "target": str(older),
        "version": 1,
    }
    assert (found, listed) == (set(), ["User lives in Leeds."])
    assert indexed == [(1, 3)]
    assert (approved.memory.status, approved.embedding_state) == ("active", "pending")
    assert (approved.memory.supersedes, await scene.by_words("lives")) == (older, {turn.memory_id})


async def test_the_rules_keep_the_words_of_a_standing_instruction_whatever_the_model_makes_of_it(plain: Scene) -> None:
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user("I live in Leeds."), user("Always answer in German."), user_id="ada")
        chat.instead = answer(
            proposal("User lives in Leeds.", "I live in Leeds.", source_turns=[1]),
            proposal("User always answers in German.", "Always answer in German.", source_turns=[2]),
        )
        await scene.capture()

    rows = await scene.tenant.fetch("SELECT content, provenance ? 'pin_proposed' FROM memories ORDER BY content")
    assert accepted.numbers == [1, 2]
    assert rows == [("User lives in Leeds.", False), ("User: Always answer in German.", True)]


async def test_all_memories_of_a_turn_are_forgotten_with_it(plain: Scene, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, plain.tenant.org_id, {"forget_at_once": True})
    async with reading(plain) as (scene, chat):
        chat.instead = answer(*BOTH)
        await scene.add(user(LEEDS), user_id="ada")
        await scene.capture()
        before = await scene.contents()
        chat.instead = answer()
        await scene.add(user("Forget what I just said."), user_id="ada")
        await scene.capture()

    assert before == ["User lives in Leeds.", "User works as a nurse."]
    assert await scene.contents() == []


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_wish_is_about_memories_that_wait_for_review_too(
    plain: Scene, migrated: PostgresServer, at_once: bool
) -> None:
    settings = {"capture_review": True, "forget_at_once": at_once}
    await configure_organization(migrated.owner_url, plain.tenant.org_id, settings)
    async with reading(plain) as (scene, chat):
        chat.instead = answer(*BOTH)
        await scene.add(user(LEEDS), user_id="ada")
        await scene.capture()
        chat.instead = answer()
        await scene.add(user("Forget what I just said."), user_id="ada")
        await scene.capture()

    rows = await scene.tenant.fetch("SELECT DISTINCT status, provenance ? 'forget_proposed' FROM memories")
    assert rows == [("deleted", False) if at_once else ("pending_review", True)]


async def test_of_a_turn_that_waits_only_the_memory_that_the_wish_is_about_is_forgotten(
    plain: Scene, migrated: PostgresServer
) -> None:
    await configure_organization(migrated.owner_url, plain.tenant.org_id, {"forget_at_once": True})
    async with reading(plain) as (scene, chat):
        chat.instead = answer(*BOTH)
        await scene.add(user(LEEDS), user("Forget that I work as a nurse."), user_id="ada")
        await scene.capture()

    assert await scene.contents() == ["User lives in Leeds."]


async def test_beyond_the_days_tokens_rules_decide_and_nothing_is_asked(plain: Scene) -> None:
    async with reading(plain, tokens=16_000) as (scene, chat):
        chat.instead = answer(proposal(), tokens=(13_000, 1_000))
        first = await scene.add(user(NUTS), session_id="one")
        await scene.capture()
        second = await scene.add(user("I live in Leeds."), session_id="two")
        await scene.capture()

    assert await scene.decisions(first.conversation_id) == [("kept", EXTRACTED)]
    assert await scene.decisions(second.conversation_id) == [("kept", extracted.NO_BUDGET)]
    assert len(chat.asked) == 1
    assert await scene.tenant.fetch("SELECT tokens, calls FROM capture_budgets") == [(14_000, 1)]


async def test_calls_at_once_reserve_no_more_than_the_day_has(plain: Scene) -> None:
    usage, day = PostgresUsage(plain.tenant.database), datetime.now(UTC).date()

    async def reserve() -> bool:
        return await usage.reserve_tokens(plain.tenant.org_id, day, 300, most=1000)

    results = await asyncio.gather(*(reserve() for _ in range(12)))
    await usage.charge_tokens(plain.tenant.org_id, day, reserved=300, used=200)
    fits = await reserve()
    again = await usage.reserve_tokens(plain.tenant.org_id, day + timedelta(days=1), 300, most=1000)

    assert sum(results) == 3
    assert (fits, again) == (False, True)
    assert await plain.tenant.fetch("SELECT tokens, calls FROM capture_budgets ORDER BY day") == [(800, 3), (300, 1)]


async def test_an_organization_may_do_without_the_model(plain: Scene, migrated: PostgresServer) -> None:
    await configure_organization(migrated.owner_url, plain.tenant.org_id, {"capture_model": False})
    async with reading(plain) as (scene, chat):
        accepted = await scene.add(user(NUTS))
        await scene.capture()

    assert chat.asked == []
    assert await scene.decisions(accepted.conversation_id) == [("kept", "statement")]
