"""Measures how late this machine wakes a sleeping process; no deadline can be kept more exactly.

A separate process sleeps a few milliseconds at a time while something else is measured. Run alone,
`python -m benchmarks.lateness` prints the lateness of the idle machine.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import numpy as np

from benchmarks import figures
from benchmarks.awake import Awake

SLEEP_SECONDS = 0.003
REPORT_SECONDS = 20.0
_MODULE = "benchmarks.lateness"
"""The module's name as text, because `__name__` is `__main__` when this file is the program."""


class Lateness:
    """A context manager; `since_last` returns the lateness in milliseconds of each sleep since the previous call."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0

    def __enter__(self) -> "Lateness":
        self._file.touch()
        self._process = subprocess.Popen([sys.executable, "-m", _MODULE, str(self._file)])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def since_last(self) -> list[float]:
        """Empty when no sleep has ended since the previous call."""
        values: list[float] = np.fromfile(self._file, np.float32, offset=self._read).tolist()
        self._read += 4 * len(values)
        return values


def main() -> None:
    """With a file, runs until it is killed; else prints the idle machine's lateness with sleeping and awake cores."""
    if len(sys.argv) > 1:
        _sleep_again_and_again(Path(sys.argv[1]))
    for wanted in (False, True):
        with tempfile.TemporaryDirectory() as folder, Awake(wanted=wanted), Lateness(Path(folder) / "late") as lateness:
            time.sleep(REPORT_SECONDS)
            late = lateness.since_last()
        shown = ", ".join(f"p{share * 100:g} {figures.percentile(late, share):.2f}" for share in (0.5, 0.99, 0.999))
        print(f"{len(late)} sleeps, cores {'kept awake' if wanted else 'let sleep'}: {shown} ms late")


def _sleep_again_and_again(target: Path) -> NoReturn:
    with target.open("ab", buffering=0) as file:
        while True:
            started = time.perf_counter()
            time.sleep(SLEEP_SECONDS)
            file.write(np.float32((time.perf_counter() - started - SLEEP_SECONDS) * 1000).tobytes())


if __name__ == "__main__":
    main()
