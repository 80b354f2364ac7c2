"""Reading after responses: what hangs is left, and what failed is left alone for a while."""

import asyncio

import pytest

from remembrancer.errors import StoreTimeout, StoreUnavailable
from remembrancer.usecases.retrieval.background_reads import REST, BackgroundReads
from tests.builders import SetClock


@pytest.fixture
def clock() -> SetClock:
    clock = SetClock()
    clock.seconds = 1000.0
    return clock


async def answered(seconds: float, clock: SetClock, error: Exception | None = None) -> str:
    clock.seconds += seconds
    if error:
        raise error
    return "rows"


async def test_a_store_that_answers_is_read_at_any_time(clock: SetClock) -> None:
    reads = BackgroundReads(clock)

    assert await reads.read(answered(0.5, clock)) == "rows"
    assert not reads.resting


async def test_after_a_failure_nothing_is_read_for_twenty_times_as_long_as_it_took(clock: SetClock) -> None:
    reads = BackgroundReads(clock)

    with pytest.raises(StoreUnavailable, match="gone"):
        await reads.read(answered(0.1, clock, StoreUnavailable("gone", cause="OperationalError")))

    clock.seconds += 0.1 * REST - 0.01
    assert reads.resting
    clock.seconds += 0.02
    assert not reads.resting


async def test_a_bug_is_no_reason_to_rest(clock: SetClock) -> None:
    reads = BackgroundReads(clock)

    with pytest.raises(KeyError):
        await reads.read(answered(0.1, clock, KeyError("bug")))

    assert not reads.resting


async def test_a_store_that_hangs_is_left(clock: SetClock) -> None:
    reads = BackgroundReads(clock, longest_seconds=0.01)
    asked, gave_up = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        asked.set()
        clock.seconds += 0.01
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            gave_up.set()
            raise

    with pytest.raises(StoreTimeout):
        await asyncio.wait_for(reads.read(hang()), 20)

    assert asked.is_set()
    assert gave_up.is_set()
    assert reads.resting
