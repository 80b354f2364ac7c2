"""Functions that are neither HTTP nor queue: one call, one JSON answer, errors as Lambda reports them."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.loop import LoopThread

Task = Callable[[], Coroutine[Any, Any, dict[str, Any]]]


def task_handler(
    task: Task, *, loop: LoopThread, after_response: AfterResponse
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """The Lambda handler that runs `task` for every event."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        try:
            return loop.run(task(), seconds=context.get_remaining_time_in_millis() / 1000)
        finally:
            after_response.finish(Work())

    return handle
