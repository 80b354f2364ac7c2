"""JSON as it may come from anybody."""

import unicodedata
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from remembrancer.errors import InvalidRequest

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 2**63, 1e308, 5e-324, -0.0]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.sampled_from(["0001-01-01T00:00:00+01:00", "2026-02-30", "0b000000-0000-4000-8000-000000000001", "hot", "*"]),
)
anything = st.recursive(
    scalars,
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=12), values, max_size=4),
    max_leaves=12,
)


SHOWS_NOTHING = (
    "\t\n\r\x1c\x1f\x7f\x85 \xa0\xad\u034f\u061c\u115f\u1680\u180e\u2000\u2009"
    "\u200b\u200d\u200e\u2028\u2029\u202e\u202f\u205f\u2060\u2800\u3000\u3164\ufe0f\ufeff\uffa0\U000e0020\U000e0100"
)
blank_names = st.text(SHOWS_NOTHING, max_size=8)
"""What shows nothing; without NUL and surrogates, which no request contains."""
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="*\0"), min_size=1, max_size=60).filter(
    lambda name: any(unicodedata.category(letter)[0] in "LNP" for letter in name)
)
"""Names of end users in any form."""


def objects_with(names: list[str], values: st.SearchStrategy[Any] = anything) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have some of the names that the reader knows, and some that it does not."""
    return st.dictionaries(st.sampled_from(names) | st.text(max_size=8), values, max_size=8)


def refusal(parse: Callable[[], Any]) -> tuple[Any, dict[str, str] | None]:
    """What was parsed, or the bad fields of what was refused; any other error flies."""
    try:
        return parse(), None
    except InvalidRequest as error:
        return None, error.fields
