"""Work that has to be done before the interpreter ends, while the threads of event loops still run."""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401 - registers its own end, which has to come after ours
import logging
import threading
from collections.abc import Callable

logger = logging.getLogger("remembrancer_client")

_work: set[Callable[[], object]] = set()


def register(work: Callable[[], object]) -> None:
    """Has `work` done once at the end; the same work may be registered again."""
    _work.add(work)


def unregister(work: Callable[[], object]) -> None:
    """Does nothing for work that is not registered."""
    _work.discard(work)


def _run() -> None:
    for work in list(_work):
        try:
            work()
        except Exception as error:
            logger.warning("exit_failed", extra={"cause": type(error).__name__})


# Ordinary exit handlers are called after executors refuse work, without which no host name can be resolved.
getattr(threading, "_register_atexit", atexit.register)(_run)
