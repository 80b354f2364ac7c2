"""Turn encryption on for an organization; can be interrupted and run again.

Makes the organization's data key, unless it has one, and seals the text that was stored before. From the first moment
on everything is written sealed; readers notice nothing.
"""

from argparse import ArgumentParser, Namespace

from local.cli.encryption import add_encryption_arguments, bring_in, opened
from local.cli.terminal import Terminal


def add_arguments(parser: ArgumentParser) -> None:
    add_encryption_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when all text is sealed under the newest key."""
    async with opened(arguments) as (encryption, org_id, kms_key_id):
        await encryption.turn_on(org_id, kms_key_id)
        return await bring_in(encryption, org_id, terminal)
