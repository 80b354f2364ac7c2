"""A part of a text that may be a time, for the readers of `dates` and `relative_times`, and what they make of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from remembrancer.domain.times import vocabulary
from remembrancer.domain.times.calendar import Days

Moments = tuple[datetime, datetime]
"""The first moment, and the one after the last."""
Meaning = Callable[[datetime], Sequence[Days | Moments]]
"""What a phrase may mean at a moment; raises ValueError or OverflowError beyond the ends of the calendar."""

SHIFTS = {"last": -1, "this": 0, "next": 1, "coming": 1}
"""Units from the present one, for `Found.which`."""
CLAUSE_ENDS = frozenset(("", "?", ".", ","))
PLACED = frozenset("suBARbF")
"""Classes of words that only a time or a place follows."""


@dataclass(frozen=True, slots=True)
class Found:
    """A match of a kind: its named parts in lower case, the classes of the tokens around it, and the next word.

    `is_placed`: a preposition or a word such as `early` says that a time follows. `has_article`: `the` stands before
    it, and `preposition`: the one that does; empty where a `part` stands between.
    """

    parts: Mapping[str, str]
    before: str
    after: str
    following: str
    is_placed: bool
    has_article: bool
    preposition: str
    part: str

    def __getitem__(self, name: str) -> str:
        """Empty where the part is missing; of the parts `day` and `day2`, the one that is there."""
        return self.parts.get(name) or self.parts.get(f"{name}2", "")

    @property
    def which(self) -> str:
        """`last`, `this`, `next` or `coming`; empty without."""
        return vocabulary.WHICH.get(self["which"].split(" ")[-1], "")

    @property
    def ends(self) -> bool:
        """Whether a clause ends behind it."""
        return self.after[:1] in CLAUSE_ENDS
