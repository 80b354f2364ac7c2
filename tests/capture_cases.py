"""Reads the sets of labelled turns in tests/data, for tests and for measurements."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

OBSERVED = datetime(2024, 5, 15, 12, tzinfo=UTC)
_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """What a user said to an assistant, `preceding` what the assistant asked, and whether it is worth a memory."""

    language: str
    text: str
    is_worth: bool
    preceding: str | None

    @property
    def is_confirming(self) -> bool:
        """Whether it belongs to the half that confirms the rules; they were chosen with the other half."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1


def turns() -> list[LabelledTurn]:
    """Turns of chats with an assistant."""
    lines = (_DATA / "capture_turns.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        LabelledTurn(turn["language"], turn["text"], turn["want"] == "keep", turn.get("preceding"))
        for turn in map(json.loads, lines)
    ]


@dataclass(frozen=True, slots=True)
class LabelledInstruction:
    """What a user said to an assistant, and whether it is a standing instruction.

    `request` of an instruction shares no word that means anything with it. `is_later`: written after the rules.
    """

    language: str
    text: str
    is_standing: bool
    request: str | None
    is_later: bool

    @property
    def part(self) -> str:
        """Of those written before the rules, these were chosen with one half, and confirmed with the other."""
        if self.is_later:
            return "later"
        return ("choosing", "confirming")[hashlib.sha256(self.text.encode()).digest()[0] % 2]


def instructions() -> list[LabelledInstruction]:
    """Standing instructions, and sentences that look like them."""
    lines = (_DATA / "standing_instructions.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        LabelledInstruction(
            said["language"], said["text"], said["want"] == "pin", said.get("request"), said.get("written") == "later"
        )
        for said in map(json.loads, lines)
    ]


@dataclass(frozen=True, slots=True)
class LabelledWish:
    """A sentence, whether it wishes something forgotten, and whether it was written when the rules were done."""

    text: str
    is_wish: bool
    is_later: bool


def wishes() -> list[LabelledWish]:
    """Wishes to forget, and sentences that look like them."""
    lines = (_DATA / "wishes.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        LabelledWish(said["text"], said["want"] == "wish", said["written"] == "later")
        for said in map(json.loads, lines)
    ]
