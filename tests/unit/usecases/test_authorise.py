"""Who asks: keys, scopes, end users, organizations and agents."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from remembrancer.domain.scope import Principal, RateLimit
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, StoreUnavailable, TooManyRequests, Unauthenticated
from remembrancer.ports.identity import Agent, Organization
from remembrancer.usecases.authorise import Authenticator, require_agent, require_organization
from tests.builders import AGENT_ID, ENVIRONMENT, ORG_ID, PROJECT_ID, principal

OTHER_ORG = UUID("0a000000-0000-4000-8000-000000000002")
KEY = "key-of-the-test"


class KnownKeys:
    """The Credentials port over a dictionary."""

    def __init__(self, keys: Mapping[str, Principal]) -> None:
        self._principals = {sha256(key.encode()).digest(): found for key, found in keys.items()}

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        return self._principals.get(key_sha256)

    async def limit(self, org_id: UUID) -> RateLimit | None:
        return ORGANIZATION_LIMITS.get(org_id)


class Bucket:
    """The RateLimits port with an answer, or without one."""

    def __init__(self, wait_s: float = 0.0, fault: str = "") -> None:
        self.asked: list[tuple[UUID, RateLimit]] = []
        self._wait_s = wait_s
        self._fault = fault

    async def take(self, key_id: UUID, limit: RateLimit) -> float:
        self.asked.append((key_id, limit))
        if self._fault == "hangs":
            await asyncio.Event().wait()
        if self._fault:
            raise StoreUnavailable("gone", cause="ConnectionError")
        return self._wait_s


class KnownTokens:
    """The Tokens port over a dictionary; what is known is valid."""

    def __init__(self, tokens: Mapping[str, Mapping[str, Any]]) -> None:
        self._tokens = tokens

    async def verified(self, token: str) -> Mapping[str, Any] | None:
        return self._tokens.get(token)

    def claimed(self, token: str) -> Mapping[str, Any]:
        return self._tokens.get(token, {"sub": "forged"})


@dataclass(frozen=True)
class Asking:
    headers: Mapping[str, str]
    claims: Mapping[str, Any] | None = None


ORGANIZATION_LIMITS: dict[UUID, RateLimit] = {}
CLAIMS = {
    "iss": "https://issuer.example",
    "sub": "anna",
    "org_id": str(ORG_ID),
    "project_id": PROJECT_ID,
    "environment": ENVIRONMENT,
    "scope": "openid query write",
}
TOKEN = "a.b.c"


class OneAgent:
    """The Directory port with the agent of the builders, whatever the project that asks."""

    async def organization(self, org_id: UUID) -> Organization | None:
        return Organization(org_id, b"key", "english") if org_id == ORG_ID else None

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        known = (org_id, agent_id) == (ORG_ID, AGENT_ID)
        return Agent(AGENT_ID, PROJECT_ID, ENVIRONMENT, "Concierge") if known else None


async def ask(headers: Mapping[str, str], *, known: Principal | None = None, scope: str = "query") -> Principal:
    keys = KnownKeys({KEY: known or principal()})
    return await authenticator(credentials=keys).authenticate(Asking(headers), scope=scope)


def authenticator(**changes: Any) -> Authenticator:
    parts: dict[str, Any] = {
        "credentials": KnownKeys({KEY: principal()}),
        "limits": Bucket(),
        "default_limit": RateLimit(100, 200),
        "note": lambda name: None,
        "tokens": KnownTokens({TOKEN: CLAIMS}),
    }
    return Authenticator(**{**parts, **changes})


@pytest.mark.parametrize(
    "headers",
    [
        {"x-api-key": KEY},
        {"authorization": f"Bearer {KEY}"},
        {"authorization": f"bearer  {KEY} "},
        {"x-api-key": KEY, "authorization": "Bearer another"},
        {"x-api-key": "", "authorization": f"Bearer {KEY}"},
        {"x-api-key": KEY, "authorization": "Basic dXNlcjpwYXNz"},
    ],
)
async def test_a_key_comes_in_either_header(headers: dict[str, str]) -> None:
    assert await ask(headers) == principal()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-api-key": ""},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": KEY},
        {"authorization": f"Basic {KEY}"},
    ],
)
async def test_a_request_without_a_key_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Unauthenticated) as refused:
        await ask(headers)

    assert (refused.value.status, refused.value.code) == (401, "missing_credential")


@pytest.mark.parametrize("key", ["another", KEY.upper(), f"{KEY} x", "ключ", "\ud800"])
async def test_an_unknown_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(Unauthenticated) as refused:
        await ask({"x-api-key": key})

    assert (refused.value.status, refused.value.code) == (401, "invalid_credential")
    assert key not in refused.value.message


async def test_a_key_without_the_scope_is_refused() -> None:
    with pytest.raises(Forbidden) as refused:
        await ask({"x-api-key": KEY}, known=principal(scopes=frozenset({"query"})), scope="write")

    assert refused.value.code == "missing_scope"


async def test_the_end_user_comes_from_its_header() -> None:
    assert (await ask({"x-api-key": KEY, "x-end-user-id": " anna "})).user_id == "anna"


async def test_an_end_user_that_the_key_may_not_name_is_refused() -> None:
    with pytest.raises(Forbidden) as refused:
        await ask({"x-api-key": KEY, "x-end-user-id": "ben"}, known=principal(end_users=("anna",)))

    assert refused.value.code == "end_user_not_allowed"


@pytest.mark.parametrize("headers", [{}, {"x-end-user-id": ""}, {"x-end-user-id": "  "}])
async def test_a_key_that_demands_an_end_user_is_refused_without_one(headers: dict[str, str]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await ask({"x-api-key": KEY, **headers}, known=principal(end_user_required=True))

    assert (refused.value.status, refused.value.code) == (400, "missing_end_user")


async def test_an_agent_of_the_own_project_is_found() -> None:
    assert (await require_agent(principal(), AGENT_ID, OneAgent())).agent_id == AGENT_ID


@pytest.mark.parametrize(
    "asking",
    [
        principal(org_id=OTHER_ORG),
        principal(project_id="proj_other"),
        principal(environment="staging"),
        replace(principal(scopes=frozenset({"admin"})), environment="staging"),
    ],
    ids=["organization", "project", "environment", "environment of an admin"],
)
async def test_an_agent_of_another_place_does_not_exist(asking: Principal) -> None:
    with pytest.raises(NotFound) as refused:
        await require_agent(asking, AGENT_ID, OneAgent())

    assert refused.value.code == "agent_not_found"


async def test_an_agent_of_another_place_and_one_of_none_are_refused_alike() -> None:
    messages = set()
    for asking, agent_id in ((principal(environment="staging"), AGENT_ID), (principal(), UUID(int=1))):
        with pytest.raises(NotFound) as refused:
            await require_agent(asking, agent_id, OneAgent())
        messages.add((refused.value.message, refused.value.code))

    assert len(messages) == 1


def test_the_own_organization_is_allowed() -> None:
    require_organization(principal(), ORG_ID)


def test_another_organization_is_forbidden() -> None:
    with pytest.raises(Forbidden) as refused:
        require_organization(principal(), OTHER_ORG)

    assert (refused.value.status, refused.value.code) == (403, "wrong_organization")


def bearer(token: str, **headers: str) -> Asking:
    return Asking({"authorization": f"Bearer {token}", **headers})


async def test_a_token_says_who_asks_and_for_whom() -> None:
    found = await authenticator().authenticate(bearer(TOKEN), scope="write")

    assert (found.org_id, found.project_id, found.environment) == (ORG_ID, PROJECT_ID, ENVIRONMENT)
    assert found.user_id == "anna"
    assert found.scopes == {"query", "write"}


@pytest.mark.parametrize("token", ["d.e.f", "..", f"{TOKEN}x"])
async def test_a_token_that_is_not_valid_is_refused(token: str) -> None:
    with pytest.raises(Unauthenticated) as refused:
        await authenticator().authenticate(bearer(token), scope="query")

    assert refused.value.code == "invalid_credential"


async def test_a_token_names_nobody_but_its_own_end_user() -> None:
    own = await authenticator().authenticate(bearer(TOKEN, **{"x-end-user-id": "anna"}), scope="query")
    with pytest.raises(Forbidden) as in_header:
        await authenticator().authenticate(bearer(TOKEN, **{"x-end-user-id": "ben"}), scope="query")
    with pytest.raises(Forbidden) as in_body:
        await authenticator().authenticate(bearer(TOKEN), scope="query", end_user="ben")

    assert own.user_id == "anna"
    assert in_header.value.code == in_body.value.code == "end_user_not_allowed"


async def test_an_end_user_called_star_is_no_pattern() -> None:
    asked = authenticator(tokens=KnownTokens({TOKEN: {**CLAIMS, "sub": "*"}}))

    with pytest.raises(Unauthenticated):
        await asked.authenticate(bearer(TOKEN), scope="query")


async def test_a_key_beside_a_token_decides() -> None:
    found = await authenticator().authenticate(bearer(TOKEN, **{"x-api-key": KEY}), scope="query")

    assert found == principal()


async def test_without_an_issuer_a_token_is_an_unknown_key() -> None:
    with pytest.raises(Unauthenticated):
        await authenticator(tokens=None).authenticate(bearer(TOKEN), scope="query")


async def test_the_gateways_claims_are_believed_only_where_the_deployment_says_so() -> None:
    asking = Asking({}, CLAIMS)

    believed = await authenticator(tokens=None, trusts_gateway=True).authenticate(asking, scope="query")
    with pytest.raises(Unauthenticated) as refused:
        await authenticator(tokens=None).authenticate(asking, scope="query")

    assert believed.user_id == "anna"
    assert refused.value.code == "missing_credential"


async def test_the_end_user_of_a_token_is_known_before_anybody_has_verified_it() -> None:
    asked = authenticator()

    assert asked.named_end_user(bearer(TOKEN)) == "anna"
    assert asked.named_end_user(bearer(TOKEN, **{"x-end-user-id": "ben"})) == "ben"
    assert asked.named_end_user(bearer("forged.to.ken")) == "forged"
    assert asked.named_end_user(bearer(TOKEN, **{"x-api-key": KEY})) is None
    assert authenticator(tokens=None).named_end_user(bearer(TOKEN)) is None
    assert authenticator(trusts_gateway=True).named_end_user(Asking({}, CLAIMS)) == "anna"
    assert authenticator().named_end_user(Asking({}, CLAIMS)) is None


async def test_a_credential_whose_rate_is_used_up_is_told_when_to_come_again() -> None:
    noted: list[str] = []
    asked = authenticator(limits=Bucket(wait_s=2.3), note=noted.append)

    with pytest.raises(TooManyRequests) as refused:
        await asked.authenticate(Asking({"x-api-key": KEY}), scope="query")

    assert (refused.value.status, refused.value.headers) == (429, {"retry-after": "3"})
    assert noted == ["RateLimited"]


@pytest.mark.parametrize("fault", ["breaks", "hangs"])
async def test_a_rate_that_cannot_be_asked_for_refuses_nobody_and_is_counted(fault: str) -> None:
    noted: list[str] = []
    asked = authenticator(limits=Bucket(wait_s=9.0, fault=fault), note=noted.append)

    assert await asked.authenticate(Asking({"x-api-key": KEY}), scope="query") == principal()
    assert noted == ["RateLimitUnavailable"]


@pytest.mark.parametrize(
    ("of_key", "of_organization", "used"),
    [
        (RateLimit(1, 2), RateLimit(3, 4), RateLimit(1, 2)),
        (None, RateLimit(3, 4), RateLimit(3, 4)),
        (None, None, RateLimit(100, 200)),
        (RateLimit(0, 1), RateLimit(3, 4), None),
    ],
    ids=["the key's", "the organization's", "the deployment's", "none"],
)
async def test_whose_limit_counts(
    of_key: RateLimit | None,
    of_organization: RateLimit | None,
    used: RateLimit | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bucket = Bucket()
    known = principal(limit=of_key)
    if of_organization:
        monkeypatch.setitem(ORGANIZATION_LIMITS, ORG_ID, of_organization)

    await authenticator(credentials=KnownKeys({KEY: known}), limits=bucket).authenticate(
        Asking({"x-api-key": KEY}), scope="query"
    )

    assert bucket.asked == ([(known.key_id, used)] if used else [])


async def test_two_end_users_of_one_issuer_have_rates_of_their_own() -> None:
    bucket = Bucket()
    tokens = KnownTokens({TOKEN: CLAIMS, "d.e.f": {**CLAIMS, "sub": "ben"}})

    for token in (TOKEN, "d.e.f", TOKEN):
        await authenticator(tokens=tokens, limits=bucket).authenticate(bearer(token), scope="query")

    first, second, third = (key_id for key_id, _ in bucket.asked)
    assert first == third != second
