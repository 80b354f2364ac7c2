"""The Redis client of an instance, for one server or a cluster; translates redis-py's errors."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha1
from typing import Any, TypeVar

from redis import exceptions
from redis.asyncio import ConnectionPool, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.credentials import CredentialProvider

from remembrancer.adapters.aws.secrets import KeptSecret
from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable

LATE_SECONDS = 0.005
_READ_BYTES = 1 << 20
"""Most bytes that are parsed at a time: with the driver's 64 KB, a memory map of 750 KB takes twice as long to read."""

Value = TypeVar("Value")


class RedisClient:
    """Calls raise StoreUnavailable or StoreTimeout, never the driver's errors.

    One immediate retry handles a kept connection that the server has closed; a server that refuses connections fails at
    once.
    """

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
        configuration endpoint.
        """
        self._credentials = None if secret is None else _SecretCredentials(secret)
        seconds = timeout_ms / 1000
        options: dict[str, Any] = {
            # On a server, a command has a limit as a whole, not for each of its parts.
            "socket_timeout": seconds if cluster else None,
            "socket_connect_timeout": seconds,
            "retry": Retry(NoBackoff(), 1),
            "health_check_interval": 0,
            "credential_provider": self._credentials,
        }
        # When a cluster loses a node, the slots of the other nodes stay available.
        self._cluster: Any = RedisCluster.from_url(url, require_full_coverage=False, **options) if cluster else None
        pool = None if cluster else ConnectionPool.from_url(url, socket_read_size=_READ_BYTES, **options)
        self._server = None if pool is None else _Server(pool, seconds)
        self._scripts: dict[str, str] = {}
        self._breaker: CircuitBreaker | None = None

    def watch(self) -> None:
        """Enables the circuit breaker: after an unanswered call, calls fail within 5 ms until a PING succeeds.

        For requests with deadlines of milliseconds; writes should wait instead. Not for a cluster, whose nodes fail
        independently.
        """
        if self._breaker is None and self._server is not None:
            probe = partial(self._run, partial(self._server.command, "PING"))
            self._breaker = CircuitBreaker(probe, server="Redis", late_seconds=LATE_SECONDS)

    async def script(self, text: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Runs a Lua script; all keys must share a hash tag."""
        digest = self._scripts.get(text)
        if digest is None:
            digest = self._scripts[text] = sha1(text.encode(), usedforsecurity=False).hexdigest()

        async def run() -> Any:
            try:
                return await self._command("EVALSHA", digest, len(keys), *keys, *arguments)
            except exceptions.NoScriptError:
                return await self._command("EVAL", text, len(keys), *keys, *arguments)

        return await self._call(run)

    async def get(self, key: str) -> bytes | None:
        """The value, None when there is none."""
        value: bytes | None = await self._call(lambda: self._command("GET", key))
        return value

    async def fields(self, key: str, names: Sequence[str]) -> list[bytes | None]:
        """These fields of a hash, None for each that it does not have."""
        return list(await self._call(lambda: self._command("HMGET", key, *names)))

    async def put(self, key: str, value: bytes, *, seconds: int) -> None:
        """Stores a value; every key has a time to live."""
        await self._call(lambda: self._command("SET", key, value, "EX", seconds))

    async def drop(self, *keys: str) -> None:
        """Deletes keys; missing ones are no error."""
        await self._call(lambda: self._cluster.delete(*keys) if self._cluster else self._command("DEL", *keys))

    async def names(self, pattern: str) -> list[str]:
        """Every key that matches, on all nodes of a cluster; may or may not include keys changed during the scan."""

        async def scan() -> list[bytes]:
            return [name async for name in self._cluster.scan_iter(match=pattern, count=1000)]

        if self._cluster:
            return [name.decode() for name in await self._call(scan)]
        found: list[str] = []
        cursor = b"0"
        while True:
            ask = partial(self._command, "SCAN", cursor, "MATCH", pattern, "COUNT", 1000)
            cursor, names = await self._call(ask)
            found += [name.decode() for name in names]
            if cursor == b"0":
                return found

    async def ping(self) -> None:
        """Returns when the server, or every node of the cluster, has answered."""
        await self._call(lambda: self._cluster.ping() if self._cluster else self._command("PING"))

    async def disconnect(self) -> None:
        """Closes the connections; the next call opens one."""
        await (self._cluster.aclose() if self._server is None else self._server.close())

    async def close(self) -> None:
        """Ends the probes and closes the connections."""
        if self._breaker is not None:
            await self._breaker.stop()
        await self.disconnect()

    def _command(self, *parts: Any) -> Awaitable[Any]:
        """The driver's client of a cluster knows which node has a key."""
        return self._cluster.execute_command(*parts) if self._server is None else self._server.command(*parts)

    async def _call(self, command: Callable[[], Awaitable[Value]]) -> Value:
        if self._breaker is None:
            return await self._run(command)
        return await self._breaker.call(partial(self._run, command))

    async def _run(self, command: Callable[[], Awaitable[Value]]) -> Value:
        """Retries with a new secret when the server refused the old one."""
        while True:
            try:
                return await command()
            except _ERRORS as error:
                if not (self._credentials and _is_refusal(error) and self._credentials.refused()):
                    raise _translated(error) from error


class _Server:
    """The connections to one server, over which the driver's own client and pool take twice as long for a command."""

    def __init__(self, pool: Any, seconds: float) -> None:
        """A command takes at most so many seconds, connecting included. `pool` only makes the connections."""
        self._pool = pool
        self._seconds = seconds
        self._made: list[AbstractConnection] = []
        self._idle: list[AbstractConnection] = []

    async def command(self, *parts: Any) -> Any:
        """The answer; the driver's error or TimeoutError."""
        connection = self._idle.pop() if self._idle else self._new()
        kept = connection.is_connected
        try:
            async with asyncio.timeout(self._seconds):
                try:
                    return await self._answer(connection, parts)
                except exceptions.ConnectionError:
                    if not kept:
                        raise
                    return await self._answer(connection, parts)
        finally:
            self._idle.append(connection)

    async def close(self) -> None:
        """Closes all connections. Commands on those in use fail."""
        for connection in self._made:
            await connection.disconnect()

    def _new(self) -> AbstractConnection:
        connection: AbstractConnection = self._pool.make_connection()
        self._made.append(connection)
        return connection

    @staticmethod
    async def _answer(connection: AbstractConnection, parts: Sequence[Any]) -> Any:
        """The driver closes the connection when this is cancelled, so that no later command gets the answer."""
        await connection.send_command(*parts)
        return await connection.read_response()


class _SecretCredentials(CredentialProvider):
    """Credentials for AUTH on new connections."""

    def __init__(self, secret: KeptSecret) -> None:
        self._secret = secret
        self._given: Mapping[str, str] = {}

    async def get_credentials_async(self) -> tuple[str] | tuple[str, str]:
        """User and password, or the password alone."""
        try:
            self._given = await self._secret.login()
        except StoreError as error:
            # The driver closes the connection it has just opened only for errors of its own.
            raise exceptions.ConnectionError("there is no secret to log in with") from error
        password = self._given["password"]
        return (self._given["username"], password) if "username" in self._given else (password,)

    def refused(self) -> bool:
        """Whether the last given credentials may be outdated."""
        return self._secret.refused(self._given)


# Cluster discovery errors have another base class in redis-py, and a slot without a node is a KeyError.
_ERRORS = (exceptions.RedisError, exceptions.RedisClusterException, KeyError, OSError)


def _is_refusal(error: BaseException) -> bool:
    return any(isinstance(reason, exceptions.AuthenticationError) for reason in _reasons(error))


def _translated(error: Exception) -> StoreError:
    for reason in _reasons(error):
        if isinstance(reason, StoreError):
            return reason
    if isinstance(error, exceptions.RedisClusterException) and isinstance(error.__cause__, _ERRORS):
        return _translated(error.__cause__)
    name = type(error).__name__
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return StoreTimeout("Redis did not answer in time", cause=name)
    return StoreUnavailable("Redis is unavailable", cause=name)


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes: a cluster's client reports only that it found no node."""
    while error is not None:
        yield error
        error = error.__cause__
