"""A process that runs one checkout's code beside another's."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Checkout:
    """The process of a worker with the checkout's packages, run by this checkout's Python.

    `worker` is the path of a script of this checkout, which reads lines and writes each answer as a line behind `> `;
    its settings are JSON in the variable WORKER.
    """

    def __init__(self, root: Path, worker: str, settings: Mapping[str, Any]) -> None:
        self._root = root
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (root, root / "layers" / "engine"))),
            "OPENBLAS_NUM_THREADS": "1",
            "WORKER": json.dumps(settings),
        }
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, worker], env=environment, stdin=pipe, stdout=pipe, text=True)

    def ask(self, request: object) -> None:
        """Sends one line of JSON."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(request)}\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """Waits for the next answer; what handlers write is left out."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("> "):
                return json.loads(line[2:])
        raise SystemExit(f"The worker of {self._root} has ended.")

    def close(self) -> None:
        """Kills the worker, which has nothing to save."""
        self._process.kill()
        self._process.wait()


def settings() -> Any:
    """In the worker: what it was given."""
    return json.loads(os.environ["WORKER"])


def say(answer: object) -> None:
    """In the worker: writes one answer."""
    sys.stdout.write(f"> {json.dumps(answer)}\n")
    sys.stdout.flush()
