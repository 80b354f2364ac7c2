"""A name that shows nothing is no name, and canonically equivalent names are one person, wherever a name enters."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.domain.capture import conversation
from remembrancer.domain.context import assembly
from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.identity import key_request, token_claims
from remembrancer.domain.identity.scope import EVERY_NAME, end_user_name, end_user_problem
from remembrancer.domain.identity.token_claims import ClaimNames
from remembrancer.domain.memories import write_request
from remembrancer.domain.requests.field_types import end_user
from remembrancer.domain.requests.fields import Fields
from remembrancer.domain.retrieval import query
from remembrancer.errors import InvalidRequest
from remembrancer.usecases.identity.authorise import named_end_user
from tests.builders import AGENT_ID, ORG_ID, assemble_body, principal
from tests.unit.domain.identity.test_token_claims import CLAIMS
from tests.unit.strategies import blank_names, names

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SAID = [{"role": "user", "content": "My blood group is B negative."}]
LISTING = Fields(user_id=end_user(may_be_all=True))


class Sent:
    """The header of a request."""

    claims = None
    address = ""

    def __init__(self, name: str) -> None:
        self.headers = {"x-end-user-id": name}


def _claimed(name: str) -> str | None:
    found = token_claims.principal({**CLAIMS, "sub": name}, ClaimNames(user_is_optional=True))
    if found is None:
        raise InvalidRequest("no principal")
    return found.user_id


def _key(name: str) -> str:
    (entry,) = key_request.parse({"name": "k", "scopes": ["query"], "end_users": [name]}).end_users or ()
    return entry


READERS: Mapping[str, Callable[[str], str | None]] = {
    "memory": lambda name: (
        write_request.parse({"agent_id": str(AGENT_ID), "content": "x", "user_id": name}, now=NOW).user_id
    ),
    "memory in camel case": lambda name: (
        write_request.parse({"agentId": str(AGENT_ID), "content": "x", "userId": name}, now=NOW).user_id
    ),
    "conversation": lambda name: (
        conversation.parse({"agent_id": str(AGENT_ID), "messages": SAID, "user_id": name}, now=NOW).user_id
    ),
    "assembly": lambda name: assembly.parse(assemble_body(user_id=name)).user_id,
    "assembly in camel case": lambda name: assembly.parse(assemble_body(userId=name)).user_id,
    "listing": lambda name: LISTING.parse({"user_id": name})["user_id"],
    "erasure": lambda name: erasure_request.parse({"user_id": name}).subject,
    "header": lambda name: named_end_user(Sent(name)),
    "principal": lambda name: principal().acting_for(name).user_id,
    "token": _claimed,
    "key": _key,
}
"""How a name enters, and the name that counts."""
# Each with a session, an agent or another text that must not be blank either.
TEXTS: Mapping[str, Callable[[str], Any]] = {
    "session of a conversation": lambda text: conversation.parse(
        {"agent_id": str(AGENT_ID), "messages": SAID, "session_id": text}, now=NOW
    ),
    "session of a memory": lambda text: write_request.parse(
        {"agent_id": str(AGENT_ID), "content": "x", "sessionId": text}, now=NOW
    ),
    "session of an assembly": lambda text: assembly.parse(assemble_body(session_id=text)),
    "session of a query": lambda text: query.parse({"query": "x", "session_id": text}),
    "agent of a query": lambda text: query.parse({"query": "x", "agent_id": text}),
    "end user of a query": lambda text: query.parse({"query": "x", "user_id": text}),
    "agent of an erasure": lambda text: erasure_request.parse({"user_id": "ann", "agent_id": text}),
    "organization of an erasure": lambda text: erasure_request.parse({"user_id": "ann", "org_id": text}),
    "start of a query": lambda text: query.parse({"query": "x", "filters": {"since": text}}),
}


@example(" ")
@example("\u00a0")
@example("\u200b\u3000")
@example("")
@given(blank_names)
@pytest.mark.parametrize("reader", READERS)
def test_a_blank_name_is_nobody_s_and_never_shared(reader: str, name: str) -> None:
    with pytest.raises(InvalidRequest):
        READERS[reader](name)


@given(blank_names)
@pytest.mark.parametrize("field", TEXTS)
def test_no_other_name_or_filter_is_blank(field: str, text: str) -> None:
    with pytest.raises(InvalidRequest):
        TEXTS[field](text)


@example("No\u00ebl", " ")
@example("\u1112\u1161\u11ab", "\u3000")
@example("\u212b", "")
@given(names, st.sampled_from(["", " ", "\t", "\u00a0", "\u3000\n"]))
@pytest.mark.parametrize("reader", READERS)
def test_canonically_equivalent_names_are_one_person(reader: str, name: str, around: str) -> None:
    decomposed, composed = unicodedata.normalize("NFD", name), unicodedata.normalize("NFC", name)

    assert READERS[reader](around + decomposed) == READERS[reader](composed + around) == end_user_name(name)


@given(st.text())
def test_the_stored_form_of_a_name_stays_as_it_is(name: str) -> None:
    stored = end_user_name(name)

    assert end_user_name(stored) == stored
    assert unicodedata.is_normalized("NFC", stored)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("anna", "Anna", id="case"),
        pytest.param("anna", "\u0430nna", id="a Cyrillic letter"),
        pytest.param("anna", "\uff41nna", id="a letter of full width"),
        pytest.param("\ufb01n", "fin", id="a ligature"),
        pytest.param("anna", "an\u200bna", id="an invisible character inside"),
        pytest.param("anna b", "anna  b", id="another blank inside"),
        pytest.param("x\u00b2", "x2", id="a superscript"),
    ],
)
def test_names_that_only_look_alike_are_different_people(one: str, other: str) -> None:
    assert end_user_name(one) != end_user_name(other)
    assert end_user_problem(end_user_name(other)) is None


@pytest.mark.parametrize(
    "name", ["7", ".", "-", "\u7528\u6237", "\U0001f600", "\u0905", "\u0627\u0644", "a\u200d", "\u0301"]
)
def test_a_name_that_shows_something_is_taken(name: str) -> None:
    assert {READERS[reader](name) for reader in READERS} == {end_user_name(name)}


def test_an_empty_name_does_not_widen_an_erasure_to_the_agent() -> None:
    with pytest.raises(InvalidRequest) as refused:
        erasure_request.parse({"user_id": "", "agent_id": str(AGENT_ID)})

    assert list(refused.value.fields) == ["user_id"]


def test_an_operator_erases_the_person_in_each_form_of_the_name() -> None:
    subjects = {
        erasure_request.parse_operators({"org_id": str(ORG_ID), "user_id": name})[1].subject
        for name in ("No\u00ebl*", " Noe\u0308l* ")
    }

    assert subjects == {"No\u00ebl*"}


@pytest.mark.parametrize("prefix", [" ", "\u3000", "\t ", "\u200b"])
def test_a_blank_prefix_of_a_key_is_not_the_prefix_of_every_name(prefix: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        key_request.parse({"name": "k", "scopes": ["query"], "end_users": [f"{prefix}*"]})

    assert refused.value.fields == {"end_users": "must not have a blank prefix"}


def test_a_prefix_of_a_key_is_compared_in_the_form_of_names() -> None:
    asked = key_request.parse({"name": "k", "scopes": ["query"], "end_users": ["Noe\u0308*"]})

    allowed = principal(end_users=asked.end_users)

    assert allowed.acting_for("Noe\u0308l").user_id == "No\u00ebl"


def test_all_end_users_are_named_by_the_star_alone() -> None:
    assert LISTING.parse({"user_id": " * "})["user_id"] == EVERY_NAME
    with pytest.raises(InvalidRequest):
        LISTING.parse({"user_id": "a*"})
