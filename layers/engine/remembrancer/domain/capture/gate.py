"""What of a model's proposals may become a memory: whole sentences of a turn (docs/adr/0034-capture-gate.md).

Models invent, and conversations may contain instructions to them. So a model chooses, and writes nothing: it quotes a
span, and the memory has the sentences of the turn that the span touches, word for word. A span cut out of a sentence
could say the opposite of it; whole sentences keep their negations, doubts and conditions, in any language.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from remembrancer.domain.capture import clauses, occurrence
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.occurrence import Occurrence
from remembrancer.domain.lexical_index.folding import unbroken
from remembrancer.domain.memories import corrections
from remembrancer.domain.memories.corrections import Candidate
from remembrancer.domain.memories.duplicates import Reading, Wording
from remembrancer.domain.memories.memory import Memory

MOST_PROPOSALS = 20
"""Most proposals of one window that are looked at: twice as many as a window has new turns."""
SPAN_CHARACTERS = 600
"""Most characters of the sentences that a span touches."""
ABOUT_CHARACTERS = 300
"""Most characters of those that a second span touches."""


@dataclass(frozen=True, slots=True)
class Line:
    """A turn of the window. Spans are chosen in new ones; old ones may be what a span is about.

    `is_believed`: the speaker is a user, or has a name, or the rules have kept the turn. Other turns of assistants say
    what a model has written.
    """

    number: int
    role: str
    speaker: str | None
    text: str
    observed_at: datetime
    is_new: bool = True
    is_believed: bool = True


@dataclass(frozen=True, slots=True)
class Window:
    """What the model was shown, and may speak of: turns in order, and memories of the conversation's end user by
    handle, which nobody else owns or shares.
    """

    lines: Sequence[Line]
    shown: Mapping[str, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class About:
    """The sentences that a memory is about; `is_question`: the last of them asks."""

    role: str
    speaker: str | None
    text: str
    is_question: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """Sentences of turn `number`, as they stand in its `clauses.plain` text.

    `supersedes` and `contradicts` are memories that they correct, for certain or not. `occurred` is what they say about
    the time, None where they say nothing that a rule can verify; `is_ended`: the model names its end. `is_repeated`: a
    memory says the same.
    """

    number: int
    text: str
    category: str
    about: About | None = None
    occurred: Occurrence | None = None
    is_ended: bool = False
    supersedes: UUID | None = None
    contradicts: UUID | None = None
    is_repeated: bool = False
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """`refused` counts by reason; `refused_turns` are the turns of which something may be lost by that.

    `errors` are the classes of the unexpected exceptions, each of which refused its proposal (`check_failed`).
    """

    passed: Sequence[Chosen]
    refused: Mapping[str, int]
    refused_turns: frozenset[int] = frozenset()
    errors: Sequence[str] = ()


def judge(proposals: Sequence[Proposal], window: Window) -> Judgement:
    """The proposals that pass, in order. Of several that supersede the same memory, only the first does; the others
    contradict it. Sentences that an earlier proposal has chosen are not chosen again.
    """
    passed: list[Chosen] = []
    places: dict[int, list[tuple[int, int]]] = {}
    superseded: set[UUID | None] = set()
    refused: Counter[str] = Counter()
    turns: set[int] = set()
    errors: list[str] = []
    for position, proposal in enumerate(proposals):
        try:
            _require(position < MOST_PROPOSALS, "too_many")
            chosen = _chosen(proposal, window, places, superseded)
        except _Refused as refusal:
            refused[refusal.reason] += 1
            if refusal.reason != _CHOSEN_BEFORE:
                turns.add(proposal.turn)
        except Exception as error:  # a bug: with every delivery it would block the conversation again
            errors.append(type(error).__name__)
            refused["check_failed"] += 1
            turns.add(proposal.turn)
        else:
            superseded.add(chosen.supersedes)
            passed.append(chosen)
    return Judgement(passed, dict(refused), frozenset(turns & {line.number for line in window.lines}), errors)


class _Refused(Exception):
    def __init__(self, reason: str) -> None:
        self.reason = reason


def _chosen(
    proposal: Proposal, window: Window, places: dict[int, list[tuple[int, int]]], superseded: set[UUID | None]
) -> Chosen:
    lines = {line.number: line for line in window.lines}
    line = lines.get(proposal.turn)
    if line is None or not line.is_new:
        raise _Refused("unknown_turn")
    _require(line.is_believed, "assistant")
    text, (start, end) = _sentences(line, proposal.quote, SPAN_CHARACTERS)
    known = places.setdefault(line.number, [])
    _require(not any(start < other_end and other_start < end for other_start, other_end in known), _CHOSEN_BEFORE)
    about = _about(proposal, lines, line, (start, end))
    said = spoken(line.role, line.speaker, text[start:end])
    target, is_certain = _target(proposal, window, line, said)
    is_certain = is_certain and target not in superseded
    occurred = None if proposal.occurred is None else occurrence.parse(proposal.occurred)
    if occurred is not None and not _says_when(occurred, text[start:end], line):
        occurred = None
    known.append((start, end))
    return Chosen(
        number=line.number,
        text=text[start:end],
        category=proposal.category,
        about=about,
        occurred=occurred,
        is_ended=occurred is not None and "/" in (proposal.occurred or ""),
        supersedes=target if is_certain else None,
        contradicts=None if is_certain else target,
        is_repeated=_repeats(proposal, window, line, said),
        is_pinned=proposal.pin and _may_pin(window, line),
    )


def _sentences(line: Line, quote: str, most: int) -> tuple[str, tuple[int, int]]:
    """The turn in one line, and where the sentences stand there that a span touches."""
    text, wanted = clauses.plain(line.text), clauses.plain(quote)
    place = _found(text, wanted)
    _require(place is not None, "quote_not_found")
    start, end = place or (0, 0)
    touched = [unit for unit in clauses.units(line.text) if unit[0] < end and start < unit[1]]
    start, end = min(start, touched[0][0]), max(end, touched[-1][1])
    _require(end - start <= most, "too_long")
    return text, (start, end)


def _found(text: str, wanted: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, between whole words."""
    if not any(letter.isalnum() for letter in wanted):
        return None
    whole = unbroken(text)
    for match in re.finditer(f"(?={re.escape(wanted)})", text):
        start, end = match.start(), match.start() + len(wanted)
        if not _INSIDE.match(whole[max(start - 1, 0) : start]) and not _INSIDE.match(whole[end : end + 1]):
            return start, end
    return None


def _about(proposal: Proposal, lines: Mapping[int, Line], line: Line, chosen: tuple[int, int]) -> About | None:
    """The second span: of this turn or one before it. None where it is part of the first."""
    if proposal.about_turn is None and proposal.about_quote is None:
        return None
    other = None if proposal.about_turn is None else lines.get(proposal.about_turn)
    if other is None or other.number > line.number or proposal.about_quote is None:
        raise _Refused("unknown_turn")
    text, (start, end) = _sentences(other, proposal.about_quote, ABOUT_CHARACTERS)
    if other.number == line.number and start < chosen[1] and chosen[0] < end:
        return None
    return About(other.role, other.speaker, text[start:end], _QUESTION.search(text[start:end]) is not None)


def _target(proposal: Proposal, window: Window, line: Line, said: str) -> tuple[UUID | None, bool]:
    """The memory that is corrected, and whether that is certain by the rules for corrections (see `corrections`)."""
    memory = _shown(proposal.corrects, window)
    if memory is None:
        return None, False
    _require(proposal.repeats is None and line.role == "user", "wrong_target")
    _require(memory.created_at <= line.observed_at, "wrong_target")
    _require(corrections.is_of_speaker(memory.content, line.role, line.speaker), "wrong_target")
    candidates = [
        Candidate(one.id, one.content, one.category, one.created_at, is_pinned=one.pinned_at is not None)
        for one in window.shown.values()
        if corrections.is_of_speaker(one.content, line.role, line.speaker)
    ]
    found = corrections.certain(said, candidates)
    return memory.id, found is not None and found[0].id == memory.id


def _repeats(proposal: Proposal, window: Window, line: Line, said: str) -> bool:
    """Whether the memory says the same, or the same in other words, of the same day: as near-duplicates do."""
    memory = _shown(proposal.repeats, window)
    if memory is None or proposal.about_quote is not None:
        return False
    day = None if proposal.category != "episodic" else line.observed_at.astimezone(UTC).date()
    new, known = Wording(Reading.of(said), day), Wording.of(memory)
    return new.repeats(known) or new.paraphrases(known)


def _shown(handle: str | None, window: Window) -> Memory | None:
    if handle is None:
        return None
    memory = window.shown.get(handle)
    _require(memory is not None, "wrong_target")
    return memory


def _says_when(occurred: Occurrence, text: str, line: Line) -> bool:
    """Whether the sentences say when; the day on which they were said is nothing that a model invented."""
    said = occurrence.expressions(text)
    is_that_day = not said and occurrence.is_day(occurred, line.observed_at)
    return is_that_day or occurrence.is_supported(occurred, said, line.observed_at)


def _may_pin(window: Window, line: Line) -> bool:
    """Only what the one user of a conversation says is to hold for all answers to this user."""
    users = {other.speaker for other in window.lines if other.role == "user"}
    return line.role == "user" and len(users) == 1


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise _Refused(reason)


_CHOSEN_BEFORE = "chosen_before"
_INSIDE = re.compile(r"[\w']")
_QUESTION = re.compile(r"[?？؟][\"')\]]*$")
