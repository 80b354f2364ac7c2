"""Write memories to a JSON Lines file through the API, with their earlier texts and relations.

`import` reads the file again: the active memories come back as they were.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx

from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, service
from local.cli.terminal import Terminal

PAGE = 200


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of `export`."""
    parser.add_argument("file", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--agent-id", default="", help="of one agent; else everything that the key may read")
    parser.add_argument("--user-id", default="*", help="of one end user; else of all, which the key has to be allowed")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Writes the file completely or not at all; only its owner may read it, since it has the memories' text."""
    path: Path = arguments.file
    asked = {"agent_id": arguments.agent_id, "user_id": arguments.user_id, "limit": str(PAGE)}
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    lines = 0
    async with service(arguments).client() as client:
        with terminal.progress() as bar, partial.open("w", encoding="utf-8") as file:
            task = bar.add_task("Exporting", total=None)
            async for page in _pages(client, {name: value for name, value in asked.items() if value}):
                file.write(page)
                lines += page.count("\n")
                bar.update(task, completed=lines)
    partial.replace(path)
    terminal.result({"lines": lines, "file": str(path)}, f"{lines} memories in {path}")
    return True


async def _pages(client: httpx.AsyncClient, asked: Mapping[str, str]) -> AsyncIterator[str]:
    cursor = ""
    while True:
        answer = await client.get("/v1/export", params={**asked, **({"cursor": cursor} if cursor else {})})
        if answer.status_code != httpx.codes.OK:
            raise CommandError(f"the export ended: {answer.status_code} {answer.text[:300]}")
        yield answer.text
        cursor = answer.headers.get("x-next-cursor", "")
        if not cursor:
            return
