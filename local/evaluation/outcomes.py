"""Whether corrections, agreements and wishes in played conversations were understood, and look-alikes left alone."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from local.evaluation.conversations import ACTS, Conversation, Label
from local.evaluation.playing import Item, Played, Stored

ALL = "all"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one label: `figures` are 0 or 1 each, of which `right` is 1 if all that is required was seen."""

    conversation: Conversation
    label: Label
    figures: Mapping[str, int]

    @property
    def right(self) -> bool:
        """Whether the turn was understood, or, where it only looks like something, left alone."""
        return bool(self.figures["right"])


@dataclass(frozen=True, slots=True)
class Wrong:
    """A memory that a turn superseded or doubted, and that no label says it corrects."""

    conversation: Conversation
    turn: str
    older: Stored
    newer: Stored
    is_superseded: bool


def judge(played: Played) -> list[Outcome]:
    """The outcome of each label, in order."""
    judges: Mapping[str, Callable[[Played, Label], dict[str, int]]] = {
        "correct": _corrected,
        "agree": _agreed,
        "forget": _forgotten,
        "state": _known,
    }
    found = []
    for label in played.conversation.labels:
        figures = _left_alone(played, label) if label.kind else judges[label.act](played, label)
        found.append(Outcome(played.conversation, label, figures))
    return found


def wrongs(played: Played) -> list[Wrong]:
    """Memories that were superseded or doubted without a label that says so."""
    permitted = set(allowed(played.conversation))
    return [
        Wrong(played.conversation, _last(played, newer), older, newer, is_superseded)
        for older, newer, is_superseded in _replaced(played)
        if not any((turn, target) in permitted for turn in newer.turns for target in older.turns)
    ]


def allowed(conversation: Conversation) -> Iterator[tuple[str, str]]:
    """Turns that may replace a turn: those that correct it in the end, too, and the user's with the answer to it."""
    places = list(conversation.turns)
    for label in corrections(conversation):
        for turn in (label.turn, last_word(conversation, label).turn):
            place = places.index(turn) - (conversation.turns[turn].role == "assistant")
            yield from ((one, label.target) for one in places[place : place + 2])


def corrections(conversation: Conversation) -> Iterator[Label]:
    """The labels of turns that correct something; not of those that only look like it."""
    return (label for label in conversation.labels if label.act == "correct" and not label.kind)


def last_word(conversation: Conversation, label: Label) -> Label:
    """The correction with the turn and the value that hold in the end: what it says may be corrected itself."""
    for later in corrections(conversation):
        if later.target == label.turn != later.turn and any(has(later.old, [word]) for word in label.words):
            return last_word(conversation, replace(label, turn=later.turn, words=later.words))
    return label


def has(text: str, words: Iterable[str]) -> bool:
    """Whether all of them stand in the text, as whole words, in any case."""
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) for word in words)


def summary(outcomes: Sequence[Outcome], wrong: Sequence[Wrong], turns: Mapping[str, int]) -> dict[str, Any]:
    """Figures by act, in all and by half, language, domain and difficulty; look-alikes by kind; wrong supersessions.

    `turns`: how many were spoken in each half.
    """
    groups: Mapping[str, Callable[[Outcome], str]] = {
        "half": lambda one: one.conversation.half,
        "language": lambda one: one.conversation.language,
        "hard": lambda one: "hard" if one.conversation.hard else "plain",
        "domain": lambda one: one.conversation.domain,
    }
    meant = [one for one in outcomes if not one.label.kind]
    alike = [one for one in outcomes if one.label.kind]
    return {
        "turns": dict(turns),
        **{act: _by(meant, act, groups) for act in ACTS},
        "alike": _table(alike, lambda one: f"{one.label.act} {one.label.kind}"),
        "alike_by_half": _table(alike, groups["half"]),
        "wrongly_superseded": _by_half(turns, (one for one in wrong if one.is_superseded)),
        "wrongly_doubted": _by_half(turns, (one for one in wrong if not one.is_superseded)),
    }


def _by_half(halves: Iterable[str], wrong: Iterable[Wrong]) -> dict[str, int]:
    counted = Counter(one.conversation.half for one in wrong)
    return {half: counted[half] for half in halves}


def _by(
    outcomes: Sequence[Outcome], act: str, groups: Mapping[str, Callable[[Outcome], str]]
) -> dict[str, dict[str, float]]:
    own = [one for one in outcomes if one.label.act == act]
    tables = [_table(own, group) for group in groups.values()]
    return {ALL: _means(own), **{name: row for table in tables for name, row in table.items()}}


def _table(outcomes: Sequence[Outcome], group: Callable[[Outcome], str]) -> dict[str, dict[str, float]]:
    names = sorted({group(one) for one in outcomes})
    return {name: _means([one for one in outcomes if group(one) == name]) for name in names}


def _means(outcomes: Sequence[Outcome]) -> dict[str, float]:
    sums: Counter[str] = Counter()
    for one in outcomes:
        sums.update(one.figures)
    return {"count": len(outcomes), **{name: total / len(outcomes) for name, total in sums.items()}}


def _corrected(played: Played, label: Label) -> dict[str, int]:
    """`right`: the value that holds in the end stands in the text, and the old one does not, or is marked below it."""
    label = last_word(played.conversation, label)
    items = played.answers[label.question]
    old = [place for place, item in enumerate(items) if _is_old(played, item, label)]
    new = [place for place, item in enumerate(items) if place not in old and _is_of(played, item, label)]
    marked = bool(new) and all(items[place].is_doubted(label.old) and place > new[0] for place in old)
    pairs = [
        is_superseded
        for older, newer, is_superseded in _replaced(played)
        if label.target in older.turns and label.turn in newer.turns
    ]
    return {
        "right": bool(new) and marked,
        "new": bool(new),
        "old_gone": not old,
        "marked": bool(old) and marked,
        "superseded": any(pairs),
        "doubted": bool(pairs) and not any(pairs),
    }


def _is_old(played: Played, item: Item, label: Label) -> bool:
    memory = played.memories.get(item.memory)
    made_of = memory.turns if memory else frozenset()
    return label.target in made_of and label.turn not in made_of and has(item.text, [label.old])


def _is_of(played: Played, item: Item, label: Label) -> bool:
    """Whether it says the new value in a memory of the correcting turn: others may have it by accident, or quote it."""
    memory = played.memories.get(item.memory)
    return memory is not None and label.turn in memory.turns and has(item.text, label.words)


def _says(played: Played, item: Item, label: Label) -> bool:
    return has(item.text, label.words) and _is_since(played, item.memory, label.turn)


def _is_since(played: Played, memory: str, turn: str) -> bool:
    """Whether the memory is of this turn or of a later one: earlier ones may have the words by accident."""
    places = list(played.conversation.turns)
    made_of = played.memories[memory].turns if memory in played.memories else frozenset()
    return any(places.index(one) >= places.index(turn) for one in made_of)


def _agreed(played: Played, label: Label) -> dict[str, int]:
    """`right`: an active memory has the words; `in_text`: the text for the question has them."""
    known = [
        has(memory.text, label.words) and _is_since(played, memory.id, label.turn)
        for memory in played.memories.values()
        if memory.status == "active"
    ]
    in_text = any(_says(played, item, label) for item in played.answers[label.question])
    return {"right": any(known), "in_text": in_text}


def _known(played: Played, label: Label) -> dict[str, int]:
    """`right`: the text for the question has the words; `sure`: and does not say that they may be out of date."""
    found = [item for item in played.answers[label.question] if _says(played, item, label)]
    return {"right": bool(found), "sure": any(not any(map(item.is_doubted, label.words)) for item in found)}


def _forgotten(played: Played, label: Label) -> dict[str, int]:
    """`right`: the wish is no memory, and of the memories that it finds the first is the target's.

    A turn that is not to be kept itself is right when no active memory has its words. `known`: one of the target has
    them, as before a review. `others`: other memories are found, too.
    """
    active = [memory for memory in played.memories.values() if memory.status == "active"]
    own = label.target == label.turn
    wish = [label.wish] if label.wish else []
    kept = any(label.turn in memory.turns and has(memory.text, wish) for memory in active)
    known = any((own or label.target in memory.turns) and has(memory.text, label.words) for memory in active)
    found = [label.target in played.made.get(memory, ()) for memory in played.forgotten.get(label.turn, ())]
    return {
        "right": not kept and (not known if own else found[:1] == [True]),
        "wish_kept": kept,
        "known": known,
        "in_text": any(has(item.text, label.words) for item in played.answers[label.question]),
        "others": not all(found),
    }


def _left_alone(played: Played, label: Label) -> dict[str, int]:
    """`right`: nothing superseded, kept or forgotten, whichever the turn looks like; `doubted`: a memory was."""
    pairs = [(newer, is_superseded) for _, newer, is_superseded in _replaced(played) if label.turn in newer.turns]
    superseded, doubted = any(sure for _, sure in pairs), any(not sure for _, sure in pairs)
    active = [memory for memory in played.memories.values() if memory.status == "active"]
    wrong = {
        "correct": superseded,
        "agree": any(label.turn in memory.turns for memory in active),
        "forget": bool(played.forgotten.get(label.turn)),
        "keep": any(memory.turns == {label.turn} for memory in active),
    }
    return {"right": not wrong[label.act], "doubted": doubted}


def _replaced(played: Played) -> list[tuple[Stored, Stored, bool]]:
    """Older and newer memory, and whether the newer supersedes it (else only may contradict it)."""
    memories = played.memories
    sure = [(older, memories[older.by], True) for older in memories.values() if older.by in memories]
    unsure = [(older, memories[by], False) for older in memories.values() for by in sorted(older.newer & set(memories))]
    return [*sure, *unsure]


def _last(played: Played, memory: Stored) -> str:
    return next((turn for turn in reversed(played.conversation.turns) if turn in memory.turns), "")
