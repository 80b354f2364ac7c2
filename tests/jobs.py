"""Jobs as a shell starts them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ignoring_interrupts(*, ignored: bool = True) -> Iterator[None]:
    """Ctrl-C is ignored in the block, as in a job in the background: by this process and by what it starts."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
