"""What an operator may choose for an organization."""

from typing import Any

import pytest
from hypothesis import given

from remembrancer.domain.identity.organization_settings import parse
from remembrancer.domain.personal_data.redaction import KINDS, Redaction
from remembrancer.errors import InvalidRequest
from tests.builders import ORG_ID
from tests.unit.strategies import anything, objects_with


def test_settings_are_set_and_null_takes_them_back() -> None:
    settings = {
        "enabled": False,
        "redact_pii": ["email", "phone"],
        "phone_region": "DE",
        "memory_tokens": 0,
        "placement": "turn",
        "languages": ["german", "english"],
        "near_duplicates": "merge",
        "relation_boosts": {"similar": 0.1},
        "turn_days": 7,
        "audit": "all",
        "audit_days": 90,
        "quotas": {"memories": 1000, "keys": 0},
    }

    assert parse({"task": "configure_organization", "org_id": str(ORG_ID), "settings": settings}) == (ORG_ID, settings)
    assert parse({"org_id": str(ORG_ID), "settings": {"redact_pii": None}}) == (ORG_ID, {"redact_pii": None})
    assert parse({"org_id": str(ORG_ID)}) == (ORG_ID, {})


@pytest.mark.parametrize(
    "settings",
    [
        {"enabled": "no"},
        {"redact_pii": ["emails"]},
        {"redact_pii": "email"},
        {"phone_region": "de"},
        {"phone_region": "Germany"},
        {"memory_tokens": -1},
        {"memory_tokens": 10_000_001},
        {"memory_tokens": "many"},
        {"placement": "user_prepend"},
        {"placement": ["turn"]},
        {"languages": "german"},
        {"languages": []},
        {"languages": ["klingon"]},
        {"near_duplicates": "yes"},
        {"relation_boosts": {"likes": 1}},
        {"relation_boosts": {"similar": "much"}},
        {"redact": ["email"]},
        {"turn_days": 0},
        {"audit": "reads"},
        {"audit_days": 0},
        {"turn_days": 3651},
        {"turn_days": "forever"},
        {"quotas": {"memories": -1}},
        {"quotas": {"memories": 1.5}},
        {"quotas": {"organizations": 1}},
        {"quotas": 5},
    ],
)
def test_what_is_no_setting_is_refused_by_name(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse({"org_id": str(ORG_ID), "settings": settings})

    assert all(name.startswith("settings.") for name in refused.value.fields)


@given(objects_with(["redact_pii", "phone_region"]) | anything)
def test_stored_settings_are_read_whatever_stands_there(stored: Any) -> None:
    read = Redaction.of(stored if isinstance(stored, dict) else {})

    assert set(read.kinds) <= set(KINDS)
    assert read.region


def test_nothing_is_redacted_unless_it_is_asked_for() -> None:
    assert Redaction.of({}) == Redaction()
    assert Redaction.of({"redact_pii": ["phone", "email", "hats"]}).kinds == ("email", "phone")
