"""Requests that add messages to a conversation."""

from datetime import UTC, datetime
from typing import Any

import pytest

from remembrancer.domain.capture.conversation import TURN_CHARACTERS, parse
from remembrancer.domain.context import formatter, placement
from remembrancer.domain.memories.memory import Directive
from remembrancer.errors import InvalidRequest
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


def test_texts_that_are_too_long_are_cut_and_counted() -> None:
    request = parse(body(said("x" * 9000)), now=NOW)

    assert len(request.utterances[0].text) == TURN_CHARACTERS
    assert request.skipped == {"cut": 1}


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
