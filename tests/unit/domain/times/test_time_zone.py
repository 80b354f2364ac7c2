"""Names of time zones."""

from datetime import UTC, datetime, timedelta

import pytest

from remembrancer.domain.times import time_zone


@pytest.mark.parametrize(
    "name",
    [
        "Mars/Base", "europe/berlin", "Europe", "Europe/", "/Europe/Berlin", "Europe/Berlin/", "../etc/passwd",
        "Europe/../Europe/Berlin", "localtime", "posixrules", "posix/Europe/Berlin", "right/UTC", "Factory", "+02:00",
        "UTC+2", "", " ", "Europe/Berlin\0", "Europe/Berlin\n", "tzdata.zi", "a" * 65, "Zürich",
    ],
)  # fmt: skip
def test_other_names_are_no_zones(name: str) -> None:
    assert time_zone.named(name) is None


@pytest.mark.parametrize(
    ("name", "hours"),
    [("Europe/Berlin", 1), ("America/Argentina/Buenos_Aires", -3), ("Pacific/Kiritimati", 14), ("Etc/GMT+12", -12)],
)
def test_a_zone_of_the_database_is_one(name: str, hours: int) -> None:
    zone = time_zone.named(name)

    assert datetime(2026, 11, 18, tzinfo=zone).utcoffset() == timedelta(hours=hours)


def test_the_first_known_name_counts_and_utc_without_any() -> None:
    assert time_zone.first(None, "Mars/Base", "Asia/Tokyo", "Europe/Berlin") == time_zone.named("Asia/Tokyo")
    assert time_zone.first(None, None) is UTC


def test_moments_at_the_ends_of_the_calendar_stay() -> None:
    first = datetime(1, 1, 1, tzinfo=UTC)

    assert time_zone.local(first, time_zone.first("America/New_York")) is first
