"""Calls of AWS without its library: signed requests to services that speak JSON.

Signature Version 4 is computed here, by the standard library: botocore's signer alone takes some 150 ms to import and a
client as long again, and a database connection or a data key is needed for the first request. Tests hold signatures
equal to botocore's and let a server of each service read the requests.
"""

import asyncio
import hashlib
import hmac
import http.client
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from remembrancer.adapters.aws.credentials import AwsCredentials, CredentialSource
from remembrancer.errors import ConfigurationError, StoreUnavailable
from remembrancer.ports.system import Clock

ALGORITHM = "AWS4-HMAC-SHA256"
_ATTEMPTS = 2
# Their own: a service that hangs must not keep the threads that seal, open and index text for everybody.
_THREADS = ThreadPoolExecutor(max_workers=8, thread_name_prefix="aws")
_DOMAINS = {"aws-cn": "amazonaws.com.cn"}


@dataclass(frozen=True, slots=True)
class JsonService:
    """One service, called on a thread; an empty `endpoint_url` means AWS in the region of what is asked about."""

    title: str
    name: str
    target: str
    credentials: CredentialSource
    clock: Clock
    endpoint_url: str = ""

    async def call(self, action: str, body: Mapping[str, Any], *, arn: str, seconds: float) -> dict[str, Any]:
        """The answer's members; StoreUnavailable when there is none, with the service's own name of the error.

        Two attempts of `seconds` each; what the service itself refuses is not asked again.
        """
        call = partial(self._call, action, json.dumps(body).encode(), arn, seconds)
        return await asyncio.get_running_loop().run_in_executor(_THREADS, call)

    def _call(self, action: str, body: bytes, arn: str, seconds: float) -> dict[str, Any]:
        error: Exception
        for _ in range(_ATTEMPTS):
            try:
                status, answer = self._ask(action, body, arn, seconds)
            except (OSError, http.client.HTTPException) as failed:
                error = failed
                continue
            if status == http.HTTPStatus.OK:
                return _members(self.title, answer)
            error = _Refused(status, answer)
            if status < http.HTTPStatus.INTERNAL_SERVER_ERROR:
                break
        raise StoreUnavailable(f"{self.title} gave no answer", cause=_cause(error)) from error

    def _ask(self, action: str, body: bytes, arn: str, seconds: float) -> tuple[int, bytes]:
        partition, region = _place(arn)
        domain = _DOMAINS.get(partition, "amazonaws.com")
        url = urlsplit(self.endpoint_url or f"https://{self.name}.{region}.{domain}")
        headers = {
            "content-type": "application/x-amz-json-1.1",
            "host": url.netloc,
            "x-amz-target": f"{self.target}.{action}",
        }
        signed = Signing(self.credentials.current(), region, self.name, self.clock.now()).headers("POST", headers, body)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.netloc, timeout=seconds)
        try:
            connection.request("POST", "/", body=body, headers=signed)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


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
        authorization = f"{ALGORITHM} Credential={credential}, SignedHeaders={names}, Signature={signature}"
        return {**signed, "authorization": authorization}

    def signature(self, method: str, query: str, headers: Mapping[str, str], body: bytes) -> str:
        """The signature of a request for path `/` with an encoded and sorted query."""
        names = sorted(headers)
        lines = [method, "/", query, *(f"{name}:{headers[name].strip()}" for name in names), "", ";".join(names)]
        canonical = "\n".join([*lines, hashlib.sha256(body).hexdigest()])
        text = "\n".join([ALGORITHM, self.timestamp, self.scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = f"AWS4{self._credentials.secret_access_key}".encode()
        for part in self._parts:
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.digest(key, text.encode(), "sha256").hex()


class _Refused(Exception):
    """An answer other than what was asked for."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"status {status}")
        try:
            self.kind = str(json.loads(body)["__type"]).rpartition("#")[2]
        except (ValueError, LookupError, TypeError):
            self.kind = f"Status{status}"


def _cause(error: Exception) -> str:
    return error.kind if isinstance(error, _Refused) else type(error).__name__


def _members(title: str, body: bytes) -> dict[str, Any]:
    try:
        members = json.loads(body)
    except ValueError as error:
        raise StoreUnavailable(f"{title} answered with no JSON", cause=type(error).__name__) from error
    return members if isinstance(members, dict) else {}


def _place(arn: str) -> tuple[str, str]:
    """The partition and the region that an ARN names."""
    parts = arn.split(":")
    if len(parts) < 6 or parts[0] != "arn":
        raise ConfigurationError(f"{arn!r} is not an ARN")
    return parts[1], parts[3]
