"""One client per instance; the one place where redis-py's errors become ours."""

from collections.abc import Sequence
from typing import Any

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from remembrancer.errors import StoreTimeout, StoreUnavailable


class RedisClient:
    """Calls that raise StoreUnavailable or StoreTimeout, never the driver's errors.

    One immediate retry, which mends a kept connection that the server has closed; a server that refuses fails at once.
    """

    def __init__(self, url: str, *, timeout_ms: float = 250.0) -> None:
        self._redis: Redis = Redis.from_url(
            url,
            socket_timeout=timeout_ms / 1000,
            socket_connect_timeout=timeout_ms / 1000,
            retry=Retry(NoBackoff(), 1),
            health_check_interval=0,
        )
        self._scripts: dict[str, Any] = {}

    async def script(self, text: str, keys: Sequence[str], arguments: Sequence[Any]) -> Any:
        """Runs a Lua script; all keys must share a hash tag."""
        script = self._scripts.get(text)
        if script is None:
            script = self._scripts[text] = self._redis.register_script(text)
        try:
            return await script(keys=list(keys), args=list(arguments))
        except _ERRORS as error:
            raise _translated(error) from error

    async def get(self, key: str) -> bytes | None:
        """The value, None when there is none."""
        try:
            value = await self._redis.get(key)
        except _ERRORS as error:
            raise _translated(error) from error
        return value.encode() if isinstance(value, str) else value

    async def put(self, key: str, value: bytes, *, seconds: int) -> None:
        """Every key has a time to live."""
        try:
            await self._redis.set(key, value, ex=seconds)
        except _ERRORS as error:
            raise _translated(error) from error

    async def drop(self, *keys: str) -> None:
        """Missing keys are no error."""
        try:
            await self._redis.delete(*keys)
        except _ERRORS as error:
            raise _translated(error) from error

    async def ping(self) -> None:
        """Returns when the server answered."""
        try:
            await self._redis.ping()
        except _ERRORS as error:
            raise _translated(error) from error

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()


_ERRORS = (exceptions.RedisError, OSError)


def _translated(error: Exception) -> StoreTimeout | StoreUnavailable:
    name = type(error).__name__
    if isinstance(error, exceptions.TimeoutError | TimeoutError):
        return StoreTimeout("Redis did not answer in time", cause=name)
    return StoreUnavailable("Redis is unavailable", cause=name)
