"""Times in queries."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import time_periods

NOW = datetime(2026, 11, 22, 13, 30, tzinfo=UTC)


def spoken_of(query: str) -> list[tuple[date, date]]:
    return [(period.start.date(), period.end.date()) for period in time_periods.periods(query, NOW)]


@pytest.mark.parametrize(
    ("query", "start", "days"),
    [
        ("What did Ada buy on October 13, 2023?", date(2023, 10, 13), 1),
        ("What did Ada buy on 8th December, 2023?", date(2023, 12, 8), 1),
        ("What did Ada buy on the 8th of december 2023?", date(2023, 12, 8), 1),
        ("What happened on 2024-02-29?", date(2024, 2, 29), 1),
        ("Where was Ada in May 2023?", date(2023, 5, 1), 31),
        ("Where was Ada in december of 2023?", date(2023, 12, 1), 31),
        ("What did she plant in 2022?", date(2022, 1, 1), 365),
        ("What happened on 31 June 2023?", date(2023, 6, 1), 30),
        ("What did I say today?", date(2026, 11, 22), 1),
        ("What did I say yesterday?", date(2026, 11, 21), 1),
        ("What did I say two days ago?", date(2026, 11, 20), 1),
        ("What did I say last week?", date(2026, 11, 8), 14),
        ("What did I say this month?", date(2026, 10, 23), 31),
        ("What did I say 3 months ago?", date(2026, 8, 9), 30),
    ],
)
def test_a_time_is_a_period_of_whole_days(query: str, start: date, days: int) -> None:
    assert spoken_of(query) == [(start, start + timedelta(days=days))]


def test_a_month_without_a_year_is_that_of_the_last_years() -> None:
    assert [start for start, _ in spoken_of("Where was Ada in May?")] == [
        date(year, 5, 1) for year in (2026, 2025, 2024, 2023)
    ]


@pytest.mark.parametrize("query", ["May I ask?", "who may come", "a long march", "room 2100", ""])
def test_other_words_are_no_times(query: str) -> None:
    assert spoken_of(query) == []


def test_closeness_is_full_within_a_period_and_fades_after_it() -> None:
    moments = np.array([datetime(2023, 5, day, tzinfo=UTC).timestamp() for day in (6, 7, 8, 15)])

    closeness = time_periods.closeness(moments, time_periods.periods("on May 7, 2023", NOW))

    assert closeness.tolist() == pytest.approx([0.0, 1.0, 1.0, 0.5])


def test_the_nearest_of_several_periods_counts_and_none_gives_nothing() -> None:
    moments = np.array([datetime(year, 6, 1, tzinfo=UTC).timestamp() for year in (2022, 2023)])

    assert time_periods.closeness(moments, time_periods.periods("in 2022 or in 2023", NOW)).tolist() == [1.0, 1.0]
    assert time_periods.closeness(moments, ()).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("month", ["Apr\N{LATIN SMALL LETTER DOTLESS I}l", "AUGU\N{LATIN SMALL LETTER LONG S}T"])
def test_letters_that_only_look_like_those_of_a_month_make_none(month: str) -> None:
    assert time_periods.periods(f"on 5 {month} 2024", NOW) == time_periods.periods("in 2024", NOW)
    assert time_periods.periods(f"{month} 5", NOW) == ()


@given(
    query=st.text(max_size=60) | st.from_regex(r"[0-9]{1,2} (May|june) [0-9]{4}|[0-9]{1,4} years ago", fullmatch=True)
)
def test_any_text_speaks_of_periods_that_begin_before_they_end(query: str) -> None:
    assert all(period.start < period.end for period in time_periods.periods(query, NOW))
