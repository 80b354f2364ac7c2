"""Principals, and the memories that they may see."""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.errors import Forbidden, InvalidRequest

ENVIRONMENTS = ("development", "staging", "production")
ALL_USERS = "all_users"
"""The scope that lets keys read the memories of all end users at once; `admin` does not include it."""
KEY_SCOPES = ("assemble", "query", "write", "admin", ALL_USERS)
LONGEST_END_USER = 256
EVERY_NAME = "*"
"""The value of `user_id` by which a request reads the memories of all end users."""


def end_user_name(written: str) -> str:
    """An end user's name as it is stored and compared, from any source: NFC, without blanks at its ends.

    Empty for a name of blanks and invisible characters alone, which is never the same as no name. Idempotent.
    """
    name = unicodedata.normalize("NFC", written).strip()
    return "" if is_blank(name) else name


def end_user_problem(name: str) -> str | None:
    """The problem of a name from `end_user_name`; None when it is valid.

    `*` is refused: a key's prefixes end in it, and alone it means all end users, so a name with it would be ambiguous.
    """
    if not name:
        return "must not be blank; leave it out where there is no end user"
    if len(name) > LONGEST_END_USER:
        return f"must have at most {LONGEST_END_USER} characters"
    if "*" in name:
        return "must not contain *"
    if "\0" in name:
        return "must not contain NUL characters"
    # As headers that are not UTF-8 become; nothing can store them.
    return "must not contain lone surrogates" if re.search("[\ud800-\udfff]", name) else None


def named_by(place: str, written: str) -> str:
    """The end user that a field or header names, in the stored form, or `*`. InvalidRequest for an invalid name."""
    name = end_user_name(written)
    if name != EVERY_NAME and (problem := end_user_problem(name)):
        raise InvalidRequest(f"The end user's name in {place} {problem}.", fields={place: problem})
    return name


@dataclass(frozen=True, slots=True)
class EndUser:
    """Whose memories are read: shared ones always, and in addition those of `name`, or of all end users.

    Without a name, and not of all: shared memories only.
    """

    name: str | None = None
    is_all: bool = False

    def __post_init__(self) -> None:
        if self.name == EVERY_NAME or (self.is_all and self.name is not None):
            raise ValueError("all end users have no name")

    @classmethod
    def of(cls, text: str | None) -> "EndUser":
        """The end user that a request's value means: absent, a name, or `*`."""
        return EVERYBODY if text == EVERY_NAME else cls(text)

    @property
    def text(self) -> str | None:
        """The value as in a request; distinct for each end user."""
        return EVERY_NAME if self.is_all else self.name

    def sees(self, owner: str | None) -> bool:
        """Whether memories of `owner` are read."""
        return self.is_all or owner is None or owner == self.name


NOBODY = EndUser()
EVERYBODY = EndUser(is_all=True)


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Requests per second in the long run, and the largest burst; 0 per second means no limit."""

    per_second: float
    burst: int


_BYTES = 64


@dataclass(frozen=True, slots=True)
class Principal:
    """The identity behind a credential; everything except the end user is fixed when the credential is issued.

    `end_users` is None when the key may name any end user, else the allowed names and, ending in `*`, prefixes. With
    `user_is_fixed`, the credential itself names the end user. `limit` is the credential's own, in addition to its
    organization's. `user_id` is the end user that a request acts for; `sees_all` is set when it reads the memories of
    all.
    """

    org_id: UUID
    project_id: str
    environment: str
    key_id: UUID
    scopes: frozenset[str]
    end_users: tuple[str, ...] | None = None
    end_user_required: bool = False
    user_id: str | None = None
    user_is_fixed: bool = False
    limit: RateLimit | None = None
    expires_at: datetime | None = None
    sees_all: bool = False

    @property
    def nbytes(self) -> int:
        """An estimate of the memory that it takes: nearly all of it are the names that a key may act for."""
        return _BYTES + sum(_BYTES + 4 * len(name) for name in self.end_users or ())

    @property
    def end_user(self) -> EndUser:
        """The end user whose memories this principal reads."""
        return EVERYBODY if self.sees_all and self.user_id is None else EndUser(self.user_id)

    @property
    def actor(self) -> str:
        """What the audit trail calls it: the id of its key or service, never an end user's name."""
        return "end_user" if self.user_is_fixed else str(self.key_id)

    def is_expired(self, now: datetime) -> bool:
        """Whether the credential has expired at `now`; False for one that never expires."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def is_restricted(self) -> bool:
        """Whether it always acts for an end user, and therefore may not change data that other end users share."""
        return self.user_is_fixed or self.end_users is not None or self.end_user_required

    def may(self, scope: str) -> bool:
        """Whether the credential has the scope; `admin` includes all scopes but `all_users`."""
        return scope in self.scopes or (scope != ALL_USERS and "admin" in self.scopes)

    def require(self, scope: str) -> None:
        """Raises Forbidden for a credential without `scope`; `admin` includes all scopes but `all_users`."""
        if not self.may(scope):
            raise Forbidden(f"This key lacks the scope '{scope}'.", code="missing_scope")

    def may_grant(self, scope: str) -> bool:
        """Whether a key that it creates may have this scope; a key of an administrator may have any."""
        return scope in self.scopes or "admin" in self.scopes

    def may_change(self, owner: str | None) -> bool:
        """Whether it may change a memory that it sees; `owner` None is a shared memory, which has no end user."""
        return not self.is_restricted or (owner is not None and owner == self.user_id)

    def require_change(self, owner: str | None) -> None:
        """Raises Forbidden when a restricted credential changes data of others."""
        if not self.may_change(owner):
            raise read_only()

    def acting_for(self, end_user: str | None) -> "Principal":
        """The same principal with the end user of the request, if the key allows it; `*` means all end users.

        A key for certain end users requires one in each request; a credential for one end user never acts for another.
        None is a request without an end user. InvalidRequest for an invalid name, a blank one included.
        """
        if end_user is not None:
            end_user = named_by("user_id", end_user)
        if self.user_is_fixed:
            if end_user not in {None, self.user_id}:
                raise Forbidden("This token may act only for its own end user.", code="end_user_not_allowed")
            return self
        if end_user is None:
            if self.end_user_required or self.end_users is not None:
                raise InvalidRequest("This key requires the header X-End-User-ID.", code="missing_end_user")
            return self
        if self.end_user not in {NOBODY, EndUser.of(end_user)}:
            problem = "differs from the end user of the credential, of X-End-User-ID or of another field"
            raise InvalidRequest("The request names two different end users.", fields={"user_id": problem})
        if end_user == EVERY_NAME:
            if self.is_restricted:
                raise Forbidden("This key may not act for all end users.", code="end_user_not_allowed")
            self.require(ALL_USERS)
            return replace(self, sees_all=True)
        if self.end_users is not None and not any(_matches(end_user, allowed) for allowed in self.end_users):
            raise Forbidden("This key may not act for that end user.", code="end_user_not_allowed")
        return replace(self, user_id=end_user)


@dataclass(frozen=True, slots=True)
class Scope:
    """The memories that one request may see: at most one organization, project and environment.

    `agent_id` None means every agent of the project. `project_id` and `environment` may be None only with an agent,
    which belongs to one of each; whether these match the credential is checked before any data is returned. `end_user`
    limits the owners; the default is shared memories only.
    """

    org_id: UUID
    project_id: str | None
    environment: str | None
    agent_id: UUID | None = None
    end_user: EndUser = NOBODY

    def __post_init__(self) -> None:
        if self.agent_id is None and (self.project_id is None or self.environment is None):
            raise ValueError("a scope needs an agent, or a project and an environment")


def read_only() -> Forbidden:
    """The error for a change of a shared memory."""
    message = "This credential acts for certain end users: it cannot change shared memories."
    return Forbidden(message, code="shared_read_only")


def _matches(end_user: str, allowed: str) -> bool:
    return end_user.startswith(allowed[:-1]) if allowed.endswith("*") else end_user == allowed
