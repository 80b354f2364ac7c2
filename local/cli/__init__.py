"""The command line. Each module of `commands` is one command: add a module to add a command."""

import argparse
import asyncio
import importlib
import logging
import os
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import psycopg

from local.cli import commands
from local.cli.command import Command, CommandError
from local.cli.terminal import Terminal
from local.refusals import failed_request
from local.sample import SampleError
from local.servers.errors import ServerError
from local.stack import ROOT, StackError
from remembrancer.errors import RemembrancerError

_FAILURES = (
    CommandError, StackError, ServerError, SampleError, RemembrancerError, httpx.HTTPError, httpx.InvalidURL,
    psycopg.OperationalError, OSError,
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """The console script; status 0 on success, 1 on failure, 130 after Ctrl-C."""
    try:
        chosen = parser().parse_args(arguments)
    except KeyboardInterrupt:
        # The commands are still being loaded.
        sys.exit(130)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    terminal = Terminal(as_json=chosen.json)
    try:
        done = asyncio.run(chosen.run(chosen, terminal))
    except BrokenPipeError:
        # Whatever read the output has ended, as `head` does; Python would fail again where it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except _FAILURES as error:
        terminal.failed(_reason(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0 if done else 1)


def parser() -> argparse.ArgumentParser:
    """The argument parser with all commands."""
    whole = argparse.ArgumentParser(prog="remembrancer", description="Remembrancer for operators and developers.")
    subparsers = whole.add_subparsers(required=True, metavar="COMMAND")
    for name, command in _commands():
        summary = (command.__doc__ or "").partition("\n")[0].rstrip(".")
        part = subparsers.add_parser(
            name, help=summary, description=command.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        part.add_argument("--json", action="store_true", help="the result as one JSON object, for machines")
        part.add_argument(
            "--directory",
            type=Path,
            default=Path(os.environ.get("REMEMBRANCER_DIRECTORY") or ROOT / ".local"),
            help="where `up` keeps data, logs and dev.env",
        )
        command.add_arguments(part)
        part.set_defaults(run=command.run)
    return whole


def _reason(error: Exception) -> str:
    """The error's message with what it is about: the URL of a request, the name of a file."""
    if isinstance(error, httpx.RequestError):
        return f"{failed_request(error)}: is the service running there?"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _commands() -> Iterator[tuple[str, Command]]:
    """Commands by name; underscores of a module's name become hyphens, a final one (which avoids a keyword) is
    dropped.
    """
    for module in pkgutil.iter_modules(commands.__path__):
        command: Command = importlib.import_module(f"{commands.__name__}.{module.name}")
        yield module.name.rstrip("_").replace("_", "-"), command
