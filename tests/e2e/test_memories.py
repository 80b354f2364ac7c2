"""Writing memories and finding them again, through the front door and the queue."""

from uuid import uuid4

import httpx

from tests.e2e.conftest import Tenant

TOPICS = (
    "violin",
    "glacier",
    "saffron",
    "lighthouse",
    "tractor",
    "opal",
    "marathon",
    "beehive",
    "telescope",
    "harbour",
)


def hundred_contents() -> list[str]:
    return [f"On the {number}. day somebody mentioned the {topic}" for topic in TOPICS for number in range(1, 11)]


def found_contents(response: httpx.Response) -> list[str]:
    assert response.status_code == 200, response.text
    return [memory["content"] for memory in response.json()["memories"]]


def test_a_batch_of_a_hundred_is_found_by_words_at_once_and_by_meaning_after_the_queue(tenant: Tenant) -> None:
    ids = tenant.remember(*hundred_contents())

    by_words = tenant.whole("beehive", k=10, thoroughness="all", computation_tier="high")

    assert len(set(ids)) == 100
    assert len(found_contents(by_words)) == 10, by_words.text
    assert all("beehive" in content for content in found_contents(by_words))

    tenant.drain()
    by_meaning = tenant.whole(
        "a place where honey is made by insects", k=10, thoroughness="all", computation_tier="high"
    )

    explanations = by_meaning.json()["explanations"]
    assert sum("beehive" in content for content in found_contents(by_meaning)) >= 8, by_meaning.text
    assert all(explanation["matched_terms"] == [] for explanation in explanations if explanation["factors"])


def test_a_memory_is_read_back_as_it_was_written(tenant: Tenant) -> None:
    memory = {
        "agent_id": tenant.agent_id,
        "content": "  Ada  prefers\ttea ",
        "summary": "tea",
        "context": "They spoke about breakfast.",
        "category": "preference",
        "source": "user_provided",
        "confidence": 0.9,
        "importance": 0.25,
        "tags": ["drinks", "breakfast"],
        "metadata": {"page": 3},
        "user_id": "ada",
        "session_id": "s-1",
        "created_at": "2026-03-01T10:00:00+01:00",
        "client_ref": "m-1",
        "pinned": True,
        "pinned_at": "2026-03-02T09:00:00+00:00",
    }

    created = tenant.client.post("/v1/memories", json=memory)
    stored = tenant.client.get(f"/v1/memories/{created.json()['id']}", headers={"X-End-User-ID": "ada"}).json()

    assert created.status_code == 202
    assert created.json()["status"] == "accepted"
    assert stored["content"] == "Ada prefers tea"
    assert stored["created_at"] == "2026-03-01T09:00:00+00:00"
    for name in memory.keys() - {"content", "created_at"}:
        assert stored[name] == memory[name], name


def test_the_same_text_again_is_a_duplicate_and_not_a_second_memory(tenant: Tenant) -> None:
    first = tenant.remember("The goose is called the Admiral")

    second = tenant.remember("The goose is  called the Admiral")
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()

    assert second == first
    assert len(listed["memories"]) == 1


def test_a_refused_memory_of_a_batch_leaves_the_others_alone(tenant: Tenant) -> None:
    batch = {
        "memories": [
            {"agent_id": tenant.agent_id, "content": "fine"},
            {"agent_id": tenant.agent_id, "content": 7, "confidence": 2},
            {"agent_id": str(uuid4()), "content": "nobody's"},
            {"agent_id": tenant.agent_id, "content": "fine too", "supersedes": str(uuid4())},
        ]
    }

    response = tenant.client.post("/v1/memories/batch", json=batch)

    fine, wrong_types, unknown_agent, unknown_memory = response.json()["results"]
    assert response.status_code == 207
    assert fine["status"] == "accepted"
    assert wrong_types["error"]["fields"].keys() == {"content", "confidence"}
    assert unknown_agent["error"]["code"] == "agent_not_found"
    assert unknown_memory["error"]["fields"].keys() == {"supersedes"}


def test_a_superseded_memory_is_gone_from_the_next_query_and_stays_in_the_chain(tenant: Tenant) -> None:
    (old,) = tenant.remember("Fish comes on Tuesday")
    tenant.drain()

    (new,) = tenant.remember("Fish comes on Thursday", supersedes=old)
    found = [memory["id"] for memory in tenant.query("When does the fish come?").json()["memories"]]
    stored = tenant.client.get(f"/v1/memories/{old}").json()

    assert found == [new]
    assert stored["status"] == "superseded"
    assert stored["version_chain"] == [old, new]


def test_pages_of_the_listing_cover_every_memory_once(tenant: Tenant) -> None:
    ids = tenant.remember(*(f"number {number}" for number in range(25)))
    seen: list[str] = []
    cursor = None

    for _ in range(10):
        parameters = {"agent_id": tenant.agent_id, "limit": "10"} | ({"cursor": cursor} if cursor else {})
        page = tenant.client.get("/v1/memories", params=parameters).json()
        seen += [memory["id"] for memory in page["memories"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break

    assert sorted(seen) == sorted(ids)


def test_a_relation_is_made_once_and_shown_at_both_ends(tenant: Tenant) -> None:
    first, second = tenant.remember("The boiler leaks", "Ewan repairs boilers")
    edge = {"to": second, "type": "supports", "confidence": 0.7}

    created = tenant.client.post(f"/v1/memories/{first}/relations", json=edge)
    repeated = tenant.client.post(f"/v1/memories/{first}/relations", json=edge)
    shown = tenant.client.get(f"/v1/memories/{second}").json()["relations"]

    assert (created.status_code, repeated.status_code) == (201, 200)
    assert created.json()["relation_id"] == repeated.json()["relation_id"]
    assert [(edge["from"], edge["to"], edge["type"]) for edge in shown] == [(first, second, "supports")]


def test_a_directive_has_versions_and_the_newest_is_injected(tenant: Tenant) -> None:
    path = f"/v1/agents/{tenant.agent_id}/directive"

    versions = [tenant.client.put(path, json={"text": text}).json()["version"] for text in ("Be brief.", "Be kind.")]
    active = tenant.client.get(path).json()
    injected = tenant.assemble("Hello").json()

    assert versions == [1, 2]
    assert (active["version"], active["text"]) == (2, "Be kind.")
    assert "Be kind." in injected["messages"][0]["content"]
    assert injected["metadata"]["directive_version"] == 2


def test_an_agent_name_is_taken_once(tenant: Tenant) -> None:
    refused = tenant.client.post("/v1/agents", json={"name": "agent"})

    agents = tenant.client.get("/v1/agents").json()["agents"]

    assert refused.status_code == 409
    assert refused.json()["error"]["fields"] == {"name": "is taken"}
    assert [agent["name"] for agent in agents] == ["agent"]


def test_what_was_returned_is_counted_once_for_each_answer(tenant: Tenant) -> None:
    (memory_id,) = tenant.remember("The spare key hangs behind the clock")
    tenant.drain()

    tenant.query("Where is the spare key?")
    tenant.assemble("Where is the spare key?")
    tenant.drain()
    stored = tenant.client.get(f"/v1/memories/{memory_id}").json()

    assert (stored["usage_count"], stored["retrieval_count"]) == (2, 1)
    assert stored["last_accessed_at"] is not None
