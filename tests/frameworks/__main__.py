"""`python -m tests.frameworks module` imports a module of this folder and runs its functions, each in a fork.

Asked and answered by lines of JSON: function, arguments and environment; the answer, or the error as text.
"""

import json
import os
import sys
import traceback
from importlib import import_module
from types import ModuleType
from typing import IO, Any


def serve(module: ModuleType, answers: IO[str]) -> None:
    """Until its input ends; in a fork, until it has answered."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _answer(answers, _answered(module, json.loads(line)))
            # It ends like any program: what goes on in the background is waited for.
            return
        _, status = os.waitpid(child, 0)
        if status:
            _answer(answers, {"error": f"ended with status {os.waitstatus_to_exitcode(status)}"})


def _answered(module: ModuleType, asked: dict[str, Any]) -> dict[str, Any]:
    os.environ.update(asked["environment"])
    try:
        return {"answer": getattr(module, asked["function"])(**asked["arguments"])}
    except Exception:
        return {"error": traceback.format_exc()}


def _answer(answers: IO[str], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    # What a framework prints is not the answer.
    printed, sys.stdout = sys.stdout, sys.stderr
    serve(import_module(f"tests.frameworks.{sys.argv[1]}"), printed)
