"""Passwords and tokens for connections to Postgres, and the certificates that the server is verified by."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from remembrancer.adapters.aws.credentials import CredentialSource
from remembrancer.adapters.aws.secrets import REFETCH_SECONDS, KeptSecret, database_token
from remembrancer.errors import ConfigurationError
from remembrancer.ports.system import Clock

RENEW_SECONDS = 600.0
"""A token of this age opens no more connections: it is good for five minutes longer, for clocks that differ."""
_DEFAULT_PORT = 5432


class Login(Protocol):
    """What a new connection needs beside its URL."""

    async def parameters(self) -> Mapping[str, str]:
        """Of libpq; StoreError when they cannot be had."""
        ...

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """To be told that the server did not take these; whether `parameters` may give better ones now."""
        ...


class UrlLogin:
    """Adds nothing: user and password are in the URL, or the server asks for none."""

    async def parameters(self) -> Mapping[str, str]:
        return {}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        return False


@dataclass(slots=True)
class IamLogin:
    """A token of the function's role as the password, for the user, host and port of the URL.

    The role needs `rds-db:connect`, the database user `rds_iam`, the connection TLS.
    """

    url: str
    region: str
    credentials: CredentialSource
    clock: Clock
    _made: tuple[datetime, str] | None = field(default=None, init=False)

    async def parameters(self) -> Mapping[str, str]:
        """Made anew when the last is older than RENEW_SECONDS: on a thread, since keys may have to be fetched."""
        if self._made is None or self._age_seconds(self._made[0]) > RENEW_SECONDS:
            self._made = (self.clock.now(), await asyncio.to_thread(self._token))
        return {"password": self._made[1]}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """True unless the token is fresh: then what is missing is the role's right or the user's."""
        if self._made is None or self._age_seconds(self._made[0]) < REFETCH_SECONDS:
            return False
        self._made = None
        return True

    def _age_seconds(self, made_at: datetime) -> float:
        """By the wall clock, which knows how long the instance was frozen."""
        return (self.clock.now() - made_at).total_seconds()

    def _token(self) -> str:
        target = conninfo_to_dict(self.url)
        host, user = target.get("host"), target.get("user")
        if not host or not user or not self.region:
            raise ConfigurationError("DATABASE_AUTH=iam needs host and user in DATABASE_URL, and AWS_REGION")
        port = int(target.get("port") or _DEFAULT_PORT)
        return database_token(
            str(host), port, str(user), region=self.region, credentials=self.credentials.current(), now=self.clock.now()
        )


@dataclass(frozen=True, slots=True)
class SecretLogin:
    """User and password of a secret; one without a user name leaves the URL's."""

    secret: KeptSecret

    async def parameters(self) -> Mapping[str, str]:
        """Fetched when the first connection is opened, and when one was refused: the password has been rotated."""
        login = await self.secret.login()
        if "username" in login:
            return {"user": login["username"], "password": login["password"]}
        return {"password": login["password"]}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """True when the secret may have changed since."""
        names = {"user": "username", "password": "password"}
        return self.secret.refused({names[name]: value for name, value in parameters.items()})


def conninfo(url: str, parameters: Mapping[str, str]) -> str:
    """The URL with a login's parameters in it."""
    return make_conninfo(url, **dict(parameters))


def verified(url: str, ca_file: str) -> str:
    """The URL with TLS that trusts the authorities in `ca_file` only, for the host's own name; without one as it is."""
    return conninfo(url, {"sslmode": "verify-full", "sslrootcert": ca_file} if ca_file else {})
