"""Times in queries, as periods."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import time_periods
from remembrancer.domain.retrieval.time_periods import OPEN_END, OPEN_START, Period
from remembrancer.domain.times import vocabulary
from tests.time_sayings import sayings

NOW = datetime(2026, 11, 22, 13, 30, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("Pacific/Kiritimati", "Asia/Kolkata", "Europe/Berlin", "America/Havana", "America/St_Johns", "Etc/GMT+12")
DATA = Path(__file__).parents[3] / "data" / "time_phrases.jsonl"


def spoken_of(query: str) -> list[tuple[date, date]]:
    return [(period.start.date(), period.end.date()) for period in time_periods.periods(query, NOW)]


def phrases_of_the_set() -> list[tuple[str, list[list[str | None]]]]:
    lines = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [(line["text"], line["periods"]) for line in lines]


@pytest.mark.parametrize(("text", "expected"), phrases_of_the_set())
def test_a_question_means_the_periods_of_the_set(text: str, expected: list[list[str | None]]) -> None:
    """Asked on Wednesday, 18 November 2026, at 14:30 in Berlin; null is open."""
    asked = datetime(2026, 11, 18, 14, 30, tzinfo=BERLIN)

    def moment(written: str | None, *, end: bool) -> datetime:
        if written is None:
            return OPEN_END if end else OPEN_START
        return datetime.fromisoformat(written).replace(tzinfo=BERLIN)

    assert time_periods.periods(text, asked) == tuple(
        Period(moment(start, end=False), moment(end, end=True)) for start, end in expected
    )


def test_the_set_has_150_phrases() -> None:
    assert len({text for text, _ in phrases_of_the_set()}) >= 150


@pytest.mark.parametrize(
    ("zone", "moment", "text", "start", "end"),
    [
        ("Asia/Tokyo", "2026-11-18T23:30", "yesterday", "2026-11-18T00:00+09:00", "2026-11-19T00:00+09:00"),
        ("America/New_York", "2026-11-18T03:00", "yesterday", "2026-11-16T00:00-05:00", "2026-11-17T00:00-05:00"),
        ("America/New_York", "2026-11-18T03:00", "last night", "2026-11-16T00:00-05:00", "2026-11-17T00:00-05:00"),
        # The clocks went back on that Sunday, which has 25 hours, and forward on that one, which has 23.
        ("Europe/Berlin", "2026-10-26T10:00", "yesterday", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00"),
        ("Europe/Berlin", "2026-03-30T10:00", "yesterday", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00"),
        ("Europe/Berlin", "2026-10-25T03:00", "three hours ago", "2026-10-24T23:30Z", "2026-10-25T00:30Z"),
        # There, this day has no midnight.
        ("America/Havana", "2026-03-08T12:00", "today", "2026-03-08T05:00Z", "2026-03-09T04:00Z"),
        ("Pacific/Kiritimati", "2026-10-31T11:00", "last month", "2026-10-01T00:00+14:00", "2026-11-01T00:00+14:00"),
        ("Europe/Berlin", "2026-11-18T12:00", "on 5 July 2026", "2026-07-05T00:00+02:00", "2026-07-06T00:00+02:00"),
    ],
)
def test_days_are_those_of_the_time_zone(zone: str, moment: str, text: str, start: str, end: str) -> None:
    now = datetime.fromisoformat(moment).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))

    (period,) = time_periods.periods(f"What did I do {text}?", now)

    assert period == Period(datetime.fromisoformat(start), datetime.fromisoformat(end))


def test_the_same_moment_in_two_zones_is_asked_twice() -> None:
    here = time_periods.periods("yesterday", NOW)
    there = time_periods.periods("yesterday", NOW.astimezone(ZoneInfo("Asia/Tokyo")))

    assert here != there


def test_a_month_without_a_year_is_that_of_the_last_years_or_the_coming_one() -> None:
    assert [start for start, _ in spoken_of("Where was Ada in May?")] == [
        date(year, 5, 1) for year in (2023, 2024, 2025, 2026, 2027)
    ]


def test_closeness_is_full_within_a_period_and_fades_after_it() -> None:
    moments = np.array([datetime(2023, 5, day, tzinfo=UTC).timestamp() for day in (6, 7, 8, 15)])

    closeness = time_periods.closeness(moments, time_periods.periods("on May 7, 2023", NOW))

    assert closeness.tolist() == pytest.approx([0.0, 1.0, 1.0, 0.5])


def test_an_open_period_is_as_close_at_its_open_end() -> None:
    moments = np.array([datetime(year, 6, 1, tzinfo=UTC).timestamp() for year in (1990, 2023, 2025)])

    assert time_periods.closeness(moments, time_periods.periods("before 2024", NOW)).tolist() == pytest.approx(
        [1.0, 1.0, 0.0], abs=1e-6
    )
    assert time_periods.closeness(moments, time_periods.periods("after 2022", NOW)).tolist() == [0.0, 1.0, 1.0]


def test_the_nearest_of_several_periods_counts_and_none_gives_nothing() -> None:
    moments = np.array([datetime(year, 6, 1, tzinfo=UTC).timestamp() for year in (2022, 2023)])

    assert time_periods.closeness(moments, time_periods.periods("in 2022 or in 2023", NOW)).tolist() == [1.0, 1.0]
    assert time_periods.closeness(moments, ()).tolist() == [0.0, 0.0]


NUMBERS = (
    "a",
    "an",
    "one",
    "2",
    "twenty-three",
    "ninety",
    "9999",
    "a couple of",
    "a few",
    "several",
    "a dozen",
    "half a",
)
UNITS = tuple(vocabulary.UNITS)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("unit", UNITS)
def test_any_number_of_any_unit_is_a_period_or_nothing(number: str, unit: str) -> None:
    forms = ("{} {} ago", "{} {}s ago", "in {} {}s", "{} {} from now", "{} {} and a half ago", "the last {} {}s",
             "last {}", "the end of last {}", "the {} before last", "early next {}")  # fmt: skip
    for form in forms:
        for now in (NOW, datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
            found = time_periods.periods(form.format(number, unit) if form.count("{}") == 2 else form.format(unit), now)
            assert all(period.start < period.end for period in found), form


moments = st.datetimes(timezones=st.sampled_from([UTC, *map(ZoneInfo, ZONES)])) | st.sampled_from(
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=UTC),
        datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=12))),
    ]
)


@given(query=st.text(max_size=60) | sayings, now=moments)
def test_any_text_speaks_at_any_moment_of_periods_that_begin_before_they_end(query: str, now: datetime) -> None:
    found = [*time_periods.periods(query, now), *time_periods.periods_anywhere(query, now)]

    assert all(period.start < period.end for period in found)


@given(
    query=sayings,
    now=st.datetimes(datetime(2000, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)),
    zone=st.sampled_from(ZONES),
)
def test_periods_of_everywhere_contain_those_of_each_time_zone(query: str, now: datetime, zone: str) -> None:
    everywhere = time_periods.periods_anywhere(query, now)

    for period in time_periods.periods(query, now.astimezone(ZoneInfo(zone))):
        assert any(one.start <= period.start and period.end <= one.end for one in everywhere)


def test_a_long_question_names_a_bounded_number_of_periods() -> None:
    assert len(time_periods.periods("on 5 May 2024 or on Monday, " * 80, NOW)) <= time_periods.MOST_PERIODS + 10
    assert len(time_periods.periods(" ".join(f"in {year}" for year in range(1900, 2100)), NOW)) <= 64
