"""Parameters of a query string and headers, before they are read as fields."""

import re
from collections.abc import Mapping
from typing import Any

from remembrancer.errors import InvalidRequest


def numbered(query: Mapping[str, str], *names: str) -> dict[str, Any]:
    """The parameters, those of these names as numbers where they are whole ones."""
    return {name: int(text) if name in names and _NUMBER.fullmatch(text) else text for name, text in query.items()}


def end_user(query: Mapping[str, str]) -> str | None:
    """Whom `user_id` names, `*` for all; what is wrong with it is said where the other parameters are read."""
    return query.get("user_id", "").strip() or None


def expected_version(headers: Mapping[str, str]) -> int | None:
    """What `If-Match` names: `"3"`; None without the header or for `*`."""
    text = headers.get("if-match", "*").strip()
    if text == "*":
        return None
    match = _ENTITY_TAG.fullmatch(text)
    if match is None:
        raise InvalidRequest(
            'If-Match must be one entity tag, as "3", or *.', fields={"If-Match": "is not a version of a memory"}
        )
    return int(match[1])


_NUMBER = re.compile(r"[0-9]{1,18}")
_ENTITY_TAG = re.compile(r'"([0-9]{1,9})"')
