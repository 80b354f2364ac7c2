"""Keeps the cores busy during measurements in milliseconds.

A virtual machine returns an idle core to its host, and gets it back milliseconds after a wait has ended. Therefore each
core runs a process of the idle scheduling class, which yields at once to any other process. The kernel parameter
`idle=poll` has the same effect, but needs a restart of the machine.
"""

import argparse
import os
import subprocess
import sys
from typing import Self

_ADDITIONS = 10_000


def add_option(parser: argparse.ArgumentParser) -> None:
    """Adds `--let-sleep`, which measures the machine as it is: pass it to `Awake(wanted=not arguments.let_sleep)`."""
    parser.add_argument("--let-sleep", action="store_true", help="the cores, whenever nothing runs on them")


def account(arguments: argparse.Namespace) -> str:
    """The sentence for a report that says whether cores were kept awake."""
    return "cores sleep when they have nothing to do" if arguments.let_sleep else "cores are kept awake"


class Awake:
    """A context manager that runs `processes`, one for each core; none on systems without an idle class."""

    def __init__(self, *, wanted: bool = True) -> None:
        """With `wanted` False, no process is started, to measure the machine's own behaviour."""
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
    """Runs until it is killed, or its parent process has ended."""
    parent, core = map(int, sys.argv[1:])
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while os.getppid() == parent:
        for _ in range(_ADDITIONS):
            pass


if __name__ == "__main__":
    main()
