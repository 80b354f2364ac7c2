"""The time that a question is about, and the memories that were true then."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.retrieval.asked_time import PRESENT, AskedTime, asked_time
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.time_periods import Period
from tests.builders import NOW, memory
from tests.unit.domain.memory_map.maps import made

DAY = timedelta(days=1)
YEAR_2024 = Period(datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC))
IN_2024, IN_2025 = datetime(2024, 6, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "time", "admitted"),
    [
        ({}, PRESENT, True),
        ({"occurred_to": NOW}, PRESENT, False),
        ({"occurred_to": NOW + DAY}, PRESENT, True),
        ({"occurred_to": NOW - DAY, "category": "episodic"}, PRESENT, True),
        ({"occurred_from": NOW + DAY}, PRESENT, True),
        ({"occurred_from": IN_2024, "occurred_to": IN_2025}, AskedTime(periods=(YEAR_2024,)), True),
        ({"occurred_from": IN_2025, "occurred_to": IN_2025 + DAY}, AskedTime(periods=(YEAR_2024,)), False),
        ({"occurred_to": YEAR_2024.start}, AskedTime(periods=(YEAR_2024,)), True),
        ({"occurred_from": YEAR_2024.end, "occurred_to": IN_2025}, AskedTime(periods=(YEAR_2024,)), False),
        ({"occurred_from": IN_2025}, AskedTime(periods=(YEAR_2024,)), True),
        ({"occurred_from": IN_2024, "occurred_to": IN_2025}, AskedTime(IN_2024), True),
        ({"occurred_from": IN_2024, "occurred_to": IN_2025}, AskedTime(IN_2025), False),
        ({"occurred_from": IN_2024, "occurred_to": IN_2025}, AskedTime(IN_2024 - DAY), False),
        ({"occurred_from": IN_2025, "category": "episodic"}, AskedTime(IN_2024), False),
    ],
)
def test_what_has_ended_is_for_a_question_about_its_time(
    fields: dict[str, Any], time: AskedTime, admitted: bool
) -> None:
    assert time.admits(memory(**fields), now=NOW) is admitted


def test_a_time_in_the_request_counts_before_the_times_in_the_question() -> None:
    question = "Where did she live in 2024?"

    assert asked_time(question, as_of=None, now=NOW) == AskedTime(periods=(YEAR_2024,))
    assert asked_time(question, as_of=IN_2025, now=NOW) == AskedTime(IN_2025)
    assert asked_time("Where does she live?", as_of=None, now=NOW) == PRESENT


moments = st.integers(-8, 8).map(lambda days: NOW + days * DAY)
open_moments = st.none() | moments
periods = st.lists(st.tuples(moments, moments).filter(lambda pair: pair[0] < pair[1]), max_size=2).map(
    lambda pairs: tuple(Period(*pair) for pair in pairs)
)


@given(
    since=open_moments,
    until=open_moments,
    category=st.sampled_from(["factual", "episodic"]),
    time=st.builds(AskedTime, moments) | st.builds(AskedTime, st.none(), periods),
)
def test_a_map_admits_what_the_rule_admits(
    since: datetime | None, until: datetime | None, category: str, time: AskedTime
) -> None:
    since, until = (until, since) if since and until and until < since else (since, until)
    one = memory(1, occurred_from=since, occurred_to=until, category=category)

    eligible = made(one).eligible(Filters(time=time), end_user=EVERYBODY, now=NOW)

    assert eligible.tolist() == [time.admits(one, now=NOW)]
