import json
import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer_client import conversations, responses_api, without_blocks
from remembrancer_client.conversations import CaptureMode
from tests.unit.strategies import blank_names

BLOCK = "<memories-123456789>\n- Tea at four.\n</memories-123456789>\n"


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def assistant(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def test_only_what_end_users_and_assistants_said_is_captured() -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": "Be kind."},
        user([{"type": "image", "url": "x"}, {"type": "text", "text": "Tea?"}], name="Isla", id="u-1"),
        assistant(None, tool_calls=[{"id": "1"}]),
        {"role": "tool", "tool_call_id": "1", "content": "Four."},
        user([{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "Four."}]}]),
        assistant("At four.", refusal=None),
        user(BLOCK),
        user(f"{BLOCK}\nAnd cake?"),
    ]

    assert conversations.spoken(messages) == [
        user("Tea?", name="Isla"),
        assistant("At four."),
        user("And cake?"),
    ]


def test_a_turn_is_the_last_message_of_the_end_user_and_the_answer() -> None:
    messages = [user("Hello."), assistant("Hello!"), user("Tea?"), assistant(None, tool_calls=[{"id": "1"}])]

    assert conversations.turn(messages, f"At four.\n{BLOCK}") == [user("Tea?"), assistant("At four.")]


def test_messages_keep_the_times_that_can_be_read() -> None:
    said_at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    messages = [
        user("Hello.", created_at="last week"),
        assistant("Hello!", created_at="2026-05-04T01:00:00+02:00"),
        user("I drink tea.", timestamp=said_at),
        user("And milk.", timestamp="soon", time=1777863721),
    ]

    assert conversations.spoken(messages) == [
        user("Hello."),
        assistant("Hello!", timestamp="2026-05-03T23:00:00+00:00"),
        user("I drink tea.", timestamp="2026-05-04T03:02:01+00:00"),
        user("And milk.", timestamp="2026-05-04T03:02:01+00:00"),
    ]
    assert conversations.turn(messages, "Noted.") == [*conversations.spoken(messages)[2:], assistant("Noted.")]
    assert conversations.spoken(conversations.spoken(messages)) == conversations.spoken(messages)


def test_an_item_of_the_responses_api_keeps_its_time() -> None:
    given = [{"type": "message", "role": "user", "content": "I drink tea.", "created_at": 1777863721}]

    said = conversations.spoken(responses_api.chat(given))

    assert said == [user("I drink tea.", timestamp="2026-05-04T03:02:01+00:00")]


def test_a_prefilled_answer_ends_no_turn() -> None:
    messages = [user("Hello."), assistant("Hello!"), user("I drink tea."), assistant("Noted:")]

    assert conversations.turn(messages, "tea.") == [user("I drink tea."), assistant("tea.")]


PICTURE = f"data:image/png;base64,{'A' * 3_000_000}"


def test_pictures_in_texts_are_not_captured() -> None:
    messages = [user(f"![]({PICTURE}) My boat is blue."), assistant(f"{PICTURE}\nA fine boat."), user(PICTURE)]

    assert conversations.spoken(messages) == [user("![]() My boat is blue."), assistant("A fine boat.")]
    assert conversations.turn(messages[:1], PICTURE) == []


def test_a_conversation_is_sent_without_pictures() -> None:
    said_at = datetime(2026, 5, 4, 3, 2, 1)
    messages = [
        user([{"type": "image", "source": {"data": b"\x89PNG"}}, {"type": "text", "text": "My boat."}], name="Isla"),
        user([{"type": "image_url", "image_url": {"url": PICTURE}}], created_at=said_at),
        user(f"![]({PICTURE}) It is blue.", timestamp="soon"),
        "no message",
    ]

    assert conversations.sendable(messages) == [  # type: ignore[arg-type]
        user([{"type": "image", "source": {"data": ""}}, {"type": "text", "text": "My boat."}], name="Isla"),
        user([{"type": "image_url", "image_url": {"url": ""}}], created_at="2026-05-04T03:02:01+00:00"),
        # The service says what is wrong with it.
        user("![]() It is blue.", timestamp="soon"),
        "no message",
    ]


@pytest.mark.parametrize(("messages", "answer"), [([], "Hi."), ([assistant("Hi.")], "Hi."), ([user("Hi.")], BLOCK)])
def test_there_is_no_turn_without_both(messages: list[Any], answer: str) -> None:
    assert conversations.turn(messages, answer) == []


def test_every_turn_of_a_conversation_is_in_the_same_session() -> None:
    answers = ["Hello!", "At four.", "Yes."]
    messages: list[Any] = [{"role": "system", "content": "Be brief."}]
    sessions = set()
    for question, answer in zip(["Hello.", "Tea?", "Cake?"], answers, strict=True):
        messages.append(user(question))
        told = [{"role": "system", "content": str(len(messages))}, *messages]
        sessions.add(conversations.session(told, answer, key=b"k"))
        messages.append(assistant(f" {answer}\n"))

    assert len(sessions) == 1
    assert conversations.session([user("Hello.")], "Good morning!", key=b"k") not in sessions
    assert conversations.session([user("Hello.")], "Hello!", key=b"of another") not in sessions
    assert max(map(len, sessions)) <= 256


@pytest.mark.parametrize(("mode", "captured"), [("users", [True, False]), ("all", [True, True]), ("off", [False] * 2)])
def test_without_an_end_user_memories_would_be_shared_so_that_has_to_be_asked_for(
    mode: CaptureMode, captured: list[bool]
) -> None:
    assert [conversations.includes(mode, user_id) for user_id in ("isla", None)] == captured


_BLOCK = re.compile(r"<((?:directive|pinned|memories)-\d{6,12})>\n.*?</\1>\n?", re.DOTALL)
tags = st.sampled_from(["memories-123456", "memories-654321", "directive-123456", "memories-12"])
pieces = tags.flatmap(lambda tag: st.sampled_from([f"<{tag}>\n", f"</{tag}>", f"</{tag}>\n", f"<{tag}>"]))


@given(text=st.lists(pieces | st.sampled_from(["a", "\n"])).map("".join))
def test_blocks_come_out_as_by_the_expression_that_describes_them(text: str) -> None:
    marked = re.sub(r"\n\n\0+\Z", "", re.sub(r"\A(?:\0\n?)+", "", _BLOCK.sub("\0", text)))

    assert without_blocks(text) == marked.replace("\0", "")


def test_a_text_that_imitates_many_blocks_takes_no_longer_than_another() -> None:
    text = "".join(f"<memories-{number}>\n" for number in range(100_000, 160_000)) + "</memories-9999999>"
    began = time.process_time()

    assert without_blocks(text) == text
    assert time.process_time() - began < 2


ROOT = Path(__file__).parents[3]
TURNS = json.loads((ROOT / "tests" / "data" / "turns.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["name"])
def test_a_turn_is_all_that_the_end_user_said_since_the_last_final_answer(turn: dict[str, Any]) -> None:
    found = conversations.turn(turn["messages"], "<think>Hm.</think>Fine.")

    said = [one["content"] for one in found if one["role"] == "user"]
    assert said == turn["said"]
    assert found[-1:] == ([assistant("Fine.")] if said else [])


def test_a_message_of_the_responses_api_that_calls_follow_ends_no_turn() -> None:
    given = [
        {"role": "user", "content": [{"type": "input_text", "text": "My cat is Mog. Look up food."}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "Let me look."}]},
        {"type": "function_call", "name": "web", "arguments": "{}", "call_id": "1"},
        {"type": "function_call_output", "call_id": "1", "output": "20"},
    ]

    said = conversations.turn(responses_api.chat(given), "Twenty.")

    assert said == [user("My cat is Mog. Look up food."), assistant("Twenty.")]


@given(name=blank_names)
@pytest.mark.parametrize("mode", conversations.MODES)
def test_no_turn_of_a_blank_name_is_captured(mode: CaptureMode, name: str) -> None:
    assert not conversations.includes(mode, name)


DERIVED = json.loads((ROOT / "tests" / "data" / "derived_sessions.json").read_text(encoding="utf-8"))


def derived(name: str) -> str | None:
    case = next(one for one in DERIVED if one["name"] == name)
    return conversations.derived_session(
        case["messages"], agent_id=case["agent_id"], user_id=case["user_id"], key=b"key"
    )


@pytest.mark.parametrize("case", DERIVED, ids=lambda case: case["name"])
def test_a_session_is_derived_as_in_the_other_client(case: dict[str, Any]) -> None:
    assert derived(case["name"]) == case["session"]


def test_a_conversation_keeps_its_derived_session() -> None:
    names = ("a system message", "later turns and tools", "a block before the message", "parts with a picture")

    assert len({derived(name) for name in (*names, "a greeting of the assistant", "a developer's message")}) == 1
    assert derived("a name in another form") == derived("the same name")
    others = ("one message", "without an end user", "without an agent", "the same name", "a system message")
    assert len({derived(name) for name in others}) == len(others)


@pytest.mark.parametrize("name", ["a picture alone", "no user", "nothing"])
def test_no_session_is_derived_without_a_text_of_the_user(name: str) -> None:
    assert derived(name) is None
