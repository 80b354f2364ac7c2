"""Reads the sets of proposals and of labelled turns in tests/data, for tests and for measurements."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.gate import Line, Shown, Window

OBSERVED = datetime(2024, 5, 15, 12, tzinfo=UTC)
_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Case:
    """A proposal with what the model was shown; `kind` is the heading, `number` counts in the file from 1."""

    number: int
    kind: str
    window: Window
    proposal: Proposal

    @property
    def name(self) -> str:
        """For the report of a test."""
        return f"{self.number}-{self.kind}-{self.proposal.text[:40]}"


def inventions() -> list[Case]:
    """Proposals of which none may pass."""
    return list(_read("capture_inventions.txt"))


def right() -> list[Case]:
    """Proposals that say what the turns say."""
    return list(_read("capture_right.txt"))


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


def _read(name: str) -> Iterator[Case]:
    text = (_DATA / name).read_text(encoding="utf-8")
    number = 0
    kind, turns, shown = "", list[str](), dict[str, str]()
    for line in text.splitlines():
        if line.startswith("# "):
            kind, turns, shown = line[2:], [], {}
        elif line.startswith("->"):
            number += 1
            window = _window(turns, shown)
            yield Case(number, kind, window, _proposal(line[2:], window))
        elif line.startswith("shown "):
            handle, _, memory = line[6:].partition(": ")
            shown[handle] = memory
        elif line.startswith(("user", "assistant")) and ": " in line:
            turns.append(line)
        elif line:
            turns[-1] += f"\n{line}"


def _window(turns: list[str], shown: dict[str, str]) -> Window:
    lines = []
    for number, turn in enumerate(turns, 1):
        head, _, text = turn.partition(": ")
        role, _, speaker = head.partition("/")
        lines.append(Line(number, role, speaker or None, text, OBSERVED))
    handles = {handle: Shown(UUID(int=place), text) for place, (handle, text) in enumerate(shown.items(), 1)}
    return Window(lines, handles)


def _proposal(line: str, window: Window) -> Proposal:
    text, subject, *options = (part.strip() for part in line.split("|"))
    given = dict(option.split("=", 1) for option in options)
    numbers = tuple(int(number) for number in given.get("source_turns", str(len(window.lines))).split(","))
    last = window.lines[min(numbers[-1], len(window.lines)) - 1]
    return Proposal(
        text=text,
        category=given.get("category", "factual"),
        subject=subject,
        occurred=given.get("occurred"),
        quote=given.get("quote", last.text),
        source_turns=numbers,
        action=given.get("action", "add"),
        target=given.get("target"),
    )
