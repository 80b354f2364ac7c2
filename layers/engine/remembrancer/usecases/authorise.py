"""Who asks: the credential's principal, checked against what the request names, and how often it may ask."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain import claims
from remembrancer.domain.claims import ClaimNames
from remembrancer.domain.scope import Principal, RateLimit
from remembrancer.errors import Forbidden, NotFound, StoreError, TooManyRequests, Unauthenticated
from remembrancer.keys import fingerprint
from remembrancer.ports.identity import Agent, Credentials, Directory, RateLimits, Tokens

RATE_SECONDS = 0.01
"""What a rate may cost in time; a Redis that is slower is not waited for."""


class Presented(Protocol):
    """The part of a request that says who asks; header names are lower-case."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Among them `X-API-Key`, `Authorization` and `X-End-User-ID`."""
        ...

    @property
    def claims(self) -> Mapping[str, Any] | None:
        """What API Gateway's authorizer has verified."""
        ...


@dataclass(frozen=True, slots=True)
class Authenticator:
    """API keys, and tokens of the identity provider where the deployment names one.

    `trusts_gateway` means that claims in the event are verified; where they are not, the function is all who checks.
    `note` counts what operators have to know. A limit of 0 a second is none.
    """

    credentials: Credentials
    limits: RateLimits
    default_limit: RateLimit
    note: Callable[[str], None]
    tokens: Tokens | None = None
    trusts_gateway: bool = False
    claim_names: ClaimNames = field(default_factory=ClaimNames)
    user_required: bool = True

    async def authenticate(self, request: Presented, *, scope: str, end_user: str | None = None) -> Principal:
        """The principal of `X-API-Key`, else of the verified claims, else of `Authorization: Bearer`.

        It acts for `end_user`, `X-End-User-ID` or whom the token names; `*` is all end users. Raises Unauthenticated
        without a valid credential, Forbidden without `scope` or for an end user that the credential may not name,
        InvalidRequest when it demands one or two are named, TooManyRequests when its rate is used up.
        """
        principal = await self._principal(request)
        await self._limit(principal)
        principal.require(scope)
        header = _header_user(request)
        principal = principal.acting_for(header or end_user)
        return principal if end_user is None else principal.acting_for(end_user)

    def named_end_user(self, request: Presented) -> str | None:
        """Whom header or token name, before anybody has verified it: what is retrieved meanwhile is for this user only.

        Nothing is released unless `authenticate` then accepts the same credential for the same end user.
        """
        return _header_user(request) or self._token_user(request)

    def _token_user(self, request: Presented) -> str | None:
        if request.headers.get("x-api-key"):
            return None
        if self.trusts_gateway and request.claims:
            claimed: Mapping[str, Any] = request.claims
        elif self.tokens is not None and _is_token(token := _bearer(request)):
            claimed = self.tokens.claimed(token)
        else:
            return None
        user = claimed.get(self.claim_names.user)
        return user if isinstance(user, str) and user else None

    async def _principal(self, request: Presented) -> Principal:
        key = request.headers.get("x-api-key", "")
        if not key and self.trusts_gateway and request.claims:
            return self._of_claims(request.claims)
        bearer = _bearer(request)
        if not key and self.tokens is not None and _is_token(bearer):
            return self._of_claims(await self.tokens.verified(bearer))
        presented = key or bearer
        if not presented:
            raise Unauthenticated("Send an API key in the header X-API-Key.", code="missing_credential")
        principal = await self.credentials.resolve(fingerprint(presented))
        if principal is None:
            raise Unauthenticated("The API key is unknown or revoked.", code="invalid_credential")
        return principal

    def _of_claims(self, verified: Mapping[str, Any] | None) -> Principal:
        found = None
        if verified is not None:
            found = claims.principal(verified, self.claim_names, user_required=self.user_required)
        if found is None:
            raise Unauthenticated("The token is not valid here.", code="invalid_credential")
        return found

    async def _limit(self, principal: Principal) -> None:
        """Fails open: a rate that cannot be asked for refuses nobody."""
        try:
            limit = principal.limit or await self.credentials.limit(principal.org_id) or self.default_limit
            if limit.per_second <= 0:
                return
            async with asyncio.timeout(RATE_SECONDS):
                wait_s = await self.limits.take(principal.key_id, limit)
        except (StoreError, TimeoutError):
            self.note("RateLimitUnavailable")
            return
        if wait_s > 0:
            self.note("RateLimited")
            seconds = int(wait_s) + 1
            raise TooManyRequests(
                f"Too many requests; come again in {seconds} s.", headers={"retry-after": str(seconds)}
            )


async def require_agent(principal: Principal, agent_id: UUID, directory: Directory) -> Agent:
    """Raises NotFound for an agent that is not of the principal's project and environment, wherever else it may be."""
    agent = await directory.agent(principal.org_id, agent_id)
    if agent is None or (agent.project_id, agent.environment) != (principal.project_id, principal.environment):
        raise NotFound("There is no such agent.", code="agent_not_found")
    return agent


def require_organization(principal: Principal, org_id: UUID) -> None:
    """Raises Forbidden for any organization but the credential's own, whether it exists or not."""
    if principal.org_id != org_id:
        raise Forbidden("This key is not for that organization.", code="wrong_organization")


def require_unrestricted(principal: Principal, what: str) -> None:
    """Who may act for some end users only must not make what holds for others: 403."""
    if principal.end_users is not None or principal.user_is_fixed:
        raise Forbidden(f"This credential is for certain end users and cannot {what}.", code="forbidden")


def _header_user(request: Presented) -> str | None:
    return request.headers.get("x-end-user-id", "").strip() or None


def _bearer(request: Presented) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _is_token(text: str) -> bool:
    """Three parts; API keys have no dot."""
    return text.count(".") == 2
