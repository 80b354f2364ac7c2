"""Commands to Redis, one server or a cluster: warm, while its nodes are frozen, and after a node was replaced.

`python -m benchmarks.redis_modes` prints the figures of docs/deadlines.md, by the adapter alone.
"""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from benchmarks import figures
from local.faults.proxy import Fault, FaultProxy, through
from local.servers import ValkeyCluster, cache_of
from local.servers.secret import create, write
from local.servers.valkey_cluster import KINDS
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.errors import StoreError

WARM = 300
FROZEN = 100
PATIENCE_SECONDS = 40.0
PAUSE_SECONDS = 0.005


async def command(client: RedisClient) -> tuple[float, bool]:
    """Milliseconds until the answer or the error, and whether it was an answer."""
    started = time.perf_counter()
    try:
        await client.get("key")
    except StoreError:
        return (time.perf_counter() - started) * 1000, False
    return (time.perf_counter() - started) * 1000, True


async def until_answered(client: RedisClient) -> str:
    """Milliseconds until a command is answered again, and how many failed before."""
    started = time.perf_counter()
    for failed in count():
        if (await command(client))[1]:
            return f"answered after {(time.perf_counter() - started) * 1000:.0f} ms, {failed} failed"
        if time.perf_counter() - started > PATIENCE_SECONDS:
            break
        await asyncio.sleep(PAUSE_SECONDS)
    return f"not answered within {PATIENCE_SECONDS:.0f} s"


async def frozen(kind: str, directory: Path) -> None:
    """Prints a line: warm, frozen, and afterwards."""
    with cache_of(kind, directory) as cache:
        client = RedisClient(cache.url, cluster=cache.is_cluster)
        client.watch()
        await client.put("key", b"value", seconds=600)
        warm = [(await command(client))[0] for _ in range(WARM)]
        processes = [node.pid for node in (cache.nodes if isinstance(cache, ValkeyCluster) else [cache])]
        _signal(processes, signal.SIGSTOP)
        waits = [(await command(client))[0] for _ in range(FROZEN)]
        _signal(processes, signal.SIGCONT)
        back = await until_answered(client)
        await client.close()
    print(f"{kind:9} warm {_summary(warm)}; frozen {_summary(waits)}, together {sum(waits) / 1000:.2f} s; {back}")


async def replaced(fault: Fault, directory: Path) -> None:
    """Prints a line: a node that refuses or is silent, and another one behind the configuration endpoint."""
    for name in ("before", "after"):
        (directory / name).mkdir(parents=True)
    passwords = create(directory / "before" / "passwords.json", ("default",))
    write(directory / "after" / "passwords.json", passwords)
    with ValkeyCluster(directory / "before") as before, ValkeyCluster(directory / "after") as after:
        endpoint, node = FaultProxy(before.port), FaultProxy(before.port)
        await endpoint.start()
        await node.start()
        before.announce([node.port])
        client = RedisClient(through(endpoint, before.url), cluster=True)
        client.watch()
        await client.put("key", b"value", seconds=600)
        await endpoint.lead_to(after.port)
        await node.set(fault)
        print(f"replaced, the old node {fault}s: {await until_answered(client)}")
        await client.close()
        await endpoint.stop()
        await node.stop()


def _signal(processes: Sequence[int | None], number: signal.Signals) -> None:
    for process in processes:
        assert process is not None
        os.kill(process, number)


def _summary(milliseconds: Sequence[float]) -> str:
    return f"p50 {figures.percentile(milliseconds, 0.5):.2f} p99 {figures.percentile(milliseconds, 0.99):.1f} ms"


async def main() -> None:
    """Each mode, then each way of a replacement."""
    with tempfile.TemporaryDirectory() as directory:
        for kind in KINDS:
            await frozen(kind, Path(directory, kind))
        faults: Sequence[Fault] = ("refuse", "hang")
        for fault in faults:
            await replaced(fault, Path(directory, fault))


if __name__ == "__main__":
    asyncio.run(main())
