"""What makes two requests the same, and what is no key."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.requests import idempotency
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import InvalidRequest
from tests import builders

PRINCIPAL = builders.principal()
VISIBLE = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=40)


def parse(text: str = "key", **changes: Any) -> Once:
    asked: dict[str, Any] = {"principal": PRINCIPAL, "method": "POST", "path": "/v1/memories", "body": b"{}"}
    return idempotency.parse(text, **asked | changes)


@given(VISIBLE, st.binary(max_size=50))
def test_the_same_request_is_the_same_whenever_it_comes(text: str, body: bytes) -> None:
    first, again = parse(text, body=body), parse(text, body=bytes(body))

    assert first == again
    assert first.event_id() == again.event_id()


@pytest.mark.parametrize(
    "changes", [{"method": "PUT"}, {"path": "/v1/agents"}, {"body": b"[]"}, {"path": "/v1/memories{}", "body": b""}]
)
def test_another_request_is_another_under_the_same_key(changes: dict[str, Any]) -> None:
    first, other = parse(), parse(**changes)

    assert first.key == other.key
    assert first.request != other.request
    assert first.event_id() != other.event_id()


@pytest.mark.parametrize(
    "changes",
    [
        {"org_id": uuid4()},
        {"project_id": "other"},
        {"environment": "staging"},
        {"key_id": uuid4()},
        {"user_id": "ann"},
        {"user_id": ""},
    ],
)
def test_the_key_of_somebody_else_is_another(changes: dict[str, Any]) -> None:
    other = replace(PRINCIPAL, **changes)

    assert parse().key != parse(principal=other).key
    assert parse().event_id() != parse(principal=other).event_id()


@pytest.mark.parametrize("text", ["", "k" * 256, "\t", "\0", "a\rb"])
def test_what_is_empty_or_too_long_or_has_control_characters_is_no_key(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse(text)

    assert list(refused.value.fields) == ["Idempotency-Key"]


@pytest.mark.parametrize("text", ["ключ", "a\nb", "a\x7f", "é", "\ud800", "key\n"])
def test_a_key_has_visible_ascii_characters_only(text: str) -> None:
    with pytest.raises(InvalidRequest):
        parse(text)
