"""`remembrancer doctor` and `reembed` on servers that run, and without them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import psycopg
import pytest

from local.cli import main
from local.servers import Cache, PostgresServer
from remembrancer.adapters.postgres.migrations import migrate, packaged

NAMES = ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "REMEMBRANCER_URL", "REMEMBRANCER_API_KEY")


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--json"])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(capsys.readouterr().out)


def checks(result: dict[str, Any]) -> dict[str, tuple[bool, str]]:
    return {check["name"]: (check["ok"], check["advice"]) for check in result["checks"]}


def test_without_anything_the_doctor_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, result = run(capsys, "doctor", "--directory", str(tmp_path))

    found = checks(result)
    assert (status, result["healthy"]) == (1, False)
    assert found["Python"][0]
    assert found["packages"][0]
    for name in ("Postgres", "Redis", "API"):
        assert not found[name][0]
        assert "make run" in found[name][1]


async def migrated(server: PostgresServer) -> None:
    await migrate(server.owner_url, packaged())


def test_servers_that_run_are_found_healthy_and_a_role_that_sees_everything_is_not(
    postgres_server: PostgresServer,
    valkey_server: Cache,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asyncio.run(migrated(postgres_server))
    monkeypatch.setenv("DATABASE_URL", postgres_server.app_url)
    monkeypatch.setenv("OWNER_DATABASE_URL", postgres_server.owner_url)
    monkeypatch.setenv("REDIS_URL", valkey_server.url)
    _, healthy = run(capsys, "doctor", "--directory", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", postgres_server.superuser_url)
    _, unbound = run(capsys, "doctor", "--directory", str(tmp_path))

    for name in ("Postgres", "pgvector", "database role", "schema", "Redis"):
        assert checks(healthy)[name] == (True, ""), name
    assert not checks(unbound)["database role"][0]


NEWER = """
INSERT INTO schema_migrations (number, name, sha256, oldest_code) SELECT max(number) + 1, 'of_a_newer_release', 'x', {}
FROM schema_migrations"""


@pytest.mark.parametrize(("oldest_code", "fine"), [("NULL", True), ("max(number) + 1", False)])
def test_a_newer_schema_is_good_for_older_code_unless_it_needs_newer_code(
    postgres_server: PostgresServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    oldest_code: str,
    fine: bool,
) -> None:
    asyncio.run(migrated(postgres_server))
    monkeypatch.setenv("DATABASE_URL", postgres_server.app_url)
    monkeypatch.setenv("OWNER_DATABASE_URL", postgres_server.owner_url)
    with psycopg.connect(postgres_server.owner_url, autocommit=True) as connection:
        connection.execute(NEWER.format(oldest_code).encode())
        try:
            _, result = run(capsys, "doctor", "--directory", str(tmp_path))
        finally:
            connection.execute("DELETE FROM schema_migrations WHERE name = 'of_a_newer_release'")

    [schema] = [check for check in result["checks"] if check["name"] == "schema"]
    assert schema["ok"] is fine
    assert str(len(packaged()) + 1) in schema["found"]
    assert bool(schema["advice"]) is not fine


def test_servers_that_do_not_answer_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("REMEMBRANCER_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("REMEMBRANCER_API_KEY", "key")

    status, result = run(capsys, "doctor", "--directory", str(tmp_path))

    assert status == 1
    assert [checks(result)[name][0] for name in ("Postgres", "Redis", "API")] == [False] * 3


def test_reembed_without_a_database_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, result = run(capsys, "reembed", "--directory", str(tmp_path))

    assert status == 1
    assert "DATABASE_URL" in result["error"]
