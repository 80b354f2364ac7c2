"""Which memories a wish to forget is about: by meaning and by words, and which of these beyond doubt.

A memory's score for a topic is the cosine between the two, and the share of the topic's words that the memory has, rare
ones counting more. The best topic counts; the whole wish, how lately the memory was made, and whether the wish points
at it, are added. The lines were chosen with the conversations in benchmarks/conversations
(`python -m benchmarks.wishes.targets`).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

LEAST = 1.1
"""The score of a memory that a wish may be about."""
LEAST_OF_TOPIC = 0.5
"""The score for a topic alone, where it is in doubt whether anything is wished."""
LEAST_MEANT = 0.4
"""The cosine of a memory with all words of the topic that is meant beyond doubt."""
LEAST_SHARE = 0.5
"""The share of a topic's words in a memory, where it is in doubt whether anything is wished."""
OF_WISH, OF_WORDS = 3.0, 1.0
"""What cosine and share of the whole wish add: more than those of the topic, since people rarely name what they mean by
its own words.
"""
LATE = 0.2
"""What the latest memory has more than the first one."""
POINTED = 1.0
"""What is added where a wish points at what was said just before."""
CLOSE = 0.8
"""The share of the best score that others to be looked at have."""
MOST_LOOKED_AT = 5
MOST_MEANT = 20

OUTCOMES = FORGOTTEN, PROPOSED, NOTHING, TOO_MUCH = ("forgotten", "proposed", "nothing_found", "everything")
"""Outcomes of a wish: memories were deleted; they wait for somebody who looks at them; none was found; or it was about
everything, for which there are erasures.
"""


@dataclass(frozen=True, slots=True)
class Sought:
    """The stemmed words of a topic; `is_open`: everything about it is meant."""

    words: frozenset[str]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory of the end user's own, its stemmed words with a meaning, and its cosines to the topics and, behind them,
    to the whole wish. `lateness` is 1 for the latest one and 0 for the first; `is_before`: the wish points at it.
    """

    memory_id: UUID
    words: frozenset[str]
    similarities: Sequence[float]
    lateness: float = 0.0
    is_before: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that a wish is about; `is_sure`: beyond doubt."""

    memory_id: UUID
    score: float
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is done about the wish in turn `number`: memories to be deleted, and to be proposed for that.

    `is_of_everything`: it named nothing. Only memories of the conversation's end user are touched.
    """

    number: int
    deleted: tuple[UUID, ...] = ()
    proposed: tuple[UUID, ...] = ()
    is_of_everything: bool = False


def matches(
    topics: Sequence[Sought], wish: frozenset[str], candidates: Sequence[Candidate], *, is_sure: bool = True
) -> list[Match]:
    """The memories that a wish with these words is about, the likeliest first; only the sure ones if the first is sure.

    One word alone may be said of several things: what it is about is sure only of a single memory, unless everything
    about it is meant. Nothing is sure of a wish that is not.
    """
    rarity = _rarity(candidates)
    found = [(one, *_score(topics, wish, one, rarity, is_sure=is_sure)) for one in candidates]
    found = sorted(
        ((one, own, whole) for one, own, whole in found if (whole >= LEAST if is_sure else own >= LEAST_OF_TOPIC)),
        key=lambda row: (-row[2], str(row[0].memory_id)),
    )
    if not found:
        return []
    sure = _meant(topics, candidates) if is_sure else frozenset()
    if not topics and is_sure:
        sure = frozenset(one.memory_id for one, _, _ in found if one.is_before)
    if found[0][0].memory_id in sure:
        meant = [Match(one.memory_id, whole, True) for one, _, whole in found if one.memory_id in sure]
        return meant[:MOST_MEANT]
    line = CLOSE * found[0][2]
    return [Match(one.memory_id, whole, False) for one, _, whole in found if whole >= line][:MOST_LOOKED_AT]


def _score(
    topics: Sequence[Sought], wish: frozenset[str], one: Candidate, rarity: Mapping[str, float], *, is_sure: bool
) -> tuple[float, float]:
    """The score of the best topic, or of being pointed at, and the whole score."""
    best = POINTED if one.is_before else -1.0
    for topic, similarity in zip(topics, one.similarities, strict=False):
        share = _share(topic.words, one.words, rarity)
        if is_sure or share >= LEAST_SHARE:
            best = max(best, similarity + share + POINTED * one.is_before)
    return best, best + OF_WISH * one.similarities[-1] + OF_WORDS * _share(
        wish, one.words, rarity
    ) + LATE * one.lateness


def _meant(topics: Sequence[Sought], candidates: Sequence[Candidate]) -> frozenset[UUID]:
    """Memories with all words of a topic, and near to it."""
    found: set[UUID] = set()
    for place, topic in enumerate(topics):
        own = [
            one.memory_id
            for one in candidates
            if topic.words and topic.words <= one.words and one.similarities[place] >= LEAST_MEANT
        ]
        if len(own) == 1 or len(topic.words) > 1 or topic.is_open:
            found.update(own)
    return frozenset(found)


def _rarity(candidates: Sequence[Candidate]) -> Mapping[str, float]:
    """How much each word of the memories counts."""
    count = len(candidates)
    having = Counter(word for one in candidates for word in one.words)
    return {word: math.log1p(count / times) for word, times in having.items()} | {"": math.log1p(count) / 2}


def _share(wanted: frozenset[str], there: frozenset[str], rarity: Mapping[str, float]) -> float:
    """A word that no memory has counts half as much as one that a single memory has."""
    whole = sum(rarity.get(word, rarity[""]) for word in wanted)
    return sum(rarity[word] for word in wanted & there) / whole if whole else 0.0
