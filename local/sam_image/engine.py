"""The container engine: a running one, else one that we start, which ends with this process."""

import fcntl
import os
import shutil
import signal
import socket
import struct
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import docker  # type: ignore[import-untyped]
from docker.errors import DockerException  # type: ignore[import-untyped]
from requests.exceptions import RequestException

from local.sam_image import debian
from local.sam_image.errors import ContainersUnavailableError
from local.servers.process import ServerCommand, ServerProcess

# One for the machine, like its network bridge; short, since a socket's path may have 107 characters; and outside of the
# repository, since images contain files that copies of the repository must not contain, such as devices.
_FOLDER = Path("/var/lib/remembrancer-docker")
_DATA = _FOLDER / "data"
_PACKAGES = {"docker.io": "dockerd", "containerd": "containerd"}
_PURPOSE = "A container engine"
_DEFAULT_ADDRESS = "unix:///var/run/docker.sock"
_START_SECONDS = 60.0
_CALL_SECONDS = 300
_PING_SECONDS = 5
_GET_INTERFACE_ADDRESS = 0x8915


class ContainerEngine:
    """A Docker engine while the context lasts.

    The engine that DOCKER_HOST or the usual socket names is used when it answers. Otherwise dockerd is started as root,
    empty, and without touching the machine's packet filter: its containers can reach only this machine. This
    engine is stopped at the end, and if this process dies; its data is deleted. Raises ContainersUnavailableError, and
    ServerError when dockerd does not start.
    """

    def __init__(self) -> None:
        self._process = ServerProcess("Docker", _FOLDER, ((signal.SIGTERM, 30.0),))
        self._client: Any = None
        self.address = ""
        self.is_own = False

    @property
    def client(self) -> Any:
        """The client of the Docker library, connected to this engine."""
        if self._client is None:
            raise ContainersUnavailableError("the container engine has not been started")
        return self._client

    @property
    def bridge_address(self) -> str:
        """This machine's address on the containers' default network; the address behind `host-gateway`."""
        network = self.client.networks.get("bridge").attrs
        # An engine that has just created its bridge does not report the address, but the interface has it.
        gateway = network["IPAM"]["Config"][0].get("Gateway")
        return str(gateway) if gateway else _address_of(network["Options"]["com.docker.network.bridge.name"])

    def has_image(self, name: str) -> bool:
        """Whether the engine has the image already."""
        return bool(self.client.images.list(name=name))

    def __enter__(self) -> Self:
        address = os.environ.get("DOCKER_HOST", _DEFAULT_ADDRESS)
        if not _answers(address):
            debian.require(_PACKAGES, purpose=_PURPOSE)
        # Installing it starts it where the system has a service manager.
        if not _answers(address):
            address = self._start()
        self.address = address
        self._client = docker.DockerClient(base_url=address, timeout=_CALL_SECONDS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        client, self._client = self._client, None
        try:
            if client is not None:
                client.close()
        finally:
            self._process.stop()
            if self.is_own:
                shutil.rmtree(_DATA, ignore_errors=True)

    def _start(self) -> str:
        if sys.platform != "linux" or os.geteuid() != 0:
            raise ContainersUnavailableError(
                f"{_PURPOSE} does not answer, and one can only be started on Linux as root: start Docker, or name its "
                "address in DOCKER_HOST"
            )
        _FOLDER.mkdir(mode=0o700, exist_ok=True)
        address = f"unix://{_FOLDER / 'docker.sock'}"
        with self._process.claim.held(self._process.stop_signals) as lock:
            # We have the lock, so the process that wrote this has ended.
            (_FOLDER / "docker.pid").unlink(missing_ok=True)
            shutil.rmtree(_DATA, ignore_errors=True)
            self._process.start(self._command(address), lock, lambda _: _answers(address), _START_SECONDS)
        self.is_own = True
        return address

    def _command(self, address: str) -> ServerCommand:
        program = debian.find("dockerd")
        if program is None:
            raise ContainersUnavailableError("dockerd is not in the search path")
        places = (f"--data-root={_DATA}", f"--exec-root={_FOLDER / 'exec'}")
        network = ("--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false")
        return ServerCommand(
            (program, f"--host={address}", f"--pidfile={_FOLDER / 'docker.pid'}", *places, *network),
            {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"},
        )


def _address_of(interface: str) -> str:
    """The IPv4 address of a network interface, by netdevice(7); OSError when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("256s", interface.encode())
        return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _GET_INTERFACE_ADDRESS, request)[20:24])


def _answers(address: str) -> bool:
    path = address.removeprefix("unix://")
    if path != address and not _listens(path):
        return False
    try:
        client = docker.DockerClient(base_url=address, timeout=_PING_SECONDS)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except (DockerException, RequestException):
        return False


def _listens(path: str) -> bool:
    """Whether a server listens; checked first, because Docker's client otherwise leaves its socket open."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PING_SECONDS)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True
