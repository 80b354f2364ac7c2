"""The nonce: the same for a conversation everywhere, another one for every other."""

import re
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context.nonce import nonce_of

ORG, AGENT, OTHER = UUID(int=1), UUID(int=2), UUID(int=3)
KEY = b"k" * 32


def test_the_nonce_stays_what_it_is() -> None:
    """Another hash would break every prompt that providers have cached."""
    assert nonce_of(ORG, AGENT, "ada", "s-1", key=KEY) == "530147737"
    assert nonce_of(ORG, AGENT, None, None, key=KEY) == "562692408"


@pytest.mark.parametrize(
    "other",
    [
        (OTHER, AGENT, "ada", "s-1", KEY),
        (ORG, OTHER, "ada", "s-1", KEY),
        (ORG, AGENT, "bob", "s-1", KEY),
        (ORG, AGENT, None, "s-1", KEY),
        (ORG, AGENT, "*", "s-1", KEY),
        (ORG, AGENT, "ada", "s-2", KEY),
        (ORG, AGENT, "ada", None, KEY),
        (ORG, AGENT, "s-1", "ada", KEY),
        (ORG, AGENT, "ada", "s-1", b"j" * 32),
    ],
)
def test_another_organization_agent_end_user_session_or_key_has_another(
    other: tuple[UUID, UUID, str | None, str | None, bytes],
) -> None:
    org_id, agent_id, end_user, session_id, key = other

    assert nonce_of(org_id, agent_id, end_user, session_id, key=key) != nonce_of(ORG, AGENT, "ada", "s-1", key=KEY)


@given(end_user=st.none() | st.text(), session_id=st.none() | st.text(), key=st.binary(min_size=1))
def test_it_has_nine_digits_whatever_the_names(end_user: str | None, session_id: str | None, key: bytes) -> None:
    assert re.fullmatch("[0-9]{9}", nonce_of(ORG, AGENT, end_user, session_id, key=key))


def test_blanks_and_quotes_in_names_do_not_make_two_sessions_one() -> None:
    names = [('a", "b', "c"), ("a", 'b", "c'), ("a", "b"), ("a b", ""), ("a", " b"), ("\ud800", "b")]

    assert len({nonce_of(ORG, AGENT, end_user, session, key=KEY) for end_user, session in names}) == len(names)
