"""What of a task's failure is told: never a row or a value."""

import time
from collections.abc import Mapping
from typing import Any

import pytest
from awslambdaric.lambda_context import LambdaContext

from remembrancer.errors import NotFound
from remembrancer.runtime.after_response import AfterResponse
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.tasks.handler import TaskFailed, task_handler

CONTEXT = LambdaContext("invocation", {}, {}, int((time.time() + 3600) * 1000))
SECRET = "Ada is allergic to fish."


@pytest.fixture(scope="module")
def loop() -> LoopThread:
    return LoopThread()


def failing(loop: LoopThread, error: Exception) -> Any:
    async def task(event: Mapping[str, Any]) -> dict[str, Any]:
        raise error

    return task_handler({"task": task}, loop=loop, after_response=AfterResponse(loop, None))


def test_an_unexpected_exception_is_told_without_its_message(
    loop: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(TaskFailed, match=r"^KeyError$") as raised:
        failing(loop, KeyError(SECRET))({}, CONTEXT)

    (line,) = [record for record in caplog.records if record.message == "task_failed"]
    assert vars(line)["error"] == ["KeyError"]
    assert SECRET not in str(vars(line))
    assert raised.value.__suppress_context__


def test_what_the_engine_itself_says_is_told(loop: LoopThread) -> None:
    with pytest.raises(NotFound, match="no such agent"):
        failing(loop, NotFound("There is no such agent."))({}, CONTEXT)
