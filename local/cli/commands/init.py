"""Make an agent with a directive and the facts of a file, and say how to chat with it.

What is there already stays: an agent of this name, a directive that is the same, facts that were written before. Facts
are a .txt file with a fact on each line, a .md file, a .csv file with a column `content`, or a .jsonl file as `import`
reads it. A file with a mistake is refused before anything is written.
"""

import json
import os
import re
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx

from local.cli.command import CommandError
from local.cli.connection import CLIENT_FILE, NAMES, add_service_arguments, named, service
from local.cli.requests import request
from local.cli.terminal import Terminal
from local.refusals import refusal
from local.transfer import facts
from local.transfer.facts import FactsError
from local.transfer.importer import Importer, ImportRefusedError
from local.transfer.lines import ImportLine
from local.transfer.progress import Counts
from remembrancer.domain.memories.write_request import NEW_DIRECTIVE
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.errors import InvalidRequest

CONNECTIONS = 4
SHOWN = 10
"""Most mistakes that are listed one by one; of the others, only their number is said."""
QUESTION = "Your question?"


@dataclass(frozen=True, slots=True)
class _Made:
    """`directive` is new, unchanged, or none of this run's; `refused` are places with reasons."""

    agent_id: str
    is_new: bool
    directive: str
    version: int
    counts: Counts
    refused: Sequence[str]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", type=named, metavar="NAME", help="of the agent")
    parser.add_argument(
        "--directive", metavar="TEXT|FILE", help="its standing instruction, or a .txt or .md file of it"
    )
    parser.add_argument(
        "--facts",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=".txt, .md, .csv, .jsonl; again for more",
    )
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every fact is stored."""
    if "/" in arguments.name:
        raise CommandError("NAME must not contain a slash: it is part of an address")
    directive = _directive(arguments.directive)
    for path in arguments.facts:
        _facts(path, arguments.name)
    async with service(arguments).client() as client:
        answer = await request(client, "PUT", f"/v1/agents/{quote(arguments.name, safe='')}")
        agent_id = answer.json()["agent_id"]
        version, kind = await _store(client, f"/v1/agents/{agent_id}/directive", directive)
        counts, refused = await _write(client, arguments.facts, agent_id, terminal)
    _show(
        _Made(agent_id, answer.status_code == httpx.codes.CREATED, kind, version, counts, refused), arguments, terminal
    )
    return not refused


def _directive(given: str | None) -> str | None:
    """The text of the argument or of the file that it names; None without one."""
    if given is None:
        return None
    path, place = Path(given), "--directive"
    if path.suffix.lower() in {".txt", ".md"} and not any(letter.isspace() for letter in given):
        place = str(path)
        try:
            given = facts.read_text(path)
        except FactsError as error:
            raise CommandError(str(error)) from error
    if is_blank(given):
        raise CommandError(f"{place} must not be blank; leave the option out for an agent without a directive")
    try:
        text: str = NEW_DIRECTIVE.parse({"text": given})["text"]
    except InvalidRequest as error:
        raise CommandError(f"{place} {error.fields.get('text', error.message)}") from error
    return text


def _facts(path: Path, agent: str) -> list[ImportLine]:
    """Raises CommandError that names the lines with mistakes."""
    try:
        found = facts.read(path, agent)
    except FactsError as error:
        raise CommandError(str(error)) from error
    if mistakes := [f"{path} line {line.number}: {line.problem}" for line in found if line.problem]:
        raise CommandError("nothing is written.\n" + _listed(mistakes))
    kept = [line for line in found if line.memory is not None]
    if not kept:
        raise CommandError(f"{path} has no facts")
    return kept


async def _store(client: httpx.AsyncClient, path: str, directive: str | None) -> tuple[int, str]:
    """The active version, 0 for none, and whether this run made it. The same text makes no new version."""
    there = await client.get(path)
    if there.status_code == httpx.codes.NOT_FOUND:
        if directive is None:
            return 0, "none"
    else:
        if there.is_error:
            raise CommandError(refusal(there))
        active = there.json()
        if directive in {None, active["text"]}:
            return int(active["version"]), "unchanged"
    stored = await request(client, "PUT", path, body={"text": directive})
    return int(stored.json()["version"]), "new"


async def _write(
    client: httpx.AsyncClient, paths: Sequence[Path], agent_id: str, terminal: Terminal
) -> tuple[Counts, list[str]]:
    """All facts through the importer: what is there already is a duplicate."""
    counts, refused = Counts(), list[str]()
    for path in paths:
        memories = _facts(path, agent_id)
        with terminal.progress() as bar:
            task = bar.add_task(f"Writing the facts of {path.name}", total=len(memories))
            try:
                async for batch, outcome in Importer(client, connections=CONNECTIONS).sent(iter(memories)):
                    counts += outcome.counts
                    refused += [f"{path} line {one.number}: {one.reason}" for one in outcome.refusals]
                    bar.advance(task, len(batch))
            except ImportRefusedError as error:
                raise CommandError(f"{path} {error}. The same command goes on where it stopped.") from error
    return counts, refused


def _show(made: _Made, arguments: Namespace, terminal: Terminal) -> None:
    counts = made.counts
    terminal.result({
        "agent_id": made.agent_id,
        "name": arguments.name,
        "created": made.is_new,
        "directive": made.directive,
        "directive_version": made.version,
        "accepted": counts.accepted,
        "duplicate": counts.duplicate,
        "refused": made.refused,
    })  # fmt: skip
    if terminal.as_json:
        return
    agent = "a new agent" if made.is_new else "this agent was there already"
    directive = {"none": "none", "new": f"version {made.version}", "unchanged": f"version {made.version}, as before"}
    lines = [f"{arguments.name}: {agent}, {made.agent_id}", f"Directive: {directive[made.directive]}"]
    if arguments.facts:
        lines.append(f"Facts: {counts.accepted} written, {counts.duplicate} there already")
    if made.refused:
        lines += [f"{len(made.refused)} refused:", _listed(made.refused)]
    # Without the width of the terminal: commands are copied.
    terminal.console.print("\n".join([*lines, "", *_next(arguments)]), markup=False, highlight=False, soft_wrap=True)


def _next(arguments: Namespace) -> list[str]:
    """The commands of a first chat."""
    body = {
        "agent_id": arguments.name,
        "model": "gpt-4o",
        "request_id": "first",
        "messages": [{"role": "user", "content": QUESTION}],
    }
    begin = (
        []
        if any(os.environ.get(name) for name in NAMES)
        else [f"source {shlex.quote(str(arguments.directory / CLIENT_FILE))}"]
    )
    # make would read a dollar sign or a quote in its own way.
    is_plain = re.fullmatch(r"[A-Za-z0-9._-]+", arguments.name)
    proxy = 'make proxy ARGS="--agent {}"' if is_plain else ".venv/bin/remembrancer proxy --agent {}"
    return [
        "What a model would get:",
        *begin,
        'curl -s "$REMEMBRANCER_URL/v1/context/assemble" -H "X-API-Key: $REMEMBRANCER_API_KEY" '
        "-H 'X-Deadline-Ms: 2000' -H 'Content-Type: application/json' "
        f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}",
        "",
        f"A chat, from any client with a base URL: {proxy.format(shlex.quote(arguments.name))}",
    ]


def _listed(places: Sequence[str]) -> str:
    more = [f"and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    return "\n".join([*places[:SHOWN], *more])
