"""Typed reading of JSON: what is taken, what is refused, and that every bad field is named."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.requests.fields import Fields
from remembrancer.errors import InvalidRequest
from tests.unit.strategies import anything

SOME_UUID = UUID("0b000000-0000-4000-8000-00000000000a")
HUGE = 10**400
DEFAULTS = {"relevance": 0.6, "recency": 0.4, "quality": 0.0}
Reader = Callable[[Fields, str], Any]

READERS: dict[str, Reader] = {
    "string": lambda fields, name: fields.string(name),
    "uuid": lambda fields, name: fields.uuid(name),
    "choice": lambda fields, name: fields.choice(name, ("low", "high")),
    "number": lambda fields, name: fields.number(name, 5, 1, 50),
    "whole number": lambda fields, name: fields.number(name, 5, 1, 50, whole=True),
    "clamped number": lambda fields, name: fields.number(name, 5, 1, 50, clamp=True),
    "boolean": lambda fields, name: fields.boolean(name, default=False),
    "timestamp": lambda fields, name: fields.timestamp(name),
    "strings": lambda fields, name: fields.strings(name, most=3),
    "weights": lambda fields, name: fields.weights(name, DEFAULTS),
    "objects": lambda fields, name: fields.objects(name, most=3),
    "nested": lambda fields, name: fields.nested(name),
}
ABSENT: dict[str, Any] = {
    "string": None, "uuid": None, "choice": None, "number": 5, "whole number": 5, "clamped number": 5,
    "boolean": False, "timestamp": None, "strings": (), "weights": {}, "objects": [],
}  # fmt: skip


def read(reader: str, value: Any) -> Any:
    """What the reader makes of a value that it takes."""
    fields = Fields({"name": value})
    result = READERS[reader](fields, "name")
    fields.finish()
    return result


def problems(reader: str, value: Any) -> dict[str, str]:
    """The errors that the reader notes."""
    fields = Fields({"name": value})
    READERS[reader](fields, "name")
    return fields.errors


@pytest.mark.parametrize(
    ("reader", "value", "expected"),
    [
        ("string", "text", "text"),
        ("string", "  text\n", "text"),
        ("string", "x" * 8192, "x" * 8192),
        ("string", "  ", None),
        ("string", "", None),
        ("uuid", str(SOME_UUID), SOME_UUID),
        ("uuid", str(SOME_UUID).upper(), SOME_UUID),
        ("uuid", SOME_UUID.hex, SOME_UUID),
        ("choice", "low", "low"),
        ("number", 1, 1),
        ("number", 50, 50),
        ("number", 2.5, 2.5),
        ("whole number", 7.0, 7),
        ("clamped number", 0.5, 1),
        ("clamped number", -HUGE, 1),
        ("clamped number", HUGE, 50),
        ("clamped number", 1e308, 50),
        ("boolean", True, True),
        ("boolean", False, False),
        ("timestamp", "2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("timestamp", "2026-03-01T12:30:00", datetime(2026, 3, 1, 12, 30, tzinfo=UTC)),
        ("timestamp", "2026-03-01T12:30:00Z", datetime(2026, 3, 1, 12, 30, tzinfo=UTC)),
        ("timestamp", "2026-03-01T12:30:00.25+02:00", datetime(2026, 3, 1, 10, 30, 0, 250_000, tzinfo=UTC)),
        ("strings", ["a", "b"], ("a", "b")),
        ("strings", [" a ", "b", "a"], ("a", "b")),
        ("strings", ["a", "b", "c", "a"], ("a", "b", "c")),
        ("strings", [], ()),
        ("weights", {"recency": 2, "relevance": 0.5}, {"recency": 2.0, "relevance": 0.5}),
        ("weights", {"recency": 0}, {"recency": 0.0}),
        ("weights", {"relevance": 0, "recency": 0, "quality": 1}, {"relevance": 0, "recency": 0, "quality": 1}),
        ("weights", {}, {}),
        ("objects", [1, "two", None], [1, "two", None]),
        ("objects", [], []),
    ],
)
def test_a_good_value_is_taken(reader: str, value: Any, expected: Any) -> None:
    assert read(reader, value) == expected


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        ("string", 1),
        ("string", True),
        ("string", ["text"]),
        ("string", {"text": 1}),
        ("string", "x" * 8193),
        ("uuid", "0b000000"),
        ("uuid", f"{{{SOME_UUID}}}"),
        ("uuid", f"urn:uuid:{SOME_UUID}"),
        ("uuid", f"{SOME_UUID}0"),
        ("uuid", "０b000000-0000-4000-8000-00000000000a"),
        ("uuid", 17),
        ("choice", "LOW"),
        ("choice", "medium"),
        ("choice", 1),
        ("number", "1"),
        ("number", True),
        ("number", False),
        ("number", float("nan")),
        ("number", float("inf")),
        ("number", float("-inf")),
        ("number", 0.999),
        ("number", 51),
        ("number", HUGE),
        ("number", -HUGE),
        ("number", [1]),
        ("whole number", 1.5),
        ("whole number", float("inf")),
        ("clamped number", "1"),
        ("clamped number", True),
        ("clamped number", float("nan")),
        ("clamped number", float("inf")),
        ("boolean", 0),
        ("boolean", 1),
        ("boolean", "true"),
        ("timestamp", "yesterday"),
        ("timestamp", "2026-02-30"),
        ("timestamp", "2026-03-01T25:00:00"),
        ("timestamp", 1_772_323_200),
        ("timestamp", "0001-01-01T00:00:00+01:00"),
        ("timestamp", "9999-12-31T23:59:59-01:00"),
        ("timestamp", "2026-03-01" + " " * 60 + "x"),
        ("strings", "a"),
        ("strings", ["a", 1]),
        ("strings", ["a", ""]),
        ("strings", ["a", " "]),
        ("strings", [None]),
        ("strings", {"a": 1}),
        ("strings", ["a", "b", "c", "d"]),
        ("strings", ["x" * 65]),
        ("weights", [1]),
        ("weights", "recency"),
        ("weights", {"relevance": 0, "recency": 0}),
        ("weights", {"relevance": 0, "recency": 0.0, "quality": -0.0}),
        ("objects", {"a": 1}),
        ("objects", "a"),
        ("objects", [1, 2, 3, 4]),
        ("nested", []),
        ("nested", "a"),
        ("nested", False),
    ],
)
def test_a_bad_value_is_refused_by_name(reader: str, value: Any) -> None:
    assert list(problems(reader, value)) == ["name"]


@pytest.mark.parametrize("weight", [-0.001, 1_000_001, HUGE, float("nan"), float("inf"), True, "1", None, [1]])
def test_a_bad_weight_is_refused_by_the_name_of_its_factor(weight: Any) -> None:
    assert list(problems("weights", {"relevance": 1, "recency": weight})) == ["name.recency"]


def test_an_unknown_factor_is_refused_with_the_known_ones() -> None:
    errors = problems("weights", {"luck": 1})

    assert list(errors) == ["name.luck"]
    assert "relevance, recency, quality" in errors["name.luck"]


@pytest.mark.parametrize("reader", ABSENT)
@pytest.mark.parametrize("data", [{}, {"name": None}], ids=["absent", "null"])
def test_an_absent_field_has_its_default(reader: str, data: dict[str, Any]) -> None:
    fields = Fields(data)

    assert READERS[reader](fields, "name") == ABSENT[reader]
    assert fields.errors == {}


def test_an_absent_object_reads_as_an_empty_one() -> None:
    fields = Fields({})

    assert fields.nested("options").string("name") is None
    assert fields.errors == {}


@given(value=anything)
@pytest.mark.parametrize("reader", READERS)
def test_no_value_raises_anything(reader: str, value: Any) -> None:
    assert all(name == "name" or name.startswith("name.") for name in problems(reader, value))


@pytest.mark.parametrize("value", [pytest.param(None, id="null"), "", "   ", pytest.param([], id="an empty list")])
def test_a_required_field_that_says_nothing_is_missing(value: Any) -> None:
    fields = Fields({"name": value} if value is not None else {})

    if isinstance(value, list):
        fields.objects("name", most=3, required=True)
    else:
        fields.string("name", required=True)

    assert list(fields.errors) == ["name"]


@pytest.mark.parametrize(("given_number", "used"), [(0, 1), (-7, 1), (51, 50), (1e300, 50), (0.99, 1)])
def test_a_clamped_number_is_reported_with_both_values(given_number: float, used: float) -> None:
    fields = Fields({"k": given_number})

    assert fields.number("k", 5, 1, 50, clamp=True) == used
    assert fields.adjusted == {"k": {"given": given_number, "used": used}}


@given(number=st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_within_its_range_is_never_adjusted(number: float) -> None:
    fields = Fields({"k": number})

    used = fields.number("k", 5, 1, 50, clamp=True)

    assert 1 <= used <= 50
    assert (used == number) == (fields.adjusted == {})


def test_a_nested_adjustment_is_reported_with_its_path() -> None:
    nested = Fields({"filters": {"min_confidence": 7}}).nested("filters")

    nested.number("min_confidence", 0, 0, 1, clamp=True)

    assert nested.adjusted == {"filters.min_confidence": {"given": 7, "used": 1}}


@pytest.mark.parametrize("key", ["traversal_depth", "traversalDepth"])
def test_a_field_may_be_named_as_proto3_json_names_it(key: str) -> None:
    fields = Fields({key: 3})

    assert fields.number("traversal_depth", 1, 1, 3) == 3
    fields.refuse_unknown()
    assert fields.errors == {}


def test_the_canonical_name_wins_over_its_twin() -> None:
    fields = Fields({"agentId": "second", "agent_id": "first"})

    assert fields.string("agent_id") == "first"


def test_an_alias_is_read_when_the_name_is_absent() -> None:
    fields = Fields({"tenant_id": str(SOME_UUID)})

    assert fields.uuid("org_id", "tenant_id", required=True) == SOME_UUID
    fields.refuse_unknown()
    assert fields.errors == {}


def test_a_field_that_nobody_read_is_unknown_also_in_a_nested_object() -> None:
    fields = Fields({"k": 1, "kk": 2, "filters": {"tag": ["a"]}})
    nested = fields.nested("filters")
    fields.number("k", 5, 1, 50)

    fields.refuse_unknown()
    nested.refuse_unknown()

    assert fields.errors == {"kk": "unknown field", "filters.tag": "unknown field"}


def test_all_errors_come_at_once_and_the_first_of_a_field_stays() -> None:
    fields = Fields({"one": 1, "two": "x", "inner": {"three": 3}})
    fields.string("one")
    fields.number("two", 0, 0, 1)
    fields.fail("two", "another problem")
    fields.nested("inner").boolean("three", default=True)
    fields.string("four", required=True)

    with pytest.raises(InvalidRequest) as refused:
        fields.finish()

    assert refused.value.fields == {
        "one": "must be a string",
        "two": "must be a number",
        "inner.three": "must be true or false",
        "four": "is required",
    }
    assert refused.value.status == 400
    assert all(name in refused.value.message for name in refused.value.fields)


@pytest.mark.parametrize("data", [None, [], "text", 1, True])
def test_what_is_no_object_is_refused_as_a_whole(data: object) -> None:
    with pytest.raises(InvalidRequest) as refused:
        Fields(data).finish()

    assert refused.value.fields == {"body": "must be a JSON object"}


def test_good_fields_finish_quietly() -> None:
    Fields({"name": "x"}).finish()


@pytest.mark.parametrize(
    ("given", "used"), [(2.0**-126, 2.0**-126), (1e-39, 0.0), (2.7e-220, 0.0), (-1e-300, 0.0), (0, 0)]
)
def test_a_number_too_small_for_single_precision_is_zero(given: float, used: float) -> None:
    assert Fields({"share": given}).number("share", 0.5, -1, 1) == used
