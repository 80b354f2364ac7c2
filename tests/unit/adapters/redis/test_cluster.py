"""Where the slots are is read again whatever ended the last read."""

import asyncio
from typing import Any

from remembrancer.adapters.redis.cluster import Address, RedisCluster


class Node:
    """Has every slot, and answers each command with its name."""

    def __init__(self, address: Address | None) -> None:
        self.address = address or ("node", 6379)

    async def command(self, *parts: Any) -> Any:
        return [(0, 16383, (b"node", 6379))] if parts == ("CLUSTER", "SLOTS") else parts[0]

    async def close(self) -> None:
        """Nothing is open."""


async def test_a_read_that_was_cancelled_before_it_began_does_not_stay_under_way() -> None:
    cluster = RedisCluster(Node, seconds=5.0)  # type: ignore[arg-type]
    asked = asyncio.create_task(cluster.command("key", "GET"))
    await asyncio.sleep(0)
    await cluster.disconnect()
    await asyncio.wait({asked})

    assert await cluster.command("key", "GET") == "GET"
