"""How much time the searches leave for composing, by what that took lately."""

from dataclasses import replace

import pytest

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.usecases.assembly.composing_time import MARGIN_MS, RECENT, ComposingTime
from remembrancer.usecases.assembly.plan import FORMAT_RESERVE_MS, AssemblyPlan
from remembrancer.usecases.encryption.opening import DECRYPTING
from remembrancer.usecases.retrieval.deadline import Deadline
from tests.builders import NOW, SetClock, assemble_request, profile

ENDED_MS = 20.0


def composed(composing: ComposingTime, *took_ms: float, opening_ms: float = 0.0) -> None:
    """Notes answers, each so many milliseconds after the last of its searches."""
    for took in took_ms:
        clock = SetClock()
        deadline = Deadline.begin(clock, 43.0)
        deadline.account.reports.update(
            lexical=SourceReport("ok", 2.0, 5.0), vector=SourceReport("timeout", 12.0, ENDED_MS - 12.0)
        )
        if opening_ms:
            # Half of the composing comes after it.
            begun = ENDED_MS + took / 2
            deadline.account.reports[DECRYPTING] = SourceReport("ok", begun, opening_ms)
            deadline.account.timings_ms["open"] = opening_ms
        clock.seconds += (ENDED_MS + opening_ms + took) / 1000
        composing.note(deadline)


def expected(composing: ComposingTime, *, end_ms: float = 43.0) -> float:
    return composing.expected_ms(Deadline.begin(SetClock(), end_ms))


def test_nothing_is_expected_before_two_answers() -> None:
    composing = ComposingTime()

    composed(composing, 8.0)

    assert expected(composing) == 0.0


def test_the_longest_but_one_of_the_recent_counts() -> None:
    composing = ComposingTime()

    composed(composing, 3.0, 30.0, 7.0, 4.0)

    assert expected(composing) == pytest.approx(7.0 + MARGIN_MS)


def test_waiting_for_keys_does_not_count() -> None:
    composing = ComposingTime()

    composed(composing, 3.0, 4.0, 3.0, opening_ms=15.0)

    assert expected(composing) == pytest.approx(3.0 + MARGIN_MS)


def test_what_was_long_is_forgotten() -> None:
    composing = ComposingTime()

    composed(composing, 9.0, 9.0, *[2.0] * RECENT)

    assert expected(composing) == pytest.approx(2.0 + MARGIN_MS)


@pytest.mark.parametrize(("end_ms", "most"), [(43.0, 10.75), (8.0, 2.0), (-1.0, 0.0)])
def test_the_searches_keep_three_quarters_of_the_time(end_ms: float, most: float) -> None:
    composing = ComposingTime()

    composed(composing, 40.0, 40.0)

    assert expected(composing, end_ms=end_ms) == pytest.approx(most)


@pytest.mark.parametrize(("composing_ms", "reserved_ms"), [(0.0, FORMAT_RESERVE_MS), (8.0, 8.0)])
def test_searches_end_so_long_before_the_deadline(composing_ms: float, reserved_ms: float) -> None:
    deadline = Deadline.begin(SetClock(), 43.0)
    plan = AssemblyPlan(assemble_request(), profile(), NOW, deadline, composing_ms=composing_ms)

    assert plan.retrieving.end_ms == 43.0 - reserved_ms
    assert replace(plan, deadline=deadline.within(20.0)).retrieving.end_ms == 20.0 - reserved_ms
