"""`python -m tests.frameworks module function` runs a function of this folder; arguments and answer are JSON."""

import json
import sys
from importlib import import_module

if __name__ == "__main__":
    module, function = sys.argv[1:]
    # What a framework prints is not the answer.
    printed, sys.stdout = sys.stdout, sys.stderr
    answer = getattr(import_module(f"tests.frameworks.{module}"), function)(**json.load(sys.stdin))
    json.dump(answer, printed)
