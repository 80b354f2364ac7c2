"""JSON over HTTP to a model server; the one place where httpx's errors are translated.

Whatever a server does costs at most `seconds` and `ANSWER_BYTES`: it may write a byte now and then, never end, compress
a gigabyte into a kilobyte, or nest lists too deep to be read.
"""

import asyncio
import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remembrancer.errors import StoreTimeout, StoreUnavailable

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remembrancer.adapters.aws.secrets import KeptSecret

ANSWER_BYTES = 4 << 20
"""Longest answer that is read, after decompression."""
_REFUSALS = frozenset({"Status401", "Status403"})


class JsonServer:
    """One server that accepts and returns JSON.

    httpx is imported with the first request: it takes longer to import than most functions to start.
    """

    def __init__(self, url: str, *, key: str = "", secret: "KeptSecret | None" = None, seconds: float = 2.0) -> None:
        """`key` is the bearer token, empty for none; where there is a `secret`, its password is."""
        self._url = url.rstrip("/")
        self._key = key
        self._secret = secret
        self._seconds = seconds
        self._client: AsyncClient | None = None

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Returns the answer's JSON. Raises StoreUnavailable or StoreTimeout for every failure; redirections are not
        followed.

        Retries once with a new secret when the server refused the old one.
        """
        login = await self._login()
        try:
            return await self._post(path, body, login["password"])
        except StoreUnavailable as error:
            if not (self._secret and error.cause in _REFUSALS and self._secret.refused(login)):
                raise
            renewed = await self._login()
            if renewed == login:
                raise
        return await self._post(path, body, renewed["password"])

    async def close(self) -> None:
        """Closes kept connections; the next request opens one."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _login(self) -> Mapping[str, str]:
        return {"password": self._key} if self._secret is None else await self._secret.login()

    async def _post(self, path: str, body: Mapping[str, Any], key: str) -> Any:
        import httpx

        if self._client is None:
            # Proxy and certificate variables of the environment do not apply to model servers.
            self._client = httpx.AsyncClient(timeout=self._seconds, trust_env=False)
        headers = {"accept-encoding": "gzip"} | ({"authorization": f"Bearer {key}"} if key else {})
        try:
            # httpx's own time-out begins anew with each piece.
            async with asyncio.timeout(self._seconds):
                return json.loads(await self._sent(self._client, path, body, headers))
        except (httpx.TimeoutException, TimeoutError) as error:
            raise StoreTimeout("The model server did not answer in time", cause=type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError, zlib.error) as error:
            raise StoreUnavailable("The model server is unavailable", cause=type(error).__name__) from error

    async def _sent(
        self, client: "AsyncClient", path: str, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> bytes:
        async with client.stream("POST", f"{self._url}{path}", json=body, headers=headers) as response:
            if not response.is_success:
                raise StoreUnavailable("The model server refused", cause=f"Status{response.status_code}")
            return await _read(response)


async def _read(response: Any) -> bytes:
    """Reads the answer, decompressing no more than its longest size. httpx would decompress each piece whole."""
    encoding = response.headers.get("content-encoding", "identity")
    if encoding not in {"identity", "gzip"}:
        raise ValueError("the answer has another encoding than was asked for")
    inflater = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece if inflater is None else inflater.decompress(piece, ANSWER_BYTES + 1 - len(body))
        if len(body) > ANSWER_BYTES:
            raise ValueError("the answer is too long")
    return bytes(body)
