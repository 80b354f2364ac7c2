"""Decides without a language model which turns become memories, and makes these."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.capture import lasting, long_texts, proposals, selection, standing
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.turns import (
    CORRECTION,
    DROPPED,
    EXTRACTED,
    KEPT,
    PENDING,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.memories.memory import NewMemory

ANSWER_CHARACTERS = 25
"""Characters below which an answer is stored with its question."""
QUESTION_CHARACTERS = 300
NEIGHBOUR_CHARACTERS = 4000
"""Characters of each neighbour in a memory's context: the end of the turn before, the beginning of the turn after."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Memories by the number of their turn, and the decisions on turns.

    Turns in `followed` have their following turn in the context. A memory whose turn was kept before replaces that
    memory's context only. `contradicts` has the memories that those of turns may contradict.
    """

    memories: Mapping[int, NewMemory]
    decisions: Sequence[Decision]
    followed: frozenset[int]
    contradicts: Mapping[int, Sequence[UUID]] = field(default_factory=dict)


def plan(conversation: Conversation, *, pins_at_once: bool = False) -> Plan:
    """Decides on every pending turn, and again on an assistant's turn and on a kept turn that a pending one follows.

    `pins_at_once`: standing instructions are pinned; otherwise that is proposed.
    """
    around = _Neighbours(conversation.turns)
    names = {turn.speaker.lower() for turn in conversation.turns if turn.speaker}
    decisions: list[Decision] = []
    memories: dict[int, NewMemory] = {}
    for turn in conversation.turns:
        following = around.following(turn)
        if turn.state != PENDING and (following is None or following.state != PENDING):
            continue
        if turn.state == KEPT and turn.reason in _COMPLETE:
            continue
        instruction = _instruction(conversation, turn, around.before(turn), names)
        if turn.state == KEPT:
            memories[turn.number] = _memory(conversation, turn, around, instruction)
        elif turn.state == PENDING or turn.role == "assistant":
            answer = following.text if following is not None and following.role == "user" else None
            before = around.before(turn)
            asked = before.text if before is not None and before.role != turn.role else None
            choice = selection.choose(turn.role, turn.text, answer, names, preceding=asked)
            if instruction is not None:
                choice = selection.Choice(True, selection.STATEMENT)
            decisions.append(Decision(turn.number, KEPT if choice.is_kept else DROPPED, choice.reason))
            if choice.is_kept:
                memories[turn.number] = _memory(conversation, turn, around, instruction, pins_at_once=pins_at_once)
    by_number = {turn.number: turn for turn in conversation.turns}
    followed = frozenset(number for number in memories if around.following(by_number[number]) is not None)
    return Plan(memories, decisions, followed)


def memory_of(conversation: Conversation, turn: Turn) -> NewMemory:
    """The memory of a turn that is kept, whatever it says by itself."""
    return _memory(conversation, turn, _Neighbours(conversation.turns), None)


class _Neighbours:
    """The turns before and after each turn."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._by_number = {turn.number: turn for turn in turns}
        self._following: dict[int, Turn] = {}
        for turn in turns:
            if turn.after is not None:
                self._following.setdefault(turn.after, turn)

    def before(self, turn: Turn) -> Turn | None:
        return None if turn.after is None else self._by_number.get(turn.after)

    def following(self, turn: Turn) -> Turn | None:
        return self._following.get(turn.number)


def _instruction(conversation: Conversation, turn: Turn, before: Turn | None, names: Collection[str]) -> str | None:
    """The standing instruction of the end user in this turn: of no other speaker, and not at the end of a longer text,
    of which this is a piece.
    """
    speakers = {other.speaker for other in conversation.turns if other.role == "user"}
    if turn.role != "user" or conversation.user_id is None or len(speakers) > 1:
        return None
    if before is not None and before.role == turn.role and len(before.text) > standing.MOST_CHARACTERS:
        return None
    return standing.instruction(turn.text, names)


def _memory(
    conversation: Conversation, turn: Turn, around: _Neighbours, instruction: str | None, *, pins_at_once: bool = False
) -> NewMemory:
    before, following = around.before(turn), around.following(turn)
    # They need no question to be understood, and with one they would be other memories.
    is_lasting = lasting.is_lasting(turn.text)
    content = _spoken(turn) if is_lasting else _content(turn, before)
    category = "factual" if is_lasting else "episodic"
    provenance: dict[str, Any] = {
        "conversation_id": str(conversation.conversation_id),
        "turns": [turn.number],
        "captured_by": selection.RULES,
        "observed_at": turn.observed_at.isoformat(),
    }
    if instruction is not None:
        content, category = spoken(turn.role, turn.speaker, instruction), "preference"
        provenance[proposals.PIN] = True
    # The message of somebody else has a name, and nothing may show that it is not the end user's.
    is_pinned = instruction is not None and pins_at_once and turn.speaker is None
    context = [long_texts.ending(_spoken(before), NEIGHBOUR_CHARACTERS)] if before else []
    context += [long_texts.beginning(_spoken(following), NEIGHBOUR_CHARACTERS)] if following else []
    return NewMemory(
        agent_id=conversation.agent_id,
        content=content,
        pinned=is_pinned or None,
        pinned_at=turn.observed_at if is_pinned else None,
        context="\n".join(context) or None,
        category=category,
        source="extracted",
        confidence=0.8,
        importance=0.5,
        created_at=turn.observed_at,
        user_id=conversation.user_id,
        session_id=conversation.session_id,
        redactions=turn.redactions,
        provenance=provenance,
    )


def _content(turn: Turn, before: Turn | None) -> str:
    """Speaker and text; a short answer also names its question, without which it means little when it is injected."""
    if before is not None and before.role != turn.role and len(turn.text) < ANSWER_CHARACTERS:
        question = long_texts.ending(selection.last_question(before.text), QUESTION_CHARACTERS)
        return f"{_spoken(turn)} (asked: {question})" if question else _spoken(turn)
    return _spoken(turn)


def _spoken(turn: Turn) -> str:
    return spoken(turn.role, turn.speaker, turn.text)


_COMPLETE = frozenset((EXTRACTED, CORRECTION))
"""Reasons of kept turns whose memories are left as they are: their texts are not those of the turns."""
