"""What is to be erased: exactly one subject."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

from remembrancer.domain.erasure.erasure_request import ErasureRequest, parse, parse_operators
from remembrancer.errors import InvalidRequest
from tests.builders import AGENT_ID, ORG_ID
from tests.unit.strategies import anything, objects_with, refusal


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"user_id": " ann "}, ErasureRequest("user", "ann")),
        ({"agentId": str(AGENT_ID).upper()}, ErasureRequest("agent", str(AGENT_ID))),
        ({"tenant_id": str(ORG_ID)}, ErasureRequest("organization", str(ORG_ID))),
    ],
)
def test_one_subject_is_named(body: dict[str, Any], asked: ErasureRequest) -> None:
    assert parse(body) == asked


@pytest.mark.parametrize(
    "body", [{}, {"user_id": ""}, {"user_id": "ann", "agent_id": str(AGENT_ID)}, {"user_id": "ann", "everything": True}]
)
def test_none_and_several_are_refused(body: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        parse(body)


def test_a_name_with_a_star_is_the_operators_to_erase() -> None:
    """Memories of before may bear one."""
    with pytest.raises(InvalidRequest):
        parse({"user_id": "ann*"})

    assert parse_operators({"org_id": str(ORG_ID), "user_id": "ann*"})[1] == ErasureRequest("user", "ann*")


@pytest.mark.parametrize(
    ("named", "asked"),
    [
        ({"user_id": "ann"}, ErasureRequest("user", "ann")),
        ({"agent_id": str(AGENT_ID)}, ErasureRequest("agent", str(AGENT_ID))),
        ({"whole_organization": True}, ErasureRequest("organization", str(ORG_ID))),
    ],
)
def test_an_operator_names_the_organization_and_what_of_it(named: dict[str, Any], asked: ErasureRequest) -> None:
    assert parse_operators({"task": "erase", "org_id": str(ORG_ID), **named}) == (ORG_ID, asked)


@pytest.mark.parametrize(
    "event",
    [
        {"org_id": str(ORG_ID)},
        {"org_id": str(ORG_ID), "user_id": ""},
        {"org_id": str(ORG_ID), "whole_organization": False},
        {"org_id": str(ORG_ID), "user_id": "ann", "whole_organization": True},
        {"org_id": str(ORG_ID), "user": "ann", "whole_organization": True},
        {"user_id": "ann"},
    ],
)
def test_the_whole_organization_is_never_meant_for_lack_of_something_smaller(event: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        parse_operators(event)


@given(objects_with(["user_id", "agent_id", "org_id", "tenantId"]) | anything)
def test_any_json_is_read_or_refused_by_field(body: Any) -> None:
    asked, refused = refusal(lambda: parse(body))

    if asked is None:
        assert refused
    elif asked.kind != "user":
        assert str(UUID(asked.subject)) == asked.subject
