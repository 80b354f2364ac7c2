"""Asks the operator before something that cannot be undone."""

import sys


def agreed(question: str, *, yes: bool) -> bool:
    """Whether to go on: with `--yes`, or after `y` in a terminal. Elsewhere nobody is asked, and it is no."""
    if yes:
        return True
    if not sys.stdin.isatty():
        sys.stderr.write(f"{question} Nothing is done: add --yes where nobody can be asked.\n")
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
