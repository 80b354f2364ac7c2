"""Labelled turns with the memories that they may correct: captured by the rules, without servers."""

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid5

from benchmarks import labelled
from local.evaluation import outcomes
from local.evaluation.conversations import Conversation, Turn
from remembrancer.domain.capture import rules, selection, wishes
from remembrancer.domain.capture import turns as stored
from remembrancer.domain.memories.correction_features import Said

PAIRS = Path(__file__).parents[1] / "data" / "conflicts.jsonl"
FRIENDS = Path(__file__).parents[1] / "chats" / "friends.txt"
OTHERS = 8
"""Memories of other pairs beside the one that a pair's newer text may correct."""
MOST_OF_FEW = 4
_NONE = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Memory:
    """`turn` is what it was made of; `place` its number among all turns, negative before the first; `session` that of
    its session, 0 before the first.
    """

    turn: str
    content: str
    context: str | None = None
    place: int = -100
    session: int = 0


@dataclass(frozen=True, slots=True)
class Case:
    """A turn and the memories before it. `right` are the places of those that it corrects; `unlabelled` those that
    count neither for nor against it. `kind`: what the turn is.
    """

    group: str
    half: str
    kind: str
    said: Said
    place: int
    session: int
    memories: Sequence[Memory]
    right: frozenset[int]
    unlabelled: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Play:
    """A conversation as far as it was played: its memories, and the turns of the session."""

    conversation: Conversation
    memories: list[Memory] = field(default_factory=list)
    place: int = 0


def memories_of(conversation: Conversation) -> Sequence[Memory]:
    """The memories that are there in the end."""
    play = _Play(conversation)
    _played(play)
    return play.memories


def id_of(memory: Memory) -> UUID:
    """The same for the same memory."""
    return uuid5(_NONE, f"{memory.turn} {memory.content}")


def of_conversation(conversation: Conversation) -> list[Case]:
    """One case for each turn of the user, and for each of the assistant that becomes a memory."""
    return _played(_Play(conversation))


def _played(play: _Play) -> list[Case]:
    conversation = play.conversation
    play.memories += [Memory(turn.id, turn.text) for turn in conversation.turns.values() if not turn.session]
    cases: list[Case] = []
    for number, begins in enumerate(conversation.sessions, start=1):
        session: list[stored.Turn] = []
        same = [turn for turn in conversation.turns.values() if turn.session == number]
        for at, turn in enumerate(same):
            session.append(
                stored.Turn(
                    uuid5(_NONE, f"{conversation.name} {turn.id}"),
                    turn.role,
                    turn.text,
                    begins + timedelta(minutes=at),
                    number=at + 1,
                    after=at or None,
                )
            )
            cases += _captured(play, session, same)
            play.place += 1
    return cases


def thinned(case: Case, chance: random.Random) -> Case:
    """The same turn of somebody who has one to four of these memories, among which what it corrects may be missing."""
    count = min(len(case.memories), chance.randint(1, MOST_OF_FEW))
    places = sorted(chance.sample(range(len(case.memories)), count))
    return replace(
        case,
        memories=[case.memories[place] for place in places],
        right=frozenset(at for at, place in enumerate(places) if place in case.right),
        unlabelled=frozenset(at for at, place in enumerate(places) if place in case.unlabelled),
    )


def of_pairs() -> list[Case]:
    """The newer text of each pair beside the older ones of others."""
    lines = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    cases = []
    for number, line in enumerate(lines):
        half = [other["older"] for other in lines if other["half"] == line["half"]]
        own = half.index(line["older"])
        others = dict.fromkeys(half[(own + step) % len(half)] for step in range(1, OTHERS + 1))
        texts = [line["older"], *(text for text in others if text != line["older"])]
        memories = [Memory(text, text) for text in texts]
        right = frozenset((0,)) if line["kind"] == "correction" else frozenset[int]()
        said = Said(line["newer"])
        unlabelled = frozenset(range(1, len(memories)))
        group = f"pair {number}" if line["half"] == "choosing" else "kept back"
        cases.append(Case(group, line["half"], line["kind"], said, 0, 1, memories, right, unlabelled))
    return cases


def of_friends() -> list[Case]:
    """Messages of friends, group by group, of which none corrects anything; each beside earlier ones of its writer, who
    writes every other one.
    """
    cases = []
    for name, lines in labelled.groups(FRIENDS):
        messages = [line.removeprefix("- ") for line in lines]
        memories: list[Memory] = []
        for place, (before, text) in enumerate(itertools.pairwise(("", *messages))):
            said = Said(text, is_answer=bool(selection.last_question(before)), before=before)
            own = [one for one in memories if (place - one.place) % 2 == 0]
            cases.append(Case(f"friends {name}", "friends", "other", said, place, 1, own, frozenset()))
            memories.append(Memory(f"{name} {place}", f"User: {text}", None, place, 1))
    return cases


def _captured(play: _Play, session: list[stored.Turn], same: Sequence[Turn]) -> Iterator[Case]:
    """Decides on the last turn, and again on the one before it; yields their cases, and keeps their memories."""
    conversation = play.conversation
    when = session[0].observed_at
    heard = wishes.apart(
        stored.Conversation(_NONE, _NONE, "", "", _NONE, conversation.name, "", when, when, 1, tuple(session))
    )
    plan = rules.plan(heard.conversation, unwanted=heard.unwanted)
    for decision in plan.decisions:
        at = decision.number - 1
        turn, was = same[at], session[at].state
        session[at] = replace(session[at], state=decision.state, reason=decision.reason)
        is_kept = decision.state == stored.KEPT
        if not is_kept:
            play.memories = [one for one in play.memories if one.turn != turn.id or was != stored.KEPT]
        known = any(one.turn == turn.id for one in play.memories)
        if known or (turn.role == "assistant" and not is_kept) or not (text := heard.conversation.turns[at].text):
            continue
        place = play.place - len(session) + at + 1
        memory = plan.memories.get(decision.number) or rules.memory_of(heard.conversation, heard.conversation.turns[at])
        before = same[at - 1] if at else None
        said = Said(
            memory.content.partition(": ")[2] if turn.role == "assistant" else text,
            is_assistant=turn.role == "assistant",
            is_statement=is_kept,
            is_answer=before is not None and before.role != turn.role and bool(selection.last_question(before.text)),
            before=before.text if before else "",
        )
        earlier = [one for one in play.memories if one.place < place]
        case = _case(conversation, turn, said, place, earlier)
        yield case
        if is_kept or (case.right and decision.reason == selection.NO_STATEMENT):
            play.memories.append(Memory(turn.id, memory.content, memory.context, place, turn.session))


def _case(conversation: Conversation, turn: Turn, said: Said, place: int, memories: Sequence[Memory]) -> Case:
    allowed = set(outcomes.allowed(conversation))
    corrected = {
        label.target: label.old
        for label in outcomes.corrections(conversation)
        if turn.id in (label.turn, outcomes.last_word(conversation, label).turn)
    }
    right = {
        at
        for at, memory in enumerate(memories)
        if memory.turn in corrected and outcomes.has(memory.content, [corrected[memory.turn]])
    }
    unlabelled = {at for at, memory in enumerate(memories) if (turn.id, memory.turn) in allowed} - right
    alike = [label.kind for label in conversation.labels if label.turn == turn.id and label.kind]
    kind = "correction" if right else next(iter(alike), "other")
    half = conversation.half
    return Case(
        conversation.name, half, kind, said, place, turn.session, memories, frozenset(right), frozenset(unlabelled)
    )
