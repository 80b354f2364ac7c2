"""Days of the calendar."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.times import calendar
from remembrancer.domain.times.calendar import DAY

days = st.dates(date(1950, 1, 1), date(2150, 1, 1))


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2038, 4, 25)],
)
def test_easter_is_when_the_church_keeps_it(year: int, month: int, day: int) -> None:
    assert calendar.easter(year) == date(year, month, day)


@given(
    today=days, name=st.sampled_from(["day", "week", "month", "quarter", "year", "decade"]), shift=st.integers(-9, 9)
)
def test_units_follow_each_other_without_a_gap(today: date, name: str, shift: int) -> None:
    first, end = calendar.unit(name, today)

    assert first <= today < end
    assert calendar.unit(name, today, shift)[1] == calendar.unit(name, today, shift + 1)[0]


@given(today=days, name=st.sampled_from(["day", "week", "month", "quarter", "year"]), count=st.integers(-40, 40))
def test_what_is_so_many_units_away_contains_the_day(today: date, name: str, count: int) -> None:
    first, end = calendar.counted(today, name, count)

    assert first <= calendar.moved(today, name, count) < end


@given(today=days, number=st.integers(0, 6), which=st.sampled_from(["", "last", "this", "next", "coming"]))
def test_a_weekday_is_less_than_a_fortnight_away(today: date, number: int, which: str) -> None:
    found = calendar.weekday(number, today, which)

    assert found
    assert all(first.weekday() == number and abs(first - today) <= 14 * DAY for first, _ in found)


def test_a_month_has_no_day_that_it_lacks() -> None:
    assert calendar.moved(date(2024, 3, 31), "month", -1) == date(2024, 2, 29)
    assert calendar.moved(date(2026, 1, 31), "quarter", 1) == date(2026, 4, 30)


@given(first=days, length=st.integers(1, 400))
def test_three_thirds_are_the_whole(first: date, length: int) -> None:
    whole = first, first + length * DAY
    thirds = [calendar.third(whole, number) for number in range(3)]

    assert thirds[0][0] == whole[0]
    assert thirds[2][1] == whole[1]
    assert all(start < end for start, end in thirds)
