"""An identity provider's public keys (RFC 7517), kept and renewed in the background."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from remembrancer.adapters.refresh_ahead import RefreshAhead, Times
from remembrancer.errors import ConfigurationError, StoreTimeout, StoreUnavailable
from remembrancer.ports.system import Clock

REFRESH_SECONDS = 300.0
"""Older keys are fetched again while requests go on with them."""
LIFETIME_SECONDS = 3600.0
"""Older keys are not used: the longest that a key which the provider has withdrawn is still believed."""
COOLDOWN_SECONDS = 10.0
"""How often an unknown key is a reason to ask again."""
PAUSE_SECONDS = 1.0
"""How long a provider that has failed is left alone: without its keys no token is accepted."""
_MOST_KEYS = 100
_MOST_BYTES = 1 << 20
_RSA_BITS, _MOST_RSA_BITS = 2048, 16_384
# Their own: a provider that writes a header now and then keeps these, and not those that others need.
_THREADS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="jwks")
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
        self._timeout_s = timeout_ms / 1000
        times = Times(REFRESH_SECONDS, LIFETIME_SECONDS, pause_seconds=PAUSE_SECONDS, load_seconds=self._timeout_s)
        self._key_sets = RefreshAhead[str, Sequence[SigningKey]](self._fetch, clock, times)

    async def find(self, kid: str | None, algorithm: str) -> SigningKey | None:
        """The key of that name, or the only one if the token names none; None when there is no such key.

        StoreUnavailable or StoreTimeout when there are no keys to look among, or the provider may have the key and
        does not answer.
        """
        found = _find(await self._key_sets.get(self._url), kid, algorithm)
        if found is None:
            # The provider may have a new key; a forged name costs one request in ten seconds, not one each.
            found = _find(await self._key_sets.reload(self._url, at_most_every=COOLDOWN_SECONDS), kid, algorithm)
        return found

    async def refresh(self) -> None:
        """Fetches the keys, or waits for the fetch that is under way."""
        await self._key_sets.reload(self._url)

    async def _fetch(self, url: str) -> Sequence[SigningKey]:
        return await asyncio.get_running_loop().run_in_executor(_THREADS, _fetched, url, self._timeout_s)


def _fetched(url: str, timeout_s: float) -> list[SigningKey]:
    """One request, on a thread. Redirections are not followed."""
    from urllib.error import HTTPError, URLError

    try:
        return usable(json.loads(_read(url, timeout_s)))
    except HTTPError as error:
        error.close()
        raise StoreUnavailable("The provider does not serve its keys", cause=f"Status{error.code}") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        kind = StoreTimeout if isinstance(reason, TimeoutError) else StoreUnavailable
        raise kind("The provider's keys cannot be fetched", cause=type(reason).__name__) from error
    except (ValueError, RecursionError) as error:
        raise StoreUnavailable("The provider serves no key set", cause="JwksUnreadable") from error


def _read(url: str, timeout_s: float) -> bytes:
    """The body, which must end within the time: the socket's own time-out begins anew with each piece."""
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class NoRedirects(HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    end = time.monotonic() + timeout_s
    body = bytearray()
    # The constructor has checked the scheme.
    with build_opener(NoRedirects()).open(Request(url), timeout=timeout_s) as response:  # noqa: S310
        while piece := response.read1(65_536):
            body += piece
            if len(body) > _MOST_BYTES:
                raise ValueError("The answer is too long")
            if time.monotonic() > end:
                raise TimeoutError("The answer does not end")
    return bytes(body)


def usable(key_set: Any) -> list[SigningKey]:
    """The usable keys of a set; ValueError when it is none.

    Left out are secret and private keys, keys for encryption or another algorithm, other curves, and short ones.
    """
    entries = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(entries, list):
        raise ValueError("There is no list of keys")
    keys = (_usable(entry) for entry in entries[:_MOST_KEYS] if isinstance(entry, dict))
    return [key for key in keys if key is not None]


def _find(keys: Sequence[SigningKey], kid: str | None, algorithm: str) -> SigningKey | None:
    fitting = [key for key in keys if key.algorithm == algorithm and (kid is None or key.kid == kid)]
    return fitting[0] if fitting and (kid is not None or len(fitting) == 1) else None


def _usable(entry: Mapping[str, Any]) -> SigningKey | None:
    import jwt

    kind, uses = entry.get("kty"), entry.get("key_ops", ["verify"])
    algorithm = _ALGORITHMS.get((str(kind), str(entry.get("crv")) if kind == "EC" else None))
    if (
        algorithm is None
        or "d" in entry
        or entry.get("use", "sig") != "sig"
        or not isinstance(uses, list)
        or "verify" not in uses
        or entry.get("alg", algorithm) != algorithm
    ):
        return None
    try:
        key = jwt.PyJWK(dict(entry), algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError, LookupError):
        return None
    if kind == "RSA" and not _RSA_BITS <= key.key_size <= _MOST_RSA_BITS:
        return None
    kid = entry.get("kid")
    return SigningKey(kid if isinstance(kid, str) else None, algorithm, key)
