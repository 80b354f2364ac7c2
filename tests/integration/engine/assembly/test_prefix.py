"""How much of a session's last prompt begins the next one, and what broke it."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from local.servers import PostgresServer
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.context import prefix
from remembrancer.domain.context.assembly import Assembly
from remembrancer.domain.context.prefix import Prefix
from remembrancer.errors import StoreTimeout
from remembrancer.usecases.assembly import earlier
from tests.builders import message
from tests.integration.engine.assembly.bench import Bench, retrieving
from tests.integration.engine.assembly.test_placement import choose
from tests.integration.engine.assembly.test_switched_off import Switches
from tests.integration.engine.assembly.test_told import FACTS, ONE, QUESTIONS, Talk, ids, texts

__all__ = ["ids"]
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function"}]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "42"}


def whole(answer: Assembly) -> int:
    """The tokens of the prompt, without the three of the answer to come."""
    assert answer.budget is not None
    return answer.budget.messages + answer.budget.tools + answer.total_tokens_injected - 3


def require(before: Assembly, after: Assembly, broken_by: str) -> None:
    """What the answer says agrees with the messages."""
    kept = next(
        (place for place, (one, other) in enumerate(zip(texts(before), texts(after), strict=False)) if one != other),
        min(len(before.messages), len(after.messages)),
    )
    assert after.prefix is not None
    assert after.prefix.broken_by == broken_by
    assert after.prefix.of == whole(before)
    assert (after.prefix.tokens == after.prefix.of) == (broken_by == "") == (kept == len(before.messages))
    assert (after.prefix.tokens > 0) == (kept > 0)


async def test_a_session_of_turns_and_tool_calls_has_its_whole_last_prompt_again(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    answers = [await talk.say(question) for question in QUESTIONS[:3]]
    talk.messages.pop()
    answers += [await talk.again(), await talk.again(CALL, RESULT)]

    assert [answer.fallback_reason for answer in answers] == [""] * 5
    for before, after in pairwise(answers):
        require(before, after, "")
    assert answers[0].prefix is None
    assert answers[0].as_json()["metadata"]["prefix"] is None
    assert answers[1].as_json()["metadata"]["prefix"] == {
        "tokens": whole(answers[0]),
        "of": whole(answers[0]),
        "broken_by": None,
    }


async def test_an_answer_without_a_session_has_no_prefix(bench: Bench) -> None:
    assert (await bench.assemble()).prefix is None
    assert (await bench.assemble()).prefix is None


@pytest.mark.parametrize("how", ["cut", "rewritten", "shorter", "summarised"])
async def test_a_client_that_changes_its_messages_breaks_it(bench: Bench, ids: list[UUID], how: str) -> None:
    talk = Talk(bench)
    await talk.say(QUESTIONS[0])
    before = await talk.say(QUESTIONS[1])
    if how == "cut":
        del talk.messages[:2]
    elif how == "rewritten":
        talk.messages[1] = {"role": "assistant", "content": "Something else."}
    elif how == "shorter":
        del talk.messages[2:]
    else:
        talk.messages[:2] = [message("So far: nothing.")]

    after = await (talk.again() if how == "shorter" else talk.say(QUESTIONS[2]))

    assert after.prefix is not None
    assert after.prefix.broken_by == "history"
    assert 0 < after.prefix.tokens < after.prefix.of == whole(before)


@pytest.mark.parametrize("how", ["text", "place", "late"])
async def test_another_directive_breaks_it_at_its_message(bench: Bench, ids: list[UUID], how: str) -> None:
    talk = Talk(bench)
    before = await talk.say(QUESTIONS[0])
    text = str(before.messages[0]["content"])
    directory, tenant = PostgresDirectory(bench.tenant.database), bench.tenant
    stored = await directory.directive(tenant.org_id, tenant.agent_id)
    assert stored is not None
    assert stored.text in text
    new = ("Be kind.", "system_first") if how == "text" else (stored.text, "user_prepend")
    changed = await directory.put_directive(
        tenant.org_id, tenant.agent_id, *(("", "system_first") if how == "late" else new)
    )
    await bench.cache.put_directive(tenant.org_id, tenant.agent_id, changed)

    after = await talk.say(QUESTIONS[1])

    assert after.prefix == Prefix(0, whole(before), "directive")
    if how == "place":
        require(after, await talk.say(QUESTIONS[2]), "directive")


async def test_a_told_memory_that_is_gone_breaks_it_once(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    await talk.say(QUESTIONS[0])
    before = await talk.say(QUESTIONS[1])
    await PostgresMemoryLife(bench.tenant.database).forget(bench.tenant.principal, ids[1], datetime.now(UTC))

    after = await talk.say(QUESTIONS[2])

    require(before, after, "memory")
    require(after, await talk.say(QUESTIONS[3]), "")


async def test_blocks_that_became_too_many_break_it_once(
    bench: Bench, ids: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Talk(bench)
    answers = [await talk.say(question) for question in QUESTIONS[:3]]
    monkeypatch.setattr(earlier, "LEAST_BOUND", 30)
    talk.options = replace(ONE, memory_tokens=8)

    answers += [await talk.say(QUESTIONS[3])]

    require(answers[2], answers[3], "bound")
    assert FACTS[0] not in str(answers[3].messages)
    require(answers[3], await talk.say(QUESTIONS[4]), "")


async def test_blocks_that_postgres_does_not_confirm_break_it(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    before = await talk.say(QUESTIONS[0])
    searcher = bench.assembler.retriever.retrieval.searcher

    class Late(type(searcher)):  # type: ignore[misc]
        async def rows_of(self, *asked: Any) -> Any:
            raise StoreTimeout("late", cause="Postgres")

    talk.bench = retrieving(bench, searcher=Late(**{name: getattr(searcher, name) for name in searcher.__slots__}))
    after = await talk.say(QUESTIONS[1])

    require(before, after, "earlier_missing")


async def test_memories_with_the_directive_break_it_each_turn_but_not_within_one(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench, options=replace(ONE, placement="system"))
    answers = [await talk.say(question) for question in QUESTIONS[:2]]
    talk.messages.pop()
    again = await talk.again(CALL, RESULT)

    require(answers[0], answers[1], "placement")
    require(answers[1], again, "")


async def test_another_placement_breaks_it(bench: Bench, ids: list[UUID], migrated: PostgresServer) -> None:
    talk = Talk(bench, options=replace(ONE, placement=None))
    answers = []
    for placement, question in zip(("system", "turn", "turn", "system"), QUESTIONS, strict=False):
        await choose(bench, migrated.owner_url, agents=placement)
        answers.append(await talk.say(question))

    require(answers[0], answers[1], "placement")
    require(answers[1], answers[2], "")
    require(answers[2], answers[3], "placement")


@pytest.mark.parametrize(
    ("changed", "word"), [({"model": "gpt-4.1"}, "model"), ({"tools": [{"name": "look"}]}, "tools")]
)
async def test_another_model_and_other_tools_leave_nothing_of_it(
    bench: Bench, ids: list[UUID], changed: dict[str, Any], word: str
) -> None:
    talk = Talk(bench)
    before = await talk.say(QUESTIONS[0])
    request = bench.request(messages=talk.messages, session_id="s", options=ONE)

    after = await bench.assemble(replace(request, **changed))

    assert after.prefix == Prefix(0, whole(before), word)


async def test_where_memories_are_off_nothing_is_said(bench: Bench, ids: list[UUID], migrated: PostgresServer) -> None:
    talk = Talk(bench)
    before = await talk.say(QUESTIONS[0])
    switches = Switches(bench, migrated.owner_url)
    await switches.turn("agent", enabled=False)
    off = await talk.say(QUESTIONS[1])
    await switches.turn("agent", enabled=True)
    on = await talk.say(QUESTIONS[2])

    assert off.prefix is None
    require(before, on, "")


async def test_without_redis_there_is_no_prefix_and_the_chat_goes_on(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    await talk.say(QUESTIONS[0])
    searcher = replace(
        bench.assembler.retriever.retrieval.searcher, cache=RedisAgentCache(RedisClient("redis://127.0.0.1:9"))
    )
    talk.bench, talk.works_later = retrieving(bench, searcher=searcher), False

    answer = await talk.say(QUESTIONS[1])

    assert answer.prefix is None
    assert answer.memory_ids == (ids[1],)


async def test_of_a_long_history_the_older_messages_are_compared_together(
    bench: Bench, ids: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefix, "MOST_RECORDED", 3)
    talk = Talk(bench)
    answers = [await talk.say(question) for question in QUESTIONS[:4]]
    for before, after in pairwise(answers):
        require(before, after, "")
    talk.messages[1] = {"role": "assistant", "content": "Something else."}

    after = await talk.say(QUESTIONS[4])

    assert after.prefix == Prefix(0, whole(answers[3]), "history")


async def test_no_text_is_recorded(bench: Bench, ids: list[UUID], redis: RedisClient) -> None:
    talk = Talk(bench)
    await talk.say(QUESTIONS[0])
    tenant = bench.tenant

    seen = await bench.cache.read(
        tenant.org_id, tenant.agent_id, talk.end_user, 0, session=await _session_of(redis, tenant.org_id)
    )

    assert seen.prompt is not None
    assert all(
        len(part) == prefix.DIGEST_BYTES for part in (*seen.prompt.parts, *(one.own for one in seen.prompt.messages))
    )


async def _session_of(redis: RedisClient, org_id: UUID) -> str:
    (key,) = await redis.names(f"{org_id}:told:*")
    return key.split(":")[2]
