"""Requests that add messages to a conversation."""

from datetime import UTC, datetime
from typing import Any

import pytest

from remembrancer.domain.capture.conversation import parse
from remembrancer.domain.capture.long_texts import MESSAGE_CHARACTERS
from remembrancer.domain.context import formatter, placement
from remembrancer.domain.memories.memory import Directive
from remembrancer.errors import InvalidRequest, NothingToCapture
from tests import builders
from tests.builders import AGENT_ID, NOW


def body(*messages: object, **fields: Any) -> dict[str, Any]:
    return {"agent_id": str(AGENT_ID), "messages": list(messages), **fields}


def said(content: object, role: str = "user", **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def test_turns_of_users_and_assistants_are_taken() -> None:
    request = parse(body(said(" Hi  there "), said("Hello!", "assistant"), said("I am Ada", name="Ada L.")), now=NOW)

    assert [(one.role, one.speaker, one.text) for one in request.utterances] == [
        ("user", None, "Hi there"),
        ("assistant", None, "Hello!"),
        ("user", "Ada L.", "I am Ada"),
    ]
    assert {one.observed_at for one in request.utterances} == {NOW}
    assert request.skipped == {}


def test_messages_that_are_never_captured_are_counted_by_reason() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    picture = said([{"type": "image_url", "image_url": {"url": "https://example.com"}}])
    messages = (said("Be brief", "system"), call, said("42", "tool"), picture, said("x", "narrator"), said("Hello"))

    request = parse(body(*messages), now=NOW)

    assert [one.text for one in request.utterances] == ["Hello"]
    assert request.skipped == {"system": 1, "tool": 1, "other": 1, "empty": 2}


@pytest.mark.parametrize("mode", ["system_first", "system_append", "user_prepend"])
def test_what_assembly_injected_is_not_captured(mode: str) -> None:
    memory = builders.memory(content="The heron sleeps in the oak", created_at=NOW)
    text = formatter.render(Directive(1, "Obey </memories-1>", mode), [memory], nonce="123456789")
    assert "heron" in text

    injected = placement.inject([said("Rules", "system"), said("Where is it?")], text, mode)
    request = parse(body(*injected), now=NOW)

    assert [one.text for one in request.utterances] == ["Where is it?"]


def test_a_block_inside_a_users_own_message_is_taken_out() -> None:
    text = formatter.render(None, [builders.memory(content="The heron sleeps")], nonce="123456789")

    request = parse(body(said(f"{text}\nI like herons"), said(text)), now=NOW)

    assert [one.text for one in request.utterances] == ["I like herons"]
    assert request.skipped == {"empty": 1}


def test_a_long_text_and_a_long_name_stay_whole_until_their_personal_data_is_replaced() -> None:
    long = "x" * 2 * MESSAGE_CHARACTERS

    (utterance,) = parse(body(said(long, name="Ada " * 99 + "L.")), now=NOW).utterances

    assert utterance.text == long
    assert utterance.speaker == "Ada " * 99 + "L."


def test_the_time_of_the_conversation_is_taken() -> None:
    request = parse(body(said("Hi"), observed_at="2024-05-01T10:00:00+02:00"), now=NOW)

    assert request.utterances[0].observed_at == datetime(2024, 5, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"agent_id": None}, "agent_id"),
        ({"messages": []}, "messages"),
        ({"messages": [7]}, "messages[0]"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"observed_at": "soon"}, "observed_at"),
        ({"observed_at": "9001-01-01"}, "observed_at"),
        ({"session_id": "x" * 257}, "session_id"),
        ({"user_id": "*"}, "user_id"),
        ({"speaker": "x"}, "speaker"),
    ],
)
def test_errors_name_the_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse({**body(said("Hi")), **fields}, now=NOW)

    assert set(refused.value.fields) == {named}


@pytest.mark.parametrize(
    ("fields", "moment"),
    [
        ({"timestamp": "2021-05-01T08:00:00Z"}, datetime(2021, 5, 1, 8, tzinfo=UTC)),
        ({"created_at": "2021-05-01T10:00:00+02:00"}, datetime(2021, 5, 1, 8, tzinfo=UTC)),
        ({"createdAt": "2021-05-01"}, datetime(2021, 5, 1, tzinfo=UTC)),
        ({"timestamp": 1619856000}, datetime(2021, 5, 1, 8, tzinfo=UTC)),
        ({"timestamp": 1619856000000}, datetime(2021, 5, 1, 8, tzinfo=UTC)),
        ({"time": "2021-05-01T08:00:00Z"}, datetime(2021, 5, 1, 8, tzinfo=UTC)),
        ({"date": "2021-05-01"}, datetime(2021, 5, 1, tzinfo=UTC)),
        ({"timestamp": None, "created_at": 1619856000.5}, datetime(2021, 5, 1, 8, 0, 0, 500000, tzinfo=UTC)),
        ({}, NOW),
    ],
)
def test_a_message_has_its_own_time(fields: dict[str, Any], moment: datetime) -> None:
    request = parse(body(said("I moved to Tornio.", **fields), said("And I like it.")), now=NOW)

    assert [one.observed_at for one in request.utterances] == [moment, NOW]


@pytest.mark.parametrize("name", ["timestamp", "created_at", "createdAt", "time", "date"])
@pytest.mark.parametrize("value", ["soon", "", "9001-01-01", True, -1, 1e15, [], {"$date": 1}])
def test_a_time_that_is_none_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(body(said("Hi"), said("I moved.", **{name: value})), now=NOW)

    assert list(refused.value.fields) == [f"messages[1].{name}"]


@pytest.mark.parametrize(
    "message",
    [
        said(["I keep bees."]),
        said("I keep bees.", role="human"),
        {"role": "user", "parts": [{"text": "I keep bees."}]},
        said([{"type": "input_text", "text": "I keep bees."}, {"type": "input_image", "image_url": "data:"}]),
        said([{"text": "I keep bees."}]),
        said([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "I keep bees."}]),
        said("<system-reminder>Be brief.</system-reminder>I keep bees."),
        said("<user_query>\nI keep bees.\n</user_query>"),
    ],
)
def test_content_is_read_in_every_shape(message: dict[str, Any]) -> None:
    (utterance,) = parse(body(message), now=NOW).utterances

    assert (utterance.role, utterance.text) == ("user", "I keep bees.")


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"type": "blob", "text": "x"}, "messages[0].content[0].type"),
        ({"type": 7}, "messages[0].content[0].type"),
        ({"value": "x"}, "messages[0].content[0]"),
        ({"type": "text", "text": 7}, "messages[0].content[0].type"),
        (7, "messages[0].content[0]"),
        (None, "messages[0].content[0]"),
    ],
)
def test_an_unknown_shape_is_refused_by_name(part: Any, named: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(body(said([part, {"type": "text", "text": "I keep bees."}])), now=NOW)

    assert list(refused.value.fields) == [named]


LOG = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: bad'


@pytest.mark.parametrize(
    ("messages", "skipped"),
    [
        ([said("Be brief", "system")], {"system": 1}),
        ([said("x", "narrator")], {"other": 1}),
        ([said(""), said([])], {"empty": 2}),
        ([said([{"type": "image_url", "image_url": {"url": "data:"}}])], {"empty": 1}),
        ([said("<environment_context>\n<cwd>/x</cwd>\n</environment_context>")], {"not_written": 1}),
        ([said("### Task:\nGenerate a concise title.\n### Chat History:\nUSER: I keep bees")], {"not_written": 1}),
        ([said("Be brief", "system"), said(LOG), said(LOG)], {"system": 1, "not_written": 2}),
        ([said("<think>Gullible.</think>", "assistant")], {"not_written": 1}),
        ([said("Let me look.", "assistant", tool_calls=[{"id": "1"}])], {"tool_call": 1}),
    ],
)
def test_a_conversation_of_which_nothing_can_be_stored_is_refused_with_the_reasons(
    messages: list[Any], skipped: dict[str, int]
) -> None:
    with pytest.raises(NothingToCapture) as refused:
        parse(body(*messages), now=NOW)

    assert (refused.value.status, refused.value.code) == (400, "nothing_to_capture")
    assert refused.value.beside == {"skipped": skipped}
    assert refused.value.fields["messages"].startswith("have nothing that a user or an assistant said")


@pytest.mark.parametrize("message", [{"role": "user"}, said(None), said(None, "assistant", tool_calls=[])])
def test_a_message_without_content_is_refused_by_name(message: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(body(said("I keep bees."), said("Nice.", "assistant"), message), now=NOW)

    assert refused.value.code == "invalid_request"
    assert refused.value.fields == {"messages[2].content": "is missing; send its text"}


@pytest.mark.parametrize(
    "message",
    [
        said(None, "assistant", tool_calls=[{"id": "1"}]),
        said(None, "assistant", function_call={"name": "look"}),
        said(None, "assistant", audio={"id": "1"}),
        said(None, "assistant", refusal="I cannot help with that."),
        {"role": "tool", "tool_call_id": "1"},
        {"role": "user", "parts": [{"inlineData": {"data": ""}}]},
    ],
)
def test_a_message_with_something_else_than_content_is_left_out(message: Any) -> None:
    request = parse(body(said("I keep bees."), message), now=NOW)

    assert [one.text for one in request.utterances] == ["I keep bees."]
    assert sum(request.skipped.values()) == 1


def test_what_an_assistant_says_while_it_calls_a_tool_is_no_turn() -> None:
    call = said("Let me look.", "assistant", tool_calls=[{"id": "1"}])

    request = parse(
        body(said("Where is my kayak?"), call, said("shed", "tool"), said("In the shed.", "assistant")), now=NOW
    )

    assert [one.text for one in request.utterances] == ["Where is my kayak?", "In the shed."]
    assert request.skipped == {"tool_call": 1, "tool": 1}
