"""What becomes of a window of turns after a language model has read it: memories, and decisions on the turns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any
from uuid import UUID, uuid5

from remembrancer.domain.capture import clauses, long_texts, occurrence, proposals
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.gate import MOST_PROPOSALS, AcceptedProposal, Judgement
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import (
    DROPPED,
    EXTRACTED,
    KEPT,
    NOT_WANTED,
    PENDING,
    REPEATED,
    WISH,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.memories.memory import NewMemory, normalise
from remembrancer.domain.times import time_zone

WINDOW_TURNS = 10
"""A window is read when so many turns wait, or when nothing more was said for a time."""
NOT_EXTRACTED = "not_extracted"
"""Why a turn was dropped of which the model proposed nothing."""
REFUSED = "proposal_refused"
"""Why a turn was kept by rules of which the model proposed only what the gate refused; the other reasons follow."""
BAD_ANSWER = "model_answer"
UNAVAILABLE = "model_unavailable"
NO_BUDGET = "model_budget"
TURN_CHARACTERS = 6000
"""Characters of a turn in the context of its memories, around the quote."""
BEFORE_CHARACTERS = 1500
"""Characters of the turn before it there: its end."""


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
    """Memories of turns, decisions on turns, and for each turn that rules decide on, why the model does not."""

    memories: Sequence[ExtractedMemory] = ()
    decisions: Sequence[Decision] = ()
    by_rules: Mapping[int, str] = field(default_factory=dict)


def window(conversation: Conversation) -> Conversation:
    """The conversation with at most so many pending turns as a window has, and what was read with them."""
    pending = [turn.number for turn in conversation.turns if turn.state == PENDING][:WINDOW_TURNS]
    last = pending[-1] if pending else 0
    kept = [turn for turn in conversation.turns if turn.state != PENDING or turn.number <= last]
    return replace(conversation, turns=kept)


def without_model(conversation: Conversation, reason: str) -> Outcome:
    """Rules decide on every turn that waits."""
    return Outcome(by_rules={turn.number: reason for turn in conversation.turns if turn.state == PENDING})


def outcome(
    conversation: Conversation, judgement: Judgement, captured_by: Mapping[str, str], *, is_reviewed: bool
) -> Outcome:
    """Each pending turn is kept for its memories, dropped, or left to rules where only refused proposals name it."""
    turns = {turn.number: turn for turn in conversation.turns}
    memories: list[ExtractedMemory] = []
    for passed in judgement.passed:
        if passed.action != "duplicate":
            turn = turns[passed.number]
            position = sum(memory.number == passed.number for memory in memories)
            made_as = _memory_id(turn, position)
            memories.append(_memory(conversation, turn, passed, made_as, captured_by, is_reviewed=is_reviewed))
    made = {memory.number for memory in memories}
    repeated = {passed.number for passed in judgement.passed} - made
    decisions: list[Decision] = []
    by_rules: dict[int, str] = {}
    for turn in conversation.turns:
        if turn.state != PENDING:
            continue
        if turn.number in made:
            decisions.append(Decision(turn.number, KEPT, EXTRACTED))
        elif turn.number in repeated:
            decisions.append(Decision(turn.number, DROPPED, REPEATED))
        elif turn.number in judgement.refused_turns:
            by_rules[turn.number] = REFUSED
        else:
            decisions.append(Decision(turn.number, DROPPED, NOT_EXTRACTED))
    return Outcome(memories, decisions, by_rules)


def local(conversation: Conversation, zone: tzinfo) -> Conversation:
    """With the times of its turns on the clocks of the zone, in which `yesterday` is reckoned."""
    turns = [replace(turn, observed_at=time_zone.local(turn.observed_at, zone)) for turn in conversation.turns]
    return replace(conversation, turns=turns)


def memory_ids(turn: Turn) -> list[UUID]:
    """The ids that memories of a kept turn may have: a model may have made several of it."""
    return [_memory_id(turn, position) for position in range(MOST_PROPOSALS if turn.reason == EXTRACTED else 1)]


def _memory_id(turn: Turn, position: int) -> UUID:
    return uuid5(turn.memory_id, str(position)) if position else turn.memory_id


def beside_rules(plan: Plan, wishes: Collection[int], found: Outcome) -> Outcome:
    """Without the turns on which the rules decide: those that give a standing instruction, whose words they keep, those
    with wishes to forget something, those whose agreements were rejected, and those that are not to be kept.
    """
    own = {number for number, memory in plan.memories.items() if proposals.is_pin_proposed(memory.provenance)}
    own |= {*wishes, *(rejected.number for rejected in plan.forgetting)}
    own |= {decision.number for decision in plan.decisions if decision.reason in (WISH, NOT_WANTED)}
    return replace(
        found,
        memories=[memory for memory in found.memories if memory.number not in own],
        decisions=[decision for decision in found.decisions if decision.number not in own],
    )


def combined(plan: Plan, found: Outcome) -> Plan:
    """The rules' plan without the turns that the model has decided; a turn that rules keep says why they had to."""
    decided = {decision.number for decision in found.decisions}
    decisions = [
        replace(decision, reason=found.by_rules.get(decision.number, decision.reason))
        if decision.state == KEPT
        else decision
        for decision in plan.decisions
        if decision.number not in decided
    ]
    return replace(
        plan,
        memories={number: memory for number, memory in plan.memories.items() if number not in decided},
        decisions=[*decisions, *found.decisions],
        followed=plan.followed - decided,
        contradicts={number: targets for number, targets in plan.contradicts.items() if number not in decided},
    )


def _memory(
    conversation: Conversation,
    turn: Turn,
    passed: AcceptedProposal,
    memory_id: UUID,
    captured_by: Mapping[str, str],
    *,
    is_reviewed: bool,
) -> ExtractedMemory:
    proposal = passed.proposal
    context, quote_at = _context(conversation, turn, proposal.quote)
    provenance: dict[str, Any] = {
        "conversation_id": str(conversation.conversation_id),
        "turns": sorted({passed.number, *proposal.source_turns}),
        "captured_by": dict(captured_by),
        "observed_at": time_zone.local(turn.observed_at, UTC).isoformat(),
        "quote_at": quote_at,
    }
    if is_reviewed and passed.target is not None:
        provenance["proposed"] = {"action": passed.action, "target": str(passed.target)}
    memory = NewMemory(
        agent_id=conversation.agent_id,
        content=normalise(proposal.text),
        context=context,
        category=proposal.category,
        source="extracted",
        confidence=0.8,
        importance=0.5,
        created_at=turn.observed_at,
        user_id=conversation.user_id,
        session_id=conversation.session_id,
        occurred_from=occurrence.starts(passed.occurred, turn.observed_at.tzinfo),
        occurred_to=_end(passed, turn.observed_at.tzinfo),
        supersedes=passed.target if passed.action == "supersede" and not is_reviewed else None,
        redactions=turn.redactions,
        provenance=provenance,
    )
    contradicts = passed.target if passed.action == "contradict" and not is_reviewed else None
    return ExtractedMemory(memory_id, passed.number, memory, contradicts, is_reviewed)


def _end(passed: AcceptedProposal, zone: tzinfo | None) -> datetime | None:
    """The end of the last day. What is no episode has no end unless the model names one: a day is when it began."""
    is_ended = "/" in (passed.proposal.occurred or "") or passed.proposal.category == "episodic"
    return occurrence.ends(passed.occurred, zone) if is_ended else None


def _context(conversation: Conversation, turn: Turn, quote: str) -> tuple[str, list[int]]:
    """The turn in one line behind the end of the one before it, and where the quote stands in that."""
    text, wanted = clauses.plain(turn.text), clauses.plain(quote)
    middle = text.index(wanted) + len(wanted) // 2
    start = max(min(middle - TURN_CHARACTERS // 2, len(text) - TURN_CHARACTERS), 0)
    around = long_texts.beginning(text[start:].strip(), TURN_CHARACTERS)
    said = spoken(turn.role, turn.speaker, f"{long_texts.CUT}{around}" if start else around)
    before = next((other for other in conversation.turns if other.number == turn.after), None)
    lines = (
        [long_texts.ending(clauses.plain(spoken(before.role, before.speaker, before.text)), BEFORE_CHARACTERS)]
        if before
        else []
    )
    context = normalise("\n".join([*lines, said]))
    at = context.rindex(wanted)
    return context, [at, at + len(wanted)]
