"""Waiting with a bound: what comes in time is used, what is late is left, unexpected exceptions propagate."""

import asyncio
import socket
import time
from contextlib import suppress
from typing import NoReturn

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.errors import StoreTimeout, StoreUnavailable
from remembrancer.usecases.retrieval.deadline import Deadline, abandon
from tests.builders import SetClock

LONG_MS = 60_000.0


class Patient:
    """A source that waits until it is released, and notes what became of it."""

    def __init__(self) -> None:
        self.release = asyncio.Event()
        self.ended = asyncio.Event()
        self.cancelled = False
        self.finished = False

    async def work(self) -> str:
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        finally:
            self.ended.set()
        self.finished = True
        return "found"


class Stubborn(Patient):
    """A driver that does not let go when it is cancelled, and then fails."""

    async def work(self) -> NoReturn:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await self.release.wait()
        self.ended.set()
        raise ConnectionResetError


def until(ms: float) -> Deadline:
    return Deadline.begin(SystemClock(), ms)


async def succeed() -> list[int]:
    return [1, 2, 3]


async def test_what_comes_in_time_is_the_outcome() -> None:
    outcome = await until(LONG_MS).run("source", succeed(), count=len)

    assert outcome.value == [1, 2, 3]
    assert (outcome.report.status, outcome.report.count, outcome.report.cause) == ("ok", 3, "")
    assert outcome.report.latency_ms >= 0.0


async def test_a_result_that_nobody_counts_is_one() -> None:
    assert (await until(LONG_MS).run("source", succeed())).report.count == 1


@pytest.mark.parametrize("until_ms", [5.0, 0.0, -1000.0])
async def test_what_is_late_is_left_and_cancelled(until_ms: float) -> None:
    source = Patient()

    outcome = await until(until_ms).run("source", source.work())

    source.release.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (outcome.value, outcome.report.status) == (None, "timeout")
    assert not source.finished


async def test_a_driver_that_will_not_let_go_is_not_waited_for() -> None:
    source = Stubborn()

    outcome = await until(5.0).run("source", source.work())

    assert outcome.report.status == "timeout"
    assert not source.ended.is_set()
    source.release.set()
    await source.ended.wait()


async def test_the_bound_counts_from_the_start_of_the_request() -> None:
    clock = SetClock()
    deadline = Deadline.begin(clock, LONG_MS)
    clock.seconds += 61.0

    async with asyncio.timeout(10):
        outcome = await deadline.run("source", Patient().work())

    assert (outcome.report.status, outcome.report.started_ms) == ("timeout", 61_000.0)


async def test_a_store_that_failed_is_an_outcome_with_its_cause() -> None:
    async def fail() -> NoReturn:
        raise StoreUnavailable("refused", cause="ConnectionRefusedError")

    outcome = await until(LONG_MS).run("source", fail())

    assert outcome.value is None
    assert (outcome.report.status, outcome.report.cause) == ("error", "ConnectionRefusedError")


async def test_a_store_that_ran_out_of_its_own_time_is_a_timeout() -> None:
    async def fail() -> NoReturn:
        raise StoreTimeout("late", cause="QueryCanceled")

    outcome = await until(LONG_MS).run("source", fail())

    assert (outcome.report.status, outcome.report.cause) == ("timeout", "QueryCanceled")


async def test_a_bug_is_not_an_outcome() -> None:
    async def stumble() -> NoReturn:
        raise TypeError("a bug")

    with pytest.raises(TypeError, match="a bug"):
        await until(LONG_MS).run("source", stumble())


async def test_cancelling_the_waiter_cancels_the_work() -> None:
    source = Patient()
    waiter = asyncio.ensure_future(until(LONG_MS).run("source", source.work()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    waiter.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiter
    await source.ended.wait()
    assert source.cancelled


async def test_two_sources_wait_side_by_side() -> None:
    slow = Patient()

    late, early = await asyncio.gather(until(5.0).run("source", slow.work()), until(LONG_MS).run("source", succeed()))

    assert (late.report.status, early.report.status) == ("timeout", "ok")


async def test_abandoned_work_that_has_already_failed_is_forgotten_quietly() -> None:
    async def stumble() -> NoReturn:
        raise ConnectionResetError

    task = asyncio.ensure_future(stumble())
    await asyncio.wait({task})

    abandon(task)
    await asyncio.sleep(0)

    assert task.done()


def test_the_elapsed_time_only_grows() -> None:
    running = until(LONG_MS)

    assert 0.0 <= running.elapsed_ms <= running.elapsed_ms


def test_a_derived_deadline_is_never_later_than_the_one_that_it_is_derived_from() -> None:
    clock = SetClock()
    deadline = Deadline.begin(clock, 40.0)
    clock.seconds += 0.010

    assert [deadline.within(ms).end_ms for ms in (35.0, 99.0)] == [35.0, 40.0]
    assert [deadline.soon(ms).end_ms for ms in (5.0, 99.0)] == pytest.approx([15.0, 40.0])
    assert deadline.reserving(6.0).end_ms == 34.0
    assert [deadline.left_ms, deadline.within(5.0).left_ms] == pytest.approx([30.0, 0.0])


async def test_deadlines_of_one_request_share_the_account_of_its_sources_and_stages() -> None:
    clock = SetClock()
    deadline = Deadline.begin(clock, LONG_MS)

    await deadline.within(35.0).run("cold", succeed(), count=len)
    with deadline.soon(5.0).timed("score"):
        clock.seconds += 0.002

    reports = deadline.account.of("cold", "hot")
    assert {name: report.status for name, report in reports.items()} == {"cold": "ok", "hot": "skipped"}
    assert reports["cold"].count == 3
    assert deadline.account.timings_ms == {"score": pytest.approx(2.0)}


async def test_the_first_definite_answer_of_several_sources_wins() -> None:
    early, late = asyncio.ensure_future(succeed()), asyncio.ensure_future(Patient().work())

    found = await until(LONG_MS).first(lambda: early.result() if early.done() else None, late, early)
    nothing = await until(5.0).first(lambda: late.result() if late.done() else None, late, early)

    assert (found, nothing) == ([1, 2, 3], None)
    abandon(late)


async def test_what_is_done_already_is_not_waited_for_even_one_turn_of_the_event_loop() -> None:
    loop = asyncio.get_running_loop()
    done, late = loop.create_future(), loop.create_future()
    done.set_result(None)
    turns: list[None] = []
    loop.call_soon(turns.append, None)

    await until(LONG_MS).wait(late, done)

    assert turns == []


async def test_work_that_waits_for_nothing_is_done_at_once_and_its_failure_is_an_outcome() -> None:
    deadline = until(LONG_MS)
    turns: list[str] = []

    async def found() -> str:
        return "found"

    async def fails() -> str:
        raise StoreUnavailable("closed", cause="Closed")

    asyncio.get_running_loop().call_soon(turns.append, "a turn of the event loop")
    outcome = await deadline.run("map", found(), waits=False)
    failed = await deadline.run("words", fails(), waits=False)

    assert turns == []
    assert (outcome.value, outcome.report.status) == ("found", "ok")
    assert (failed.value, failed.report.reason) == (None, "error:Closed")
    assert set(deadline.account.reports) == {"map", "words"}


def test_the_time_of_a_stage_is_recorded_unless_it_failed() -> None:
    deadline = Deadline.begin(SystemClock())

    with deadline.timed("packed"):
        pass
    with suppress(KeyError), deadline.timed("failed"):
        raise KeyError

    assert set(deadline.account.started_ms) == {"packed", "failed"}
    assert set(deadline.account.timings_ms) == {"packed"}


async def test_an_answer_that_came_in_time_counts_where_the_event_loop_was_late_to_read_it() -> None:
    here, there = socket.socketpair()
    here.setblocking(False)

    async def read() -> bytes:
        return await asyncio.get_running_loop().sock_recv(here, 1)

    async def of_a_task() -> bytes:
        return await asyncio.create_task(read())

    deadline = Deadline.begin(SystemClock(), 100)
    asked = asyncio.create_task(deadline.run("source", of_a_task()))
    for _ in range(5):
        await asyncio.sleep(0)
    there.send(b"x")
    time.sleep(0.2)

    outcome = await asked
    here.close()
    there.close()
    assert (outcome.value, outcome.report.status) == (b"x", "ok")
