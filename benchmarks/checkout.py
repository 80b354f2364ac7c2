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

    `worker` is the path of a script of this checkout, which reads lines of JSON and answers each by `say`; its settings
    are JSON in the variable WORKER.
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
        """Sends a request as one line of JSON, and does not wait for its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(request)}\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """Waits for the next answer; answers come in the order of their requests."""
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise SystemExit(f"The worker of {self._root} has ended.")
        return json.loads(line)

    def close(self) -> None:
        """Kills the worker, which has nothing to save."""
        self._process.kill()
        self._process.wait()


class Worker:
    """In the process: its settings, and the pipe of its answers, which nothing else may write to."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] = json.loads(os.environ["WORKER"])
        self._answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
        # Handlers write metrics there, from several threads.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def say(self, answer: object) -> None:
        """Writes an answer as one line of JSON, at once."""
        self._answers.write(f"{json.dumps(answer)}\n")
        self._answers.flush()
