"""Write the memories of a JSON Lines file through the API; can be interrupted and run again.

Each line is one memory as POST /v1/memories takes it. What is written already is found by its `client_ref`; a line
without one gets one that is derived from its content. Lines that are refused are listed in a report beside the file.
With `-` the lines come from standard input, and the report is stdin.refused.jsonl in the present folder.

With --from the file is another product's: facts become memories, conversations are captured. Nothing is sent before
the whole file was read, and nothing becomes shared unless --shared says so.
"""

import asyncio
import json
import shutil
import signal
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from local.cli import taking_over
from local.cli.command import CommandError
from local.cli.connection import Service, add_service_arguments, named, service
from local.cli.terminal import STANDARD, Terminal
from local.transfer.importer import Importer, ImportRefusedError
from local.transfer.lines import AgentMapping
from local.transfer.progress import Counts, Progress, source


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE.jsonl", help="or - for standard input; with --from also a folder"
    )
    parser.add_argument("--agent-id", type=named, help="writes all of them for this agent, whatever the lines say")
    parser.add_argument("--connections", type=int, default=4, help="batches on their way at once")
    parser.add_argument("--restart", action="store_true", help="forget how far an earlier run got")
    add_service_arguments(parser)
    taking_over.add_arguments(parser)


@dataclass(frozen=True, slots=True)
class _Source:
    """The lines' file, and the files about it. Standard input is read again from its beginning after a failure."""

    path: Path
    progress: Path
    report: Path
    after_failure: str


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every line was accepted or existed already."""
    if not arguments.product and (told := [name for name in taking_over.OPTIONS if getattr(arguments, name)]):
        raise CommandError(f"--{told[0].replace('_', '-')} needs --from")
    if arguments.product and arguments.restart:
        raise CommandError("--restart is not for --from, which keeps no progress: nothing is written twice")
    api = service(arguments)
    with _source(arguments.file, terminal, may_be_folder=bool(arguments.product)) as lines:
        if arguments.product:
            return await taking_over.take_over(lines.path, lines.report, api, arguments, terminal)
        return await _import(lines, api, arguments, terminal)


@contextmanager
def _source(path: Path, terminal: Terminal, *, may_be_folder: bool) -> Iterator[_Source]:
    """The file or folder, or standard input in a file that is removed afterwards."""
    if str(path) != STANDARD:
        if not (path.is_file() or (may_be_folder and path.is_dir())):
            raise CommandError(f"there is no file {path}")
        progress, report = (path.with_name(path.name + ending) for ending in (".progress", ".refused.jsonl"))
        yield _Source(path, progress, report, f"The same command goes on where it stopped ({progress}).")
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "stdin"
        with terminal.waiting("Reading standard input"), copy.open("wb") as file, _interruptible():
            shutil.copyfileobj(sys.stdin.buffer, file)
        again = "Give it the same lines again: those that were written are not written twice."
        yield _Source(copy, copy.with_name("progress"), Path("stdin.refused.jsonl"), again)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends a read that blocks; the event loop's own handler would wait for the end of the read."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _import(lines: _Source, api: Service, arguments: Namespace, terminal: Terminal) -> bool:
    agents = AgentMapping(all_of=arguments.agent_id or "", rest=api.agent_id)
    if arguments.restart:
        lines.progress.unlink(missing_ok=True)
    start = Progress.load(lines.progress, source(lines.path, f"{api.url} {api.org_id} {agents}"))
    if start.number:
        terminal.say(f"Going on after line {start.number}")
    began = time.monotonic()
    async with api.client() as client:
        importer = Importer(client, connections=arguments.connections)
        with terminal.progress() as bar:
            task = bar.add_task("Importing", total=_total(lines.path), completed=start.counts.lines)
            try:
                end = await importer.run(
                    lines.path,
                    start,
                    agents,
                    report=lines.report,
                    progress_path=lines.progress,
                    decided=lambda counts: bar.advance(task, counts.lines),
                )
            except (ImportRefusedError, asyncio.CancelledError) as error:
                terminal.say(f"Stopped. {lines.after_failure}")
                if isinstance(error, ImportRefusedError):
                    raise CommandError(str(error)) from error
                raise
    seconds = time.monotonic() - began
    lines.progress.unlink(missing_ok=True)
    if not end.counts.refused:
        lines.report.unlink(missing_ok=True)
    _show(terminal, end.counts, end.counts.lines - start.counts.lines, seconds, lines.report)
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
    if counts.refused:
        first = json.loads(report.read_text(encoding="utf-8").partition("\n")[0])
        terminal.say(f"The first of them is line {first['line']}: {first['reason']}")


def _total(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())
