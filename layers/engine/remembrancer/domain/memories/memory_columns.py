"""What the order of candidates depends on, in columns: an order reads hundreds of memories and shows few."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import CATEGORIES, Memory

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

NO_SESSION = 0
OTHER_CATEGORY = len(CATEGORIES)
QUESTION_MARKS = ("?", "\uff1f", "\u061f")
"""Those of Latin, Chinese and Japanese, and Arabic script."""
_EPISODIC = CATEGORIES.index("episodic")
NUMBER_OF = {category: number for number, category in enumerate(CATEGORIES)}
_NOBODY_KNOWN: Mapping[str | None, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class MemoryColumns:
    """(n,) each. Moments are seconds since 1970; an open beginning is −inf, an open end inf.

    `begins` and `until` are `occurred_from` and `occurred_to`. `category` is the index in CATEGORIES, OTHER_CATEGORY
    for any other. `session` is a number, NO_SESSION for none. `tokens` is the largest count of any tokenizer, 0 without
    a count. `asks`: the text ends with a question mark; a sealed text is not opened for this.
    """

    created: Floats
    valid: Floats
    expires: Floats
    begins: Floats
    until: Floats
    confidence: Floats
    positive_count: NDArray[np.int32]
    negative_count: NDArray[np.int32]
    retrieval_count: NDArray[np.int32]
    tokens: NDArray[np.int32]
    category: NDArray[np.int32]
    session: NDArray[np.int32]
    asks: Booleans

    @classmethod
    def of(cls, memories: Sequence[Memory], *, sessions: Mapping[str | None, int] = _NOBODY_KNOWN) -> "MemoryColumns":
        """`sessions` are the numbers of sessions that are known already, of the memories' one agent."""
        columns = zip(*map(_READ, memories), strict=True) if memories else [()] * 12
        created, valid, expires, begins, until, category, tokens, content, *numbers = columns
        confidence, positive, negative, retrievals = numbers
        return cls(
            created=seconds(created, 0.0),
            valid=seconds(valid, -np.inf),
            expires=seconds(expires, np.inf),
            begins=seconds(begins, -np.inf),
            until=seconds(until, np.inf),
            confidence=np.array(confidence, np.float64),
            positive_count=np.array(positive, np.int32),
            negative_count=np.array(negative, np.int32),
            retrieval_count=np.array(retrievals, np.int32),
            tokens=np.array([max(counts.values()) if counts else 0 for counts in tokens], np.int32),
            category=np.array([NUMBER_OF.get(name, OTHER_CATEGORY) for name in category], np.int32),
            session=session_numbers(memories, sessions),
            asks=np.array([text.endswith(QUESTION_MARKS) for text in content], bool),
        )

    def __len__(self) -> int:
        return len(self.created)

    @property
    def ends(self) -> Floats:
        """The moment from which a memory is no longer true, as `Memory.ends_at`."""
        return np.where(self.category == _EPISODIC, np.inf, self.until)

    def is_of(self, categories: Collection[str]) -> Booleans:
        """(n,): which are of one of these categories."""
        return np.isin(self.category, [NUMBER_OF[name] for name in categories if name in NUMBER_OF])

    def at(self, places: NDArray[np.intp]) -> "MemoryColumns":
        """The entries at these positions, in this order."""
        return MemoryColumns(*(getattr(self, name)[places] for name in self.__slots__))

    def followed_by(self, other: "MemoryColumns") -> "MemoryColumns":
        """The entries of both, one after the other; the numbers of sessions must be of one numbering."""
        if not len(other):
            return self
        if not len(self):
            return other
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return MemoryColumns(*(np.concatenate(pair) for pair in pairs))


def seconds(moments: Sequence[datetime | None], absent: float) -> Floats:
    """(n,): each moment as seconds since 1970, `absent` where there is none."""
    if not any(moments):
        return np.full(len(moments), absent)
    return np.array([absent if moment is None else moment.timestamp() for moment in moments], np.float64)


def session_numbers(memories: Sequence[Memory], known: Mapping[str | None, int] = _NOBODY_KNOWN) -> NDArray[np.int32]:
    """Equal for memories of one session, NO_SESSION without one; sessions of two agents with one name are two."""
    # By number, since comparing a UUID runs in Python.
    agents = [memory.agent_id.int for memory in memories]
    names: list[object] = [memory.session_id or None for memory in memories]
    if len(set(agents)) > 1:
        own = agents[0]
        names = [name and (name if agent == own else (agent, name)) for name, agent in zip(names, agents, strict=True)]
    numbers = dict[object, int](known.items())
    numbers[None] = NO_SESSION
    first = max(numbers.values()) + 1
    for name in names:
        if name not in numbers:
            numbers[name] = first
            first += 1
    return np.array([numbers[name] for name in names], np.int32)


_READ = attrgetter(
    "created_at", "valid_from", "expires_at", "occurred_from", "occurred_to", "category", "tokens", "content",
    "confidence", "positive_count", "negative_count", "retrieval_count",
)  # fmt: skip
