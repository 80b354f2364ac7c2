"""Pinned memories stand in every prompt of those whom they concern, whatever is asked and whichever source has them."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.domain.context.assembly import Assembly, AssemblyOptions
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.scope import EVERYBODY, EndUser
from remembrancer.domain.memories import pins
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.errors import PinnedFull, StoreTimeout
from remembrancer.ports.search import MapPage
from remembrancer.usecases.assembly.assemble import ANSWER_RESERVE_MS
from remembrancer.usecases.retrieval.confirmations import Confirmations
from remembrancer.usecases.retrieval.known_agents import KnownAgents
from tests.builders import SetClock, message
from tests.integration.engine.assembly.bench import (
    DIRECTIVE,
    Bench,
    counting,
    injected,
    retrieving,
    searching,
    statuses,
)
from tests.integration.engine.later import LaterWork

GERMAN = "Always answer in German."
SAM = "Call me Sam."
PINNED_AT = datetime(2026, 1, 1, tzinfo=UTC)


class FrozenSource:
    """Serves MapSource and AgentStates like a Postgres that answers nothing more."""

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        raise StoreTimeout("frozen", cause="Frozen")

    async def page(self, *arguments: Any, **named: Any) -> MapPage | None:
        raise StoreTimeout("frozen", cause="Frozen")

    async def rows(self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID]) -> Sequence[Memory]:
        raise StoreTimeout("frozen", cause="Frozen")

    async def pinned(self, org_id: UUID, agent_id: UUID, end_user: EndUser) -> Pins | None:
        raise StoreTimeout("frozen", cause="Frozen")


async def pin(bench: Bench, text: str, *, after_seconds: int = 0, **changes: Any) -> UUID:
    at = PINNED_AT + timedelta(seconds=after_seconds)
    (memory_id,) = await bench.tenant.remember_texts(text, pinned_at=at, **changes)
    return memory_id


async def revised(bench: Bench, memory_id: UUID, status: str = "active", **changes: Any) -> None:
    stored = await PostgresMemories(bench.tenant.database).get(bench.tenant.principal, memory_id)
    assert stored is not None
    memory = stored.memory
    kept = {
        "category": memory.category,
        "source": memory.source,
        "user_id": memory.user_id,
        "pinned_at": memory.pinned_at,
    }
    write = bench.tenant.write(changes.pop("content", memory.content), **{**kept, **changes})
    text_changed = write.memory.content != memory.content
    revision = Revision(stored, replace(write, memory_id=memory_id), status, text_changed=text_changed)
    outcome = await PostgresMemoryLife(bench.tenant.database).revise(bench.tenant.principal, revision)
    assert outcome.status == "done"
    assert outcome.change is not None
    await bench.cache.changed(bench.tenant.org_id, bench.tenant.agent_id, outcome.change, [memory_id])


async def warm(bench: Bench) -> None:
    """With a map, and a cache that was told everything."""
    for _ in range(2):
        later = LaterWork()
        await bench.assemble(later=later)
        await later.do_all()


def pinned_block(answer: Assembly) -> str:
    return injected(answer).partition("<pinned-")[2].partition("</pinned-")[0]


def require_pinned(answer: Assembly, *texts: str) -> None:
    """These stand in the standing part, in this order, and nowhere else."""
    block = pinned_block(answer)
    places = [block.find(f"- {text}\n") for text in texts]
    assert -1 not in places, injected(answer)
    assert places == sorted(places)
    assert len(answer.pinned_memory_ids) == len(texts)
    assert [injected(answer).count(text) for text in texts] == [1] * len(texts)


async def test_from_the_store_without_a_word_in_common_with_the_request_in_the_order_of_pinning(bench: Bench) -> None:
    sam = await pin(bench, SAM, after_seconds=2)
    german = await pin(bench, GERMAN, after_seconds=1)

    answer = await bench.assemble()

    require_pinned(answer, GERMAN, SAM)
    assert answer.pinned_memory_ids == (german, sam)
    assert str(answer.messages[0]["content"]).index(DIRECTIVE) < str(answer.messages[0]["content"]).index(GERMAN)
    assert not set(answer.memory_ids) & {german, sam}
    assert answer.budget is not None
    assert answer.budget.pinned > 10
    assert answer.sources["pinned"].count == 2
    assert answer.fallback_reason == ""


async def test_a_warm_map_has_them_without_a_question_to_the_store(bench: Bench) -> None:
    await pin(bench, GERMAN)
    await warm(bench)
    source, calls = bench.assembler.retriever.retrieval.searcher.source, Counter[str]()
    counted = searching(bench, source=_Counting(source, calls))

    answer = await counted.assemble()

    require_pinned(answer, GERMAN)
    assert (answer.tier, answer.sources["pinned"].origin, calls["pinned"]) == ("map", "map", 0)


async def test_an_agent_without_any_says_nothing_of_them(bench: Bench) -> None:
    answer = await bench.assemble()

    assert "pinned" not in answer.sources
    assert "pinned" not in injected(answer)
    assert answer.budget is not None
    assert answer.budget.pinned == 0


@pytest.mark.parametrize("placement", ["system", "turn"])
async def test_in_both_placements_and_in_every_call_of_a_tool_loop(bench: Bench, placement: str) -> None:
    await pin(bench, GERMAN)
    options = AssemblyOptions(silence=False, placement=placement)
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function"}]}
    own: list[dict[str, Any]] = [message("Where is the coffee machine?")]
    answers = []

    for _ in range(3):
        later = LaterWork()
        request = bench.request(messages=list(own), session_id="s", turn_id="t", options=options)
        answers.append(await bench.assemble(request, later=later))
        await later.do_all()
        own += [call, {"role": "tool", "tool_call_id": "1", "content": "42"}]

    assert answers[-1].tier == "turn_cache"
    for answer in answers:
        require_pinned(answer, GERMAN)
        assert GERMAN in str(answer.messages[0]["content"])
        assert answer.messages[0] == answers[0].messages[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": [message("Thank you, good night!")]},
        {"messages": [{"role": "system", "content": "You help."}]},
        {"options": AssemblyOptions(max_memories=0)},
        {"options": AssemblyOptions(memory_tokens=5)},
        {"options": AssemblyOptions(categories=("episodic",), relevance_floor=1.0)},
        {"options": AssemblyOptions(as_of=datetime(2001, 1, 1, tzinfo=UTC))},
    ],
    ids=["silent", "without a question", "no memories", "no room", "other categories", "of another time"],
)
@pytest.mark.parametrize("has_map", [True, False])
async def test_whatever_else_is_injected(bench: Bench, changes: dict[str, Any], has_map: bool) -> None:
    await pin(bench, GERMAN)
    if has_map:
        await warm(bench)

    answer = await bench.assemble(bench.request(**changes))

    require_pinned(answer, GERMAN)


async def test_without_a_directive_they_stand_in_its_place(bench: Bench) -> None:
    await pin(bench, GERMAN)
    directory: Any = bench.assembler.retriever.retrieval.states
    await directory.put_directive(bench.tenant.org_id, bench.tenant.agent_id, "", "user_prepend")

    answer = await bench.assemble(bench.request(options=AssemblyOptions(max_memories=0)))

    assert [sent["role"] for sent in answer.messages] == ["user"]
    assert str(answer.messages[0]["content"]).startswith("<pinned-")
    assert not answer.directive_injected


async def test_those_of_another_end_user_never_and_of_all_together_only_the_shared_ones(bench: Bench) -> None:
    await pin(bench, GERMAN)
    ann = await pin(bench, SAM, user_id="ann", after_seconds=1)
    await warm(bench)

    principal = replace(bench.tenant.principal, scopes=frozenset({*bench.tenant.principal.scopes, "all_users"}))

    answers = {
        name: [
            await one.assemble(bench.request(end_user=end_user), principal=principal)
            for one in (bench, counting(bench, Counter()))
        ]
        for name, end_user in {"ann": EndUser("ann"), "bob": EndUser("bob"), "*": EVERYBODY}.items()
    }

    for answer in answers["ann"]:
        require_pinned(answer, GERMAN, SAM)
    for answer in (*answers["bob"], *answers["*"]):
        require_pinned(answer, GERMAN)
        assert ann not in answer.pinned_memory_ids
    for answer in answers["bob"]:
        assert SAM not in injected(answer)


@pytest.mark.parametrize("how", ["unpinned", "deleted", "archived", "superseded", "edited"])
@pytest.mark.parametrize("is_told", [True, False], ids=["Redis was told", "Redis missed it"])
async def test_gone_at_the_next_request_of_another_warm_instance(bench: Bench, how: str, is_told: bool) -> None:
    memory_id = await pin(bench, GERMAN)
    other = counting(bench, Counter())
    for one in (bench, other):
        await warm(one)
    before = await other.assemble()
    quiet = bench if is_told else replace(bench, cache=_Deaf(bench.redis))

    if how == "deleted":
        gone = await PostgresMemoryLife(bench.tenant.database).forget(
            bench.tenant.principal, memory_id, datetime.now(UTC)
        )
        assert gone.change is not None
        await quiet.cache.changed(bench.tenant.org_id, bench.tenant.agent_id, gone.change, [memory_id])
    elif how == "superseded":
        await bench.tenant.remember_texts("Always answer in Dutch.", supersedes=memory_id)
    elif how == "edited":
        await revised(quiet, memory_id, content="Always answer in Dutch.")
    elif how == "archived":
        await revised(quiet, memory_id, "archived")
    else:
        await revised(quiet, memory_id, pinned_at=None)
    answer = await other.assemble()

    require_pinned(before, GERMAN)
    assert GERMAN not in pinned_block(answer)
    assert answer.fallback_reason == ""
    if how in {"superseded", "edited"}:
        assert "- Always answer in Dutch." in pinned_block(answer)
    else:
        assert answer.pinned_memory_ids == ()


async def test_what_has_expired_or_is_not_valid_yet_stands_nowhere(bench: Bench) -> None:
    now = datetime.now(UTC)
    await pin(bench, GERMAN, expires_at=now + timedelta(hours=1))
    await pin(bench, SAM, valid_from=now + timedelta(hours=1))
    await warm(bench)
    later = replace(bench, assembler=replace(bench.assembler, clock=SetClock(start=None, seconds=2 * 3600)))

    answers = [await bench.assemble(), await later.assemble()]

    require_pinned(answers[0], GERMAN)
    require_pinned(answers[1], SAM)


async def test_a_new_pin_is_in_the_next_prompt_of_a_warm_instance(bench: Bench) -> None:
    await warm(bench)

    await pin(bench, GERMAN)
    answer = await bench.assemble()

    require_pinned(answer, GERMAN)


@pytest.mark.parametrize("was_asked", [True, False], ids=["asked before", "never asked"])
async def test_without_a_map_while_postgres_is_frozen_the_cache_has_them(bench: Bench, was_asked: bool) -> None:
    await pin(bench, GERMAN)
    await warm(counting(bench, Counter()))
    frozen = _frozen(counting(bench, Counter()))
    end_user = bench.request().end_user if was_asked else EndUser("ann")

    answer = await frozen.assemble(bench.request(end_user=end_user))

    if was_asked:
        require_pinned(answer, GERMAN)
        assert answer.sources["pinned"].origin == "cache"
    else:
        assert answer.pinned_memory_ids == ()
        assert statuses(answer)["pinned"] == "timeout"
        assert "pinned_timeout" in answer.fallback_reason


async def test_what_nothing_confirms_is_left_out_and_named(bench: Bench) -> None:
    await pin(bench, GERMAN)
    await warm(counting(bench, Counter()))
    await bench.redis.drop(f"{bench.tenant.org_id}:confirmed:{{{bench.tenant.agent_id}}}")

    confirmations = Confirmations(KnownAgents(), bench.cache, SetClock())

    answer = await retrieving(_frozen(counting(bench, Counter())), confirmations=confirmations).assemble()

    assert answer.pinned_memory_ids == ()
    assert GERMAN not in injected(answer)
    assert "pinned_error:Unconfirmed" in answer.fallback_reason


async def test_switched_off_agents_have_none(bench: Bench) -> None:
    await pin(bench, GERMAN)
    directory: Any = bench.assembler.retriever.retrieval.states
    await directory.switch(bench.tenant.principal, bench.tenant.agent_id, enabled=False)

    answer = await bench.assemble()

    assert GERMAN not in injected(answer)
    assert "pinned" not in answer.fallback_reason


async def test_an_agent_that_is_gone_has_none_though_a_map_and_the_cache_have_them(bench: Bench) -> None:
    class Gone:
        async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
            return None

    await pin(bench, GERMAN)
    await warm(counting(bench, Counter()))
    await warm(bench)

    answers = [await retrieving(one, states=Gone()).assemble() for one in (bench, counting(bench, Counter()))]

    for answer in answers:
        assert answer.pinned_memory_ids == ()
        assert GERMAN not in injected(answer)


async def test_the_late_answer_has_what_was_accepted_before(bench: Bench) -> None:
    await pin(bench, GERMAN)
    await warm(bench)
    composer = bench.assembler.composer
    slow = replace(bench, assembler=replace(bench.assembler, composer=replace(composer, counter=_CountsTooLate())))

    answer = await slow.assemble(deadline_ms=5000 + ANSWER_RESERVE_MS)

    require_pinned(answer, GERMAN)
    assert DIRECTIVE in injected(answer)
    assert answer.fallback_reason == "assembly_timeout"


async def test_an_explanation_names_them_and_no_block_of_the_session_tells_them(bench: Bench) -> None:
    (harbour,) = await bench.tenant.remember_texts("The boat is in the harbour.")
    await bench.tenant.embed([harbour])
    options = AssemblyOptions(silence=False, placement="turn", explain=True)
    own: list[dict[str, Any]] = [message("boat harbour")]
    later = LaterWork()
    told = await bench.assemble(bench.request(messages=own, session_id="s", options=options), later=later)
    await later.do_all()
    await revised(bench, harbour, pinned_at=PINNED_AT)
    own += [{"role": "assistant", "content": "In the harbour."}, message("Is the boat in the harbour?")]

    answer = await bench.assemble(bench.request(messages=own, session_id="s", options=options))

    assert harbour in told.memory_ids
    require_pinned(answer, "The boat is in the harbour.")
    assert harbour not in {*answer.memory_ids, *answer.earlier_memory_ids}
    found = {one.scored.memory.id: one.disposition for one in answer.candidates or ()}
    assert found[harbour] == "pinned"


async def test_no_two_requests_pin_more_than_fits(bench: Bench) -> None:
    ids = await bench.tenant.remember_texts(*(f"Wish number {number}." for number in range(pins.MOST_TOKENS // 21 + 6)))
    for memory_id in ids[: pins.MOST_TOKENS // 21 - 1]:
        await revised(bench, memory_id, pinned_at=PINNED_AT)

    outcomes = await asyncio.gather(
        *(revised(bench, memory_id, pinned_at=PINNED_AT) for memory_id in ids[-6:]), return_exceptions=True
    )

    refused = [outcome for outcome in outcomes if outcome is not None]
    assert [type(outcome) for outcome in refused] == [PinnedFull] * 5
    assert str(refused[0]) == (
        "The pinned memories of a prompt may have 500 tokens together: 483 are pinned, and this one has 21."
    )


class _Counting:
    """A MapSource that counts the calls."""

    def __init__(self, source: Any, calls: Counter[str]) -> None:
        self._source, self._calls = source, calls

    def __getattr__(self, name: str) -> Any:
        self._calls[name] += 1
        return getattr(self._source, name)


class _Deaf(RedisAgentCache):
    """Misses every announcement."""

    async def changed(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID] = ()) -> None:
        return None


class _CountsTooLate:
    """Serves TokenCounter, but never counts what is injected."""

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        if any(text.startswith("<") for text in texts):
            await asyncio.Event().wait()
        return [TokenCount(1, exact=True) for _ in texts]


def _frozen(bench: Bench) -> Bench:
    """The same instance while Postgres answers nothing: what it knows by itself stays."""
    return retrieving(searching(bench, source=FrozenSource()), states=FrozenSource())
