"""Which claims of a token say who asks."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from remembrancer.domain.identity import token_claims
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.identity.token_claims import ClaimNames
from tests.builders import ENVIRONMENT, ORG_ID, PROJECT_ID
from tests.unit.strategies import anything, objects_with

CLAIMS: dict[str, Any] = {
    "iss": "https://issuer.example",
    "sub": "anna",
    "org_id": str(ORG_ID),
    "project_id": PROJECT_ID,
    "environment": ENVIRONMENT,
    "scope": "query",
    "exp": 1_800_000_000,
}
USUAL = ClaimNames()


def principal(changes: dict[str, Any], names: ClaimNames = USUAL) -> Principal | None:
    kept = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not ...}
    return token_claims.principal(kept, names)


@pytest.mark.parametrize(
    "scopes",
    ["query write", "openid  query\twrite", ["query", "write", "openid", 7], "[query write]", "query,write"],
    ids=["text", "other blanks", "a list", "as API Gateway writes a list", "commas"],
)
def test_scopes_come_in_every_form_that_providers_have(scopes: Any) -> None:
    found = principal({"scope": scopes})

    assert found is not None
    assert found.scopes == {"query", "write"}


@pytest.mark.parametrize("scopes", ["openid", "", [], None, 7, {"query": True}, ...])
def test_without_a_scope_of_ours_a_token_may_do_nothing(scopes: Any) -> None:
    found = principal({"scope": scopes})

    assert found is not None
    assert found.scopes == frozenset()


@pytest.mark.parametrize("name", ["org_id", "project_id", "environment", "sub"])
@pytest.mark.parametrize("value", [..., None, "", 7, [], "x" * 300, "a\0b"])
def test_a_claim_that_is_missing_or_of_another_kind_makes_no_principal(name: str, value: Any) -> None:
    assert principal({name: value}) is None


@pytest.mark.parametrize("exp", [1_800_000_000, 1.8e9, "1800000000", "1.8E9"])
def test_a_principal_ends_with_its_token(exp: Any) -> None:
    """API Gateway gives numbers as text."""
    found = principal({"exp": exp})

    assert found is not None
    assert found.expires_at == datetime.fromtimestamp(1_800_000_000, UTC)


@pytest.mark.parametrize("exp", [..., None, "soon", "", [], {}, 1e400, "nan", 1e30])
def test_a_token_without_an_end_makes_no_principal(exp: Any) -> None:
    assert principal({"exp": exp}) is None


def test_an_environment_that_there_is_not_makes_no_principal() -> None:
    assert principal({"environment": "test"}) is None


@pytest.mark.parametrize("name", ["ann*", "*", "x" * 300, "a\0b", 7, ""])
@pytest.mark.parametrize("is_optional", [True, False])
def test_a_token_of_what_is_no_end_users_name_is_nobodys_and_no_services(name: Any, is_optional: bool) -> None:
    assert principal({"sub": name}, ClaimNames(user_is_optional=is_optional)) is None


def test_a_services_token_has_no_end_user_where_that_is_allowed() -> None:
    found = principal({"sub": ...}, ClaimNames.parse("user=sub?"))

    assert found is not None
    assert (found.user_id, found.user_is_fixed) == (None, False)
    assert found.acting_for("ben").user_id == "ben"


def test_a_claim_may_have_another_name() -> None:
    names = ClaimNames.parse("org_id=https://example.com/org, user = email")

    found = token_claims.principal(
        {**CLAIMS, "org_id": None, "https://example.com/org": str(ORG_ID), "email": "a@b.c"}, names
    )

    assert found is not None
    assert (found.org_id, found.user_id) == (ORG_ID, "a@b.c")
    assert ClaimNames.parse("") == ClaimNames()


def test_the_end_user_alone_may_be_optional() -> None:
    assert ClaimNames.parse("user=email?") == ClaimNames(user="email", user_is_optional=True)
    assert ClaimNames.parse("user=email") == ClaimNames(user="email")
    assert ClaimNames.parse("project_id=project?") == ClaimNames(project_id="project?")


@pytest.mark.parametrize("text", ["tenant=org", "org_id", "org_id=", "=org", "user=?", "user_is_optional=sub"])
def test_names_for_something_else_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="org_id"):
        ClaimNames.parse(text)


@given(found=objects_with(list(CLAIMS)), other=anything)
def test_claims_from_anybody_make_a_principal_or_none(found: dict[str, Any], other: Any) -> None:
    assert principal(found) is None or principal(found)
    assert principal({"scope": other}) is not None
