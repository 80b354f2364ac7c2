"""Blocks of a session's earlier messages: what stands in them again, what they cost, and which of them are dropped."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.context import excerpts, formatter
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.context.told import Said, ToldBlock, ToldMemory
from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.memories.memory import CATEGORIES, Memory
from remembrancer.usecases.assembly import earlier
from remembrancer.usecases.assembly.earlier import LEAST_BOUND, MOST_BUDGETS, EarlierBlocks
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.search import Earlier
from tests.builders import MODELS, NOW, ago, assemble_request, memory, message, profile

NONCE = "123456789"
FAMILY = "o200k_base"


@dataclass(frozen=True, slots=True)
class Desk:
    """Renders with the real tokenizer; `closed` texts cannot be opened."""

    counter: TiktokenCounter

    def render(
        self,
        blocks: Mapping[int, Sequence[Memory]],
        rows: Sequence[Memory],
        *,
        messages: int = 21,
        memory_tokens: int = 2_000,
        window: int = 128_000,
        closed: frozenset[UUID] = frozenset(),
        pinned: frozenset[UUID] = frozenset(),
        goes_on: bool = False,
        **options: Any,
    ) -> EarlierBlocks:
        """Blocks that were told these memories, now that the store has these rows."""
        chat = [message(f"Question {number}") for number in range(messages)]
        told_with = AssemblyOptions(placement="turn", **options)
        request = assemble_request(messages=chat, options=told_with)
        plan = AssemblyPlan(request, profile(window=window), NOW, Deadline.begin(SystemClock(), 60_000))
        told = {
            position: ToldBlock(position, "a", "b", tuple(ToldMemory(one.id, one.version) for one in memories))
            for position, memories in blocks.items()
        }
        found = Earlier([Said(position, "a", "b") for position in told], told, {row.id: row for row in rows})

        async def opened(memories: Sequence[Memory]) -> tuple[Mapping[UUID, Memory], Sequence[str]]:
            unreadable = {
                one.id: replace(one, sealed=b"x", content=UNREADABLE_TEXT) for one in memories if one.id in closed
            }
            return unreadable, ["decrypt_timeout"] if unreadable else []

        rendering = earlier.rendered(
            plan,
            found,
            self.counter,
            opened,
            nonce=NONCE,
            memory_tokens=memory_tokens,
            goes_on=goes_on,
            pinned=pinned,
        )
        return asyncio.run(rendering)


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    counter = TiktokenCounter(MODELS)
    yield Desk(counter)
    counter.close()


def text(*memories: Memory) -> str:
    return formatter.render(None, memories, nonce=NONCE)


TEA, BOAT, GOOSE = (memory(number, content=f"Fact {number}.", created_at=ago(days=number)) for number in (1, 2, 3))


def test_the_same_rows_give_the_same_text_and_its_tokens(desk: Desk) -> None:
    found = desk.render({0: [TEA, BOAT], 2: [GOOSE]}, [GOOSE, TEA, BOAT])

    assert found.texts == {0: text(TEA, BOAT), 2: text(GOOSE)}
    assert found.tokens == sum(desk.counter.count(one, FAMILY).tokens for one in found.texts.values())
    assert found.memory_ids == {TEA.id, BOAT.id, GOOSE.id}
    assert (found.own, list(found.changed), list(found.dropped), found.number) == (None, [], [], 3)


@given(st.lists(st.tuples(st.sampled_from(CATEGORIES), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=9))
def test_the_order_that_was_told_is_rendered_again_as_it_is(drawn: Sequence[tuple[str, int, int]]) -> None:
    """What is recorded is the order of the text, from which the text must come again."""
    memories = [
        memory(number, content=f"Fact {number}.", category=category, created_at=ago(days=days))
        for number, (category, days, _) in enumerate(drawn, 1)
    ]
    doubted = {number: other % len(memories) for number, (_, _, other) in enumerate(drawn) if other < len(memories)}
    memories = [
        replace(one, contradicted_by=(memories[doubted[number]].id,)) if doubted.get(number, number) < number else one
        for number, one in enumerate(memories)
    ]
    groups = formatter.grouped(memories)
    told = formatter.in_order(groups)

    assert formatter.parts(None, formatter.grouped(told), nonce=NONCE) == formatter.parts(None, groups, nonce=NONCE)


@pytest.mark.parametrize(
    "row",
    [
        None,
        replace(TEA, version=2),
        replace(TEA, status="superseded"),
        replace(TEA, user_id="ada"),
        replace(TEA, expires_at=NOW),
    ],
    ids=["gone", "edited", "superseded", "another's", "expired"],
)
def test_what_is_gone_changed_or_not_to_be_seen_is_left_out_and_forgotten(desk: Desk, row: Memory | None) -> None:
    found = desk.render({0: [TEA, BOAT]}, [BOAT, *([row] if row else [])])

    assert found.texts == {0: text(BOAT)}
    assert found.memory_ids == {BOAT.id}
    assert [[one.memory_id for one in block.memories] for block in found.changed] == [[BOAT.id]]


def test_what_is_pinned_by_now_stands_in_no_block(desk: Desk) -> None:
    found = desk.render({0: [TEA, BOAT], 20: [TEA]}, [TEA, BOAT], pinned=frozenset({TEA.id}))

    assert found.texts == {0: text(BOAT)}
    assert found.memory_ids == {BOAT.id}
    assert not found.own_memories
    assert [[one.memory_id for one in block.memories] for block in found.changed] == [[BOAT.id], []]


def test_other_categories_and_unreadable_texts_are_left_out_this_time_only(desk: Desk) -> None:
    taste = memory(4, content="Likes tea.", category="preference")
    chosen = desk.render({0: [TEA, taste]}, [TEA, taste], categories=("preference",))
    closed = desk.render({0: [TEA, taste]}, [TEA, taste], closed=frozenset({TEA.id}))

    for found in (chosen, closed):
        assert found.texts == {0: text(taste)}
        assert found.memory_ids == {taste.id}
        assert not found.changed
    assert list(closed.reasons) == ["decrypt_timeout"]


@pytest.mark.parametrize("goes_on", [True, False])
def test_the_block_of_this_turns_message_is_its_own_and_no_earlier_one(desk: Desk, goes_on: bool) -> None:
    found = desk.render({0: [TEA], 20: [BOAT]}, [TEA, BOAT], goes_on=goes_on)

    assert (found.own is not None) == goes_on
    assert list(found.own_memories) == [BOAT]
    assert found.texts == {0: text(TEA)}
    assert found.memory_ids == {TEA.id}
    assert found.number == 1


def test_a_part_of_a_long_memory_is_shown_again(desk: Desk) -> None:
    long = memory(5, content=" ".join(f"Sentence {number} says something of its own." for number in range(40)))
    request = assemble_request(messages=[message("One"), message("Two")], options=AssemblyOptions(placement="turn"))
    plan = AssemblyPlan(request, profile(), NOW, Deadline.begin(SystemClock(), 60_000))
    block = ToldBlock(1, "a", "b", (ToldMemory(long.id, long.version, (0, 7, 8)),))

    async def opened(_: Sequence[Memory]) -> tuple[Mapping[UUID, Memory], Sequence[str]]:
        return {}, ()

    found = asyncio.run(
        earlier.rendered(
            plan,
            Earlier([], {0: block}, {long.id: long}),
            desk.counter,
            opened,
            nonce=NONCE,
            goes_on=False,
            memory_tokens=2_000,
        )
    )

    assert found.texts == {0: text(excerpts.shown(long, (0, 7, 8)))}
    assert "Sentence 7" in found.texts[0] and "Sentence 9" not in found.texts[0]
    # Of another release, which cut the text into more passages.
    assert excerpts.shown(TEA, (0, 7)).content.startswith(TEA.content)


LONG = [memory(number, content=f"{number} " + "word " * 500, created_at=ago(days=number)) for number in range(10, 40)]


@pytest.mark.parametrize(
    ("memory_tokens", "window", "most"),
    [
        (300, 128_000, LEAST_BOUND),
        (2_500, 128_000, MOST_BUDGETS * 2_500),
        (128_000, 128_000, 32_000),
        (2_000, 16_000, 4_000),
    ],
)
def test_too_many_tokens_drop_the_older_half_at_once(desk: Desk, memory_tokens: int, window: int, most: int) -> None:
    told = {place: [one] for place, one in enumerate(LONG)}
    found = desk.render(told, LONG, messages=len(LONG) + 1, memory_tokens=memory_tokens, window=window)

    each = desk.counter.count(text(LONG[0]), FAMILY).tokens
    left = len(LONG)
    while left * each > most:
        left //= 2
    assert found.tokens <= most
    assert sorted(found.texts) == list(range(len(LONG) - left, len(LONG)))
    assert [block.number for block in found.dropped] == list(range(len(LONG) - left))


def test_a_turn_gets_what_earlier_blocks_leave_and_a_third_in_any_case() -> None:
    assert [EarlierBlocks(tokens=tokens).left_of(2_000) for tokens in (0, 600, 1_500, 9_000)] == [
        2_000,
        1_400,
        666,
        666,
    ]
