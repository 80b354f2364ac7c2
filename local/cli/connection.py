"""Finds the service or its servers for a command: in the environment, else in the directory that `up` wrote.

All settings of the service come from one of the two, and all addresses of the servers: one organization's id beside
another one's key, or one database beside another one's cache, would be neither.
"""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from local import dev_env
from local.cli.command import CommandError
from local.servers.aws import AwsServer
from local.servers.postgres import APPLICATION, OWNER, PostgresServer
from local.servers.valkey_cluster import recalled_cache
from remembrancer.domain.identity.scope import end_user_name
from remembrancer.domain.personal_data.invisible_characters import is_blank

CLIENT_FILE = "dev.env"
NAMES = (
    "REMEMBRANCER_URL", "REMEMBRANCER_API_KEY", "REMEMBRANCER_ORG_ID", "REMEMBRANCER_AGENT_ID", "REMEMBRANCER_USER_ID"
)  # fmt: skip
_SERVERS = ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "KMS_KEY_ID")
_ATTEMPT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Service:
    """URL and key of the public API; other fields are empty when not configured.

    `end_user` is the one for whom the command acts, `user_id` the one of clients that it starts.
    """

    url: str
    api_key: str
    org_id: str
    agent_id: str
    end_user: str
    user_id: str

    def client(self) -> httpx.AsyncClient:
        """A client; the caller closes it."""
        headers = {"X-API-Key": self.api_key} | ({"X-End-User-ID": self.end_user} if self.end_user else {})
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=_ATTEMPT_SECONDS)


def add_service_arguments(parser: ArgumentParser) -> None:
    """The key is not an argument, since other users of a machine can read arguments."""
    parser.add_argument("--url", default="", help="of the API, instead of REMEMBRANCER_URL")
    parser.add_argument("--end-user", type=named, help="for whom the key acts, if it demands one")


def named(text: str) -> str:
    """A name or id that an argument gives, in the form in which names are stored.

    A blank one is refused, since without it a command often reaches further.
    """
    if is_blank(text):
        raise ArgumentTypeError("must not be blank; leave the option out instead")
    return end_user_name(text)


def service(arguments: Namespace) -> Service:
    """The service that the environment and `--url` name, or else the one of dev.env.

    Raises CommandError when URL or key are not configured, or not in the same place.
    """
    if is_blank(os.environ.get("REMEMBRANCER_USER_ID", "nobody")):
        raise CommandError("REMEMBRANCER_USER_ID must not be blank; unset it instead")
    file, place = arguments.directory / CLIENT_FILE, "the environment"
    told = _told(NAMES) | ({"REMEMBRANCER_URL": arguments.url} if arguments.url else {})
    if not told:
        told, place = dev_env.read(file), str(file)
    if not told:
        raise CommandError("set REMEMBRANCER_URL and REMEMBRANCER_API_KEY, or run `make run` once on this machine")
    for name in ("REMEMBRANCER_URL", "REMEMBRANCER_API_KEY"):
        if not told.get(name):
            raise CommandError(_missing([name], place, told))
    url, api_key, org_id, agent_id, user_id = (told.get(name, "") for name in NAMES)
    return Service(url.rstrip("/"), api_key, org_id, agent_id, arguments.end_user or "", user_id)


def key_service(directory: Path) -> dict[str, str]:
    """The environment for calling KMS: the command's own, or that of the local AWS beside the local database."""
    if _server("KMS_KEY_ID"):
        return dict(os.environ)
    server = AwsServer(directory / "aws")
    if not server.recall():
        raise CommandError("set KMS_KEY_ID and AWS's credentials, or keep `remembrancer up` running meanwhile")
    return {**os.environ, **server.environment, "KMS_KEY_ID": server.kms_key_id}


def redis_url(directory: Path) -> str:
    """The Redis URL from REDIS_URL, else from the local directory."""
    return redis_settings(directory)["REDIS_URL"]


def redis_settings(directory: Path) -> dict[str, str]:
    """REDIS_URL and REDIS_CLUSTER, from the environment, else from the local directory."""
    if url := _server("REDIS_URL"):
        return {"REDIS_URL": url, "REDIS_CLUSTER": os.environ.get("REDIS_CLUSTER", "false")}
    server = recalled_cache(directory / "valkey")
    if server is None:
        raise CommandError("set REDIS_URL, or run `make run` once on this machine")
    return server.environment


def database_url(directory: Path, *, owner: bool = False) -> str:
    """The database URL of the functions' role or of the owner. Raises CommandError without a variable or local data."""
    if url := _server(*(("OWNER_DATABASE_URL", "DATABASE_URL") if owner else ("DATABASE_URL",))):
        return url
    server = PostgresServer(directory / "postgres")
    if not server.recall():
        raise CommandError("set DATABASE_URL, or run `make run` once on this machine")
    return server.url(OWNER if owner else APPLICATION)


def _server(*names: str) -> str:
    """The first of these variables that is set; empty where the environment names no server, so that all are local.

    Raises CommandError where it names only others.
    """
    told = _told(_SERVERS)
    found = next((told[name] for name in names if name in told), "")
    if told and not found:
        raise CommandError(_missing(names, "the environment", told))
    return found


def _told(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def _missing(names: Sequence[str], place: str, told: Mapping[str, str]) -> str:
    return (
        f"{' or '.join(names)} is missing in {place}, which has {', '.join(told)}: these settings come from one place, "
        f"so set them all in the environment, or none to use what `make run` wrote"
    )
