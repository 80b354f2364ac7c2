"""Rehearses a restore on this machine: `make drill`.

It starts everything anew in a folder of its own, remembers something, dumps the database with `pg_dump`, goes on (a
memory deleted, one written, another directive, all cached by warm functions), drops the database, restores the dump
with `pg_restore`, runs the task `restored`, and compares with what was there at the dump: every memory, what an
assembly by the still warm functions injects, and the audit trail, which has to continue the one that was exported
before.
"""

import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psycopg

from local.cli.command import CommandError
from local.cli.commands.audit import FOR_ALL
from local.cli.commands.export import pages
from local.cli.requests import request_json
from local.servers.postgres import DATABASE, OWNER, SUPERUSER, PostgresServer, binaries
from local.stack import MIGRATION, Stack, StackSettings
from remembrancer.adapters.encryption.signatures import is_signed
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.domain.audit import chain
from remembrancer.keys import fingerprint

KEPT = "The ferry to Kerrera leaves at nine."
DELETED_LATER = "The ferry to Kerrera takes bicycles."
WRITTEN_LATER = "The ferry to Kerrera is cancelled for good."
QUESTION = "When does the ferry to Kerrera leave?"
PATIENCE_SECONDS = 60.0
_PAUSE_SECONDS = 0.2
_START_SECONDS = 60.0
# A busy machine is late; what it restores does not depend on it.
_BOUNDS = dict.fromkeys(("ASSEMBLY_MS", "RETRIEVAL_MS", "DIRECTIVE_MS", "HOT_MS", "COLD_MS", "LEXICAL_MS"), "5000")

Say = Callable[[str], None]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class State:
    """What a caller sees: exported memories, the text of a prompt, the audit trail."""

    memories: frozenset[str]
    prompt: str
    audit: Sequence[str]


def differences(before: State, after: State) -> list[str]:
    """What the restored state lacks, has too much, or cannot prove."""
    told = {
        "memories that were there at the dump are missing": before.memories - after.memories,
        "memories of after the dump are still there": after.memories - before.memories,
    }
    problems = [f"{len(lines)} {problem}" for problem, lines in told.items() if lines]
    if before.prompt != after.prompt:
        problems.append(f"a warm function injects another text than at the dump: {after.prompt}")
    verdict = chain.verify(after.audit, is_signed, earlier=before.audit)
    return problems + [f"audit trail: {problem}" for problem in verdict.problems]


def dump(postgres: PostgresServer, file: Path) -> None:
    """The whole database in Postgres' own form; as superuser, since the owner too is bound by row-level security."""
    _run("pg_dump", "--format=custom", f"--file={file}", postgres.superuser_url)


def restore(postgres: PostgresServer, file: Path) -> None:
    """Drops the database, whoever is connected, and makes it of the dump. pgvector comes with the template: a local
    server has it from before its first start, so its dump does not.
    """
    with psycopg.connect(postgres.url(SUPERUSER, "postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}".encode())
    _run("pg_restore", "--exit-on-error", f"--dbname={postgres.superuser_url}", str(file))


async def drill(directory: Path, say: Say) -> list[str]:
    """The problems that were found."""
    settings = StackSettings(
        directory=directory, port=0, durable=False, start_seconds=_START_SECONDS, environment=_BOUNDS
    )
    stack = Stack(settings)
    await stack.start(say)
    try:
        async with await _client(stack) as client:
            return await _rehearse(stack, client, directory / "drill.dump", say)
    finally:
        await stack.stop()


async def _rehearse(stack: Stack, client: httpx.AsyncClient, file: Path, say: Say) -> list[str]:
    say("Remembering, and warming the functions")
    agent_id = (await _send(client, "POST", "/v1/agents", {"name": "drill"}))["agent_id"]
    await _direct(client, agent_id, "Be brief.")
    _, deleted_later = [await _remember(client, agent_id, text) for text in (KEPT, DELETED_LATER)]
    await stack.drain(PATIENCE_SECONDS)
    before = await _state(client, agent_id, until=lambda prompt: DELETED_LATER in prompt)
    say("Dumping the database")
    await asyncio.to_thread(dump, stack.postgres, file)
    say("Going on after the dump")
    await _send(client, "DELETE", f"/v1/memories/{deleted_later}")
    await _remember(client, agent_id, WRITTEN_LATER)
    await _direct(client, agent_id, "Be long.")
    await stack.drain(PATIENCE_SECONDS)
    await _state(client, agent_id, until=lambda prompt: WRITTEN_LATER in prompt and DELETED_LATER not in prompt)
    say("Dropping the database, and restoring the dump")
    await asyncio.to_thread(restore, stack.postgres, file)
    say("Beginning new counters, and emptying the cache: the task restored")
    await stack.invoke(MIGRATION, {"task": "restored"})
    say("Verifying")
    after = await _state(client, agent_id)
    problems = differences(before, after)
    await _remember(client, agent_id, "The first that is written after the restore.")
    return problems


async def _client(stack: Stack) -> httpx.AsyncClient:
    api_key = secrets.token_urlsafe(32)
    key = FirstKey("drill", fingerprint(api_key), ("admin", "all_users"))
    place = {"name": "Drill", "project_id": "proj_drill", "environment": "development"}
    await create_organization(stack.owner_database_url, **place, key=key)
    return httpx.AsyncClient(base_url=stack.url, headers={"X-API-Key": api_key}, timeout=PATIENCE_SECONDS)


async def _state(client: httpx.AsyncClient, agent_id: str, *, until: Callable[[str], bool] = bool) -> State:
    """When every source has answered, twice in a row, so that functions have cached all they can."""
    prompt = await _prompt(client, agent_id, until)
    memories, audit = [await _lines(client, path) for path in ("/v1/export", "/v1/audit")]
    # Counts of use go on.
    texts = frozenset(
        json.dumps({name: json.loads(line)[name] for name in ("id", "content", "status")}) for line in memories
    )
    return State(texts, prompt, audit)


async def _prompt(client: httpx.AsyncClient, agent_id: str, until: Callable[[str], bool]) -> str:
    body = {
        "agent_id": agent_id,
        "model": "gpt-4o",
        "request_id": "drill",
        "messages": [{"role": "user", "content": QUESTION}],
        "options": {"placement": "system"},
    }
    end = time.monotonic() + PATIENCE_SECONDS
    last = ""
    while True:
        answer = await _send(client, "POST", "/v1/context/assemble", body)
        prompt = str(answer["messages"][0]["content"])
        if not answer["metadata"]["fallback_reason"] and until(prompt) and prompt == last:
            return prompt
        if time.monotonic() > end:
            raise TimeoutError(f"no whole answer: {answer['metadata']['fallback_reason']} {prompt}")
        last = prompt
        await asyncio.sleep(_PAUSE_SECONDS)


async def _remember(client: httpx.AsyncClient, agent_id: str, content: str) -> str:
    return str((await _send(client, "POST", "/v1/memories", {"agent_id": agent_id, "content": content}))["id"])


async def _direct(client: httpx.AsyncClient, agent_id: str, text: str) -> None:
    await _send(client, "PUT", f"/v1/agents/{agent_id}/directive", {"text": text, "injection_mode": "system_first"})


async def _lines(client: httpx.AsyncClient, path: str) -> list[str]:
    async def read() -> list[str]:
        return [line async for page in pages(client, path, {}, headers=FOR_ALL) for line in page.splitlines()]

    return await _patiently(read)


async def _send(client: httpx.AsyncClient, method: str, path: str, body: object = None) -> dict[str, Any]:
    return await _patiently(lambda: request_json(client, method, path, body=body))


async def _patiently(send: Callable[[], Awaitable[Value]]) -> Value:
    """Where the service refuses, as with the connections that the restore has ended, the request is repeated."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return await send()
        except CommandError:
            if time.monotonic() > end:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run([str(binaries() / "bin" / program), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"{program} failed: {done.stderr.strip()}")


def main() -> int:
    """Status 0 if everything came back."""
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:5.1f} s  {text}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        # Postgres runs as another user where this is root.
        Path(folder).chmod(0o755)
        problems = asyncio.run(drill(Path(folder), say))
    for problem in problems:
        say(problem)
    say("NOT restored" if problems else "Restored: memories, prompts of warm functions, audit trail")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
