"""How late this machine wakes a process that sleeps: what no deadline kept on it can be better than.

A process of its own that sleeps a few milliseconds again and again, beside what is measured.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SLEEP_SECONDS = 0.003


class Lateness:
    """A context manager; `since_last` gives the lateness of each sleep, in milliseconds, since it was last asked."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0

    def __enter__(self) -> "Lateness":
        self._file.touch()
        self._process = subprocess.Popen([sys.executable, "-m", __name__, str(self._file)])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def since_last(self) -> list[float]:
        """Empty when it has not slept since."""
        values: list[float] = np.fromfile(self._file, np.float32, offset=self._read).tolist()
        self._read += 4 * len(values)
        return values


def main() -> None:
    """Until it is killed."""
    with Path(sys.argv[1]).open("ab", buffering=0) as file:
        while True:
            started = time.perf_counter()
            time.sleep(SLEEP_SECONDS)
            file.write(np.float32((time.perf_counter() - started - SLEEP_SECONDS) * 1000).tobytes())


if __name__ == "__main__":
    main()
