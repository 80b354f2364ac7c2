"""Bounds logs that other processes append to: a function's instances, a server."""

import logging
import os
import shutil
from pathlib import Path

MAXIMUM_BYTES = 10_000_000
"""Of one log; as much again may be in what it held before."""

_logger = logging.getLogger(__name__)


def previous(path: Path) -> Path:
    """Where the older part of a log is."""
    return path.with_suffix(".log.previous")


def bound_all(folder: Path) -> None:
    """The logs of a stack's folder, functions' and servers'; warns of one that cannot be bounded."""
    for path in (*folder.glob("logs/*.log"), *folder.glob("*/server.log")):
        try:
            bound(path)
        except OSError as error:
            _logger.warning("cannot shorten a log", extra={"path": str(path), "reason": str(error)})


def bound(path: Path, maximum: int = MAXIMUM_BYTES) -> None:
    """Above the maximum, the log becomes its `previous`, and those who append to it go on in an empty one.

    They keep the file open, so it is emptied and not replaced; a line that comes between copy and emptying is lost.
    """
    if path.stat().st_size <= maximum:
        return
    shutil.copyfile(path, previous(path))
    os.truncate(path, 0)
