"""Times of what happened: parsed strictly, and held against the words of the turn."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from remembrancer.domain.capture import occurrence
from remembrancer.domain.capture.occurrence import Occurrence
from tests.capture_cases import OBSERVED


@pytest.mark.parametrize(
    ("text", "occurred"),
    [
        ("2024", Occurrence(date(2024, 1, 1), date(2024, 12, 31))),
        ("2024-02", Occurrence(date(2024, 2, 1), date(2024, 2, 29))),
        ("2024-12", Occurrence(date(2024, 12, 1), date(2024, 12, 31))),
        ("2024-05-15", Occurrence(date(2024, 5, 15), date(2024, 5, 15))),
        ("2024-05-15T10:00:00Z", Occurrence(date(2024, 5, 15), date(2024, 5, 15))),
        ("2019/2021-03", Occurrence(date(2019, 1, 1), date(2021, 3, 31))),
        ("2019/..", Occurrence(date(2019, 1, 1), None)),
        ("../2019", Occurrence(None, date(2019, 12, 31))),
    ],
)
def test_dates_months_years_and_ranges_are_read(text: str, occurred: Occurrence) -> None:
    assert occurrence.parse(text) == occurred


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "../..",
        "yesterday",
        "15 May",
        "2024-13",
        "2024-02-30",
        "2024-5-1",
        "0001",
        "2024/2023",
        "1/2/3",
        "2024-05-15/",
    ],
)
def test_everything_else_is_not(text: str) -> None:
    assert occurrence.parse(text) is None


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("today", (5, 15), (5, 15)),
        ("this morning", (5, 15), (5, 15)),
        ("yesterday", (5, 14), (5, 14)),
        ("last night", (5, 14), (5, 14)),
        ("tomorrow", (5, 16), (5, 16)),
        ("last week", (5, 6), (5, 12)),
        ("last weekend", (5, 11), (5, 12)),
        ("this month", (5, 1), (5, 31)),
        ("next year", (1, 1), (12, 31)),
        ("3 days ago", (5, 12), (5, 12)),
        ("on 3 May 2024", (5, 3), (5, 3)),
        ("in April", (4, 1), (4, 30)),
        ("last Friday", (5, 10), (5, 10)),
    ],
)
def test_what_is_said_means_days_reckoned_from_the_day_it_was_said(
    said: str, first: tuple[int, int], last: tuple[int, int]
) -> None:
    year = 2025 if said == "next year" else 2024

    assert (date(year, *first), date(year, *last)) in occurrence.meant(said, OBSERVED)


@pytest.mark.parametrize(
    ("text", "occurred", "is_right"),
    [
        ("I got it yesterday.", "2024-05-14", True),
        ("I got it yesterday.", "2024-05-11", False),
        ("I moved here in 2019.", "2019", True),
        ("I moved here in 2019.", "2018", False),
        ("I have lived here since 2015.", "2015/..", True),
        ("I got it.", "2024-05-15", False),
        ("I see him on Friday.", "2024-05-17", True),
        ("I see him on Friday.", "2024-05-16/2024-05-20", False),
    ],
)
def test_a_time_is_supported_by_the_words_of_the_turn(text: str, occurred: str, is_right: bool) -> None:
    parsed = occurrence.parse(occurred)

    assert parsed is not None
    assert occurrence.is_supported(parsed, occurrence.expressions(text), OBSERVED) is is_right


@pytest.mark.parametrize(
    "observed_at",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=UTC),
        datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=12))),
    ],
)
@pytest.mark.parametrize(
    "said", ["last month", "last year", "next year", "next friday", "last week", "yesterday", "tomorrow", "today",
             "999 years ago", "15 May"],
)  # fmt: skip
def test_at_the_ends_of_the_calendar_nothing_is_understood(said: str, observed_at: datetime) -> None:
    occurred = Occurrence(date(2024, 5, 15), date(2024, 5, 15))

    assert occurrence.meant(said, observed_at) == []
    assert not occurrence.is_supported(occurred, [said], observed_at)
    assert not occurrence.is_day(occurred, observed_at)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I saw Ana last week.", (date(2026, 11, 16), date(2026, 11, 22))),
        ("I went running yesterday.", (date(2026, 11, 26), date(2026, 11, 26))),
        ("We meet on Friday.", None),
        ("I start next month.", None),
        ("I am tired today.", None),
        ("I have been ill since last week.", None),
        ("I saw Ana yesterday and Ben last week.", None),
        ("I like tea.", None),
    ],
)
def test_one_past_time_is_when_it_happened(text: str, days: tuple[date, date] | None) -> None:
    told = occurrence.told(text, datetime(2026, 11, 27, 12, tzinfo=UTC))

    assert (told and (told.first, told.last)) == days


def test_a_day_is_one_of_the_speakers() -> None:
    late = datetime(2026, 11, 27, 23, 30, tzinfo=UTC).astimezone(ZoneInfo("Europe/Berlin"))

    told = occurrence.told("I went running yesterday.", late)

    assert told is not None
    assert occurrence.starts(told, late.tzinfo) == datetime(2026, 11, 27, tzinfo=late.tzinfo)
    assert occurrence.ends(told, late.tzinfo) == datetime(2026, 11, 28, tzinfo=late.tzinfo)
