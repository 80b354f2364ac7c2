"""Write the memories of a JSON Lines file through the API; can be interrupted and run again.

Each line is one memory as POST /v1/memories takes it. What is written already is found by its `client_ref`; a line
without one gets one that is derived from its content. Lines that are refused are listed in a report beside the file.
"""

import asyncio
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, named, service
from local.cli.terminal import Terminal
from local.transfer.importer import Importer, ImportRefusedError
from local.transfer.lines import AgentMapping
from local.transfer.progress import Counts, Progress, source


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--agent-id", type=named, help="writes all of them for this agent, whatever the lines say")
    parser.add_argument("--connections", type=int, default=4, help="batches on their way at once")
    parser.add_argument("--restart", action="store_true", help="forget how far an earlier run got")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every line was accepted or existed already."""
    path: Path = arguments.file
    api = service(arguments)
    agents = AgentMapping(all_of=arguments.agent_id or "", rest=api.agent_id)
    progress_path = path.with_name(path.name + ".progress")
    report = path.with_name(path.name + ".refused.jsonl")
    start = _start(path, progress_path, f"{api.url} {api.org_id} {agents}", restart=arguments.restart)
    if start.number:
        terminal.say(f"Going on after line {start.number}")
    began = time.monotonic()
    async with api.client() as client:
        importer = Importer(client, connections=arguments.connections)
        with terminal.progress() as bar:
            task = bar.add_task("Importing", total=_total(path), completed=start.counts.lines)
            try:
                end = await importer.run(
                    path,
                    start,
                    agents,
                    report=report,
                    progress_path=progress_path,
                    decided=lambda counts: bar.advance(task, counts.lines),
                )
            except (ImportRefusedError, asyncio.CancelledError) as error:
                terminal.say(f"Stopped. The same command goes on where it stopped ({progress_path}).")
                if isinstance(error, ImportRefusedError):
                    raise CommandError(str(error)) from error
                raise
    seconds = time.monotonic() - began
    progress_path.unlink(missing_ok=True)
    if not end.counts.refused:
        report.unlink(missing_ok=True)
    _show(terminal, end.counts, end.counts.lines - start.counts.lines, seconds, report)
    return not end.counts.refused


def _show(terminal: Terminal, counts: Counts, lines: int, seconds: float, report: Path) -> None:
    rate = lines / seconds if seconds else 0.0
    skipped = f", {counts.skipped} not active and left out" if counts.skipped else ""
    refused = f", {counts.refused} refused: see {report}" if counts.refused else ""
    terminal.result(
        {
            "lines": counts.lines,
            "accepted": counts.accepted,
            "duplicate": counts.duplicate,
            "refused": counts.refused,
            "skipped": counts.skipped,
            "report": str(report) if counts.refused else None,
            "seconds": round(seconds, 3),
            "lines_per_second": round(rate, 1),
        },
        f"{counts.accepted} accepted, {counts.duplicate} there already{skipped}{refused}. "
        f"{lines} lines in {seconds:.1f} s: {rate:,.0f} a second",
    )


def _start(path: Path, progress_path: Path, destination: str, *, restart: bool) -> Progress:
    if not path.is_file():
        raise CommandError(f"there is no file {path}")
    if restart:
        progress_path.unlink(missing_ok=True)
    return Progress.load(progress_path, source(path, destination))


def _total(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())
