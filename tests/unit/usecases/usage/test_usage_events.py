"""Usage events are checked like input: what no code of ours can have written is refused and named."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.errors import InvalidRequest
from remembrancer.usecases.usage.usage_events import parse

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MEMORY = UUID(int=1)


def event(**fields: Any) -> dict[str, Any]:
    return {
        "event_id": str(uuid4()),
        "org_id": str(uuid4()),
        "agent_id": str(uuid4()),
        "memory_ids": [str(MEMORY)],
        "kind": "assembly",
        "at": NOW.isoformat(),
        "session_id": None,
        "user_id": "ada",
        **fields,
    }


def test_a_memory_that_is_named_fifty_times_counts_once() -> None:
    other = UUID(int=2)

    parsed = parse(event(memory_ids=[str(MEMORY)] * 50 + [str(other)] + [str(MEMORY).upper()]), now=NOW)

    assert parsed.memory_ids == (MEMORY, other)


def test_what_is_said_to_happen_later_happened_now() -> None:
    assert parse(event(at=(NOW + timedelta(days=9)).isoformat()), now=NOW).at == NOW
    assert parse(event(at=(NOW - timedelta(days=9)).isoformat()), now=NOW).at == NOW - timedelta(days=9)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("event_id", None),
        ("event_id", 7),
        ("org_id", "nobody"),
        ("agent_id", ["a"]),
        ("kind", "guess"),
        ("kind", None),
        ("at", None),
        ("at", "yesterday"),
        ("at", 5),
        ("memory_ids", []),
        ("memory_ids", "all"),
        ("memory_ids", [str(MEMORY)] * 1001),
        ("user_id", "x" * 257),
        ("session_id", {"a": 1}),
        ("query_key", "x" * 7800),
    ],
)
def test_a_field_that_is_wrong_is_named(field: str, value: Any) -> None:
    with pytest.raises(InvalidRequest) as raised:
        parse(event(**{field: value}), now=NOW)

    assert list(raised.value.fields) == [field]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@given(field=st.sampled_from(sorted(event())), value=JSON)
def test_nothing_is_raised_but_the_refusal(field: str, value: Any) -> None:
    with suppress(InvalidRequest):
        parse(event(**{field: value}), now=NOW)


@given(JSON)
def test_nor_for_what_is_no_event(body: Any) -> None:
    with pytest.raises(InvalidRequest):
        parse(body, now=NOW)
