"""Finds the service or its database for a command: from the environment, else from the directory that `up` wrote."""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from pathlib import Path

import httpx

from local import dev_env
from local.cli.command import CommandError
from local.servers.aws import AwsServer
from local.servers.postgres import APPLICATION, OWNER, PostgresServer
from local.servers.valkey import ValkeyServer
from remembrancer.domain.personal_data.invisible_characters import is_blank

CLIENT_FILE = "dev.env"
_ATTEMPT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Service:
    """URL and key of the public API; `org_id` and `agent_id` are empty when not configured."""

    url: str
    api_key: str
    org_id: str
    agent_id: str
    end_user: str

    def client(self) -> httpx.AsyncClient:
        """A client; the caller closes it."""
        headers = {"X-API-Key": self.api_key} | ({"X-End-User-ID": self.end_user} if self.end_user else {})
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=_ATTEMPT_SECONDS)


def add_service_arguments(parser: ArgumentParser) -> None:
    """The key is not an argument, since other users of a machine can read arguments."""
    parser.add_argument("--url", default="", help="of the API; else REMEMBRANCER_URL, else dev.env")
    parser.add_argument("--end-user", type=named, help="for whom the key acts, if it demands one")


def named(text: str) -> str:
    """A name or id that an argument gives; a blank one is refused, since without it a command often reaches further."""
    if is_blank(text):
        raise ArgumentTypeError("must not be blank; leave the option out instead")
    return text


def service(arguments: Namespace) -> Service:
    """Raises CommandError when URL or key of the API are not configured."""
    known = dev_env.read(arguments.directory / CLIENT_FILE)

    def find(name: str) -> str:
        return os.environ.get(name) or known.get(name, "")

    url, api_key = arguments.url or find("REMEMBRANCER_URL"), find("REMEMBRANCER_API_KEY")
    if not url or not api_key:
        raise CommandError("set REMEMBRANCER_URL and REMEMBRANCER_API_KEY, or run `make run` once on this machine")
    ids = (find("REMEMBRANCER_ORG_ID"), find("REMEMBRANCER_AGENT_ID"))
    return Service(url.rstrip("/"), api_key, *ids, arguments.end_user or "")


def key_service(directory: Path) -> dict[str, str]:
    """The environment for calling KMS: the command's own, or that of the local AWS beside the local database."""
    if os.environ.get("KMS_KEY_ID"):
        return dict(os.environ)
    server = AwsServer(directory / "aws")
    if not server.recall():
        raise CommandError("set KMS_KEY_ID and AWS's credentials, or keep `remembrancer up` running meanwhile")
    return {**os.environ, **server.environment, "KMS_KEY_ID": server.kms_key_id}


def redis_url(directory: Path) -> str:
    """The Redis URL from REDIS_URL, else from the local directory."""
    if url := os.environ.get("REDIS_URL"):
        return url
    server = ValkeyServer(directory / "valkey")
    if not server.recall():
        raise CommandError("set REDIS_URL, or run `make run` once on this machine")
    return server.url


def database_url(directory: Path, *, owner: bool = False) -> str:
    """The database URL of the functions' role or of the owner. Raises CommandError without a variable or local data."""
    names = ("OWNER_DATABASE_URL", "DATABASE_URL") if owner else ("DATABASE_URL",)
    for name in names:
        if url := os.environ.get(name):
            return url
    server = PostgresServer(directory / "postgres")
    if not server.recall():
        raise CommandError("set DATABASE_URL, or run `make run` once on this machine")
    return server.url(OWNER if owner else APPLICATION)
