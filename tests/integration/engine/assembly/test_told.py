"""A session's prompt grows only at its end: what its earlier messages had stands before them again, told once."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.context.assembly import Assembly, AssemblyOptions
from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.errors import StoreTimeout
from remembrancer.ports.search import MemoryIndex
from tests.builders import SetClock, message
from tests.integration.engine.assembly.bench import Bench, counting, retrieving, searching
from tests.integration.engine.later import LaterWork

FACTS = (
    "The piano is in the parlour.",
    "The tea is in the attic.",
    "The goose lives in the garden.",
    "The boat is in the harbour.",
    "The bicycle is in the cellar.",
)
QUESTIONS = ("piano parlour", "tea attic", "goose garden", "boat harbour", "bicycle cellar")
ONE = AssemblyOptions(max_memories=1, silence=False, placement="turn")


@dataclass
class Talk:
    """One session: the client keeps its own messages and sends them all."""

    bench: Bench
    session_id: str = "s"
    messages: list[dict[str, Any]] = field(default_factory=list)
    end_user: EndUser = NOBODY
    options: AssemblyOptions = ONE
    works_later: bool = True

    async def say(self, text: str) -> Assembly:
        self.messages.append(message(text))
        answer = await self.again()
        self.messages.append({"role": "assistant", "content": f"Answer to {text}."})
        return answer

    async def again(self, *more: dict[str, Any]) -> Assembly:
        """The same messages, as in a tool loop."""
        later, own = LaterWork(), [*self.messages, *more]
        before = json.dumps(own)
        answer = await self.bench.assemble(
            self.bench.request(messages=own, session_id=self.session_id, end_user=self.end_user, options=self.options),
            later=later,
        )
        if self.works_later:
            await later.do_all()
        assert json.dumps(own) == before
        return answer


@pytest.fixture
async def ids(bench: Bench) -> list[UUID]:
    found = list(await bench.tenant.remember_texts(*FACTS))
    await bench.tenant.embed(found)
    return found


@dataclass(frozen=True, slots=True)
class Failing:
    """A store whose searches of these names fail."""

    search: MemoryIndex
    names: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        return _late if name in self.names else getattr(self.search, name)


async def _late(*_: Any, **__: Any) -> Any:
    raise StoreTimeout("late", cause="Postgres")


def with_failing(bench: Bench, *names: str) -> Bench:
    """Another instance, without a map and without these searches."""
    store: Any = Failing(bench.assembler.retriever.retrieval.searcher.store, names)
    return searching(bench, maps=counting(bench, Counter()).assembler.retriever.retrieval.searcher.maps, store=store)


def texts(answer: Assembly) -> list[str]:
    return [json.dumps(one, sort_keys=True) for one in answer.messages]


def prompt(answer: Assembly) -> str:
    return "\n".join(texts(answer))


def require_growth(answers: Sequence[Assembly]) -> None:
    """Each prompt begins with the whole prompt before it."""
    for before, after in pairwise(answers):
        assert texts(after)[: len(before.messages)] == texts(before)


async def test_each_prompt_begins_with_the_prompt_before_and_tells_nothing_twice(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)

    answers = [await talk.say(question) for question in QUESTIONS]

    require_growth(answers)
    assert [len(answer.memory_ids) for answer in answers] == [1] * len(QUESTIONS)
    assert {answer.memory_ids[0] for answer in answers} >= set(ids)
    assert answers[-1].earlier_memory_ids == {answer.memory_ids[0] for answer in answers[:-1]}
    for fact in FACTS:
        assert prompt(answers[-1]).count(fact) == 1


async def test_within_a_turn_nothing_changes_whatever_is_learnt_meanwhile(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    await talk.say("tea attic")
    first = await talk.say("goose garden")
    talk.messages.pop()
    await bench.tenant.embed(await bench.tenant.remember_texts("The goose garden has a goose garden gate."))
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function"}]}

    second = await talk.again(call, {"role": "tool", "tool_call_id": "1", "content": "42"})

    assert texts(second)[: len(first.messages)] == texts(first)
    assert second.memory_ids == first.memory_ids


@pytest.mark.parametrize("placement", ["system", "turn"])
@pytest.mark.parametrize("named", [{"session_id": "s"}, {"turn_id": "t"}], ids=["session", "turn"])
async def test_within_a_turn_the_memories_keep_their_order_whatever_names_it(
    bench: Bench, ids: list[UUID], named: dict[str, str], placement: str
) -> None:
    """Scored again among themselves, those that were given would stand in another order."""
    boxes = [f"Box {n} of {'tea ' * (n % 5)} is in the attic {'of ours ' * (n % 3)}." for n in range(30)]
    await bench.tenant.embed(await bench.tenant.remember_texts(*boxes))
    options = AssemblyOptions(max_memories=12, silence=False, relevance_floor=0.0, placement=placement)
    request = bench.request(messages=[message("Which tea of ours is in the attic?")], options=options, **named)
    later = LaterWork()
    first = await bench.assemble(request, later=later)
    await later.do_all()
    tool = {"role": "tool", "tool_call_id": "1", "content": "42"}

    second = await counting(bench, Counter()).assemble(replace(request, messages=[*request.messages, tool]))

    assert len(first.memory_ids) == 12
    assert second.tier == "turn_cache"
    assert texts(second)[: len(first.messages)] == texts(first)


@pytest.mark.parametrize("placement", ["system", "turn"])
async def test_within_a_turn_nothing_changes_when_a_source_is_back(
    bench: Bench, ids: list[UUID], placement: str
) -> None:
    """The first answer lacked the search by words; what it had is given again."""
    talk = Talk(bench, options=replace(ONE, placement=placement, max_memories=3))
    talk.messages.append(message("the tea and the goose"))
    whole, talk.bench = talk.bench, with_failing(bench, "matching")
    first = await talk.again()
    talk.bench = whole

    second = await talk.again({"role": "assistant", "content": "I look."})

    assert first.memory_ids
    assert second.fallback_reason == first.fallback_reason == "lexical_timeout"
    assert texts(second)[: len(first.messages)] == texts(first)


async def test_what_a_turn_was_told_is_given_again_when_the_turn_cache_is_gone_and_the_searches_fail(
    bench: Bench, ids: list[UUID]
) -> None:
    talk = Talk(bench)
    talk.messages.append(message("tea attic"))
    first = await talk.again()
    await bench.redis.drop(*await bench.redis.names(f"{bench.tenant.org_id}:turn:*"))
    talk.bench = with_failing(bench, "matching", "nearest")

    second = await talk.again({"role": "assistant", "content": "I look."})

    assert second.tier != "turn_cache"
    assert second.memory_ids == first.memory_ids == (ids[1],)


@pytest.mark.parametrize("placement", ["system", "turn"])
async def test_a_message_that_stands_last_begins_its_turn(bench: Bench, ids: list[UUID], placement: str) -> None:
    """Another conversation of a derived session may begin with the same words; what was learned since is found."""
    talk = Talk(bench, options=replace(ONE, placement=placement, max_memories=2, relevance_floor=0.0))
    await talk.say("tea attic")
    first = await talk.say("boat harbour")
    talk.messages.pop()
    (new,) = await bench.tenant.remember_texts("The boat harbour has a boat.")
    await bench.tenant.embed([new])
    talk.bench = counting(bench, Counter())

    second = await talk.again()
    third = await talk.again({"role": "assistant", "content": "I look."})

    assert new in second.memory_ids
    assert third.memory_ids == second.memory_ids != first.memory_ids
    assert texts(third)[: len(second.messages)] == texts(second)
    assert texts(second)[1:-1] == texts(first)[1:-1]


async def test_another_turn_with_the_same_words_is_another_turn(bench: Bench, ids: list[UUID]) -> None:
    """A client that keeps no history sends the same words as the first message of its session again."""
    options = replace(ONE, max_memories=2, relevance_floor=0.0)

    async def asked(turn_id: str) -> Assembly:
        later = LaterWork()
        request = bench.request(messages=[message("boat harbour")], session_id="s", turn_id=turn_id, options=options)
        answer = await counting(bench, Counter()).assemble(request, later=later)
        await later.do_all()
        return answer

    first = await asked("1")
    (new,) = await bench.tenant.remember_texts("The boat harbour has a boat.")
    await bench.tenant.embed([new])
    same, other = await asked("1"), await asked("2")

    assert same.memory_ids == first.memory_ids
    assert new in other.memory_ids


@pytest.mark.parametrize("placement", ["system", "turn"])
async def test_a_turn_that_was_told_nothing_for_lack_of_a_source_is_told_when_it_is_back(
    bench: Bench, ids: list[UUID], placement: str
) -> None:
    talk = Talk(bench, options=replace(ONE, placement=placement))
    talk.messages.append(message("tea attic"))
    whole, talk.bench = talk.bench, with_failing(bench, "matching", "nearest")
    first = await talk.again()
    talk.bench = whole

    second = await talk.again({"role": "assistant", "content": "I look."})

    assert (first.memory_ids, second.memory_ids) == ((), (ids[1],))
    assert first.fallback_reason
    assert second.fallback_reason == ""


@pytest.mark.parametrize("has_map", [True, False])
async def test_another_instance_gives_the_same_prompt(bench: Bench, ids: list[UUID], has_map: bool) -> None:
    talk = Talk(bench)
    answers = [await talk.say(question) for question in QUESTIONS[1:4]]
    other = counting(bench, Counter())
    if has_map:
        later = LaterWork()
        await other.assemble(later=later)
        await later.do("memory_map")
    talk.bench = other

    answers.append(await talk.say(QUESTIONS[4]))

    require_growth(answers)


@pytest.mark.parametrize("how", ["deleted", "edited", "superseded"])
async def test_what_is_gone_or_changed_is_in_no_block(bench: Bench, ids: list[UUID], how: str) -> None:
    talk = Talk(bench)
    await talk.say("tea attic")
    tea = ids[1]
    store, life = PostgresMemories(bench.tenant.database), PostgresMemoryLife(bench.tenant.database)
    stored = await store.get(bench.tenant.principal, tea)
    assert stored is not None
    if how == "deleted":
        await life.forget(bench.tenant.principal, tea, datetime.now(UTC))
    elif how == "edited":
        write = replace(bench.tenant.write("The tea is on the roof."), memory_id=tea)
        await life.revise(bench.tenant.principal, Revision(stored, write, "active", text_changed=True))
    else:
        await bench.tenant.remember_texts("The tea is on the roof.", supersedes=tea)

    answer = await talk.say("goose garden")

    assert FACTS[1] not in prompt(answer)
    assert tea not in answer.earlier_memory_ids
    assert answer.memory_ids == (ids[2],)


async def test_what_has_expired_is_in_no_block(bench: Bench, ids: list[UUID]) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    (ferry,) = await bench.tenant.remember_texts("The ferry leaves from pier three.", expires_at=soon)
    await bench.tenant.embed([ferry])
    talk = Talk(bench)
    told = await talk.say("ferry pier")
    later = SetClock(start=None, seconds=2 * 3600)
    talk.bench = replace(bench, assembler=replace(bench.assembler, clock=later))

    answer = await talk.say("goose garden")

    assert told.memory_ids == (ferry,)
    assert (answer.memory_ids, answer.earlier_memory_ids) == ((ids[2],), frozenset())
    assert "pier three" not in prompt(answer)


async def test_another_end_user_of_the_same_session_id_sees_nothing_of_it(bench: Bench) -> None:
    (secret,) = await bench.tenant.remember_texts("Ann's tea is in the safe.", user_id="ann")
    await bench.tenant.embed([secret])
    ann, bob = Talk(bench, end_user=EndUser("ann")), Talk(bench, end_user=EndUser("bob"))
    told = await ann.say("tea safe")
    bob.messages = list(ann.messages)

    answer = await bob.say("goose garden")

    assert told.memory_ids == (secret,)
    assert "safe." not in prompt(answer).replace("tea safe", "")
    assert answer.earlier_memory_ids == frozenset()


async def test_without_redis_the_chat_goes_on_and_says_what_is_missing(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench)
    await talk.say("tea attic")
    dead = RedisClient("redis://127.0.0.1:9")
    searcher = replace(bench.assembler.retriever.retrieval.searcher, cache=type(bench.cache)(dead))
    talk.bench, talk.works_later = retrieving(bench, searcher=searcher), False

    answer = await talk.say("goose garden")

    assert answer.memory_ids == (ids[2],)
    assert "told_" in answer.fallback_reason
    assert FACTS[1] not in prompt(answer)


async def test_an_explanation_says_which_memories_are_told_and_a_turn_is_not_silent_for_having_been_told(
    bench: Bench, ids: list[UUID]
) -> None:
    talk = Talk(bench)
    first = await talk.say("tea attic")
    talk.messages.pop()
    talk.options = replace(ONE, explain=True)
    again = await talk.again()
    talk.messages.append({"role": "assistant", "content": "It is in the attic."})

    following = await talk.say("Is the tea still in the attic?")

    assert again.memory_ids == first.memory_ids == (ids[1],)
    assert not again.silent
    dispositions = [
        {one.scored.memory.id: one.disposition for one in answer.candidates or ()} for answer in (again, following)
    ]
    assert [found[ids[1]] for found in dispositions] == ["included", "told"]


async def test_placed_with_the_directive_nothing_stands_before_earlier_messages(bench: Bench, ids: list[UUID]) -> None:
    talk = Talk(bench, options=replace(ONE, placement="system"))
    await talk.say("tea attic")

    answer = await talk.say("goose garden")

    assert FACTS[2] in str(answer.messages[0]["content"])
    assert [dict(one) for one in answer.messages[1:]] == talk.messages[:-1]
