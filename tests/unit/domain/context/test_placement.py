"""Where the injected text stands: providers take the chat as before, and the client's messages come back whole."""

import copy
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.domain.context import chat_messages, formatter, placement
from remembrancer.domain.context.placement import MARK
from remembrancer_client.injected_text import without_blocks, without_injected
from tests.builders import directive, memory, message
from tests.hostile_texts import ATTACKS, hostile
from tests.placements import (
    IMAGE,
    RULES,
    anthropic_chats,
    call,
    chats,
    openai_chats,
    plain_chats,
    text_part,
)

MODES = ("system_first", "system_append", "user_prepend")
ROOT = Path(__file__).parents[4]
BLOCK = formatter.render(directive(text="Be kind."), [memory(content="The key hangs by the door.")], nonce="123456789")
CALLS = message(None, role="assistant", tool_calls=[call("t1")])
RESULT = message("7", role="tool", tool_call_id="t1", x_own=[1])
USE = message([{"type": "tool_use", "id": "t1", "name": "look", "input": {}}], role="assistant")
USED = message([{"type": "tool_result", "tool_use_id": "t1", "content": "nothing"}])
TERSE = message("Be terse.", role="system")
DEVELOPER = message("Be terse.", role="developer")
HI, HELLO = message("Hi"), message("Hello", role="assistant")
modes = pytest.mark.parametrize("mode", MODES)


def injected(messages: list[Any], mode: str) -> list[Any]:
    """The messages with the block; those of the client were not touched."""
    before = copy.deepcopy(messages)

    result = placement.inject(messages, BLOCK, mode)

    assert messages == before
    return result


@given(chat=chats)
@example([HI, USE, USED])
@example([message([*USED["content"], text_part("And now?")])])
def test_a_provider_takes_the_messages_with_a_block_before_each_that_a_user_said(chat: list[Any]) -> None:
    own = copy.deepcopy(chat)
    said = [place for place, one in enumerate(chat) if placement.is_said(one)]
    question, _ = chat_messages.question_of(chat)

    result = placement.before(chat, dict.fromkeys([*said, question] if question >= 0 else said, BLOCK))

    assert chat == own
    for rule in RULES:
        assert rule(chat) or not rule(result), rule.__doc__
    assert [one["role"] for one in result] == [one["role"] for one in chat]
    assert without_injected(result) == chat
    assert placement.before(chat, dict.fromkeys(said, "")) == chat


@given(chat=chats, mode=st.sampled_from(MODES))
@example([HI, USE, USED], "user_prepend")
@example([TERSE, HI], "system_first")
@example([DEVELOPER, HI], "system_append")
@example([TERSE, DEVELOPER, HI, HELLO, HI], "system_first")
def test_a_provider_that_takes_the_clients_messages_takes_them_with_the_text(chat: list[Any], mode: str) -> None:
    result = injected(chat, mode)

    for rule in RULES:
        assert rule(chat) or not rule(result), rule.__doc__
    roles = [one["role"] for one in chat]
    assert [one["role"] for one in result] in (roles, ["system", *roles])
    # A new message only where no message of the client could take the text.
    assert len(result) == len(chat) or not {"system", "developer"}.intersection(roles)
    assert (
        sum(one is not given_one for one, given_one in zip(result[len(result) - len(chat) :], chat, strict=True)) <= 1
    )


@given(chat=chats, mode=st.sampled_from(MODES))
@example([message("", role="system"), HI], "system_append")
@example([message([], role="developer"), HI], "system_first")
@example([message("\nHi\n\n")], "user_prepend")
@example([message("Be terse.\n\n", role="system")], "system_append")
def test_the_clients_messages_come_back_when_the_text_is_taken_out(chat: list[Any], mode: str) -> None:
    result = injected(chat, mode)

    assert without_injected(result) == chat
    # The service reads the same texts as without it.
    read = [chat_messages.text_of(one).strip() for one in result]
    assert [text for text in read if text] == [text for one in chat if (text := chat_messages.text_of(one).strip())]


@given(chat=chats, modes=st.lists(st.sampled_from(MODES), min_size=2, max_size=3))
def test_a_history_that_comes_back_with_earlier_texts_is_cleaned_of_them_all(chat: list[Any], modes: list[str]) -> None:
    result: Sequence[Any] = chat
    for number, mode in enumerate(modes):
        block = formatter.render(None, [memory(content="Tea.")], nonce=f"{number:09}")
        result = placement.inject(result, block, mode)

    read = "".join(chat_messages.text_of(one) for one in [*result, *without_injected(result)])
    assert "Tea." not in read


@modes
@pytest.mark.parametrize(
    "text", ["Hi", "\nHi", "Hi\n\n", "\n\n", " ", "Be <b>kind</b>.\n", "a\n\nb", "-", "ключ\u2028"]
)
@pytest.mark.parametrize("role", ["system", "user"])
def test_a_text_comes_back_to_the_last_line_end(text: str, role: str, mode: str) -> None:
    [*_, changed] = injected([message(text, role=role)], mode)

    assert BLOCK in changed["content"] or role == "user"
    assert placement.without_injected(changed["content"]) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (BLOCK, ""),
        (f"{BLOCK}\nHi", "Hi"),
        (f"Hi\n\n{BLOCK}", "Hi"),
        (f"Hi\n\n{BLOCK.rstrip()}", "Hi"),
        (f"You said:\n\n{BLOCK}\nAnd then?", "You said:\n\n\nAnd then?"),
        (f"{BLOCK}\n{BLOCK}\nHi", "Hi"),
        (f"Hi\n\n{BLOCK[:-30]}", "Hi"),
        ("About <memories-12> and <directive>", "About <memories-12> and <directive>"),
        ("", ""),
    ],
)
def test_blocks_are_taken_out_wherever_they_stand(text: str, left: str) -> None:
    assert placement.without_injected(text) == left


@modes
@pytest.mark.parametrize("chat", [[HI], [HI, HELLO, HI], [message(None, role="assistant")], []])
def test_without_a_system_message_the_text_is_the_first_unless_it_stands_with_the_user(
    chat: list[Any], mode: str
) -> None:
    result = injected(chat, mode)

    if mode == "user_prepend" and HI in chat:
        assert result == [*chat[:-1], message(f"{BLOCK}\nHi")]
    else:
        assert result == [message(BLOCK, role="system"), *chat]


@pytest.mark.parametrize("first", [TERSE, DEVELOPER])
@pytest.mark.parametrize(("mode", "form"), [("system_first", "{0}\n{1}"), ("system_append", "{1}\n\n{0}")])
def test_a_system_or_developer_message_takes_the_text_at_its_beginning_or_end(first: Any, mode: str, form: str) -> None:
    others = [HI, HELLO, message("Be quick.", role="system"), HI]

    assert injected([first, *others], mode) == [{**first, "content": form.format(BLOCK, "Be terse.")}, *others]


@pytest.mark.parametrize(("mode", "place"), [("system_first", 0), ("system_append", 2)])
def test_in_a_list_the_text_is_a_part_of_its_own(mode: str, place: int) -> None:
    cached = {**text_part("Be terse."), "cache_control": {"type": "ephemeral"}}
    parts: list[Any] = [cached, text_part("Be kind.")]

    [first, _] = injected([message(parts, role="system", name="operator"), HI], mode)

    assert first["content"][place] == text_part(BLOCK)
    assert [part for part in first["content"] if part in parts] == parts
    assert first["name"] == "operator"


def test_the_first_placement_that_is_one_counts() -> None:
    assert placement.first("turn", "system") == "turn"
    assert placement.first(None, "system", "turn") == "system"
    assert placement.first("elsewhere", None, "turn") == "turn"
    assert placement.first(None, "") == placement.DEFAULT_PLACEMENT


@st.composite
def marked_chats(draw: st.DrawFn) -> list[Any]:
    """Chats of which up to four messages or parts have marks."""
    chat = json.loads(json.dumps(draw(chats)))
    objects = [*chat, *(part for one in chat for part in one.get("content") or () if isinstance(part, dict))]
    for place in draw(st.sets(st.integers(0, len(objects) - 1), max_size=4)) if objects else ():
        objects[place][MARK] = draw(st.sampled_from([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}]))
    return list(chat)


def marks_of(chat: list[Any]) -> list[Any]:
    """What has a mark: messages, then parts."""
    parts = [part for one in chat for part in one.get("content") or () if isinstance(part, dict)]
    return [one for one in [*chat, *parts] if MARK in one]


@modes
@given(chat=marked_chats())
def test_marks_of_the_client_stay_where_they_are_and_the_text_has_none(mode: str, chat: list[Any]) -> None:
    said = [place for place, one in enumerate(chat) if placement.is_said(one)]
    told = placement.before(chat, dict.fromkeys(said, BLOCK))

    results = [told, placement.inject(told, BLOCK, mode), placement.inject(chat, BLOCK, mode)]

    for result in results:
        assert without_injected(result) == chat
        assert len(marks_of(result)) == len(marks_of(chat)) <= 4
        assert not any(BLOCK in str(part.get("text")) for part in marks_of(result) if "role" not in part)
        assert placement.has_marks(result) == placement.has_marks(chat)


@pytest.mark.parametrize("text", ["", "<memories-123456789>\n- Tea.\n</memories-123456789>\n"])
@pytest.mark.parametrize("mode", ["system_first", "system_append"])
@given(chat=plain_chats | openai_chats | anthropic_chats)
def test_a_mark_ends_the_directive_as_a_part_of_its_own(text: str, mode: str, chat: list[Any]) -> None:
    own = copy.deepcopy(chat)

    result = placement.inject(chat, text, mode, marked=BLOCK)

    assert chat == own
    for rule in RULES:
        assert rule(chat) or not rule(result), rule.__doc__
    [part] = marks_of(result)
    [content] = [one["content"] for one in result if isinstance(one["content"], list) and part in one["content"]]
    place = content.index(part)
    assert part == {"type": "text", "text": BLOCK, MARK: {"type": "ephemeral"}}
    assert text in ("", *(one.get("text") for one in content[place + 1 : place + 2]))
    assert place == 0 or mode == "system_append"
    assert [as_parts(one) for one in without_injected(result)] == [as_parts(one) for one in chat]


def as_parts(one: Any) -> Any:
    """A text as the part that it becomes beside a mark."""
    is_text = one["role"] == "system" and isinstance(one["content"], str)
    return {**one, "content": [text_part(one["content"])] if one["content"] else []} if is_text else one


@pytest.mark.parametrize(
    "parts", [["Be terse."], [{"text": "Be terse."}], [{"type": "input_text", "text": "Be terse."}]]
)
def test_parts_of_another_form_get_no_mark(parts: list[Any]) -> None:
    assert not placement.has_marks(
        placement.inject([message(parts, role="system"), HI], "", "system_first", marked=BLOCK)
    )


@modes
def test_a_system_message_in_the_middle_stays_there_and_takes_the_text(mode: str) -> None:
    result = injected([HELLO, TERSE, message(None)], mode)

    assert [one["role"] for one in result] == ["assistant", "system", "user"]
    assert BLOCK in result[1]["content"]


@pytest.mark.parametrize(
    ("chat", "place"),
    [
        ([TERSE, HI, HELLO, HI], 3),
        ([HI, CALLS, RESULT], 0),
        ([HI, HI, CALLS, RESULT, CALLS, RESULT], 1),
        ([HI, USE, USED], 0),
        ([HI, USE, USED, HELLO, HI, USE, USED], 4),
        ([HI, USE, message([*USED["content"], text_part("And then?")])], 0),
        ([HI, message(None), message(""), message([])], 0),
        ([HI, message([IMAGE])], 1),
        ([HI, HELLO, TERSE], 0),
        ([message("Hi", role="human"), message("Hello", role="ai")], 0),
        ([{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "user", "parts": [{"functionResponse": {}}]}], 0),
        ([message([{"text": "Hi"}]), message([{"toolResult": {"toolUseId": "t1"}}])], 0),
        ([message([{"type": "input_text", "text": "Hi"}]), message([{"type": "function_call_output"}])], 0),
        ([HI, message([{"type": "tool-result", "toolCallId": "t1"}])], 0),
    ],
)
def test_user_prepend_stands_in_the_last_message_of_the_user_that_is_no_result(chat: list[Any], place: int) -> None:
    result = injected(chat, "user_prepend")

    assert [one == other for one, other in zip(result, chat, strict=True)].count(False) == 1
    content = result[place].get("content") or result[place]["parts"]
    texts = [part.get("text") for part in content] if isinstance(content, list) else [content.removesuffix("\nHi")]
    assert BLOCK in texts


@pytest.mark.parametrize("chat", [[], [HELLO], [USE, USED], [message(None)], [message("")], [message([])]])
def test_user_prepend_without_such_a_message_acts_as_system_first(chat: list[Any]) -> None:
    for before in ([], [TERSE], [DEVELOPER]):
        assert injected([*before, *chat], "user_prepend") == injected([*before, *chat], "system_first")


@pytest.mark.parametrize(
    ("content", "place", "part"),
    [
        ([text_part("Hi")], 0, text_part(BLOCK)),
        ([IMAGE, text_part("Hi")], 1, text_part(BLOCK)),
        ([text_part("Hi"), IMAGE], 0, text_part(BLOCK)),
        ([IMAGE], 1, text_part(BLOCK)),
        (["Hi", "there"], 0, BLOCK),
        ([{"type": "input_text", "text": "Hi"}], 0, {"type": "input_text", "text": BLOCK}),
        ([{"type": "input_image", "image_url": "x"}], 1, {"type": "input_text", "text": BLOCK}),
        ([{"type": "input_audio", "input_audio": {}}, text_part("Hi")], 1, text_part(BLOCK)),
        ([{"text": "Hi"}], 0, {"text": BLOCK}),
        ([None, 7, text_part("Hi")], 2, text_part(BLOCK)),
    ],
)
def test_the_part_stands_before_the_users_text_in_the_form_of_the_others(
    content: list[Any], place: int, part: Any
) -> None:
    [changed] = injected([message(content)], "user_prepend")

    assert changed["content"] == [*content[:place], part, *content[place:]]


@modes
@pytest.mark.parametrize(("content", "left"), [("", ""), ([], []), (None, "")])
def test_an_empty_system_message_takes_the_text_and_stays_when_it_is_taken_out(
    content: Any, left: Any, mode: str
) -> None:
    result = injected([message(content, role="system", name="operator"), message(None)], mode)

    assert BLOCK in str(result[0]["content"]).replace("\\n", "\n")
    assert without_injected(result) == [message(left, role="system", name="operator"), message(None)]


@modes
@given(chat=chats)
def test_without_text_nothing_is_injected(mode: str, chat: list[Any]) -> None:
    assert placement.inject(chat, "", mode) == chat


def test_neighbours_of_one_role_are_the_clients_own() -> None:
    for mode in MODES:
        result = injected([TERSE, HI, HELLO, HI, CALLS, RESULT, HELLO, HI], mode)

        assert all(one["role"] != other["role"] for one, other in pairwise(result))


@given(standing=hostile, contents=st.lists(hostile, min_size=1, max_size=4), chat=chats, mode=st.sampled_from(MODES))
def test_whatever_a_text_contains_exactly_what_was_injected_comes_out(
    standing: str, contents: list[str], chat: list[Any], mode: str
) -> None:
    memories = [memory(number, content=content) for number, content in enumerate(contents, start=1)]
    text = formatter.render(directive(text=standing), memories, nonce="123456789")

    result = placement.inject(chat, text, mode)

    assert without_injected(result) == chat
    assert placement.without_injected(f"Before.\n\n{text}\nAfter.") == "Before.\n\n\nAfter."
    assert placement.without_injected(f"{text}\n{text}\nAfter.") == "After."
    assert without_blocks(f"Before.\n\n{text}\nAfter.") == "Before.\n\n\nAfter."


def test_the_typescript_client_is_tested_with_blocks_of_this_form() -> None:
    """clients/typescript/test/injected-text.test.js reads the same file."""
    cases = json.loads((ROOT / "tests" / "data" / "injected.json").read_text(encoding="utf-8"))

    for case in cases:
        text = formatter.render(directive(text=case["directive"]), [memory(content=case["memory"])], nonce="123456789")
        assert case["injected"] == text
        assert without_blocks(f"Before.\n\n{text}\nAfter.") == "Before.\n\n\nAfter."
    assert [case["memory"] for case in cases] == [one for one in ATTACKS if len(one) < 1000]
