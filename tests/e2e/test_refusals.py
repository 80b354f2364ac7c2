"""Bad input gets the error shape and never a 5xx."""

from typing import Any
from uuid import uuid4

import pytest

from tests.e2e.conftest import NewTenant, Tenant

POSTS = (
    "/v1/context/assemble",
    "/memory/query",
    "/v1/memories/query",
    "/v1/memories",
    "/v1/memories/batch",
    "/v1/forget",
    "/v1/agents",
)
BAD_BODIES: dict[str, bytes] = {
    "no body": b"",
    "blank": b"  ",
    "broken": b'{"query": ',
    "not JSON": b"\xff\xfe",
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "NaN": b'{"query": NaN}',
    "NUL": b'{"query": "a\\u0000b"}',
    "lone surrogate": b'{"query": "\\ud800"}',
    "deep": b'{"query": ' + b"[" * 40 + b"]" * 40 + b"}",
    "wrong types": b'{"query": 7, "k": "x", "org_id": [], "agent_id": {}, "messages": "x", "memories": 1, "name": []}',
}


def assert_refused(response: Any, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body = response.json()
    assert body["request_id"]
    assert body["error"]["code"]
    assert body["error"]["message"]
    error: dict[str, Any] = body["error"]
    return error


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", BAD_BODIES)
def test_a_bad_body_is_a_400_that_names_the_field(tenant: Tenant, path: str, kind: str) -> None:
    response = tenant.client.post(path, content=BAD_BODIES[kind], headers={"content-type": "application/json"})

    assert assert_refused(response, 400)["fields"]


@pytest.mark.parametrize("path", POSTS)
def test_without_a_key_nothing_is_served(tenant: Tenant, path: str) -> None:
    del tenant.client.headers["X-API-Key"]
    body = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "r",
        "messages": [{"role": "user", "content": "x"}],
    }

    assert assert_refused(tenant.client.post(path, json=body), 401)["code"] == "missing_credential"


@pytest.mark.parametrize("key", ["wrong", "ü", "rk_" + "a" * 43, "x" * 5000])
def test_an_unknown_key_is_refused(tenant: Tenant, key: str) -> None:
    response = tenant.client.post("/memory/query", json={"query": "x"}, headers=[(b"X-API-Key", key.encode("latin-1"))])

    assert assert_refused(response, 401)["code"] == "invalid_credential"


def test_a_key_without_the_scope_is_refused(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("query",))

    response = tenant.client.post("/v1/memories", json={"agent_id": str(uuid4()), "content": "x"})

    assert assert_refused(response, 403)["code"] == "missing_scope"


def test_end_users_beyond_the_keys_list_are_refused(new_tenant: NewTenant) -> None:
    tenant = new_tenant(end_users=("ada", "team-*"))

    nobody = tenant.client.post("/memory/query", json={"query": "x"})
    allowed = [
        tenant.client.post("/memory/query", json={"query": "x"}, headers={"X-End-User-ID": user})
        for user in ("ada", "team-7")
    ]
    refused = tenant.client.post("/memory/query", json={"query": "x"}, headers={"X-End-User-ID": "bob"})
    refused_in_assembly = tenant.assemble("x", user_id="bob")

    assert assert_refused(nobody, 400)["code"] == "missing_end_user"
    assert [response.status_code for response in allowed] == [200, 200]
    assert assert_refused(refused, 403)["code"] == "end_user_not_allowed"
    assert assert_refused(refused_in_assembly, 403)["code"] == "end_user_not_allowed"


def test_a_key_that_demands_an_end_user_refuses_a_request_without_one(new_tenant: NewTenant) -> None:
    tenant = new_tenant(end_user_required=True)

    response = tenant.client.post("/memory/query", json={"query": "x"})

    assert assert_refused(response, 400)["code"] == "missing_end_user"


def test_numbers_out_of_range_are_clamped_and_reported(tenant: Tenant) -> None:
    answer = tenant.query("x", k=500, traversal_depth=0).json()

    assert answer["adjusted"] == {"k": {"given": 500, "used": 50}, "traversal_depth": {"given": 0, "used": 1}}


def test_every_bad_field_of_a_query_is_named_at_once(tenant: Tenant) -> None:
    body = {"query": " ", "k": "five", "filters": {"since": "soon", "colour": 1}, "weights": {"luck": 1}, "surprise": 1}

    error = assert_refused(tenant.client.post("/memory/query", json=body), 400)

    assert error["fields"].keys() == {"query", "k", "filters.since", "filters.colour", "weights.luck", "surprise"}


def test_what_does_not_exist_is_a_404(tenant: Tenant) -> None:
    for path in (f"/v1/memories/{uuid4()}", "/v1/memories/none", f"/v1/agents/{uuid4()}/directive"):
        assert_refused(tenant.client.get(path), 404)


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/export"])
def test_a_nul_in_a_query_string_is_a_400_that_names_the_parameter(tenant: Tenant, path: str) -> None:
    response = tenant.client.get(f"{path}?agent_id={tenant.agent_id}&user_id=ada%00")

    assert assert_refused(response, 400)["fields"].keys() == {"user_id"}


def test_an_end_user_longer_than_any_name_is_a_400_wherever_it_is_named(tenant: Tenant) -> None:
    long = "u" * 7800
    header = {"X-End-User-ID": long}
    body = {"agent_id": tenant.agent_id, "content": "A note."}

    refused = [
        tenant.client.post("/v1/memories", json=body, headers=header),
        tenant.client.post("/memory/query", json={"query": "x"}, headers=header),
        tenant.client.get("/v1/memories", headers=header),
        tenant.client.post("/v1/context/assemble", json=assembly_of(tenant), headers=header),
        tenant.client.post("/v1/memories", json=body | {"user_id": long}),
    ]

    fields = [assert_refused(response, 400)["fields"].keys() for response in refused]
    assert fields == [{"X-End-User-ID"}] * 4 + [{"user_id"}]


def assembly_of(tenant: Tenant) -> dict[str, Any]:
    return {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "r",
        "messages": [{"role": "user", "content": "x"}],
    }


def test_a_bad_deadline_header_is_a_400(tenant: Tenant) -> None:
    response = tenant.client.post(
        "/v1/context/assemble", content=b"{}", headers={"X-Deadline-Ms": "soon", "content-type": "application/json"}
    )

    assert assert_refused(response, 400)["fields"].keys() == {"x-deadline-ms"}
