"""Write memories to a JSON Lines file through the API, with their earlier texts and relations.

With `-` they go to standard output. `import` reads the file again: the active memories come back as they were. With
`--to mem0` the active memories are written as mem0's `get_all` answers them. With `--conversations` the captured
conversations are written to another file, one with its turns on each line.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import httpx

from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, named, service
from local.cli.requests import request, request_json
from local.cli.terminal import STANDARD, Terminal
from local.transfer.take_over import mem0

PAGE = 200


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.jsonl", help="or - for standard output")
    parser.add_argument("--to", choices=[mem0.NAME], help="the form of another product: active memories, as one object")
    parser.add_argument("--conversations", type=Path, metavar="FILE.jsonl", help="turns that are still kept, too")
    parser.add_argument("--agent-id", type=named, help="of one agent; else all that the key may read")
    parser.add_argument("--user-id", default="*", type=named, help="of one end user; else of all, if the key may")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Writes each file completely or not at all; only its owner may read it, since it has the memories' text."""
    files = [str(file) for file in (arguments.file, arguments.conversations) if file]
    if len(set(files)) < len(files):
        raise CommandError(f"memories and conversations need a file each, not {files[0]} for both")
    if STANDARD in files:
        terminal.leave_output_to_data()
    told = {"agent_id": arguments.agent_id, "user_id": arguments.user_id, "limit": str(PAGE)}
    asked = {name: value for name, value in told.items() if value}
    async with service(arguments).client() as client:
        found = pages(client, "/v1/export", asked)
        lines = await write(arguments.file, _as_mem0(found) if arguments.to else found, terminal)
        result, text = {"lines": lines, "file": str(arguments.file)}, f"{lines} memories in {arguments.file}"
        if arguments.conversations:
            said = await write(arguments.conversations, _conversations(client, asked), terminal)
            result |= {"conversations": said, "conversations_file": str(arguments.conversations)}
            text += f", {said} conversations in {arguments.conversations}"
    terminal.result(result, text)
    return True


async def write(path: Path, pages: AsyncIterator[str], terminal: Terminal) -> int:
    """The number of lines. The file is there when it is complete; only its owner may read it."""
    lines = 0
    with _opened(path) as file, terminal.progress() as bar:
        task = bar.add_task("Exporting", total=None)
        async for page in pages:
            file.write(page)
            lines += page.count("\n")
            bar.update(task, completed=lines)
    return lines


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Standard output, or a file that has its name only when it is complete."""
    if str(path) == STANDARD:
        yield sys.stdout
        sys.stdout.flush()
        return
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    with partial.open("w", encoding="utf-8") as file:
        yield file
    partial.replace(path)


async def pages(
    client: httpx.AsyncClient, path: str, asked: Mapping[str, str], *, headers: Mapping[bytes, bytes] | None = None
) -> AsyncIterator[str]:
    """The pages of a route that answers JSON Lines."""
    cursor = ""
    while True:
        place = {"cursor": cursor} if cursor else {}
        answer = await request(client, "GET", path, params={**asked, **place}, headers=headers)
        yield answer.text
        cursor = answer.headers.get("x-next-cursor", "")
        if not cursor:
            return


async def _as_mem0(pages: AsyncIterator[str]) -> AsyncIterator[str]:
    """One object with a list of items, each on a line of its own."""
    before = '{"results": ['
    async for page in pages:
        for line in page.splitlines():
            if item := mem0.exported(json.loads(line)):
                yield f"{before}\n{json.dumps(item, ensure_ascii=False)}"
                before = ","
    yield f"{before if before != ',' else ''}]}}"


async def _conversations(client: httpx.AsyncClient, asked: Mapping[str, str]) -> AsyncIterator[str]:
    """A line for each conversation, with all its turns in order."""
    cursor: str | None = ""
    while cursor is not None:
        place = {"cursor": cursor} if cursor else {}
        page = await request_json(client, "GET", "/v1/conversations", params={**asked, **place})
        for conversation in page["conversations"]:
            if asked.get("user_id", "*") not in {"*", conversation["user_id"]}:
                # A shared one.
                continue
            turns = await _turns(client, conversation["conversation_id"], asked.get("user_id", ""))
            yield json.dumps({**conversation, "turns": turns}, ensure_ascii=False) + "\n"
        cursor = page["next_cursor"]


async def _turns(client: httpx.AsyncClient, conversation_id: str, user_id: str) -> list[dict[str, Any]]:
    """Pages of turns are read from the newest back."""
    acting = {b"X-End-User-ID": user_id.encode()} if user_id else {}
    turns: list[dict[str, Any]] = []
    before: int | None = None
    while True:
        place = {"before": str(before)} if before else {}
        path = f"/v1/conversations/{conversation_id}"
        answer = await request_json(client, "GET", path, params=place, headers=acting)
        turns = answer["turns"] + turns
        before = answer["next_before"]
        if before is None or not answer["turns"]:
            return turns
