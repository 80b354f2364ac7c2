"""What a language model proposes to remember of a conversation: the form of its answer, and the parsing of it.

An answer that differs from the form in anything is refused as a whole.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.memories.memory import CATEGORIES

ACTIONS = ("add", "supersede", "duplicate", "contradict")
ANSWER_CHARACTERS = 64_000
"""Longest answer that is read."""
FIELDS = ("text", "category", "subject", "occurred", "quote", "source_turns", "action", "target")

_PROPOSAL: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "category": {"type": "string", "enum": list(CATEGORIES)},
        "subject": {"type": "string"},
        "occurred": {"type": ["string", "null"]},
        "quote": {"type": "string"},
        "source_turns": {"type": "array", "items": {"type": "integer"}},
        "action": {"type": "string", "enum": list(ACTIONS)},
        "target": {"type": ["string", "null"]},
    },
    "required": list(FIELDS),
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"memories": {"type": "array", "items": _PROPOSAL}},
    "required": ["memories"],
    "additionalProperties": False,
}
"""The JSON schema of an answer, in the subset that providers accept for structured output."""


class BadAnswer(ValueError):
    """The model's answer is not JSON of the schema; the message names the first difference and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A memory as a model proposes it: nothing in it is true until the gate has said so.

    `occurred` is a date, a month, a year or two of them with a slash between; `target` the handle of a memory that the
    prompt showed.
    """

    text: str
    category: str
    subject: str
    occurred: str | None
    quote: str
    source_turns: tuple[int, ...]
    action: str
    target: str | None


def parse(answer: str) -> list[Proposal]:
    """The proposals in the answer's order, not limited in number. Raises BadAnswer."""
    if len(answer) > ANSWER_CHARACTERS:
        raise BadAnswer("the answer is too long")
    try:
        document = json.loads(answer, object_pairs_hook=_members, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadAnswer("the answer is not JSON" if not isinstance(error, BadAnswer) else str(error)) from None
    _require(isinstance(document, dict) and document.keys() == {"memories"}, "the answer is no object with `memories`")
    _require(isinstance(document["memories"], list), "`memories` is no list")
    return [_proposal(item, index) for index, item in enumerate(document["memories"])]


def _proposal(item: Any, index: int) -> Proposal:
    place = f"memories[{index}]"
    _require(isinstance(item, dict), f"{place} is no object")
    _require(item.keys() == set(FIELDS), f"{place} has other fields than the schema")
    for name in ("text", "subject", "quote"):
        _require(_is_text(item[name]), f"{place}.{name} is no text")
    for name in ("occurred", "target"):
        _require(item[name] is None or _is_text(item[name]), f"{place}.{name} is neither text nor null")
    _require(item["category"] in CATEGORIES, f"{place}.category is not a category")
    _require(item["action"] in ACTIONS, f"{place}.action is not an action")
    turns = item["source_turns"]
    _require(isinstance(turns, list) and all(type(turn) is int for turn in turns), f"{place}.source_turns is no list")
    return Proposal(**{**item, "source_turns": tuple(turns)})


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
