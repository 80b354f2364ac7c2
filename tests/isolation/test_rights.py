"""Every cell of the table of who may do what to which, with every kind of credential, through the front door."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from local.stack import ROOT, Stack
from remembrancer.keys import fingerprint, new_api_key
from tests import patience
from tests.e2e.conftest import PROJECT, NewTenant
from tests.identity_provider import IdentityProvider
from tests.isolation import rights
from tests.isolation.rights import OWNERS, RIGHTS, USER, Right, Scene
from tests.served_routes import ROUTES

ENDLESS = 4_000_000_000
SCOPES = ("assemble", "query", "write", "admin")
KINDS = {
    "a key": {},
    "a key for all": {"X-End-User-ID": "*"},
    "a key naming": {"X-End-User-ID": USER},
    "a key that demands one": {"X-End-User-ID": USER},
    "a key for some": {"X-End-User-ID": USER},
    "a token": {},
}
"""What each says beside itself."""
Headers = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def rows(stack: Stack) -> Iterator[psycopg.Connection[Any]]:
    """Sees and writes every row."""
    with psycopg.connect(stack.postgres.superuser_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def scene(new_tenant: NewTenant, rows: psycopg.Connection[Any]) -> Scene:
    tenant = new_tenant()
    scene = Scene(tenant.client, tenant.org_id, tenant.agent_id, rows)
    scene.furnish()
    return scene


@pytest.fixture
def headers(provider: IdentityProvider, scene: Scene) -> Headers:
    """Of a new credential of this kind and these scopes."""

    def issue(kind: str, *scopes: str) -> dict[str, str]:
        if kind == "a token":
            place: dict[str, Any] = {"org_id": scene.org_id, "project_id": PROJECT, "environment": "production"}
            token = provider.token("ec-1", sub=USER, exp=ENDLESS, scope=" ".join(scopes), **place)
            return {"Authorization": f"Bearer {token}"}
        api_key = new_api_key()
        end_users = [f"{USER}*"] if kind == "a key for some" else None
        scene.rows.execute(
            "INSERT INTO api_keys (key_id, org_id, project_id, environment, name, key_sha256, scopes, end_users, "
            "end_user_required) VALUES (%s, %s, %s, 'production', 'right', %s, %s, %s, %s)",
            [
                uuid4(),
                scene.org_id,
                PROJECT,
                fingerprint(api_key),
                [*scopes, "all_users"] if kind == "a key for all" else list(scopes),
                end_users,
                kind == "a key that demands one",
            ],
        )
        return {"X-API-Key": api_key} | KINDS[kind]

    return issue


def sender(stack: Stack, scene: Scene, credential: dict[str, str]) -> rights.Send:
    """Sends requests with this credential, and looks whether a refused one has changed anything."""

    def send(method: str, path: str, **arguments: Any) -> httpx.Response:
        before = scene.state()
        with patience.client(stack, credential) as client:
            response = client.request(method, path, **arguments)
        if response.status_code >= 400 or '"error"' in response.text:
            assert scene.state() == before
        return response

    return send


def expected(right: Right, kind: str) -> str:
    return right.outcomes[min(list(KINDS).index(kind), len(right.outcomes) - 1)]


def named(right: Right) -> str:
    return " ".join(part for part in (right.route, right.detail, right.subject) if part)


# What is somebody else's is in `make test`, one's own and what is shared in `make test-all`.
ROWS = [
    pytest.param(right, id=named(right), marks=pytest.mark.long if right.subject in {rights.OWN, rights.SHARED} else ())
    for right in RIGHTS
]


@pytest.mark.parametrize("right", ROWS)
def test_each_credential_may_do_what_the_table_says_and_leaves_the_rest_as_it_was(
    stack: Stack, new_tenant: NewTenant, scene: Scene, headers: Headers, right: Right
) -> None:
    seen: dict[str, str] = {}
    is_changed = False
    for kind in reversed(KINDS):
        if right.subject == rights.ORGANIZATION:
            # The one before may be erased.
            tenant = new_tenant()
            scene.client, scene.org_id, scene.agent_id = tenant.client, tenant.org_id, tenant.agent_id
            scene.furnish()
        elif is_changed and right.route not in rights.LISTINGS:
            scene.furnish()
        send = sender(stack, scene, headers(kind, right.scope or "query", *rights.ALSO.get(right.route, ())))
        seen[kind] = rights.outcome(scene, right, right.act(scene, send, right.subject))
        # Who is refused leaves all as it was.
        is_changed = not seen[kind].startswith("4")

    assert seen == {kind: expected(right, kind) for kind in KINDS}


@pytest.mark.long
@pytest.mark.parametrize("route", sorted({right.route for right in RIGHTS if right.scope}))
def test_without_its_scope_no_credential_may_do_anything(
    stack: Stack, scene: Scene, headers: Headers, route: str
) -> None:
    rows = [right for right in RIGHTS if right.route == route]
    others = [scope for scope in SCOPES if scope not in {rows[0].scope, "admin"}]
    senders = [sender(stack, scene, headers(kind, *others)) for kind in KINDS]
    refused: list[httpx.Response] = []

    def send(method: str, path: str, **arguments: Any) -> httpx.Response:
        """By each in turn: who is refused leaves all as it was for the next."""
        refused.extend(one(method, path, **arguments) for one in senders)
        return refused[-1]

    for right in rows[:3]:
        right.act(scene, send, right.subject)

    assert len(refused) == len(rows[:3]) * len(KINDS)
    # The Connect protocol has a form of its own for errors.
    assert {(answer.status_code, "missing_scope" in answer.text) for answer in refused} == {(403, True)}


def test_of_a_batch_a_restricted_credential_writes_what_it_may(stack: Stack, scene: Scene, headers: Headers) -> None:
    """And is answered alike when it sends it again."""
    contents = [{"supersedes": scene.memories[owner]} for owner in OWNERS] + [{"user_id": "bob"}, {}]
    memories = [
        {"agent_id": scene.agent_id, "content": f"Note {number}.", **fields} for number, fields in enumerate(contents)
    ]
    credential = headers("a key for some", "write") | {"Idempotency-Key": "batch"}

    first, again = (
        httpx.post(f"{stack.url}/v1/memories/batch", json={"memories": memories}, headers=credential, timeout=30)
        for _ in range(2)
    )

    results = first.json()["results"]
    said = [result.get("error", {}).get("code", result["status"]) for result in results]
    assert said == ["accepted", "shared_read_only", "invalid_request", "end_user_not_allowed", "accepted"]
    assert again.json() == first.json()
    assert [scene.shown(results[at]["id"], rights.OWN)["user_id"] for at in (0, 4)] == [USER, USER]


def test_what_the_operator_replaced_a_shared_memory_by_is_forgotten_and_restored_alone(
    stack: Stack, scene: Scene, headers: Headers
) -> None:
    newer = scene.remember(rights.OWN, supersedes=scene.memories[rights.SHARED])
    credential = headers("a token", "write")

    deleted = httpx.delete(f"{stack.url}/v1/memories/{newer}", headers=credential, timeout=30)
    restored = httpx.post(f"{stack.url}/v1/memories/{newer}/restore", headers=credential, timeout=30)
    shared = httpx.delete(f"{stack.url}/v1/memories/{scene.memories[rights.SHARED]}", headers=credential, timeout=30)

    assert [answer.status_code for answer in (deleted, restored, shared)] == [200, 200, 403]
    assert scene.shown(scene.memories[rights.SHARED], rights.SHARED)["status"] == "superseded"


def test_two_end_users_of_one_key_have_idempotency_keys_of_their_own(
    stack: Stack, scene: Scene, headers: Headers
) -> None:
    key = headers("a key that demands one", "write") | {"Idempotency-Key": "note"}
    memory = {"agent_id": scene.agent_id, "content": "Somebody's own note."}

    ids = {
        user: httpx.post(
            f"{stack.url}/v1/memories", json=memory, headers=key | {"X-End-User-ID": user}, timeout=30
        ).json()["id"]
        for user in (USER, rights.OTHER)
    }

    assert ids[USER] != ids[rights.OTHER]
    assert scene.shown(ids[USER], rights.OWN)["user_id"] == USER
    assert scene.shown(ids[rights.OTHER], rights.ANOTHERS)["user_id"] == rights.OTHER


@pytest.mark.parametrize("name", ["*", "a*", "al*ce", "x" * 257])
def test_what_is_no_name_of_an_end_user_is_refused_wherever_it_stands(
    stack: Stack, scene: Scene, headers: Headers, provider: IdentityProvider, name: str
) -> None:
    key, place = headers("a key", "admin"), {"agent_id": scene.agent_id}
    memory = {**place, "content": "A note.", "user_id": name}
    claims: dict[str, Any] = {"org_id": scene.org_id, "project_id": PROJECT, "environment": "production"}
    token = provider.token("ec-1", sub=name, exp=ENDLESS, scope="query", **claims)
    url = stack.url

    answers = {
        "body": httpx.post(f"{url}/v1/memories", json=memory, headers=key, timeout=30),
        "header": httpx.get(f"{url}/v1/memories", params=place, headers=key | {"X-End-User-ID": name}, timeout=30),
        "query": httpx.get(f"{url}/v1/memories", params={"user_id": name}, headers=key, timeout=30),
        "export": httpx.get(f"{url}/v1/export", params={"user_id": name}, headers=key, timeout=30),
        "erasure": httpx.post(f"{url}/v1/erasures", json={"user_id": name}, headers=key, timeout=30),
        "token": httpx.get(f"{url}/v1/memories", headers={"Authorization": f"Bearer {token}"}, timeout=30),
    }

    # Where memories are read, `*` is no name but all end users, for whom this key lacks the scope.
    of_all = {"header", "query", "export"} if name == "*" else set()
    assert {place: answer.status_code for place, answer in answers.items()} == {
        **dict.fromkeys(answers, 400),
        **dict.fromkeys(of_all, 403),
        "token": 401,
    }
    assert {answers[place].json()["error"]["code"] for place in of_all} <= {"missing_scope"}
    named = [answer for place, answer in answers.items() if place not in {"token", *of_all}]
    assert all(answer.json()["error"].get("fields") for answer in named)


def test_the_table_names_every_route_and_no_other() -> None:
    assert {right.route for right in RIGHTS} == set(ROUTES)


def test_the_table_of_the_documents_is_the_tested_one() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")

    assert rights.as_markdown() in text
