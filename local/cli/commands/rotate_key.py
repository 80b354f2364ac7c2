"""Give an organization a new data key and seal all its text under it; can be interrupted and run again.

Old text stays readable all the while; when none is left under it the old key is retired, and destroyed a week later.
With --rewrap the data keys stay, and are only wrapped by the present KMS key: for when that one is replaced.
"""

from argparse import ArgumentParser, Namespace

from local.cli.encryption import add_encryption_arguments, bring_in, opened
from local.cli.terminal import Terminal


def add_arguments(parser: ArgumentParser) -> None:
    add_encryption_arguments(parser)
    parser.add_argument("--rewrap", action="store_true", help="only wrap the data keys by the present KMS key")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when all text is sealed under the newest key."""
    async with opened(arguments) as (encryption, org_id, kms_key_id):
        if arguments.rewrap:
            with terminal.waiting("Wrapping the data keys"):
                versions = await encryption.rewrap(org_id, kms_key_id)
            terminal.result({"rewrapped": versions}, f"Wrapped anew: {versions}")
            return True
        await encryption.rotate(org_id, kms_key_id)
        return await bring_in(encryption, org_id, terminal)
