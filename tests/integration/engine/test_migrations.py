"""The migration runner on databases of its own."""

import asyncio
import importlib.util
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest
from awslambdaric.lambda_context import LambdaContext

from local.servers import PostgresServer
from local.servers.postgres import APPLICATION, OWNER
from remembrancer.adapters.postgres import migrations
from remembrancer.adapters.postgres.migrations import Migration, MigrationReport, migrate, packaged
from remembrancer.errors import ConfigurationError
from remembrancer.runtime.after_response import AfterResponse
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.tasks.handler import TaskFailed, task_handler

FIRST = Migration(1, "first", "CREATE TABLE first (number integer)")
SECOND = Migration(2, "second", "CREATE TABLE second (number integer); INSERT INTO first VALUES (2)")
BROKEN = Migration(2, "broken", "CREATE TABLE second (number integer); INSERT INTO nowhere VALUES (2)")


def tables(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    return {row[0] for row in rows}


async def test_an_empty_database_gets_every_migration_and_a_second_run_none(empty_url: str) -> None:
    expected = tuple(migration.number for migration in packaged())

    first = await migrate(empty_url, packaged())
    second = await migrate(empty_url, packaged())

    assert expected
    assert first == MigrationReport(expected, expected[-1])
    assert second == MigrationReport((), expected[-1])
    assert {"memories", "memory_vectors", "term_documents", "term_blocks"} <= tables(empty_url)


async def test_a_new_migration_is_applied_to_a_database_that_has_the_older_ones(empty_url: str) -> None:
    await migrate(empty_url, [FIRST])

    report = await migrate(empty_url, [FIRST, SECOND])

    assert report == MigrationReport((2,), 2)
    assert tables(empty_url) == {"first", "second", "schema_migrations"}


async def test_runners_at_once_apply_each_migration_once(empty_url: str) -> None:
    reports = await asyncio.gather(*(migrate(empty_url, [FIRST, SECOND]) for _ in range(4)))

    assert sorted(report.applied for report in reports) == [(), (), (), (1, 2)]
    with psycopg.connect(empty_url) as connection:
        assert connection.execute("SELECT number FROM first").fetchall() == [(2,)]


async def test_a_migration_changed_after_it_was_applied_is_refused(empty_url: str) -> None:
    await migrate(empty_url, [FIRST])

    with pytest.raises(ConfigurationError, match="0001 was changed after it was applied"):
        await migrate(empty_url, [replace(FIRST, text=FIRST.text + " "), SECOND])

    assert tables(empty_url) == {"first", "schema_migrations"}


async def test_a_failing_migration_leaves_nothing_and_keeps_those_before_it(empty_url: str) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable) as raised:
        await migrate(empty_url, [FIRST, BROKEN])

    assert raised.value.__notes__ == ["in migration 0002_broken"]
    assert tables(empty_url) == {"first", "schema_migrations"}
    assert await migrate(empty_url, [FIRST, SECOND]) == MigrationReport((2,), 2)


async def test_a_migration_that_cannot_be_recorded_is_undone(empty_url: str) -> None:
    unrecorded = Migration(2, "second", f"{SECOND.text}; ALTER TABLE schema_migrations ADD CHECK (number < 2)")

    with pytest.raises(psycopg.errors.CheckViolation):
        await migrate(empty_url, [FIRST, unrecorded])

    assert tables(empty_url) == {"first", "schema_migrations"}


async def test_after_a_failure_the_lock_is_free(empty_url: str) -> None:
    with pytest.raises(psycopg.errors.UndefinedTable):
        await migrate(empty_url, [FIRST, BROKEN])

    async with asyncio.timeout(20):
        report = await migrate(empty_url, [FIRST])

    assert report == MigrationReport((), 1)


async def test_older_code_finds_a_newer_schema_good(empty_url: str) -> None:
    newer = [*packaged(), Migration(len(packaged()) + 1, "next", "ALTER TABLE memories ADD COLUMN next text")]
    await migrate(empty_url, newer)

    report = await migrate(empty_url, packaged())

    assert report == MigrationReport((), len(newer))
    assert await migrate(empty_url, newer) == MigrationReport((), len(newer))


async def test_older_code_is_refused_by_a_schema_that_needs_newer_code(empty_url: str) -> None:
    third = Migration(3, "third", "-- Drops what nobody reads any more.\n-- oldest code: 0002\nDROP TABLE first")
    await migrate(empty_url, [FIRST, SECOND, third])

    with pytest.raises(ConfigurationError, match="0003, which needs code that knows 0002; this version knows 0001"):
        await migrate(empty_url, [FIRST])

    assert await migrate(empty_url, [FIRST, SECOND]) == MigrationReport((), 3)


async def test_older_code_still_refuses_a_changed_migration_that_it_knows(empty_url: str) -> None:
    await migrate(empty_url, [FIRST, SECOND])

    with pytest.raises(ConfigurationError, match="0001 was changed after it was applied"):
        await migrate(empty_url, [replace(FIRST, text=FIRST.text + " ")])


async def test_a_ledger_of_releases_that_kept_no_oldest_code_gets_the_column(empty_url: str) -> None:
    await migrate(empty_url, [FIRST, SECOND])
    with psycopg.connect(empty_url) as connection:
        connection.execute("ALTER TABLE schema_migrations DROP COLUMN oldest_code")

    assert await migrate(empty_url, [FIRST]) == MigrationReport((), 2)


async def test_a_gap_beneath_a_newer_migration_is_refused(empty_url: str) -> None:
    await migrate(empty_url, [FIRST, SECOND])
    with psycopg.connect(empty_url) as connection:
        connection.execute("DELETE FROM schema_migrations WHERE number = 1")

    with pytest.raises(ConfigurationError, match="0002 without 0001"):
        await migrate(empty_url, [FIRST])


@pytest.fixture
def relocated(tmp_path: Path) -> Iterator[ModuleType]:
    """The runner's own code as a package elsewhere, with a folder of migrations that a test fills."""
    package = tmp_path / "relocated_postgres"
    (package / "migrations").mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(str(migrations.__file__), package / "migrations.py")
    for name, place in (("relocated_postgres", "__init__.py"), ("relocated_postgres.migrations", "migrations.py")):
        specification = importlib.util.spec_from_file_location(name, package / place)
        assert specification is not None
        assert specification.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(sys.modules[name])
    yield sys.modules["relocated_postgres.migrations"]
    for name in ("relocated_postgres", "relocated_postgres.migrations"):
        del sys.modules[name]


def fill(module: ModuleType, *names: str) -> None:
    for name in names:
        (Path(str(module.__file__)).parent / "migrations" / name).write_text("SELECT 1", encoding="utf-8")


def test_migrations_come_in_the_order_of_their_numbers(relocated: ModuleType) -> None:
    fill(relocated, "0002_second.sql", "0001_first.sql", "0003_third.sql")

    found = relocated.packaged()

    assert [(migration.number, migration.name) for migration in found] == [(1, "first"), (2, "second"), (3, "third")]


@pytest.mark.parametrize(
    "names",
    [
        ("0001_first.sql", "0003_third.sql"),
        ("0002_second.sql",),
        ("0001_first.sql", "0001_other.sql"),
        ("0000_nothing.sql", "0001_first.sql"),
    ],
    ids=["a gap", "no first one", "one number twice", "a zero"],
)
def test_numbers_out_of_order_are_refused(relocated: ModuleType, names: tuple[str, ...]) -> None:
    fill(relocated, *names)

    with pytest.raises(ConfigurationError, match="without gaps"):
        relocated.packaged()


@pytest.mark.parametrize("name", ["1_first.sql", "0001-first.sql", "0001_First.sql", "0001_first.sql.orig", "notes"])
def test_a_file_name_out_of_form_is_refused(relocated: ModuleType, name: str) -> None:
    fill(relocated, name)

    with pytest.raises(ConfigurationError, match=r"NNNN_name\.sql"):
        relocated.packaged()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.mine (number integer)",
        "CREATE SCHEMA mine",
        "ALTER TABLE memories ADD COLUMN mine integer",
        "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE memories NO FORCE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON memories USING (true)",
        "DROP POLICY one_organization ON memories",
        "DROP TABLE memory_relations",
        "TRUNCATE applied_events",
        "CREATE INDEX ON memories (content)",
        "CREATE OR REPLACE FUNCTION current_org() RETURNS uuid LANGUAGE sql RETURN gen_random_uuid()",
        "CREATE ROLE mine",
        f"ALTER ROLE {APPLICATION} BYPASSRLS",
        f"SET ROLE {OWNER}",
        "SET session_replication_role = replica",
        "SELECT * FROM schema_migrations",
        "DELETE FROM schema_migrations",
        "DELETE FROM embedding_models",
        "SELECT * FROM memory_vectors_00",
        "COPY memories TO PROGRAM 'cat'",
    ],
)
async def test_the_application_role_changes_no_definition(migrated: PostgresServer, statement: str) -> None:
    async with await psycopg.AsyncConnection.connect(migrated.app_url) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute(statement.encode())


async def test_the_application_role_owns_nothing_and_bypasses_nothing(migrated: PostgresServer) -> None:
    async with await psycopg.AsyncConnection.connect(migrated.app_url) as connection:
        role = await connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles "
            "WHERE rolname = current_user"
        )
        owned = await connection.execute("SELECT relname FROM pg_class WHERE relowner = current_user::regrole")

        assert await role.fetchall() == [(False, False, False, False, False)]
        assert await owned.fetchall() == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("INSERT INTO notes SELECT 1, 'Ada is allergic to fish.' FROM generate_series(1, 2)", "23505: duplicate key"),
        ("SELECT 'Ada is allergic to fish.'::integer", "22P02$"),
        ("SELECT * FROM nowhere", '42P01: relation "nowhere" does not exist'),
    ],
)
def test_what_is_told_of_a_failure_quotes_no_row_and_no_value(
    empty_url: str, caplog: pytest.LogCaptureFixture, statement: str, told: str
) -> None:
    async def task(event: Mapping[str, Any]) -> dict[str, Any]:
        async with await psycopg.AsyncConnection.connect(empty_url) as connection:
            await connection.execute("CREATE TABLE notes (number integer PRIMARY KEY, note text)")
            await connection.execute(statement.encode())
        return {}

    loop = LoopThread()
    handler = task_handler({"task": task}, loop=loop, after_response=AfterResponse(loop, None))

    with pytest.raises(TaskFailed, match=told) as raised:
        handler({}, LambdaContext("invocation", {}, {}, int((time.time() + 60) * 1000)))

    assert "allergic" not in str(raised.value)
    assert "allergic" not in str([vars(record) for record in caplog.records])
