"""Which memories a wish to forget is about: by meaning and by words, and which of these beyond doubt.

A memory's score is the cosine between topic and text, and the share of the topic's words that the text has. The lines
were chosen with the conversations in benchmarks/conversations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

LEAST = 0.45
"""The score of a memory that a topic may be about."""
LEAST_MEANT = 0.4
"""The cosine of a memory with all words of the topic that is meant beyond doubt."""
NEARLY_ALL = 1.05
"""The score of a memory without all of the words that is meant beyond doubt, if no other is near."""
APART = 0.35
"""How far the score of such a memory is above the next."""
CLOSE = 0.75
"""The share of the best score that others to be looked at have."""
MOST_LOOKED_AT = 5
MOST_MEANT = 20

OUTCOMES = FORGOTTEN, PROPOSED, NOTHING, TOO_MUCH = ("forgotten", "proposed", "nothing_found", "everything")
"""Outcomes of a wish: memories were deleted; they wait for somebody who looks at them; none was found; or it was about
everything, for which there are erasures.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory of the end user's own, its stemmed words with a meaning, and its cosine to the topic."""

    memory_id: UUID
    words: frozenset[str]
    similarity: float


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


def matches(words: frozenset[str], candidates: Sequence[Candidate], *, is_open: bool) -> list[Match]:
    """The memories that a topic with these stemmed words may be about, the surest first; only the sure ones if there
    are any.

    With `is_open`, everything about the topic is meant. Otherwise one word alone may be said of several things: what it
    is about is sure only of a single memory.
    """
    scored = sorted(
        ((one.similarity + _share(words, one), _share(words, one), one) for one in candidates),
        key=lambda row: (-row[0], str(row[2].memory_id)),
    )
    scored = [row for row in scored if row[0] >= LEAST]
    if not scored:
        return []
    sure = [row for row in scored if row[1] == 1 and row[2].similarity >= LEAST_MEANT]
    if len(words) < 2 and len(sure) > 1 and not is_open:
        return [Match(one.memory_id, score, False) for score, _, one in sure[:MOST_LOOKED_AT]]
    best = scored[0][0]
    if not sure and best >= NEARLY_ALL and (len(scored) == 1 or best - scored[1][0] >= APART):
        sure = scored[:1]
    if sure:
        return [Match(one.memory_id, score, True) for score, _, one in sure[:MOST_MEANT]]
    close = [row for row in scored if row[0] >= CLOSE * best]
    return [Match(one.memory_id, score, False) for score, _, one in close[:MOST_LOOKED_AT]]


def _share(words: frozenset[str], candidate: Candidate) -> float:
    return len(words & candidate.words) / len(words) if words else 0.0
