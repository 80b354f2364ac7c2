"""What an administrator may ask of a new key."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given

from remembrancer.domain.identity import key_request
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import Forbidden
from tests.builders import NOW, principal
from tests.unit.strategies import objects_with, refusal

LEAST = {"name": "proxy", "scopes": ["assemble"]}
NAMES = ["name", "scopes", "end_users", "end_user_required", "rate_per_second", "rate_burst", "expires_at"]


def test_a_name_and_scopes_are_enough() -> None:
    assert key_request.parse(LEAST) == KeyRequest("proxy", ("assemble",))


def test_everything_can_be_said() -> None:
    body = {"endUsers": ["ada", "team-*"], "endUserRequired": True, "ratePerSecond": 2.5, "rateBurst": 7}

    assert key_request.parse(LEAST | body) == KeyRequest(
        "proxy", ("assemble",), ("ada", "team-*"), True, RateLimit(2.5, 7)
    )


def test_a_key_may_end_at_a_moment_that_is_to_come() -> None:
    asked = key_request.parse({**LEAST, "expires_at": "2026-04-01"})

    asked.require_future(NOW)

    assert asked.expires_at == datetime(2026, 4, 1, tzinfo=UTC)
    _, fields = refusal(lambda: asked.require_future(datetime(2026, 4, 1, tzinfo=UTC)))
    assert fields == {"expires_at": "must be in the future"}


def test_an_empty_list_of_end_users_allows_nobody_and_no_list_everybody() -> None:
    assert key_request.parse({**LEAST, "end_users": []}).end_users == ()
    assert key_request.parse({**LEAST, "end_users": None}).end_users is None


@pytest.mark.parametrize(("per_second", "burst"), [(10, 20), (0.1, 1), (0, 1)])
def test_a_rate_without_a_burst_allows_two_seconds_at_once(per_second: float, burst: int) -> None:
    assert key_request.parse({**LEAST, "rate_per_second": per_second}).limit == RateLimit(per_second, burst)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"scopes": ["assemble"]}, "name"),
        ({"name": "proxy"}, "scopes"),
        ({**LEAST, "scopes": []}, "scopes"),
        ({**LEAST, "scopes": ["everything"]}, "scopes"),
        ({**LEAST, "end_users": "ada"}, "end_users"),
        ({**LEAST, "end_users": ["a*b"]}, "end_users"),
        ({**LEAST, "end_users": ["*ada"]}, "end_users"),
        ({**LEAST, "end_users": ["ada**"]}, "end_users"),
        ({**LEAST, "end_users": [f"{number:03}{'x' * 250}" for number in range(300)]}, "end_users"),
        ({**LEAST, "rate_per_second": -1}, "rate_per_second"),
        ({**LEAST, "rate_burst": 5}, "rate_burst"),
        ({**LEAST, "expires_at": "soon"}, "expires_at"),
        ({**LEAST, "org_id": "another"}, "org_id"),
        ({**LEAST, "project_id": "proj_other"}, "project_id"),
    ],
)
def test_a_bad_field_is_named(body: dict[str, Any], field: str) -> None:
    _, fields = refusal(lambda: key_request.parse(body))

    assert fields is not None
    assert list(fields) == [field]


def asked(**changes: Any) -> KeyRequest:
    return key_request.parse(LEAST | changes)


def test_a_key_may_do_what_its_maker_may() -> None:
    anything = asked(scopes=["query", "write", "admin"], rate_per_second=0)

    assert key_request.within(anything, principal(scopes=frozenset({"admin"}))) == anything


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"scopes": ["query", "admin"]}, "scopes"),
        ({"rate_per_second": 0}, "rate_per_second"),
        ({"rate_per_second": 5.5}, "rate_per_second"),
        ({"rate_per_second": 5, "rate_burst": 11}, "rate_burst"),
    ],
)
def test_a_key_that_may_do_more_than_its_maker_is_refused_by_field(changes: dict[str, Any], field: str) -> None:
    maker = principal(scopes=frozenset({"assemble", "query"}), limit=RateLimit(5, 10))

    with pytest.raises(Forbidden) as refused:
        key_request.within(asked(**changes), maker)

    assert (refused.value.code, list(refused.value.fields)) == ("beyond_credential", [field])


def test_a_key_without_a_rate_gets_its_makers() -> None:
    limited = principal(scopes=frozenset({"admin"}), limit=RateLimit(5, 10))
    unlimited = principal(scopes=frozenset({"admin"}), limit=RateLimit(0, 1))

    assert key_request.within(asked(), limited).limit == RateLimit(5, 10)
    assert key_request.within(asked(rate_per_second=2), limited).limit == RateLimit(2, 4)
    assert key_request.within(asked(), unlimited).limit is None
    assert key_request.within(asked(), principal(scopes=frozenset({"admin"}))).limit is None


@given(body=objects_with(NAMES))
def test_arbitrary_json_is_parsed_or_refused_by_field(body: dict[str, Any]) -> None:
    parsed, fields = refusal(lambda: key_request.parse(body))

    assert isinstance(parsed, KeyRequest) or fields


def test_a_key_ends_no_later_than_its_maker() -> None:
    end = datetime(2027, 1, 1, tzinfo=UTC)
    maker = principal(scopes=frozenset({"admin"}), expires_at=end)
    earlier = replace(asked(), expires_at=end - timedelta(days=1))

    assert key_request.within(asked(), maker).expires_at == end
    assert key_request.within(earlier, maker) == earlier
    assert key_request.within(earlier, principal(scopes=frozenset({"admin"}))) == earlier
    with pytest.raises(Forbidden) as refused:
        key_request.within(replace(asked(), expires_at=end + timedelta(days=1)), maker)
    assert list(refused.value.fields) == ["expires_at"]
