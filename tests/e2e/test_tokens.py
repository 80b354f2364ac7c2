"""Tokens through the front door: whose they are is who asks, on every function."""

from typing import Any
from uuid import uuid4

import pytest

from tests import patience
from tests.e2e.conftest import PROJECT, Tenant
from tests.identity_provider import IdentityProvider


def claims(tenant: Tenant, **changes: Any) -> dict[str, Any]:
    place = {"org_id": tenant.org_id, "project_id": PROJECT, "environment": "production"}
    return {**place, "sub": "ada", "scope": "assemble query write", **changes}


def holding(tenant: Tenant, token: str) -> Tenant:
    """The same tenant, asked with a token in place of the key."""
    client = patience.client(tenant.stack, {"Authorization": f"Bearer {token}"})
    return Tenant(client, tenant.org_id, tenant.agent_id, tenant.stack, tenant.loop)


@pytest.mark.parametrize("kid", ["rsa-1", "ec-1"])
def test_a_token_opens_every_function_for_its_own_end_user(
    tenant: Tenant, provider: IdentityProvider, kid: str
) -> None:
    tenant.remember("Ada likes her coffee black", user_id="ada")
    tenant.remember("Ben likes his coffee with milk", user_id="ben")
    ada = holding(tenant, provider.token(kid, **claims(tenant)))

    with ada.client:
        assembled = ada.assemble("How does somebody like coffee?", options={"explain": True}).json()
        found = ada.query("coffee", computation_tier="high").json()["memories"]
        listed = ada.client.get("/v1/memories", params={"agent_id": ada.agent_id}).json()["memories"]

    assert {candidate["user_id"] for candidate in assembled["metadata"]["candidates"]} == {"ada"}
    assert assembled["metadata"]["memories_injected"] == 1
    assert [memory["user_id"] for memory in found] == ["ada"]
    assert [memory["user_id"] for memory in listed] == ["ada"]


def test_a_token_is_for_no_other_user_and_no_other_organization(tenant: Tenant, provider: IdentityProvider) -> None:
    ada = holding(tenant, provider.token(**claims(tenant)))

    with ada.client:
        other_user = ada.assemble("x", user_id="ben")
        other_header = ada.client.post("/memory/query", json={"query": "x"}, headers={"X-End-User-ID": "ben"})
        other_organization = ada.assemble("x", org_id=str(uuid4()))

    assert (other_user.status_code, other_header.status_code, other_organization.status_code) == (400, 403, 403)
    assert "user_id" in other_user.json()["error"]["fields"]
    assert other_organization.json()["error"]["code"] == "wrong_organization"


def test_a_token_without_the_scope_is_refused(tenant: Tenant, provider: IdentityProvider) -> None:
    ada = holding(tenant, provider.token(**claims(tenant, scope="openid query")))

    with ada.client:
        assert ada.assemble("x").json()["error"]["code"] == "missing_scope"
        assert ada.query("x").status_code == 200


@pytest.mark.parametrize(
    "changes",
    [{"exp": 1_700_000_000}, {"aud": "another"}, {"iss": "https://another.example"}, {"org_id": ...}, {"sub": ...}],
    ids=["expired", "for somebody else", "of somebody else", "without an organization", "without an end user"],
)
def test_a_token_that_is_not_valid_opens_nothing(
    tenant: Tenant, provider: IdentityProvider, changes: dict[str, Any]
) -> None:
    stranger = holding(tenant, provider.token(**claims(tenant, **changes)))

    with stranger.client:
        responses = [
            stranger.assemble("x"),
            stranger.query("x"),
            stranger.client.get("/v1/memories", params={"agent_id": tenant.agent_id}),
        ]

    assert [response.status_code for response in responses] == [401] * 3
    assert {response.json()["error"]["message"] for response in responses} == {
        "The token is not valid for this service."
    }
