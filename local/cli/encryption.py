"""Code that `encrypt` and `rotate-key` share."""

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from uuid import UUID

from local.cli.connection import database_url, key_service
from local.cli.terminal import Terminal
from remembrancer.bootstrap import Instance
from remembrancer.usecases.encryption.encrypt import Encryption

STEP_SECONDS = 1.0
"""Seconds between progress lines."""


def add_encryption_arguments(parser: ArgumentParser) -> None:
    """The argument that names the organization."""
    parser.add_argument("org_id", type=UUID, metavar="ORG_ID")


@asynccontextmanager
async def opened(arguments: Namespace) -> AsyncIterator[tuple[Encryption, UUID, str]]:
    """The use case on the database and KMS that the environment or the directory names."""
    environment = key_service(arguments.directory)
    url = database_url(arguments.directory, owner=True)
    instance = Instance({**environment, "DATABASE_URL": url, "DATABASE_AUTH": "password"})
    try:
        yield instance.encryption, arguments.org_id, instance.settings.kms_key_id
    finally:
        await instance.database.close()


async def bring_in(encryption: Encryption, org_id: UUID, terminal: Terminal) -> bool:
    """Seals until no text is left that can be opened; the scheduled run would do the same, later."""
    with terminal.progress() as bar:
        task = bar.add_task("Sealing", total=None)
        before = None
        while True:
            progress = await encryption.advance(org_id, until=encryption.clock.monotonic() + STEP_SECONDS)
            total = before = before or progress.left
            bar.update(task, total=total, completed=total - progress.left)
            # When nothing is left but time is up, the old key still has to be retired.
            if progress.finished or 0 < progress.left <= progress.unreadable:
                break
    state = "done" if progress.finished else f"{progress.left} texts cannot be opened, and keep their key"
    terminal.result(asdict(progress), f"Key version {progress.version}: {state}")
    return progress.finished
