"""Decides without a language model which turns become memories, and makes these."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from typing import Any
from uuid import UUID

from remembrancer.domain.capture import (
    agreements,
    choice,
    lasting,
    long_texts,
    occurrence,
    proposals,
    selection,
    standing,
)
from remembrancer.domain.capture.choice import Choice
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.capture.turns import (
    AGREED,
    CORRECTION,
    DROPPED,
    EXTRACTED,
    KEPT,
    NOT_WANTED,
    PENDING,
    POSSIBLE_WISH,
    REJECTED,
    WISH,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.memories.memory import NewMemory
from remembrancer.domain.times import time_zone

ANSWER_CHARACTERS = 25
"""Characters below which an answer is stored with its question."""
QUESTION_CHARACTERS = 300
NEIGHBOUR_CHARACTERS = 4000
"""Characters of each neighbour in a memory's context: the end of the turn before, the beginning of the turn after."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Memories by the number of their turn, and the decisions on turns.

    `forgetting` is what is to be done about wishes to forget; memories of turns in `held` wait for approval.

    Turns in `followed` have their following turn in the context. A memory whose turn was kept before replaces that
    memory's context only. `contradicts` has the memories that those of turns may contradict.
    """

    memories: Mapping[int, NewMemory]
    decisions: Sequence[Decision]
    followed: frozenset[int]
    contradicts: Mapping[int, Sequence[UUID]] = field(default_factory=dict)
    forgetting: Sequence[Forgetting] = ()
    held: frozenset[int] = frozenset()


def plan(
    conversation: Conversation, *, pins_at_once: bool = False, unwanted: Collection[int] = (), zone: tzinfo = UTC
) -> Plan:
    """Decides on every pending turn, and again on an assistant's turn and on a kept turn that a pending one follows.

    `pins_at_once`: standing instructions are pinned; otherwise that is proposed. A turn without text was a wish to
    forget something, or, among the `unwanted`, is not to be kept (`wishes.apart`). `zone` is that of its user's days.
    """
    around = _Neighbours(conversation.turns)
    names = {turn.speaker.lower() for turn in conversation.turns if turn.speaker}
    decisions: list[Decision] = []
    memories: dict[int, NewMemory] = {}
    forgetting: list[Forgetting] = []
    for turn in conversation.turns:
        following = around.following(turn)
        if not _is_due(turn, following):
            continue
        if not turn.text:
            if turn.state == PENDING:
                is_unwanted = turn.number in unwanted
                decisions.append(Decision(turn.number, DROPPED, NOT_WANTED if is_unwanted else WISH))
            continue
        instruction = _instruction(conversation, turn, around.before(turn), names)
        if turn.reason == AGREED and _answer(following) and not _agreed(conversation, turn, following):
            decisions.append(Decision(turn.number, DROPPED, REJECTED))
            forgetting.append(Forgetting(turn.number, deleted=(turn.memory_id,)))
        elif turn.state == KEPT:
            memories[turn.number] = _memory(conversation, turn, around, instruction)
        elif turn.state == PENDING or turn.role == "assistant":
            agreed = _agreed(conversation, turn, following)
            chosen = _choice(turn, around, names, instruction, agreed)
            decisions.append(Decision(turn.number, KEPT if chosen.is_kept else DROPPED, chosen.reason))
            if chosen.is_kept:
                memory = _memory(conversation, turn, around, instruction, pins_at_once=pins_at_once)
                is_agreed = chosen.reason == AGREED
                memory = replace(memory, content=_spoken(turn, agreed)) if is_agreed else memory
                memories[turn.number] = memory if memory.category != "episodic" else _dated(memory, turn, zone)
    by_number = {turn.number: turn for turn in conversation.turns}
    followed = frozenset(number for number in memories if around.following(by_number[number]) is not None)
    return Plan(memories, decisions, followed, forgetting=forgetting)


def with_wishes(plan: Plan, forgetting: Sequence[Forgetting], doubtful: Collection[int]) -> Plan:
    """The plan with what is done about wishes. What a turn that may be one says waits for approval, unless it corrects
    a memory: then it is a statement. Where it says nothing, it is no wish either.
    """
    corrects = {decision.number for decision in plan.decisions if decision.reason == CORRECTION}
    held = frozenset(number for number in doubtful if number in plan.memories and number not in corrects)
    decisions = [Decision(one.number, KEPT, POSSIBLE_WISH) if one.number in held else one for one in plan.decisions]
    done = [one for one in forgetting if one.number in held or one.number not in doubtful]
    return replace(plan, decisions=decisions, forgetting=[*plan.forgetting, *done], held=plan.held | held)


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


def _is_due(turn: Turn, following: Turn | None) -> bool:
    """Whether it has no decision, or the turn behind it has none; what a model has decided, or a correction, stays."""
    is_answered = following is not None and following.state == PENDING
    return turn.state == PENDING or (is_answered and not (turn.state == KEPT and turn.reason in _COMPLETE))


def _choice(turn: Turn, around: _Neighbours, names: Collection[str], instruction: str | None, agreed: str) -> Choice:
    before = around.before(turn)
    asked = before.text if before is not None and before.role != turn.role else None
    chosen = choice.choose(turn.role, turn.text, _answer(around.following(turn)), names, preceding=asked)
    if instruction is not None:
        return Choice(True, selection.STATEMENT)
    if agreed and not (chosen.is_kept and selection.last_question(turn.text)):
        return Choice(True, AGREED)
    return chosen


def _answer(following: Turn | None) -> str | None:
    """The user's turn behind one of the assistant, where there is one yet."""
    return following.text if following is not None and following.role == "user" else None


def _agreed(conversation: Conversation, turn: Turn, following: Turn | None) -> str:
    """What the assistant states in this turn and the user does not reject."""
    if turn.role != "assistant":
        return ""
    before = [other.text for other in conversation.turns if other.role == "user" and other.number < turn.number]
    return agreements.agreed(turn.text, _answer(following), before)


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
    text = content(turn, before, turn.text)
    category = "factual" if lasting.is_lasting(turn.text) else "episodic"
    provenance: dict[str, Any] = {
        "conversation_id": str(conversation.conversation_id),
        "turns": [turn.number],
        "captured_by": selection.RULES,
        "observed_at": turn.observed_at.isoformat(),
    }
    if instruction is not None:
        text, category = _spoken(turn, instruction), "preference"
        provenance[proposals.PIN] = True
    # The message of somebody else has a name, and nothing may show that it is not the end user's.
    is_pinned = instruction is not None and pins_at_once and turn.speaker is None
    context = [long_texts.ending(_spoken(before), NEIGHBOUR_CHARACTERS)] if before and before.text else []
    context += [long_texts.beginning(_spoken(following), NEIGHBOUR_CHARACTERS)] if following and following.text else []
    return NewMemory(
        agent_id=conversation.agent_id,
        content=text,
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


def _dated(memory: NewMemory, turn: Turn, zone: tzinfo) -> NewMemory:
    """With the days on which what it tells happened, where its words say so: of "last week" those of that week."""
    occurred = occurrence.told(turn.text, time_zone.local(turn.observed_at, zone))
    return replace(memory, occurred_from=occurrence.starts(occurred, zone), occurred_to=occurrence.ends(occurred, zone))


def content(turn: Turn, before: Turn | None, text: str) -> str:
    """Speaker and text of a turn or of a part of it; a short answer also names its question, without which it means
    little when it is injected. What is so needs none, and with one it would be another memory.
    """
    said = spoken(turn.role, turn.speaker, text)
    is_short = len(text) < ANSWER_CHARACTERS and not lasting.is_lasting(text)
    if is_short and before is not None and before.role != turn.role:
        question = long_texts.ending(selection.last_question(before.text), QUESTION_CHARACTERS)
        return f"{said} (asked: {question})" if question else said
    return said


def _spoken(turn: Turn, text: str | None = None) -> str:
    """The turn in a memory, or the part of it that is given."""
    return spoken(turn.role, turn.speaker, turn.text if text is None else text)


_COMPLETE = frozenset((EXTRACTED, CORRECTION, POSSIBLE_WISH))
"""Reasons of kept turns whose memories are left as they are: their texts are not those of the turns."""
