"""Credentials for connections to Postgres, and the certificates that verify the server."""

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
"""Age in seconds at which a token is replaced: five minutes before its end, since clocks differ."""
_DEFAULT_PORT = 5432


class Login(Protocol):
    """Supplies credentials for new connections, in addition to the URL."""

    async def parameters(self) -> Mapping[str, str]:
        """Connection parameters for libpq. Raises StoreError when they are not available."""
        ...

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """Called when the server refused these; returns whether `parameters` may now return better ones."""
        ...


class UrlLogin:
    """Adds nothing: user and password are in the URL, or the server needs none."""

    async def parameters(self) -> Mapping[str, str]:
        return {}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        return False


@dataclass(slots=True)
class IamLogin:
    """Uses a token of the function's role as the password, for user, host and port of the URL.

    The role needs `rds-db:connect`, the database user `rds_iam`, the connection TLS.
    """

    url: str
    region: str
    credentials: CredentialSource
    clock: Clock
    _made: tuple[datetime, str] | None = field(default=None, init=False)

    async def parameters(self) -> Mapping[str, str]:
        """Creates a new token when the last is older than RENEW_SECONDS; on a thread, since credentials may have to
        be fetched.
        """
        if self._made is None or self._age_seconds(self._made[0]) > RENEW_SECONDS:
            self._made = (self.clock.now(), await asyncio.to_thread(self._token))
        return {"password": self._made[1]}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """True unless the refused token is fresh: then the role's or the user's permission is missing."""
        if self._made is not None and self._made[1] == parameters["password"]:
            if self._age_seconds(self._made[0]) < REFETCH_SECONDS:
                return False
            self._made = None
        return True

    def _age_seconds(self, made_at: datetime) -> float:
        """By the wall clock, which includes the time that the instance was frozen."""
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
    """Uses user and password of a secret; a secret without user name keeps the URL's."""

    secret: KeptSecret

    async def parameters(self) -> Mapping[str, str]:
        """Read for the first connection, and again when a connection was refused: the password has been rotated."""
        login = await self.secret.login()
        if "username" in login:
            return {"user": login["username"], "password": login["password"]}
        return {"password": login["password"]}

    def refused(self, parameters: Mapping[str, str]) -> bool:
        """True when the secret may have changed since it was read."""
        names = {"user": "username", "password": "password"}
        return self.secret.refused({names[name]: value for name, value in parameters.items()})


def conninfo(url: str, parameters: Mapping[str, str]) -> str:
    """The URL with a login's parameters."""
    return make_conninfo(url, **dict(parameters))


def verified(url: str, ca_file: str) -> str:
    """The URL with TLS that trusts only the authorities in `ca_file` and checks the host name; unchanged without a
    file.
    """
    return conninfo(url, {"sslmode": "verify-full", "sslrootcert": ca_file} if ca_file else {})
