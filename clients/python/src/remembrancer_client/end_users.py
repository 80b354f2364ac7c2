"""Names of end users, in the form in which the service keeps them."""

from __future__ import annotations

import unicodedata

_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing."""


class BlankEndUser(ValueError):
    """A name is there and says nothing. It never means that there is no end user: such memories are shared."""

    def __init__(self) -> None:
        super().__init__("user_id: must not be blank; leave it out where there is no end user")


def end_user(written: str | None) -> str | None:
    """The name in NFC and trimmed, so that one person has one name; None for None. Raises BlankEndUser."""
    if written is None:
        return None
    name = unicodedata.normalize("NFC", written).strip()
    if all(letter.isspace() or letter in _EMPTY or unicodedata.category(letter) in {"Cc", "Cf"} for letter in name):
        raise BlankEndUser
    return name
