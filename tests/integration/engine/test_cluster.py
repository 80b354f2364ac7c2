"""The cache in cluster mode: three real nodes, each with a third of the slots."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from redis.crc import key_slot

from local.faults.proxy import FaultProxy, through
from local.servers import ValkeyCluster
from local.servers.valkey_cluster import SLOTS, ValkeyNode
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change, Directive
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable
from tests.integration.engine import certificates
from tests.integration.engine.tls_front import TlsFront


class Cluster(ValkeyCluster):
    """With what tests do to it."""

    def move(self, slot: int, source: ValkeyNode, target: ValkeyNode) -> None:
        """An empty slot, as an operator's tool moves it: importing makes the new owner's claim the newest one."""
        self.start_move(slot, source, target)
        target_id = target.command("CLUSTER", "MYID")
        for node in (target, source, *self.nodes):
            node.command("CLUSTER", "SETSLOT", slot, "NODE", target_id)

    def start_move(self, slot: int, source: ValkeyNode, target: ValkeyNode) -> None:
        """From here on the source sends whoever asks for a key that it has not to the target."""
        target.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source.command("CLUSTER", "MYID"))
        source.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target.command("CLUSTER", "MYID"))

    def owner(self, key: str) -> ValkeyNode:
        return self.nodes[key_slot(key.encode()) * len(self.nodes) // SLOTS]

    def key_of(self, node: ValkeyNode) -> str:
        """A new one that lives there."""
        return next(key for key in iter(lambda: f"key-{uuid4()}", "") if self.owner(key) is node)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=3) as cluster:
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


async def test_a_key_of_a_slot_that_is_moving_is_written_where_it_goes(cluster: Cluster, client: RedisClient) -> None:
    source, target = cluster.nodes[0], cluster.nodes[1]
    key = cluster.key_of(source)
    cluster.start_move(key_slot(key.encode()), source, target)

    await client.put(key, b"ahead", seconds=60)

    assert await client.get(key) == b"ahead"
    assert source.command("CLUSTER", "COUNTKEYSINSLOT", key_slot(key.encode())) == 0
    cluster.move(key_slot(key.encode()), source, target)
    await client.drop(key)


async def test_a_node_that_hangs_is_not_waited_for_and_the_others_answer(cluster: Cluster) -> None:
    client = RedisClient(cluster.url, cluster=True, timeout_ms=300)
    client.watch()
    lost, alive = cluster.key_of(cluster.nodes[2]), cluster.key_of(cluster.nodes[1])
    await client.put(lost, b"value", seconds=60)
    await client.put(alive, b"value", seconds=60)
    assert cluster.nodes[2].pid is not None
    os.kill(cluster.nodes[2].pid, signal.SIGSTOP)

    with pytest.raises(StoreTimeout):
        await client.get(lost)
    causes = []
    for _ in range(5):
        with pytest.raises(StoreTimeout) as raised:
            await client.get(lost)
        causes.append(raised.value.cause)
    found = await client.get(alive)
    os.kill(cluster.nodes[2].pid, signal.SIGCONT)

    assert causes == ["Unanswered"] * 5
    assert found == b"value"
    async with asyncio.timeout(30):
        while await _or_late(client, lost) != b"value":
            await asyncio.sleep(0.01)
    await client.close()


async def _or_late(client: RedisClient, key: str) -> bytes | None:
    try:
        return await client.get(key)
    except StoreTimeout:
        return None


@pytest.mark.parametrize("fault", ["refuse", "hang"])
async def test_a_cluster_at_new_addresses_is_found_behind_its_configuration_endpoint(
    tmp_path: Path, fault: Any
) -> None:
    """One node, which another one replaces: the address that the client knows leads nowhere any more."""
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "passwords.json").write_text('{"default": "shared"}')
    with ValkeyCluster(tmp_path / "before") as before, ValkeyCluster(tmp_path / "after") as after:
        endpoint, front = FaultProxy(before.port), FaultProxy(before.port)
        await endpoint.start()
        await front.start()
        before.announce([front.port])
        client = RedisClient(through(endpoint, before.url), cluster=True)
        client.watch()
        await client.put("key", b"before", seconds=60)

        await endpoint.lead_to(after.port)
        await front.set(fault)
        async with asyncio.timeout(20):
            while not await _stores(client, b"after"):
                await asyncio.sleep(0.005)

        assert after.nodes[0].command("GET", "key") == b"after"

        await client.close()
        await endpoint.stop()
        await front.stop()


async def _stores(client: RedisClient, value: bytes) -> bool:
    try:
        await client.put("key", value, seconds=60)
    except StoreError:
        return False
    return True


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
    url = cluster.url.replace("redis:", "rediss:").replace(f":{cluster.port}/", f":{ports[0]}/")
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
    cluster.announce(cluster.ports)
    for front in fronts:
        await front.stop()


def _reasons_of(error: BaseException | None) -> str:
    reasons = []
    while error is not None:
        reasons.append(str(error))
        error = error.__cause__
    return " ".join(reasons)


async def test_a_wrong_password_is_unavailable(cluster: Cluster) -> None:
    client = RedisClient(f"redis://:another@127.0.0.1:{cluster.port}/0", cluster=True, timeout_ms=5000)

    with pytest.raises(StoreUnavailable):
        await client.ping()

    await client.close()


async def test_a_cluster_that_is_not_there_is_unavailable(unused_tcp_port: int) -> None:
    client = RedisClient(f"redis://127.0.0.1:{unused_tcp_port}/0", cluster=True)

    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await client.ping()

    await client.close()
