"""API keys over HTTP: made, used, used up and revoked."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest

from local import cli
from local.stack import Stack
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.keys import fingerprint, new_api_key
from tests import patience
from tests.e2e.conftest import Loop, NewTenant, Tenant

Command = Callable[..., tuple[int, Any]]


@pytest.fixture
def remembrancer(tenant: Tenant, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line with the tenant's key at hand: its status, and its result as JSON or as text."""
    monkeypatch.setenv("REMEMBRANCER_URL", tenant.stack.url)
    monkeypatch.setenv("REMEMBRANCER_API_KEY", tenant.client.headers["X-API-Key"])
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str) -> tuple[int, Any]:
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
        text = capsys.readouterr().out
        return int(ended.value.code or 0), json.loads(text) if "--json" in arguments else text

    return run


def test_a_key_is_made_used_listed_and_revoked(tenant: Tenant) -> None:
    made = tenant.client.post("/v1/keys", json={"name": "reader", "scopes": ["query"]})
    key = made.json()
    with patience.client(tenant.stack, {"X-API-Key": key["api_key"]}) as reader:
        reads = reader.post("/memory/query", json={"query": "x"})
        writes = reader.post("/v1/memories", json={"agent_id": tenant.agent_id, "content": "x"})
        administers = reader.get("/v1/keys")
        listed = tenant.client.get("/v1/keys").json()["keys"]
        revoked = tenant.client.delete(f"/v1/keys/{key['key_id']}")
        moment = time.monotonic()
        while (refused := reader.post("/memory/query", json={"query": "x"})).status_code == 200:
            assert time.monotonic() - moment < 5

    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    assert reads.status_code == 200
    assert (writes.status_code, administers.status_code) == (403, 403)
    assert [known["name"] for known in listed] == ["test", "reader"]
    assert "api_key" not in listed[1]
    assert revoked.json()["revoked_at"]
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "invalid_credential")


def test_a_key_ends_at_its_moment_on_every_warm_function(tenant: Tenant) -> None:
    past = tenant.client.post("/v1/keys", json={"name": "past", "scopes": ["query"], "expires_at": "2020-01-01"})
    # On a busy machine a key may end before it was used on both.
    for seconds in (3, 10, 30):
        end = datetime.now(UTC) + timedelta(seconds=seconds)
        made = tenant.client.post(
            "/v1/keys", json={"name": "short", "scopes": ["query", "assemble"], "expires_at": end.isoformat()}
        ).json()
        with patience.client(tenant.stack, {"X-API-Key": made["api_key"]}) as short:
            own = replace(tenant, client=short)
            before = [own.query("x").status_code, own.assemble("x").status_code]
            was_in_time = datetime.now(UTC) < end
            while datetime.now(UTC) < end:
                time.sleep(0.02)
            after = [own.query("x"), own.assemble("x")]
        if was_in_time:
            break

    assert was_in_time
    assert datetime.fromisoformat(made["expires_at"]) == end
    assert before == [200, 200]
    assert [(one.status_code, one.json()["error"]["code"]) for one in after] == [(401, "invalid_credential")] * 2
    assert (past.status_code, past.json()["error"]["fields"]) == (400, {"expires_at": "must be in the future"})
    listed = [key["expires_at"] for key in tenant.client.get("/v1/keys").json()["keys"]]
    assert (listed[0], listed[-1]) == (None, made["expires_at"])


def until_limited(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """The first answer that is 429, or the last one: on a busy machine, a request that Redis counts late is free."""
    for _ in range(20):
        answer = ask()
        if answer.status_code == 429:
            break
    return answer


def test_an_organizations_rate_holds_whatever_its_keys_say(stack: Stack, loop: Loop) -> None:
    text = new_api_key()
    key = FirstKey("test", fingerprint(text), ("admin",))
    principal = loop.run(
        create_organization(stack.owner_database_url, name="Limited", project_id="p", environment="production", key=key)
    )
    with psycopg.connect(stack.owner_database_url) as connection:
        connection.execute("SELECT set_config('remembrancer.org_id', %s, true)", [str(principal.org_id)])
        connection.execute("UPDATE organizations SET rate_per_second = 0.01, rate_burst = 6")

    def ask(text: str, method: str, path: str, **body: Any) -> httpx.Response:
        return httpx.request(method, stack.url + path, headers={"X-API-Key": text}, json=body, timeout=30)

    made = [
        ask(text, "POST", "/v1/keys", name="another", scopes=["query"], rate_per_second=rate).json()["api_key"]
        for rate in (0, 1000)
    ]
    statuses = [ask(one, "POST", "/memory/query", query="x").status_code for one in made * 2]
    refused = [until_limited(partial(ask, one, "POST", "/memory/query", query="x")).status_code for one in made]

    assert statuses == [200] * 4
    assert refused == [429] * 2


def test_a_key_for_certain_end_users_cannot_manage_keys(new_tenant: NewTenant) -> None:
    tenant = new_tenant(end_users=("ada",))

    response = tenant.client.post("/v1/keys", json={"name": "x", "scopes": ["query"]}, headers={"X-End-User-ID": "ada"})

    assert response.status_code == 403


def test_a_key_for_certain_end_users_cannot_set_what_the_agent_is_told_for_all(new_tenant: NewTenant) -> None:
    tenant = new_tenant(end_users=("ada",))
    path, headers = f"/v1/agents/{tenant.agent_id}/directive", {"X-End-User-ID": "ada"}

    response = tenant.client.put(path, json={"text": "Be rude."}, headers=headers)

    assert (response.status_code, response.json()["error"]["code"]) == (403, "forbidden")
    assert tenant.client.post("/v1/agents", json={"name": "another"}, headers=headers).status_code == 403
    assert tenant.client.get(path, headers=headers).status_code == 404


def test_a_key_makes_none_that_may_do_more_than_itself(tenant: Tenant) -> None:
    limits = {"rate_per_second": 50, "rate_burst": 60}
    made = tenant.client.post("/v1/keys", json={"name": "deputy", "scopes": ["admin"], **limits}).json()
    with patience.client(tenant.stack, {"X-API-Key": made["api_key"]}) as deputy:
        faster = deputy.post("/v1/keys", json={"name": "x", "scopes": ["query"], "rate_per_second": 51})
        unlimited = deputy.post("/v1/keys", json={"name": "x", "scopes": ["query"], "rate_per_second": 0})
        like_itself = deputy.post("/v1/keys", json={"name": "x", "scopes": ["query"]}).json()

    assert [answer.status_code for answer in (faster, unlimited)] == [403, 403]
    assert faster.json()["error"]["code"] == "beyond_credential"
    assert faster.json()["error"]["fields"].keys() == {"rate_per_second"}
    assert (like_itself["rate_per_second"], like_itself["rate_burst"]) == (50, 60)


def test_who_asks_too_often_is_told_when_to_come_again(tenant: Tenant) -> None:
    limits = {"rate_per_second": 0.01, "rate_burst": 2}
    text = tenant.client.post("/v1/keys", json={"name": "slow", "scopes": ["query"], **limits}).json()["api_key"]
    with patience.client(tenant.stack, {"X-API-Key": text}) as slow:
        statuses = [slow.post("/memory/query", json={"query": "x"}).status_code for _ in range(2)]
        refused = until_limited(partial(slow.post, "/memory/query", json={"query": "x"}))

    assert statuses == [200, 200]
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "too_many_requests"
    assert 0 < int(refused.headers["retry-after"]) <= 101


def test_the_command_line_makes_lists_and_revokes_keys(remembrancer: Command) -> None:
    limits = ("--rate-per-second", "5", "--expires", "2100-01-01")
    options = ("--scope", "query", "--scope", "write", "--allow-end-user", "team-*", *limits)

    _, made = remembrancer("keys", "create", "proxy", *options, "--json")
    _, listed = remembrancer("keys", "list", "--json")
    status, table = remembrancer("keys", "list")
    _, revoked = remembrancer("keys", "revoke", made["key_id"], "--json")

    assert made["api_key"].startswith("rk_")
    assert (made["scopes"], made["end_users"], made["rate_burst"]) == (["query", "write"], ["team-*"], 10)
    assert [key["name"] for key in listed["keys"]] == ["test", "proxy"]
    assert made["api_key"] not in json.dumps(listed)
    assert made["expires_at"] == "2100-01-01T00:00:00+00:00"
    assert status == 0
    assert "team-*" in table
    assert "2100-01-01T00:00:00" in table
    assert revoked["revoked_at"]


def test_the_command_line_says_what_is_wrong_and_where(remembrancer: Command, tenant: Tenant) -> None:
    url = f"{tenant.stack.url}/v1/keys"
    without_scope = remembrancer("keys", "create", "proxy", "--json")
    without_name = remembrancer("keys", "create", "--json")
    nobodys = "5f5b3f2e-52a8-4d0e-b8f4-4f3a2c1de9a7"
    unknown = remembrancer("keys", "revoke", nobodys, "--json")

    assert without_scope == (1, {"error": f"POST {url} answers 400: scopes is required"})
    assert without_name == (1, {"error": "`keys create` needs a NAME"})
    assert unknown == (1, {"error": f"DELETE {url}/{nobodys} answers 404: There is no such key."})


def test_a_list_of_keys_cuts_and_wraps_nothing_in_a_narrow_terminal_or_a_pipe(
    remembrancer: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    people = [word for number in range(9) for word in ("--allow-end-user", f"guest-{number}")]
    _, made = remembrancer("keys", "create", "a key with a long name", "--scope", "query", *people, "--json")

    _, table = remembrancer("keys", "list")

    (row,) = (line for line in table.splitlines() if "a key with a long name" in line)
    assert row.split("  ")[0] == made["key_id"]
    assert ", ".join(made["end_users"]) in row
    assert len(table.splitlines()) == 3
