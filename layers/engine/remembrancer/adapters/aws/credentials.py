"""Credentials of the function's role, from the environment or from the container's credential server.

An instance that was started from a snapshot (SnapStart) has no keys in its environment: they would have expired with
the snapshot. It has the address of a server on its own machine instead, and a token for it.
"""

import http.client
import ipaddress
import json
import logging
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from remembrancer.errors import ConfigurationError, StoreUnavailable
from remembrancer.ports.system import Clock

RENEW_BEFORE = timedelta(minutes=5)
"""Keys that end sooner are fetched anew; until they end they are used when that fails."""
REST_SECONDS = 5.0
"""After a failure, while there are keys that have not ended."""
ATTEMPTS = 2
_MOST_BYTES = 65_536
# As botocore: ECS and EKS serve credentials on these; any other address has to be this machine's, or use TLS.
_LINK_LOCAL = frozenset({"169.254.170.2", "169.254.170.23", "fd00:ec2::23"})

logger = logging.getLogger(__name__)


class CredentialSource(Protocol):
    """Gives the credentials of the moment."""

    def current(self) -> "AwsCredentials":
        """Blocks, for a bounded time, where they have to be fetched; StoreUnavailable when they cannot be had."""
        ...


@dataclass(frozen=True, slots=True)
class AwsCredentials:
    """Credentials of the function's role. Lambda never changes those in the environment while an instance lives."""

    access_key_id: str
    secret_access_key: str = field(repr=False)
    session_token: str = field(repr=False)

    def current(self) -> "AwsCredentials":
        return self


@dataclass(frozen=True, slots=True)
class NoCredentials:
    """A deployment that uses no AWS service has none, and needs none until it calls one."""

    missing: str

    def current(self) -> AwsCredentials:
        raise ConfigurationError(f"{self.missing} is not set: there is nothing to sign with")


class ContainerCredentials:
    """Serves CredentialSource from AWS_CONTAINER_CREDENTIALS_FULL_URI; callers at the same time share one fetch."""

    def __init__(self, env: Mapping[str, str], clock: Clock, *, seconds: float = 1.0) -> None:
        """`seconds` bound each of the ATTEMPTS. ConfigurationError for an address that keys must not come from."""
        self._url = _allowed(env["AWS_CONTAINER_CREDENTIALS_FULL_URI"])
        self._token = env.get("AWS_CONTAINER_AUTHORIZATION_TOKEN", "")
        self._token_file = env.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "")
        self._clock = clock
        self._seconds = seconds
        self._known: tuple[AwsCredentials, datetime] | None = None
        self._failed_at: float | None = None
        self._fetching: Future[None] | None = None
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="credentials")

    def current(self) -> AwsCredentials:
        """Kept until shortly before they end, by the wall clock, which knows how long the instance was frozen."""
        known = self._usable(RENEW_BEFORE)
        if known is not None:
            return known
        try:
            self._fetch_once()
        except StoreUnavailable:
            known = self._usable(timedelta())
            if known is None:
                raise
            logger.warning("credentials_not_renewed")
            return known
        known = self._usable(timedelta())
        if known is None:
            raise StoreUnavailable("The container's credentials have ended", cause="Expired")
        return known

    def _usable(self, margin: timedelta) -> AwsCredentials | None:
        known = self._known
        return known[0] if known is not None and known[1] - self._clock.now() > margin else None

    def _fetch_once(self) -> None:
        with self._lock:
            resting = self._failed_at is not None and self._clock.monotonic() - self._failed_at < REST_SECONDS
            if resting and self._usable(timedelta()) is not None:
                return
            if self._fetching is None or self._fetching.done():
                self._fetching = self._thread.submit(self._fetch)
            fetching = self._fetching
        try:
            fetching.result(ATTEMPTS * self._seconds)
            self._failed_at = None
        except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException, FutureTimeoutError) as error:
            self._failed_at = self._clock.monotonic()
            raise StoreUnavailable("The container's credentials cannot be had", cause=type(error).__name__) from error

    def _fetch(self) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._known = self._ask()
                return
            except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
                if attempt == ATTEMPTS:
                    raise

    def _ask(self) -> tuple[AwsCredentials, datetime]:
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._url.netloc, timeout=self._seconds)
        try:
            path = f"{self._url.path or '/'}?{self._url.query}" if self._url.query else self._url.path or "/"
            connection.request("GET", path, headers={"Accept": "application/json", **self._authorization()})
            with connection.getresponse() as response:
                status, body = response.status, response.read(_MOST_BYTES)
        finally:
            connection.close()
        if status != http.HTTPStatus.OK:
            raise http.client.HTTPException(f"status {status}")
        answer = json.loads(body)
        ends_at = datetime.fromisoformat(str(answer["Expiration"]))
        token = str(answer.get("Token") or "")
        keys = AwsCredentials(str(answer["AccessKeyId"]), str(answer["SecretAccessKey"]), token)
        return keys, ends_at if ends_at.tzinfo else ends_at.replace(tzinfo=UTC)

    def _authorization(self) -> dict[str, str]:
        """The file is read each time: its writer may have renewed it."""
        token = Path(self._token_file).read_text().strip() if self._token_file else self._token
        if "\r" in token or "\n" in token:
            raise ValueError("The token has more than one line")
        return {"Authorization": token} if token else {}


def from_env(env: Mapping[str, str], clock: Clock) -> CredentialSource:
    """The environment's keys, else the container's; where there are neither, their first use is an error."""
    if env.get("AWS_CONTAINER_CREDENTIALS_FULL_URI") and not env.get("AWS_ACCESS_KEY_ID"):
        return ContainerCredentials(env, clock)
    try:
        return AwsCredentials(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], env.get("AWS_SESSION_TOKEN", ""))
    except KeyError as error:
        return NoCredentials(str(error.args[0]))


def _allowed(address: str) -> SplitResult:
    url = urlsplit(address)
    host = url.hostname or ""
    if url.scheme == "https" and host:
        return url
    if url.scheme == "http" and (host == "localhost" or host in _LINK_LOCAL or _is_loopback(host)):
        return url
    raise ConfigurationError("AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or http on this machine")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
