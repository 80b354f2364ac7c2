"""Handler of tasks: one call, one JSON answer, errors as Lambda reports them."""

import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from remembrancer.errors import InvalidRequest, RemembrancerError
from remembrancer.runtime.after_response import Finisher, Work
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.telemetry import described

MARGIN_S = 10.0
"""Reserve at the end of an invocation, by which a task has to have ended, so that its result can still be reported."""

_DATA_EXCEPTION = "22"
"""The class of such SQL states."""

logger = logging.getLogger(__name__)

Task = Callable[[Mapping[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


class TaskFailed(RemembrancerError):
    """An unexpected exception ended the task. The log has it as `task_failed`."""


def task_handler(
    tasks: Mapping[str, Task], *, loop: LoopThread, after_response: Finisher
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """The Lambda handler that runs the task named in the event's `task`, by default the first.

    Raises TaskFailed instead of an unexpected exception: Lambda logs and answers its message, and a driver's may quote
    a row.
    """

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        try:
            name = event.get("task") or next(iter(tasks))
            if name not in tasks:
                raise InvalidRequest(f"There is no task {name!r}; known tasks: {', '.join(tasks)}.")
            seconds = context.get_remaining_time_in_millis() / 1000
            return loop.run(tasks[name](event), seconds=max(seconds - MARGIN_S, seconds / 2))
        except (RemembrancerError, TimeoutError):
            raise
        except Exception as error:  # whatever a driver or a bug raises
            logger.error("task_failed", extra=described(error))
            raise TaskFailed(_named(error)) from None
        finally:
            after_response.finish(Work.of(context))

    return handle


def _named(error: Exception) -> str:
    """The exception's class, and of an error of Postgres what it says in general; its details quote the row, and its
    data exceptions quote the value.
    """
    name, state = type(error).__name__, getattr(error, "sqlstate", None)
    if state is None or state.startswith(_DATA_EXCEPTION):
        return name if state is None else f"{name} {state}"
    return f"{name} {state}: {error.diag.message_primary}"  # type: ignore[attr-defined]
