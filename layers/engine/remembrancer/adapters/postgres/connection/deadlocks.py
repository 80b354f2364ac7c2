"""Repeats transactions that Postgres has ended because they and others waited for each other."""

import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from remembrancer.errors import StoreUnavailable

ATTEMPTS = 3
CAUSES = frozenset({"DeadlockDetected", "SerializationFailure"})
"""Errors after which Postgres has rolled the transaction back, and would probably accept it now."""

logger = logging.getLogger(__name__)

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def repeated(work: Callable[Given, Coroutine[Any, Any, Answer]]) -> Callable[Given, Coroutine[Any, Any, Answer]]:
    """Runs `work` again after a deadlock, `ATTEMPTS` times in all; for work whose only effects are those of one
    transaction.
    """

    @wraps(work)
    async def run(*args: Given.args, **kwargs: Given.kwargs) -> Answer:
        for _ in range(ATTEMPTS - 1):
            try:
                return await work(*args, **kwargs)
            except StoreUnavailable as error:
                if error.cause not in CAUSES:
                    raise
                logger.warning("transaction_repeated", extra={"cause": error.cause, "work": work.__name__})
        return await work(*args, **kwargs)

    return run
