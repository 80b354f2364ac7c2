"""The interface of a module of `commands`."""

from argparse import ArgumentParser, Namespace
from typing import Protocol

from local.cli.terminal import Terminal


class CommandError(Exception):
    """The command failed; the message says how to fix it."""


class Command(Protocol):
    """A command module: the first line of its docstring describes it in the list of commands."""

    __doc__: str | None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds the command's arguments; `--json` and `--directory` exist for every command."""
        ...

    async def run(self, arguments: Namespace, terminal: Terminal) -> bool:
        """Returns whether the command did everything that was asked."""
        ...
