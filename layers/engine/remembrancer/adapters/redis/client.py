"""The Redis client of an instance, for one server or a cluster; translates redis-py's errors."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from redis import exceptions
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.credentials import CredentialProvider

from remembrancer.adapters.aws.secrets import KeptSecret
from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable

LATE_SECONDS = 0.005

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
        ca_file: str = "",
        secret: KeptSecret | None = None,
        cluster: bool = False,
    ) -> None:
        """`rediss://` verifies the server, against the authorities in `ca_file` or the machine's own.

        `secret` replaces the URL's password; `cluster` means cluster mode, where the URL is that of any node or of the
        configuration endpoint.
        """
        self._credentials = None if secret is None else _SecretCredentials(secret)
        options: dict[str, Any] = {
            "socket_timeout": timeout_ms / 1000,
            "socket_connect_timeout": timeout_ms / 1000,
            "retry": Retry(NoBackoff(), 1),
            "health_check_interval": 0,
            "credential_provider": self._credentials,
        }
        if ca_file and url.startswith("rediss:"):
            options["ssl_ca_certs"] = ca_file
        # When a cluster loses a node, the slots of the other nodes stay available.
        self._redis: Any = (
            RedisCluster.from_url(url, require_full_coverage=False, **options)
            if cluster
            else Redis.from_url(url, **options)
        )
        self._scripts: dict[str, Any] = {}
        self._cluster = cluster
        self._breaker: CircuitBreaker | None = None

    def watch(self) -> None:
        """Enables the circuit breaker: after an unanswered call, calls fail within 5 ms until a PING succeeds.

        For requests with deadlines of milliseconds; writes should wait instead. Not for a cluster, whose nodes fail
        independently.
        """
        if self._breaker is None and not self._cluster:
            probe = partial(self._run, self._redis.ping)
            self._breaker = CircuitBreaker(probe, server="Redis", late_seconds=LATE_SECONDS)

    async def script(self, text: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Runs a Lua script; all keys must share a hash tag."""
        script = self._scripts.get(text)
        if script is None:
            script = self._scripts[text] = self._redis.register_script(text)
        return await self._call(lambda: script(keys=list(keys), args=list(arguments)))

    async def get(self, key: str) -> bytes | None:
        """The value, None when there is none."""
        value = await self._call(lambda: self._redis.get(key))
        return value.encode() if isinstance(value, str) else value

    async def fields(self, key: str, names: Sequence[str]) -> list[bytes | None]:
        """These fields of a hash, None for each that it does not have."""
        return list(await self._call(lambda: self._redis.hmget(key, list(names))))

    async def put(self, key: str, value: bytes, *, seconds: int) -> None:
        """Stores a value; every key has a time to live."""
        await self._call(lambda: self._redis.set(key, value, ex=seconds))

    async def drop(self, *keys: str) -> None:
        """Deletes keys; missing ones are no error."""
        await self._call(lambda: self._redis.delete(*keys))

    async def names(self, pattern: str) -> list[str]:
        """Every key that matches, on all nodes of a cluster; may or may not include keys changed during the scan."""

        async def scan() -> list[str]:
            found = [name async for name in self._redis.scan_iter(match=pattern, count=1000)]
            return [name.decode() if isinstance(name, bytes) else name for name in found]

        return await self._call(scan)

    async def ping(self) -> None:
        """Returns when the server, or every node of the cluster, has answered."""
        await self._call(self._redis.ping)

    async def disconnect(self) -> None:
        """Closes the connections; the next call opens one."""
        await self._redis.aclose()

    async def close(self) -> None:
        """Ends the probes and closes the connections."""
        if self._breaker is not None:
            await self._breaker.stop()
        await self._redis.aclose()

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
