"""What a module of `commands` has."""

from argparse import ArgumentParser, Namespace
from typing import Protocol

from local.cli.terminal import Terminal


class CommandError(Exception):
    """The command could not do it; the message says what to do."""


class Command(Protocol):
    """A module: the first line of its docstring says in the list of commands what it does."""

    __doc__: str | None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Besides `--json` and `--directory`, which every command has."""
        ...

    async def run(self, arguments: Namespace, terminal: Terminal) -> bool:
        """Whether everything that was asked is done."""
        ...
