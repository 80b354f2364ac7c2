"""The audit trail through the front door, and by its command."""

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from local.cli import main
from tests.e2e.conftest import NewTenant, Tenant


def command(tenant: Tenant, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The status of `remembrancer audit` with the tenant's key."""
    monkeypatch.setenv("REMEMBRANCER_URL", tenant.stack.url)
    monkeypatch.setenv("REMEMBRANCER_API_KEY", tenant.client.headers["X-API-Key"])
    with pytest.raises(SystemExit) as ended:
        main(["audit", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def audit_all(tenant: Tenant) -> None:
    with psycopg.connect(tenant.stack.postgres.superuser_url) as connection:
        settings = 'UPDATE organizations SET settings = settings || \'{"audit": "all"}\' WHERE org_id = %s'
        connection.execute(settings, [tenant.org_id])


def exported(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_changes_and_reads_are_exported_and_verified_and_an_edited_file_is_refused(
    tenant: Tenant,
    new_tenant: NewTenant,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    audit_all(tenant)
    first, last = tmp_path / "first.jsonl", tmp_path / "last.jsonl"
    (memory_id,) = tenant.remember("The ferry leaves at nine.", user_id="isla-mackay")
    isla = {"X-End-User-ID": "isla-mackay"}
    assert command(tenant, monkeypatch, "export", str(first)) == 0
    tenant.client.get(f"/v1/memories/{memory_id}", headers=isla)
    # Changes nothing, and answers with the text.
    tenant.client.post(f"/v1/memories/{memory_id}/unsupersede", headers=isla, json={})
    tenant.complete("When does the ferry leave?", user_id="isla-mackay")
    tenant.client.delete(f"/v1/memories/{memory_id}", headers=isla)
    tenant.drain()

    assert command(tenant, monkeypatch, "export", str(last)) == 0
    *entries, checkpoint = exported(last)

    told = {(one["action"], one["actor"]) for one in entries}
    listed = tenant.client.get("/v1/keys").json()["keys"]
    (key_id,) = [key["key_id"] for key in listed]
    assert {
        ("memory.created", key_id),
        ("getMemory", key_id),
        ("unsupersedeMemory", key_id),
        ("assembleContext", key_id),
        ("memory.deleted", key_id),
    } <= told
    assert {one["subject"] for one in entries if one.get("object") == memory_id} == {
        one["subject"] for one in entries if one["action"] == "assembleContext"
    }
    assert "isla-mackay" not in last.read_text(encoding="utf-8")
    assert command(tenant, monkeypatch, "verify", str(last), "--earlier", str(first)) == 0
    key = checkpoint["checkpoint"]["public_key"]
    assert command(tenant, monkeypatch, "verify", str(last), "--public-key", key) == 0
    assert command(tenant, monkeypatch, "verify", str(last), "--public-key", "00" * 32) == 1
    edited = [
        json.dumps({**one, "actor": "nobody"} if one.get("object") == memory_id else one) for one in exported(last)
    ]
    last.write_text("\n".join(edited), encoding="utf-8")
    capsys.readouterr()
    assert command(tenant, monkeypatch, "verify", str(last), "--json") == 1
    assert json.loads(capsys.readouterr().out)["problems"]
    assert command(tenant, monkeypatch, "verify", str(first)) == 0
    first.write_text(first.read_text(encoding="utf-8").partition('{"checkpoint')[0], encoding="utf-8")
    assert command(tenant, monkeypatch, "verify", str(first)) == 1


def test_who_is_no_administrator_of_all_gets_nothing(new_tenant: NewTenant) -> None:
    without = new_tenant(scopes=("query", "write", "all_users"))
    restricted = new_tenant(scopes=("admin",), end_users=("ada",))
    narrow, whole = new_tenant(scopes=("admin",)), new_tenant()

    asked = [(without, "*"), (restricted, "ada"), (narrow, "*"), (whole, ""), (whole, "ada")]
    answers = [
        tenant.client.get("/v1/audit", headers={"X-End-User-ID": named} if named else {}) for tenant, named in asked
    ]

    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in answers] == [
        (403, "missing_scope"),
        (403, "forbidden"),
        (403, "missing_scope"),
        (403, "forbidden"),
        (403, "forbidden"),
    ]
    assert whole.client.get("/v1/audit", headers={"X-End-User-ID": "*"}).status_code == 200
