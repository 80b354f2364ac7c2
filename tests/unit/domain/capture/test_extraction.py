"""Answers of a language model: parsed by schema, or refused as a whole."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.capture import extraction
from remembrancer.domain.capture.extraction import ANSWER_CHARACTERS, FIELDS, BadAnswer, Proposal

RIGHT: dict[str, Any] = {
    "turn": 2,
    "quote": "I live in Leeds.",
    "about_turn": 1,
    "about_quote": "Where do you live?",
    "category": "factual",
    "occurred": None,
    "corrects": "m1",
    "repeats": None,
    "pin": False,
}
NULLABLE = {"about_turn", "about_quote", "occurred", "corrects", "repeats"}


def answer(*spans: object) -> str:
    return json.dumps({"spans": list(spans)})


def test_an_answer_of_the_schema_is_its_proposals_in_order() -> None:
    first, second = extraction.parse(answer(RIGHT, {**RIGHT, **dict.fromkeys(NULLABLE), "pin": True}))

    assert first == Proposal(**RIGHT)
    assert (second.about_turn, second.corrects, second.pin) == (None, None, True)
    assert extraction.parse(answer()) == []


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", [7.5, True, ["x"], {"a": 1}, "\x00", "\ud83d", "unheard of", None])
def test_a_field_of_another_type_spoils_the_answer(name: str, value: object) -> None:
    is_text = name in {"quote", "about_quote", "occurred", "corrects", "repeats"} and value == "unheard of"
    if is_text or (name == "pin" and value is True) or (value is None and name in NULLABLE):
        return

    with pytest.raises(BadAnswer):
        extraction.parse(answer(RIGHT, {**RIGHT, name: value}))


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_and_one_too_many_spoil_the_answer(name: str) -> None:
    for span in ({key: value for key, value in RIGHT.items() if key != name}, {**RIGHT, f"{name}2": ""}):
        with pytest.raises(BadAnswer):
            extraction.parse(answer(span))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"spans": null}',
        '{"memories": []}',
        '{"spans": [], "more": 1}',
        '{"spans": [], "spans": []}',
        '{"spans": [] }x',
        '```json\n{"spans": []}\n```',
        '{"spans": [Infinity]}',
        "[" * 100_000,
        '{"spans": [' * 20_000,
        " " * ANSWER_CHARACTERS + '{"spans": []}',
    ],
)
def test_anything_else_is_a_bad_answer(text: str) -> None:
    with pytest.raises(BadAnswer):
        extraction.parse(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["spans", *FIELDS]), inner),
)
_FIELDS_AT_RANDOM = st.fixed_dictionaries({name: st.one_of(st.just(RIGHT[name]), _JSON) for name in FIELDS})


@given(st.one_of(st.text(), _JSON.map(json.dumps), st.lists(_FIELDS_AT_RANDOM).map(lambda some: answer(*some))))
@settings(max_examples=40, deadline=None)
def test_any_answer_is_proposals_or_bad(text: str) -> None:
    outcome = parsed(text)

    assert isinstance(outcome, str) or all(isinstance(proposal, Proposal) for proposal in outcome)


def parsed(text: str) -> list[Proposal] | str:
    """The proposals, or what is wrong."""
    try:
        return extraction.parse(text)
    except BadAnswer as error:
        return str(error)
