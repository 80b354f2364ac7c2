"""The Redis client of an instance, for one server or a cluster."""

from collections.abc import Awaitable, Sequence
from functools import partial
from hashlib import sha1
from typing import Any

from redis import exceptions
from redis.crc import key_slot

from remembrancer.adapters.aws.secrets import KeptSecret
from remembrancer.adapters.redis.cluster import Address, RedisCluster
from remembrancer.adapters.redis.server import REDIRECTIONS, RedisServer
from remembrancer.errors import StoreUnavailable


class RedisClient:
    """Calls raise StoreUnavailable or StoreTimeout, never the driver's errors."""

    def __init__(
        self,
        url: str,
        *,
        timeout_ms: float = 250.0,
        secret: KeptSecret | None = None,
        cluster: bool = False,
    ) -> None:
        """`rediss://` verifies the server, against the authorities in the file that the URL names as `ssl_ca_certs` or
        the machine's own.

        `secret` replaces the URL's password; `cluster` means cluster mode, where the URL is that of any node or of the
        configuration endpoint. A call takes at most `timeout_ms`, in both modes.
        """
        seconds = timeout_ms / 1000

        def server(address: Address | None = None) -> RedisServer:
            return RedisServer(url, seconds=seconds, secret=secret, address=address)

        self._store: RedisServer | RedisCluster = RedisCluster(server, seconds=seconds) if cluster else server()
        self._scripts: dict[str, str] = {}

    def watch(self) -> None:
        """Enables hang detection: after an unanswered call, calls fail within 5 ms until a PING succeeds.

        For requests with deadlines of milliseconds; writes should wait instead.
        """
        self._store.watch()

    async def script(self, text: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Runs a Lua script; all keys must share a hash tag."""
        digest = self._scripts.get(text)
        if digest is None:
            digest = self._scripts[text] = sha1(text.encode(), usedforsecurity=False).hexdigest()
        try:
            return await self._command(keys[0], "EVALSHA", digest, len(keys), *keys, *arguments)
        except exceptions.NoScriptError:
            return await self._command(keys[0], "EVAL", text, len(keys), *keys, *arguments)

    async def get(self, key: str) -> bytes | None:
        """The value, None when there is none."""
        value: bytes | None = await self._command(key, "GET", key)
        return value

    async def fields(self, key: str, names: Sequence[str]) -> list[bytes | None]:
        """These fields of a hash, None for each that it does not have."""
        return list(await self._command(key, "HMGET", key, *names))

    async def put(self, key: str, value: bytes, *, seconds: int) -> None:
        """Stores a value; every key has a time to live."""
        await self._command(key, "SET", key, value, "EX", seconds)

    async def drop(self, *keys: str) -> None:
        """Deletes keys; missing ones are no error."""
        for together in self._deletable_together(keys):
            await self._command(together[0], "DEL", *together)

    async def names(self, pattern: str) -> list[str]:
        """Every key that matches, on all nodes of a cluster; may or may not include keys changed during the scan."""
        found: list[str] = []
        for node in await self._nodes():
            cursor = b"0"
            while True:
                scan = partial(node.command, "SCAN", cursor, "MATCH", pattern, "COUNT", 1000)
                cursor, names = await _here(scan())
                found += [name.decode() for name in names]
                if cursor == b"0":
                    break
        return found

    async def ping(self) -> None:
        """Returns when the server, or every node of the cluster, has answered."""
        for node in await self._nodes():
            await _here(node.command("PING"))

    async def disconnect(self) -> None:
        """Closes the connections; the next call opens one."""
        await self._store.disconnect()

    async def close(self) -> None:
        """Ends the probes and closes the connections."""
        await self._store.close()

    async def _command(self, key: str, *parts: Any) -> Any:
        if isinstance(self._store, RedisCluster):
            return await self._store.command(key, *parts)
        return await _here(self._store.command(*parts))

    async def _nodes(self) -> Sequence[RedisServer]:
        return await self._store.nodes() if isinstance(self._store, RedisCluster) else [self._store]

    def _deletable_together(self, keys: Sequence[str]) -> Sequence[Sequence[str]]:
        """A node of a cluster takes only keys of one slot at a time."""
        if not isinstance(self._store, RedisCluster):
            return [keys] if keys else []
        slots: dict[int, list[str]] = {}
        for key in keys:
            slots.setdefault(key_slot(key.encode()), []).append(key)
        return list(slots.values())


async def _here(answer: Awaitable[Any]) -> Any:
    """The answer of one server, which nothing may redirect."""
    try:
        return await answer
    except REDIRECTIONS as error:
        raise StoreUnavailable("Redis is unavailable", cause=type(error).__name__) from error
