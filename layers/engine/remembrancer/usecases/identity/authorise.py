"""Resolves a credential to its principal, authorises the request, and applies rate limits."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from remembrancer.domain.identity import token_claims
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.agent_reference import AgentReference
from remembrancer.domain.identity.scope import Principal, RateLimit, named_by
from remembrancer.domain.identity.token_claims import ClaimNames
from remembrancer.domain.requests.similar_names import SimilarNames
from remembrancer.errors import Forbidden, NotFound, StoreError, TooManyRequests, Unauthenticated
from remembrancer.keys import PREFIX, fingerprint
from remembrancer.ports.identity import Credentials, Directory, RateLimits, Tokens
from remembrancer.ports.system import Clock
from remembrancer.usecases.identity.admission import Admission, too_many_requests

END_USER_HEADER = "X-End-User-ID"
RATE_SECONDS = 0.01
"""Most seconds for rate limiting; a slower Redis is not waited for."""
NAMING_SECONDS = 0.2
"""Most seconds for finding the name of an agent that was probably meant."""
LISTS_AGENTS = "query"
"""The scope of `GET /v1/agents`: without it, no name of an agent is told."""


class CredentialRequest(Protocol):
    """The credential's part of a request; header names are lower-case."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Headers, including `X-API-Key`, `Authorization` and `X-End-User-ID`."""
        ...

    @property
    def claims(self) -> Mapping[str, Any] | None:
        """Claims that API Gateway's authorizer has verified."""
        ...

    @property
    def address(self) -> str:
        """The client's address; empty when unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Authenticator:
    """Authenticates API keys, and the identity provider's tokens where the deployment names one.

    `trusts_gateway` means that claims in the event are verified; otherwise only the function checks them. `note` counts
    events for operators. `default_limit` is for organizations without a limit of their own; 0 per second means no
    limit.
    """

    credentials: Credentials
    limits: RateLimits
    default_limit: RateLimit
    note: Callable[[str], None]
    clock: Clock
    admission: Admission
    tokens: Tokens | None = None
    trusts_gateway: bool = False
    claim_names: ClaimNames = field(default_factory=ClaimNames)

    async def authenticate(self, request: CredentialRequest, *, scope: str, end_user: str | None = None) -> Principal:
        """The principal from `identify`, acting for `end_user`, or for the end user named by `X-End-User-ID` or the
        token.

        `*` means all end users. Raises like `identify`; Forbidden for an end user that the credential may not name,
        InvalidRequest when it requires one, or when two are named.
        """
        principal = await self.identify(request, scope=scope)
        named = named_end_user(request)
        principal = principal.acting_for(end_user if named is None else named)
        return principal if end_user is None else principal.acting_for(end_user)

    async def identify(self, request: CredentialRequest, *, scope: str) -> Principal:
        """The principal of `X-API-Key`, else of the verified claims, else of `Authorization: Bearer`.

        Raises Unauthenticated without a valid credential, Forbidden without `scope`, TooManyRequests when the rate
        limit of the credential or of its address is exceeded; StoreError when the credential cannot be checked.
        """
        principal = await self._principal(request)
        await self._limit(principal)
        principal.require(scope)
        return principal

    def recognise(self, request: CredentialRequest) -> Principal | None:
        """The credential's principal as last accepted by this instance, without I/O.

        None for a credential that has to be checked before any work, for instance since its rate limit was exceeded a
        moment ago. No data may be returned for it before `identify` has accepted it again. Raises like `identify` for
        credentials known to be refused.
        """
        verified = self._verified_by_gateway(request)
        if verified is not None:
            found: Principal | None = self._of_claims(verified)
        else:
            presented = _presented(request)
            known = fingerprint(presented)
            self._admit(known, presented, request)
            found = self.admission.accepted(known)
        if found is None or found.is_expired(self.clock.now()) or self.admission.is_throttled(found.key_id):
            return None
        return found

    async def _principal(self, request: CredentialRequest) -> Principal:
        verified = self._verified_by_gateway(request)
        if verified is not None:
            return self._of_claims(verified)
        presented = _presented(request)
        known = fingerprint(presented)
        self._admit(known, presented, request)
        if self._is_token(presented, request):
            assert self.tokens
            return await self._of_token(self.tokens, presented, request)
        principal = await self.credentials.resolve(known)
        if principal is None or principal.is_expired(self.clock.now()):
            self.admission.refuse(known, request.address, is_unknown=True)
            raise _unknown_key(presented)
        self.admission.accept(known, principal)
        return principal

    def _admit(self, known: bytes, presented: str, request: CredentialRequest) -> None:
        """Refuses without a lookup: an address with too many refusals, and a key that cannot exist or was not found
        recently.
        """
        try:
            self.admission.require_patience(known, request.address)
        except TooManyRequests:
            self.note("AddressLimited")
            raise
        if self._is_token(presented, request):
            return
        if self.admission.is_unknown(known) or not _KEY.fullmatch(presented):
            self.admission.refuse(known, request.address, is_unknown=True)
            raise _unknown_key(presented)

    def _verified_by_gateway(self, request: CredentialRequest) -> Mapping[str, Any] | None:
        if request.headers.get("x-api-key") or not self.trusts_gateway:
            return None
        return request.claims or None

    def _is_token(self, presented: str, request: CredentialRequest) -> bool:
        """Whether it has the three parts of a JWT; API keys contain no dot."""
        return self.tokens is not None and not request.headers.get("x-api-key") and presented.count(".") == 2

    async def _of_token(self, tokens: Tokens, token: str, request: CredentialRequest) -> Principal:
        known = fingerprint(token)
        try:
            principal = self._of_claims(await tokens.verified(token))
        except Unauthenticated:
            # Not cached: the provider may have a key that was not fetched yet.
            self.admission.refuse(known, request.address, is_unknown=False)
            raise
        self.admission.accept(known, principal)
        return principal

    def _of_claims(self, verified: Mapping[str, Any] | None) -> Principal:
        found = None
        if verified is not None:
            found = token_claims.principal(verified, self.claim_names)
        if found is None:
            raise Unauthenticated("The token is not valid for this service.", code="invalid_credential")
        return found

    async def _limit(self, principal: Principal) -> None:
        """Takes a token from the organization's and from the credential's bucket; refuses no request when that
        fails.
        """
        try:
            shared = await self.credentials.limit(principal.org_id) or self.default_limit
            limits = {principal.org_id: shared, principal.key_id: principal.limit}
            buckets = {owner: limit for owner, limit in limits.items() if limit and limit.per_second > 0}
            if not buckets:
                return
            async with asyncio.timeout(RATE_SECONDS):
                wait_s = await self.limits.take(principal.org_id, buckets)
        except (StoreError, TimeoutError):
            self.note("RateLimitUnavailable")
            return
        if wait_s > 0:
            self.note("RateLimited")
            self.admission.throttle(principal.key_id)
            raise too_many_requests(wait_s)


def named_end_user(request: CredentialRequest) -> str | None:
    """The end user in the header `X-End-User-ID`, None without it; InvalidRequest for an invalid name."""
    written = request.headers.get(END_USER_HEADER.lower())
    return None if written is None else named_by(END_USER_HEADER, written)


async def require_agent(
    principal: Principal, reference: AgentReference, directory: Directory, *, naming_seconds: float = NAMING_SECONDS
) -> Agent:
    """Raises NotFound for an agent outside the principal's project and environment, whether or not it exists
    elsewhere. It names the most similar agent, if the principal may list agents and the store answers in time.
    """
    if isinstance(reference, str):
        agent = await directory.agent_named(principal, reference)
    else:
        agent = await directory.agent(principal.org_id, reference)
    if agent is not None and (agent.project_id, agent.environment) == (principal.project_id, principal.environment):
        return agent
    meant = None
    if isinstance(reference, str) and principal.may(LISTS_AGENTS):
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(naming_seconds):
                meant = SimilarNames.of(await directory.names_like(principal, reference)).nearest(reference)
    hint = f" Did you mean '{meant}'?" if meant else ""
    raise NotFound(f"There is no such agent.{hint}", code="agent_not_found")


def require_organization(principal: Principal, org_id: UUID) -> None:
    """Raises Forbidden for any other organization, whether it exists or not."""
    if principal.org_id != org_id:
        raise Forbidden("The credential belongs to another organization.", code="wrong_organization")


def require_unrestricted(principal: Principal, what: str) -> None:
    """Raises Forbidden for a credential that always acts for an end user: it must not change shared data."""
    if principal.is_restricted:
        raise Forbidden(f"This credential acts for certain end users and cannot {what}.", code="forbidden")


def require_everybody(principal: Principal, what: str) -> None:
    """Raises Forbidden unless the request is for all end users: naming one, or none, does not mean everybody."""
    if not principal.end_user.is_all:
        raise Forbidden(f"{what} is about all end users: send the header X-End-User-ID: *", code="forbidden")


def _presented(request: CredentialRequest) -> str:
    """The credential of the request; Unauthenticated when there is none."""
    authorization = request.headers.get("authorization", "").strip()
    kind, _, bearer = authorization.partition(" ")
    presented = request.headers.get("x-api-key") or (bearer.strip() if kind.lower() == "bearer" else "")
    if presented:
        return presented
    message = "Send an API key in the header X-API-Key."
    if kind.lower() == "bearer" or not authorization:
        raise Unauthenticated(message, code="missing_credential")
    raise Unauthenticated(
        f"{message} In the header Authorization, write Bearer and a space before the key.", code="missing_credential"
    )


def _unknown_key(presented: str) -> Unauthenticated:
    """Names what is wrong with the key's form, without a part of the key."""
    problem = next((problem for form, problem in _WRONG_FORMS if form.search(presented)), None)
    message = f"The API key {problem}." if problem else "The API key is unknown, revoked or expired."
    return Unauthenticated(message, code="invalid_credential")


_WRONG_FORMS = (
    (re.compile(r"^['\"\u2018-\u201f`]|['\"\u2018-\u201f`]$"), "has quotation marks around it: send it without them"),
    (re.compile(r"^bearer\b", re.IGNORECASE), 'begins with "Bearer": send the key alone'),
    (re.compile(r"^[$%{<]"), "is a placeholder: put the key itself in its place"),
    (re.compile(r"[^!-~]"), "contains blanks or characters that no key has"),
    (re.compile(rf"^(?!{PREFIX})"), f"is not one of this service: its keys begin with {PREFIX}"),
)
"""What keys look like when they were copied or configured wrongly, the first that fits."""
_KEY = re.compile("[!-~]{1,256}")
