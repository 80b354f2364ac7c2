"""The cache in cluster mode: three real nodes, each with a third of the slots."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from redis import Redis
from redis.crc import key_slot

from local.servers import ValkeyServer
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change, Directive
from remembrancer.errors import StoreError, StoreUnavailable
from tests.integration.engine import certificates
from tests.integration.engine.tls_front import TlsFront

SLOTS = 16384
PASSWORD = "shared"


class Node(ValkeyServer):
    """One member; its bus has a port of its own, as its usual place may be beyond the last port."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        directory.mkdir()
        (directory / "passwords.json").write_text(json.dumps({"default": PASSWORD}))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.bus = free.getsockname()[1]

    def command(self, *arguments: object) -> object:
        with Redis(port=self.port, password=PASSWORD) as client:
            answer: object = client.execute_command(*arguments)
            return answer

    def known_ports(self) -> set[int]:
        """Of all nodes, as it would tell a client."""
        # redis-py makes a dictionary of it, by address.
        known = self.command("CLUSTER NODES")
        assert isinstance(known, dict)
        return {int(address.rpartition(":")[2]) for address in known}

    def _write_configuration(self, port: int) -> Path:
        path = super()._write_configuration(port)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"cluster-enabled yes\ncluster-port {self.bus}\n")
            # No node takes another for dead because a busy machine let it wait: it would answer CLUSTERDOWN.
            file.write("cluster-node-timeout 60000\ncluster-require-full-coverage no\n")
        return path


class Cluster:
    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.nodes[0].port}/0"

    def form(self) -> None:
        first = self.nodes[0]
        for number, node in enumerate(self.nodes):
            start, end = (SLOTS * edge // len(self.nodes) for edge in (number, number + 1))
            node.command("CLUSTER", "ADDSLOTSRANGE", start, end - 1)
            if node is not first:
                node.command("CLUSTER", "MEET", "127.0.0.1", first.port, first.bus)
        self.wait()

    def wait(self) -> None:
        """Until every node takes the cluster for whole."""
        deadline = time.monotonic() + 60
        while not all(self._is_complete(node) for node in self.nodes):
            assert time.monotonic() < deadline, "the nodes do not find each other"
            time.sleep(0.05)

    def _is_complete(self, node: Node) -> bool:
        info = str(node.command("CLUSTER", "INFO"))
        return "cluster_state:ok" in info and f"cluster_slots_assigned:{SLOTS}" in info

    def announce(self, ports: Sequence[int]) -> None:
        """Where clients are told to find each node; 0 is its own port. Returns when each knows it of all."""
        for node, port in zip(self.nodes, ports, strict=True):
            node.command("CONFIG", "SET", "cluster-announce-port", port)
        wanted = {port or node.port for node, port in zip(self.nodes, ports, strict=True)}
        deadline = time.monotonic() + 60
        while any(node.known_ports() != wanted for node in self.nodes):
            assert time.monotonic() < deadline, "the nodes do not hear of each other's ports"
            time.sleep(0.05)

    def move(self, slot: int, source: Node, target: Node) -> None:
        """An empty slot, as an operator's tool moves it: importing makes the new owner's claim the newest one."""
        source_id, target_id = source.command("CLUSTER", "MYID"), target.command("CLUSTER", "MYID")
        target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
        source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
        for node in (target, source, *self.nodes):
            node.command("CLUSTER", "SETSLOT", slot, "NODE", target_id)

    def owner(self, key: str) -> Node:
        return self.nodes[key_slot(key.encode()) * len(self.nodes) // SLOTS]

    def key_of(self, node: Node) -> str:
        """A new one that lives there."""
        return next(key for key in iter(lambda: f"key-{uuid4()}", "") if self.owner(key) is node)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    directory = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        nodes = [stack.enter_context(Node(directory / f"node-{number}")) for number in range(3)]
        cluster = Cluster(nodes)
        cluster.form()
        yield cluster


@pytest.fixture
async def client(cluster: Cluster) -> AsyncIterator[RedisClient]:
    client = RedisClient(cluster.url, cluster=True, timeout_ms=5000)
    yield client
    await client.close()


async def test_keys_live_on_every_node_and_are_dropped_together(cluster: Cluster, client: RedisClient) -> None:
    keys = [cluster.key_of(node) for node in cluster.nodes]
    for key in keys:
        await client.put(key, key.encode(), seconds=60)

    found = [await client.get(key) for key in keys]
    await client.drop(*keys)

    assert found == [key.encode() for key in keys]
    assert [await client.get(key) for key in keys] == [None] * 3


async def test_an_agents_scripts_run_where_its_keys_are(client: RedisClient) -> None:
    """Every agent's keys share a slot; a dozen agents touch every node, and each has to be given the script."""
    cache = RedisAgentCache(client)
    org_id = uuid4()
    agents = [uuid4() for _ in range(12)]
    for version, agent_id in enumerate(agents, start=1):
        await cache.put_directive(
            org_id, agent_id, Directive(version=version, text="Be brief.", injection_mode="system_first")
        )
        await cache.changed(org_id, agent_id, Change(version, 0))

    snapshots = await asyncio.gather(*(cache.read(org_id, agent_id, EVERYBODY, 20) for agent_id in agents))

    assert [snapshot.directive.version for snapshot in snapshots if snapshot.directive] == list(range(1, 13))
    assert [snapshot.change for snapshot in snapshots] == [Change(version, 0) for version in range(1, 13)]


async def test_a_slot_that_moved_is_followed(cluster: Cluster, client: RedisClient) -> None:
    source, target = cluster.nodes[0], cluster.nodes[1]
    key = cluster.key_of(source)
    await client.put(cluster.key_of(source), b"before", seconds=60)
    cluster.move(key_slot(key.encode()), source, target)

    await client.put(key, b"moved", seconds=60)

    assert await client.get(key) == b"moved"
    assert target.command("GET", key) == b"moved"


async def test_a_node_that_is_down_takes_its_keys_along_and_no_others(cluster: Cluster) -> None:
    client = RedisClient(cluster.url, cluster=True, timeout_ms=500)
    lost, alive = cluster.key_of(cluster.nodes[2]), cluster.key_of(cluster.nodes[1])
    await client.put(lost, b"value", seconds=60)
    await client.put(alive, b"value", seconds=60)
    cluster.nodes[2].stop()

    async with asyncio.timeout(30):
        for _ in range(3):
            with pytest.raises(StoreError):
                await client.get(lost)
        assert await client.get(alive) == b"value"

    await client.close()
    cluster.nodes[2].start()
    cluster.wait()


async def test_a_slot_that_nobody_has_leaves_the_others_in_use(cluster: Cluster) -> None:
    lost, alive = cluster.key_of(cluster.nodes[0]), cluster.key_of(cluster.nodes[1])
    slot = key_slot(lost.encode())
    for node in cluster.nodes:
        node.command("CLUSTER", "DELSLOTS", slot)
    client = RedisClient(cluster.url, cluster=True, timeout_ms=5000)

    await client.put(alive, b"value", seconds=60)
    with pytest.raises(StoreUnavailable):
        await client.get(lost)

    assert await client.get(alive) == b"value"
    await client.close()
    cluster.nodes[0].command("CLUSTER", "ADDSLOTS", slot)
    cluster.wait()


async def test_every_node_is_talked_to_encrypted_and_verified(cluster: Cluster, tmp_path: Path) -> None:
    shown = certificates.create(tmp_path / "nodes")
    fronts = [TlsFront(node.port, shown) for node in cluster.nodes]
    ports = [await front.start() for front in fronts]
    cluster.announce(ports)
    url = f"rediss://:{PASSWORD}@127.0.0.1:{ports[0]}/0"
    client = RedisClient(f"{url}?ssl_ca_certs={fronts[0].authority}", cluster=True, timeout_ms=5000)
    stranger = RedisClient(url, cluster=True, timeout_ms=5000)

    for node in cluster.nodes:
        await client.put(cluster.key_of(node), b"value", seconds=60)
    with pytest.raises(StoreUnavailable) as raised:
        await stranger.ping()

    assert all(front.sessions > 0 for front in fronts)
    assert "CERTIFICATE_VERIFY_FAILED" in _reasons_of(raised.value)
    await client.close()
    await stranger.close()
    cluster.announce([0, 0, 0])
    for front in fronts:
        await front.stop()


def _reasons_of(error: BaseException | None) -> str:
    reasons = []
    while error is not None:
        reasons.append(str(error))
        error = error.__cause__
    return " ".join(reasons)


async def test_a_wrong_password_is_unavailable(cluster: Cluster) -> None:
    client = RedisClient(cluster.url.replace(PASSWORD, "another"), cluster=True, timeout_ms=5000)

    with pytest.raises(StoreUnavailable):
        await client.ping()

    await client.close()


async def test_a_cluster_that_is_not_there_is_unavailable(unused_tcp_port: int) -> None:
    client = RedisClient(f"redis://127.0.0.1:{unused_tcp_port}/0", cluster=True)

    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await client.ping()

    await client.close()
