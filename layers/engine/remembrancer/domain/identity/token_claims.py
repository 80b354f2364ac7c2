"""Reads the principal from the claims of an identity provider's token."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from remembrancer.domain.identity.scope import ENVIRONMENTS, KEY_SCOPES, Principal, end_user_name, end_user_problem
from remembrancer.domain.personal_data.invisible_characters import is_blank

_LONGEST = 256


@dataclass(frozen=True, slots=True)
class ClaimNames:
    """The names of the claims that a principal is built from. With `user_is_optional`, a token without an end user is a
    service's.
    """

    org_id: str = "org_id"
    project_id: str = "project_id"
    environment: str = "environment"
    user: str = "sub"
    scopes: str = "scope"
    user_is_optional: bool = False

    @classmethod
    def parse(cls, text: str) -> "ClaimNames":
        """Parses `org_id=…,user=…`, any subset; `user=sub?` makes the end user optional. ValueError names the
        problem.
        """
        known = {field.name for field in fields(cls)} - {"user_is_optional"}
        pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
        names = {name.strip(): claim.strip() for name, _, claim in pairs}
        for name, claim in names.items():
            if name not in known or not claim.removesuffix("?"):
                raise ValueError(f"{name!r} is not one of {', '.join(sorted(known))} with a claim's name")
        user = names.pop("user", cls().user)
        return cls(**names, user=user.removesuffix("?"), user_is_optional=user.endswith("?"))


def principal(claims: Mapping[str, Any], names: ClaimNames) -> Principal | None:
    """The principal of verified claims; None when a claim is missing or has the wrong type. Unknown scopes are
    ignored. It ends with its token, so that it makes no key that lasts longer.
    """
    org_id = _uuid(claims.get(names.org_id))
    project_id = _text(claims.get(names.project_id))
    environment = claims.get(names.environment)
    named = claims.get(names.user)
    name = end_user_name(named) if isinstance(named, str) else ""
    user = name if end_user_problem(name) is None else None
    scopes = frozenset(_words(claims.get(names.scopes))) & set(KEY_SCOPES)
    expires_at = _moment(claims.get("exp"))
    if org_id is None or project_id is None or environment not in ENVIRONMENTS or expires_at is None:
        return None
    # An invalid end user's name must not turn the token into a service's token, which may name any end user.
    if user is None and (named is not None or not names.user_is_optional):
        return None
    # The key of the rate limit: this end user of this provider, or this service.
    subject = user or _text(claims.get("sub")) or _text(claims.get("azp")) or ""
    key_id = uuid5(NAMESPACE_URL, f"{org_id}\n{claims.get('iss')}\n{subject}")
    return Principal(
        org_id,
        project_id,
        environment,
        key_id,
        scopes,
        user_id=user,
        user_is_fixed=user is not None,
        expires_at=expires_at,
    )


def _moment(value: object) -> datetime | None:
    """Of a number of seconds since 1970, which API Gateway gives as text."""
    try:
        return datetime.fromtimestamp(float(value), UTC) if isinstance(value, int | float | str) else None
    except (ValueError, OverflowError, OSError):
        return None


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _text(value: object) -> str | None:
    if not isinstance(value, str) or is_blank(value):
        return None
    return value if len(value) <= _LONGEST and "\0" not in value else None


def _words(value: object) -> list[str]:
    """The words of a list, of a string with blanks, or of API Gateway's text form of a list: `[query write]`."""
    if isinstance(value, str):
        return re.split(r"[\s,]+", value.strip("[]"))
    return [word for word in value if isinstance(word, str)] if isinstance(value, list) else []
