"""Export and erasure, through the front door."""

import json
from typing import Any
from uuid import uuid4

from tests.e2e.conftest import NewTenant, Tenant


def exported(tenant: Tenant, **parameters: str) -> list[dict[str, Any]]:
    """All pages."""
    lines: list[dict[str, Any]] = []
    while True:
        page = tenant.client.get("/v1/export", params=parameters)
        assert page.status_code == 200, page.text
        assert page.headers["content-type"] == "application/x-ndjson"
        lines += [json.loads(line) for line in page.text.splitlines()]
        if "x-next-cursor" not in page.headers:
            return lines
        parameters["cursor"] = page.headers["x-next-cursor"]


def test_an_export_has_every_memory_once_with_texts_and_relations(tenant: Tenant) -> None:
    ids = tenant.remember(*(f"Number {number}" for number in range(5)), user_id="ada", client_ref=None)
    tenant.remember("Bob's", user_id="bob")
    ada = {"X-End-User-ID": "ada"}
    tenant.client.patch(f"/v1/memories/{ids[0]}", json={"content": "Another text"}, headers=ada)
    relation = {"to": ids[1], "type": "supports"}
    tenant.client.post(f"/v1/memories/{ids[0]}/relations", json=relation, headers=ada)
    tenant.client.delete(f"/v1/memories/{ids[4]}", headers=ada)

    lines = exported(tenant, user_id="ada", limit="2")

    by_id = {line["id"]: line for line in lines}
    assert sorted(by_id) == sorted(ids[:4])
    assert len(lines) == 4
    assert [text["content"] for text in by_id[ids[0]]["versions"]] == ["Number 0"]
    assert [relation["to"] for relation in by_id[ids[0]]["relations"]] == [ids[1]]


def test_a_cursor_of_another_listing_or_organization_or_a_forged_one_is_refused(
    tenant: Tenant, new_tenant: NewTenant
) -> None:
    stranger = new_tenant()
    for one in (tenant, stranger):
        one.remember("One", "Two", "Three")
    listing = {"agent_id": tenant.agent_id, "limit": "2"}
    page = tenant.client.get("/v1/memories", params=listing).json()
    cursor = page["next_cursor"]
    foreign = stranger.client.get("/v1/memories", params={"agent_id": stranger.agent_id, "limit": "2"}).json()

    tried = {
        "other filters": {**listing, "category": "factual", "cursor": cursor},
        "foreign": {**listing, "cursor": foreign["next_cursor"]},
        "forged": {**listing, "cursor": "MjAyNi0xMS0yMVQyMzozMTowNC45NjYzNjErMDA6MDB8YjYwNzllODMtNTdmZC00YTM2LTk5NzA"},
        "rubbish": {**listing, "cursor": "é"},
    }
    answers = {name: tenant.client.get("/v1/memories", params=query) for name, query in tried.items()}
    good = tenant.client.get("/v1/memories", params={**listing, "cursor": cursor}).json()["memories"]
    of_export = tenant.client.get("/v1/export", params={"agent_id": tenant.agent_id, "cursor": cursor})

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(tried, 400)
    assert of_export.status_code == 400
    # Written at one moment, so that their ids decide.
    assert {memory["content"] for memory in [*page["memories"], *good]} == {"One", "Two", "Three"}


def test_an_erased_end_user_is_in_no_answer_and_the_others_are(tenant: Tenant) -> None:
    tenant.remember("Olivia keeps fish in the pond", user_id="olivia")
    (kept,) = tenant.remember("Bob keeps fish in a bowl", user_id="bob")
    tenant.drain()
    question = "Who keeps fish?"
    before = tenant.assemble(question, user_id="*").json()["metadata"]["memories_injected"]

    asked = tenant.client.post("/v1/erasures", json={"user_id": "olivia"})
    status = tenant.client.get(f"/v1/erasures/{asked.json()['erasure_id']}").json()
    injected = tenant.assemble(question, user_id="*").json()["metadata"]["memory_ids"]
    found = [memory["id"] for memory in tenant.query(question, user_id="*").json()["memories"]]

    assert before == 2
    assert asked.status_code == 202
    assert (status["status"], status["counts"]["memories"]) == ("done", 1)
    assert "olivia" not in json.dumps(status)
    assert injected == found == [kept]
    assert [line["id"] for line in exported(tenant, user_id="*")] == [kept]


def test_erasing_needs_the_scope_admin_and_the_own_organization(tenant: Tenant, new_tenant: NewTenant) -> None:
    writer = new_tenant(scopes=("write", "query"))
    nobodys = tenant.client.post("/v1/erasures", json={"agent_id": str(uuid4())})
    for_bob = tenant.client.post("/v1/erasures", json={"user_id": "ada"}, headers={"X-End-User-ID": "bob"})

    refused = writer.client.post("/v1/erasures", json={"user_id": "ada"})
    foreign = tenant.client.post("/v1/erasures", json={"org_id": writer.org_id})
    unknown = tenant.client.get(f"/v1/erasures/{uuid4()}")

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "missing_scope")
    assert foreign.status_code == unknown.status_code == 404
    assert (nobodys.status_code, nobodys.json()["error"]["code"]) == (404, "agent_not_found")
    assert (for_bob.status_code, for_bob.json()["error"]["code"]) == (403, "end_user_not_allowed")
