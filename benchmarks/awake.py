"""Keeps the cores awake while something is measured in milliseconds.

A virtual machine whose core has nothing to do gives it back to its host, and gets it again milliseconds after a wait
was over. So each core gets a process of the idle class, which runs when nothing else wants to and gives way at once. It
is what `idle=poll` does for a machine that one may start anew.
"""

import argparse
import os
import subprocess
import sys
from typing import Self

_ADDITIONS = 10_000


def add_option(parser: argparse.ArgumentParser) -> None:
    """`--let-sleep`, for `Awake(wanted=not arguments.let_sleep)`."""
    parser.add_argument("--let-sleep", action="store_true", help="the cores, whenever nothing runs on them")


def account(arguments: argparse.Namespace) -> str:
    """What a report says of it."""
    return "cores sleep when they have nothing to do" if arguments.let_sleep else "cores are kept awake"


class Awake:
    """A context manager of `processes`, one a core; of none where the system has no idle class."""

    def __init__(self, *, wanted: bool = True) -> None:
        """`wanted` is False to measure what the machine does by itself."""
        self._wanted = wanted and hasattr(os, "SCHED_IDLE")
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        if self._wanted:
            cores = sorted(os.sched_getaffinity(0))
            command = [sys.executable, "-m", __name__, str(os.getpid())]
            self.processes = [subprocess.Popen([*command, str(core)]) for core in cores]
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


def main() -> None:
    """Until it is killed, or who started it is gone."""
    parent, core = map(int, sys.argv[1:])
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while os.getppid() == parent:
        for _ in range(_ADDITIONS):
            pass


if __name__ == "__main__":
    main()
