"""What two prompts of a session have in common, by the hashes of the first one's record."""

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.adapters.redis import records
from remembrancer.domain.context import placement, prefix
from remembrancer.domain.context.prefix import BREAKS, MOST_RECORDED, PARTS, Added, Prefix, Prompt
from tests.builders import message
from tests.placements import chats

KEY = b"key"
HI, HELLO, MORE = message("Hi"), message("Hello", role="assistant"), message("More")
RULES = message("Be terse.", role="system")
MARK = {"type": "ephemeral"}


def prompt(
    messages: Sequence[Mapping[str, Any]],
    blocks: Mapping[int, str] | None = None,
    *,
    directive: str = "",
    mode: str = "system_first",
    placed: str = "turn",
    key: bytes = KEY,
    **texts: str,
) -> Prompt:
    """Each message has ten tokens, each block one, the directive three, the tools five."""
    standing = placement.place_of(messages, mode)
    added = {place: Added(text, 1) for place, text in (blocks or {}).items()}
    if directive:
        before = added.get(standing, Added("", 0))
        added[standing] = Added(before.text + directive, before.tokens + 3)
    parts = {"model": "gpt", "tools": "", "directive": directive, "pinned": "", **texts}
    return Prompt(
        tuple(prefix.digest(parts[name], key) for name in PARTS),
        5,
        placed,
        standing,
        prefix.hashed(messages, [10] * len(messages), added, key),
    )


def compared(last: Prompt, now: Prompt, blocks: Mapping[int, str] | None = None) -> Prefix:
    return prefix.compared(last.recorded(), now, blocks or {})


def returned(chat: list[Any], blocks: Mapping[int, str], directive: str) -> list[str]:
    """The prompt as a provider gets it."""
    messages = placement.inject(placement.before(chat, blocks), directive, "system_first")
    added = len(messages) - len(chat)
    whole = [
        *messages[:added],
        *(as_text(one) if one is own else one for own, one in zip(chat, messages[added:], strict=True)),
    ]
    return [json.dumps(one, sort_keys=True) for one in whole]


def as_text(one: Any) -> Any:
    """A text that is the only part is the same as the text."""
    content = one.get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        (part,) = content
        if part.get("type") == "text" and part.keys() == {"type", "text"}:
            return {**one, "content": part["text"]}
    return one


@given(chat=chats, data=st.data())
def test_tokens_are_those_of_the_messages_that_are_the_same(chat: list[Any], data: st.DataObject) -> None:
    said = [place for place, one in enumerate(chat) if placement.is_said(one)]
    blocks = st.dictionaries(st.sampled_from(said), st.sampled_from(["a", "b"])) if said else st.just({})
    directives = st.sampled_from(["", "Be kind.\n"])
    other = data.draw(st.lists(st.sampled_from([*chat, MORE]), min_size=1, max_size=6) | st.just([*chat, MORE]))
    first, second = data.draw(blocks), data.draw(blocks)
    second = {place: text for place, text in second.items() if place < len(other) and placement.is_said(other[place])}
    standing, standing_now = data.draw(directives), data.draw(directives)

    found = compared(prompt(chat, first, directive=standing), prompt(other, second, directive=standing_now))

    before, after = returned(chat, first, standing), returned(other, second, standing_now)
    same = next(
        (place for place, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
        min(len(before), len(after)),
    )
    assert (found.broken_by == "") == (same == len(before))
    assert found.of == 5 + 10 * len(chat) + len(first) + 3 * bool(standing)
    assert 5 + 10 * (same - 1) <= found.tokens <= 5 + 14 * same
    assert found.broken_by in ("", *BREAKS)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (prompt([RULES, HI, HELLO, MORE], {1: "a", 3: "b"}, directive="d"), Prefix(39, 39)),
        (prompt([RULES, HI, HELLO], {1: "a"}, directive="d", model="claude"), Prefix(0, 39, "model")),
        (prompt([RULES, HI, HELLO], {1: "a"}, directive="d", tools="[]"), Prefix(0, 39, "tools")),
        (prompt([RULES, HI, MORE], {1: "a"}, directive="d"), Prefix(29, 39, "history")),
        (prompt([RULES, HI], {1: "a"}, directive="d"), Prefix(29, 39, "history")),
        (prompt([RULES, HI, HELLO], {1: "a"}, directive="other"), Prefix(5, 39, "directive")),
        (prompt([RULES, HI, HELLO], {1: "a"}, directive="d", mode="user_prepend"), Prefix(5, 39, "directive")),
        (prompt([RULES, HI, HELLO], {1: "a"}), Prefix(5, 39, "directive")),
        (prompt([RULES, HI, HELLO], {0: "p", 1: "a"}, directive="d", pinned="p"), Prefix(5, 39, "pinned")),
        (prompt([RULES, HI, HELLO], {0: "a"}, directive="d", placed="system"), Prefix(5, 39, "placement")),
        (prompt([RULES, HI, HELLO], {1: "b"}, directive="d"), Prefix(18, 39, "memory")),
        (prompt([RULES, HI, HELLO], directive="d"), Prefix(18, 39, "memory")),
        (prompt([RULES, HI, HELLO], {1: "a"}, directive="d", key=b"other"), Prefix(0, 39, "model")),
    ],
)
def test_the_first_other_message_says_what_broke_it(now: Prompt, expected: Prefix) -> None:
    last = prompt([RULES, HI, HELLO], {1: "a"}, directive="d")

    assert compared(last, now, {1: "memory", 3: "bound"}) == expected


def test_a_block_of_which_nothing_is_known_is_missing() -> None:
    last = prompt([HI, HELLO], {0: "a"})

    assert compared(last, prompt([HI, HELLO, MORE]), {2: "memory"}) == Prefix(5, 26, "earlier_missing")
    assert compared(last, prompt([HI, HELLO, MORE]), {0: "bound"}) == Prefix(5, 26, "bound")


def test_with_the_directive_other_memories_are_a_matter_of_placement() -> None:
    last, now = (prompt([RULES, HI], {0: text}, directive="d", placed="system") for text in ("a", "b"))

    assert compared(last, now) == Prefix(5, 29, "placement")
    assert compared(last, last) == Prefix(29, 29)


@pytest.mark.parametrize("marked", ["part", "message", "result"])
def test_a_mark_that_moves_breaks_nothing(marked: str) -> None:
    before = [copy.deepcopy(one) for one in (RULES, HI, HELLO)]
    after = copy.deepcopy([*before, MORE])
    if marked == "part":
        before[1]["content"] = [{"type": "text", "text": "Hi", "cache_control": MARK}]
    elif marked == "message":
        before[1]["cache_control"] = MARK
    else:
        result = {"type": "tool_result", "tool_use_id": "t1", "content": "7"}
        after[1]["content"] = [result, {"type": "text", "text": "And now?"}]
        before[1]["content"] = [{**result, "cache_control": MARK}, {"type": "text", "text": "And now?"}]

    assert compared(prompt(before), prompt(after)).broken_by == ""


def test_a_text_that_became_a_part_is_another_prompt_behind_a_block() -> None:
    part = message([{"type": "text", "text": "Hi"}])

    assert compared(prompt([HI], {0: "a"}), prompt([part], {0: "a"})).broken_by == "history"
    assert compared(prompt([HI]), prompt([part])).broken_by == ""


@pytest.mark.parametrize("count", [MOST_RECORDED - 1, MOST_RECORDED, MOST_RECORDED + 7])
def test_a_record_is_bounded_and_older_messages_are_compared_together(count: int) -> None:
    chat = [message(str(number)) for number in range(count)]
    last, now = prompt(chat), prompt([*chat, MORE])
    older = count + 1 - MOST_RECORDED

    record = last.recorded()

    assert len(record.messages) == min(MOST_RECORDED, count + 1)
    assert record.older_count == max(0, older)
    assert record.tokens == last.tokens == 5 + 10 * count
    assert compared(last, now) == Prefix(5 + 10 * count, 5 + 10 * count)
    assert compared(last, prompt(chat[:-1])).broken_by == "history"
    assert compared(last, prompt([MORE, *chat[1:]])) == Prefix(5, 5 + 10 * count, "history")
    if older > 1:
        assert compared(last, prompt(chat[: older - 2])) == Prefix(5, 5 + 10 * count, "history")
        assert compared(last, prompt(chat, {0: "a"}), {0: "bound"}) == Prefix(5, 5 + 10 * count, "bound")


def test_without_the_key_nobody_makes_the_hashes() -> None:
    one, other = (prompt([HI], {0: "a"}, directive="d", key=key) for key in (b"one", b"other"))

    assert not {hashed[:2] for hashed in one.messages[1:]} & {hashed[:2] for hashed in other.messages[1:]}
    assert one.parts[0] != other.parts[0]


@given(chat=chats, noise=st.binary(max_size=200))
def test_a_record_comes_back_and_a_damaged_one_is_none(chat: list[Any], noise: bytes) -> None:
    made = prompt(chat, directive="d", placed="system").recorded()
    name, value = records.PROMPT_FIELD.encode(), records.encode_prompt(made)

    assert records.decode_prompt([name, value]) == made
    assert records.decode_prompt([b"1 a b", noise, name, value]) == made
    assert records.decode_told([name, value]) == []
    assert records.decode_prompt([]) is None
    assert records.decode_prompt([name, value[:1] + noise]) != made  # and raises nothing
    assert records.decode_prompt([name, value[:-1]]) is None


@given(chat=chats)
@example([message("\ud800")])
def test_any_chat_has_hashes_and_is_left_as_it_is(chat: list[Any]) -> None:
    before = copy.deepcopy(chat)

    made = prompt(chat)

    assert chat == before
    assert compared(made, made) == Prefix(made.tokens, made.tokens)
    assert made == replace(made)
