"""Reports refusals that a person has to correct: a wrong key, a missing right, an unknown agent."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable

STATUSES = (401, 403, 404)

logger = logging.getLogger("remembrancer_client")

OnRefused = Callable[[str, str], None]
"""Called with code and message of a refusal that a person has to correct, once for each code."""


class Refusals:
    """Reports each code once: by an error in the log, a warning and the callback. Each client has one."""

    def __init__(self, on_refused: OnRefused | None) -> None:
        self._on_refused = on_refused
        self._reported: set[str] = set()

    def report(self, code: str, message: str) -> None:
        """Does nothing for a code that was reported before. Raises what the callback raises."""
        if code in self._reported:
            return
        self._reported.add(code)
        logger.error("remembrancer_refused", extra={"code": code, "detail": message})
        warnings.warn(f"Remembrancer refuses: {code}: {message}", RuntimeWarning, stacklevel=2)
        if self._on_refused is not None:
            self._on_refused(code, message)
