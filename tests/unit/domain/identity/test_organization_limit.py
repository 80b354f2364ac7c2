"""The rate that an operator gives an organization."""

from typing import Any

import pytest
from hypothesis import given

from remembrancer.domain.identity.organization_settings import parse_limit
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import InvalidRequest
from tests.builders import ORG_ID
from tests.unit.strategies import anything


def event(**fields: Any) -> dict[str, Any]:
    return {"task": "limit_organization", "org_id": str(ORG_ID), **fields}


def test_a_rate_without_a_burst_has_two_seconds_of_it() -> None:
    assert parse_limit(event(rate_per_second=200)) == (ORG_ID, RateLimit(200, 400))
    assert parse_limit(event(rate_per_second=0.2)) == (ORG_ID, RateLimit(0.2, 1))
    assert parse_limit(event(rate_per_second=200, rate_burst=300)) == (ORG_ID, RateLimit(200, 300))


def test_no_rate_is_the_deployments() -> None:
    assert parse_limit(event()) == (ORG_ID, None)


@pytest.mark.parametrize(
    "fields", [{"rate_burst": 5}, {"rate_per_second": -2}, {"rate_per_second": 1, "rate": 2}, {"org_id": "x"}]
)
def test_a_bad_field_is_named(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=list(fields)[-1]):
        parse_limit(event(**fields))


@given(anything)
def test_anything_else_is_refused(body: Any) -> None:
    with pytest.raises(InvalidRequest):
        parse_limit(body)
