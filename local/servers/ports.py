"""Chooses TCP ports, and finds the process that listens on a taken one."""

import contextlib
import random
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path

from local.servers.errors import PortTakenError, ServerError

# Below the range from which systems take the ports of outgoing connections, so that no connection takes a noted port.
_CANDIDATES = range(15_000, 32_000)
_LISTENING = "0A"


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As servers do: connections in TIME_WAIT do not count, listening sockets do.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError as error:
            raise ServerError(f"not allowed to listen on {host}:{port}") from error
        except OSError:
            return False
    return True


def free_port(hosts: Sequence[str] = ("127.0.0.1",)) -> int:
    """A random port that is free on all hosts; another process may take it before it is used."""
    for port in random.sample(_CANDIDATES, k=200):
        if all(is_free(port, host) for host in hosts):
            return port
    raise ServerError(f"found no free port on {', '.join(hosts)}")


def kept_port(path: Path, hosts: Sequence[str] = ("127.0.0.1",)) -> int:
    """The port noted in the file if it is still free, else a new one, which is noted."""
    port = noted_port(path)
    if port is None or not all(is_free(port, host) for host in hosts):
        port = free_port(hosts)
        path.write_text(f"{port}\n", encoding="ascii")
    return port


def noted_port(path: Path) -> int | None:
    """The port in the file, None when there is none."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return None


def require_free(port: int, hosts: Sequence[str] = ("127.0.0.1",), *, wanted_by: str) -> None:
    """Raises PortTakenError unless the port is free on all hosts."""
    for host in hosts:
        if not is_free(port, host):
            holder = describe_holder(port)
            raise PortTakenError(
                f"{wanted_by} needs port {port} on {host}, but {holder or 'another process'} has it: "
                "stop that process or choose another port"
            )


def describe_holder(port: int) -> str | None:
    """The process that listens on the port, as "process 12 (name)"; None when the system does not show it."""
    for pid in listeners(port):
        try:
            return f"process {pid} ({Path(f'/proc/{pid}/comm').read_text(encoding='utf-8').strip()})"
        except FileNotFoundError:
            continue
    return None


def listeners(port: int) -> list[int]:
    """The processes that listen on the port, as far as the system shows them: processes of other users only to root."""
    wanted = {f"socket:[{inode}]" for inode in _listening_inodes(port)}
    processes = Path("/proc").glob("[0-9]*") if wanted else ()
    return sorted(int(process.name) for process in processes if not wanted.isdisjoint(_open_files(process)))


def _open_files(process: Path) -> Iterable[str]:
    """The targets of the process's descriptors; none if it has ended or belongs to another user."""
    try:
        links = list((process / "fd").iterdir())
    except OSError:
        return
    for link in links:
        # Closed in the meantime: continue with the next descriptor.
        with contextlib.suppress(OSError):
            yield str(link.readlink())


def _listening_inodes(port: int) -> Iterable[str]:
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        if not table.exists():
            continue
        for line in table.read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if fields[3] == _LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]
