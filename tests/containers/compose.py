"""Starts the services of compose.yaml as processes, without a container engine.

Commands, environment, secrets, order and health checks are those of the file. What differs: the image is a folder
(`image.py`), the images of Postgres and Valkey are the servers of this machine, addresses are this machine's with free
ports, and `/run/secrets` is a folder.
"""

import json
import os
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import yaml

from local.servers import PostgresServer
from local.servers.postgres import APPLICATION, DATABASE, OWNER, SUPERUSER
from local.servers.postgres import binaries as postgres_binaries
from local.servers.secret import read as read_secret
from local.servers.valkey import binary as valkey_binary
from tests.containers.image import ROOT

START_SECONDS = 120.0
SECRETS = "/run/secrets"
_PORTS = {"8000": "PORT", "9464": "METRICS_PORT"}
STUB = """\
#!{python}
import json, os, socket, sys
words = sys.argv[1:]
assert words[0] == "compose", words
if words[1:4] == ["exec", "-T", "postgres"]:
    os.execvp(words[4], words[4:])
with socket.socket(socket.AF_UNIX) as door:
    door.connect({address!r})
    door.sendall(json.dumps(words[1:]).encode() + b"\\n")
    sys.exit(int(door.makefile().readline()))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(slots=True)
class Service:
    """A running service, with its ports by those of the container."""

    process: subprocess.Popen[bytes]
    ports: Mapping[str, int]

    def url(self, port: str, path: str) -> str:
        return f"http://127.0.0.1:{self.ports[port]}{path}"


@dataclass
class Compose:
    """What `docker compose` does with the file, as far as a test needs it."""

    image: Mapping[str, Any]
    folder: Path
    running: dict[str, Service] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.file = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
        self.postgres = PostgresServer(self.folder / "postgres")
        self.environment: dict[str, str] = {}
        self._bin = self.folder / "bin"
        self._bin.mkdir(parents=True)
        (self._bin / "valkey-server").symlink_to(valkey_binary())
        # The script finds the folder above its own.
        (self.folder / "containers").mkdir()
        for name in ("secrets.sh", "backup.sh", "restore.sh", "roles.sql"):
            shutil.copy2(ROOT / "containers" / name, self.folder / "containers" / name)
        self._valkey_port = free_port()

    def up(self, *names: str) -> None:
        """Starts services and what they depend on, and waits until they are healthy or have ended."""
        for name in names:
            self._start(name)

    def stop(self, *names: str, number: int = signal.SIGTERM) -> None:
        """Each process has to end by the signal, within the service's grace period."""
        for name in names:
            service = self.running.pop(name)
            service.process.send_signal(number)
            grace = float(self.file["services"][name].get("stop_grace_period", "10s").removesuffix("s"))
            # The web server sends itself the signal again when it has ended its work; as a container's first process
            # it would not die of that.
            assert service.process.wait(grace) in {0, -number}, self.log(name)

    def down(self) -> None:
        """Ends everything."""
        for name in list(self.running):
            self.running[name].process.kill()
            self.running.pop(name).process.wait(10)
        self.postgres.stop()

    def run(self, name: str, *arguments: str) -> str:
        """The output of `docker compose run --rm name arguments`."""
        return self._output(self._command(name, arguments), self._environment(name, {}))

    def script(self, name: str, *arguments: str) -> str:
        """The output of a script of containers/, for which `docker` is this object."""
        address = str(self.folder / "door")
        stub = self._bin / "docker"
        stub.write_text(STUB.format(python=sys.executable, address=address), encoding="utf-8")
        stub.chmod(0o755)
        environment = {
            "PATH": f"{self._bin}:{postgres_binaries() / 'bin'}:/usr/bin:/bin",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.postgres.port),
            "PGPASSWORD": self._superuser_password(),
        }
        with _Door(address, self._asked):
            return self._output(["sh", str(self.folder / "containers" / name), *arguments], environment)

    def _output(self, command: Sequence[str], environment: Mapping[str, str]) -> str:
        finished = subprocess.run(command, check=False, env=environment, cwd="/tmp", capture_output=True, text=True)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def _asked(self, words: Sequence[str]) -> None:
        """What the scripts ask of `docker compose`."""
        match list(words):
            case ["stop", *names]:
                self.stop(*names)
            case ["run", "--rm", name, *arguments]:
                self.run(name, *arguments)
            case ["up", "--detach", "--wait", *names]:
                self.up(*names)
            case _:
                raise AssertionError(f"docker compose {' '.join(words)}")

    def _start(self, name: str) -> None:
        if name in self.running or (name == "postgres" and self.postgres_is_up):
            return
        service = self.file["services"][name]
        for other, wanted in service.get("depends_on", {}).items():
            self._start(other)
            assert wanted["condition"] in {"service_healthy", "service_completed_successfully"}
        if name == "postgres":
            self._start_postgres()
        elif name == "valkey":
            self._start_valkey(service)
        elif name == "migrate":
            self.run("migrate")
        else:
            self._start_own(name, service)

    @property
    def postgres_is_up(self) -> bool:
        return (self.folder / ".secrets").exists()

    def _start_postgres(self) -> None:
        """An empty cluster, then what the image's entrypoint does: the database, and the script of the first start."""
        self.postgres.start()
        with psycopg.connect(self.postgres.url(SUPERUSER, "template1"), autocommit=True) as connection:
            for statement in (
                f"DROP DATABASE {DATABASE}",
                f"DROP OWNED BY {APPLICATION}",
                f"DROP ROLE {APPLICATION}",
                f"DROP ROLE {OWNER}",
                f"CREATE DATABASE {DATABASE} TEMPLATE template0",
            ):
                connection.execute(statement.encode())
        subprocess.run(["sh", str(self.folder / "containers" / "secrets.sh")], check=True, cwd="/tmp")
        hosts = {
            "@postgres:5432": f"@127.0.0.1:{self.postgres.port}",
            "@valkey:6379": f"@127.0.0.1:{self._valkey_port}",
        }
        for path in (self.folder / ".secrets").iterdir():
            text = path.read_text(encoding="utf-8")
            for host, here in hosts.items():
                text = text.replace(host, here)
            path.write_text(text, encoding="utf-8")
        mounted = dict(volume.split(":")[:2] for volume in self.file["services"]["postgres"]["volumes"])
        assert mounted["./containers/roles.sql"].startswith("/docker-entrypoint-initdb.d/")
        script = self._secret_paths((self.folder / "containers" / "roles.sql").read_text(encoding="utf-8"))
        psql = [str(postgres_binaries() / "bin" / "psql"), self.postgres.url(SUPERUSER), "--no-psqlrc", "--quiet"]
        subprocess.run(psql, check=True, input=script, text=True)
        self.wait("postgres", {**os.environ, "PGPORT": str(self.postgres.port)}, postgres_binaries() / "bin")

    def _start_valkey(self, service: Mapping[str, Any]) -> None:
        shell, option, text = service["command"]
        text = self._secret_paths(text.replace("$$", "$"))
        text = text.replace("valkey-server -", f"valkey-server - --bind 127.0.0.1 --port {self._valkey_port}")
        environment = {"PATH": f"{self._bin}:/usr/bin:/bin"}
        process = self._spawn("valkey", [shell, option, text], environment)
        self.running["valkey"] = Service(process, {})
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._valkey_port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(self.log("valkey"))

    def _start_own(self, name: str, service: Mapping[str, Any]) -> None:
        ports = {port: free_port() for port in _PORTS}
        environment = self._environment(name, ports)
        process = self._spawn(name, self._command(name, ()), environment)
        self.running[name] = Service(process, ports)
        self.wait(name, environment, None)

    def wait(self, name: str, environment: Mapping[str, str], programs: Path | None) -> None:
        """Until the service's health check succeeds."""
        kind, *words = self.file["services"][name]["healthcheck"]["test"]
        assert kind == "CMD"
        for port, here in self.running[name].ports.items() if name in self.running else ():
            words = [word.replace(f":{port}/", f":{here}/") for word in words]
        if programs:
            words[0] = str(programs / words[0])
        end = time.monotonic() + START_SECONDS
        while subprocess.run(words, check=False, env=environment, cwd="/tmp", capture_output=True).returncode:
            ended = name in self.running and self.running[name].process.poll() is not None
            assert not ended and time.monotonic() < end, f"{name} is not healthy: {self.log(name)}"
            time.sleep(0.2)

    def _spawn(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, cwd="/tmp", stdout=log, stderr=log)

    def _command(self, name: str, arguments: Sequence[str]) -> list[str]:
        service = self.file["services"][name]
        entrypoint = service.get("entrypoint", self.image["entrypoint"])
        words = [*entrypoint, *(arguments or service.get("command", self.image["command"]))]
        # As the image would find it on its own path.
        words[0] = shutil.which(words[0], path=self.image["environment"]["PATH"]) or words[0]
        return words

    def _environment(self, name: str, ports: Mapping[str, int]) -> dict[str, str]:
        service = self.file["services"][name]
        for secret in service.get("secrets", ()):
            assert (self.folder / self.file["secrets"][secret]["file"]).is_file()
        own = {key: self._secret_paths(str(value)) for key, value in service.get("environment", {}).items()}
        listen = {_PORTS[port]: str(here) for port, here in ports.items()}
        return {**self.image["environment"], **own, **listen, **self.environment}

    def _secret_paths(self, text: str) -> str:
        return text.replace(SECRETS, str(self.folder / ".secrets"))

    def _superuser_password(self) -> str:
        passwords = read_secret(self.folder / "postgres" / "passwords.json")
        assert passwords is not None
        return passwords[SUPERUSER]


class _Door:
    """Answers the stub of `docker` with a status, on a thread, while the context lasts."""

    def __init__(self, address: str, asked: Any) -> None:
        Path(address).unlink(missing_ok=True)

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    asked(json.loads(self.rfile.readline()))
                    self.wfile.write(b"0\n")
                except BaseException as error:
                    self.wfile.write(b"1\n")
                    failures.append(error)

        failures: list[BaseException] = []
        self._failures = failures
        self._server = socketserver.UnixStreamServer(address, Handler)

    def __enter__(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self._failures:
            raise self._failures[0]
