"""Handler of tasks: one call, one JSON answer, errors as Lambda reports them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.event_loop import LoopThread

MARGIN_S = 10.0
"""Reserve at the end of an invocation, by which a task has to have ended, so that its result can still be reported."""

Task = Callable[[Mapping[str, Any]], Coroutine[Any, Any, dict[str, Any]]]


def task_handler(
    tasks: Mapping[str, Task], *, loop: LoopThread, after_response: AfterResponse
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """The Lambda handler that runs the task named in the event's `task`, by default the first."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        try:
            name = event.get("task") or next(iter(tasks))
            if name not in tasks:
                raise InvalidRequest(f"There is no task {name!r}; known tasks: {', '.join(tasks)}.")
            seconds = context.get_remaining_time_in_millis() / 1000
            return loop.run(tasks[name](event), seconds=max(seconds - MARGIN_S, seconds / 2))
        finally:
            after_response.finish(Work.of(context))

    return handle
