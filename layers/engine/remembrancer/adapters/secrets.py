"""What a function proves itself with to AWS: signed requests, database tokens, secrets.

Signature Version 4 is computed here, by the standard library: botocore's signer alone takes some 150 ms to import and a
Secrets Manager client as long again, and a database connection needs one of them before the first request. Tests hold
tokens equal to botocore's and let a Secrets Manager server read the requests.
"""

import asyncio
import hashlib
import hmac
import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit

from remembrancer.errors import ConfigurationError, StoreUnavailable
from remembrancer.ports.system import Clock

TOKEN_SECONDS = 900
"""How long a database token can open connections; one that is open stays open."""
REFETCH_SECONDS = 5.0
"""A login that is refused again and again asks for the secret this often, not each time."""
_ATTEMPTS = 2
_ALGORITHM = "AWS4-HMAC-SHA256"
_DOMAINS = {"aws-cn": "amazonaws.com.cn"}


@dataclass(frozen=True, slots=True)
class AwsCredentials:
    """Of the function's role; Lambda gives an instance new ones with its environment, never in between."""

    access_key_id: str
    secret_access_key: str = field(repr=False)
    session_token: str = field(repr=False)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "AwsCredentials":
        """ConfigurationError where there are none."""
        try:
            return cls(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], env.get("AWS_SESSION_TOKEN", ""))
        except KeyError as error:
            raise ConfigurationError(f"{error.args[0]} is not set: there is nothing to sign with") from error


def database_token(host: str, port: int, user: str, *, region: str, credentials: AwsCredentials, now: datetime) -> str:
    """A password for RDS or its proxy as `user`, valid for TOKEN_SECONDS from `now`; nobody is asked for it."""
    signing = Signing(credentials, region, "rds-db", now)
    parameters = {
        "Action": "connect",
        "DBUser": user,
        "X-Amz-Algorithm": _ALGORITHM,
        "X-Amz-Credential": f"{credentials.access_key_id}/{signing.scope}",
        "X-Amz-Date": signing.timestamp,
        "X-Amz-Expires": str(TOKEN_SECONDS),
        "X-Amz-SignedHeaders": "host",
    }
    if credentials.session_token:
        parameters["X-Amz-Security-Token"] = credentials.session_token
    encoded = {name: quote(value, safe="-_.~") for name, value in parameters.items()}
    canonical = "&".join(f"{name}={encoded[name]}" for name in sorted(encoded))
    signature = signing.signature("GET", canonical, {"host": f"{host}:{port}"}, b"")
    query = "&".join(f"{name}={value}" for name, value in encoded.items())
    return f"{host}:{port}/?{query}&X-Amz-Signature={signature}"


@dataclass(frozen=True, slots=True)
class SecretsManager:
    """Reads secrets by ARN, on a thread; an empty `endpoint_url` means AWS in the secret's own region."""

    credentials: AwsCredentials
    clock: Clock
    endpoint_url: str = ""
    seconds: float = 2.0

    async def read(self, arn: str) -> str:
        """The secret's text; StoreUnavailable when it cannot be had."""
        return await asyncio.to_thread(self._read, arn)

    def _read(self, arn: str) -> str:
        error: Exception
        for _ in range(_ATTEMPTS):
            try:
                status, body = self._ask(arn)
            except (OSError, http.client.HTTPException) as failed:
                error = failed
                continue
            if status == http.HTTPStatus.OK:
                return _secret_string(body)
            error = _Refused(status, body)
            if status < http.HTTPStatus.INTERNAL_SERVER_ERROR:
                break
        raise StoreUnavailable("Secrets Manager gave no secret", cause=_cause(error)) from error

    def _ask(self, arn: str) -> tuple[int, bytes]:
        partition, region = _place(arn)
        domain = _DOMAINS.get(partition, "amazonaws.com")
        url = urlsplit(self.endpoint_url or f"https://secretsmanager.{region}.{domain}")
        body = json.dumps({"SecretId": arn}).encode()
        headers = {
            "content-type": "application/x-amz-json-1.1",
            "host": url.netloc,
            "x-amz-target": "secretsmanager.GetSecretValue",
        }
        signed = Signing(self.credentials, region, "secretsmanager", self.clock.now()).headers("POST", headers, body)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.netloc, timeout=self.seconds)
        try:
            connection.request("POST", "/", body=body, headers=signed)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


class KeptSecret:
    """One secret, fetched when first asked for and kept until it is refused; who asks meanwhile shares the fetch.

    The secret is a JSON object with `username` and `password`, or the password alone.
    """

    def __init__(self, manager: SecretsManager, arn: str) -> None:
        self._manager = manager
        self._arn = arn
        self._known: Mapping[str, str] | None = None
        self._fetched_at = 0.0
        self._fetching: asyncio.Task[Mapping[str, str]] | None = None

    async def login(self) -> Mapping[str, str]:
        """`password`, and `username` when the secret has one; StoreUnavailable when it cannot be had."""
        if self._known is not None:
            return self._known
        if self._fetching is None:
            # A caller that gives up leaves the fetch running: the next one finds it further, or done.
            self._fetching = asyncio.ensure_future(self._fetch())
            self._fetching.add_done_callback(self._keep)
        return await asyncio.shield(self._fetching)

    def refused(self, login: Mapping[str, str]) -> bool:
        """To be told that the server did not take `login`; whether asking again may give another."""
        if self._known == login:
            if self._manager.clock.monotonic() - self._fetched_at < REFETCH_SECONDS:
                return False
            self._known = None
        return True

    async def _fetch(self) -> Mapping[str, str]:
        return _login(await self._manager.read(self._arn))

    def _keep(self, fetched: "asyncio.Task[Mapping[str, str]]") -> None:
        self._fetching = None
        if not fetched.cancelled() and fetched.exception() is None:
            self._known = fetched.result()
            self._fetched_at = self._manager.clock.monotonic()


class _Refused(Exception):
    """An answer of Secrets Manager other than the secret."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"status {status}")
        try:
            self.kind = str(json.loads(body)["__type"]).rpartition("#")[2]
        except (ValueError, LookupError, TypeError):
            self.kind = f"Status{status}"


def _cause(error: Exception) -> str:
    return error.kind if isinstance(error, _Refused) else type(error).__name__


def _secret_string(body: bytes) -> str:
    try:
        return str(json.loads(body)["SecretString"])
    except (ValueError, LookupError) as error:
        raise StoreUnavailable("The secret is not a text", cause="NoSecretString") from error


def _login(text: str) -> Mapping[str, str]:
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        return {"password": text}
    if not isinstance(content.get("password"), str):
        raise StoreUnavailable("The secret has no password", cause="NoPassword")
    return {name: str(content[name]) for name in ("username", "password") if content.get(name)}


def _place(arn: str) -> tuple[str, str]:
    """Partition and region."""
    parts = arn.split(":")
    if len(parts) < 7 or parts[2] != "secretsmanager":
        raise ConfigurationError(f"{arn!r} is not the ARN of a secret")
    return parts[1], parts[3]


class Signing:
    """AWS Signature Version 4 for one request to one service."""

    def __init__(self, credentials: AwsCredentials, region: str, service: str, now: datetime) -> None:
        self.timestamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        self._parts = (self.timestamp[:8], region, service, "aws4_request")
        self._credentials = credentials

    @property
    def scope(self) -> str:
        """Day, region and service for which the signature holds."""
        return "/".join(self._parts)

    def headers(self, method: str, headers: Mapping[str, str], body: bytes) -> dict[str, str]:
        """`headers`, in lower case, and those that sign them and the body, for path `/`."""
        signed = {**headers, "x-amz-date": self.timestamp}
        if self._credentials.session_token:
            signed["x-amz-security-token"] = self._credentials.session_token
        signature = self.signature(method, "", signed, body)
        credential = f"{self._credentials.access_key_id}/{self.scope}"
        names = ";".join(sorted(signed))
        authorization = f"{_ALGORITHM} Credential={credential}, SignedHeaders={names}, Signature={signature}"
        return {**signed, "authorization": authorization}

    def signature(self, method: str, query: str, headers: Mapping[str, str], body: bytes) -> str:
        """Of a request for path `/` with an encoded and sorted query."""
        names = sorted(headers)
        lines = [method, "/", query, *(f"{name}:{headers[name].strip()}" for name in names), "", ";".join(names)]
        canonical = "\n".join([*lines, hashlib.sha256(body).hexdigest()])
        text = "\n".join([_ALGORITHM, self.timestamp, self.scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = f"AWS4{self._credentials.secret_access_key}".encode()
        for part in self._parts:
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.digest(key, text.encode(), "sha256").hex()
