"""Signals at the start of a child process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def delayed(*numbers: signal.Signals) -> Iterator[None]:
    """Delays these signals until the block ends. A child that is started in it does not ignore them.

    It would where this process does: a shell has its background jobs ignore SIGINT, and that is handed down to all
    children. Only in the main thread.
    """
    received: list[int] = []
    previous = {number: signal.signal(number, lambda number, _: received.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        for late in received:
            signal.raise_signal(late)
