"""The clients send the time of a message as the service would read it, and none that it would refuse."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import conversation
from remembrancer.errors import InvalidRequest
from remembrancer_client import message_times
from tests.unit.strategies import anything

CASES = json.loads((Path(__file__).parents[2] / "data" / "message_times.json").read_text(encoding="utf-8"))
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def read_by_service(value: Any) -> str | None:
    """None for a value that it refuses, or takes for no time."""
    messages = [{"role": "user", "content": "My boat is blue.", "timestamp": value}]
    try:
        request = conversation.parse({"agent_id": "a", "messages": messages}, now=NOW)
    except InvalidRequest:
        return None
    return request.utterances[0].observed_at.isoformat() if request.utterances[0].is_dated else None


@pytest.mark.parametrize(("value", "moment"), CASES, ids=str)
def test_a_time_is_read_as_by_the_service(value: Any, moment: str | None) -> None:
    assert message_times.in_iso(value) == moment
    assert read_by_service(value) == moment


@given(
    st.datetimes().map(str) | st.datetimes(timezones=st.timezones()).map(datetime.isoformat) | st.floats() | anything
)
def test_any_value_is_read_as_by_the_service(value: Any) -> None:
    read = message_times.in_iso(value)

    assert read == read_by_service(value)
    assert read is None or read_by_service(read) == read


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        (datetime(2026, 5, 4, 3, 2, 1), "2026-05-04T03:02:01+00:00"),
        (datetime(2026, 5, 4, 3, tzinfo=timezone(timedelta(hours=2))), "2026-05-04T01:00:00+00:00"),
        (date(2026, 5, 4), "2026-05-04T00:00:00+00:00"),
        (datetime.max.replace(tzinfo=UTC), None),
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=2))), None),
    ],
    ids=str,
)
def test_pythons_own_times_are_sent_with_their_zone(value: Any, moment: str | None) -> None:
    assert message_times.in_iso(value) == moment


@pytest.mark.parametrize("field", message_times.FIELDS)
def test_each_field_counts_and_the_first_that_can_be_read(field: str) -> None:
    after = message_times.FIELDS[message_times.FIELDS.index(field) + 1 :]
    message = {**dict.fromkeys(message_times.FIELDS, "soon"), field: 0, **dict.fromkeys(after, 1)}

    assert message_times.said_at(message) == "1970-01-01T00:00:00+00:00"
