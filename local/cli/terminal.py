"""Output of a command: progress for people, or one JSON object at the end for machines."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

STANDARD = "-"
"""In place of a file: standard input or output."""


class Terminal:
    """With `as_json`, standard output has only the result, and everything else goes to standard error.

    Lines are never wrapped or cut here: what copies them or reads them in a pipe needs whole addresses and ids.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.console = Console(stderr=as_json)
        self._results = sys.stdout

    def leave_output_to_data(self) -> None:
        """From now on standard output has only what the command writes there itself, and the result goes to standard
        error too.
        """
        self.console = Console(stderr=True)
        self._results = sys.stderr

    def say(self, text: str, *, style: str = "") -> None:
        """Prints a line for people."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True, style=style)

    def result(self, data: Mapping[str, Any], text: str = "") -> None:
        """The command's result: `data` for machines, `text` for people."""
        if self.as_json:
            print(json.dumps(data, default=str), file=self._results)
        elif text:
            self.say(text)

    def failed(self, reason: str) -> None:
        """Prints why the command failed."""
        if self.as_json:
            print(json.dumps({"error": reason}), file=self._results)
        else:
            self.console.print("[bold red]Could not do it:[/]", end=" ")
            self.say(reason)
        self._results.flush()

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Prints a line for each row, with aligned columns as wide as their longest cell."""
        lines = [heads, *rows]
        widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
        for number, line in enumerate(lines):
            cells = (cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True))
            self.say("  ".join(cells).rstrip(), style="" if number else "bold")

    def progress(self) -> Progress:
        """Progress bars with counts, rate and remaining time, on standard error."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        return Progress(*columns, console=Console(stderr=True))

    def waiting(self, text: str) -> AbstractContextManager[object]:
        """Shows that the command is at work, where nothing can be counted and a person looks on."""
        return self.console.status(text) if self.console.is_terminal else nullcontext()


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")
