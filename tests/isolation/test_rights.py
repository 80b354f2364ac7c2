"""Every cell of the table of who may do what to which, with every kind of credential, through the front door."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from local import template as sam
from local.stack import PARAMETERS, ROOT, Stack
from remembrancer.keys import fingerprint, new_api_key
from tests.e2e.conftest import PROJECT, NewTenant
from tests.identity_provider import IdentityProvider
from tests.isolation import rights
from tests.isolation.rights import OWNERS, RIGHTS, USER, Right, Scene

ENDLESS = 4_000_000_000
SCOPES = ("assemble", "query", "write", "admin")
KINDS = ("a key", "a key naming", "a key that demands one", "a key for some", "a token")
Headers = Callable[..., dict[str, str]]


@pytest.fixture
def scene(new_tenant: NewTenant) -> Scene:
    tenant = new_tenant()
    scene = Scene(tenant.client, tenant.org_id, tenant.agent_id)
    scene.memories = {owner: scene.remember(owner) for owner in OWNERS}
    return scene


@pytest.fixture
def headers(stack: Stack, provider: IdentityProvider, scene: Scene) -> Headers:
    """Of a new credential of this kind and these scopes."""

    def issue(kind: str, *scopes: str) -> dict[str, str]:
        if kind == "a token":
            place: dict[str, Any] = {"org_id": scene.org_id, "project_id": PROJECT, "environment": "production"}
            token = provider.token("ec-1", sub=USER, exp=ENDLESS, scope=" ".join(scopes), **place)
            return {"Authorization": f"Bearer {token}"}
        api_key = new_api_key()
        end_users = [f"{USER}*"] if kind == "a key for some" else None
        with psycopg.connect(stack.owner_database_url) as connection:
            connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [scene.org_id])
            connection.execute(
                "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users, "
                "end_user_required) VALUES (%s, %s, %s, 'production', 'right', %s, %s, %s, %s)",
                [
                    uuid4(),
                    scene.org_id,
                    PROJECT,
                    fingerprint(api_key),
                    list(scopes),
                    end_users,
                    kind == "a key that demands one",
                ],
            )
        return {"X-API-Key": api_key} | ({} if kind == "a key" else {"X-End-User-ID": USER})

    return issue


def sender(stack: Stack, scene: Scene, credential: dict[str, str]) -> rights.Send:
    """Sends requests with this credential, and looks whether a refused one has changed anything."""

    def send(method: str, path: str, **arguments: Any) -> httpx.Response:
        before = scene.state()
        response = httpx.request(method, stack.url + path, headers=credential, timeout=30, **arguments)
        if response.status_code >= 400 or '"error"' in response.text:
            assert scene.state() == before
        return response

    return send


def expected(right: Right, kind: str) -> str:
    if kind == "a key":
        return right.any_key
    return right.naming if kind == "a key naming" else right.restricted


def named(right: Right) -> str:
    return " ".join(part for part in (right.route, right.detail, right.subject) if part)


@pytest.mark.parametrize("right", RIGHTS, ids=[named(right) for right in RIGHTS])
def test_each_credential_may_do_what_the_table_says_and_leaves_the_rest_as_it_was(
    stack: Stack, scene: Scene, headers: Headers, right: Right
) -> None:
    seen = {}
    for kind in reversed(KINDS):
        if right.route not in rights.LISTINGS:
            scene.memories = {owner: scene.remember(owner) for owner in OWNERS}
        send = sender(stack, scene, headers(kind, right.scope or "query"))
        seen[kind] = rights.outcome(scene, right, right.act(scene, send, right.subject))

    assert seen == {kind: expected(right, kind) for kind in KINDS}


@pytest.mark.parametrize("route", sorted({right.route for right in RIGHTS if right.scope}))
def test_without_its_scope_no_credential_may_do_anything(
    stack: Stack, scene: Scene, headers: Headers, route: str
) -> None:
    rows = [right for right in RIGHTS if right.route == route]
    others = [scope for scope in SCOPES if scope not in {rows[0].scope, "admin"}]

    refused = [
        right.act(scene, sender(stack, scene, headers(kind, *others)), right.subject)
        for right in rows[:3]
        for kind in KINDS
    ]

    # The Connect protocol has a form of its own for errors.
    assert {(answer.status_code, "missing_scope" in answer.text) for answer in refused} == {(403, True)}


def test_the_table_names_every_route_of_the_template_and_no_other() -> None:
    queues = {queue.name: "url" for queue in sam.read_queues(ROOT / "template.yaml", values=PARAMETERS)}
    application = sam.read(ROOT / "template.yaml", values={**PARAMETERS, **queues})
    routes = {f"{route.method} {route.path}" for function in application.functions for route in function.routes}

    assert {right.route for right in RIGHTS} == routes


def test_the_table_of_the_documents_is_the_tested_one() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")

    assert rights.as_markdown() in text
