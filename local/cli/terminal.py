"""Output of a command: progress for people, or one JSON object at the end for machines."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class Terminal:
    """With `as_json`, standard output has only the result, and everything else goes to standard error."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.console = Console(stderr=as_json)

    def say(self, text: str) -> None:
        """Prints a line for people."""
        self.console.print(text, highlight=False)

    def result(self, data: Mapping[str, Any], text: str = "") -> None:
        """The command's result: `data` for machines, `text` for people."""
        if self.as_json:
            print(json.dumps(data, default=str))
        elif text:
            self.say(text)

    def failed(self, reason: str) -> None:
        """Prints why the command failed."""
        if self.as_json:
            print(json.dumps({"error": reason}))
        else:
            self.console.print("[bold red]Could not do it:[/]", end=" ")
            self.console.print(reason, highlight=False, markup=False)
        sys.stdout.flush()

    def progress(self) -> Progress:
        """Progress bars with counts, rate and remaining time."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        return Progress(*columns, console=self.console)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")
