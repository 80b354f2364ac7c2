"""Which blocks a session's messages get back, however its client cuts, rewrites or branches the history."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.redis import records
from remembrancer.domain.context.told import ToldBlock, ToldMemory, bounded, matched, next_number, said_in

KEY = b"key"
WORDS = ("yes", "no", "And then?", "Which room?", "Thanks.")
Chat = list[dict[str, Any]]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


class Session:
    """Answers requests as assembly does, and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[ToldBlock] = []
        self._memories = 0

    def ask(self, chat: Sequence[dict[str, Any]]) -> dict[int, tuple[ToldMemory, ...]]:
        """The memories before each message; a new one, or one told in another branch, before the last message."""
        said = said_in(chat, KEY)
        blocks = matched(said, self.told)
        last = said[-1]
        if last.position not in blocks:
            before = {memory for block in blocks.values() for memory in block.memories}
            self._memories += 1
            new = [ToldMemory(UUID(int=number), 1) for number in (self._memories, self._memories // 2 + 1)]
            block = ToldBlock(
                next_number(blocks),
                last.text,
                last.before,
                tuple(one for one in dict.fromkeys(new) if one not in before),
            )
            self.told.append(block)
            blocks[last.position] = block
        return {position: block.memories for position, block in blocks.items()}


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
def test_a_chat_that_grows_keeps_every_block(texts: Sequence[str]) -> None:
    session, chat, before = Session(), Chat(), dict[int, tuple[ToldMemory, ...]]()
    for number, text in enumerate(texts):
        chat.append(user(text))
        blocks = session.ask(chat)
        # A tool loop, and a retry.
        assert session.ask([*chat, assistant("I look it up."), {"role": "tool", "content": "42"}]) == blocks
        assert session.ask(chat) == blocks

        assert {position: blocks[position] for position in before} == before
        assert len(blocks) == number + 1
        before = blocks
        chat.append(assistant(f"Answer {number}."))


@given(st.data())
def test_no_memory_stands_twice_in_any_history(data: st.DataObject) -> None:
    session, chat = Session(), Chat()
    for number in range(data.draw(st.integers(1, 12))):
        what = data.draw(st.sampled_from(["say", "say", "cut", "rewrite", "branch", "again"]))
        if what == "cut" and len(chat) > 2:
            chat = [assistant("Summary."), *chat[data.draw(st.integers(1, len(chat) - 1)) :]]
        elif what == "rewrite" and chat:
            place = data.draw(st.integers(0, len(chat) - 1))
            chat[place] = {**chat[place], "content": f"Rewritten {number}."}
        elif what == "branch" and chat:
            chat = chat[: data.draw(st.integers(0, len(chat) - 1))]
        if what != "again" or not chat or chat[-1]["role"] != "user":
            chat.append(user(data.draw(st.sampled_from(WORDS))))
        own = [dict(message) for message in chat]

        blocks = session.ask(chat)

        told = [memory for memories in blocks.values() for memory in memories]
        assert len(set(told)) == len(told)
        assert all(chat[position]["role"] == "user" for position in blocks)
        assert chat == own
        if data.draw(st.booleans()):
            chat.append(assistant(f"Answer {number}."))


def test_a_history_that_was_cut_keeps_the_blocks_of_what_is_left() -> None:
    session = Session()
    chat = [user("yes"), assistant("One."), user("yes"), assistant("Two."), user("no")]
    whole = [session.ask(chat[: place + 1]) for place in (0, 2, 4)][-1]

    cut = session.ask([assistant("One."), *chat[2:]])

    assert cut == {1: whole[2], 3: whole[4]}


def test_another_key_finds_nothing() -> None:
    (said,) = said_in([user("Which room?")], KEY)
    told = [ToldBlock(1, said.text, said.before)]

    assert matched(said_in([user("Which room?")], KEY), told)
    assert not matched(said_in([user("Which room?")], b"another"), told)


def test_injected_text_and_results_of_tools_are_not_what_was_said() -> None:
    block = "<memories-123456789>\nx\n</memories-123456789>\n"
    (plain,) = said_in([user("Which room?")], KEY)

    assert said_in([user(f"{block}Which room?")], KEY) == [plain]
    assert said_in([user(""), {"role": "user", "content": [{"type": "tool_result", "content": "x"}]}], KEY) == []


def test_too_many_tokens_lose_the_older_half_at_once() -> None:
    tokens = dict.fromkeys(range(10), 10)

    assert bounded(tokens, tokens, 100) == list(range(10))
    assert bounded(tokens, tokens, 99) == [5, 6, 7, 8, 9]
    assert bounded(tokens, tokens, 9) == []


@given(
    st.lists(
        st.builds(
            ToldMemory,
            st.uuids(),
            st.integers(1, 2**31),
            st.lists(st.integers(0, 65_535), max_size=5).map(tuple),
        ),
        max_size=5,
    ).map(tuple),
    st.binary(max_size=30),
)
def test_a_block_is_read_as_it_was_written_and_damage_is_a_miss(memories: tuple[ToldMemory, ...], noise: bytes) -> None:
    block = ToldBlock(7, "0123456789abcdef", "fedcba9876543210", memories)
    name, value = records.told_field(block).encode(), records.encode_told(block)

    assert records.decode_told([name, value]) == [block]
    assert len(records.decode_told([name, noise, noise, value, b"x", value])) <= 1


@pytest.mark.parametrize("text", ["\ud800", "", "é"])
def test_any_text_has_a_hash(text: str) -> None:
    assert len(said_in([user(f"x{text}")], KEY)) == 1
