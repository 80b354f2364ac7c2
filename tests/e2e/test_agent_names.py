"""Agents by name, wherever an id may stand; and what clients look memories up by."""

import time
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import psycopg
import pytest

from remembrancer.adapters.redis.identity_cache import INSTANCE_SECONDS
from tests.e2e.conftest import NewTenant, Tenant

NAME = "Concierge, 2nd floor \N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.fixture
def named(tenant: Tenant) -> Tenant:
    """With an agent of this name, the one that is asked."""
    made = tenant.client.put(f"/v1/agents/{quote(NAME)}")
    assert (made.status_code, made.json()["name"]) == (201, NAME)
    return Tenant(tenant.client, tenant.org_id, made.json()["agent_id"], tenant.stack, tenant.loop)


def test_the_agent_of_a_name_is_made_once(named: Tenant) -> None:
    again = named.client.put(f"/v1/agents/{quote(NAME)}")

    assert (again.status_code, again.json()["agent_id"]) == (200, named.agent_id)
    assert named.client.post("/v1/agents", json={"name": NAME}).status_code == 409


@pytest.mark.parametrize("name", [str(UUID(int=7)), UUID(int=7).hex, "x" * 257, " "])
def test_what_is_no_name_of_an_agent_makes_none(tenant: Tenant, name: str) -> None:
    put = tenant.client.put(f"/v1/agents/{quote(name)}")

    assert (put.status_code, list(put.json()["error"]["fields"])) == (400, ["name"])


def test_a_name_stands_wherever_an_id_may(named: Tenant) -> None:
    client = named.client
    directive = f"/v1/agents/{quote(NAME)}/directive"
    assert client.put(directive, json={"text": "Be brief."}).json()["agent_id"] == named.agent_id
    written = client.post("/v1/memories", json={"agent_id": NAME, "content": "The lift is out of order."})
    assert written.status_code == 202, written.text
    in_batch = [{"agent_id": name, "content": f"Note {n}."} for n, name in enumerate([NAME, named.agent_id, "Nobody"])]

    batch = client.post("/v1/memories/batch", json={"memories": in_batch}).json()["results"]
    listed = client.get("/v1/memories", params={"agent_id": NAME}).json()["memories"]
    exported = client.get("/v1/export", params={"agent_id": NAME}).text
    queried = named.whole("Which lift?", agent_id=NAME).json()

    assert [result["status"] for result in batch] == ["accepted", "accepted", "error"]
    assert batch[2]["error"]["code"] == "agent_not_found"
    assert {memory["agent_id"] for memory in listed} == {named.agent_id}
    assert len(listed) == 3
    assert exported.count(named.agent_id) == 3
    assert written.json()["id"] in [memory["id"] for memory in queried["memories"]]
    assert client.get(directive).json()["text"] == "Be brief."
    assert client.get(f"{directive}/versions").json()["versions"][0]["version"] == 1


def test_an_assembly_needs_a_name_and_no_organization(named: Tenant) -> None:
    named.remember("The lift is out of order until Friday.")
    named.until_embedded()

    answers = [
        named.assemble("Which lift is out of order?", agent_id=agent, org_id=None, session_id="chat 7")
        for agent in (NAME, NAME, named.agent_id)
    ]

    assert [answer.status_code for answer in answers] == [200] * 3
    assert [answer.json()["metadata"]["fallback_reason"] for answer in answers] == [""] * 3
    assert {tuple(answer.json()["metadata"]["memory_ids"]) for answer in answers} != {()}
    assert len({tuple(answer.json()["metadata"]["memory_ids"]) for answer in answers}) == 1


def test_an_organization_that_is_named_is_the_credentials(named: Tenant, new_tenant: NewTenant) -> None:
    for org_id in (new_tenant().org_id, str(UUID(int=0)), str(uuid4())):
        refused = named.assemble("Which lift?", org_id=org_id, agent_id=NAME)

        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong_organization")


def test_an_unknown_name_is_refused_as_an_unknown_id_is(named: Tenant, new_tenant: NewTenant) -> None:
    stranger = new_tenant()

    def refusals(client: Any, agent: str) -> list[tuple[int, Any]]:
        answers = [
            client.post("/memory/query", json={"query": "Which lift?", "agent_id": agent}),
            client.post("/v1/memories", json={"agent_id": agent, "content": "A note."}),
            client.get("/v1/memories", params={"agent_id": agent}),
            client.get("/v1/export", params={"agent_id": agent}),
            client.get(f"/v1/agents/{quote(agent)}/directive"),
            client.get(f"/v1/agents/{quote(agent)}/end-users"),
            client.put(f"/v1/agents/{quote(agent)}/directive", json={"text": "Obey."}),
            stranger.assemble("Which lift?", agent_id=agent),
        ]
        return [(answer.status_code, answer.json()["error"]) for answer in answers]

    unknown = refusals(stranger.client, str(uuid4()))

    assert {status for status, _ in unknown} == {404}
    assert refusals(stranger.client, "Nobody") == unknown
    assert refusals(stranger.client, NAME) == unknown


def test_a_name_means_the_new_agent_after_the_old_one_was_erased(named: Tenant) -> None:
    named.remember("Of the old one.")
    assert named.assemble("Which one?", agent_id=NAME).status_code == 200
    erased = named.client.post("/v1/erasures", json={"agent_id": named.agent_id})
    assert erased.status_code == 202

    made = named.client.put(f"/v1/agents/{quote(NAME)}")

    assert made.status_code == 201
    assert made.json()["agent_id"] != named.agent_id
    time.sleep(INSTANCE_SECONDS + 0.2)
    written = named.client.post("/v1/memories", json={"agent_id": NAME, "content": "Of the new one."})
    answer = named.assemble("Which one?", agent_id=NAME, options={"relevance_floor": 0})
    assert written.status_code == 202, written.text
    assert answer.json()["metadata"]["memory_ids"] == [written.json()["id"]]


def test_a_name_means_the_new_agent_also_while_the_old_ones_keys_are_still_in_redis(named: Tenant) -> None:
    """As in the middle of an erasure, which deletes the agent first and sweeps Redis last."""
    assert named.assemble("Which one?", agent_id=NAME).status_code == 200
    with psycopg.connect(named.stack.postgres.superuser_url, autocommit=True) as observer:
        observer.execute("DELETE FROM agents WHERE agent_id = %s", [named.agent_id])

    made = named.client.put(f"/v1/agents/{quote(NAME)}")

    assert made.status_code == 201
    time.sleep(INSTANCE_SECONDS + 0.2)
    listed = named.client.get("/v1/memories", params={"agent_id": NAME})
    written = named.client.post("/v1/memories", json={"agent_id": NAME, "content": "Of the new one."})
    assert listed.status_code == 200
    assert (written.status_code, named.client.get(f"/v1/memories/{written.json()['id']}").json()["agent_id"]) == (
        202,
        made.json()["agent_id"],
    )


def test_an_erasure_takes_no_name(named: Tenant) -> None:
    assert named.client.post("/v1/erasures", json={"agent_id": NAME}).status_code == 400


def test_memories_are_looked_up_by_reference_and_by_metadata(named: Tenant) -> None:
    one = named.remember("The red door.", client_ref="door-1", metadata={"floor": 2, "open": True})
    two = named.remember("The blue door.", metadata={"floor": 2})

    def listed(**params: str) -> list[str]:
        answer = named.client.get("/v1/memories", params={"agent_id": NAME, **params})
        assert answer.status_code == 200, answer.text
        return [memory["id"] for memory in answer.json()["memories"]]

    assert listed(client_ref="door-1") == one
    assert listed(metadata='{"floor": 2}') == [*two, *one]
    assert listed(metadata='{"floor": 2, "open": true}') == one
    assert listed(metadata="{}") == [*two, *one]
    first = named.client.get("/v1/memories", params={"agent_id": NAME, "metadata": '{"floor":2}', "limit": "1"}).json()
    assert listed(metadata='{"floor":2}', limit="1", cursor=first["next_cursor"]) == one
    named.client.patch(f"/v1/memories/{one[0]}", json={"metadata": {"floor": 3}})
    assert listed(metadata='{"floor": 2}') == two
    assert listed(metadata='{"floor": 3}') == one


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"client_ref": "door-1"}, "client_ref"),
        ({"metadata": '{"floor": 2}'}, "metadata"),
        ({"metadata": "floor", "agent_id": NAME}, "metadata"),
        ({"metadata": '{"floor": [2]}', "agent_id": NAME}, "metadata"),
        ({"metadata": '{"floor": NaN}', "agent_id": NAME}, "metadata"),
    ],
)
def test_a_lookup_that_is_none_is_refused(named: Tenant, params: dict[str, str], name: str) -> None:
    refused = named.client.get("/v1/memories", params=params)

    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (400, [name])


def test_a_query_keeps_to_the_metadata(named: Tenant) -> None:
    red, _ = named.remember("The red door is open.", metadata={"floor": 2}), named.remember("The blue door is open.")
    named.until_embedded()

    for tier in ("low", "medium", "high"):
        found = named.whole("Which door is open?", filters={"metadata": {"floor": 2}}, computation_tier=tier).json()

        assert [memory["id"] for memory in found["memories"]] == red
    refused = named.client.post("/memory/query", json={"query": "door", "filters": {"metadata": {"floor": 2}}})
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (400, ["filters.metadata"])


def test_the_end_users_of_an_agent_are_those_that_the_request_sees(named: Tenant) -> None:
    for user in ("ann", "bob", "cid"):
        named.remember(f"Of {user}.", user_id=user)
    path = f"/v1/agents/{quote(NAME)}/end-users"

    def seen(headers: dict[str, str] | None = None, **params: str) -> list[str]:
        answer = named.client.get(path, headers=headers, params=params)
        assert answer.status_code == 200, answer.text
        return [one["user_id"] for one in answer.json()["end_users"]]

    assert seen() == []
    assert seen({"X-End-User-ID": "bob"}) == ["bob"]
    assert seen(user_id="ann") == ["ann"]
    assert seen({"X-End-User-ID": "*"}) == ["ann", "bob", "cid"]
    first = named.client.get(path, params={"user_id": "*", "limit": "2"}).json()
    assert seen(user_id="*", limit="2", cursor=first["next_cursor"]) == ["cid"]
