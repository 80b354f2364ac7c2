"""A name that shows nothing is refused wherever a request has one; equivalent names are one person on every route."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest

from remembrancer.runtime.http.operations import Operation
from remembrancer.runtime.openapi import OPERATIONS
from tests.e2e.conftest import NewTenant, Tenant
from tests.e2e.test_end_users import ROUTES

BLANK = ("", " ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2060\u00ad", "\u2800", " \u200d\u2003", "\U000e0020")
EACH_KIND = ("", " ", "\u200b")
"""Nothing, white space, a letter without width. For every other one: tests/unit/domain/requests/test_fields.py."""
NAMES = ("user_id", "session_id", "agent_id", "turn_id", "client_ref", "time_zone")
COMPOSED, DECOMPOSED = "No\u00ebl", "Noe\u0308l"
SAID = [{"role": "user", "content": "My blood group is B negative."}]


def bodies(tenant: Tenant) -> Mapping[str, dict[str, Any]]:
    """A body that is right, for each route whose body has names."""
    memory = {"agent_id": tenant.agent_id, "content": "I take lithium."}
    asked = {"agent_id": tenant.agent_id, "model": "gpt-4o", "request_id": "r", "messages": SAID}
    return {
        "assembleContext": asked,
        "assembleContextRpc": asked,
        "queryMemory": {"query": "What?"},
        "queryMemories": {"query": "What?"},
        "forget": {"agent_id": tenant.agent_id, "text": "my blood group"},
        "createMemory": memory,
        "createMemories": {"memories": [memory]},
        "createConversation": {"agent_id": tenant.agent_id, "messages": SAID},
        "createErasure": {},
    }


def places() -> Iterator[Any]:
    """Each operation with a name in its body, in its query and, for those with a credential, in the header."""
    for operation in OPERATIONS:
        for where, fields in (("body", operation.body), ("query", operation.query)):
            for name in fields.by_name if fields else ():
                if name in NAMES:
                    yield pytest.param(operation, where, name, id=f"{operation.name} {where} {name}")
        if operation.scope:
            yield pytest.param(operation, "header", "X-End-User-ID", id=f"{operation.name} header")


def is_in_header(name: str) -> bool:
    """Whether HTTP's clients send it: they refuse blanks of ASCII at the ends."""
    return name == name.strip(" \t")


def camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def path(operation: Operation, tenant: Tenant) -> str:
    template = operation.route.partition(" ")[2]
    return re.sub(r"\{(\w+)\}", lambda match: tenant.agent_id if match[1] == "agent_id" else str(uuid4()), template)


def sent(tenant: Tenant, operation: Operation, where: str, fields: Mapping[str, str]) -> Any:
    method = operation.route.partition(" ")[0]
    headers: dict[Any, Any] = {name.encode(): value.encode() for name, value in fields.items() if where == "header"}
    headers |= {b"connect-protocol-version": b"1"} if operation.is_connect else {}
    right = bodies(tenant).get(operation.name, {})
    body = {name: value for name, value in right.items() if camel(name) not in map(camel, fields)}
    body |= fields if where == "body" else {}
    query = dict(fields) if where == "query" else {}
    sent_body = None if method in {"GET", "DELETE"} else body
    return tenant.client.request(method, path(operation, tenant), params=query, headers=headers, json=sent_body)


@pytest.mark.parametrize(("operation", "where", "name"), list(places()))
def test_a_blank_name_is_refused_by_name(tenant: Tenant, operation: Operation, where: str, name: str) -> None:
    for blank in EACH_KIND:
        for written in {name, camel(name)} if where != "header" else {name} if is_in_header(blank) else ():
            answer = sent(tenant, operation, where, {written: blank})

            assert answer.status_code == 400, (blank, answer.text)
            assert name in answer.text, (blank, answer.text)


def test_the_names_of_a_batch_are_refused_one_by_one(tenant: Tenant) -> None:
    memories = [{"agent_id": tenant.agent_id, "content": f"Secret {blank!a}.", "user_id": blank} for blank in BLANK]

    answer = tenant.client.post("/v1/memories/batch", json={"memories": memories})

    results = answer.json()["results"]
    assert [result["status"] for result in results] == ["error"] * len(BLANK)
    assert {*results[0]["error"]["fields"]} == {"user_id"}
    assert tenant.client.get("/v1/memories", params={"user_id": "*"}).json()["memories"] == []


def test_after_all_that_a_stranger_sees_nothing(tenant: Tenant) -> None:
    for blank in BLANK:
        said = {"agent_id": tenant.agent_id, "messages": SAID, "user_id": blank}
        tenant.client.post("/v1/conversations", json=said)
        if is_in_header(blank):
            headers = {b"x-end-user-id": blank.encode()}
            tenant.client.post("/v1/conversations", json={**said, "user_id": None}, headers=headers)
        tenant.client.post("/v1/memories", json={"agent_id": tenant.agent_id, "content": "Lithium.", "userId": blank})
    tenant.drain()

    for route in ("/v1/memories", "/v1/conversations"):
        (listed,) = (tenant.client.get(route, params={"user_id": name}).json() for name in ("bob",))
        assert not listed.get("memories")
        assert not listed.get("conversations")


@pytest.mark.parametrize("filters", [{"categories": []}, {"sources": []}, {"tags": []}, {"tier": []}])
def test_a_filter_that_lets_nothing_through_does_not_let_everything_through(
    tenant: Tenant, filters: dict[str, Any]
) -> None:
    answer = tenant.client.post(
        "/memory/query", json={"query": "What?", "agent_id": tenant.agent_id, "filters": filters}
    )

    assert (answer.status_code, {*answer.json()["error"]["fields"]}) == (400, {f"filters.{name}" for name in filters})


@pytest.mark.parametrize("field", ["category", "tag", "since", "status", "embedding_state", "client_ref", "metadata"])
def test_a_blank_filter_of_a_listing_is_refused(tenant: Tenant, field: str) -> None:
    for blank in ("", " ", "\u3000"):
        answer = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id, field: blank})

        assert (answer.status_code, {*answer.json()["error"]["fields"]}) == (400, {field})


@pytest.mark.parametrize("route", ROUTES)
def test_a_person_is_the_same_in_each_form_of_the_name(tenant: Tenant, route: str) -> None:
    texts = {COMPOSED: "Ada brings the cake to the party.", DECOMPOSED: "Ben sings at the party."}
    for name, text in texts.items():
        tenant.remember(text, user_id=name)
    tenant.remember("The party is in the library.")
    tenant.drain()

    answers = [ROUTES[route](tenant, name, {}) for name in (COMPOSED, DECOMPOSED, f"\u3000{DECOMPOSED}\u00a0")]

    assert answers[0] == answers[1] == answers[2]
    assert set(texts.values()) <= answers[0]


def test_the_same_text_of_both_forms_is_one_memory(tenant: Tenant) -> None:
    first, second = (
        tenant.client.post(
            "/v1/memories", json={"agent_id": tenant.agent_id, "content": "I take lithium.", "user_id": name}
        ).json()
        for name in (DECOMPOSED, COMPOSED)
    )

    assert second == {**first, "status": "duplicate"}


def test_a_key_for_one_form_of_a_name_acts_for_the_person(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("admin",))
    made = tenant.client.post(
        "/v1/keys", json={"name": "k", "scopes": ["query"], "end_users": [DECOMPOSED, "Zoe\u0308*"]}
    )
    key = {b"x-api-key": made.json()["api_key"].encode()}

    def status(name: str) -> int:
        return tenant.client.get("/v1/memories", headers={**key, b"x-end-user-id": name.encode()}).status_code

    assert made.json()["end_users"] == [COMPOSED, "Zo\u00eb*"]
    assert [status(name) for name in (COMPOSED, DECOMPOSED, "Zo\u00eb Lund", "Zoe\u0308", "Zoe", "Noel")] == [
        200
    ] * 4 + [403] * 2


def test_an_erasure_of_one_form_erases_the_person(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("admin", "all_users"))
    for name in (COMPOSED, DECOMPOSED):
        tenant.remember(f"Of {name!a}.", user_id=name)

    tenant.client.post("/v1/erasures", json={"user_id": DECOMPOSED})

    assert tenant.client.get("/v1/memories", params={"user_id": "*"}).json()["memories"] == []


def test_an_agent_is_the_same_in_each_form_of_its_name(tenant: Tenant) -> None:
    made = tenant.client.post("/v1/agents", json={"name": DECOMPOSED}).json()

    assert made["name"] == COMPOSED
    assert tenant.client.put(f"/v1/agents/{COMPOSED}").json() == made
    assert tenant.client.put(f"/v1/agents/{DECOMPOSED}").json() == made
