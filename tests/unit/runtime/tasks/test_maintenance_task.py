"""The scheduled run: each part has its turn and its time, whatever the others do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from remembrancer.errors import StoreTimeout, StoreUnavailable
from remembrancer.runtime.tasks.maintenance_task import TOGETHER_SECONDS, MaintenanceTask
from tests.builders import SetClock


@dataclass
class Part:
    """Stands for one part, which takes all the time that it may, or fails."""

    clock: SetClock
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    error: Exception | None = None
    until: float = 0.0
    runs: int = 0

    async def run(self) -> Mapping[str, int]:
        return await self.catch_up(until=self.clock.monotonic() + self.seconds)

    async def catch_up(self, *, until: float) -> Mapping[str, int]:
        self.runs += 1
        self.until = until
        self.clock.seconds += max(min(until - self.clock.monotonic(), self.seconds), 0.0)
        if self.error is not None:
            raise self.error
        return self.counts


def task(clock: SetClock, **parts: Part) -> MaintenanceTask:
    names = ("maintenance", "encryption", "eraser", "reindexing")
    chosen: Any = {name: parts.get(name, Part(clock)) for name in names}
    return MaintenanceTask(**chosen, clock=clock)


async def test_what_was_done_is_answered_by_name() -> None:
    clock = SetClock()
    run = task(clock, maintenance=Part(clock, {"visited": 2}), eraser=Part(clock, {"erased": 1}))

    assert await run.run({}) == {"visited": 2, "erased": 1}


@pytest.mark.parametrize("failing", ["maintenance", "encryption", "eraser", "reindexing"])
@pytest.mark.parametrize("error", [StoreTimeout("late", cause="Timeout"), ValueError("a bug")])
async def test_a_part_that_fails_keeps_no_other_one_from_its_turn_and_fails_the_run(
    failing: str, error: Exception
) -> None:
    clock = SetClock()
    parts = {name: Part(clock) for name in ("maintenance", "encryption", "eraser", "reindexing")}
    parts[failing].error = error

    with pytest.raises(type(error)):
        await task(clock, **parts).run({})

    assert [part.runs for part in parts.values()] == [1, 1, 1, 1]


async def test_what_failed_of_one_organization_fails_the_run_by_name(caplog: pytest.LogCaptureFixture) -> None:
    clock = SetClock()
    run = task(clock, eraser=Part(clock, {"erased": 3, "erasures_failed": 1}))

    with caplog.at_level("INFO"), pytest.raises(StoreUnavailable, match="erasures_failed"):
        await run.run({})

    (line,) = [record for record in caplog.records if record.message == "maintained"]
    assert vars(line)["done"] == {"erased": 3, "erasures_failed": 1}


async def test_parts_that_take_all_their_time_end_together_and_each_has_some() -> None:
    clock = SetClock()
    parts = {name: Part(clock, seconds=25.0) for name in ("maintenance", "eraser", "reindexing", "encryption")}
    begun = clock.monotonic()

    await task(clock, **parts).run({})

    assert clock.monotonic() - begun <= TOGETHER_SECONDS
    assert parts["encryption"].until - begun == pytest.approx(TOGETHER_SECONDS)
