"""The connections of an instance to one Redis server: time limits, hang detection, credentials, errors."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from redis import exceptions
from redis.asyncio import ConnectionPool
from redis.asyncio.connection import AbstractConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.credentials import CredentialProvider

from remembrancer.adapters.aws.secrets import KeptSecret
from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable

LATE_SECONDS = 0.005
REDIRECTIONS = (
    exceptions.AskError,  # also MovedError
    exceptions.TryAgainError,
    exceptions.ClusterDownError,
)
"""What a node of a cluster answers for a key that it does not have, or not alone."""
_READ_BYTES = 1 << 20
"""Most bytes that are parsed at a time: with the driver's 64 KB, a memory map of 750 KB takes twice as long to read."""


class RedisServer:
    """Calls raise StoreUnavailable, StoreTimeout, and of the driver's errors NoScriptError and `REDIRECTIONS`.

    One immediate retry handles a kept connection that the server has closed; a server that refuses connections fails at
    once. The driver's own client and pool take twice as long for a command.
    """

    def __init__(
        self,
        url: str,
        *,
        seconds: float,
        secret: KeptSecret | None = None,
        address: tuple[str, int] | None = None,
    ) -> None:
        """A command takes at most so many seconds, connecting included. `address` replaces host and port of the URL,
        `secret` its password.
        """
        self._credentials = None if secret is None else _SecretCredentials(secret)
        options: dict[str, Any] = {
            "socket_timeout": None,
            "socket_connect_timeout": seconds,
            "retry": Retry(NoBackoff(), 1),
            "health_check_interval": 0,
            "credential_provider": self._credentials,
            **parse_url(url),
        }
        if address is not None:
            options["host"], options["port"] = address
        # Only makes the connections.
        self._pool: Any = ConnectionPool(socket_read_size=_READ_BYTES, **options)
        self._seconds = seconds
        self._made: list[AbstractConnection] = []
        self._idle: list[AbstractConnection] = []
        self._breaker: CircuitBreaker | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where its connections go: host and port."""
        options = self._pool.connection_kwargs
        return options["host"], options["port"]

    def watch(self) -> None:
        """Enables the circuit breaker: after an unanswered call, calls fail within 5 ms until a PING succeeds."""
        if self._breaker is None:
            self._breaker = CircuitBreaker(
                partial(self._authorized, ("PING",)), server="Redis", late_seconds=LATE_SECONDS
            )

    async def command(self, *parts: Any, asking: bool = False) -> Any:
        """The server's answer; `asking` for a slot of a cluster that is moving there."""
        call = partial(self._authorized, parts, asking=asking)
        return await (call() if self._breaker is None else self._breaker.call(call))

    async def disconnect(self) -> None:
        """Closes all connections; the next command opens one. Commands on those in use fail."""
        for connection in self._made:
            # A server that is gone does not confirm the end of TLS.
            with suppress(exceptions.TimeoutError):
                await connection.disconnect()

    async def close(self) -> None:
        """Ends the probes and closes the connections."""
        if self._breaker is not None:
            await self._breaker.stop()
        await self.disconnect()

    async def _authorized(self, parts: Sequence[Any], *, asking: bool = False) -> Any:
        """Retries with a new secret when the server refused the old one."""
        while True:
            try:
                return await self._bounded(parts, asking=asking)
            except (exceptions.NoScriptError, *REDIRECTIONS):
                raise
            except _ERRORS as error:
                if not (self._credentials and _is_refusal(error) and self._credentials.refused()):
                    raise _translated(error) from error

    async def _bounded(self, parts: Sequence[Any], *, asking: bool) -> Any:
        connection = self._idle.pop() if self._idle else self._new()
        kept = connection.is_connected
        try:
            async with asyncio.timeout(self._seconds):
                try:
                    return await _answer(connection, parts, asking=asking)
                except exceptions.ConnectionError:
                    if not kept:
                        raise
                    return await _answer(connection, parts, asking=asking)
        finally:
            self._idle.append(connection)

    def _new(self) -> AbstractConnection:
        connection: AbstractConnection = self._pool.make_connection()
        self._made.append(connection)
        return connection


async def _answer(connection: AbstractConnection, parts: Sequence[Any], *, asking: bool) -> Any:
    """The driver closes the connection when this is cancelled, so that no later command gets the answer."""
    if asking:
        await connection.send_command("ASKING")
        await connection.read_response()
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


_ERRORS = (exceptions.RedisError, OSError)


def _is_refusal(error: BaseException) -> bool:
    return any(isinstance(reason, exceptions.AuthenticationError) for reason in _reasons(error))


def _translated(error: Exception) -> StoreError:
    for reason in _reasons(error):
        if isinstance(reason, StoreError):
            return reason
    name = type(error).__name__
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return StoreTimeout("Redis did not answer in time", cause=name)
    return StoreUnavailable("Redis is unavailable", cause=name)


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what caused it, the latest first."""
    while error is not None:
        yield error
        error = error.__cause__
