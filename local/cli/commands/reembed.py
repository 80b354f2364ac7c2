"""Embed again what has no vector since its embedding failed, or one of another model; can be interrupted and run again.

Marks the memories in the database; the scheduled run queues them, and this command shows how far they are. After a
change of the model the scheduled run queues them by itself.
"""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from rich.progress import Progress, TaskID

from local.cli.command import CommandError
from local.cli.connection import database_url
from local.cli.terminal import Terminal
from local.stack import ROOT
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep

_AT_ONCE = 1000
_LOOK_EVERY_S = 2.0


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--org-id", type=UUID, help="one organization; else all of them")
    parser.add_argument("--model", default="", help="the model that the functions embed with; else the packaged one")
    parser.add_argument("--no-wait", action="store_true", help="end when they are marked")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when all memories are marked, and embedded unless `--no-wait` was given."""
    model = arguments.model or _packaged_model()
    database = Database(database_url(arguments.directory), statement_ms=60_000)
    backlog = PostgresUpkeep(database)
    try:
        owners = [arguments.org_id] if arguments.org_id else [visit.org_id for visit in await backlog.organizations()]
        with terminal.progress() as bar:
            marked = await _mark(backlog, owners, model, bar)
            ready, active = (0, 0) if arguments.no_wait else await _wait(backlog, owners, model, bar)
    finally:
        await database.close()
    figures = {"model": model, "marked": marked} | (
        {} if arguments.no_wait else {"embedded": ready, "memories": active}
    )
    waited = "" if arguments.no_wait else f", {ready} of {active} have a vector of it"
    terminal.result(figures, f"{marked} memories were marked to be embedded by {model}{waited}.")
    return True


async def _mark(backlog: PostgresUpkeep, owners: Sequence[UUID], model: str, bar: Progress) -> int:
    task = bar.add_task("Marking", total=None)
    marked = 0
    for owner in owners:
        while number := await backlog.outdated(owner, model, _AT_ONCE):
            marked += number
            bar.update(task, completed=marked)
    bar.update(task, total=marked, completed=marked)
    return marked


async def _wait(backlog: PostgresUpkeep, owners: Sequence[UUID], model: str, bar: Progress) -> tuple[int, int]:
    task: TaskID | None = None
    while True:
        counts = [await backlog.embedded(owner, model) for owner in owners]
        ready, active = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
        task = bar.add_task("Embedding", total=active) if task is None else task
        bar.update(task, total=active, completed=ready)
        if ready >= active:
            return ready, active
        await asyncio.sleep(_LOOK_EVERY_S)


def _packaged_model() -> str:
    path: Path = ROOT / "layers" / "models" / "build" / "embedding" / "model.json"
    if not path.exists():
        raise CommandError("say which model with --model, or build the models layer with `make models`")
    return str(json.loads(path.read_text(encoding="utf-8"))["name"])
