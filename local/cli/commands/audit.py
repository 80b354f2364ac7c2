"""Write an organization's audit trail to a file, or verify such a file.

`export` needs a key with the scopes `admin` and `all_users`. `verify` needs no service: it checks that no entry of the
file was changed, removed, moved, added or cut off since it was signed, with `--public-key` that the organization's key
has signed it, and with `--earlier` that also the trail itself was not written anew since an older export.
"""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

from local.cli.command import CommandError
from local.cli.commands.export import pages, write
from local.cli.connection import add_service_arguments, service
from local.cli.terminal import STANDARD, Terminal
from remembrancer.adapters.encryption.signatures import is_signed
from remembrancer.domain.audit import chain
from remembrancer.domain.identity.scope import EVERY_NAME

PAGE = 1000
FOR_ALL = {b"X-End-User-ID": EVERY_NAME.encode()}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["export", "verify"])
    parser.add_argument("file", type=Path, metavar="FILE.jsonl", help="or - for standard output, of an export")
    parser.add_argument("--earlier", type=Path, metavar="FILE.jsonl", help="an older export, to compare with")
    parser.add_argument("--public-key", metavar="HEX", help="the key that must have signed it, from an older export")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Whether the file was written, or is whole."""
    if arguments.action == "verify":
        return _verify(arguments, terminal)
    if str(arguments.file) == STANDARD:
        terminal.leave_output_to_data()
    async with service(arguments).client() as client:
        exported = pages(client, "/v1/audit", {"limit": str(PAGE)}, headers=FOR_ALL)
        lines = await write(arguments.file, exported, terminal)
    terminal.result({"lines": lines, "file": str(arguments.file)}, f"{lines} lines in {arguments.file}")
    return True


def _verify(arguments: Namespace, terminal: Terminal) -> bool:
    with ExitStack() as files:
        file, earlier = (
            path and files.enter_context(path.open(encoding="utf-8", errors="replace", newline="\n"))
            for path in (arguments.file, arguments.earlier)
        )
        verdict = chain.verify(file, is_signed, earlier=earlier)
    problems, signed = list(verdict.problems), verdict.checkpoint
    if arguments.public_key and (signed is None or signed.public_key != arguments.public_key):
        problems.append("it was signed with another key")
    for problem in problems:
        terminal.say(problem, style="red")
    result = {"entries": verdict.entries, "hidden": verdict.hidden, "problems": problems}
    if signed is None:
        raise CommandError(f"{arguments.file} cannot be verified: {problems[0]}")
    result |= {"position": signed.position, "at": signed.at, "public_key": signed.public_key}
    whole = "is whole" if not problems else "is NOT whole"
    text = f"{arguments.file} {whole}: entries {signed.from_position + 1} to {signed.position}, signed {signed.at}"
    if not (arguments.earlier or arguments.public_key):
        # Whoever writes a file anew can sign it with a key of their own.
        terminal.say("Whose key it is, this file cannot say: compare with an older export (--earlier, --public-key).")
    terminal.result(result, f"{text}, by key {signed.public_key}")
    return not problems
