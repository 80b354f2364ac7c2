"""What becomes of a window of turns after a language model has read it: memories in place of those of the rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Any
from uuid import UUID, uuid5

from remembrancer.domain.capture import clauses, long_texts, occurrence, proposals, rules
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.gate import MOST_PROPOSALS, About, Chosen, Judgement
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.selection import ANSWERED, ASSISTANT, NO_STATEMENT, QUESTION, STATEMENT
from remembrancer.domain.capture.turns import (
    DROPPED,
    ECHO,
    EXTRACTED,
    KEPT,
    NOT_EXTRACTED,
    PENDING,
    REPEATED,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.memories.memory import NewMemory, normalise
from remembrancer.domain.times import time_zone

WINDOW_TURNS = 10
"""A window is read when so many turns are unread, or when nothing more was said for a time."""
REFUSED = "proposal_refused"
"""Why a turn stays as the rules kept it: the gate refused what the model proposed of it; other reasons follow."""
BAD_ANSWER = "model_answer"
UNAVAILABLE = "model_unavailable"
NO_BUDGET = "model_budget"
NO_ROOM = "quota_exceeded"
TURN_CHARACTERS = 6000
"""Characters of a turn in the context of its memories, around what was chosen."""
BEFORE_CHARACTERS = 1500
"""Characters of the turn before it there: its end."""
_READABLE = frozenset((STATEMENT, ANSWERED, NO_STATEMENT, QUESTION, ASSISTANT, ECHO))
"""Reasons of the rules for turns that a model may decide otherwise. On corrections, agreements, wishes and what is not
to be kept, the rules alone decide.
"""


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """A memory that is made of turn `number`, and the memory that it may contradict."""

    memory_id: UUID
    number: int
    memory: NewMemory
    contradicts: UUID | None = None
    is_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Memories of turns, and the decision on each unread turn."""

    memories: Sequence[ExtractedMemory]
    decisions: Sequence[Decision]


def to_read(plan: Plan, conversation: Conversation, wishes: Collection[int]) -> frozenset[int]:
    """The pending turns on which the rules decide for the time being only. A turn before a wish to forget is not among
    them: nothing is made later of what the wish is about.
    """
    pending = {turn.number for turn in conversation.turns if turn.state == PENDING}
    last = max(wishes, default=0)
    return frozenset(
        decision.number
        for decision in plan.decisions
        if decision.number in pending and decision.number > last and decision.reason in _READABLE
        if not _proposes_pin(plan.memories.get(decision.number))
    )


def preliminary(plan: Plan, unread: Collection[int]) -> Plan:
    """The plan in which memories of unread turns may be replaced."""
    marked = {
        number: replace(memory, provenance={**(memory.provenance or {}), proposals.PRELIMINARY: True})
        for number, memory in plan.memories.items()
        if number in unread
    }
    return replace(plan, memories={**plan.memories, **marked})


def as_decided(conversation: Conversation, reason: str | None = None) -> Outcome:
    """What the rules have decided on unread turns stays; `reason` says of those that were kept why."""
    return Outcome((), [_stays(turn, reason) for turn in conversation.turns if turn.is_unread])


def outcome(
    conversation: Conversation, judgement: Judgement, captured_by: Mapping[str, str], *, is_reviewed: bool
) -> Outcome:
    """Each unread turn is kept for its memories, dropped, or stays as the rules decided: where anything that the model
    proposed of it was refused, which might be lost, and, if somebody is to review the memories, where it proposed
    nothing.
    """
    turns = {turn.number: turn for turn in conversation.turns}
    refused = {number for number in judgement.refused_turns if number in turns and turns[number].state == KEPT}
    memories: list[ExtractedMemory] = []
    for chosen in judgement.passed:
        if not chosen.is_repeated and chosen.number not in refused:
            turn = turns[chosen.number]
            position = sum(memory.number == chosen.number for memory in memories)
            # Until somebody has approved it, the memory of the rules stays.
            memory_id = _memory_id(turn, position + (is_reviewed and turn.state == KEPT))
            memory = _memory(conversation, turn, chosen, captured_by, is_reviewed=is_reviewed)
            contradicts = None if is_reviewed else chosen.contradicts
            memories.append(ExtractedMemory(memory_id, turn.number, memory, contradicts, is_reviewed))
    made = {memory.number for memory in memories}
    repeated = {chosen.number for chosen in judgement.passed} - made
    decisions: list[Decision] = []
    for turn in conversation.turns:
        if not turn.is_unread:
            continue
        if turn.number in made:
            decisions.append(Decision(turn.number, KEPT, EXTRACTED))
        elif turn.number in refused:
            decisions.append(_stays(turn, REFUSED))
        elif turn.number in repeated:
            decisions.append(Decision(turn.number, DROPPED, REPEATED))
        elif turn.state == KEPT and not is_reviewed:
            decisions.append(Decision(turn.number, DROPPED, NOT_EXTRACTED))
        else:
            decisions.append(_stays(turn))
    return Outcome(memories, decisions)


def local(conversation: Conversation, zone: tzinfo) -> Conversation:
    """With the times of its turns on the clocks of the zone, in which `yesterday` is reckoned."""
    turns = [replace(turn, observed_at=time_zone.local(turn.observed_at, zone)) for turn in conversation.turns]
    return replace(conversation, turns=turns)


def memory_ids(turn: Turn) -> list[UUID]:
    """The ids that memories of a kept turn may have: a model may have made several of it."""
    return [_memory_id(turn, position) for position in range(MOST_PROPOSALS + 1 if turn.reason == EXTRACTED else 1)]


def _memory_id(turn: Turn, position: int) -> UUID:
    return uuid5(turn.memory_id, str(position)) if position else turn.memory_id


def _stays(turn: Turn, reason: str | None = None) -> Decision:
    return Decision(turn.number, turn.state, (reason if turn.state == KEPT else None) or turn.reason or "")


def _proposes_pin(memory: NewMemory | None) -> bool:
    return memory is not None and proposals.is_pin_proposed(memory.provenance)


def _memory(
    conversation: Conversation, turn: Turn, chosen: Chosen, captured_by: Mapping[str, str], *, is_reviewed: bool
) -> NewMemory:
    before = next((other for other in conversation.turns if other.number == turn.after), None)
    context, quote_at = _context(turn, before, chosen.text)
    provenance: dict[str, Any] = {
        "conversation_id": str(conversation.conversation_id),
        "turns": [turn.number],
        "captured_by": dict(captured_by),
        "observed_at": time_zone.local(turn.observed_at, UTC).isoformat(),
        "quote_at": quote_at,
    }
    if chosen.is_pinned and conversation.user_id is not None:
        provenance[proposals.PIN] = True
    if is_reviewed:
        provenance |= _proposed(turn, chosen)
    occurred = chosen.occurred
    if occurred is None and chosen.category == "episodic":
        occurred = occurrence.told(chosen.text, turn.observed_at)
    # What is no episode has no end unless the model names one: a day is when it began.
    is_ended = chosen.category == "episodic" or chosen.is_ended
    return NewMemory(
        agent_id=conversation.agent_id,
        content=normalise(_content(turn, before, chosen)),
        context=context,
        category=chosen.category,
        source="extracted",
        confidence=0.8,
        importance=0.5,
        created_at=turn.observed_at,
        user_id=conversation.user_id,
        session_id=conversation.session_id,
        occurred_from=occurrence.starts(occurred, turn.observed_at.tzinfo),
        occurred_to=occurrence.ends(occurred, turn.observed_at.tzinfo) if is_ended else None,
        supersedes=None if is_reviewed else chosen.supersedes,
        redactions=turn.redactions,
        provenance=provenance,
    )


def _proposed(turn: Turn, chosen: Chosen) -> dict[str, Any]:
    """What an approval does to other memories: to one that this one corrects, and to that of the rules."""
    target = chosen.supersedes or chosen.contradicts
    found: dict[str, Any] = {}
    if target is not None:
        action = "contradict" if chosen.supersedes is None else "supersede"
        found["proposed"] = {"action": action, "target": str(target)}
    if turn.state == KEPT:
        found[proposals.REPLACES] = str(turn.memory_id)
    return found


def _content(turn: Turn, before: Turn | None, chosen: Chosen) -> str:
    """The chosen sentences with their speaker, and what they are about: in the words of the conversation alone."""
    if chosen.about is None:
        return rules.content(turn, before, chosen.text)
    return f"{spoken(turn.role, turn.speaker, chosen.text)} ({_about(turn, chosen.about)})"


def _about(turn: Turn, about: About) -> str:
    is_own = (about.role, about.speaker) == (turn.role, turn.speaker)
    if about.is_question and not is_own:
        return f"asked: {about.text}"
    return f"about: {about.text if is_own else spoken(about.role, about.speaker, about.text)}"


def _context(turn: Turn, before: Turn | None, chosen: str) -> tuple[str, list[int]]:
    """The turn in one line behind the end of the one before it, and where the chosen sentences stand in that."""
    text = clauses.plain(turn.text)
    middle = text.index(chosen) + len(chosen) // 2
    start = max(min(middle - TURN_CHARACTERS // 2, len(text) - TURN_CHARACTERS), 0)
    around = long_texts.beginning(text[start:].strip(), TURN_CHARACTERS)
    said = spoken(turn.role, turn.speaker, f"{long_texts.CUT}{around}" if start else around)
    told = clauses.plain(spoken(before.role, before.speaker, before.text)) if before and before.text else ""
    context = normalise("\n".join(filter(None, (long_texts.ending(told, BEFORE_CHARACTERS), said))))
    at = context.rindex(chosen)
    return context, [at, at + len(chosen)]
