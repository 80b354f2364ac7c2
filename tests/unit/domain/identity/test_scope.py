"""Who may ask for what, and for whom."""

from typing import Any

import pytest

from remembrancer.domain.identity.scope import EVERYBODY, KEY_SCOPES, NOBODY, EndUser, Scope
from remembrancer.errors import Forbidden, InvalidRequest
from tests.builders import AGENT_ID, ENVIRONMENT, ORG_ID, PROJECT_ID, principal


def test_a_key_has_the_scopes_that_it_was_given() -> None:
    principal(scopes=frozenset({"query"})).require("query")


@pytest.mark.parametrize("held", [frozenset(), frozenset({"query"}), frozenset({"administrator", "WRITE"})])
def test_a_missing_scope_is_forbidden_and_named(held: frozenset[str]) -> None:
    with pytest.raises(Forbidden, match="'write'") as refused:
        principal(scopes=held).require("write")

    assert (refused.value.status, refused.value.code) == (403, "missing_scope")


def test_an_admin_may_do_everything() -> None:
    principal(scopes=frozenset({"admin"})).require("write")


@pytest.mark.parametrize(
    ("allowed", "end_user"),
    [
        pytest.param(None, "anybody", id="any"),
        pytest.param(("anna", "ben"), "ben", id="list"),
        pytest.param(("team-a/*",), "team-a/anna", id="prefix"),
        pytest.param(("team-a/*",), "team-a/", id="the prefix itself"),
        pytest.param(("*",), "anybody", id="the empty prefix"),
    ],
)
def test_a_key_acts_for_the_end_users_that_it_is_allowed(allowed: tuple[str, ...] | None, end_user: str) -> None:
    key = principal(end_users=allowed)

    assert key.acting_for(end_user) == principal(end_users=allowed, user_id=end_user)


@pytest.mark.parametrize(
    ("allowed", "end_user"),
    [
        pytest.param((), "anna", id="nobody is allowed"),
        pytest.param(("anna",), "ann", id="a shorter name"),
        pytest.param(("anna",), "anna2", id="a longer name"),
        pytest.param(("anna",), "Anna", id="another case"),
        pytest.param(("team-a/*",), "team-b/anna", id="another prefix"),
        pytest.param(("team-a/*",), "team-a", id="less than the prefix"),
        pytest.param(("a*b",), "axb", id="a star in the middle is a letter"),
        pytest.param(("team-a/*",), "my-team-a/anna", id="the prefix in the middle"),
        pytest.param(("anna",), "*", id="a star as a name"),
    ],
)
def test_another_end_user_is_forbidden(allowed: tuple[str, ...], end_user: str) -> None:
    with pytest.raises(Forbidden) as refused:
        principal(end_users=allowed).acting_for(end_user)

    assert (refused.value.status, refused.value.code) == (403, "end_user_not_allowed")


@pytest.mark.parametrize("name", ["al*ce", "alice*", "a" * 257, "a\0b", "jos\udce9", ""])
@pytest.mark.parametrize("allowed", [None, ("*",)])
def test_what_is_no_name_of_an_end_user_is_refused_by_name_of_the_field(
    allowed: tuple[str, ...] | None, name: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        principal(end_users=allowed).acting_for(name)

    assert refused.value.fields.keys() == {"user_id"}


@pytest.mark.parametrize(
    ("changes", "restricted"),
    [
        ({}, False),
        ({"user_id": "ada"}, False),
        ({"user_id": "ada", "end_users": ("ada",)}, True),
        ({"user_id": "ada", "end_users": ("*",)}, True),
        ({"user_id": "ada", "end_user_required": True}, True),
        ({"user_id": "ada", "user_is_fixed": True}, True),
    ],
)
def test_who_always_acts_for_an_end_user_changes_only_what_is_this_persons(
    changes: dict[str, Any], restricted: bool
) -> None:
    asking = principal(**changes)

    assert asking.is_restricted is restricted
    assert asking.may_change("ada")
    assert asking.may_change(None) is not restricted
    assert asking.may_change("bob") is not restricted


def test_a_restricted_credential_without_an_end_user_changes_nothing() -> None:
    assert not principal(end_users=()).may_change(None)


def test_a_key_that_demands_an_end_user_refuses_a_request_without_one() -> None:
    with pytest.raises(InvalidRequest) as refused:
        principal(end_user_required=True).acting_for(None)

    assert (refused.value.status, refused.value.code) == (400, "missing_end_user")


def test_a_key_that_demands_none_acts_for_itself() -> None:
    assert principal().acting_for(None) == principal()


@pytest.mark.parametrize(
    "places",
    [
        {"project_id": None, "environment": None},
        {"project_id": PROJECT_ID, "environment": None},
        {"project_id": None, "environment": ENVIRONMENT},
    ],
)
def test_a_scope_without_an_agent_names_project_and_environment(places: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="project and an environment"):
        Scope(ORG_ID, **places)


def test_an_agent_stands_for_its_project_and_environment() -> None:
    assert Scope(ORG_ID, None, None, AGENT_ID).agent_id == AGENT_ID


def test_a_scope_and_a_principal_that_name_nobody_read_memories_of_nobody() -> None:
    assert Scope(ORG_ID, None, None, AGENT_ID).end_user == principal().end_user == NOBODY
    assert [NOBODY.sees(owner) for owner in (None, "anna")] == [True, False]


@pytest.mark.parametrize("said", [None, "anna", "*"])
def test_an_end_user_is_what_a_request_says(said: str | None) -> None:
    assert EndUser.of(said).text == said


def test_nobody_has_the_name_of_all() -> None:
    with pytest.raises(ValueError, match="no name"):
        EndUser("*")


def test_a_key_with_the_scope_reads_the_memories_of_all_where_the_request_says_so() -> None:
    key = principal(scopes=frozenset({"query", "all_users"}))

    assert key.acting_for("*").end_user == EVERYBODY
    assert key.acting_for("*").acting_for("*").end_user == EVERYBODY
    assert key.acting_for(None).end_user == NOBODY
    assert key.acting_for("anna").end_user == EndUser("anna")


@pytest.mark.parametrize("scopes", [{"query"}, {"admin"}, {"query", "write", "assemble", "admin"}])
def test_no_other_scope_stands_for_that_of_all_users(scopes: set[str]) -> None:
    with pytest.raises(Forbidden, match="'all_users'") as refused:
        principal(scopes=frozenset(scopes)).acting_for("*")

    assert refused.value.code == "missing_scope"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"end_users": ("anna",)}, id="certain end users"),
        pytest.param({"end_users": ("*",)}, id="the empty prefix"),
        pytest.param({"user_id": "anna", "user_is_fixed": True}, id="a token of one"),
    ],
)
def test_who_is_bound_to_end_users_never_reads_those_of_all(changes: dict[str, Any]) -> None:
    with pytest.raises(Forbidden) as refused:
        principal(scopes=frozenset(KEY_SCOPES), **changes).acting_for("*")

    assert refused.value.code == "end_user_not_allowed"


@pytest.mark.parametrize(("first", "second"), [("anna", "ben"), ("anna", "*"), ("*", "anna")])
def test_two_end_users_in_one_request_are_refused(first: str, second: str) -> None:
    key = principal(scopes=frozenset(KEY_SCOPES))

    with pytest.raises(InvalidRequest) as refused:
        key.acting_for(first).acting_for(second)

    assert "user_id" in refused.value.fields
