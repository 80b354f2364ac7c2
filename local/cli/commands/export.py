"""Write memories to a JSON Lines file through the API, with their earlier texts and relations.

`import` reads the file again: the active memories come back as they were. With `--conversations` the captured
conversations are written to another file, one with its turns on each line.
"""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx

from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, named, service
from local.cli.terminal import Terminal

PAGE = 200


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--conversations", type=Path, metavar="FILE.jsonl", help="turns that are still kept, too")
    parser.add_argument("--agent-id", type=named, help="of one agent; else all that the key may read")
    parser.add_argument("--user-id", default="*", type=named, help="of one end user; else of all, if the key may")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Writes each file completely or not at all; only its owner may read it, since it has the memories' text."""
    told = {"agent_id": arguments.agent_id, "user_id": arguments.user_id, "limit": str(PAGE)}
    asked = {name: value for name, value in told.items() if value}
    async with service(arguments).client() as client:
        lines = await _write(arguments.file, _pages(client, asked), terminal)
        result, text = {"lines": lines, "file": str(arguments.file)}, f"{lines} memories in {arguments.file}"
        if arguments.conversations:
            said = await _write(arguments.conversations, _conversations(client, asked), terminal)
            result |= {"conversations": said, "conversations_file": str(arguments.conversations)}
            text += f", {said} conversations in {arguments.conversations}"
    terminal.result(result, text)
    return True


async def _write(path: Path, pages: AsyncIterator[str], terminal: Terminal) -> int:
    """The number of lines."""
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    lines = 0
    with terminal.progress() as bar, partial.open("w", encoding="utf-8") as file:
        task = bar.add_task("Exporting", total=None)
        async for page in pages:
            file.write(page)
            lines += page.count("\n")
            bar.update(task, completed=lines)
    partial.replace(path)
    return lines


async def _pages(client: httpx.AsyncClient, asked: Mapping[str, str]) -> AsyncIterator[str]:
    cursor = ""
    while True:
        answer = await _answer(client, "/v1/export", {**asked, **({"cursor": cursor} if cursor else {})})
        yield answer.text
        cursor = answer.headers.get("x-next-cursor", "")
        if not cursor:
            return


async def _conversations(client: httpx.AsyncClient, asked: Mapping[str, str]) -> AsyncIterator[str]:
    """A line for each conversation, with all its turns in order."""
    cursor: str | None = ""
    while cursor is not None:
        listed = await _answer(client, "/v1/conversations", {**asked, **({"cursor": cursor} if cursor else {})})
        page = listed.json()
        for conversation in page["conversations"]:
            if asked.get("user_id", "*") not in {"*", conversation["user_id"]}:
                # A shared one.
                continue
            turns = await _turns(client, conversation["conversation_id"], asked.get("user_id", ""))
            yield json.dumps({**conversation, "turns": turns}, ensure_ascii=False) + "\n"
        cursor = page["next_cursor"]


async def _turns(client: httpx.AsyncClient, conversation_id: str, user_id: str) -> list[dict[str, Any]]:
    """Pages of turns are read from the newest back."""
    acting = {"X-End-User-ID": user_id.encode()} if user_id else {}
    turns: list[dict[str, Any]] = []
    before: int | None = None
    while True:
        place = {"before": str(before)} if before else {}
        answer = (await _answer(client, f"/v1/conversations/{conversation_id}", place, acting)).json()
        turns = answer["turns"] + turns
        before = answer["next_before"]
        if before is None or not answer["turns"]:
            return turns


async def _answer(
    client: httpx.AsyncClient, path: str, params: Mapping[str, str], headers: Mapping[str, bytes] | None = None
) -> httpx.Response:
    named = {name.encode(): value for name, value in (headers or {}).items()}
    answer = await client.get(path, params=dict(params), headers=named)
    if answer.status_code != httpx.codes.OK:
        raise CommandError(f"the export ended: {answer.status_code} {answer.text[:300]}")
    return answer
