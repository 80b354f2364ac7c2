"""Numbered, forward-only SQL migrations under an advisory lock, each in its own transaction, recorded with checksum."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import psycopg
from psycopg import AsyncConnection

from remembrancer.errors import ConfigurationError

# An arbitrary number that every runner uses.
LOCK = 7_267_343_019_881

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migrations (
    number      integer PRIMARY KEY,
    name        text NOT NULL,
    sha256      text NOT NULL,
    applied_at  timestamptz NOT NULL DEFAULT now()
);
-- The number of the newest migration that code has to know to run on the schema from this one on; NULL: as before.
ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS oldest_code integer"""
# Also works on a ledger from before that column existed.
_APPLIED = """
SELECT number, sha256, coalesce((to_jsonb(m) ->> 'oldest_code')::integer, 0) FROM schema_migrations m"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One SQL file, `NNNN_name.sql`, applied once and never changed afterwards."""

    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Hex digest of the file's text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def oldest_code(self) -> int | None:
        """The number in a line `-- oldest code: NNNN`: code without the migration of that number cannot run on this
        one.

        None for an additive migration, on which all earlier code runs.
        """
        match = _OLDEST_CODE.search(self.text)
        return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """The migrations applied by this run, and the schema's current number."""

    applied: tuple[int, ...]
    current: int


def packaged() -> list[Migration]:
    """The migrations of this version, in order. Raises ConfigurationError for a gap or an invalid file name."""
    folder = resources.files(__package__) / "migrations"
    migrations = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not (match := _FILE.fullmatch(file.name)):
            raise ConfigurationError(f"A migration must be called NNNN_name.sql, not {file.name}")
        migrations.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    if [migration.number for migration in migrations] != list(range(1, len(migrations) + 1)):
        raise ConfigurationError("Migrations must be numbered 0001, 0002, … without gaps")
    return migrations


async def migrate(url: str, migrations: Sequence[Migration]) -> MigrationReport:
    """Applies missing migrations; safe to run concurrently.

    A database migrated by newer code is a success, so that older code can be deployed again: additive migrations keep
    it working. Raises ConfigurationError when a newer migration needs newer code, or an applied migration's text has
    changed; raises psycopg's error, with the migration's name in a note, when a statement fails, which is rolled back.
    """
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=10) as connection:
        await connection.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            await connection.execute(_LEDGER)
            done = await _applied(connection)
            _check(done, migrations)
            missing = [migration for migration in migrations if migration.number not in done]
            for migration in missing:
                await _apply(connection, migration)
        finally:
            await connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    return MigrationReport(tuple(migration.number for migration in missing), max(len(migrations), *done, 0))


async def check(url: str, migrations: Sequence[Migration]) -> int:
    """Returns the schema's number without changing anything.

    Raises ConfigurationError where `migrate` would refuse this schema, and psycopg's error without a ledger.
    """
    async with await AsyncConnection.connect(url, connect_timeout=10) as connection:
        done = await _applied(connection)
    _check(done, migrations)
    return max(done, default=0)


@dataclass(frozen=True, slots=True)
class _Applied:
    """The database's record of one migration."""

    sha256: str
    oldest_code: int


async def _applied(connection: AsyncConnection[tuple[object, ...]]) -> dict[int, _Applied]:
    cursor = await connection.execute(_APPLIED)
    return {int(str(row[0])): _Applied(str(row[1]), int(str(row[2]))) for row in await cursor.fetchall()}


def _check(done: Mapping[int, _Applied], migrations: Sequence[Migration]) -> None:
    known = {migration.number: migration for migration in migrations}
    for number, applied in sorted(done.items()):
        if number not in known:
            _require_code(number, applied.oldest_code, knows=len(known))
        elif known[number].sha256 != applied.sha256:
            raise ConfigurationError(f"Migration {number:04} was changed after it was applied; add a new one instead")
    missing = known.keys() - done.keys()
    if missing and min(missing) < max(done, default=0):
        raise ConfigurationError(f"The database has migration {max(done):04} without {min(missing):04} before it")


def _require_code(number: int, oldest_code: int, *, knows: int) -> None:
    if oldest_code > knows:
        raise ConfigurationError(
            f"The database is at migration {number:04}, which needs code that knows {oldest_code:04}; "
            f"this version knows {knows:04}"
        )


async def _apply(connection: AsyncConnection[tuple[object, ...]], migration: Migration) -> None:
    try:
        async with connection.transaction():
            await connection.execute(migration.text.encode())
            await connection.execute(
                "INSERT INTO schema_migrations (number, name, sha256, oldest_code) VALUES (%s, %s, %s, %s)",
                (migration.number, migration.name, migration.sha256, migration.oldest_code),
            )
    except psycopg.Error as error:
        error.add_note(f"in migration {migration.number:04}_{migration.name}")
        raise


_FILE = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_OLDEST_CODE = re.compile(r"^-- oldest code: (\d{4})$", re.MULTILINE)
