"""Redis in cluster mode: which node has a key, and how this is found out again when nodes move.

The driver's client keeps only addresses that it was told, so it never finds a cluster whose addresses have all changed;
it closes all connections to a node after one late command, and waits a quarter of a second where a slot has no node.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from redis import exceptions
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from remembrancer.adapters.circuit_breaker import GRACE_SECONDS
from remembrancer.adapters.redis.server import LATE_SECONDS, RedisServer
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable

Address = tuple[str, int]

ATTEMPTS = 4
"""Of one command: a slot may have moved, and its node be replaced meanwhile."""
_KNOWN_ASKED = 2
"""Known nodes that are asked for the slots before the configuration endpoint."""
PAUSE_SECONDS = 0.1
"""Between two reads of the slots, as long as one has not been enough."""
_TRY_AGAIN_SECONDS = 0.01


class RedisCluster:
    """Each node has its own connections and its own hang detection, as a single server has.

    Errors are those of `RedisServer`, without redirections.
    """

    def __init__(self, server: Callable[[Address | None], RedisServer], *, seconds: float) -> None:
        """`server` makes the connections to a node, or to the configuration endpoint where it gets no address.

        A command takes at most so many seconds, with everything that it needs.
        """
        self._server = server
        self._seconds = seconds
        self._nodes: dict[Address, RedisServer] = {}
        self._owners: list[RedisServer | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        self._is_watched = False
        self._reading: asyncio.Task[None] | None = None
        self._read_at = -PAUSE_SECONDS
        self._problem: StoreError | None = None

    def watch(self) -> None:
        """Enables the circuit breaker of each node, known or new."""
        self._is_watched = True
        for node in self._nodes.values():
            node.watch()

    async def command(self, key: str, *parts: Any) -> Any:
        """The answer of the node that has the key."""
        started = monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                return await self._command(key_slot(key.encode()), parts)
        except (asyncio.CancelledError, TimeoutError, StoreTimeout) as error:
            # A node that is silent may have been replaced.
            if monotonic() - started >= LATE_SECONDS:
                self._read_beside()
            if isinstance(error, TimeoutError):
                raise StoreTimeout("Redis did not answer in time", cause="TimeoutError") from error
            raise

    async def nodes(self) -> Sequence[RedisServer]:
        """Every node that has slots; the slots are read where none is known yet. Raises StoreError."""
        if not self._nodes:
            await self._read()
        if not self._nodes:
            raise self._no_node() from self._problem
        return list(self._nodes.values())

    async def disconnect(self) -> None:
        """Closes all connections, and forgets the nodes: there may be others when the next command comes."""
        if (reading := self._under_way()) is not None:
            reading.cancel()
            await asyncio.wait({reading})
        nodes, self._nodes = self._nodes, {}
        self._owners = [None] * REDIS_CLUSTER_HASH_SLOTS
        for node in nodes.values():
            await node.close()

    async def close(self) -> None:
        """Ends the probes too: those of forgotten nodes have ended."""
        await self.disconnect()

    async def _command(self, slot: int, parts: Sequence[Any]) -> Any:
        for _ in range(ATTEMPTS):
            node = self._owners[slot]
            if node is None:
                await self._read()
                node = self._owners[slot]
            if node is None:
                raise self._no_node() from self._problem
            try:
                return await node.command(*parts)
            except exceptions.MovedError as error:
                self._owners[slot] = self._node(_host(error.host, node), error.port)
                self._read_beside()
            except exceptions.AskError as error:
                with suppress(exceptions.TryAgainError):
                    return await self._node(_host(error.host, node), error.port).command(*parts, asking=True)
                await asyncio.sleep(_TRY_AGAIN_SECONDS)
            except exceptions.TryAgainError:
                await asyncio.sleep(_TRY_AGAIN_SECONDS)
            except (StoreUnavailable, exceptions.ClusterDownError) as error:
                await self._read(without=node)
                if self._owners[slot] is node:
                    if isinstance(error, StoreUnavailable):
                        raise
                    raise StoreUnavailable("Redis is unavailable", cause=type(error).__name__) from error
        raise StoreUnavailable("Redis moves this key", cause="MovedError")

    def _no_node(self) -> StoreError:
        problem = self._problem
        if problem is None:
            return StoreUnavailable("no node of Redis has this key", cause="SlotNotCovered")
        return type(problem)(str(problem), cause=problem.cause)

    def _node(self, host: str, port: int) -> RedisServer:
        node = self._nodes.get((host, port))
        if node is None:
            node = self._nodes[host, port] = self._server((host, port))
            if self._is_watched:
                node.watch()
        return node

    def _under_way(self) -> asyncio.Task[None] | None:
        """The read of the slots. One that was cancelled before it began has ended too."""
        return None if self._reading is None or self._reading.done() else self._reading

    def _read_beside(self, *, without: RedisServer | None = None) -> None:
        """Reads the slots beside the requests, unless that is done or has just been done."""
        if self._under_way() is None and monotonic() - self._read_at >= PAUSE_SECONDS:
            self._reading = asyncio.create_task(self._ask_nodes(without))

    async def _read(self, *, without: RedisServer | None = None) -> None:
        """The same, and waits for it. `without` is a node that has just failed."""
        is_silent = self._is_watched and isinstance(self._problem, StoreTimeout)
        self._read_beside(without=without)
        if (reading := self._under_way()) is not None:
            # Not cancelled with the request that waits for it: the next one needs it too.
            await asyncio.wait({reading}, timeout=GRACE_SECONDS if is_silent else None)

    async def _ask_nodes(self, failed: RedisServer | None) -> None:
        """Asks known nodes, to which there are connections, then the configuration endpoint, whose name leads to the
        nodes of now.
        """
        known = [node for node in self._nodes.values() if node is not failed]
        random.shuffle(known)
        endpoint = self._server(None)
        try:
            for node in (*known[:_KNOWN_ASKED], endpoint):
                if ranges := await self._slots(node):
                    await self._take(ranges, node)
                    return
        finally:
            self._read_at = monotonic()
            await endpoint.close()

    async def _slots(self, node: RedisServer) -> Sequence[Any]:
        """What the node says; nothing after an error, which `_problem` keeps."""
        try:
            # All of them within the time of a command.
            async with asyncio.timeout(self._seconds / (_KNOWN_ASKED + 1)):
                ranges: Sequence[Any] = await node.command("CLUSTER", "SLOTS")
        except TimeoutError:
            self._problem = StoreTimeout("Redis did not answer in time", cause="TimeoutError")
        except StoreError as error:
            self._problem = error
        except exceptions.ClusterDownError as error:
            self._problem = StoreUnavailable("Redis is unavailable", cause=type(error).__name__)
        else:
            self._problem = None
            return ranges
        return ()

    async def _take(self, ranges: Sequence[Any], asked: RedisServer) -> None:
        """Takes these slots over, and closes nodes that have none."""
        owners: list[RedisServer | None] = [None] * REDIS_CLUSTER_HASH_SLOTS
        for start, end, (host, port, *_), *_ in ranges:
            node = self._node(_host(host, asked), port)
            owners[start : end + 1] = [node] * (end + 1 - start)
        self._owners = owners
        for node in set(self._nodes.values()) - set(owners):
            del self._nodes[node.address]
            await node.close()


def _host(told: str | bytes | None, asked: RedisServer) -> str:
    """A node that does not know its own name is where it was asked."""
    host = told.decode() if isinstance(told, bytes) else told
    return asked.address[0] if host in {None, "", "?"} else str(host)
