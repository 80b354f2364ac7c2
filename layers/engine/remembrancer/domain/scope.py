"""Who asks, and what they may see."""

from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.errors import Forbidden, InvalidRequest

ENVIRONMENTS = ("development", "staging", "production")
ALL_USERS = "all_users"
"""The scope of keys that may read the memories of all end users at once; `admin` does not include it."""
KEY_SCOPES = ("assemble", "query", "write", "admin", ALL_USERS)
EVERY_NAME = "*"
"""What a request says in place of an end user to read the memories of all."""


@dataclass(frozen=True, slots=True)
class EndUser:
    """Whose memories are read: always those without an end user, and beside them those of `name`, or of all.

    Without a name, and not of all, it is nobody: memories without an end user only.
    """

    name: str | None = None
    is_all: bool = False

    def __post_init__(self) -> None:
        if self.name == EVERY_NAME or (self.is_all and self.name is not None):
            raise ValueError("all end users have no name")

    @classmethod
    def of(cls, text: str | None) -> "EndUser":
        """From what a request says: nothing, a name, or `*`."""
        return EVERYBODY if text == EVERY_NAME else cls(text)

    @property
    def text(self) -> str | None:
        """As a request says it; no two end users have the same."""
        return EVERY_NAME if self.is_all else self.name

    def sees(self, owner: str | None) -> bool:
        """Whether a memory of `owner` is among those that are read."""
        return self.is_all or owner is None or owner == self.name


NOBODY = EndUser()
EVERYBODY = EndUser(is_all=True)


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Requests a second in the long run, and how many at once; 0 a second is no limit."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Principal:
    """What a credential stands for; everything but the end user is fixed when it is issued.

    `end_users` is None when the key may name any end user, else the exact names allowed and, ending in `*`, prefixes.
    With `user_is_fixed`, the credential itself says who the end user is. `limit` None leaves the organization's.
    `user_id` is the end user that a request acts for; `sees_all` is set where it reads the memories of all.
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
    sees_all: bool = False

    @property
    def end_user(self) -> EndUser:
        """Whose memories this principal reads."""
        return EVERYBODY if self.sees_all and self.user_id is None else EndUser(self.user_id)

    def require(self, scope: str) -> None:
        """Refuses a credential without `scope`; `admin` includes every other but `all_users`."""
        if scope not in self.scopes and (scope == ALL_USERS or "admin" not in self.scopes):
            raise Forbidden(f"This key lacks the scope '{scope}'.", code="missing_scope")

    def acting_for(self, end_user: str | None) -> "Principal":
        """The same principal with the end user that the request names, if the key allows it; `*` is all end users.

        A key for some end users only demands one, and a credential that acts for one never acts for another.
        """
        if self.user_is_fixed:
            if end_user not in {None, self.user_id}:
                raise Forbidden("This token is for another end user.", code="end_user_not_allowed")
            return self
        if end_user is None:
            if self.end_user_required or self.end_users is not None:
                raise InvalidRequest("This key requires the header X-End-User-ID.", code="missing_end_user")
            return self
        if self.end_user not in {NOBODY, EndUser.of(end_user)}:
            problem = "differs from the credential's or X-End-User-ID"
            raise InvalidRequest("Two end users are named.", fields={"user_id": problem})
        if end_user == EVERY_NAME:
            if self.end_users is not None:
                raise Forbidden("This key is for certain end users.", code="end_user_not_allowed")
            self.require(ALL_USERS)
            return replace(self, sees_all=True)
        if self.end_users is not None and not any(_matches(end_user, allowed) for allowed in self.end_users):
            raise Forbidden("This key may not act for that end user.", code="end_user_not_allowed")
        return replace(self, user_id=end_user)


@dataclass(frozen=True, slots=True)
class Scope:
    """The memories that one request may see: never more than one organization, project and environment.

    `agent_id` None means every agent of the project. `project_id` and `environment` may be None only with an agent,
    which belongs to one of each; whether that is the credential's own is checked before anything is released.
    `end_user` says whose; by default memories without an end user only.
    """

    org_id: UUID
    project_id: str | None
    environment: str | None
    agent_id: UUID | None = None
    end_user: EndUser = NOBODY

    def __post_init__(self) -> None:
        if self.agent_id is None and (self.project_id is None or self.environment is None):
            raise ValueError("a scope needs an agent, or a project and an environment")


def _matches(end_user: str, allowed: str) -> bool:
    return end_user.startswith(allowed[:-1]) if allowed.endswith("*") else end_user == allowed
