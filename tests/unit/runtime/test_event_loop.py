"""Coroutines on the event loop's thread, and their results, errors and time-outs on the caller's."""

import asyncio
import gc
import threading
from concurrent.futures import CancelledError
from contextvars import ContextVar

import pytest

from remembrancer.runtime.event_loop import LoopThread

CALLER: ContextVar[str] = ContextVar("caller")


@pytest.fixture(scope="module")
def loop() -> LoopThread:
    return LoopThread()


def test_the_result_comes_from_the_loop_s_thread_with_the_caller_s_context(loop: LoopThread) -> None:
    async def work() -> tuple[str, str]:
        return threading.current_thread().name, CALLER.get()

    token = CALLER.set("caller")
    try:
        assert loop.run(work()) == ("event-loop", "caller")
    finally:
        CALLER.reset(token)


def test_an_error_is_raised_in_the_caller_s_thread(loop: LoopThread) -> None:
    async def fail() -> None:
        raise KeyError("wrong")

    with pytest.raises(KeyError):
        loop.run(fail(), seconds=60)


def test_work_that_is_cancelled_on_the_loop_is_an_ordinary_error(loop: LoopThread) -> None:
    async def cancel() -> None:
        raise asyncio.CancelledError

    with pytest.raises(CancelledError):
        loop.run(cancel())


def test_late_work_is_cancelled_and_the_next_is_done(loop: LoopThread, caplog: pytest.LogCaptureFixture) -> None:
    cancelled = threading.Event()

    async def hang() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    with pytest.raises(TimeoutError):
        loop.run(hang(), seconds=0.01)

    assert cancelled.wait(10)
    assert loop.run(asyncio.sleep(0, "next")) == "next"
    assert caplog.records == []


def test_an_unexpected_exception_of_late_work_is_reported(loop: LoopThread, caplog: pytest.LogCaptureFixture) -> None:
    said = "what somebody said"

    async def hang() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise KeyError(said)

    with pytest.raises(TimeoutError):
        loop.run(hang(), seconds=0.01)

    assert loop.run(asyncio.sleep(0, "next")) == "next"
    # A task that nothing holds any more reports its exception.
    gc.collect()
    (record,) = caplog.records
    assert (record.message, record.__dict__["error"]) == ("event_loop_bug", ["KeyError", "CancelledError"])
    assert "never retrieved" in record.__dict__["event"]
    assert said not in str(record.__dict__)
