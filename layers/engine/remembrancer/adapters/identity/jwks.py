"""An identity provider's public keys (RFC 7517), near at hand: requests wait for it only when they have to."""

import asyncio
import http.client
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from remembrancer.errors import ConfigurationError, StoreTimeout, StoreUnavailable
from remembrancer.ports.system import Clock

REFRESH_SECONDS = 300.0
"""Older keys are fetched again while requests go on with them."""
LIFETIME_SECONDS = 3600.0
"""Older keys are not used: the longest that a key which the provider has withdrawn is still believed."""
COOLDOWN_SECONDS = 10.0
"""How often a key that is not known, or a provider that does not answer, is a reason to ask again."""
_BYTES = 256 * 1024
_MOST_KEYS = 100
_RSA_BITS = 2048
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256"}


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key and the only algorithm that it verifies."""

    kid: str | None
    algorithm: str
    key: Any


class JsonWebKeys:
    """The keys at `url`, of one event loop."""

    def __init__(self, url: str, clock: Clock, *, timeout_ms: float = 2000.0) -> None:
        """ConfigurationError unless the address is https, or this machine's own."""
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in {"127.0.0.1", "localhost"}):
            raise ConfigurationError(f"JWT_JWKS_URL={url!r} must begin with https://")
        self._url = url
        self._clock = clock
        self._timeout_s = timeout_ms / 1000
        self._keys: Sequence[SigningKey] = ()
        self._fetched: float | None = None
        self._asked: float | None = None
        self._fetching: asyncio.Task[None] | None = None

    async def find(self, kid: str | None, algorithm: str) -> SigningKey | None:
        """The key of that name, or the only one if the token names none; None when there is no such key.

        StoreUnavailable or StoreTimeout when there are no keys to look among.
        """
        age = self._age(self._fetched)
        if age > LIFETIME_SECONDS:
            self._keys = ()
            await self.refresh()
        elif age > REFRESH_SECONDS and self._age(self._asked) > COOLDOWN_SECONDS:
            self._start()
        found = self._find(kid, algorithm)
        if found is None and self._age(self._asked) > COOLDOWN_SECONDS:
            # The provider may have a new key; a forged name costs one request in ten seconds, not one each.
            await self.refresh()
            found = self._find(kid, algorithm)
        return found

    async def refresh(self) -> None:
        """Waits for the one fetch that is under way, or begins it; a failure is remembered for a while."""
        if self._fetching is None and self._age(self._asked) <= COOLDOWN_SECONDS:
            raise StoreUnavailable("the keys could not be fetched a moment ago", cause="JwksUnavailable")
        await asyncio.shield(self._start())

    def _start(self) -> asyncio.Task[None]:
        if self._fetching is None:
            self._asked = self._clock.monotonic()
            self._fetching = asyncio.ensure_future(self._fetch())
            self._fetching.add_done_callback(self._done)
        return self._fetching

    def _done(self, task: asyncio.Task[None]) -> None:
        self._fetching = None
        if not task.cancelled():
            # Who waits is told; in the background a failure means that the keys at hand go on.
            task.exception()

    async def _fetch(self) -> None:
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await asyncio.to_thread(_get, self._url, self._timeout_s)
        except TimeoutError as error:
            raise StoreTimeout("the keys did not come in time", cause=type(error).__name__) from error
        except (OSError, http.client.HTTPException) as error:
            raise StoreUnavailable("the keys could not be fetched", cause=type(error).__name__) from error
        self._keys = read(body)
        self._fetched = self._clock.monotonic()

    def _find(self, kid: str | None, algorithm: str) -> SigningKey | None:
        fitting = [key for key in self._keys if key.algorithm == algorithm and (kid is None or key.kid == kid)]
        return fitting[0] if fitting and (kid is not None or len(fitting) == 1) else None

    def _age(self, moment: float | None) -> float:
        return float("inf") if moment is None else self._clock.monotonic() - moment


def _get(url: str, timeout_s: float) -> bytes:
    """One request, on a thread: httpx would be 130 ms of every start. Redirections are not followed."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=timeout_s)
    try:
        connection.request(
            "GET", parts._replace(scheme="", netloc="").geturl() or "/", headers={"accept": "application/json"}
        )
        response = connection.getresponse()
        body = response.read(_BYTES + 1)
    finally:
        connection.close()
    if response.status != http.HTTPStatus.OK:
        raise StoreUnavailable("the keys are not served", cause=f"Status{response.status}")
    if len(body) > _BYTES:
        raise StoreUnavailable("the keys are too long", cause="JwksTooLong")
    return body


def read(body: bytes) -> list[SigningKey]:
    """The usable keys of a set; StoreUnavailable when it is none.

    Left out are secret and private keys, keys for encryption or another algorithm, other curves, and short ones.
    """
    try:
        entries = json.loads(body)["keys"]
    except (ValueError, LookupError, TypeError) as error:
        raise StoreUnavailable("the provider serves no key set", cause="JwksUnreadable") from error
    if not isinstance(entries, list):
        raise StoreUnavailable("the provider serves no key set", cause="JwksUnreadable")
    keys = (_usable(entry) for entry in entries[:_MOST_KEYS] if isinstance(entry, dict))
    return [key for key in keys if key is not None]


def _usable(entry: Mapping[str, Any]) -> SigningKey | None:
    import jwt

    kind = entry.get("kty")
    algorithm = _ALGORITHMS.get((str(kind), entry.get("crv") if kind == "EC" else None))
    if (
        algorithm is None
        or "d" in entry
        or entry.get("use", "sig") != "sig"
        or "verify" not in entry.get("key_ops", ["verify"])
        or entry.get("alg", algorithm) != algorithm
    ):
        return None
    try:
        key = jwt.PyJWK(dict(entry), algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError, LookupError):
        return None
    if kind == "RSA" and key.key_size < _RSA_BITS:
        return None
    kid = entry.get("kid")
    return SigningKey(kid if isinstance(kid, str) else None, algorithm, key)
