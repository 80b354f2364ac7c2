"""Bounds logs that other processes append to: a function's instances, a server."""

import logging
import os
import shutil
from pathlib import Path

MAXIMUM_BYTES = 10_000_000
"""The largest size of one log; its `previous` file may have the same size in addition."""

_logger = logging.getLogger(__name__)


def previous(path: Path) -> Path:
    """The path of the file with the older lines of a log."""
    return path.with_suffix(".log.previous")


def bound_all(folder: Path) -> None:
    """Bounds all logs in a stack's folder, of functions and servers; logs a warning for each failure."""
    for path in (*folder.glob("logs/*.log"), *folder.glob("*/server.log")):
        try:
            bound(path)
        except OSError as error:
            _logger.warning("cannot shorten a log", extra={"path": str(path), "reason": str(error)})


def bound(path: Path, maximum: int = MAXIMUM_BYTES) -> None:
    """Copies a log over the maximum to its `previous` file, then empties it.

    It is not replaced, because other processes keep it open; a line written between copying and emptying is lost.
    """
    if path.stat().st_size <= maximum:
        return
    shutil.copyfile(path, previous(path))
    os.truncate(path, 0)
