import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import formatter, placement
from remembrancer.domain.memories.memory import Directive
from remembrancer_client.assembled import read
from remembrancer_client.errors import InvalidAnswer
from remembrancer_client.injected_text import without_blocks, without_injected
from tests.placements import chats

METADATA = {"fallback_reason": "", "memory_ids": ["m-1"]}
SYSTEM = {"role": "system", "content": "Be brief."}
USER = {"role": "user", "content": "Which room?", "name": "isla"}
PARTS: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": "Which room?"}]}
TOOL = {"role": "assistant", "content": None, "tool_calls": [{"id": "t"}]}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
messages_lists = st.lists(st.sampled_from([SYSTEM, USER, PARTS, TOOL]), min_size=1, max_size=6)


def answer(messages: list[Any], **metadata: Any) -> dict[str, Any]:
    return {"messages": messages, "metadata": {**METADATA, **metadata}, "request_id": "r-1"}


@pytest.mark.parametrize("mode", ["system_first", "system_append", "user_prepend"])
@given(sent=chats, text=st.text(min_size=1))
def test_what_the_service_adds_is_found_wherever_it_puts_it(mode: str, sent: list[Any], text: str) -> None:
    block = f"<memories-123456789>\n{text}\n</memories-123456789>\n"
    received = copy.deepcopy(placement.inject(sent, block, mode))

    assembled = read(answer(received), sent, request_id="r-1")

    assert assembled.messages == received
    assert assembled.injected == block
    kept = [one for one in assembled.messages if any(one is before for before in sent)]
    # All but the one that is new or longer are the caller's own objects.
    assert len(kept) >= len(sent) - 1


@pytest.mark.parametrize("mode", ["system_first", "system_append", "user_prepend"])
@given(sent=chats, text=st.text(min_size=1))
def test_texts_in_several_messages_are_found(mode: str, sent: list[Any], text: str) -> None:
    block = f"<memories-123456789>\n{text}\n</memories-123456789>\n"
    standing = "<directive-123456789>\nBe kind.\n</directive-123456789>\n"
    said = [place for place, message in enumerate(sent) if placement.is_said(message)]
    told = placement.before(sent, dict.fromkeys(said, block))

    assembled = read(answer(copy.deepcopy(placement.inject(told, standing, mode))), sent, request_id="r-1")

    assert assembled.messages == placement.inject(told, standing, mode)
    assert assembled.injected.count(block) == len(said)
    assert {place for place, _ in assembled.added} >= set(said)
    assert assembled.injected == "".join(added for _, added in assembled.added)


@pytest.mark.parametrize("memories", ["", "<memories-123456789>\n- Tea.\n</memories-123456789>\n"])
@pytest.mark.parametrize("mode", ["system_first", "system_append"])
@given(sent=chats)
def test_a_directive_that_ends_with_a_mark_is_found(mode: str, memories: str, sent: list[Any]) -> None:
    standing = "<directive-123456789>\nBe kind.\n</directive-123456789>\n"
    received = placement.inject(sent, memories, mode, marked=standing)

    assembled = read(answer(copy.deepcopy(received)), sent, request_id="r-1")

    assert assembled.messages == received
    assert assembled.injected == standing + memories


@pytest.mark.parametrize(
    "content",
    [
        [],
        [{"type": "text", "text": "Be brief."}],
        [{"type": "text", "text": "<directive-1>"}, {"type": "text", "text": "Be rude."}],
        [{"type": "text", "text": "Be"}, {"type": "text", "text": " brief."}],
        [{"type": "image_url"}, {"type": "text", "text": "Be brief."}],
    ],
)
def test_a_text_becomes_no_other_part(content: list[Any]) -> None:
    with pytest.raises(InvalidAnswer):
        read(answer([{**SYSTEM, "content": content}]), [SYSTEM], request_id="r-1")


@given(sent=messages_lists)
def test_an_answer_without_additions_is_the_same_object(sent: list[Any]) -> None:
    assert read(answer(copy.deepcopy(sent), fallback_reason="cold_timeout"), sent, request_id="").messages is sent


@given(sent=messages_lists, received=st.lists(json_values | st.sampled_from([SYSTEM, USER, TOOL]), max_size=7))
def test_no_answer_loses_or_alters_a_message(sent: list[Any], received: list[Any]) -> None:
    try:
        assembled = read(answer(received), sent, request_id="")
    except InvalidAnswer:
        return

    rest = list(assembled.messages)
    for message in sent:
        found = next(
            place
            for place, one in enumerate(rest)
            if one is message or (one["role"] == message["role"] and assembled.injected in str(one["content"]))
        )
        rest = rest[:found] + rest[found + 1 :]
    assert len(rest) <= 1


ADDED = "<memories-123456789>\n- Tea.\n</memories-123456789>\n"
HUMAN = {"role": "human", "parts": [{"text": "Hi"}], "id": 7}


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (TOOL, {**TOOL, "content": f"{ADDED}\n"}),
        ({"role": "assistant", "content": "Hi"}, {"role": "assistant", "content": f"{ADDED}\nHi"}),
        ({"role": "tool", "content": "7"}, {"role": "tool", "content": f"7\n\n{ADDED}"}),
        (USER, {**USER, "content": f"{ADDED} Which room?"}),
        (USER, {**USER, "content": f"{ADDED}\nWhich house?"}),
        (USER, {**USER, "content": f"{ADDED}\nWhich room?", "name": "ada"}),
        (USER, {**USER, "content": [{"type": "text", "text": ADDED}, {"type": "text", "text": "Which room?"}]}),
        (SYSTEM, {**SYSTEM, "content": ADDED}),
        (SYSTEM, {**SYSTEM, "role": "developer", "content": f"Be brief.\n\n{ADDED}"}),
        (PARTS, {**PARTS, "content": [{"type": "text", "text": ADDED}]}),
        (PARTS, {**PARTS, "content": [{"type": "image"}, *PARTS["content"]]}),
        (PARTS, {**PARTS, "content": [*PARTS["content"] * 2, {"type": "text", "text": ADDED}]}),
        (HUMAN, {**HUMAN, "content": f"{ADDED}\n", "parts": []}),
        (USER, "user"),
        (USER, None),
    ],
)
def test_an_answer_that_changes_anything_else_of_a_message_is_refused(sent: Any, received: Any) -> None:
    with pytest.raises(InvalidAnswer):
        read(answer([SYSTEM, received]), [SYSTEM, sent], request_id="")


@given(body=json_values)
def test_any_other_json_is_refused(body: Any) -> None:
    with pytest.raises(InvalidAnswer):
        read(body, [USER], request_id="")


def test_blocks_come_out_as_the_service_puts_them_in() -> None:
    directive = Directive(1, "Say <b>hello</b>.", "system_first")
    text = formatter.render(directive, [], nonce="123456789")

    assert without_blocks(f"Before.\n\n{text}") == "Before."
    assert without_blocks(f"{text}\nAfter.\n") == "After.\n"
    histories: list[list[Any]] = [[USER], [SYSTEM, USER], [SYSTEM, PARTS, TOOL]]
    for sent in histories:
        for mode in ("system_first", "system_append", "user_prepend"):
            assert without_injected(placement.inject(sent, text, mode)) == sent


@pytest.mark.parametrize("kept", [[{"type": "text", "text": ""}], [], None, "", [None, 7, "x"]])
def test_a_message_without_blocks_stays_as_it_is(kept: Any) -> None:
    message = {"role": "user", "content": kept}

    assert without_injected([message]) == [message]


@given(text=st.text())
def test_text_without_blocks_stays_as_it_is(text: str) -> None:
    assert without_blocks(text) == text
    assert without_injected([{"role": "user", "content": text}]) == [{"role": "user", "content": text}]
