"""What a language model chooses to remember of a conversation: the form of its answer, and the parsing of it.

An answer that differs from the form in anything is refused as a whole.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.memories.memory import CATEGORIES

ANSWER_CHARACTERS = 64_000
"""Longest answer that is read."""
FIELDS = ("turn", "quote", "about_turn", "about_quote", "category", "occurred", "corrects", "repeats", "pin")

_SPAN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "turn": {"type": "integer"},
        "quote": {"type": "string"},
        "about_turn": {"type": ["integer", "null"]},
        "about_quote": {"type": ["string", "null"]},
        "category": {"type": "string", "enum": list(CATEGORIES)},
        "occurred": {"type": ["string", "null"]},
        "corrects": {"type": ["string", "null"]},
        "repeats": {"type": ["string", "null"]},
        "pin": {"type": "boolean"},
    },
    "required": list(FIELDS),
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"spans": {"type": "array", "items": _SPAN}},
    "required": ["spans"],
    "additionalProperties": False,
}
"""The JSON schema of an answer, in the subset that providers accept for structured output."""


class BadAnswer(ValueError):
    """The model's answer is not JSON of the schema; the message names the first difference and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A span of a turn that a model proposes to remember: nothing in it is true until the gate has said so.

    `about_turn` and `about_quote` are a second span, without which the first is not understood. `occurred` is a date, a
    month, a year or two of them with a slash between; `corrects` and `repeats` are handles of memories that the prompt
    showed; `pin`: it is to hold for all answers.
    """

    turn: int
    quote: str
    about_turn: int | None = None
    about_quote: str | None = None
    category: str = "episodic"
    occurred: str | None = None
    corrects: str | None = None
    repeats: str | None = None
    pin: bool = False


def parse(answer: str) -> list[Proposal]:
    """The proposals in the answer's order, not limited in number. Raises BadAnswer."""
    if len(answer) > ANSWER_CHARACTERS:
        raise BadAnswer("the answer is too long")
    try:
        document = json.loads(answer, object_pairs_hook=_members, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadAnswer("the answer is not JSON" if not isinstance(error, BadAnswer) else str(error)) from None
    _require(isinstance(document, dict) and document.keys() == {"spans"}, "the answer is no object with `spans`")
    _require(isinstance(document["spans"], list), "`spans` is no list")
    return [_proposal(item, index) for index, item in enumerate(document["spans"])]


def _proposal(item: Any, index: int) -> Proposal:
    place = f"spans[{index}]"
    _require(isinstance(item, dict), f"{place} is no object")
    _require(item.keys() == set(FIELDS), f"{place} has other fields than the schema")
    _require(_is_number(item["turn"]), f"{place}.turn is no number of a turn")
    _require(_is_text(item["quote"]), f"{place}.quote is no text")
    _require(item["about_turn"] is None or _is_number(item["about_turn"]), f"{place}.about_turn is no number of a turn")
    for name in ("about_quote", "occurred", "corrects", "repeats"):
        _require(item[name] is None or _is_text(item[name]), f"{place}.{name} is neither text nor null")
    _require(item["category"] in CATEGORIES, f"{place}.category is not a category")
    _require(isinstance(item["pin"], bool), f"{place}.pin is neither true nor false")
    return Proposal(**item)


def _is_number(value: Any) -> bool:
    return type(value) is int


def _is_text(value: Any) -> bool:
    """Whether it is a string that Postgres can store: JSON may contain half of a surrogate pair, or NUL."""
    if not isinstance(value, str) or "\x00" in value:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    _require(len(members) == len(pairs), "a name occurs twice in an object")
    return members


def _refuse_constant(name: str) -> None:
    raise BadAnswer(f"{name} is not JSON")


def _require(condition: bool, difference: str) -> None:
    if not condition:
        raise BadAnswer(difference)
