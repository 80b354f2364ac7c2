"""Answers of a language model: parsed by schema, or refused as a whole."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.capture import extraction
from remembrancer.domain.capture.extraction import ANSWER_CHARACTERS, FIELDS, BadAnswer, Proposal

RIGHT: dict[str, Any] = {
    "text": "User lives in Leeds.",
    "category": "factual",
    "subject": "User",
    "occurred": None,
    "quote": "I live in Leeds.",
    "source_turns": [1, 2],
    "action": "supersede",
    "target": "m1",
}


def answer(*proposals: object) -> str:
    return json.dumps({"memories": list(proposals)})


def test_an_answer_of_the_schema_is_its_proposals_in_order() -> None:
    first, second = extraction.parse(answer(RIGHT, {**RIGHT, "action": "add", "target": None}))

    assert first == Proposal(**{**RIGHT, "source_turns": (1, 2)})
    assert (second.action, second.target) == ("add", None)
    assert extraction.parse(answer()) == []


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("value", [7, True, ["x"], {"a": 1}, "\x00", "\ud83d", "unheard of"])
def test_a_field_of_another_type_spoils_the_answer(name: str, value: object) -> None:
    if value == "unheard of" and name in {"text", "subject", "quote", "occurred", "target"}:
        return

    with pytest.raises(BadAnswer):
        extraction.parse(answer(RIGHT, {**RIGHT, name: value}))


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_and_one_too_many_spoil_the_answer(name: str) -> None:
    for proposal in ({key: value for key, value in RIGHT.items() if key != name}, {**RIGHT, f"{name}2": ""}):
        with pytest.raises(BadAnswer):
            extraction.parse(answer(proposal))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"memories": null}',
        '{"memories": [], "more": 1}',
        '{"memories": [], "memories": []}',
        '{"memories": [] }x',
        '```json\n{"memories": []}\n```',
        '{"memories": [Infinity]}',
        "[" * 100_000,
        '{"memories": [' * 20_000,
        " " * ANSWER_CHARACTERS + '{"memories": []}',
    ],
)
def test_anything_else_is_a_bad_answer(text: str) -> None:
    with pytest.raises(BadAnswer):
        extraction.parse(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["memories", *FIELDS]), inner),
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
