"""Waiting with a bound: what comes in time is used, what is late is left, bugs fly."""

import asyncio
from typing import NoReturn

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.errors import StoreTimeout, StoreUnavailable
from remembrancer.usecases.retrieval.bounded import SKIPPED, Stopwatch, abandon, bounded
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


def watch() -> Stopwatch:
    return Stopwatch(SystemClock())


async def succeed() -> list[int]:
    return [1, 2, 3]


async def test_what_comes_in_time_is_the_outcome() -> None:
    outcome = await bounded(succeed(), until_ms=LONG_MS, watch=watch(), count=len)

    assert outcome.value == [1, 2, 3]
    assert (outcome.report.status, outcome.report.count, outcome.report.cause) == ("ok", 3, "")
    assert outcome.report.latency_ms >= 0.0


async def test_a_result_that_nobody_counts_is_one() -> None:
    assert (await bounded(succeed(), until_ms=LONG_MS, watch=watch())).report.count == 1


@pytest.mark.parametrize("until_ms", [5.0, 0.0, -1000.0])
async def test_what_is_late_is_left_and_cancelled(until_ms: float) -> None:
    source = Patient()

    outcome = await bounded(source.work(), until_ms=until_ms, watch=watch())

    source.release.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (outcome.value, outcome.report.status) == (None, "timeout")
    assert not source.finished


async def test_a_driver_that_will_not_let_go_is_not_waited_for() -> None:
    source = Stubborn()

    outcome = await bounded(source.work(), until_ms=5.0, watch=watch())

    assert outcome.report.status == "timeout"
    assert not source.ended.is_set()
    source.release.set()
    await source.ended.wait()


async def test_the_bound_counts_from_the_start_of_the_request() -> None:
    clock = SetClock()
    started = Stopwatch(clock)
    clock.seconds += 61.0

    async with asyncio.timeout(10):
        outcome = await bounded(Patient().work(), until_ms=LONG_MS, watch=started)

    assert (outcome.report.status, outcome.report.started_ms) == ("timeout", 61_000.0)


async def test_a_store_that_failed_is_an_outcome_with_its_cause() -> None:
    async def fail() -> NoReturn:
        raise StoreUnavailable("refused", cause="ConnectionRefusedError")

    outcome = await bounded(fail(), until_ms=LONG_MS, watch=watch())

    assert outcome.value is None
    assert (outcome.report.status, outcome.report.cause) == ("error", "ConnectionRefusedError")


async def test_a_store_that_ran_out_of_its_own_time_is_a_timeout() -> None:
    async def fail() -> NoReturn:
        raise StoreTimeout("late", cause="QueryCanceled")

    outcome = await bounded(fail(), until_ms=LONG_MS, watch=watch())

    assert (outcome.report.status, outcome.report.cause) == ("timeout", "QueryCanceled")


async def test_a_bug_is_not_an_outcome() -> None:
    async def stumble() -> NoReturn:
        raise TypeError("a bug")

    with pytest.raises(TypeError, match="a bug"):
        await bounded(stumble(), until_ms=LONG_MS, watch=watch())


async def test_cancelling_the_waiter_cancels_the_work() -> None:
    source = Patient()
    waiter = asyncio.ensure_future(bounded(source.work(), until_ms=LONG_MS, watch=watch()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    waiter.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiter
    await source.ended.wait()
    assert source.cancelled


async def test_two_sources_wait_side_by_side() -> None:
    slow = Patient()

    late, early = await asyncio.gather(
        bounded(slow.work(), until_ms=5.0, watch=watch()), bounded(succeed(), until_ms=LONG_MS, watch=watch())
    )

    assert (late.report.status, early.report.status) == ("timeout", "ok")


async def test_abandoned_work_that_has_already_failed_is_forgotten_quietly() -> None:
    async def stumble() -> NoReturn:
        raise ConnectionResetError

    task = asyncio.ensure_future(stumble())
    await asyncio.wait({task})

    abandon(task)
    await asyncio.sleep(0)

    assert task.done()


def test_a_skipped_source_has_no_value_and_says_so() -> None:
    assert (SKIPPED.value, SKIPPED.report.as_json()["status"]) == (None, "skipped")


def test_a_stopwatch_only_grows() -> None:
    running = watch()

    assert 0.0 <= running.elapsed_ms() <= running.elapsed_ms()
