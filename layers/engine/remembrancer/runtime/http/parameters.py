"""Reads the header that names the version to be changed."""

import re
from collections.abc import Mapping

from remembrancer.errors import InvalidRequest


def expected_version(headers: Mapping[str, str]) -> int | None:
    """The version in `If-Match`, as `"3"`; None without the header or for `*`."""
    text = headers.get("if-match", "*").strip()
    if text == "*":
        return None
    match = _ENTITY_TAG.fullmatch(text)
    if match is None:
        raise InvalidRequest(
            'The header If-Match must be one version in quotation marks, for example "3", or *.',
            fields={"If-Match": 'must be a version, for example "3", or *'},
        )
    return int(match[1])


_ENTITY_TAG = re.compile(r'"([0-9]{1,9})"')
