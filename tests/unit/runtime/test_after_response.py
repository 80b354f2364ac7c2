"""The budget of the work after the response: it ends before the invocation does, whatever hangs."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from remembrancer.runtime.after_response import MARGIN_SECONDS, AfterResponse, ServerWork, Work
from remembrancer.runtime.event_loop import LoopThread
from tests.unit.runtime.embedded_metrics import SERVICE, published

PATIENCE_SECONDS = 6.0
"""Less than the work takes that is given up, and than the usual budget; much, for a busy machine."""


@pytest.fixture
def loop() -> LoopThread:
    return LoopThread()


def elapsed(run: Callable[[], None]) -> float:
    begun = time.monotonic()
    run()
    return time.monotonic() - begun


async def hang() -> None:
    await asyncio.sleep(60)


def work_of(*items: tuple[str, Callable[[], Awaitable[None]]], ends_in: float = 60.0) -> Work:
    work = Work(time.monotonic() + ends_in)
    for name, start in items:
        work.add(name, start)
    return work


def test_all_work_together_ends_within_its_budget_and_the_rest_is_counted(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    async def do() -> None:
        done.append("late")

    work = work_of(("usage", hang), ("hot set", do))

    seconds = elapsed(partial(AfterResponse(loop, None, seconds=0.3).finish, work))

    assert 0.2 < seconds < PATIENCE_SECONDS
    assert done == []
    counted = [figure for figure in published(capsys.readouterr().out) if len(figure[1]) == 2]
    assert counted == [
        ("AfterResponseAbandoned", (SERVICE, ("work", "usage")), 1, "Count"),
        ("AfterResponseAbandoned", (SERVICE, ("work", "hot set")), 1, "Count"),
    ]


def test_work_that_is_done_at_once_runs_in_its_turn_and_its_failure_is_counted(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    async def do() -> None:
        done.append("waits")

    def fail() -> None:
        done.append("fails")
        raise KeyError

    work = Work(time.monotonic() + 60)
    work.add("fails", fail)
    work.add("waits", do)
    work.add("at once", lambda: done.append("at once"))
    AfterResponse(loop, None).finish(work)

    assert done == ["fails", "waits", "at once"]
    counted = [figure for figure in published(capsys.readouterr().out) if len(figure[1]) == 2]
    assert counted == [("AfterResponseFailed", (SERVICE, ("work", "fails")), 1, "Count")]


def test_work_ends_before_the_invocation_whatever_its_budget(loop: LoopThread) -> None:
    work = work_of(("usage", hang), ends_in=MARGIN_SECONDS + 0.3)

    seconds = elapsed(partial(AfterResponse(loop, None, seconds=60.0).finish, work))

    assert seconds < PATIENCE_SECONDS


def test_nothing_is_begun_when_the_invocation_is_about_to_end(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    work = work_of(("usage", hang), ends_in=MARGIN_SECONDS / 2)

    seconds = elapsed(partial(AfterResponse(loop, None).finish, work))

    assert seconds < PATIENCE_SECONDS
    assert "AfterResponseAbandoned" in capsys.readouterr().out


def test_work_that_will_not_be_cancelled_is_not_waited_for(loop: LoopThread) -> None:
    async def stubborn() -> None:
        for _ in range(300):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                continue

    seconds = elapsed(partial(AfterResponse(loop, None, seconds=0.2).finish, work_of(("usage", stubborn))))

    assert seconds < PATIENCE_SECONDS


def test_a_loop_that_is_stuck_is_given_up_from_outside(loop: LoopThread, capsys: pytest.CaptureFixture[str]) -> None:
    release = threading.Event()

    async def block() -> None:
        release.wait(60)

    seconds = elapsed(partial(AfterResponse(loop, None, seconds=0.2).finish, work_of(("map", block))))
    release.set()

    assert seconds < PATIENCE_SECONDS
    assert ("AfterResponseAbandoned", (SERVICE, ("work", "all")), 1, "Count") in list(
        published(capsys.readouterr().out)
    )


def test_in_a_server_work_of_requests_runs_at_once_recurring_work_when_it_is_due_and_the_last_at_the_end(
    loop: LoopThread,
) -> None:
    server, done = ServerWork(loop, seconds=1.0), list[str]()

    def note(name: str) -> Callable[[], None]:
        return lambda: done.append(name)

    async def once() -> None:
        done.append("once")

    server.once("first", once)
    server.always("due", note("due"), when=lambda: True)
    server.always("not due", note("not due"), when=lambda: False)
    server.at_end("end", note("end"), when=lambda: True)

    server.finish(work_of())
    server.finish(work_of(("hang", hang)))
    server.tick()
    took = elapsed(server.end)

    assert sorted(done[:2]) == ["due", "once"]
    assert done[2:] == ["end"]
    assert took < PATIENCE_SECONDS
