"""Who asks: keys, scopes, end users, organizations and agents."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.domain.identity.token_claims import ClaimNames
from remembrancer.errors import (
    Forbidden,
    InvalidRequest,
    NotFound,
    RequestError,
    StoreUnavailable,
    TooManyRequests,
    Unauthenticated,
)
from remembrancer.usecases.identity.admission import ACCEPTED_SECONDS, THROTTLED_SECONDS, UNKNOWN_SECONDS, Admission
from remembrancer.usecases.identity.authorise import Authenticator, require_agent, require_organization
from tests.builders import AGENT_ID, ENVIRONMENT, KEY_ID, NOW, ORG_ID, PROJECT_ID, SetClock, principal

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
        self.asked: list[dict[UUID, RateLimit]] = []
        self.wait_s = wait_s
        self._fault = fault

    async def take(self, org_id: UUID, buckets: Mapping[UUID, RateLimit]) -> float:
        self.asked.append(dict(buckets))
        if self._fault == "hangs":
            await asyncio.Event().wait()
        if self._fault:
            raise StoreUnavailable("gone", cause="ConnectionError")
        return self.wait_s


class KnownTokens:
    """The Tokens port over a dictionary; what is known is valid."""

    def __init__(self, tokens: Mapping[str, Mapping[str, Any]]) -> None:
        self._tokens = tokens

    async def verified(self, token: str) -> Mapping[str, Any] | None:
        return self._tokens.get(token)


@dataclass(frozen=True)
class Asking:
    headers: Mapping[str, str]
    claims: Mapping[str, Any] | None = None
    address: str = "203.0.113.7"


ORGANIZATION_LIMITS: dict[UUID, RateLimit] = {}
CLAIMS = {
    "exp": 4_000_000_000,
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
        return Organization(org_id, b"key") if org_id == ORG_ID else None

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        known = (org_id, agent_id) == (ORG_ID, AGENT_ID)
        return Agent(AGENT_ID, PROJECT_ID, ENVIRONMENT, "Concierge") if known else None

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        known = (principal.org_id, name) == (ORG_ID, "Concierge")
        return Agent(AGENT_ID, PROJECT_ID, ENVIRONMENT, "Concierge") if known else None

    async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
        return ["Concierge"]

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        return None

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        return None


async def ask(
    headers: Mapping[str, str], *, known: Principal | None = None, scope: str = "query", end_user: str | None = None
) -> Principal:
    keys = KnownKeys({KEY: known or principal()})
    return await authenticator(credentials=keys).authenticate(Asking(headers), scope=scope, end_user=end_user)


def authenticator(**changes: Any) -> Authenticator:
    parts: dict[str, Any] = {
        "credentials": KnownKeys({KEY: principal()}),
        "limits": Bucket(),
        "default_limit": RateLimit(100, 200),
        "note": lambda name: None,
        "clock": SystemClock(),
        "admission": Admission(SystemClock(), RateLimit(0, 1)),
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


async def test_a_key_that_demands_an_end_user_is_refused_without_one() -> None:
    with pytest.raises(InvalidRequest) as refused:
        await ask({"x-api-key": KEY}, known=principal(end_user_required=True))

    assert (refused.value.status, refused.value.code) == (400, "missing_end_user")


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize(
    "blank", ["", "  ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2800", "\u3164", "\u00ad \u2060"]
)
async def test_a_blank_end_user_in_the_header_or_the_query_is_refused(blank: str, required: bool) -> None:
    known = principal(end_user_required=required)
    with pytest.raises(InvalidRequest) as in_header:
        await ask({"x-api-key": KEY, "x-end-user-id": blank}, known=known)
    with pytest.raises(InvalidRequest) as in_query:
        await ask({"x-api-key": KEY}, known=known, end_user=blank)

    assert "must not be blank" in in_header.value.fields["X-End-User-ID"]
    assert "must not be blank" in in_query.value.fields["user_id"]


async def test_one_end_user_in_two_forms_is_one_end_user() -> None:
    found = await ask({"x-api-key": KEY, "x-end-user-id": "Noe\u0308l"}, end_user="No\u00ebl ")

    assert found.user_id == "No\u00ebl"


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


@pytest.mark.parametrize(
    ("scopes", "name", "told"),
    [
        ({"query"}, "concierge", " Did you mean 'Concierge'?"),
        ({"admin"}, "Consierge", " Did you mean 'Concierge'?"),
        ({"query"}, "Butler", ""),
        ({"assemble", "write", "all_users"}, "concierge", ""),
    ],
)
async def test_a_similar_name_is_told_to_those_who_may_list_agents(scopes: set[str], name: str, told: str) -> None:
    with pytest.raises(NotFound) as refused:
        await require_agent(principal(scopes=frozenset(scopes)), name, OneAgent())

    assert refused.value.message == f"There is no such agent.{told}"


async def test_a_store_that_does_not_tell_names_in_time_leaves_the_refusal_as_it_is() -> None:
    class Slow(OneAgent):
        async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
            await asyncio.Event().wait()
            return []

    with pytest.raises(NotFound) as refused:
        await require_agent(principal(scopes=frozenset({"query"})), "concierge", Slow(), naming_seconds=0.01)

    assert refused.value.message == "There is no such agent."


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

    assert own.user_id == "anna"
    assert in_header.value.code == "end_user_not_allowed"


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
    ("of_key", "of_organization", "of_deployment", "asked"),
    [
        (RateLimit(1, 2), RateLimit(3, 4), RateLimit(100, 200), {ORG_ID: RateLimit(3, 4), KEY_ID: RateLimit(1, 2)}),
        (None, RateLimit(3, 4), RateLimit(100, 200), {ORG_ID: RateLimit(3, 4)}),
        (None, None, RateLimit(100, 200), {ORG_ID: RateLimit(100, 200)}),
        (RateLimit(0, 1), RateLimit(3, 4), RateLimit(100, 200), {ORG_ID: RateLimit(3, 4)}),
        (RateLimit(9, 9), None, RateLimit(5, 5), {ORG_ID: RateLimit(5, 5), KEY_ID: RateLimit(9, 9)}),
        (RateLimit(1, 2), RateLimit(0, 1), RateLimit(100, 200), {KEY_ID: RateLimit(1, 2)}),
        (None, None, RateLimit(0, 1), None),
    ],
    ids=["both", "the organization's", "the deployment's", "a key without", "a higher key", "the key's alone", "none"],
)
async def test_an_organizations_bucket_counts_whatever_its_keys_say(
    of_key: RateLimit | None,
    of_organization: RateLimit | None,
    of_deployment: RateLimit,
    asked: dict[UUID, RateLimit] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bucket = Bucket()
    known = principal(limit=of_key)
    if of_organization:
        monkeypatch.setitem(ORGANIZATION_LIMITS, ORG_ID, of_organization)

    await authenticator(credentials=KnownKeys({KEY: known}), limits=bucket, default_limit=of_deployment).authenticate(
        Asking({"x-api-key": KEY}), scope="query"
    )

    assert bucket.asked == ([asked] if asked else [])


async def test_two_end_users_of_one_issuer_share_their_organizations_bucket() -> None:
    bucket = Bucket()
    tokens = KnownTokens({TOKEN: CLAIMS, "d.e.f": {**CLAIMS, "sub": "ben"}})

    for token in (TOKEN, "d.e.f"):
        await authenticator(tokens=tokens, limits=bucket).authenticate(bearer(token), scope="query")

    assert bucket.asked == [{ORG_ID: RateLimit(100, 200)}] * 2


class Counting(KnownKeys):
    """How often it was asked for a key."""

    asked = 0

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        self.asked += 1
        return await super().resolve(key_sha256)


async def refusal_of(asked: Authenticator, key: str, address: str = "203.0.113.7") -> RequestError:
    with pytest.raises(RequestError) as refused:
        await asked.authenticate(Asking({"x-api-key": key}, address=address), scope="query")
    return refused.value


async def test_an_unknown_key_is_looked_for_once_a_minute() -> None:
    keys, clock = Counting({KEY: principal()}), SetClock()
    asked = authenticator(credentials=keys, clock=clock, admission=Admission(clock, RateLimit(0, 1)))

    refusals = [await refusal_of(asked, "rk_made-up") for _ in range(3)]
    looked = keys.asked
    clock.seconds += UNKNOWN_SECONDS + 0.1
    again = await refusal_of(asked, "rk_made-up")

    assert {(one.status, one.code, one.message) for one in [*refusals, again]} == {
        (401, "invalid_credential", "The API key is unknown, revoked or expired.")
    }
    assert (looked, keys.asked) == (1, 2)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ('"rk_secret"', "quotation marks"),
        ("'rk_secret'", "quotation marks"),
        ("\u201crk_secret\u201d", "quotation marks"),
        ("Bearer rk_secret", 'begins with "Bearer"'),
        ("$REMEMBRANCER_KEY_secret", "placeholder"),
        ("rk_secret rk_secret", "blanks"),
        ("sk-secret", "begin with rk_"),
        ("rk_secret", "unknown, revoked or expired"),
    ],
)
async def test_a_key_in_a_wrong_form_is_told_what_is_wrong_and_not_echoed(key: str, told: str) -> None:
    refused = await refusal_of(authenticator(credentials=Counting({})), key)

    assert (refused.status, refused.code) == (401, "invalid_credential")
    assert told in refused.message
    assert "secret" not in refused.message


@pytest.mark.parametrize("key", ["x" * 257, "two words", "tab\tbed", "ключ", "nul\0"])
async def test_what_cannot_be_a_key_is_refused_without_a_look(key: str) -> None:
    keys = Counting({})

    refused = await refusal_of(authenticator(credentials=keys), key)

    assert (refused.status, refused.code) == (401, "invalid_credential")
    assert keys.asked == 0


async def test_an_address_with_too_many_unknown_keys_is_told_to_wait_before_any_look() -> None:
    noted: list[str] = []
    keys, clock = Counting({KEY: principal()}), SetClock()
    asked = authenticator(
        credentials=keys, clock=clock, admission=Admission(clock, RateLimit(0.5, 3)), note=noted.append
    )

    first = [await refusal_of(asked, f"made-up-{number}") for number in range(3)]
    limited = [await refusal_of(asked, key) for key in ("made-up-4", "made-up-0", KEY)]
    elsewhere = await refusal_of(asked, "made-up-5", "203.0.113.8")
    looked = keys.asked
    clock.seconds += 2.0
    later = await refusal_of(asked, "made-up-6")

    assert [one.status for one in first] == [401] * 3
    assert [(one.status, one.headers) for one in limited] == [(429, {"retry-after": "2"})] * 3
    assert (elsewhere.status, looked) == (401, 4)
    assert (later.status, noted) == (401, ["AddressLimited"] * 3)


async def test_a_key_that_was_accepted_lately_is_let_in_beside_made_up_ones_of_its_address() -> None:
    clock = SetClock()
    asked = authenticator(clock=clock, admission=Admission(clock, RateLimit(0.001, 1)))
    request = Asking({"x-api-key": KEY})

    before = asked.recognise(request)
    found = await asked.authenticate(request, scope="query")
    await refusal_of(asked, "made-up")
    limited = await refusal_of(asked, "made-up-2")

    assert before is None
    assert limited.status == 429
    assert await asked.authenticate(request, scope="query") == asked.recognise(request) == found
    clock.seconds += ACCEPTED_SECONDS + 0.1
    assert (await refusal_of(asked, KEY)).status == 429


async def test_a_key_whose_rate_is_used_up_is_checked_before_anything_is_done_for_it() -> None:
    clock, bucket = SetClock(), Bucket()
    asked = authenticator(limits=bucket, clock=clock, admission=Admission(clock, RateLimit(0, 1)))
    request = Asking({"x-api-key": KEY})
    found = await asked.authenticate(request, scope="query")

    bucket.wait_s = 1.0
    before = asked.recognise(request)
    limited = await refusal_of(asked, KEY)
    after = asked.recognise(request)
    clock.seconds += THROTTLED_SECONDS + 0.1

    assert (before, limited.status, after) == (found, 429, None)
    assert asked.recognise(request) == found


async def test_a_key_that_is_refused_is_no_longer_recognised() -> None:
    keys = KnownKeys({KEY: principal()})
    asked = authenticator(credentials=keys)
    request = Asking({"x-api-key": KEY})
    await asked.authenticate(request, scope="query")

    keys._principals.clear()
    await refusal_of(asked, KEY)

    with pytest.raises(Unauthenticated):
        asked.recognise(request)


async def test_a_key_ends_at_its_moment_whoever_still_knows_it() -> None:
    clock = SetClock()
    known = principal(expires_at=NOW + timedelta(seconds=5))
    asked = authenticator(credentials=KnownKeys({KEY: known}), clock=clock)
    request = Asking({"x-api-key": KEY})

    before = await asked.authenticate(request, scope="query")
    clock.seconds += 5
    recognised = asked.recognise(request)
    refused = await refusal_of(asked, KEY)

    assert (before, recognised) == (known, None)
    assert (refused.status, refused.code) == (401, "invalid_credential")


async def test_a_token_that_is_refused_may_be_valid_a_moment_later() -> None:
    known: dict[str, Mapping[str, Any]] = {}
    asked = authenticator(tokens=KnownTokens(known))

    with pytest.raises(Unauthenticated):
        await asked.authenticate(bearer(TOKEN), scope="query")
    known[TOKEN] = CLAIMS

    assert (await asked.authenticate(bearer(TOKEN), scope="query")).user_id == "anna"


@pytest.mark.parametrize("name", ["x" * 257, "a" * 7800, "nul\0"])
async def test_an_end_user_that_nobody_can_be_called_is_a_400_that_names_the_header(name: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        await ask({"x-api-key": KEY, "x-end-user-id": name})

    assert refused.value.fields.keys() == {"X-End-User-ID"}


@pytest.mark.parametrize("name", ["x" * 257, "", "nul\0", 7, ["anna"]])
async def test_a_token_that_names_what_cannot_be_an_end_user_is_no_service(name: object) -> None:
    asked = authenticator(
        tokens=KnownTokens({TOKEN: {**CLAIMS, "sub": name}}), claim_names=ClaimNames(user_is_optional=True)
    )

    with pytest.raises(Unauthenticated):
        await asked.authenticate(bearer(TOKEN), scope="query")
