"""Admission on a simulated event loop: exact, and as fast as it can be computed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.shared_loop import SharedLoop, Steps
from remembrancer.usecases.assembly.admission import STARVED_FACTOR, Admission, Admitted, Extent
from tests.builders import NOW

LEFT_MS = 43.0


@dataclass
class Loop:
    """A clock and an event loop's idle time, both in milliseconds."""

    now_ms: float = 1000.0
    idle_ms: float = 0.0

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return self.now_ms / 1000

    def works(self, ms: float) -> None:
        self.now_ms += ms

    def waits(self, ms: float) -> None:
        self.now_ms += ms
        self.idle_ms += ms


@dataclass
class Process:
    loop: Loop = field(default_factory=Loop)

    def __post_init__(self) -> None:
        self.admission = Admission(self.loop, lambda: self.loop.idle_ms / 1000)

    def begin(self, left_ms: float = LEFT_MS) -> Admitted:
        begun = self.admission.begin(left_ms)
        assert begun is not None
        return begun

    def learns(self, cost_ms: float, *, waits_ms: float = 0.0, times: int = 1) -> None:
        """Assemblies that run alone."""
        for _ in range(times):
            begun = self.begin()
            self.loop.works(cost_ms)
            self.loop.waits(waits_ms)
            self.admission.end(begun, finished=True)
            self.loop.waits(1000)

    def extents(self, number: int, left_ms: float = LEFT_MS) -> list[Extent | None]:
        """Of so many that arrive at the same time."""
        begun = [self.admission.begin(left_ms) for _ in range(number)]
        return [one.extent if one else None for one in begun]


def test_a_process_that_knows_nothing_admits_everything() -> None:
    assert Process().extents(20) == [Extent.WHOLE] * 20


def test_one_that_is_alone_is_whole_however_little_time_is_left() -> None:
    process = Process()
    process.learns(40)

    assert process.extents(1, left_ms=1) == [Extent.WHOLE]


def test_as_many_search_at_once_as_can_be_done_in_time() -> None:
    process = Process()
    process.learns(10)

    extents = process.extents(12)

    # 10 ms of its own and half of the work of those before it, which is 5 ms each, of 43.
    assert extents.count(Extent.WHOLE) == 7
    assert extents[:7] == [Extent.WHOLE] * 7


def test_time_in_which_the_loop_waits_costs_nothing() -> None:
    process = Process()
    process.learns(2, waits_ms=40)

    assert process.extents(20) == [Extent.WHOLE] * 20


def test_what_runs_at_the_same_time_shares_the_cost() -> None:
    process = Process()
    begun = [process.begin() for _ in range(4)]
    process.loop.works(40)
    for one in begun:
        process.admission.end(one, finished=True)
    process.loop.waits(1000)

    assert process.extents(12).count(Extent.WHOLE) == 7


def test_a_busy_loop_leaves_half_of_its_time_to_those_that_come() -> None:
    process = Process()
    process.learns(10)
    begun = process.begin()
    for _ in range(40):
        process.loop.works(10)
        process.admission.end(begun, finished=True)
        begun = process.begin()

    # The first is under way; (10 + 5 n) / (1 - 1/2) <= 43.
    assert process.extents(5).count(Extent.WHOLE) == 2


def test_where_the_directive_cannot_be_in_time_either_nothing_begins() -> None:
    process = Process()
    process.learns(10)
    begun = [process.admission.begin(LEFT_MS) for _ in range(8)]
    assert begun[-1] is not None
    assert begun[-1].extent is Extent.DIRECTIVE
    process.loop.works(8 * 4)
    process.admission.end(begun[-1], finished=True)

    extents = process.extents(20)

    assert set(extents) == {Extent.DIRECTIVE, None}
    assert extents == sorted(extents, key=lambda extent: extent is None)


@pytest.mark.parametrize(("is_busy", "factor"), [(True, STARVED_FACTOR), (False, 1.0)])
def test_an_unfinished_one_counts_more_where_the_processor_was_missing(is_busy: bool, factor: float) -> None:
    process = Process()
    begun = process.begin()
    process.loop.works(8)
    if not is_busy:
        process.loop.waits(35)
    process.admission.end(begun, finished=False)
    process.loop.waits(1000)

    extents = process.extents(40)

    assert extents.count(Extent.WHOLE) == int((LEFT_MS - 8 * factor) // (4 * factor)) + 1


def test_the_longest_do_not_count() -> None:
    process = Process()
    process.learns(5, times=20)
    process.learns(400, times=3)

    assert process.extents(40).count(Extent.WHOLE) == int((LEFT_MS - 5) // 2.5) + 1


WHOLE: Steps = ((0.5, 0.5), (3.0, 0.0), (1.0, 0.3), (1.0, 0.0), (1.0, 0.0), (0.8, 0.0))
DIRECTIVE: Steps = ((0.5, 0.5), (0.6, 0.3), (0.5, 0.0))
AFTER: Steps = ((0.7, 0.3), (0.5, 0.0))


def shares(rate: float, *, admits: bool, steps: Steps = WHOLE, seconds: float = 20.0) -> tuple[float, float]:
    """Of the answers: whole ones in time, and all that were in time."""
    loop = SharedLoop(whole=steps, directive=DIRECTIVE, after=AFTER, deadline_ms=LEFT_MS, admits=admits)
    answers = loop.run(rate, seconds)
    in_time = [one for one in answers if one.ms <= LEFT_MS + 10]
    return sum(not one.reason for one in in_time) / len(answers), len(in_time) / len(answers)


def test_below_the_knee_nothing_is_lost() -> None:
    for rate in (20.0, 40.0):
        assert shares(rate, admits=True)[0] > 0.995


@pytest.mark.parametrize("rate", [140.0, 240.0, 360.0])
def test_above_the_knee_answers_are_in_time(rate: float) -> None:
    whole, in_time = shares(rate, admits=True)

    assert in_time > 0.95
    assert whole >= shares(rate, admits=False)[0]


def test_without_admission_nearly_nothing_is_whole_above_the_knee() -> None:
    assert shares(240, admits=False)[0] < 0.01
    assert shares(240, admits=True)[0] > 0.25


def test_a_database_that_hangs_is_no_overload() -> None:
    hanging: Sequence[tuple[float, float]] = ((0.8, 36.0), *WHOLE[1:])

    loop = SharedLoop(whole=hanging, directive=DIRECTIVE, after=AFTER, deadline_ms=LEFT_MS, admits=True)

    assert sum("overload" in one.reason for one in loop.run(50, 20)) / 1000 < 0.01


@given(
    costs=st.lists(st.tuples(st.floats(0.1, 100), st.floats(0, 100), st.booleans()), min_size=1, max_size=60),
    left_ms=st.floats(0, 1000),
    seed=st.integers(0, 3),
)
def test_whatever_happened_an_idle_process_admits_again(
    costs: list[tuple[float, float, bool]], left_ms: float, seed: int
) -> None:
    process = Process()
    under_way: list[Admitted] = []
    for number, (works, waits, finished) in enumerate(costs):
        begun = process.admission.begin(left_ms)
        if begun is not None:
            under_way.append(begun)
        process.loop.works(works)
        process.loop.waits(waits)
        if number % (seed + 1) == 0 and under_way:
            process.admission.end(under_way.pop(0), finished=finished)
    for one in under_way:
        process.admission.end(one, finished=False)

    assert process.extents(1, left_ms=0) == [Extent.WHOLE]
