"""Where a command finds the service or its database: the environment first, then what `up` left in its directory."""

import os
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path

import httpx

from local import dev_env
from local.cli.command import CommandError
from local.servers.aws import AwsServer
from local.servers.postgres import APPLICATION, OWNER, PostgresServer
from local.servers.valkey import ValkeyServer

CLIENT_FILE = "dev.env"
_ATTEMPT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Service:
    """The public API and the key to it; `org_id` and `agent_id` are empty when nobody named them."""

    url: str
    api_key: str
    org_id: str
    agent_id: str
    end_user: str

    def client(self) -> httpx.AsyncClient:
        """To be closed by the caller."""
        headers = {"X-API-Key": self.api_key} | ({"X-End-User-ID": self.end_user} if self.end_user else {})
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=_ATTEMPT_SECONDS)


def add_service_arguments(parser: ArgumentParser) -> None:
    """The key is no argument: other users of a machine can read those."""
    parser.add_argument("--url", default="", help="of the API; else REMEMBRANCER_URL, else dev.env")
    parser.add_argument("--end-user", default="", help="for whom the key acts, if it demands one")


def service(arguments: Namespace) -> Service:
    """Raises CommandError when it is not known where the API is, or no key is there."""
    known = dev_env.read(arguments.directory / CLIENT_FILE)

    def find(name: str) -> str:
        return os.environ.get(name) or known.get(name, "")

    url, api_key = arguments.url or find("REMEMBRANCER_URL"), find("REMEMBRANCER_API_KEY")
    if not url or not api_key:
        raise CommandError("set REMEMBRANCER_URL and REMEMBRANCER_API_KEY, or run `make run` once on this machine")
    ids = (find("REMEMBRANCER_ORG_ID"), find("REMEMBRANCER_AGENT_ID"))
    return Service(url.rstrip("/"), api_key, *ids, arguments.end_user)


def key_service(directory: Path) -> dict[str, str]:
    """Environment with which KMS is called: the command's own, or that of the local AWS beside the local database."""
    if os.environ.get("KMS_KEY_ID"):
        return dict(os.environ)
    server = AwsServer(directory / "aws")
    if not server.recall():
        raise CommandError("set KMS_KEY_ID and AWS's credentials, or keep `remembrancer up` running meanwhile")
    return {**os.environ, **server.environment, "KMS_KEY_ID": server.kms_key_id}


def redis_url(directory: Path) -> str:
    """As for the database, by REDIS_URL."""
    if url := os.environ.get("REDIS_URL"):
        return url
    server = ValkeyServer(directory / "valkey")
    if not server.recall():
        raise CommandError("set REDIS_URL, or run `make run` once on this machine")
    return server.url


def database_url(directory: Path, *, owner: bool = False) -> str:
    """Of the functions' role or of the owner; raises CommandError when there is neither a variable nor local data."""
    names = ("OWNER_DATABASE_URL", "DATABASE_URL") if owner else ("DATABASE_URL",)
    for name in names:
        if url := os.environ.get(name):
            return url
    server = PostgresServer(directory / "postgres")
    if not server.recall():
        raise CommandError("set DATABASE_URL, or run `make run` once on this machine")
    return server.url(OWNER if owner else APPLICATION)
