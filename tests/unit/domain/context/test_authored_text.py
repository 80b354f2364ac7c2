"""What people wrote: the same cases as the clients', and what holds for any text."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import authored_text, chat_messages
from remembrancer.domain.context.authored_text import authored, since_last_answer, written

ROOT = Path(__file__).parents[4]
TEXTS = json.loads((ROOT / "tests" / "data" / "authored.json").read_text(encoding="utf-8"))
TURNS = json.loads((ROOT / "tests" / "data" / "turns.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "kept"), TEXTS)
def test_what_a_user_wrote_is_kept_and_nothing_else(text: str, kept: str) -> None:
    assert authored(text) == kept


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["name"])
def test_a_turn_is_all_that_the_user_said_since_the_last_final_answer(turn: dict[str, Any]) -> None:
    messages = turn["messages"]

    said = [authored(chat_messages.text_of(messages[place])) for place in since_last_answer(messages)]

    assert [text for text in said if text] == turn["said"]
    # Where there is nothing but a paste, that is the question.
    assert chat_messages.question_of(messages)[1] in {"\n".join(turn["said"]), chat_messages.text_of(messages[-1])}


def test_the_copy_of_the_python_client_is_the_same() -> None:
    copy = ROOT / "clients" / "python" / "src" / "remembrancer_client" / "authored_text.py"

    assert copy.read_bytes() == Path(authored_text.__file__).read_bytes(), "copy the engine's file there"


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


@pytest.mark.parametrize(
    "piece", ["<a_b>", "<think>", "</think>", "<", "```\n", "at a.b(", "a.", "### Task:\n", "<x>\n"]
)
def test_any_text_of_megabytes_is_read(piece: str) -> None:
    assert len(authored(piece * (300_000 // len(piece)))) <= 300_000
