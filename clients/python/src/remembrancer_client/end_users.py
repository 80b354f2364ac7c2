"""Names of end users, in the form in which the service keeps them."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_NONCHARACTERS = "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 17))
_BLANK = re.compile(rf"[\s{_INVISIBLE}{_NONCHARACTERS}]*")


class BlankEndUser(ValueError):
    """A name is there and says nothing. It never means that there is no end user: such memories are shared."""

    def __init__(self) -> None:
        super().__init__("user_id: must not be blank; leave it out where there is no end user")


def is_blank(text: str) -> bool:
    """Whether it shows nothing, as the service sees it: empty, or white space and invisible characters only."""
    return _BLANK.fullmatch(text) is not None


def end_user(written: str | None) -> str | None:
    """The name in NFC and trimmed, so that one person has one name; None for None. Raises BlankEndUser."""
    if written is None:
        return None
    name = unicodedata.normalize("NFC", written).strip()
    if is_blank(name):
        raise BlankEndUser
    return name
