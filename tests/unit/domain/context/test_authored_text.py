"""What people wrote: the same cases as the clients', and what holds for any text."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import authored_text, chat_messages
from remembrancer.domain.context.authored_text import authored, is_readable, lacks_content, since_last_answer, written

ROOT = Path(__file__).parents[4]
TEXTS = json.loads((ROOT / "tests" / "data" / "authored.json").read_text(encoding="utf-8"))
TURNS = json.loads((ROOT / "tests" / "data" / "turns.json").read_text(encoding="utf-8"))


def _texts(group: str) -> list[Any]:
    """Each of its texts; those of `parted` with what stays of it."""
    return [
        pytest.param(*(text if isinstance(text, list) else [text]), id=f"{kind} {number}")
        for kind, texts in TEXTS[group].items()
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize("text", _texts("kept"))
def test_what_a_user_may_have_written_is_kept(text: str) -> None:
    assert authored(text) == text


@pytest.mark.parametrize("text", _texts("gone"))
def test_what_no_user_wrote_goes(text: str) -> None:
    assert not authored(text)


@pytest.mark.parametrize(("text", "kept"), _texts("parted"))
def test_what_a_user_wrote_is_parted_from_the_rest(text: str, kept: str) -> None:
    assert authored(text) == kept


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["name"])
def test_a_turn_is_all_that_the_user_said_since_the_last_final_answer(turn: dict[str, Any]) -> None:
    messages = turn["messages"]

    said = [authored(chat_messages.text_of(messages[place])) for place in since_last_answer(messages)]

    assert [text for text in said if text] == turn["said"]
    # Where there is nothing but a paste, that is the question.
    assert chat_messages.question_of(messages)[1] in {"\n".join(turn["said"]), chat_messages.text_of(messages[-1])}


@pytest.mark.parametrize("name", ["authored_text.py", "host_text.py", "pasted_text.py"])
def test_the_copy_of_the_python_client_is_the_same(name: str) -> None:
    copy = ROOT / "clients" / "python" / "src" / "remembrancer_client" / name

    assert copy.read_bytes() == Path(authored_text.__file__).with_name(name).read_bytes(), (
        "copy the engine's file there"
    )


CALLED = {"tool_calls": [{"id": "1"}]}
KEPT_WITHOUT_CONTENT = (
    {"role": "assistant", **CALLED},
    {"role": "assistant", "content": None, **CALLED},
    {"role": "assistant", "function_call": {"name": "f"}},
    {"role": "assistant", "reasoning_content": "Hm."},
    {"role": "assistant", "content": None, "refusal": "No."},
    {"role": "model", "parts": [{"functionCall": {"name": "f"}}]},
    {"role": "user", "content": ""},
    {"role": "user", "content": []},
    {"role": "tool"},
    {"role": "system"},
    {"type": "function_call", "name": "f"},
)


@pytest.mark.parametrize("message", KEPT_WITHOUT_CONTENT)
def test_a_message_may_do_without_text_where_something_explains_it(message: dict[str, Any]) -> None:
    assert not lacks_content(message)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user"},
        {"role": "human", "content": None},
        {"role": "assistant"},
        {"role": "ai", "content": None, "tool_calls": []},
        {"role": "user", "text": "I keep bees."},
    ],
)
def test_a_message_without_content_and_a_reason_lacks_it(message: dict[str, Any]) -> None:
    assert lacks_content(message)


@pytest.mark.parametrize(
    ("part", "is_known"),
    [
        ({"type": "text", "text": "x"}, True),
        ({"type": "text"}, False),
        ({"type": "hologram", "text": "x"}, False),
        ({"type": 3}, False),
        ({"type": ["text"]}, False),
        ({"words": "x"}, False),
        (3, False),
        ({"type": "redacted_thinking", "data": "x"}, True),
        ({"type": "tool-weather", "state": "output-available"}, True),
        ({"type": "bash_code_execution_tool_result"}, True),
        ({"toolUse": {}}, True),
        ({"reasoningContent": {}}, True),
    ],
)
def test_unknown_kinds_of_parts_are_told(part: Any, is_known: bool) -> None:
    assert is_readable(part) is is_known


SNIPPETS = (
    "I keep bees. ",
    "\n",
    "<think>",
    "</think>",
    "<a_b>",
    "</a_b>",
    "<user_query>",
    "</user_query>",
    "```",
    "<",
    "x",
)


@given(st.lists(st.sampled_from(SNIPPETS), max_size=12).map("".join))
def test_it_only_leaves_out(text: str) -> None:
    assert len(authored(text)) <= len(written(text)) <= len(text)


USERS = st.sampled_from(["I keep bees.", "My boat is blue.", "<system-reminder>x</system-reminder>", ""])
MESSAGES = st.one_of(
    USERS.map(lambda text: {"role": "user", "content": text}),
    USERS.map(lambda text: {"role": "human", "content": [{"type": "text", "text": text}]}),
    st.just({"role": "assistant", "content": "Done."}),
    st.just({"role": "assistant", "content": "Wait.", "tool_calls": [{"id": "1"}]}),
    st.just({"role": "tool", "content": "42"}),
    st.just({"role": "user", "content": [{"type": "tool_result", "content": "I keep bees."}]}),
    st.just({"role": "system", "content": "Be brief."}),
)


@given(st.lists(MESSAGES, max_size=10))
def test_no_sentence_since_the_last_answer_is_lost_and_none_before_it_comes_back(
    messages: list[dict[str, Any]],
) -> None:
    last = max((place for place, one in enumerate(messages) if one["content"] == "Done."), default=-1)
    trailing = last == len(messages) - 1 or all(one["role"] not in ("user", "human") for one in messages[last + 1 :])

    found = since_last_answer(messages)

    if not trailing:
        expected = [
            place
            for place in range(last + 1, len(messages))
            if messages[place]["role"] in ("user", "human") and written(authored_text.text_of(messages[place]))
        ]
        assert found == expected
    assert all("reminder" not in authored(authored_text.text_of(messages[place])) for place in found)


PIECES = (
    "<a_b>", "</a_b>", "<think>", "</think>", "<", "<a x", "```\n", "```\nx\n", "at a.b(", "a.", "### Task:\n", "<x>\n",
    "[THINK]",     "x <|channel|>analysis<|message|>", "<|channel|>final<|message|>x<|end|>",
    "<!-- SYSTEM CONTEXT", "\nQuestion: x",
    "<feedback>", "<user_query>\nx\n</user_query>", "<@U04ABCDEF> ", "@@ -1,9999999 +1,9999999 @@\n", "$ ls\nx\n",
    "[ERROR] x\n",     "goroutine 1 [\n\n", "Traceback (most recent call last):\n", " ", "\n", "[", "User:\n",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("start", ["", "Use the following context:\n", "[read_file for 'x'] Result:\n"])
@pytest.mark.parametrize("piece", PIECES)
def test_sixteen_times_the_text_takes_no_hundred_times_as_long(piece: str, start: str) -> None:
    """Where the time grew with the square of the length, it would take 256 times as long."""

    def seconds(length: int) -> float:
        text = start + piece * (length // len(piece))
        began = time.process_time()
        assert len(authored(text)) <= len(text)
        return time.process_time() - began

    assert seconds(400_000) <= 100 * max(seconds(25_000), 0.01)
