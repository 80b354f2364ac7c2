"""Repeats a transaction that Postgres has aborted to resolve a deadlock: nothing of it was stored.

Transactions lock in a fixed order: agent, memories by id, clusters. The memories of a conflict that ends are known only
after the first ones were locked, and foreign keys lock in an order of their own, so that deadlocks are rare but not
impossible.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from remembrancer.errors import StoreUnavailable

logger = logging.getLogger(__name__)

TIMES = 3
"""Attempts in all; each deadlock takes Postgres a second to notice."""
PAUSE_SECONDS = 0.05
"""Before the next attempt, so that the other transaction gets the locks that this one has lost."""
ABORTED = frozenset({"DeadlockDetected", "SerializationFailure"})

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")


def repeated(
    transaction: Callable[Arguments, Coroutine[Any, Any, Value]],
) -> Callable[Arguments, Coroutine[Any, Any, Value]]:
    """Decorates a method that may run twice: one transaction, or several that can each be repeated."""

    @wraps(transaction)
    async def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> Value:
        for attempt in range(1, TIMES):
            try:
                return await transaction(*arguments, **named)
            except StoreUnavailable as error:
                if error.cause not in ABORTED:
                    raise
                logger.warning("deadlock", extra={"transaction": transaction.__qualname__, "attempt": attempt})
                await asyncio.sleep(PAUSE_SECONDS * attempt)
        return await transaction(*arguments, **named)

    return run
