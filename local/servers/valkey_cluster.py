"""Valkey in cluster mode: several nodes, each with a part of the slots, or one with all of them."""

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from redis import Redis
from redis.exceptions import RedisError

from local.servers import ports
from local.servers.errors import ServerError
from local.servers.valkey import HOST, ValkeyServer

SLOTS = 16384
_WAIT_SECONDS = 60.0
_PAUSE_SECONDS = 0.05


class ValkeyNode(ValkeyServer):
    """One node; nodes with the same parent directory have the same password."""

    def command(self, *arguments: object) -> Any:
        """The node's own answer, whatever the cluster knows."""
        with Redis(host=HOST, port=self.port, password=self._password) as client:
            return client.execute_command(*arguments)

    def knows_cluster(self) -> bool:
        """Whether the other nodes of an earlier start would find it where it was."""
        port = ports.noted_port(self._directory / "port")
        return (self._directory / "nodes.conf").exists() and port is not None and ports.is_free(port)

    def reset(self) -> None:
        """Forgets the cluster of an earlier start, and its data."""
        for name in ("nodes.conf", "dump.rdb"):
            (self._directory / name).unlink(missing_ok=True)

    @property
    def bus(self) -> int:
        """The port for other nodes; the usual one, 10,000 above the other, may be beyond the last port."""
        port = ports.noted_port(self._directory / "bus")
        if port is None:
            raise ServerError(f"{self._name} has not been started")
        return port

    def _password_file(self) -> Path:
        return self._directory.parent / "passwords.json"

    def _settings(self, port: int) -> str:
        # No node takes another one for dead because a busy machine let it wait: it would answer CLUSTERDOWN.
        return (
            f"{super()._settings(port)}cluster-enabled yes\ncluster-port {ports.kept_port(self._directory / 'bus')}\n"
            "cluster-node-timeout 60000\ncluster-require-full-coverage no\n"
        )


class ValkeyCluster:
    """A cluster of this many nodes; the first node stands for its configuration endpoint."""

    is_cluster = True

    def __init__(self, directory: Path, *, nodes: int = 1) -> None:
        self.directory = directory.absolute()
        self.nodes = [ValkeyNode(self.directory / f"node-{number}") for number in range(nodes)]

    @property
    def url(self) -> str:
        """The URL of the first node, including the password."""
        return self.nodes[0].url

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a function that uses it."""
        return {"REDIS_URL": self.url, "REDIS_CLUSTER": "true"}

    @property
    def port(self) -> int:
        """The port of the first node."""
        return self.nodes[0].port

    @property
    def ports(self) -> list[int]:
        """The port of each node."""
        return [node.port for node in self.nodes]

    @property
    def pid(self) -> int | None:
        """The process of the first node, None when it does not run."""
        return self.nodes[0].pid

    def start(self) -> None:
        """Returns when every node answers and has its slots; does nothing for nodes that run."""
        self.directory.mkdir(parents=True, exist_ok=True)
        is_known = all(node.is_running() or node.knows_cluster() for node in self.nodes)
        for node in self.nodes:
            if not is_known:
                node.reset()
            node.start()
        if not is_known:
            self._form()
        self.wait()

    def is_running(self) -> bool:
        """Whether every node runs."""
        return all(node.is_running() for node in self.nodes)

    def stop(self) -> None:
        """Ends all nodes."""
        for node in self.nodes:
            node.stop()

    def restart(self) -> None:
        """Stops and starts each node on its port, with its slots and without its data."""
        for node in self.nodes:
            node.restart()
        self.wait()

    def recall(self) -> bool:
        """Reads the URL of the cluster that was last started in this directory; False when there was none."""
        return self.nodes[0].recall()

    def wait(self) -> None:
        """Returns when every node takes the cluster for complete."""
        self._until(lambda: all(map(_is_complete, self.nodes)), "the nodes of the cluster do not find each other")

    def announce(self, ports: Sequence[int]) -> None:
        """Where clients are told to find each node. Returns when each node knows it of all."""
        for node, port in zip(self.nodes, ports, strict=True):
            node.command("CONFIG", "SET", "cluster-announce-port", port)
        self._until(
            lambda: all(_known_ports(node) == set(ports) for node in self.nodes),
            "the nodes of the cluster do not hear of each other's ports",
        )

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _form(self) -> None:
        first, count = self.nodes[0], len(self.nodes)
        for number, node in enumerate(self.nodes):
            start, end = (SLOTS * edge // count for edge in (number, number + 1))
            node.command("CLUSTER", "ADDSLOTSRANGE", start, end - 1)
            # Without it, nodes that meet one by one may take each other's epoch.
            node.command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            if node is not first:
                node.command("CLUSTER", "MEET", HOST, first.port, first.bus)

    @staticmethod
    def _until(is_so: Any, problem: str) -> None:
        deadline = time.monotonic() + _WAIT_SECONDS
        while not is_so():
            if time.monotonic() > deadline:
                raise ServerError(problem)
            time.sleep(_PAUSE_SECONDS)


Cache = ValkeyServer | ValkeyCluster
KINDS = {"server": 0, "cluster": 1, "cluster3": 3}
"""What `--cache` and CACHE may say, with the number of nodes in cluster mode."""


def cache_of(kind: str, directory: Path) -> Cache:
    """The cache of this kind."""
    nodes = KINDS[kind]
    return ValkeyCluster(directory, nodes=nodes) if nodes else ValkeyServer(directory)


def recalled_cache(directory: Path) -> Cache | None:
    """The cache that was last started in this directory, of whichever kind: the one that runs, if one does."""
    known = [cache for cache in (ValkeyServer(directory), ValkeyCluster(directory)) if cache.recall()]
    running = [cache for cache in known if not ports.is_free(cache.port)]
    return next(iter(running or known), None)


def _is_complete(node: ValkeyNode) -> bool:
    try:
        info = node.command("CLUSTER", "INFO").decode()
    except RedisError:
        return False
    return "cluster_state:ok" in info and f"cluster_slots_assigned:{SLOTS}" in info


def _known_ports(node: ValkeyNode) -> set[int]:
    """Of all nodes, as it would tell a client."""
    lines = node.command("CLUSTER", "NODES").decode().splitlines()
    return {int(line.split()[1].partition("@")[0].rpartition(":")[2]) for line in lines}
