"""Make, list and revoke API keys through the API.

The key at hand has to be one for `admin`; new keys belong to its project and environment. The text of a new key is
shown once, here, and is stored nowhere.
"""

from argparse import ArgumentParser, Namespace
from typing import Any

import httpx

from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, service
from local.cli.requests import request_json
from local.cli.terminal import Terminal
from remembrancer.domain.identity.scope import KEY_SCOPES


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=("create", "list", "revoke"))
    parser.add_argument("subject", nargs="?", default="", metavar="NAME|KEY_ID", help="of the key to make or revoke")
    parser.add_argument("--scope", action="append", choices=KEY_SCOPES, help="what it may do; again for more")
    parser.add_argument(
        "--allow-end-user", action="append", metavar="NAME", help="whom it may name, or a prefix and *; again for more"
    )
    parser.add_argument("--end-user-required", action="store_true", help="every request has to name somebody")
    parser.add_argument("--rate-per-second", type=float, help="tighter than the organization's, which counts too")
    parser.add_argument("--rate-burst", type=int, help="requests at once")
    parser.add_argument("--expires", metavar="WHEN", help="when it ends: an ISO 8601 date or date-time; without, never")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when it is done, also for a key that was revoked before."""
    api = service(arguments)
    with terminal.waiting(f"Asking {api.url}"):
        async with api.client() as client:
            await _do(client, arguments, terminal)
    return True


async def _do(client: httpx.AsyncClient, arguments: Namespace, terminal: Terminal) -> None:
    match arguments.action:
        case "create":
            await _create(client, arguments, terminal)
        case "revoke":
            key = await request_json(client, "DELETE", f"/v1/keys/{_subject(arguments, 'KEY_ID')}")
            terminal.result(key, f"Revoked {key['name']}. Nobody gets in with it from five seconds on.")
        case _:
            _show(await _listed(client), terminal)


async def _create(client: httpx.AsyncClient, arguments: Namespace, terminal: Terminal) -> None:
    asked = {
        "name": _subject(arguments, "NAME"),
        "scopes": arguments.scope or [],
        "end_users": arguments.allow_end_user,
        "end_user_required": arguments.end_user_required,
        "rate_per_second": arguments.rate_per_second,
        "rate_burst": arguments.rate_burst,
        "expires_at": arguments.expires,
    }
    key = await request_json(client, "POST", "/v1/keys", body=asked)
    terminal.result(key, f"{key['api_key']}\nKeep it now: it is not shown again. Its id is {key['key_id']}.")


async def _listed(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """All pages of a listing."""
    keys: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = await request_json(client, "GET", f"/v1/keys?cursor={cursor}")
        keys += page["keys"]
        cursor = page["next_cursor"]
        if not cursor:
            return keys


def _show(keys: list[dict[str, Any]], terminal: Terminal) -> None:
    terminal.result({"keys": keys})
    if terminal.as_json:
        return
    heads = ("key_id", "name", "scopes", "end users", "rate", "created", "expires", "revoked")
    terminal.table(heads, [_row(key) for key in keys])


def _row(key: dict[str, Any]) -> list[str]:
    end_users = "any" if key["end_users"] is None else ", ".join(key["end_users"]) or "nobody"
    rate = "" if key["rate_per_second"] is None else f"{key['rate_per_second']:g}/s, {key['rate_burst']} at once"
    moments = [(key[name] or "")[:19] for name in ("created_at", "expires_at", "revoked_at")]
    return [key["key_id"], key["name"], " ".join(key["scopes"]), end_users, rate, *moments]


def _subject(arguments: Namespace, what: str) -> str:
    if not arguments.subject:
        raise CommandError(f"`keys {arguments.action}` needs a {what}")
    subject: str = arguments.subject
    return subject
