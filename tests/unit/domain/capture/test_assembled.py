"""The new turn of an assembled request, and the session of a chat that names none."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import assembled
from remembrancer.domain.context.formatter import render
from remembrancer.domain.context.placement import inject
from tests.builders import NOW, memory, message
from tests.unit.strategies import anything

SYSTEM = message("You are helpful.", role="system")
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
RESULT = message("42", role="tool", tool_call_id="1")
KEY = bytes(32)


@pytest.mark.parametrize(
    ("messages", "begins"),
    [
        ([message()], True),
        ([SYSTEM, message()], True),
        ([message(), SYSTEM], True),
        ([message(), CALL, RESULT], False),
        ([message(), CALL], False),
        ([message(), message("Here.", role="assistant")], False),
        ([message(), CALL, RESULT, message("Here.", role="assistant"), message("Thanks.")], True),
        ([SYSTEM], False),
        ([], False),
    ],
)
def test_a_turn_begins_where_the_user_spoke_last(messages: list[Any], begins: bool) -> None:
    assert assembled.begins_turn(messages) is begins


def test_what_user_and_assistant_said_last_is_captured_and_nothing_else() -> None:
    block = render(None, [memory(content="The lift is out of order.")], nonce="000000001")
    history = [message(f"Statement {number}.") for number in range(20)]
    messages = [SYSTEM, *history, CALL, RESULT, message("An answer.", role="assistant"), message("A question?")]

    for mode in ("system_first", "system_append", "user_prepend"):
        said = assembled.newest(inject(messages, block, mode), NOW)

        assert [one.text for one in said[-2:]] == ["An answer.", "A question?"]
        assert [one.role for one in said[-2:]] == ["assistant", "user"]
        assert "The lift is out of order." not in " ".join(one.text for one in said)
        assert len(said) in {assembled.MESSAGES, assembled.MESSAGES - 1}


def test_a_message_has_its_own_time_and_one_that_cannot_be_read_is_ignored() -> None:
    messages = [
        message("I moved.", timestamp="2021-05-01T08:00:00Z"),
        message("I like it.", createdAt=1619856000),
        message("It is warm.", date="yesterday", time=[]),
        message("And dry.", time="9001-01-01"),
        message("Good."),
    ]

    said = assembled.newest(messages, NOW)

    moment = datetime(2021, 5, 1, 8, tzinfo=UTC)
    assert [(one.observed_at, one.is_dated) for one in said] == [(moment, True)] * 2 + [(NOW, False)] * 3


def test_of_a_message_with_several_parts_the_texts_are_captured() -> None:
    parts = [{"type": "text", "text": "I moved to Lisbon."}, {"type": "image_url", "image_url": {"url": "data:"}}]

    (said,) = assembled.newest([message(parts), message([parts[1]]), message("")], NOW)

    assert said.text == "I moved to Lisbon."


def test_requests_of_one_chat_have_one_session_and_other_chats_others() -> None:
    first = [SYSTEM, message("I moved to Lisbon.")]
    later = [message("Be brief.", role="system"), *first[1:], message("Nice!", role="assistant"), message("Yes.")]

    session = assembled.session_of(first, key=KEY)

    assert assembled.session_of(later, key=KEY) == session
    assert assembled.session_of([message("I moved to Porto.")], key=KEY) != session
    assert assembled.session_of(first, key=bytes(31) + b"x") != session
    assert "Lisbon" not in session
    assert len(session) < 100


@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "name"]), anything), max_size=4))
def test_any_message_is_read(messages: list[dict[str, Any]]) -> None:
    assembled.begins_turn(messages)
    assembled.session_of(messages, key=KEY)

    assert all(one.text for one in assembled.newest(messages, NOW))
