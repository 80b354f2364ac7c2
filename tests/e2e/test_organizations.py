"""Founding an organization by the function that owns the database, as an operator does after the first deployment."""

from typing import Any
from uuid import UUID

import pytest

from local.stack import Stack, StackError
from tests import patience
from tests.e2e.conftest import Loop, Tenant

MIGRATION = "MigrateFunction"


def test_a_new_organizations_key_works_at_once(stack: Stack, loop: Loop) -> None:
    event = {
        "task": "create_organization",
        "organization": "Acme",
        "project_id": "proj_a",
        "scopes": ["write", "query"],
    }

    founded = loop.run(stack.invoke(MIGRATION, event))
    with patience.client(stack, {"X-API-Key": founded["api_key"]}) as client:
        agent = client.post("/v1/agents", json={"name": "first"})
        agents = client.get("/v1/agents").json()["agents"]
        refused = client.post("/v1/context/assemble", json={"org_id": founded["org_id"]})

    assert founded.keys() == {"org_id", "key_id", "api_key"}
    assert agent.status_code == 201
    assert [shown["name"] for shown in agents] == ["first"]
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("event", "named"),
    [
        ({"task": "create_organization"}, "organization"),
        (
            {"task": "create_organization", "organization": "x", "environment": "moon", "colour": 1},
            "colour, environment",
        ),
        ({"task": "create_organization", "organization": "x", "project_id": "main"}, "project_id"),
        ({"task": "dance"}, "migrate, create_organization"),
    ],
)
def test_a_bad_event_is_refused_and_says_what_is_wrong(
    stack: Stack, loop: Loop, event: dict[str, object], named: str
) -> None:
    with pytest.raises(StackError, match=named):
        loop.run(stack.invoke(MIGRATION, event))


def test_an_operator_has_personal_data_redacted_and_the_answers_say_how_much(tenant: Tenant) -> None:
    settings = {"redact_pii": ["email", "phone"], "phone_region": "DE"}
    event = {"task": "configure_organization", "org_id": tenant.org_id}
    configured = tenant.loop.run(tenant.stack.invoke("MigrateFunction", {**event, "settings": settings}))
    memory = {"agent_id": tenant.agent_id, "content": "Ann: ann@example.org, 030 901820.", "tags": ["ann@example.org"]}

    written = tenant.client.post("/v1/memories", json=memory).json()
    stored = tenant.client.get(f"/v1/memories/{written['id']}").json()
    in_force = tenant.loop.run(tenant.stack.invoke("MigrateFunction", event))

    assert configured == in_force == {"settings": settings}
    assert (written["status"], written["redacted"]) == ("accepted", {"email": 2, "phone": 1})
    assert (stored["content"], stored["tags"]) == ("Ann: [EMAIL], [PHONE].", ["[EMAIL]"])
    assert stored["redacted"] == written["redacted"]


@pytest.mark.parametrize("level", ["organization", "agent"])
def test_memories_are_switched_off_and_on_while_queries_and_writes_go_on(tenant: Tenant, level: str) -> None:
    (remembered,) = tenant.remember("The lift is out of order until Friday.")
    tenant.until_embedded()
    path = f"/v1/agents/{tenant.agent_id}"
    assert tenant.client.put(f"{path}/directive", json={"text": "Be brief."}).status_code == 200

    def switch(enabled: bool) -> Any:
        if level == "agent":
            switched = tenant.client.patch(path, json={"enabled": enabled})
            assert (switched.status_code, switched.json()["enabled"]) == (200, enabled)
            return [agent["enabled"] for agent in tenant.client.get("/v1/agents").json()["agents"]]
        event = {"task": "configure_organization", "org_id": tenant.org_id, "settings": {"enabled": enabled}}
        return tenant.loop.run(tenant.stack.invoke(MIGRATION, event))["settings"]["enabled"]

    def injected() -> tuple[list[str], set[str]]:
        metadata = tenant.assemble("Which lift is out of order?").json()["metadata"]
        assert metadata["directive_injected"]
        assert metadata["fallback_reason"] == ""
        return metadata["memory_ids"], {metadata["sources"][name]["status"] for name in ("hot", "embed", "cold")}

    before = injected()
    switched = switch(enabled=False)
    off = injected()
    found = tenant.whole("Which lift is out of order?").json()["memories"]
    written = tenant.client.post("/v1/memories", json={"agent_id": tenant.agent_id, "content": "The stairs are wet."})
    switch(enabled=True)
    on = injected()

    assert before == ([remembered], {"ok"})
    assert remembered in on[0]
    assert switched in (False, [False])
    assert off == ([], {"skipped"})
    assert [memory["id"] for memory in found] == [remembered]
    assert written.status_code == 202


def test_capture_is_switched_beside_memories_and_each_keeps_the_other(tenant: Tenant) -> None:
    path = f"/v1/agents/{tenant.agent_id}"
    bodies = [{"capture": True}, {"enabled": False}, {"capture": False, "enabled": True}]

    switched = [tenant.client.patch(path, json=body).json() for body in bodies]

    (listed,) = [one for one in tenant.client.get("/v1/agents").json()["agents"] if one["agent_id"] == tenant.agent_id]
    assert [(one["enabled"], one["capture"]) for one in switched] == [(True, True), (False, True), (True, False)]
    assert listed == switched[-1]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"enabled": None},
        {"capture": None},
        {"capture": "yes"},
        {"enabled": "no"},
        {"enabled": False, "name": "other"},
    ],
)
def test_a_switch_is_true_or_false_and_nothing_else(tenant: Tenant, body: dict[str, Any]) -> None:
    refused = tenant.client.patch(f"/v1/agents/{tenant.agent_id}", json=body)

    assert refused.status_code == 400
    assert set(refused.json()["error"]["fields"]) & {"enabled", "capture", "name"}
    assert tenant.client.patch(f"/v1/agents/{UUID(int=1)}", json={"enabled": False}).status_code == 404


def test_an_operator_gives_an_organization_a_rate_and_takes_it_back(tenant: Tenant) -> None:
    event = {"task": "limit_organization", "org_id": tenant.org_id}

    given = tenant.loop.run(tenant.stack.invoke("MigrateFunction", {**event, "rate_per_second": 5000}))
    taken = tenant.loop.run(tenant.stack.invoke("MigrateFunction", event))

    assert given == {"rate_per_second": 5000, "rate_burst": 10000}
    assert taken == {"rate_per_second": None, "rate_burst": None}
    with pytest.raises(StackError, match="no such organization"):
        tenant.loop.run(tenant.stack.invoke("MigrateFunction", {**event, "org_id": str(UUID(int=1))}))


def test_an_operator_has_the_vector_index_made_anew(tenant: Tenant) -> None:
    made = tenant.loop.run(tenant.stack.invoke("MigrateFunction", {"task": "rebuild_vector_index"}))

    assert made == {"rebuilt": "hnsw"}
