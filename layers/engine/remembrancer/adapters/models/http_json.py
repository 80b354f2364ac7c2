"""JSON over HTTP to a model server; the one place where httpx's errors are translated."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from remembrancer.errors import StoreTimeout, StoreUnavailable

if TYPE_CHECKING:
    from httpx import AsyncClient

ANSWER_BYTES = 4 << 20

Key = Callable[[], Awaitable[str]]


async def no_key() -> str:
    """An empty key, for servers without authentication."""
    return ""


class JsonServer:
    """One server that accepts and returns JSON; `key` returns the bearer token, empty for none.

    httpx is imported with the first request: it takes longer to import than most functions to start.
    """

    def __init__(self, url: str, *, key: Key = no_key, seconds: float = 2.0) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._seconds = seconds
        self._client: AsyncClient | None = None

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Returns the answer's JSON. Raises StoreUnavailable or StoreTimeout for every failure."""
        import httpx

        if self._client is None:
            # Proxy and certificate variables of the environment do not apply to model servers.
            self._client = httpx.AsyncClient(timeout=self._seconds, trust_env=False)
        key = await self._key()
        headers = {"authorization": f"Bearer {key}"} if key else {}
        try:
            async with self._client.stream("POST", f"{self._url}{path}", json=body, headers=headers) as response:
                if not response.is_success:
                    raise StoreUnavailable("The model server refused", cause=f"Status{response.status_code}")
                return json.loads(await _read(response))
        except httpx.TimeoutException as error:
            raise StoreTimeout("The model server did not answer in time", cause=type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise StoreUnavailable("The model server is unavailable", cause=type(error).__name__) from error

    async def close(self) -> None:
        """Closes kept connections; does nothing when no request was sent."""
        if self._client is not None:
            await self._client.aclose()


async def _read(response: Any) -> bytes:
    """Reads the answer with a size limit."""
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > ANSWER_BYTES:
            raise ValueError("the answer is too long")
    return bytes(body)
