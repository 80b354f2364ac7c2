"""Turn encryption of stored text on for an organization; it cannot be turned off again.

Makes a data key for the organization, unless it has one, and has the key service (KMS) wrap it. From then on the
content, summary and context of its memories and the turns of its conversations are written encrypted (AES-256-GCM).
What was stored before is encrypted too, 100 texts at a time. Requests are answered meanwhile; clients change nothing.

It does not encrypt vectors, tags, metadata, names of end users, dates and directives, nor backups made before.

It cannot be undone: no command writes the text back in clear. To leave, `export` the memories, which are readable to
keys as before, and import them into an organization without encryption. Without the KMS key nobody can read the text.

It can be interrupted and run again: it goes on where it stopped, as the scheduled maintenance does.
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
