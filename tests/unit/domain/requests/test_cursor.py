"""Cursors: opaque, and good for one listing of one organization only."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.requests import cursor

KEY = b"k" * 32
texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80)


@given(texts, texts)
def test_a_position_comes_back(position: str, listing: str) -> None:
    sealed = cursor.seal(position, key=KEY, listing=listing)

    assert cursor.unseal(sealed, key=KEY, listing=listing) == position
    assert set(sealed) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


@given(texts, texts, texts)
def test_it_is_good_for_its_own_listing_and_key_only(position: str, listing: str, other: str) -> None:
    sealed = cursor.seal(position, key=KEY, listing=listing)

    assert cursor.unseal(sealed, key=b"j" * 32, listing=listing) is None
    if other != listing:
        assert cursor.unseal(sealed, key=KEY, listing=other) is None


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda value: base64.urlsafe_b64encode(value).decode()))
def test_whatever_else_is_sent_is_no_cursor(forged: str) -> None:
    assert cursor.unseal(forged, key=KEY, listing="memories") is None


@given(texts, st.integers(0, 200))
def test_a_changed_cursor_is_none(position: str, place: int) -> None:
    sealed = cursor.seal(position, key=KEY, listing="memories")
    at = place % len(sealed)
    changed = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]

    # The last letter of base64 may carry bits that mean nothing.
    assert cursor.unseal(changed, key=KEY, listing="memories") in (
        {None, position} if at == len(sealed) - 1 else {None}
    )


def test_where_listing_ends_and_position_begins_is_part_of_it() -> None:
    sealed = cursor.seal("bc", key=KEY, listing="a")

    assert cursor.unseal(sealed, key=KEY, listing="a") == "bc"
    assert cursor.unseal(sealed, key=KEY, listing="ab") is None
