"""Founding an organization by the function that owns the database, as an operator does after the first deployment."""

import httpx
import pytest

from local.stack import Stack, StackError
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
    with httpx.Client(base_url=stack.url, headers={"X-API-Key": founded["api_key"]}) as client:
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
