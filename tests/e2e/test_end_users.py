"""Whose memories a request sees: of nobody, of the end user that it names, or of all where the key may."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from remembrancer.runtime.openapi import OPERATIONS
from tests.e2e.conftest import NewTenant, Tenant

SHARED = "The party is in the library."
PRIVATE = {"ada": "Ada brings the cake to the party.", "ben": "Ben sings at the party."}
QUESTION = "Who does what at the party?"

Seen = Callable[[Tenant, str | None, Mapping[str, str]], set[str]]


def _texts(memories: list[dict[str, Any]]) -> set[str]:
    return {memory["content"] for memory in memories}


def _header(name: str | None) -> Mapping[str, Any]:
    """In UTF-8, as names of end users may be in any script."""
    return {"X-End-User-ID": (name or "").encode()}


def _assembled(tenant: Tenant, named: str | None, headers: Mapping[str, str]) -> set[str]:
    fields = {} if named is None else {"user_id": named}
    body = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "r",
        "messages": [{"role": "user", "content": QUESTION}],
        "options": {"explain": True},
    }
    answer = tenant.client.post("/v1/context/assemble", json={**body, **fields}, headers=headers).json()
    assert answer["metadata"]["fallback_reason"] == ""
    return _texts(answer["metadata"]["candidates"])


def _queried(tenant: Tenant, named: str | None, headers: Mapping[str, str]) -> set[str]:
    fields = {"user_id": "*"} if named == "*" else {}
    headers = {**headers, **_header(named)} if named not in {None, "*"} else headers
    body = {"query": QUESTION, "agent_id": tenant.agent_id, "computation_tier": "high"}
    return _texts(tenant.client.post("/memory/query", json={**body, **fields}, headers=headers).json()["memories"])


def _listed(tenant: Tenant, named: str | None, headers: Mapping[str, str]) -> set[str]:
    parameters = {} if named is None else {"user_id": named}
    answer = tenant.client.get("/v1/memories", params=parameters, headers=headers)
    return _texts(answer.json()["memories"])


def _exported(tenant: Tenant, named: str | None, headers: Mapping[str, str]) -> set[str]:
    """Which gives an end user that is named their own only."""
    parameters = {"user_id": "*"} if named == "*" else {}
    headers = {**headers, **_header(named)} if named not in {None, "*"} else headers
    answer = tenant.client.get("/v1/export", params=parameters, headers=headers)
    return {text for text in (SHARED, *PRIVATE.values()) if text in answer.text}


ROUTES: dict[str, Seen] = {"assembly": _assembled, "query": _queried, "list": _listed, "export": _exported}


@pytest.fixture
def party(tenant: Tenant) -> Tenant:
    tenant.remember(SHARED)
    for name, text in PRIVATE.items():
        tenant.remember(text, user_id=name)
    tenant.drain()
    return tenant


@pytest.mark.parametrize("route", ROUTES)
def test_a_request_sees_what_its_end_user_may(party: Tenant, route: str) -> None:
    seen = ROUTES[route]

    # Twice and more: hot set, map and kept answers say the same.
    for _ in range(4):
        assert seen(party, None, {}) == {SHARED}
        assert seen(party, "ada", {}) == {SHARED, PRIVATE["ada"]}
        assert seen(party, "*", {}) == {SHARED, *PRIVATE.values()}
        assert seen(party, None, {"X-End-User-ID": "*"}) == {SHARED, *PRIVATE.values()}


@pytest.mark.parametrize("key", [{"scopes": ("admin",)}, {"scopes": ("assemble", "query", "write")}])
def test_without_the_scope_nobody_sees_the_memories_of_all(new_tenant: NewTenant, key: dict[str, Any]) -> None:
    tenant = new_tenant(**key)
    named = {"X-End-User-ID": "*"}
    body = {"query": QUESTION, "agent_id": tenant.agent_id}

    refused = [
        tenant.client.post("/memory/query", json=body, headers=named),
        tenant.client.post("/memory/query", json={"query": QUESTION, "user_id": "*"}),
        tenant.client.get("/v1/memories", headers=named),
        tenant.client.get("/v1/memories", params={"user_id": "*"}),
        tenant.client.get("/v1/export", params={"user_id": "*"}),
        tenant.assemble(QUESTION, user_id="*"),
    ]

    # An agent that is not there is asked for after the scope.
    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in refused] == [
        (403, "missing_scope")
    ] * len(refused)


def test_a_key_for_certain_end_users_never_sees_those_of_all(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("query", "all_users"), end_users=("ada",))

    refused = tenant.client.get("/v1/memories", headers={"X-End-User-ID": "*"})

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "end_user_not_allowed")


def test_no_key_for_certain_end_users_gets_the_scope(tenant: Tenant) -> None:
    asked = {"name": "k", "scopes": ["query", "all_users"], "end_users": ["ada"]}

    refused = tenant.client.post("/v1/keys", json=asked)

    assert (refused.status_code, refused.json()["error"]["fields"].keys()) == (400, {"scopes"})


def test_what_a_request_does_not_see_it_does_not_change(party: Tenant) -> None:
    client = party.client
    (own,) = (
        memory
        for memory in client.get("/v1/memories", params={"user_id": "ada"}).json()["memories"]
        if memory["user_id"] == "ada"
    )
    path = f"/v1/memories/{own['id']}"

    for headers in ({}, {"X-End-User-ID": "ben"}):
        answers = [
            client.get(path, headers=headers),
            client.patch(path, json={"content": "Nothing."}, headers=headers),
            client.post(f"{path}/feedback", json={"rating": "positive"}, headers=headers),
            client.delete(path, headers=headers),
            client.post(f"{path}/restore", headers=headers),
        ]
        assert {answer.status_code for answer in answers if answer.status_code != 400} == {404}

    for named in ("ada", "*"):
        assert client.get(path, headers={"X-End-User-ID": named}).json()["content"] == PRIVATE["ada"]


def test_an_end_users_memory_takes_the_place_of_an_older_one_without_a_header(party: Tenant) -> None:
    named = {"X-End-User-ID": "ada"}
    mine = party.client.get("/v1/memories", headers=named).json()["memories"]
    old = next(memory["id"] for memory in mine if memory["user_id"] == "ada")
    body = {"agent_id": party.agent_id, "content": "Ada brings pie.", "user_id": "ada", "supersedes": old}

    written = party.client.post("/v1/memories", json=body)
    strange = party.client.post("/v1/memories", json={**body, "content": "No.", "user_id": "ben"})

    assert (written.status_code, strange.status_code) == (202, 400)
    assert party.client.get(f"/v1/memories/{old}", headers=named).json()["status"] == "superseded"


BLANKS = ("", " ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u00ad", "\u2800", "\u2060 \u2009")
BODIES: dict[str, dict[str, object]] = {
    "/v1/memories": {"content": "I take lithium."},
    "/v1/conversations": {"messages": [{"role": "user", "content": "My blood group is B negative."}]},
    "/v1/context/assemble": {"model": "gpt-4o", "request_id": "r", "messages": [{"role": "user", "content": "Hi"}]},
    "/memory/query": {"query": "Which blood group?"},
}


@pytest.mark.parametrize("route", [operation.route for operation in OPERATIONS if operation.scope])
def test_a_blank_end_user_in_the_header_is_refused_by_every_route(tenant: Tenant, route: str) -> None:
    method, path = route.split(" ")
    body = {"agent_id": tenant.agent_id, **BODIES["/v1/context/assemble"]}
    path = re.sub(r"\{\w+\}", tenant.agent_id, path)

    for blank in (b"", "\u00a0".encode(), "\u200b".encode()):
        answer = tenant.client.request(method, path, headers={b"X-End-User-ID": blank}, json=body)

        assert answer.status_code == 400, (route, blank, answer.text)
        assert "X-End-User-ID must not be blank" in answer.text


@pytest.mark.parametrize("field", ["user_id", "userId", "session_id", "agent_id"])
@pytest.mark.parametrize("path", BODIES)
def test_a_blank_name_in_a_body_is_refused_and_nothing_becomes_shared(tenant: Tenant, path: str, field: str) -> None:
    for blank in BLANKS:
        answer = tenant.client.post(path, json={"agent_id": tenant.agent_id, **BODIES[path], field: blank})

        assert answer.status_code == 400, (path, field, blank, answer.text)
        named = "user_id" if field == "userId" else field
        assert answer.json()["error"]["fields"][named].startswith("must not be blank")
    assert tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"] == []
    assert tenant.client.get("/v1/conversations", params={"agent_id": tenant.agent_id}).json()["conversations"] == []


@pytest.mark.parametrize("field", ["user_id", "userId", "agent_id", "session_id", "category", "client_ref", "tag"])
@pytest.mark.parametrize("path", ["/v1/memories", "/v1/conversations", "/v1/export"])
def test_a_blank_filter_is_refused(tenant: Tenant, path: str, field: str) -> None:
    for blank in ("", " ", "\u00a0", "\u200b"):
        answer = tenant.client.get(path, params={field: blank})

        assert answer.status_code == 400, (path, field, blank, answer.text)


def test_an_erasure_with_a_blank_end_user_erases_nothing(tenant: Tenant) -> None:
    for blank in BLANKS:
        for further in ({}, {"org_id": tenant.org_id}, {"agent_id": tenant.agent_id}):
            answer = tenant.client.post("/v1/erasures", json={"user_id": blank, **further})

            assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["user_id"])


def test_one_name_in_two_forms_is_one_end_user_on_every_way(tenant: Tenant) -> None:
    composed, decomposed = "No\u00ebl", "Noe\u0308l"
    text = "Noël keeps bees at the party."
    written = tenant.client.post(
        "/v1/memories", json={"agent_id": tenant.agent_id, "user_id": decomposed, "content": text}
    )
    again = tenant.client.post("/v1/memories", json={"agent_id": tenant.agent_id, "user_id": composed, "content": text})

    assert (written.json()["status"], again.json()["status"]) == ("accepted", "duplicate")
    for name in (composed, decomposed, f"\u00a0{decomposed}"):
        listed = tenant.client.get("/v1/memories", params={"user_id": name}).json()["memories"]
        read = tenant.client.get(f"/v1/memories/{written.json()['id']}", headers={b"X-End-User-ID": name.encode()})
        body = {"query": QUESTION, "agent_id": tenant.agent_id, "user_id": name}
        found = tenant.client.post("/memory/query", json=body).json()["memories"]
        assert [memory["user_id"] for memory in (*listed, *found)] == [composed, composed]
        assert read.json()["user_id"] == composed
    key = {"name": "k", "scopes": ["query"], "end_users": [f"{decomposed}*"]}
    assert tenant.client.post("/v1/keys", json=key).json()["end_users"] == [f"{composed}*"]
