"""Messages that failed for good, and whether they tell of somebody who was erased."""

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.erasure import dead_letters
from tests.builders import AGENT_ID, ORG_ID, identifier
from tests.unit.strategies import anything

ELSEWHERE = UUID(int=5)
GONE, LEFT = identifier(1), identifier(2)


def tells(message: dict[str, Any], kind: str, subject: str) -> bool:
    named = {"org_id": str(ORG_ID), **message}
    return dead_letters.tells_of(
        named, kind, subject, org_id=ORG_ID, elsewhere=frozenset({ELSEWHERE}), left=frozenset({LEFT})
    )


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ({"user_id": "ann"}, True),
        ({"user_id": "ann", "agent_id": str(AGENT_ID), "memory_ids": [str(LEFT)]}, True),
        ({"user_id": "ann", "agent_id": str(ELSEWHERE)}, False),
        ({"user_id": "bob", "memory_ids": [str(LEFT)]}, False),
        ({"user_id": "bob", "memory_ids": [str(LEFT), str(GONE)]}, True),
        ({"memory_id": str(GONE)}, True),
        ({"memory_id": str(LEFT)}, False),
        ({"conversation_id": str(GONE)}, True),
        ({"conversation_id": str(LEFT)}, False),
        ({"user_id": "ann", "org_id": str(UUID(int=1))}, False),
        ({"user_id": "ann", "org_id": None}, False),
    ],
)
def test_a_message_is_meant_that_names_the_end_user_or_a_memory_or_conversation_that_is_gone(
    message: dict[str, Any], meant: bool
) -> None:
    assert tells(message, "user", "ann") is meant


def test_of_an_agent_and_an_organization_it_is_what_names_them() -> None:
    assert tells({"agent_id": str(AGENT_ID)}, "agent", str(AGENT_ID).upper())
    assert not tells({"agent_id": str(ELSEWHERE)}, "agent", str(AGENT_ID))
    assert tells({}, "organization", str(ORG_ID))


@given(st.text() | anything.map(lambda value: json.dumps(value, default=str)))
def test_any_body_is_read(body: str) -> None:
    message = dead_letters.read(body)

    assert dead_letters.stored_ids(message) is not None
    assert not dead_letters.tells_of(
        message, "user", "ann", org_id=ORG_ID, elsewhere=frozenset(), left=frozenset({LEFT})
    ) or message.get("org_id")
