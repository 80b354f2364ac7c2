"""Who asks: keys, scopes, end users, organizations and agents."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from uuid import UUID

import pytest

from remembrancer.domain.scope import Principal
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, Unauthenticated
from remembrancer.ports.identity import Agent, Organization
from remembrancer.usecases.authorise import authenticate, require_agent, require_organization
from tests.builders import AGENT_ID, ENVIRONMENT, ORG_ID, PROJECT_ID, principal

OTHER_ORG = UUID("0a000000-0000-4000-8000-000000000002")
KEY = "key-of-the-test"


class KnownKeys:
    """The Credentials port over a dictionary."""

    def __init__(self, keys: Mapping[str, Principal]) -> None:
        self._principals = {sha256(key.encode()).digest(): found for key, found in keys.items()}

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        return self._principals.get(key_sha256)


class OneAgent:
    """The Directory port with the agent of the builders, whatever the project that asks."""

    async def organization(self, org_id: UUID) -> Organization | None:
        return Organization(org_id, b"key", "english") if org_id == ORG_ID else None

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        known = (org_id, agent_id) == (ORG_ID, AGENT_ID)
        return Agent(AGENT_ID, PROJECT_ID, ENVIRONMENT, "Concierge") if known else None


async def ask(headers: Mapping[str, str], *, known: Principal | None = None, scope: str = "query") -> Principal:
    return await authenticate(headers, KnownKeys({KEY: known or principal()}), scope=scope)


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
