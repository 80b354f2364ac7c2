"""Typed reading of JSON: what is taken, what is refused, and that every bad field is named."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.personal_data.invisible_characters import is_invisible
from remembrancer.domain.requests.field_types import (
    agent,
    boolean,
    choice,
    end_user,
    nested,
    number,
    objects,
    strings,
    text,
    timestamp,
    uuid,
    weights,
    whole,
)
from remembrancer.domain.requests.fields import MOST_NAMED, Field, Fields, OpenFields
from remembrancer.errors import InvalidRequest
from tests.unit.strategies import anything

SOME_UUID = UUID("0b000000-0000-4000-8000-00000000000a")
HUGE = 10**400
DEFAULTS = {"relevance": 0.6, "recency": 0.4, "quality": 0.0}
FIELDS: dict[str, Field] = {
    "string": text(8192),
    "uuid": uuid(),
    "choice": choice(("low", "high")),
    "number": number(1, 50, default=5),
    "whole number": whole(1, 50, default=5),
    "clamped number": number(1, 50, clamp=True, default=5),
    "boolean": boolean(default=False),
    "timestamp": timestamp(),
    "strings": strings(3),
    "weights": weights(DEFAULTS),
    "objects": objects(3, {}),
    "nested": nested(Fields(inner=text())),
}
ABSENT: dict[str, Any] = {
    "string": None, "uuid": None, "choice": None, "number": 5, "whole number": 5, "clamped number": 5,
    "boolean": False, "timestamp": None, "strings": (), "weights": {}, "objects": (), "nested": {"inner": None},
}  # fmt: skip


def read(kind: str, value: Any) -> Any:
    """What the field makes of a value that it takes."""
    return Fields(name=FIELDS[kind]).parse({"name": value})["name"]


def problems(kind: str, value: Any) -> dict[str, str]:
    """The errors that reading it notes."""
    return Fields(name=FIELDS[kind]).read({"name": value}).errors


@pytest.mark.parametrize(
    ("reader", "value", "expected"),
    [
        ("string", "text", "text"),
        ("string", "  text\n", "text"),
        ("string", "x" * 8192, "x" * 8192),
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
    assert Fields(name=FIELDS[reader]).parse(data) == {"name": ABSENT[reader]}


@given(value=anything)
@pytest.mark.parametrize("reader", FIELDS)
def test_no_value_raises_anything(reader: str, value: Any) -> None:
    assert all(name == "name" or name.startswith("name.") for name in problems(reader, value))


REQUIRED = (text(required=True), uuid(required=True), choice(("a",), required=True))
BLANKS = ("", " ", "\t", "\n", "\u00a0", "\u3000", "\u2009 ", "\u200b", "\ufeff", "\u2060\u00ad", " \u200b ", "\u2800")


@pytest.mark.parametrize("declared", REQUIRED)
@pytest.mark.parametrize("data", [{}, {"name": None}], ids=["absent", "null"])
def test_a_required_field_that_is_absent_is_missing(declared: Field, data: dict[str, Any]) -> None:
    assert Fields(name=declared).read(data).errors == {"name": "is required"}


@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize("declared", [*REQUIRED, text(), uuid(), choice(("a",)), timestamp(), agent(), end_user()])
def test_a_blank_text_is_refused_and_never_counts_as_absent(declared: Field, blank: str) -> None:
    (problem,) = Fields(name=declared).read({"name": blank}).errors.values()

    assert problem.startswith("must not be blank")


def test_a_blank_text_counts_as_absent_where_the_field_says_so() -> None:
    assert Fields(name=text(is_blank_absent=True)).parse({"name": " \u00a0"}) == {"name": None}


@pytest.mark.parametrize("written", ["Noe\u0308l", " No\u00ebl\t", "No\u00ebl\u00a0", "\u3000Noe\u0308l"])
def test_a_name_in_another_form_is_the_same_end_user(written: str) -> None:
    assert Fields(name=end_user()).parse({"name": written}) == {"name": "No\u00ebl"}


def test_all_end_users_are_named_only_where_that_is_allowed() -> None:
    assert Fields(name=end_user(may_be_all=True)).parse({"name": " * "}) == {"name": "*"}
    assert problems_of(end_user(), "*") == {"name": "must not contain *"}


BLANK_LETTERS = [letter for letter in map(chr, range(1, 0x10000)) if letter.isspace() or is_invisible(letter)]


@given(st.text(alphabet=BLANK_LETTERS))
def test_no_text_without_a_visible_letter_is_taken_as_a_name(blank: str) -> None:
    assert problems_of(end_user(may_be_all=True), blank)
    assert problems_of(text(), blank)


def problems_of(declared: Field, value: Any) -> dict[str, str]:
    return Fields(name=declared).read({"name": value}).errors


@pytest.mark.parametrize("declared", [strings(3, required=True), objects(3, {}, required=True)])
@pytest.mark.parametrize("data", [{}, {"name": None}, {"name": []}], ids=["absent", "null", "empty"])
def test_a_required_list_has_an_entry(declared: Field, data: dict[str, Any]) -> None:
    assert list(Fields(name=declared).read(data).errors) == ["name"]


@pytest.mark.parametrize(("given_number", "used"), [(0, 1), (-7, 1), (51, 50), (1e300, 50), (0.99, 1)])
def test_a_clamped_number_is_reported_with_both_values(given_number: float, used: float) -> None:
    given = Fields(k=number(1, 50, clamp=True)).read({"k": given_number})

    assert given["k"] == used
    assert given.adjusted == {"k": {"given": given_number, "used": used}}


@given(chosen=st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_within_its_range_is_never_adjusted(chosen: float) -> None:
    given = Fields(k=number(1, 50, clamp=True)).read({"k": chosen})

    assert 1 <= given["k"] <= 50
    assert (given["k"] == chosen) == (given.adjusted == {})


def test_a_nested_adjustment_is_reported_with_its_path() -> None:
    filters = Fields(min_confidence=number(0, 1, clamp=True))

    given = Fields(filters=nested(filters)).read({"filters": {"min_confidence": 7}})

    assert given.adjusted == {"filters.min_confidence": {"given": 7, "used": 1}}


@pytest.mark.parametrize("key", ["traversal_depth", "traversalDepth"])
def test_a_field_may_be_named_as_proto3_json_names_it(key: str) -> None:
    assert Fields(traversal_depth=whole(1, 3)).parse({key: 3}) == {"traversal_depth": 3}


@pytest.mark.parametrize("kind", [Fields, OpenFields])
def test_a_field_under_two_of_its_names_has_one_value(kind: type[Fields]) -> None:
    fields = kind(agent_id=text(aliases=("agent",)))

    assert fields.parse({"agentId": "hob", "agent_id": " hob ", "agent": None}) == {"agent_id": "hob"}
    assert fields.parse({"agentId": None, "agent": "hob"}) == {"agent_id": "hob"}
    given = fields.read({"agentId": "second", "agent_id": "first"})
    assert given.errors == {"agentId": "differs from agent_id, which means the same"}


@pytest.mark.parametrize("other", ["", " ", "bob", "*", 7])
def test_user_means_the_end_user_and_never_another_one(other: object) -> None:
    fields = OpenFields(user_id=end_user())

    assert fields.parse({"user": "Ada "}) == fields.parse({"user": "Ada", "user_id": "Ada"}) == {"user_id": "Ada"}
    assert fields.read({"user": other, "user_id": "ada"}).errors.keys() == {"user"}
    assert fields.read({"user": "ada", "user_id": other}).errors.keys() <= {"user", "user_id"}
    assert fields.read({"user": "ada", "user_id": other}).errors


def test_an_open_object_notes_what_it_ignores_and_what_was_probably_meant() -> None:
    options = OpenFields(thoroughness=text(), skip=strings(3))
    fields = OpenFields("", "", frozenset({"temperature"}), options=nested(options), user_id=end_user())

    given = fields.read(
        {"temperature": 1, "colour": 1, "Thoroughnes": 1, "options": {"skipp": 1, "user_ids": 1, "colour": 1}}
    )

    assert given.errors == {}
    assert given.ignored == {
        "Thoroughnes": "unknown field; did you mean options.thoroughness?",
        "colour": "unknown field",
        "options.colour": "unknown field",
        "options.skipp": "unknown field; did you mean options.skip?",
        "options.user_ids": "unknown field; did you mean user_id?",
    }


def test_a_refusal_of_an_open_object_names_what_it_would_ignore() -> None:
    fields = OpenFields(messages=strings(3, required=True))

    with pytest.raises(InvalidRequest, match=r"invalid fields: messages\.$") as refused:
        fields.parse({"mesages": []})

    assert refused.value.fields == {"mesages": "unknown field; did you mean messages?", "messages": "is required"}


def test_a_field_of_another_route_names_that_route_unless_a_field_here_has_that_meaning() -> None:
    memory, wish, outer = Fields(content=text()), Fields(text=text()), Fields(inner=nested(Fields(k=text())))

    assert memory.read({"messages": []}).errors == {"messages": "unknown field; POST /v1/conversations takes it"}
    assert wish.read({"content": "x"}).errors == {"content": "unknown field; did you mean text?"}
    assert outer.read({"inner": {"messages": []}}).errors == {"inner.messages": "unknown field"}


def test_what_is_ignored_is_named_within_bounds() -> None:
    given = OpenFields(k=whole(1, 9)).read({f"{number:03}{'x' * 9000}": 1 for number in range(500)})

    assert len(given.ignored) == MOST_NAMED
    assert all(len(name) <= 64 for name in given.ignored)


def test_an_alias_is_read_when_the_name_is_absent() -> None:
    fields = Fields(org_id=uuid(required=True, aliases=("tenant_id",)))

    assert fields.parse({"tenant_id": str(SOME_UUID)}) == {"org_id": SOME_UUID}


def test_a_field_that_is_not_declared_is_unknown_also_in_a_nested_object() -> None:
    fields = Fields(k=whole(1, 50), filters=nested(Fields(tags=strings(3))))

    given = fields.read({"k": 1, "kk": 2, "filters": {"tag": ["a"]}})

    assert given.errors == {"kk": "unknown field", "filters.tag": "unknown field; did you mean filters.tags?"}


def test_all_errors_come_at_once_and_the_first_of_a_field_stays() -> None:
    inner = Fields(three=boolean(default=True))
    fields = Fields(one=text(), two=number(0, 1), inner=nested(inner), four=text(required=True))
    given = fields.read({"one": 1, "two": "x", "inner": {"three": 3}})
    given.fail("two", "another problem")

    with pytest.raises(InvalidRequest) as refused:
        given.finish()

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
        Fields().parse(data)

    assert refused.value.fields == {"body": "must be a JSON object"}


@pytest.mark.parametrize(
    ("chosen", "used"), [(2.0**-126, 2.0**-126), (1e-39, 0.0), (2.7e-220, 0.0), (-1e-300, 0.0), (0, 0)]
)
def test_a_number_too_small_for_single_precision_is_zero(chosen: float, used: float) -> None:
    assert Fields(share=number(-1, 1)).parse({"share": chosen}) == {"share": used}


def test_a_list_that_lets_nothing_through_is_not_absent() -> None:
    declared = strings(3, least=1)

    assert list(Fields(name=declared).read({"name": []}).errors) == ["name"]
    assert Fields(name=declared).read({}).errors == {}


@pytest.mark.parametrize("blank", ["", " ", "\u3000", "\u200b"])
def test_no_entry_of_a_list_is_blank(blank: str) -> None:
    assert list(Fields(name=strings(3)).read({"name": ["a", blank]}).errors) == ["name"]
