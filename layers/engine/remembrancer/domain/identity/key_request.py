"""Parses the request to create an API key."""

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remembrancer.domain.identity.scope import (
    ALL_USERS,
    KEY_SCOPES,
    LONGEST_END_USER,
    Principal,
    RateLimit,
    end_user_problem,
)
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.domain.requests.field_types import END_USER, boolean, number, strings, text, timestamp, whole
from remembrancer.domain.requests.fields import Field, Fields, Given
from remembrancer.domain.requests.rounding import digits
from remembrancer.errors import Forbidden, InvalidRequest

MOST_END_USERS = 1000
MOST_END_USERS_BYTES = 65_536
"""Most bytes of all names of a key together, so that a page of keys fits into an answer."""
HIGHEST_RATE = 100_000


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """A key in the administrator's own project and environment; `end_users` None means any."""

    name: str
    scopes: tuple[str, ...]
    end_users: tuple[str, ...] | None = None
    end_user_required: bool = False
    limit: RateLimit | None = None
    expires_at: datetime | None = None

    def require_future(self, now: datetime) -> None:
        """Raises InvalidRequest for an expiry that is not in the future."""
        if self.expires_at is not None and self.expires_at <= now:
            problem = "must be in the future"
            raise InvalidRequest("The request has invalid fields: expires_at.", fields={"expires_at": problem})


def rate() -> dict[str, Field]:
    """The request fields of a RateLimit."""
    return {"rate_per_second": number(0, HIGHEST_RATE), "rate_burst": whole(1, 10 * HIGHEST_RATE)}


def _end_users() -> Field:
    """Names and prefixes that end in `*`, in the form in which names are stored; an empty list allows no name."""
    pattern = rf"^({END_USER}\*?|\*)$"
    plain = strings(MOST_END_USERS, longest=LONGEST_END_USER, pattern=pattern, default=None)

    def read(value: Any, given: Given, name: str) -> tuple[str, ...] | None:
        entries = plain.read(value, given, name)
        if entries is None:
            return None
        # Trimmed, " *" would be the prefix of every name, and "anna *" that of annabel.
        prefixes = (entry.removesuffix("*") for entry in map(str.rstrip, value) if entry.endswith("*"))
        if any(prefix and is_blank(prefix) for prefix in prefixes):
            given.fail(name, "must not have a blank prefix")
        normal = tuple(dict.fromkeys(unicodedata.normalize("NFC", entry) for entry in entries))
        if any(end_user_problem(entry.removesuffix("*") or "any") for entry in normal):
            given.fail(name, "must have names, with * only at the end of an entry, and no NUL characters")
        if sum(len(entry.encode("utf-8", "replace")) for entry in normal) > MOST_END_USERS_BYTES:
            given.fail(name, f"must have at most {MOST_END_USERS_BYTES} bytes in all; use prefixes")
        return normal

    return replace(plain, read=read)


NEW_KEY = Fields(
    "NewKey",
    name=text(required=True),
    scopes=strings(len(KEY_SCOPES), allowed=KEY_SCOPES, required=True),
    end_users=_end_users(),
    end_user_required=boolean(default=False),
    **rate(),
    expires_at=timestamp(),
)


def parse(body: object) -> KeyRequest:
    """Raises InvalidRequest naming every bad field, unknown ones included."""
    given = NEW_KEY.read(body)
    restricted = given["end_users"] is not None or given["end_user_required"]
    if restricted and ALL_USERS in (given["scopes"] or ()):
        given.fail("scopes", f"must not include {ALL_USERS} for a key that is limited to certain end users")
    limit = limit_of(given)
    asked = given.finish()
    return KeyRequest(
        asked["name"], asked["scopes"], asked["end_users"], asked["end_user_required"], limit, asked["expires_at"]
    )


def limit_of(given: Given) -> RateLimit | None:
    """The limit from the fields of `rate`; the default burst is two seconds of the rate."""
    per_second, burst = given["rate_per_second"], given["rate_burst"]
    if per_second is not None:
        return RateLimit(per_second, burst or max(1, round(2 * per_second)))
    if burst:
        given.fail("rate_burst", "needs rate_per_second")
    return None


def within(asked: KeyRequest, maker: Principal) -> KeyRequest:
    """The key as its creator may create it; without a rate or an expiry it gets the creator's.

    Raises Forbidden for rights that the creator does not have.
    """
    problems = {}
    if missing := [scope for scope in asked.scopes if not maker.may_grant(scope)]:
        problems["scopes"] = f"must not contain {', '.join(missing)}, which this credential lacks"
    if maker.limit is not None and maker.limit.per_second > 0:
        most, limit = maker.limit, asked.limit or maker.limit
        if limit.per_second == 0 or limit.per_second > most.per_second:
            highest = digits(most.per_second)
            problems["rate_per_second"] = f"must be above 0 and at most {highest}, as of this credential"
        elif limit.burst > most.burst:
            problems["rate_burst"] = f"must be at most {most.burst}, as of this credential"
        asked = replace(asked, limit=limit)
    if maker.expires_at is not None:
        if asked.expires_at is not None and asked.expires_at > maker.expires_at:
            problems["expires_at"] = "must not be later than the expiry of this credential"
        asked = replace(asked, expires_at=asked.expires_at or maker.expires_at)
    if problems:
        message = "A new key cannot have more rights than the credential that creates it."
        raise Forbidden(message, code="beyond_credential", fields=problems)
    return asked
