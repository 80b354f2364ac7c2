"""Database tokens and secrets that a function logs in with."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from remembrancer.adapters.aws.credentials import AwsCredentials, CredentialSource
from remembrancer.adapters.aws.signed_calls import ALGORITHM, JsonService, Signing
from remembrancer.adapters.refresh_ahead import RefreshAhead, Times
from remembrancer.errors import ConfigurationError, StoreUnavailable
from remembrancer.ports.system import Clock

TOKEN_SECONDS = 900
"""How long a database token can open connections; one that is open stays open."""
REFETCH_SECONDS = 5.0
"""A login that is refused again and again asks for the secret this often, not each time."""
PAUSE_SECONDS = 1.0
"""After a failed fetch; otherwise every connection would wait for an attempt of its own."""


def database_token(host: str, port: int, user: str, *, region: str, credentials: AwsCredentials, now: datetime) -> str:
    """A password for RDS or its proxy as `user`, valid for TOKEN_SECONDS from `now`; nobody is asked for it."""
    signing = Signing(credentials, region, "rds-db", now)
    parameters = {
        "Action": "connect",
        "DBUser": user,
        "X-Amz-Algorithm": ALGORITHM,
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

    credentials: CredentialSource
    clock: Clock
    endpoint_url: str = ""
    seconds: float = 2.0

    async def read(self, arn: str) -> str:
        """The secret's text; StoreUnavailable when it cannot be had."""
        _require_secret(arn)
        service = JsonService(
            "Secrets Manager", "secretsmanager", "secretsmanager", self.credentials, self.clock, self.endpoint_url
        )
        answer = await service.call("GetSecretValue", {"SecretId": arn}, arn=arn, seconds=self.seconds)
        try:
            return str(answer["SecretString"])
        except LookupError as error:
            raise StoreUnavailable("The secret is not a text", cause="NoSecretString") from error


class KeptSecret:
    """One secret, fetched when first asked for and kept until it is refused.

    The secret is a JSON object with `username` and `password`, or the password alone.
    """

    def __init__(self, manager: SecretsManager, arn: str) -> None:
        self._manager = manager
        self._arn = arn
        times = Times(fresh_seconds=math.inf, lifetime_seconds=math.inf, pause_seconds=PAUSE_SECONDS)
        self._logins = RefreshAhead[str, Mapping[str, str]](self._fetch, manager.clock, times)

    async def login(self) -> Mapping[str, str]:
        """`password`, and `username` when the secret has one; StoreError when it cannot be had."""
        return await self._logins.get(self._arn)

    def refused(self, login: Mapping[str, str]) -> bool:
        """To be told that the server did not take `login`; whether asking again may give another."""
        kept = self._logins.kept(self._arn)
        if kept is not None and kept[0] == login:
            if kept[1] < REFETCH_SECONDS:
                return False
            self._logins.discard(self._arn)
        return True

    async def _fetch(self, arn: str) -> Mapping[str, str]:
        return _login(await self._manager.read(arn))


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


def _require_secret(arn: str) -> None:
    if arn.split(":")[2:3] != ["secretsmanager"] or len(arn.split(":")) < 7:
        raise ConfigurationError(f"{arn!r} is not the ARN of a secret")
