"""Show or change the settings of an organization: redaction of personal data, tokens of memory, near-duplicates, …

For the operator, on the database itself. `--set redact_pii='["email", "phone"]'` sets, `--unset redact_pii` takes back.
Functions follow within a minute.
"""

import json
from argparse import ArgumentParser, Namespace
from typing import Any
from uuid import UUID

from local.cli.command import CommandError
from local.cli.connection import database_url
from local.cli.terminal import Terminal
from remembrancer.bootstrap import Instance, schema
from remembrancer.domain.identity import organization_settings


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("org_id", type=UUID, metavar="ORG_ID")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=JSON", help="again for more")
    parser.add_argument("--unset", action="append", default=[], metavar="NAME", help="again for more")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when the settings are in force."""
    changes: dict[str, Any] = dict(map(_setting, arguments.set)) | dict.fromkeys(arguments.unset)
    org_id, settings = organization_settings.parse({"org_id": str(arguments.org_id), "settings": changes})
    url = database_url(arguments.directory, owner=True)
    with terminal.waiting("Asking the database"):
        instance = Instance({"DATABASE_URL": url, "DATABASE_AUTH": "password"})
        in_force = await schema.configure_organization(instance, org_id, settings)
    terminal.result({"settings": in_force}, json.dumps(in_force, indent=2, ensure_ascii=False))
    return True


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError as error:
        # Most values are plain words, not JSON.
        if not value:
            raise CommandError(f"`{text}` is not NAME=JSON") from None
        if value[0] in '[{"' and isinstance(error, json.JSONDecodeError):
            raise CommandError(f"--set {name} is not JSON: {error.msg} at column {error.colno} of {value}") from None
        return name, value
