"""Shortens long memories to the passages that match the question, so that more memories fit into the budget.

A passage is a sentence, a line, or a part of one that is very long. What is left out is marked. Nothing is embedded for
this: words match by their beginnings (docs/adr/0042-evidence-before-the-floor.md).
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.lexical_index.folding import folded
from remembrancer.domain.lexical_index.stop_words import FUNCTION_CHARACTERS, LANGUAGES, STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of, words
from remembrancer.domain.memories.memory import Memory

LONG_TOKENS = 150
"""Only memories with more tokens are shortened."""
KEPT_TOKENS = 60
KEPT_SHARE = 0.1
"""An excerpt has about 60 tokens and a tenth of the whole."""
WHOLE_BUDGET = 0.25
"""The best memories stay whole until they fill this part of the budget."""
EXAMINED_BUDGETS = 1.5
"""Memories are shortened until they would fill the budget so many times: later ones are hardly ever chosen."""
NEXT_TO = 0.5
"""A passage next to one that matches counts half as much, the one after it a quarter, and so on."""
OMITTED = "…"
ENDING = 3
"""Letters at the end of a word that may differ, so that forms of it match."""
FEWEST_LETTERS = 4
"""Letters at the beginning of a longer word that must match."""
PASSAGE_CHARACTERS = 240
"""Most characters of a passage; a longer sentence is cut between words."""
SHORT_PASSAGE = 24
"""Fewer characters are joined with the next passage, since an abbreviation ends no sentence."""
MARGIN = 1.05
"""Tokens of an excerpt are estimated from its characters, rather too high."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The passages that are shown of a memory, their estimated cost, and the tokens that they save."""

    passages: tuple[int, ...]
    cost: int
    saved: int


def shown(memory: Memory, passages: Sequence[int]) -> Memory:
    """The memory with these passages of its text, with the whole for none; its stored counts are those of the whole.

    Passages that the text does not have are left out: another release may cut it in other places.
    """
    if not passages:
        return memory
    found = passages_of(memory.content)
    return replace(memory, content=_joined(found, [place for place in passages if place < len(found)]))


def shortened(memories: Sequence[Memory], costs: Sequence[int], question: str, budget: int) -> dict[int, Excerpt]:
    """Excerpts by position; `memories` are best first, `costs` their tokens. Empty where all of them fit."""
    found: dict[int, Excerpt] = {}
    if sum(costs) <= budget or max(costs, default=0) <= LONG_TOKENS:
        return found
    wanted = roots(question)
    together = 0
    for place, (memory, cost) in enumerate(zip(memories, costs, strict=True)):
        if together > EXAMINED_BUDGETS * budget:
            break
        is_long = cost > LONG_TOKENS and together >= WHOLE_BUDGET * budget
        # Sealed texts are opened after packing.
        excerpt = _excerpt(memory.content, cost, wanted) if is_long and memory.sealed is None else None
        if excerpt is not None:
            found[place] = excerpt
        together += cost if excerpt is None else excerpt.cost
    return found


def restored(excerpts: Mapping[int, Excerpt], chosen: Sequence[int], room: int) -> dict[int, Excerpt]:
    """The excerpts of the chosen memories, best first, without those for which there is room as a whole."""
    left: dict[int, Excerpt] = {}
    for place in chosen:
        if place in excerpts and excerpts[place].saved <= room:
            room -= excerpts[place].saved
        elif place in excerpts:
            left[place] = excerpts[place]
    return left


def roots(question: str) -> tuple[str, ...]:
    """The beginnings of the question's words without the stop words of its language: words with them match.

    Pairs of Chinese or Japanese function characters are left out as well, unless there is nothing else.
    """
    found = words(question, STOP_WORDS[language_of(question, LANGUAGES)])
    telling = found if question.isascii() else [word for word in found if not FUNCTION_CHARACTERS.issuperset(word)]
    return tuple(dict.fromkeys(word[: max(FEWEST_LETTERS, len(word) - ENDING)] for word in telling or found))


def excerpt_of(text: str, wanted: Sequence[str], *, most: int) -> tuple[int, ...]:
    """The passages of about `most` characters of the text: its beginning, those that match, and those next to them;
    none where nothing after the beginning matches, which often names the speaker: then the whole is shown.
    """
    plain = folded(text)
    found = [root for root in wanted if root in plain]
    passages = passages_of(text) if found else []
    scores = _scores(passages, found)
    if not any(scores[1:]):
        return ()
    near = _near([0.0, *scores[1:]])
    kept, room = {0}, most - len(passages[0])
    for place in sorted(range(1, len(passages)), key=lambda place: -near[place]):
        if len(passages[place]) <= room:
            kept.add(place)
            room -= len(passages[place])
    return tuple(sorted(kept))


def passages_of(text: str) -> list[str]:
    """The text cut after sentences and lines; the passages joined are the text. What is embedded has rules of its own
    (`embedding_text.passages`), which must not change.
    """
    found: list[str] = []
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        if end - start >= SHORT_PASSAGE or end == len(text):
            found += _cut(text[start:end])
            start = end
    return found


def _excerpt(text: str, cost: int, wanted: Sequence[str]) -> Excerpt | None:
    passages = excerpt_of(text, wanted, most=int(len(text) * (KEPT_SHARE + KEPT_TOKENS / cost)))
    if not passages:
        return None
    estimate = math.ceil(cost * MARGIN * len(_joined(passages_of(text), passages)) / max(len(text), 1))
    return Excerpt(passages, estimate, cost - estimate) if estimate < cost else None


def _cut(passage: str) -> list[str]:
    parts: list[str] = []
    while len(passage) > PASSAGE_CHARACTERS:
        at = passage.rfind(" ", SHORT_PASSAGE, PASSAGE_CHARACTERS) + 1 or PASSAGE_CHARACTERS
        parts.append(passage[:at])
        passage = passage[at:]
    return [*parts, passage] if passage else parts


def _scores(passages: Sequence[str], wanted: Sequence[str]) -> list[float]:
    """How many of the words each passage has; a word counts the less, the more passages have it."""
    plain = [f" {folded(passage)}" for passage in passages]
    scores = [0.0] * len(passages)
    for root in wanted:
        holders = [place for place, passage in enumerate(plain) if root in passage and _begins_a_word(passage, root)]
        for place in holders:
            scores[place] += 1 / len(holders)
    return scores


def _begins_a_word(passage: str, root: str) -> bool:
    """Whether the root stands at the beginning of a word; anywhere in scripts without blanks between words."""
    at = passage.find(root)
    while at > 0:
        if not passage[at - 1].isalnum() or not root.isascii():
            return True
        at = passage.find(root, at + 1)
    return False


def _near(scores: Sequence[float]) -> list[float]:
    """For each passage the greatest score of all, halved for each step to it."""
    near = list(scores)
    for place in range(1, len(near)):
        near[place] = max(near[place], near[place - 1] * NEXT_TO)
    for place in range(len(near) - 2, -1, -1):
        near[place] = max(near[place], near[place + 1] * NEXT_TO)
    return near


def _joined(passages: Sequence[str], kept: Sequence[int]) -> str:
    parts: list[str] = []
    last = -1
    for place in kept:
        parts.append(passages[place] if place == last + 1 else f"{OMITTED} {passages[place]}")
        last = place
    text = "".join(parts)
    return text if last == len(passages) - 1 else f"{text.rstrip()} {OMITTED}"


_END = re.compile(r"[.!?…。！？\n](?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+\s+|(?<=[。！？])[。！？]*\s*|(?<=\n)\s*)")
"""Marks and what follows them. A search for one of many characters takes a quarter of the time of alternatives."""
